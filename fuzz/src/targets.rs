//! What is fuzzed: each function takes any bytes, and panics if a promise is broken. They need no fuzzer:
//! `pgen-cli/tests/fuzz.rs` calls the same functions on kept inputs and on mutations of good ones.

use pgen::align::{Method, Trained, WordAligner, read_pairs};
use pgen::core::codec::Container;
use pgen::core::formats::alignment::{giza, gold, naacl, pharaoh};
use pgen::core::formats::conll::{read_conll, write_conll};
use pgen::core::formats::penn::{PennItem, PennOptions, PennReader};
use pgen::core::formats::{TableOptions, ValueColumns, meteor, moses, nbest, ppdb, tsv};
use pgen::core::text::{TextOptions, split_sentences};
use pgen::core::{
    LanguageModel, Limits, Lines, ParaphraseTable, Sentence, Stop, Tree, Vocab, WordId,
};
use pgen::fsa::{Fsa, Labels, Sampling, read_att, read_symbols};
use pgen::lm::{ArpaOptions, FastModel, NgramModel, read_arpa_lines, write_arpa};
use pgen::{Bundle, Options, Paraphraser};
use std::io::Cursor;
use std::sync::{Arc, LazyLock};

/// A target by its name.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 14] = [
    ("arpa", arpa),
    ("language_model", language_model),
    ("phrase_table", phrase_table),
    ("table_file", table_file),
    ("packed", packed),
    ("alignment", alignment),
    ("tree", tree),
    ("conll", conll),
    ("automaton", automaton),
    ("aligner", aligner),
    ("sentence", sentence),
    ("answer", answer),
    ("bundle", bundle),
    ("annotator", annotator),
];

fn limits() -> Limits {
    let mut limits = Limits::default();
    (limits.file_bytes, limits.nodes, limits.edges) = (16 << 20, 2_000, 20_000);
    (limits.pops, limits.states, limits.words) = (20_000, 50_000, 1 << 20);
    limits
}

fn lines(data: &[u8]) -> Option<Lines> {
    Lines::from_reader(Cursor::new(data.to_vec()), "fuzz", &limits()).ok()
}

/// ARPA text, strict and lenient: what loads gives finite scores, and is the same when written and read.
pub fn arpa(data: &[u8]) {
    for options in [ArpaOptions::default(), ArpaOptions::lenient()] {
        let Some(lines) = lines(data) else { return };
        let mut vocab = Vocab::new();
        let Ok((ngrams, _)) = read_arpa_lines(lines, &mut vocab, &options) else {
            continue;
        };
        let Ok(model) = FastModel::new(&ngrams) else {
            continue;
        };
        let words: Vec<WordId> = vocab.words().map(|(id, _)| id).take(6).collect();
        assert!(!model.sentence(&words).ln().is_nan());
        let mut written = Vec::new();
        if write_arpa(&ngrams, &vocab, &mut written).is_ok() {
            let mut again = Vocab::new();
            let read = read_arpa_lines(self::lines(&written).unwrap(), &mut again, &options);
            let (read, _) = read.expect("what is written can be read");
            assert_eq!(read.counts(), ngrams.counts());
        }
    }
}

fn scores(model: &impl LanguageModel, vocab: &Vocab) {
    let words: Vec<WordId> = vocab.words().map(|(id, _)| id).take(6).collect();
    assert!(!model.sentence(&words).ln().is_nan());
    assert!(!model.unit(&words).ln().is_nan());
}

/// Binary models with every checksum made right.
pub fn language_model(data: &[u8]) {
    let mut data = data.to_vec();
    mend(&mut data);
    if let Ok((model, vocab)) = NgramModel::from_bytes(&data[..], &limits()) {
        scores(&model, &vocab);
        let _ = model.ngrams();
    }
}

