//! N-best lists as Moses writes them:
//! `id ||| hypothesis ||| Name0= v v Name1= v ||| total [||| segmentation] [||| word alignment]`.
//!
//! Old files too: no space after the id, labels `d:` instead of `d=`, scores without labels, three
//! fields of which the last is the total.

use super::record::{BARS, LoadReport, Outcome, each_line, integer, number, trim};
use crate::alignment::Alignment;
use crate::error::{Error, Place, Result};
use crate::formats::alignment::pharaoh;
use crate::input::Lines;
use crate::span::Span;
use crate::table::words;
use std::fmt::Write;

/// Source and target span of a phrase.
pub type Segment = (Span, Span);

/// A line of an n-best list.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Entry {
    /// The sentence, from 0; ids need not follow one another.
    pub id: u64,
    /// The hypothesis: words separated by spaces; may be empty.
    pub text: String,
    /// Scores by label, as they stand; label and numbers are empty where the file has none.
    pub scores: Vec<(String, Vec<f64>)>,
    /// The weighted score.
    pub total: f64,
    /// Source and target spans of the phrases, if given.
    pub segmentation: Vec<Segment>,
    /// Links of source and target words, if given.
    pub alignment: Alignment,
}

impl Entry {
    /// An entry without details.
    #[must_use]
    pub fn new(id: u64, text: impl Into<String>, total: f64) -> Self {
        Entry {
            id,
            text: text.into(),
            total,
            ..Entry::default()
        }
    }

    /// Reads a line.
    ///
    /// # Errors
    /// [`Error::Syntax`] for fewer than three fields and for ids, scores, segments and links that are
    /// none; [`Error::NotFinite`] for a score or total that is NaN or infinite.
    pub fn parse(line: &str) -> Result<Self> {
        let fields: Vec<&str> = line.split(BARS).map(trim).collect();
        let bad = || {
            let expected = "id ||| hypothesis ||| scores ||| total";
            Error::syntax(Place::default(), expected, line, "")
        };
        let (id, text, scores, total, rest) = match fields[..] {
            [id, text, total] => (id, text, "", total, &fields[3..]),
            [id, text, scores, total, ..] => (id, text, scores, total, &fields[4..]),
            _ => return Err(bad()),
        };
        let mut entry = Entry::new(integer(id).ok_or_else(bad)?, text, number(total)?);
        entry.scores = read_scores(scores)?;
        for field in rest {
            if field.contains('=') {
                entry.segmentation = read_segmentation(field)?;
            } else {
                entry.alignment = pharaoh::parse(field)?;
            }
        }
        Ok(entry)
    }

    /// The words without the spans `|0-1|` that Moses writes behind each phrase on request, and for each
    /// such phrase its words (as a span of the result) and its source span.
    ///
    /// # Errors
    /// [`Error::BadSpan`] for a span that ends before it starts.
    pub fn phrases(&self) -> Result<(Vec<&str>, Vec<Segment>)> {
        let (mut plain, mut phrases) = (Vec::new(), Vec::new());
        let mut start = 0;
        for word in words(&self.text) {
            let inner = word
                .strip_prefix('|')
                .and_then(|word| word.strip_suffix('|'));
            let span = inner.and_then(|inner| {
                let (first, last) = inner.split_once('-')?;
                Some((integer(first)?, integer(last)?))
            });
            match span {
                Some((first, last)) => {
                    let target = Span::new(start, plain.len() as u32)?;
                    phrases.push((inclusive(first, last)?, target));
                    start = plain.len() as u32;
                }
                None => plain.push(word),
            }
        }
        Ok((plain, phrases))
    }
}

impl std::fmt::Display for Entry {
    /// The line, with a segmentation and an alignment if there are any. A segment has at least one word
    /// on either side.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ||| {} |||", self.id, self.text)?;
        for (label, values) in &self.scores {
            if !label.is_empty() {
                write!(f, " {label}=")?;
            }
            for value in values {
                write!(f, " {value}")?;
            }
        }
        write!(f, " ||| {}", self.total)?;
        let mut segments = String::new();
        for (source, target) in &self.segmentation {
            let space = if segments.is_empty() { "" } else { " " };
            write!(segments, "{space}{}={}", Ends(*source), Ends(*target))?;
        }
        if !segments.is_empty() || !self.alignment.is_empty() {
            write!(f, " ||| {segments}")?;
        }
        if !self.alignment.is_empty() {
            write!(f, " ||| {}", pharaoh::format(&self.alignment))?;
        }
        Ok(())
    }
}

/// A span by its first and last position.
struct Ends(Span);

impl std::fmt::Display for Ends {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let last = self.0.end().saturating_sub(1);
        match self.0.len() {
            0 | 1 => write!(f, "{}", self.0.start()),
            _ => write!(f, "{}-{last}", self.0.start()),
        }
    }
}

/// Calls `visit` with every entry, in the order of the file. Blank lines are passed over.
///
/// # Errors
/// What [`Entry::parse`] and `visit` say, with file and line, unless `lenient`; what [`Lines`] says of the
/// input.
pub fn each_entry(
    lines: &mut Lines,
    lenient: bool,
    mut visit: impl FnMut(Entry) -> Result<()>,
) -> Result<LoadReport> {
    each_line(lines, lenient, |line| {
        visit(Entry::parse(line)?)?;
        Ok(Outcome::Kept)
    })
}

fn read_scores(field: &str) -> Result<Vec<(String, Vec<f64>)>> {
    let mut scores: Vec<(String, Vec<f64>)> = Vec::new();
    for token in words(field) {
        match token.strip_suffix(['=', ':']) {
            Some(label) => scores.push((label.to_owned(), Vec::new())),
            None => {
                if scores.is_empty() {
                    scores.push(Default::default());
                }
                // The list is not empty.
                if let Some((_, values)) = scores.last_mut() {
                    values.push(number(token)?);
                }
            }
        }
    }
    Ok(scores)
}

fn read_segmentation(field: &str) -> Result<Vec<Segment>> {
    let span = |text: &str| -> Option<Result<Span>> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        Some(inclusive(integer(first)?, integer(last)?))
    };
    words(field)
        .map(|segment| {
            let sides = segment.split_once('=');
            match sides.and_then(|(source, target)| Some((span(source)?, span(target)?))) {
                Some((source, target)) => Ok((source?, target?)),
                None => Err(Error::syntax(
                    Place::default(),
                    "a segment such as 0-1=2",
                    segment,
                    "",
                )),
            }
        })
        .collect()
}

/// The span of a first and a last position.
fn inclusive(first: u64, last: u64) -> Result<Span> {
    let ends = last.checked_add(1).and_then(|end| {
        let (start, end) = (u32::try_from(first).ok()?, u32::try_from(end).ok()?);
        Span::new(start, end).ok().filter(|span| !span.is_empty())
    });
    ends.ok_or(Error::BadSpan {
        place: Place::default(),
        what: "segment",
        start: first,
        end: last,
        length: u32::MAX.into(),
    })
}
