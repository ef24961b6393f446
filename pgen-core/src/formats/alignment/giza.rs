//! Alignments of GIZA++ (`A3.final`): three lines a sentence pair.
//!
//! ```text
//! # Sentence pair (1) source length 2 target length 3 alignment score : 1.2e-05
//! la maison bleue
//! NULL ({ 1 }) house ({ 2 }) blue ({ 3 })
//! ```
//!
//! The second line is the target; the third gives for NULL and each source word the target positions,
//! from 1, that it is aligned to.

use crate::alignment::{Alignment, Link};
use crate::error::{Error, Place, Result};
use crate::formats::record::{float, integer, is_blank, placed};
use crate::input::Lines;
use crate::table::words;
use std::fmt::Write;

/// An aligned sentence pair.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Record {
    /// Its number, from 1; files made in parts are out of order.
    pub number: u64,
    /// Source words, without NULL.
    pub source: Vec<String>,
    /// Target words.
    pub target: Vec<String>,
    /// Links from 0, source first; target words aligned to NULL have none.
    pub alignment: Alignment,
    /// The probability of the alignment; `None` where the file has none, or says NaN or infinity, as
    /// GIZA++ does when it underflows.
    pub score: Option<f64>,
}

impl Record {
    /// A pair to be written.
    #[must_use]
    pub fn new(
        number: u64,
        source: Vec<String>,
        target: Vec<String>,
        alignment: Alignment,
    ) -> Self {
        Record {
            number,
            source,
            target,
            alignment,
            score: None,
        }
    }

    /// The three lines. Target words without a link go to NULL.
    #[must_use]
    pub fn format(&self) -> String {
        let (n, m) = (self.source.len(), self.target.len());
        let mut out = format!(
            "# Sentence pair ({}) source length {n} target length {m} alignment score : {}\n{}\n",
            self.number,
            self.score.unwrap_or(0.0),
            self.target.join(" ")
        );
        let linked = |target: u32| {
            self.alignment
                .links()
                .iter()
                .any(|link| link.target == target)
        };
        let null = (0..m as u32).filter(|&target| !linked(target));
        push_word(&mut out, "NULL", null);
        for (at, word) in (0u32..).zip(&self.source) {
            let links = self.alignment.links().iter();
            let targets = links
                .filter(|link| link.source == at)
                .map(|link| link.target);
            push_word(&mut out, word, targets);
        }
        out.push('\n');
        out
    }
}

fn push_word(out: &mut String, word: &str, targets: impl Iterator<Item = u32>) {
    out.push_str(word);
    out.push_str(" ({ ");
    for target in targets {
        // Writing to a string cannot fail.
        let _ = write!(out, "{} ", u64::from(target) + 1);
    }
    out.push_str("}) ");
}

/// The next pair of a file; `None` after the last.
///
/// # Errors
/// [`Error::Syntax`] for lines that do not follow the format, a file that ends within a record and
/// lengths that do not fit; [`Error::BadSpan`] for a target position beyond the sentence;
/// [`Error::ProbabilityOutOfRange`] for a negative score; with file and line.
pub fn next(lines: &mut Lines) -> Result<Option<Record>> {
    next_after(lines, None)
}

/// As [`next`], where the first line may have been read already.
pub(super) fn next_after(lines: &mut Lines, header: Option<String>) -> Result<Option<Record>> {
    let header = match header {
        Some(line) => Header::parse(&line),
        None => loop {
            match lines.next_line()? {
                None => return Ok(None),
                Some((_, line)) if is_blank(line) => {}
                Some((_, line)) => break Header::parse(line),
            }
        },
    };
    let header = header.map_err(|error| placed(error, lines))?;
    let target: Vec<String> = words(required(lines)?).map(str::to_owned).collect();
    let record = parse_source(required(lines)?, &header, target);
    record.map(Some).map_err(|error| placed(error, lines))
}

