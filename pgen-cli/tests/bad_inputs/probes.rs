//! Ways to give bytes to the library.

use crate::{api, archives};
use pgen::core::formats::alignment::{giza, gold, pharaoh};
use pgen::core::formats::conll::read_conll;
use pgen::core::formats::penn::{PennItem, PennOptions, PennReader};
use pgen::core::formats::{TableOptions, ValueColumns, moses};
use pgen::core::text::TextOptions;
use pgen::core::{LanguageModel, Limits, Lines, ParaphraseTable, Sentence, Tree, Vocab, WordId};
use pgen::fsa::{Labels, read_att, read_symbols};
use pgen::lm::{ArpaOptions, FastModel, read_arpa_lines};
use pgen::{Options, Paraphraser};
use std::fmt::Write;
use std::sync::Arc;

/// An error as its stable code and its message.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: String,
    pub(crate) message: String,
}

macro_rules! from_errors {
    ($($error:ty),*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Failure { code: error.code().to_owned(), message: error.to_string() }
            }
        }
    )*};
}
from_errors!(
    pgen::core::Error,
    pgen::align::Error,
    pgen::lm::Error,
    pgen::fsa::Error,
    pgen::decode::Error,
    pgen::Error
);

pub(crate) type Result<T = String> = std::result::Result<T, Failure>;

/// A law that does not hold.
pub(crate) fn broken(law: impl ToString) -> Failure {
    Failure {
        code: "broken law".to_owned(),
        message: law.to_string(),
    }
}

pub(crate) fn run(probe: &str, bytes: &[u8]) -> Result {
    let mut parts = probe.split(' ');
    let name = parts.next().unwrap_or_default();
    let limits = limits(parts)?;
    match name {
        "text" => text(bytes, &limits),
        "answer" => answer(bytes, &limits),
        "table" => table(bytes, &limits, |_| {}),
        "table-lenient" => table(bytes, &limits, |options| options.lenient = true),
        "table-deletions" => table(bytes, &limits, |options| options.deletions = true),
        "table-no-identity" => table(bytes, &limits, |options| options.drop_identity = true),
        "table-above-one" => table(bytes, &limits, |options| options.above_one = true),
        "table-strict" => table(bytes, &limits, |options| {
            options.duplicates = pgen::core::Duplicates::Refuse;
        }),
        "table-unescape" => table(bytes, &limits, |options| options.unescape = true),
        "table-all" => table(bytes, &limits, |options| options.values = ValueColumns::All),
        "arpa" => arpa(bytes, &ArpaOptions::default(), &limits),
        "arpa-lenient" => arpa(bytes, &ArpaOptions::lenient(), &limits),
        "pharaoh" => links(bytes, &limits),
        "pharaoh-gold" => gold_links(bytes, &limits),
        "giza" => giza_records(bytes, &limits),
        "pairs" => pairs(bytes, &limits),
        "tree" => tree(bytes, &limits),
        "penn" => penn(bytes, &limits),
        "conll" => conll(bytes, &limits),
        "att" => att(bytes, &limits),
        "symbols" => symbols(bytes, &limits),
        "rust" => api::run(std::str::from_utf8(bytes).unwrap_or_default()),
        "archive" => archives::run(std::str::from_utf8(bytes).unwrap_or_default()),
        other => Err(broken(format!("there is no probe {other}"))),
    }
}

/// Limits from `name=number`.
fn limits<'a>(settings: impl Iterator<Item = &'a str>) -> Result<Limits> {
    let mut limits = Limits::default();
    for setting in settings {
        let (name, value) = setting.split_once('=').unwrap_or_default();
        let value: usize = value.parse().map_err(broken)?;
        match name {
            "tokens" => limits.tokens = value,
            "token_bytes" => limits.token_bytes = value,
            "line_bytes" => limits.line_bytes = value,
            "phrase" => limits.phrase = value,
            "order" => limits.order = value,
            "depth" => limits.depth = value,
            "words" => limits.words = value,
            "rows" => limits.rows = value,
            "file_bytes" => limits.file_bytes = value as u64,
            "nodes" => limits.nodes = value,
            "edges" => limits.edges = value,
            other => return Err(broken(format!("there is no limit {other}"))),
        }
    }
    Ok(limits)
}

pub(crate) fn lines(bytes: &[u8], limits: &Limits) -> Result<Lines> {
    let reader = std::io::Cursor::new(bytes.to_vec());
    Ok(Lines::from_reader(reader, "t", limits)?)
}

