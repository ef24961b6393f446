//! What can go wrong with input, each with the evidence and, where there is one, the way out.

pub use crate::place::{Place, quote};
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Errors of pgen's nouns and readers. [`Error::code`] is stable across releases; messages are not.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused an operation on a file.
    #[error("{place}: {source}")]
    Io {
        /// The file.
        place: Place,
        /// What the system said.
        source: io::Error,
    },
    /// Bytes that are no UTF-8.
    #[error("{place}: invalid UTF-8 at byte {byte} of the line; {hint}")]
    Encoding {
        /// The line.
        place: Place,
        /// Byte offset of the first bad byte within the line, from 0.
        byte: usize,
        /// What to do.
        hint: &'static str,
    },
    /// Text that does not follow its format.
    #[error("{place}: expected {expected}, found `{found}`{}", hint_text(hint))]
    Syntax {
        /// Where.
        place: Place,
        /// What the format asks for.
        expected: &'static str,
        /// What stands there, shortened.
        found: Box<str>,
        /// What to do, or empty.
        hint: &'static str,
    },
    /// Something is larger than a limit allows; raise the limit if that is meant.
    #[error(
        "{place}: {what} is {found}, more than the limit of {limit}; raise the limit if this is meant"
    )]
    LimitExceeded {
        /// Where.
        place: Place,
        /// What is too large.
        what: &'static str,
        /// The limit.
        limit: u64,
        /// What was found or asked for, at least.
        found: u64,
    },
    /// NaN or infinity where a finite number must stand.
    #[error("{what} is {value}, but must be a finite number")]
    NotFinite {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A probability below 0 or above 1.
    #[error("probability {value} is outside 0..=1")]
    ProbabilityOutOfRange {
        /// Its value.
        value: f64,
    },
    /// A setting that makes no sense.
    #[error("parameter {name} is {value}, but must be {expected}")]
    BadParameter {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: Box<str>,
        /// What is allowed.
        expected: &'static str,
    },
    /// A span or link that lies outside its sentence or ends before it starts.
    #[error("{place}: {what} {start}..{end} does not lie within 0..{length}")]
    BadSpan {
        /// Where.
        place: Place,
        /// What kind of span.
        what: &'static str,
        /// Its start.
        start: u64,
        /// Its end.
        end: u64,
        /// The length it must lie in.
        length: u64,
    },
    /// A bracketing or dependency tree that is none.
    #[error("{place}: {reason}")]
    BadTree {
        /// Where; the column is the byte position within the line.
        place: Place,
        /// What is wrong.
        reason: &'static str,
    },
    /// A row that is no valid rule of its table.
    #[error("{place}: bad rule: {reason}")]
    BadTable {
        /// Where.
        place: Place,
        /// What is wrong.
        reason: Box<str>,
    },
    /// A lattice with a cycle.
    #[error("the graph has a cycle through node {node}")]
    CyclicGraph {
        /// A node on the cycle.
        node: u32,
    },
    /// A lattice whose end cannot be reached from its start.
    #[error("the end of the graph cannot be reached from its start")]
    DisconnectedGraph,
    /// An operation needs tags, dependencies, a tree or chunks that the sentence lacks.
    #[error("{needed} needed, but the sentence has none; {hint}")]
    MissingSyntax {
        /// Which layer.
        needed: &'static str,
        /// How to bring it.
        hint: &'static str,
    },
    /// Class tokens (`__NUM__` …) of source and target differ in number.
    #[error("class {class} occurs {found} times where the source has {expected}")]
    SlotMismatch {
        /// The class.
        class: Box<str>,
        /// How many the source has.
        expected: usize,
        /// How many the target has.
        found: usize,
    },
    /// A file of another kind than the one asked for.
    #[error("{place}: this is {found}, not {expected}{}", hint_text(hint))]
    WrongFormat {
        /// The file.
        place: Place,
        /// What was asked for.
        expected: &'static str,
        /// What it looks like.
        found: Box<str>,
        /// What to do, or empty.
        hint: &'static str,
    },
    /// A file of a format version that this release cannot read.
    #[error("{place}: format version {found} of {kind}; this release reads up to {supported}")]
    UnsupportedVersion {
        /// The file.
        place: Place,
        /// What the file holds.
        kind: &'static str,
        /// The version found.
        found: u32,
        /// The newest version that can be read.
        supported: u32,
    },
    /// A binary file that is damaged: a wrong checksum, length or structure.
    #[error("{place}: damaged in section {section}: {reason}; fetch or build the file again")]
    Corrupt {
        /// The file.
        place: Place,
        /// The section.
        section: Box<str>,
        /// What does not fit.
        reason: Box<str>,
    },
    /// Two parts that were not made for each other, such as a model and another vocabulary.
    #[error("{what} do not belong together: {reason}")]
    Mismatch {
        /// What.
        what: &'static str,
        /// Why.
        reason: Box<str>,
    },
    /// An error that has no place of its own, in a place.
    #[error("{place}: {source}")]
    At {
        /// The place.
        place: Place,
        /// The error.
        source: Box<Error>,
    },
    /// The deadline passed before there was anything to return.
    #[error("the deadline passed")]
    DeadlineExceeded,
    /// The caller cancelled the operation.
    #[error("cancelled")]
    Cancelled,
}

fn hint_text(hint: &str) -> String {
    if hint.is_empty() {
        String::new()
    } else {
        format!("; {hint}")
    }
}

