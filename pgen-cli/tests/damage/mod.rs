//! Files of ours, small ones, and ways to damage them.

use pgen::align::{Corpus, Method, TrainOptions, Trained, WordAligner};
use pgen::core::codec::{Container, Packing, to_bytes};
use pgen::core::{
    LanguageModel, Limits, Lines, ParaphraseTable, SplitMix64, TableBuilder, Vocab, WordId,
};
use pgen::lm::{EstimateParams, Estimator, Layout, NgramModel, Ngrams, Precision};
use pgen::{Bundle, Options, Paraphraser};
use std::sync::Arc;

/// What a load came to: the code of an error, or answers.
pub(crate) type Loaded = Result<String, String>;

/// A kind of file with a small example.
pub(crate) struct Format {
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// Loads, asks, and says what was answered. Must never panic.
    pub(crate) load: fn(&[u8]) -> Loaded,
}

type Failed = Box<dyn std::error::Error>;

const TEXT: &str = "the cat sat\na dog ran\nthe dog sat down\na cat ran off\n";

pub(crate) fn ngrams(vocab: &mut Vocab) -> Result<Ngrams, Failed> {
    let mut estimator = Estimator::new(EstimateParams::new(3))?;
    estimator.add_lines(Lines::from_text(TEXT, &Limits::default())?, vocab, &())?;
    Ok(estimator.finish(vocab, &())?.0)
}

pub(crate) fn table(vocab: &mut Vocab) -> Result<ParaphraseTable, Failed> {
    let mut builder = TableBuilder::new(["p", "q"]);
    for (source, target, p) in [
        ("the cat", "a cat", -0.5),
        ("cat", "dog", -1.0),
        ("cat", "feline", -1.5),
        ("sat down", "sat", -0.25),
        ("ran", "ran off", -2.0),
    ] {
        builder.push_text(vocab, source, target, &[p, p / 2.0])?;
    }
    Ok(builder.build(vocab)?)
}

pub(crate) fn aligner(method: Method) -> Result<Vec<u8>, Failed> {
    let (mut corpus, mut vocab) = (Corpus::new(), Vocab::new());
    for (source, target) in [
        ("the cat", "le chat"),
        ("the dog", "le chien"),
        ("a cat", "un chat"),
    ] {
        corpus.push_text(source, target, &mut vocab, &Limits::default())?;
    }
    let model = Trained::fit(&corpus, &vocab, &TrainOptions::new(method), &())?;
    Ok(model.to_bytes(&vocab, Packing::Plain)?)
}

pub(crate) fn bundle() -> Result<Bundle, Failed> {
    let mut vocab = Vocab::new();
    let ngrams = ngrams(&mut vocab)?;
    let table = table(&mut vocab)?;
    let language = NgramModel::new(&ngrams, &vocab, Layout::Compact, Precision::Exact)?;
    let mut bundle = Bundle::new(Arc::new(vocab), language, vec![("t".into(), table)])?;
    bundle.names = vec!["Ann".into(), "Bob".into()];
    bundle.about.insert("title".into(), "a test".into());
    bundle
        .weights
        .insert("language".into(), pgen::core::Weight::new(0.5)?);
    Ok(bundle)
}