/// Tokenises every line and checks what every sentence promises.
fn text(bytes: &[u8], limits: &Limits) -> Result {
    let mut lines = lines(bytes, limits)?;
    let mut out = Vec::new();
    let vocab = Arc::new(Vocab::new());
    while let Some((_, line)) = lines.next_line()? {
        let sentence = Sentence::tokenize(line, &vocab, &TextOptions::default(), limits)?;
        if sentence.text() != line {
            return Err(broken("the text is kept as it is"));
        }
        let tokens: Vec<&str> = (0..sentence.len()).map(|at| sentence.surface(at)).collect();
        let known: usize = tokens.iter().map(|token| token.len()).sum();
        if known > line.len() || sentence.words().iter().any(|word| word.index() < 3) {
            return Err(broken("tokens are text, and no control symbols"));
        }
        let shown: Vec<String> = tokens
            .iter()
            .take(12)
            .map(|t| t.escape_debug().to_string())
            .collect();
        out.push(format!("{} [{}]", tokens.len(), shown.join("|")));
    }
    Ok(out.join("; "))
}

/// Paraphrases every line with the embedded model and checks what every answer promises.
fn answer(bytes: &[u8], limits: &Limits) -> Result {
    let paraphraser = Paraphraser::english()?;
    let mut options = Options::best(3);
    options.limits = limits.clone();
    let mut lines = lines(bytes, limits)?;
    let mut counts = Vec::new();
    while let Some((_, line)) = lines.next_line()? {
        let answer = paraphraser.answer(line, &options)?;
        if answer.source != line {
            return Err(broken("the source is kept as it is"));
        }
        let mut texts: Vec<&str> = answer.items.iter().map(|item| &*item.text).collect();
        if texts.contains(&line) {
            return Err(broken("the source is no paraphrase of itself"));
        }
        texts.dedup();
        if texts.len() != answer.items.len() {
            return Err(broken("texts are distinct"));
        }
        let again = paraphraser.answer(line, &options)?;
        if again.items.iter().map(|item| &*item.text).ne(texts) {
            return Err(broken("the same question has the same answer"));
        }
        counts.push(answer.items.len().to_string());
    }
    Ok(counts.join(" "))
}

fn table(bytes: &[u8], limits: &Limits, set: impl Fn(&mut TableOptions)) -> Result {
    let mut options = TableOptions::default();
    options.limits = limits.clone();
    set(&mut options);
    let mut vocab = Vocab::new();
    let (table, report) = moses::load(&mut lines(bytes, limits)?, &mut vocab, &options)?;
    let mut out = show_table(&table, &vocab);
    if report.skipped > 0 {
        let reason = report.reasons.first().map_or("", |first| &first.reason);
        let _ = write!(out, "; skipped {}: {reason}", report.skipped);
    }
    if report.overfull_sources > 0 {
        let _ = write!(out, "; overfull {}", report.overfull_sources);
    }
    if report.above_one > 0 {
        let _ = write!(out, "; above one {}", report.above_one);
    }
    Ok(out)
}

pub(crate) fn show_table(table: &ParaphraseTable, vocab: &Vocab) -> String {
    let mut shown = Vec::new();
    table.for_each(|_, rule| {
        if shown.len() < 5
            && let Some((source, target)) = table.spell(rule.id, vocab)
        {
            let values: Vec<String> = rule.values.iter().map(|v| format!("{v:.4}")).collect();
            shown.push(format!("{source}>{target} {}", values.join(" ")));
        }
    });
    format!(
        "{} rules [{}]",
        table.len(),
        shown.join(", ").escape_debug()
    )
}

/// Reads, builds the automaton and scores `a b`.
fn arpa(bytes: &[u8], options: &ArpaOptions, limits: &Limits) -> Result {
    let mut options = options.clone();
    options.limits = limits.clone();
    let mut vocab = Vocab::new();
    let (ngrams, report) = read_arpa_lines(lines(bytes, limits)?, &mut vocab, &options)?;
    let model = FastModel::new(&ngrams)?;
    let words = ["a", "b"].map(|word| vocab.get_symbol(word).unwrap_or(WordId::UNK));
    let score = model.sentence(&words).log10();
    if !score.is_finite() {
        return Err(broken("scores are finite"));
    }
    let counts: Vec<String> = report.counts.iter().map(u64::to_string).collect();
    let warned = match report.warned {
        0 => String::new(),
        n => format!("; {n} warnings: {}", report.warnings[0].text),
    };
    Ok(format!("{}; a b = {score:.3}{warned}", counts.join(" ")))
}

