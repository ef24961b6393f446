//! What can go wrong in language models, beyond what the nouns can.

use pgen_core::Place;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Errors of pgen-lm. [`Error::code`] is stable across releases; messages are not.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of a noun, reader or file.
    #[error(transparent)]
    Core(#[from] pgen_core::Error),
    /// A section of an ARPA file has more or fewer n-grams than its header says.
    #[error(
        "{place}: the header promises {declared} n-grams of order {order}, found {found}; the file is cut or edited: read it leniently or make it again"
    )]
    CountMismatch {
        /// Where the section ends.
        place: Place,
        /// Order of the section.
        order: usize,
        /// Number in the header.
        declared: u64,
        /// Number of lines.
        found: u64,
    },
    /// An ARPA file without its end mark.
    #[error("{place}: the file ends before {expected}; it is cut: fetch or make it again")]
    Truncated {
        /// The last line.
        place: Place,
        /// What should have followed.
        expected: &'static str,
    },
    /// Text after the end mark.
    #[error("{place}: text after \\end\\: {found}; remove it or read leniently")]
    TrailingData {
        /// The line.
        place: Place,
        /// Its text, shortened.
        found: Box<str>,
    },
    /// Orders must be 1, 2, 3 … without gaps, and sections in that order.
    #[error("{place}: order {expected} must come here, found {found}")]
    OrderSequence {
        /// The line.
        place: Place,
        /// The order that must come.
        expected: usize,
        /// What is there.
        found: Box<str>,
    },
    /// A word of an n-gram that is no unigram.
    #[error("{place}: the word {word} is not among the unigrams")]
    UnknownWord {
        /// The line.
        place: Place,
        /// The word, shortened.
        word: Box<str>,
    },
    /// An n-gram that is listed twice.
    #[error("{place}: the n-gram {ngram} is listed twice; read leniently to keep the first")]
    Duplicate {
        /// The section or line.
        place: Place,
        /// Its words.
        ngram: Box<str>,
    },
    /// A model without `<s>` or `</s>`.
    #[error("{place}: the model has no {symbol}; read leniently to accept it")]
    MissingSymbol {
        /// The file.
        place: Place,
        /// `<s>` or `</s>`.
        symbol: &'static str,
    },
    /// A discount that the counts do not define.
    #[error(
        "the discounts of order {order} are undefined: {reason}; allow fallback discounts, use more text or another smoothing"
    )]
    DiscountUndefined {
        /// The order.
        order: usize,
        /// Which count of counts is missing.
        reason: Box<str>,
    },
    /// A corpus without a single word.
    #[error("the text has no words, so nothing can be estimated")]
    EmptyCorpus,
}

impl Error {
    /// A short name for the kind of error; stable across releases.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::Core(error) => error.code(),
            Error::CountMismatch { .. } => "count-mismatch",
            Error::Truncated { .. } => "truncated",
            Error::TrailingData { .. } => "trailing-data",
            Error::OrderSequence { .. } => "order-sequence",
            Error::UnknownWord { .. } => "unknown-word",
            Error::Duplicate { .. } => "duplicate",
            Error::MissingSymbol { .. } => "missing-symbol",
            Error::DiscountUndefined { .. } => "discount-undefined",
            Error::EmptyCorpus => "empty-corpus",
        }
    }
}