/// An example of every kind of file.
pub(crate) fn formats() -> Result<Vec<Format>, Failed> {
    let mut vocab = Vocab::new();
    let ngrams = ngrams(&mut vocab)?;
    let model = |layout, precision| -> Result<Vec<u8>, Failed> {
        let model = NgramModel::new(&ngrams, &vocab, layout, precision)?;
        Ok(model.to_bytes(&vocab, Packing::Plain)?)
    };
    let fast = |precision| model(Layout::Fast, precision);
    let compact = |precision| model(Layout::Compact, precision);
    let mut words = Vocab::new();
    let rows = table(&mut words)?;
    let save = |rows: &ParaphraseTable, packing| {
        to_bytes("table", |out| {
            words.write_to(out, "", packing)?;
            rows.write_to(out, "", packing)
        })
    };
    let file = |name, bytes, load| Format { name, bytes, load };
    let coded = rows.quantized(16)?.0;
    Ok(vec![
        file("language model", fast(Precision::Exact)?, load_model),
        file(
            "language model in bits",
            fast(Precision::Bits(6))?,
            load_model,
        ),
        file(
            "compact language model",
            compact(Precision::Exact)?,
            load_model,
        ),
        file(
            "compact language model in bits",
            compact(Precision::Bits(5))?,
            load_model,
        ),
        file("table", save(&rows, Packing::Plain)?, load_table),
        file("packed table", save(&rows, Packing::Deflate)?, load_table),
        file(
            "table of few values",
            save(&coded, Packing::Plain)?,
            load_table,
        ),
        file("aligner Model 1", aligner(Method::Model1)?, load_aligner),
        file("aligner Model 2", aligner(Method::Model2)?, load_aligner),
        file("aligner HMM", aligner(Method::Hmm)?, load_aligner),
        file("aligner Model 4", aligner(Method::Model4)?, load_aligner),
        file("aligner consensus", aligner(Method::Best)?, load_aligner),
        file("bundle", bundle()?.to_bytes(Packing::Plain)?, load_bundle),
        file(
            "packed bundle",
            bundle()?.to_bytes(Packing::Deflate)?,
            load_bundle,
        ),
        file("annotator", annotator()?, load_annotator),
    ])
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    (limits.file_bytes, limits.words, limits.pops) = (1 << 20, 1 << 16, 10_000);
    limits
}

/// Scores of a few sentences; finite ones, or the model has no business to be loaded.
fn scores(model: &impl LanguageModel, vocab: &Vocab) -> Loaded {
    let ids: Vec<WordId> = ["the", "cat", "dog", "ran", "nothing"]
        .map(|word| vocab.get(word).unwrap_or(WordId::UNK))
        .to_vec();
    let sentences = [&ids[..], &ids[1..3], &[ids[0], ids[2], ids[3]], &[]];
    let scores = sentences.map(|words| model.sentence(words).ln());
    assert!(scores.iter().all(|score| !score.is_nan()), "a score is NaN");
    Ok(format!("{scores:?}"))
}

fn load_model(bytes: &[u8]) -> Loaded {
    let loaded = NgramModel::from_bytes(bytes, &limits());
    let (model, vocab) = loaded.map_err(|error| error.code().to_owned())?;
    scores(&model, &vocab)
}

fn load_table(bytes: &[u8]) -> Loaded {
    let read = || {
        let container = Container::from_bytes(bytes, &limits())?;
        ParaphraseTable::from_container(&container, &limits())
    };
    let (vocab, table) = read().map_err(|error| error.code().to_owned())?;
    let mut said = String::new();
    table.for_each(|source, rule| {
        let found = table.find(source).any(|same| same.id == rule.id);
        assert!(found, "a row is not found by its source");
        said.push_str(&format!(
            "{:?} {:?}\n",
            table.spell(rule.id, &vocab),
            rule.values
        ));
    });
    Ok(said)
}

fn load_aligner(bytes: &[u8]) -> Loaded {
    let loaded = Trained::from_bytes(bytes, &limits());
    let (vocab, model) = loaded.map_err(|error| error.code().to_owned())?;
    let ids = |words: [&str; 3]| words.map(|word| vocab.get(word).unwrap_or(WordId::UNK));
    let links = model.align(&ids(["the", "cat", "x"]), &ids(["le", "chat", "chien"]));
    links.check(3, 3).map_err(|error| error.code().to_owned())?;
    Ok(format!("{links}"))
}

fn load_bundle(bytes: &[u8]) -> Loaded {
    let loaded = Bundle::from_bytes(bytes, &limits());
    let bundle = loaded.map_err(|error| error.code().to_owned())?;
    let mut options = Options::best(3);
    options.limits = limits();
    let answer = Paraphraser::new(bundle).answer("The cat sat down .", &options);
    let answer = answer.map_err(|error| error.code().to_owned())?;
    let texts: Vec<&str> = answer.items.iter().map(|item| &*item.text).collect();
    Ok(texts.join("|"))
}

const CONLL: &str = "1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n2\tcat\tcat\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n3\tsat\tsit\tVERB\tVBD\t_\t0\troot\t_\t_\n\n";