fn required(lines: &mut Lines) -> Result<&str> {
    let place = lines.place();
    match lines.next_line()? {
        Some((_, line)) => Ok(line),
        None => Err(Error::syntax(
            place,
            "three lines a sentence pair",
            "the end of the file",
            "the file is cut off: make it again",
        )),
    }
}

/// True if a line begins a record.
pub(super) fn is_header(line: &str) -> bool {
    line.starts_with("# Sentence pair")
}

struct Header {
    number: u64,
    lengths: Option<(u64, u64)>,
    score: Option<f64>,
}

impl Header {
    fn parse(line: &str) -> Result<Self> {
        let expected = "# Sentence pair (N) source length L target length M alignment score : P";
        let bad = || Error::syntax(Place::default(), expected, line, "");
        let rest = line.strip_prefix("# Sentence pair (").ok_or_else(bad)?;
        let (number, rest) = rest.split_once(')').ok_or_else(bad)?;
        let number = integer(number).ok_or_else(bad)?;
        let rest: Vec<&str> = words(rest).collect();
        let (lengths, score) = match rest[..] {
            [] => (None, None),
            [
                "source",
                "length",
                l,
                "target",
                "length",
                m,
                "alignment",
                "score",
                ":",
                score,
            ] => {
                let lengths = integer(l).zip(integer(m)).ok_or_else(bad)?;
                (Some(lengths), Some(float(score)?))
            }
            _ => return Err(bad()),
        };
        if let Some(value) = score.filter(|score| score.is_finite() && *score < 0.0) {
            return Err(Error::ProbabilityOutOfRange { value });
        }
        Ok(Header {
            number,
            lengths,
            score: score.filter(|score| score.is_finite()),
        })
    }
}

/// Reads `NULL ({ 4 }) w1 ({ 1 2 }) w2 ({ }) …`. A word is whatever stands before its ` ({ `, so words
/// may be `({` or `})` themselves.
fn parse_source(line: &str, header: &Header, target: Vec<String>) -> Result<Record> {
    let bad = |found: &str| {
        let expected = "NULL ({ positions }) and so on for each source word";
        Error::syntax(Place::default(), expected, found, "")
    };
    let (mut source, mut links) = (Vec::new(), Vec::new());
    let mut taken = vec![false; target.len()];
    let mut tokens = words(line);
    while let Some(word) = tokens.next() {
        if tokens.next() != Some("({") {
            return Err(bad(word));
        }
        loop {
            let token = tokens.next().ok_or_else(|| bad("the end of the line"))?;
            if token == "})" {
                break;
            }
            let position = integer(token).ok_or_else(|| bad(token))?;
            let at = position_in(position, &target)?;
            if std::mem::replace(&mut taken[at as usize], true) {
                let expected = "each target position once";
                return Err(Error::syntax(Place::default(), expected, token, ""));
            }
            if let Some(word) = source.len().checked_sub(1) {
                links.push(Link::new(word as u32, at));
            }
        }
        source.push(word.to_owned());
    }
    if source.first().is_none_or(|first| first != "NULL") {
        return Err(bad(line));
    }
    source.remove(0);
    let found = (source.len() as u64, target.len() as u64);
    if header.lengths.is_some_and(|lengths| lengths != found) {
        let found = format!("{} and {}", found.0, found.1);
        let expected = "as many source and target words as the header says";
        return Err(Error::syntax(Place::default(), expected, &found, ""));
    }
    Ok(Record {
        number: header.number,
        source,
        target,
        alignment: links.into(),
        score: header.score,
    })
}

/// A target position, from 1 in the file, from 0 here.
fn position_in(position: u64, target: &[String]) -> Result<u32> {
    match position.checked_sub(1) {
        Some(at) if at < target.len() as u64 => Ok(at as u32),
        _ => Err(Error::BadSpan {
            place: Place::default(),
            what: "target position (from 1)",
            start: position,
            end: position.saturating_add(1),
            length: target.len() as u64 + 1,
        }),
    }
}