/// Phrase tables in every text format; what loads can be written and read.
pub fn phrase_table(data: &[u8]) {
    let flags = data.first().copied().unwrap_or(0);
    let mut options = TableOptions::default();
    (options.lenient, options.unescape) = (flags & 1 == 1, flags & 2 == 2);
    (options.deletions, options.above_one) = (flags & 4 == 4, flags & 8 == 8);
    options.values = if flags & 16 == 16 {
        ValueColumns::All
    } else {
        ValueColumns::First
    };
    options.limits = limits();
    let read =
        |data: &[u8], vocab: &mut Vocab| Some(moses::load(&mut lines(data)?, vocab, &options));
    let mut vocab = Vocab::new();
    if let Some(Ok((table, report))) = read(data, &mut vocab) {
        assert_eq!(report.read, report.kept + report.skipped);
        let mut written = Vec::new();
        if moses::write(&mut written, &table, &vocab, options.unescape).is_ok()
            && !options.above_one
        {
            let mut again = Vocab::new();
            let table = read(&written, &mut again)
                .expect("text")
                .expect("what is written can be read");
            assert!(table.0.len() <= report.kept as usize);
        }
    }
    let vocab = &mut Vocab::new();
    let _ =
        lines(data).map(|mut lines| ppdb::load(&mut lines, vocab, &[ppdb::PROBABILITY], &options));
    let _ = lines(data).map(|mut lines| meteor::load(&mut lines, vocab, &options));
    let _ = lines(data)
        .map(|mut lines| tsv::load(&mut lines, vocab, &tsv::Columns::default(), &options));
    let _ = lines(data).map(|mut lines| {
        nbest::each_entry(&mut lines, options.lenient, |entry| {
            let _ = entry.phrases();
            assert!(nbest::Entry::parse(&entry.to_string()).is_ok());
            Ok(())
        })
    });
}

/// Binary tables with every checksum made right: every row is found by its source.
pub fn table_file(data: &[u8]) {
    let mut data = data.to_vec();
    mend(&mut data);
    let Ok(container) = Container::from_bytes(&data[..], &limits()) else {
        return;
    };
    let Ok((vocab, table)) = ParaphraseTable::from_container(&container, &limits()) else {
        return;
    };
    table.for_each(|source, rule| {
        assert!(table.find(source).any(|same| same.id == rule.id));
        assert!(table.spell(rule.id, &vocab).is_some());
    });
}

/// Input that may be packed: lines end, and errors do not repeat for ever.
pub fn packed(data: &[u8]) {
    let Some(mut lines) = lines(data) else { return };
    for _ in 0..1_000_000 {
        if let Ok(None) = lines.next_line() {
            return;
        }
    }
    assert!(lines.number() > 900_000, "the reader does not end");
}

/// Alignments in every format.
pub fn alignment(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        for line in text.lines() {
            if let Ok(links) = pharaoh::parse(line) {
                assert_eq!(pharaoh::parse(&pharaoh::format(&links)).ok(), Some(links));
            }
        }
    }
    let _ = lines(data).map(|mut lines| gold::read(&mut lines, None));
    let _ = lines(data).map(|mut lines| naacl::read(&mut lines));
    let _ = lines(data).map(|lines| read_pairs(lines, &mut Vocab::new(), &limits()));
    if let Some(mut lines) = lines(data) {
        while !lines.is_over() {
            let _ = giza::next(&mut lines);
        }
    }
}

/// Trees: what is read can be written and read.
pub fn tree(data: &[u8]) {
    let Some(lines) = lines(data) else { return };
    let mut reader = PennReader::new(lines, PennOptions::default(), &limits());
    for _ in 0..10_000 {
        match reader.next() {
            Ok(None) => return,
            Ok(Some(PennItem::Tree(tree))) => {
                let text = tree.to_string();
                // A backslash before `/` or `*` is an escape once more.
                if !text.contains('\\') {
                    assert_eq!(Tree::parse(&text, &limits()).ok(), Some(tree));
                }
            }
            Ok(Some(PennItem::Blank)) | Err(_) => {}
        }
    }
}

/// CoNLL: what is read can be written and read.
pub fn conll(data: &[u8]) {
    let Some(mut lines) = lines(data) else { return };
    for _ in 0..10_000 {
        match read_conll(&mut lines, &limits()) {
            Ok(None) => return,
            Ok(Some(sentence)) => {
                let mut written = Vec::new();
                write_conll(&mut written, &sentence).expect("memory");
                let mut again = self::lines(&written).expect("text");
                let again = read_conll(&mut again, &limits());
                let again = again.expect("what is written can be read");
                let words = again.map_or(0, |again| again.words.len());
                assert_eq!(words, sentence.words.len());
            }
            Err(_) => {}
        }
    }
}

/// Automata: algebra keeps the language.
pub fn automaton(data: &[u8]) {
    let _ = lines(data).map(|mut lines| read_symbols(&mut lines));
    let Some(mut lines) = lines(data) else { return };
    let mut before: Option<Fsa> = None;
    while let Ok(Some(fsa)) = read_att(&mut lines, &Labels::Words, &limits()) {
        let (limits, never) = (limits(), Stop::never());
        let Ok(plain) = fsa.remove_epsilon(&limits, &never) else {
            continue;
        };
        if let Ok(minimal) = plain.minimize(&limits, &never) {
            if fsa.path_count().to_f64() < 1e4 {
                let mut strings = fsa.strings(20_000);
                strings.sort();
                strings.dedup();
                let mut kept = minimal.strings(20_000);
                kept.sort();
                assert_eq!(kept, strings);
            }
            let _ = minimal.best(5, &limits, &never);
        }
        let _ = (
            fsa.to_plf(),
            fsa.to_slf("u"),
            fsa.to_dot("d"),
            fsa.squeeze(&never),
        );
        let _ = fsa.sampler(Sampling::UniformPath, &limits, &never);
        if let Some(before) = &before {
            let _ = before.intersect(&plain, &limits, &never);
            let _ = Fsa::union(&[before, &plain], &limits);
        }
        before = Some(plain);
    }
}