/// An annotator that has seen one sentence three times.
fn annotator() -> Result<Vec<u8>, Failed> {
    use pgen::annotate::{AnnotatorParams, WordClasses};
    use pgen::core::formats::conll::read_conll;
    let mut lines = Lines::from_text(&CONLL.repeat(3), &Limits::default())?;
    let mut corpus = Vec::new();
    while let Some(sentence) = read_conll(&mut lines, &Limits::default())? {
        corpus.push(sentence);
    }
    let params = AnnotatorParams::default().check()?;
    let stop = pgen::core::Stop::never();
    let (annotator, _) = params.fit(&corpus, WordClasses::default(), &(), &stop)?;
    Ok(annotator.to_bytes()?)
}

fn load_annotator(bytes: &[u8]) -> Loaded {
    let loaded = pgen::annotate::Annotator::from_bytes(bytes, &limits());
    let annotator = loaded.map_err(|error| error.code().to_owned())?;
    let analysis = annotator.analyse(&["The", "cat", "sat"]);
    let analysis = analysis.map_err(|error| error.code().to_owned())?;
    Ok(format!("{analysis:?}"))
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let eight = bytes.get(at..)?.first_chunk::<8>()?;
    usize::try_from(u64::from_le_bytes(*eight)).ok()
}

/// Makes every checksum right, as far as the file can still be followed: that of each section, of the
/// section table and of the header.
pub(crate) fn mend(bytes: &mut [u8]) {
    let Some(table) = number(bytes, 48).filter(|table| *table <= bytes.len()) else {
        return mend_header(bytes);
    };
    let mut at = table;
    while let Some(name) = number(bytes, at) {
        let Some(fields) = name
            .checked_add(at + 9)
            .filter(|fields| fields + 28 <= bytes.len())
        else {
            break;
        };
        let place = number(bytes, fields).zip(number(bytes, fields + 8));
        let stored = place.and_then(|(start, length)| bytes.get(start..start.checked_add(length)?));
        if let Some(stored) = stored {
            let sum = crc32fast::hash(stored);
            bytes[fields + 24..fields + 28].copy_from_slice(&sum.to_le_bytes());
        }
        at = fields + 28;
    }
    if bytes.len() >= 64 {
        let sum = crc32fast::hash(&bytes[table..]);
        bytes[56..60].copy_from_slice(&sum.to_le_bytes());
    }
    mend_header(bytes);
}

fn mend_header(bytes: &mut [u8]) {
    if bytes.len() >= 64 {
        let sum = crc32fast::hash(&bytes[..60]);
        bytes[60..64].copy_from_slice(&sum.to_le_bytes());
    }
}

/// Calls `visit` with every damaged form of a file: each bit flipped, each byte set to 00, FF, 7F and 80,
/// each length cut to, random pairs of bytes exchanged, and random spans overwritten. Of a file of more
/// than `most` bytes, every so many bytes are damaged. What equals the file itself is left out.
pub(crate) fn each_damage(
    whole: &[u8],
    most: usize,
    random: u64,
    mut visit: impl FnMut(&str, Vec<u8>),
) {
    let mut give = |what: &str, bytes: Vec<u8>| {
        if bytes != whole {
            visit(what, bytes);
        }
    };
    let stride = whole.len().div_ceil(most.max(1)).max(1);
    for at in (0..whole.len()).filter(|at| *at < 200 || at % stride == 0) {
        for bit in 0..8 {
            let mut bytes = whole.to_vec();
            bytes[at] ^= 1 << bit;
            give("bit", bytes);
        }
        for value in [0, 0xFF, 0x7F, 0x80] {
            let mut bytes = whole.to_vec();
            bytes[at] = value;
            give("byte", bytes);
        }
        give("cut", whole[..at].to_vec());
    }
    let mut rng = SplitMix64::new(whole.len() as u64);
    let mut place = || (rng.next_u64() % whole.len() as u64) as usize;
    for _ in 0..random {
        let (a, b) = (place(), place());
        let mut bytes = whole.to_vec();
        bytes.swap(a, b);
        give("swap", bytes);
        let mut bytes = whole.to_vec();
        let length = (b % 8 + 1).min(whole.len() - a);
        for offset in 0..length {
            bytes[a + offset] = place() as u8;
        }
        give("span", bytes);
    }
}
