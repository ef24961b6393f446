//! Moses phrase tables: `source ||| target ||| scores ||| alignment ||| counts ||| …`.
//!
//! Only the first three fields are required; a separator has a space or tab on either side. Scores are
//! probabilities, the same number on every line; in the usual tables of four they are φ(s|t), lex(s|t),
//! φ(t|s), lex(t|s), and a fifth of 2.718 is a constant. Alignments and counts are checked; sparse
//! scores and properties, which follow, are passed over. NUL bytes are part of their word.

use super::alignment::pharaoh;
use super::record::{LoadReport, Outcome, bar_fields, each_line, number};
use super::table::{Loader, TableOptions, logarithm};
use crate::alignment::Alignment;
use crate::error::{Error, Place, Result};
use crate::input::Lines;
use crate::limits::Limits;
use crate::table::{ParaphraseTable, words};
use crate::vocab::Vocab;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::io::Write;

/// More scores than any table has.
const MOST_SCORES: usize = 64;
/// The fifth score of tables from before 2013.
#[allow(clippy::approx_constant)] // e as those tables write it
const PENALTY: f64 = 2.718;
/// Escapes and what they stand for; the last three are older forms.
const ESCAPES: [(&str, &str); 11] = [
    ("&amp;", "&"),
    ("&#124;", "|"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&apos;", "'"),
    ("&quot;", "\""),
    ("&#91;", "["),
    ("&#93;", "]"),
    ("&bar;", "|"),
    ("&bra;", "["),
    ("&ket;", "]"),
];

/// A line of a phrase table.
#[derive(Clone, PartialEq, Debug)]
pub struct Row<'a> {
    source: &'a str,
    target: &'a str,
    scores: SmallVec<[f64; 5]>,
    alignment: &'a str,
    counts: &'a str,
}

impl<'a> Row<'a> {
    /// Reads a line; of the options only [`TableOptions::above_one`] matters here.
    ///
    /// # Errors
    /// [`Error::Syntax`] for fewer than three fields, a separator that touches a word and a score that
    /// is no number; [`Error::NotFinite`] and [`Error::ProbabilityOutOfRange`] for a score that is no
    /// probability; [`Error::BadTable`] for an empty source and for rules with non-terminals;
    /// [`Error::LimitExceeded`] for more than 64 fields or scores.
    pub fn parse(line: &'a str, options: &TableOptions) -> Result<Self> {
        let fields = bar_fields(line)?;
        let [source, target, scores, ..] = fields[..] else {
            let expected = "source ||| target ||| scores";
            return Err(Error::syntax(Place::default(), expected, line, ""));
        };
        if source.is_empty() {
            return Err(Error::table(Place::default(), "the source is empty"));
        }
        if let Some(word) = words(source)
            .chain(words(target))
            .find(|w| is_nonterminal(w))
        {
            let reason = format!("{word} is a non-terminal of a hierarchical table, not a word");
            return Err(Error::table(Place::default(), reason));
        }
        let field = |at: usize| fields.get(at).copied().unwrap_or("");
        Ok(Row {
            source,
            target,
            scores: read_scores(scores, options.above_one)?,
            alignment: field(3),
            counts: field(4),
        })
    }

    /// The source phrase as it stands.
    #[must_use]
    pub fn source(&self) -> &'a str {
        self.source
    }

    /// The target phrase as it stands; may be empty.
    #[must_use]
    pub fn target(&self) -> &'a str {
        self.target
    }

    /// The scores, at least one; all in 0..=1, save a fifth of 2.718 and what the options allow.
    #[must_use]
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// The links between source and target words, from 0; empty if the line has none.
    ///
    /// # Errors
    /// [`Error::Syntax`]; [`Error::BadSpan`] for a link beyond the phrases.
    pub fn alignment(&self) -> Result<Alignment> {
        let alignment = pharaoh::parse(self.alignment)?;
        alignment.check(words(self.source).count(), words(self.target).count())?;
        Ok(alignment)
    }

    /// The counts, in newer tables those of target, source and pair.
    ///
    /// # Errors
    /// [`Error::Syntax`], [`Error::NotFinite`]; [`Error::BadTable`] for one below 0.
    pub fn counts(&self) -> Result<Vec<f64>> {
        let counts: Vec<f64> = words(self.counts).map(number).collect::<Result<_>>()?;
        match counts.iter().find(|count| **count < 0.0) {
            Some(count) => {
                let reason = format!("the count {count} is below 0");
                Err(Error::table(Place::default(), reason))
            }
            None => Ok(counts),
        }
    }
}

