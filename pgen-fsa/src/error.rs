//! What can go wrong when automata are built, read and measured.

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Errors of automata. [`Error::code`] is stable across releases; messages are not.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of pgen's nouns and readers.
    #[error(transparent)]
    Core(#[from] pgen_core::Error),
    /// A group without sentences.
    #[error("the group {group} has no sentence")]
    EmptyGroup {
        /// Its name.
        group: Box<str>,
    },
    /// A sentence without words.
    #[error("sentence {sentence} of the group has no word")]
    EmptySentence {
        /// Its place in the group, from 0.
        sentence: usize,
    },
    /// A word that cannot be a label: empty, or with white space in it.
    #[error("`{word}` cannot be a label; labels are not empty and hold no white space")]
    BadLabel {
        /// The word.
        word: Box<str>,
    },
    /// A cycle; automata of this crate have none.
    #[error("the automaton has a cycle through state {state}; only acyclic ones are supported")]
    Cyclic {
        /// A state on the cycle, as numbered in the input.
        state: u32,
    },
    /// A state that was never declared.
    #[error("state {state} is unknown; there are {states}")]
    UnknownState {
        /// The state.
        state: u32,
        /// How many there are.
        states: u32,
    },
    /// A word that means ε in a format which cannot say otherwise.
    #[error("the word `{word}` means no word in {format}; write AT&T text, or another word")]
    ReservedWord {
        /// The word.
        word: &'static str,
        /// The format.
        format: &'static str,
    },
    /// An error without a place of its own, in a place.
    #[error("{place}: {source}")]
    At {
        /// The place.
        place: pgen_core::Place,
        /// The error.
        source: Box<Error>,
    },
    /// A weight that is NaN or +∞.
    #[error("weight {weight} is no number")]
    BadWeight {
        /// The weight.
        weight: f32,
    },
    /// An operation that needs one final state without transitions out of it.
    #[error(
        "the automaton has {found} final states or transitions out of one; squeezing needs a single end"
    )]
    NoSingleEnd {
        /// How many final states it has.
        found: usize,
    },
    /// An operation that takes no ε: remove them first.
    #[error("the automaton has ε-transitions; remove them first (`pgen fsa rmepsilon`)")]
    Epsilon,
}

impl Error {
    /// A short name for the kind of error; stable across releases.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::Core(error) => error.code(),
            Error::EmptyGroup { .. } => "empty-group",
            Error::EmptySentence { .. } => "empty-sentence",
            Error::BadLabel { .. } => "bad-label",
            Error::Cyclic { .. } => "cyclic-graph",
            Error::UnknownState { .. } => "unknown-state",
            Error::ReservedWord { .. } => "reserved-word",
            Error::At { source, .. } => source.code(),
            Error::BadWeight { .. } => "bad-weight",
            Error::NoSingleEnd { .. } => "no-single-end",
            Error::Epsilon => "epsilon",
        }
    }
}
