//! What became of the proposals.

/// Proposals by what happened to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PlanReport {
    /// Pushed by the tables.
    pub proposed: usize,
    /// In the lattice.
    pub planned: usize,
    /// Dropped: of no use to the application.
    pub useless: usize,
    /// Dropped: touching a protected token.
    pub protected: usize,
    /// Dropped: spans outside the sentence, empty, overlapping or out of order; a wrong number of
    /// values; NaN or +∞; a gain that is not finite; a control symbol as a word.
    pub invalid: usize,
    /// Dropped: patterns and collocations, which this release does not plan.
    pub unsupported: usize,
}