fn read_scores(field: &str, above_one: bool) -> Result<SmallVec<[f64; 5]>> {
    let mut scores = SmallVec::new();
    for text in words(field) {
        Limits::check("number of scores", scores.len() + 1, MOST_SCORES)?;
        let score = number(text)?;
        let constant = scores.len() == 4 && score == PENALTY;
        if !constant {
            logarithm(score, above_one)?;
        }
        scores.push(score);
    }
    if scores.is_empty() {
        let expected = "at least one score";
        return Err(Error::syntax(Place::default(), expected, field, ""));
    }
    Ok(scores)
}

/// True for `[X]`, `[NP,1]` and `[X][NP]`.
pub(super) fn is_nonterminal(word: &str) -> bool {
    let Some(inner) = word
        .strip_prefix('[')
        .and_then(|word| word.strip_suffix(']'))
    else {
        return false;
    };
    let label = inner.starts_with(|first: char| first.is_ascii_uppercase());
    let index = inner
        .rsplit_once(',')
        .is_some_and(|(_, index)| super::record::integer(index).is_some());
    label && (index || inner == "X" || inner.contains("]["))
}

/// Calls `visit` with every row. Blank lines are passed over. Of the options [`TableOptions::lenient`] and
/// [`TableOptions::above_one`] matter here.
///
/// # Errors
/// What [`Row::parse`] and `visit` say, with file and line, unless lenient; [`Error::BadTable`] for a
/// row whose number of scores is not that of the first; what [`Lines`] says of the input.
pub fn each_row(
    lines: &mut Lines,
    options: &TableOptions,
    mut visit: impl FnMut(&Row<'_>) -> Result<()>,
) -> Result<LoadReport> {
    let mut width = Width::default();
    each_line(lines, options.lenient, |line| {
        let row = Row::parse(line, options)?;
        width.check(&row)?;
        visit(&row)?;
        width.settle(&row);
        Ok(Outcome::Kept)
    })
}

/// Reads a table. Its features are named `p`, or `p1`, `p2` … if several scores are chosen; values are
/// natural logs, not below the floor. A constant fifth score of 2.718 is no feature.
///
/// # Errors
/// As [`each_row`], and as [`TableBuilder::push`](crate::TableBuilder::push); for bad alignments and
/// counts as [`Row::alignment`] and [`Row::counts`].
pub fn load(
    lines: &mut Lines,
    vocab: &mut Vocab,
    options: &TableOptions,
) -> Result<(ParaphraseTable, LoadReport)> {
    let mut loader = Loader::new(options, vocab);
    let mut width = Width::default();
    let report = each_line(lines, options.lenient, |line| {
        let row = Row::parse(line, options)?;
        width.check(&row)?;
        row.alignment()?;
        row.counts()?;
        let scores = match row.scores() {
            [four @ .., PENALTY] if four.len() == 4 => four,
            all => all,
        };
        let outcome = if options.unescape {
            loader.take(&unescape(row.source), &unescape(row.target), scores)
        } else {
            loader.take(row.source, row.target, scores)
        }?;
        width.settle(&row);
        Ok(outcome)
    })?;
    loader.finish(report)
}

/// The number of scores, which the first good row settles.
#[derive(Default)]
struct Width(Option<usize>);

impl Width {
    fn check(&self, row: &Row<'_>) -> Result<()> {
        match self.0 {
            Some(width) if width != row.scores.len() => {
                let found = row.scores.len();
                let reason = format!("{found} scores, but {width} on the lines before");
                Err(Error::table(Place::default(), reason))
            }
            _ => Ok(()),
        }
    }

    fn settle(&mut self, row: &Row<'_>) {
        self.0 = Some(row.scores.len());
    }
}

/// Turns escapes back into what they stand for; once, so `&amp;lt;` becomes `&lt;`.
#[must_use]
pub fn unescape(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find('&') else {
        return Cow::Borrowed(text);
    };
    let mut out = text[..first].to_owned();
    let mut rest = &text[first..];
    while let Some(c) = rest.chars().next() {
        let known = ESCAPES.iter().find(|(code, _)| rest.starts_with(code));
        let (plain, length) = known
            .map_or((&rest[..c.len_utf8()], c.len_utf8()), |(code, plain)| {
                (*plain, code.len())
            });
        out.push_str(plain);
        rest = &rest[length..];
    }
    Cow::Owned(out)
}

/// Replaces what the tools around Moses take for syntax: `& | < > ' " [ ]`.
#[must_use]
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '|', '<', '>', '\'', '"', '[', ']']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        let mut buffer = [0; 4];
        let plain: &str = c.encode_utf8(&mut buffer);
        // The first form listed is the current one.
        let code = ESCAPES.iter().find(|(_, stands_for)| *stands_for == plain);
        out.push_str(code.map_or(plain, |(code, _)| code));
    }
    Cow::Owned(out)
}

