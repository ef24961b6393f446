//! What can go wrong in alignment and extraction, beyond what the nouns can.

use pgen_core::Place;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Errors of pgen-align. [`Error::code`] is stable across releases; messages are not.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of a noun, reader or file.
    #[error(transparent)]
    Core(#[from] pgen_core::Error),
    /// A sentence pair of which one side has no words.
    #[error("{place}: the {side} side has no words; remove the line or fill it")]
    EmptySide {
        /// Where.
        place: Place,
        /// `source` or `target`.
        side: &'static str,
    },
    /// A corpus without a single usable sentence pair.
    #[error("the corpus has no usable sentence pair; {skipped} lines were skipped")]
    EmptyCorpus {
        /// Lines that could not be used.
        skipped: u64,
    },
    /// A sentence pair longer than the aligner accepts.
    #[error(
        "{place}: a side has {found} words, more than the limit of {limit}; split the line or raise the limit"
    )]
    TooLong {
        /// Where.
        place: Place,
        /// Words of the longer side.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// As many alignments as sentence pairs are needed.
    #[error("{alignments} alignments do not fit {pairs} sentence pairs; give one line each")]
    LengthMismatch {
        /// Number of sentence pairs.
        pairs: usize,
        /// Number of alignments.
        alignments: usize,
    },
}

impl Error {
    /// A short name for the kind of error; stable across releases.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::Core(error) => error.code(),
            Error::EmptySide { .. } => "empty-side",
            Error::EmptyCorpus { .. } => "empty-corpus",
            Error::TooLong { .. } => "too-long",
            Error::LengthMismatch { .. } => "length-mismatch",
        }
    }

    /// The same error at this place. Errors that have no place stay as they are.
    #[must_use]
    pub fn at_place(self, at: Place) -> Self {
        match self {
            Error::Core(error) => Error::Core(error.at_place(at)),
            Error::EmptySide { side, .. } => Error::EmptySide { place: at, side },
            Error::TooLong { found, limit, .. } => Error::TooLong {
                place: at,
                found,
                limit,
            },
            other => other,
        }
    }

    /// The same error with its line set. Errors that have no place stay as they are.
    #[must_use]
    pub fn at_line(mut self, line: u64) -> Self {
        match &mut self {
            Error::Core(_) => {}
            Error::EmptySide { place, .. } | Error::TooLong { place, .. } => place.line = line,
            Error::EmptyCorpus { .. } | Error::LengthMismatch { .. } => {}
        }
        match self {
            Error::Core(error) => Error::Core(error.at_line(line)),
            other => other,
        }
    }
}
