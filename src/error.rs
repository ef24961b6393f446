//! Errors of the facade: those of the crates below.

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong. [`Error::code`] is stable across releases; messages are not.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of the nouns and readers.
    #[error(transparent)]
    Core(#[from] pgen_core::Error),
    /// An error of alignment.
    #[error(transparent)]
    Align(#[from] pgen_align::Error),
    /// An error of planning or decoding.
    #[error(transparent)]
    Decode(#[from] pgen_decode::Error),
    /// An error of the language model.
    #[error(transparent)]
    Language(#[from] pgen_lm::Error),
    /// An error of automata.
    #[error(transparent)]
    Fsa(#[from] pgen_fsa::Error),
}

impl Error {
    /// A short name for the kind of error; stable across releases.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::Core(error) => error.code(),
            Error::Align(error) => error.code(),
            Error::Decode(error) => error.code(),
            Error::Language(error) => error.code(),
            Error::Fsa(error) => error.code(),
        }
    }
}