/// Writes a table, a line a rule in the order of the table, all features as probabilities. Reading it
/// again gives the same table up to rounding.
///
/// # Errors
/// [`Error::Io`] without a path; [`Error::NotFinite`] for a value whose exponential is none;
/// [`Error::BadTable`] for a word that would not be read as it is: one with a blank or line end in it,
/// and, unless `escaped`, one with `|||`; [`Error::Mismatch`] if the vocabulary is not that of the table.
pub fn write(
    out: &mut dyn Write,
    table: &ParaphraseTable,
    vocab: &Vocab,
    escaped: bool,
) -> Result<()> {
    table.check_vocab(vocab)?;
    let mut result = Ok(());
    let mut line = String::new();
    table.for_each(|source, rule| {
        if result.is_ok() {
            result = format_row(&mut line, source, &rule, vocab, escaped).and_then(|()| {
                out.write_all(line.as_bytes()).map_err(|source| Error::Io {
                    place: Place::default(),
                    source,
                })
            });
        }
    });
    result
}

fn format_row(
    line: &mut String,
    source: &[crate::id::WordId],
    rule: &crate::table::Rule<'_>,
    vocab: &Vocab,
    escaped: bool,
) -> Result<()> {
    use std::fmt::Write;
    line.clear();
    for phrase in [source, rule.target] {
        for &word in phrase {
            line.push_str(&writable(vocab.word(word).unwrap_or_default(), escaped)?);
            line.push(' ');
        }
        line.push_str("||| ");
    }
    for (at, &ln) in rule.values.iter().enumerate() {
        let probability = f64::from(ln).exp();
        if probability.is_infinite() {
            return Err(Error::NotFinite {
                what: "probability of a rule",
                value: probability,
            });
        }
        let space = if at > 0 { " " } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(line, "{space}{probability}");
    }
    line.push('\n');
    Ok(())
}

fn writable(word: &str, escaped: bool) -> Result<Cow<'_, str>> {
    let word = if escaped {
        escape(word)
    } else {
        Cow::Borrowed(word)
    };
    if word.is_empty() || word.contains([' ', '\t', '\n', '\r']) || word.contains("|||") {
        let reason = format!(
            "the word `{}` cannot be written as it is",
            crate::error::quote(&word)
        );
        return Err(Error::table(Place::default(), reason));
    }
    Ok(word)
}