fn links(bytes: &[u8], limits: &Limits) -> Result {
    let mut lines = lines(bytes, limits)?;
    let mut out = Vec::new();
    while let Some(alignment) = pharaoh::next(&mut lines)? {
        out.push(match alignment.len() {
            0..=20 => pharaoh::format(&alignment),
            many => format!("{many} links"),
        });
    }
    Ok(out.join("; "))
}

fn gold_links(bytes: &[u8], limits: &Limits) -> Result {
    let records = gold::read(&mut lines(bytes, limits)?, None)?;
    let shown: Vec<String> = records
        .iter()
        .map(|record| pharaoh::format_gold(&record.gold))
        .collect();
    Ok(shown.join("; "))
}

fn giza_records(bytes: &[u8], limits: &Limits) -> Result {
    let mut lines = lines(bytes, limits)?;
    let mut out = Vec::new();
    while let Some(record) = giza::next(&mut lines)? {
        let (score, links) = (record.score, pharaoh::format(&record.alignment));
        out.push(format!("{} {score:?} {links}", record.source.join("|")));
    }
    Ok(out.join("; "))
}

fn pairs(bytes: &[u8], limits: &Limits) -> Result {
    let mut vocab = Vocab::new();
    let (corpus, report) = pgen::align::read_pairs(lines(bytes, limits)?, &mut vocab, limits)?;
    let reasons: Vec<String> = report
        .reasons
        .iter()
        .take(3)
        .map(|e| e.code().to_owned())
        .collect();
    let kept = corpus.len();
    Ok(format!("{kept} of {}; {}", report.read, reasons.join(" ")))
}

/// One tree on a line of its own, and what every trait makes of it.
fn tree(bytes: &[u8], limits: &Limits) -> Result {
    let text = std::str::from_utf8(bytes).map_err(broken)?;
    Ok(show_tree(&Tree::parse(text, limits)?))
}

fn show_tree(tree: &Tree) -> String {
    let again = tree.clone();
    assert!(again == *tree && !format!("{tree:?}").is_empty());
    let text = tree.to_string();
    drop(again);
    match text.len() {
        0..=100 => text,
        _ => format!("{} nodes, {} leaves", tree.node_count(), tree.leaf_count()),
    }
}

fn penn(bytes: &[u8], limits: &Limits) -> Result {
    let mut reader = PennReader::new(lines(bytes, limits)?, PennOptions::default(), limits);
    let mut out = Vec::new();
    while let Some(item) = reader.next()? {
        out.push(match item {
            PennItem::Tree(tree) => show_tree(&tree),
            PennItem::Blank => "blank".to_owned(),
        });
    }
    Ok(out.join("; "))
}

fn conll(bytes: &[u8], limits: &Limits) -> Result {
    let mut lines = lines(bytes, limits)?;
    let mut out = Vec::new();
    while let Some(sentence) = read_conll(&mut lines, limits)? {
        let heads = (0..sentence.dependencies.len().min(8)).map(|at| {
            let head = sentence.dependencies.head(at);
            head.map_or("root".to_owned(), |head| head.to_string())
        });
        let heads: Vec<String> = heads.collect();
        out.push(format!(
            "{} words, heads {}",
            sentence.words.len(),
            heads.join(" ")
        ));
    }
    Ok(out.join("; "))
}

fn att(bytes: &[u8], limits: &Limits) -> Result {
    let mut lines = lines(bytes, limits)?;
    let mut out = Vec::new();
    while let Some(fsa) = read_att(&mut lines, &Labels::Words, limits)? {
        let strings = fsa.strings(5).join("|");
        out.push(format!(
            "{} states, {} paths [{strings}]",
            fsa.state_count(),
            fsa.path_count()
        ));
    }
    Ok(out.join("; "))
}

fn symbols(bytes: &[u8], limits: &Limits) -> Result {
    let symbols = read_symbols(&mut lines(bytes, limits)?)?;
    let mut shown: Vec<String> = symbols
        .iter()
        .map(|(id, word)| format!("{id}={word}"))
        .collect();
    shown.sort();
    Ok(shown.join(" "))
}
