//! What can go wrong in planning and decoding.

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Errors of planning and decoding. [`Error::code`] is stable across releases; messages are not.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of the nouns: limits, numbers, lattices.
    #[error(transparent)]
    Core(#[from] pgen_core::Error),
    /// No chain of replacements covers the sentence.
    #[error(
        "no replacement leads over the word `{word}` at position {position}; \
         add a rule for it, or an identity or unknown-word penalty"
    )]
    Unreachable {
        /// The first source position that cannot be left, from 0.
        position: usize,
        /// The word there.
        word: Box<str>,
    },
    /// A decoder met a lattice that it is not made for.
    #[error("{decoder} cannot work on this lattice: {reason}")]
    Unsupported {
        /// The decoder.
        decoder: &'static str,
        /// Why not.
        reason: &'static str,
    },
}

impl Error {
    /// A short name for the kind of error; stable across releases.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::Core(error) => error.code(),
            Error::Unreachable { .. } => "unreachable",
            Error::Unsupported { .. } => "unsupported-lattice",
        }
    }
}