impl Error {
    /// A short name for the kind of error; stable across releases.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::Io { .. } => "io",
            Error::Encoding { .. } => "encoding",
            Error::Syntax { .. } => "syntax",
            Error::LimitExceeded { .. } => "limit-exceeded",
            Error::NotFinite { .. } => "not-finite",
            Error::ProbabilityOutOfRange { .. } => "probability-out-of-range",
            Error::BadParameter { .. } => "bad-parameter",
            Error::BadSpan { .. } => "bad-span",
            Error::BadTree { .. } => "bad-tree",
            Error::BadTable { .. } => "bad-table",
            Error::CyclicGraph { .. } => "cyclic-graph",
            Error::DisconnectedGraph => "disconnected-graph",
            Error::MissingSyntax { .. } => "missing-syntax",
            Error::SlotMismatch { .. } => "slot-mismatch",
            Error::WrongFormat { .. } => "wrong-format",
            Error::UnsupportedVersion { .. } => "unsupported-version",
            Error::Corrupt { .. } => "corrupt",
            Error::Mismatch { .. } => "mismatch",
            Error::At { source, .. } => source.code(),
            Error::DeadlineExceeded => "deadline-exceeded",
            Error::Cancelled => "cancelled",
        }
    }

    /// A syntax error with its found text shortened.
    #[must_use]
    pub fn syntax(place: Place, expected: &'static str, found: &str, hint: &'static str) -> Self {
        Error::Syntax {
            place,
            expected,
            found: quote(found),
            hint,
        }
    }

    /// An encoding error: bytes that are no UTF-8, the first of them at `byte` of the line.
    #[must_use]
    pub fn encoding(place: Place, byte: usize) -> Self {
        Error::Encoding {
            place,
            byte,
            hint: "convert the text to UTF-8 first",
        }
    }

    /// A parameter error.
    #[must_use]
    pub fn parameter(name: &'static str, value: impl fmt::Display, expected: &'static str) -> Self {
        Error::BadParameter {
            name,
            value: value.to_string().into(),
            expected,
        }
    }

    /// A table-row error.
    #[must_use]
    pub fn table(place: Place, reason: impl Into<Box<str>>) -> Self {
        Error::BadTable {
            place,
            reason: reason.into(),
        }
    }

    /// A damaged-file error.
    #[must_use]
    pub fn corrupt(section: impl Into<Box<str>>, reason: impl Into<Box<str>>) -> Self {
        Error::Corrupt {
            place: Place::default(),
            section: section.into(),
            reason: reason.into(),
        }
    }

    /// An operating-system error on a file.
    #[must_use]
    pub fn io(path: &Path, source: io::Error) -> Self {
        Error::Io {
            place: Place::file(path),
            source,
        }
    }

    /// The same error with its place set to a file, keeping line and column. Numbers and slots get a
    /// place by [`Error::At`]; other errors that have none stay as they are.
    #[must_use]
    pub fn in_file(self, file: impl Into<Arc<str>>) -> Self {
        let mut error = self.placed();
        if let Some(place) = error.place_mut() {
            place.file = Some(file.into());
        }
        error
    }

    /// The same error with its line set; as [`Error::in_file`].
    #[must_use]
    pub fn at_line(self, line: u64) -> Self {
        let mut error = self.placed();
        if let Some(place) = error.place_mut() {
            place.line = line;
        }
        error
    }

    /// The same error at this place; as [`Error::in_file`].
    #[must_use]
    pub fn at_place(self, place: Place) -> Self {
        let mut error = self.placed();
        if let Some(known) = error.place_mut() {
            *known = place;
        }
        error
    }

    /// An error of a value alone gets room for a place.
    fn placed(self) -> Self {
        match self {
            Error::NotFinite { .. }
            | Error::ProbabilityOutOfRange { .. }
            | Error::SlotMismatch { .. } => Error::At {
                place: Place::default(),
                source: Box::new(self),
            },
            other => other,
        }
    }

    /// Where the error stands, if it has a place.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        match self {
            Error::Io { place, .. }
            | Error::Encoding { place, .. }
            | Error::Syntax { place, .. }
            | Error::LimitExceeded { place, .. }
            | Error::BadSpan { place, .. }
            | Error::BadTree { place, .. }
            | Error::BadTable { place, .. }
            | Error::WrongFormat { place, .. }
            | Error::UnsupportedVersion { place, .. }
            | Error::Corrupt { place, .. }
            | Error::At { place, .. } => Some(place),
            _ => None,
        }
    }

    fn place_mut(&mut self) -> Option<&mut Place> {
        match self {
            Error::Io { place, .. }
            | Error::Encoding { place, .. }
            | Error::Syntax { place, .. }
            | Error::LimitExceeded { place, .. }
            | Error::BadSpan { place, .. }
            | Error::BadTree { place, .. }
            | Error::BadTable { place, .. }
            | Error::WrongFormat { place, .. }
            | Error::UnsupportedVersion { place, .. }
            | Error::Corrupt { place, .. }
            | Error::At { place, .. } => Some(place),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_place_evidence_and_hint() {
        let error = Error::syntax(
            Place::line(12).at_column(5),
            "three fields",
            "a ||| b",
            "add a score",
        )
        .in_file("table.gz");
        assert_eq!(
            error.to_string(),
            "table.gz:12:5: expected three fields, found `a ||| b`; add a score"
        );
        assert_eq!(error.code(), "syntax");
    }

    #[test]
    fn errors_of_a_number_can_be_placed() {
        let error = Error::ProbabilityOutOfRange { value: 2.0 };
        let error = error.at_line(3).in_file("t");
        assert_eq!(error.code(), "probability-out-of-range");
        assert_eq!(error.to_string(), "t:3: probability 2 is outside 0..=1");
        assert!(matches!(Error::Cancelled.at_line(3), Error::Cancelled));
    }

    #[test]
    fn an_error_fits_a_register_or_two() {
        assert!(std::mem::size_of::<Error>() <= 128);
    }
}
