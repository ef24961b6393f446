//! What the readers share: fields, numbers, and the account of what was read.

use crate::error::{Error, Place, Result};
use crate::input::Lines;
use crate::limits::Limits;
use smallvec::SmallVec;

/// The separator of fields in the formats of Moses and PPDB.
pub(super) const BARS: &str = "|||";
/// More fields than any format has.
const MOST_FIELDS: usize = 64;
/// How many reasons a report keeps.
const MOST_REASONS: usize = 100;

/// What a reader took in and what it left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct LoadReport {
    /// Records read, good and bad; blank lines not counted.
    pub read: u64,
    /// Records taken.
    pub kept: u64,
    /// Records left out.
    pub skipped: u64,
    /// Why, for the first hundred of them.
    pub reasons: Vec<Skipped>,
    /// Records with a chosen score above 1, where those are allowed.
    pub above_one: u64,
    /// Sources whose first values, as probabilities, sum to more than 1 + 10⁻⁶. They stay as they are;
    /// a table of conditional probabilities has none.
    pub overfull_sources: u64,
}

/// A record that was left out.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Skipped {
    /// Its line, from 1.
    pub line: u64,
    /// Why.
    pub reason: String,
}

impl LoadReport {
    pub(super) fn skip(&mut self, line: u64, reason: impl ToString) {
        self.skipped += 1;
        if self.reasons.len() < MOST_REASONS {
            let reason = reason.to_string();
            self.reasons.push(Skipped { line, reason });
        }
    }
}

/// What became of a record.
pub(super) enum Outcome {
    Kept,
    /// Left out because the options or the kind of the record say so; never an error.
    Skipped(&'static str),
}

/// Takes every line to `take`; blank lines are passed over. An error stops the reading unless `lenient`,
/// when it spoils its line only. What spoils the whole input stops it always.
pub(super) fn each_line(
    lines: &mut Lines,
    lenient: bool,
    mut take: impl FnMut(&str) -> Result<Outcome>,
) -> Result<LoadReport> {
    let mut report = LoadReport::default();
    loop {
        let outcome = match lines.next_line() {
            Ok(None) => return Ok(report),
            Ok(Some((_, line))) if is_blank(line) => continue,
            Ok(Some((_, line))) => take(line),
            Err(error) => Err(error),
        };
        report.read += 1;
        match outcome {
            Ok(Outcome::Kept) => report.kept += 1,
            Ok(Outcome::Skipped(reason)) => report.skip(lines.number(), reason),
            Err(error) if lenient && !lines.is_over() => report.skip(lines.number(), error),
            Err(error) => return Err(placed(error, lines)),
        }
    }
}

/// The error with the line last read as its place.
pub(super) fn placed(error: Error, lines: &Lines) -> Error {
    error
        .at_line(lines.number())
        .in_file(lines.input().name().clone())
}

pub(super) fn is_blank(line: &str) -> bool {
    line.bytes()
        .all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

/// Trims what separates words.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
}

/// The parts of a line between `|||`, trimmed. Each separator must stand apart from the words around it.
pub(super) fn bar_fields(line: &str) -> Result<SmallVec<[&str; 8]>> {
    let mut fields = SmallVec::new();
    let bytes = line.as_bytes();
    let blank = |at: Option<usize>| {
        let byte = at.and_then(|at| bytes.get(at));
        byte.is_none_or(|byte| matches!(byte, b' ' | b'\t'))
    };
    let mut start = 0;
    while let Some(found) = line[start..].find(BARS) {
        let bars = start + found;
        let end = bars + BARS.len();
        if !blank(bars.checked_sub(1)) || !blank(Some(end)) {
            return Err(syntax_at(
                bars,
                "`|||` with a space on either side",
                &line[start..],
                "write a bar within a word as &#124;",
            ));
        }
        fields.push(trim(&line[start..bars]));
        Limits::check("number of fields", fields.len() + 1, MOST_FIELDS)?;
        start = end;
    }
    fields.push(trim(&line[start..]));
    Ok(fields)
}

/// A finite decimal number.
pub(super) fn number(text: &str) -> Result<f64> {
    let value = float(text)?;
    if value.is_finite() {
        return Ok(value);
    }
    Err(Error::NotFinite {
        what: "number",
        value,
    })
}

/// A decimal number, NaN and infinities too. What is too small to hold is 0.
pub(super) fn float(text: &str) -> Result<f64> {
    text.parse()
        .map_err(|_| Error::syntax(Place::default(), "a number", text, ""))
}

/// A number of digits and nothing else.
pub(super) fn integer(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// A syntax error at a byte of its line.
pub(super) fn syntax_at(
    byte: usize,
    expected: &'static str,
    found: &str,
    hint: &'static str,
) -> Error {
    Error::syntax(Place::default().at_column(byte + 1), expected, found, hint)
}