/// Aligner files with every checksum made right.
pub fn aligner(data: &[u8]) {
    let mut data = data.to_vec();
    mend(&mut data);
    if let Ok((vocab, model)) = Trained::from_bytes(&data, &limits()) {
        let words: Vec<WordId> = vocab.words().map(|(id, _)| id).take(6).collect();
        let links = model.align(&words, &words);
        links
            .check(words.len(), words.len())
            .expect("links lie within the pair");
    }
    let _ = Method::ALL;
}

/// Any text as sentences: tokens are the text, in order.
pub fn sentence(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let vocab = Arc::new(Vocab::new());
    if let Ok(spans) = split_sentences(text, &limits()) {
        for span in spans {
            assert!(text.get(span.range()).is_some());
        }
    }
    let Ok(sentence) = Sentence::tokenize(text, &vocab, &TextOptions::default(), &limits()) else {
        return;
    };
    assert_eq!(sentence.text(), text);
    let mut behind = 0;
    for at in 0..sentence.len() {
        let token = &sentence.tokens()[at];
        assert!(token.bytes.start() >= behind && !sentence.surface(at).is_empty());
        behind = token.bytes.end();
    }
}

static ENGLISH: LazyLock<Paraphraser> =
    LazyLock::new(|| Paraphraser::english().expect("the embedded model is whole"));

/// Any text as a sentence to paraphrase.
pub fn answer(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let mut options = Options::best(4);
    options.limits = limits();
    options.limits.tokens = 80;
    let Ok(answer) = ENGLISH.answer(text, &options) else {
        return;
    };
    for item in &answer.items {
        assert!(item.text != text && item.score.ln().is_finite());
        for edit in &item.edits {
            assert_eq!(text.get(edit.source.range()), Some(&*edit.from));
            assert_eq!(item.text.get(edit.target.range()), Some(&*edit.to));
        }
    }
}

/// Bundles with every checksum made right.
pub fn bundle(data: &[u8]) {
    let mut data = data.to_vec();
    mend(&mut data);
    if let Ok(bundle) = Bundle::from_bytes(&data[..], &limits()) {
        let mut options = Options::best(3);
        options.limits = limits();
        let _ = Paraphraser::new(bundle).answer("The cat sat down .", &options);
    }
}

/// Annotator files with every checksum made right.
pub fn annotator(data: &[u8]) {
    let mut data = data.to_vec();
    mend(&mut data);
    if let Ok(annotator) = pgen::annotate::Annotator::from_bytes(&data, &limits()) {
        let _ = annotator.analyse(&["The", "cat", "sat"]);
    }
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let eight = bytes.get(at..)?.first_chunk::<8>()?;
    usize::try_from(u64::from_le_bytes(*eight)).ok()
}

/// Makes every checksum of a container right, as far as it can be followed.
pub fn mend(bytes: &mut [u8]) {
    if bytes.len() < 64 {
        return;
    }
    bytes[..8].copy_from_slice(b"\x89pgen\r\n\x1a");
    if let Some(table) = number(bytes, 48).filter(|table| *table <= bytes.len()) {
        let mut at = table;
        while let Some(name) = number(bytes, at) {
            let fields = name.checked_add(at + 9);
            let Some(fields) = fields.filter(|f| *f <= bytes.len().saturating_sub(28)) else {
                break;
            };
            let place = number(bytes, fields).zip(number(bytes, fields + 8));
            let stored =
                place.and_then(|(start, length)| bytes.get(start..start.checked_add(length)?));
            if let Some(stored) = stored {
                let sum = crc32fast::hash(stored);
                bytes[fields + 24..fields + 28].copy_from_slice(&sum.to_le_bytes());
            }
            at = fields + 28;
        }
        let sum = crc32fast::hash(&bytes[table..]);
        bytes[56..60].copy_from_slice(&sum.to_le_bytes());
    }
    let sum = crc32fast::hash(&bytes[..60]);
    bytes[60..64].copy_from_slice(&sum.to_le_bytes());
}
