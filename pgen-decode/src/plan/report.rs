//! What became of the proposals.

/// Proposals by what happened to them, and what bounds left out.
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
    /// Dropped: replacing a protected token.
    pub protected: usize,
    /// Dropped: spans outside the sentence, empty, overlapping or out of order; fillers that are no
    /// proper part of their span or are copied twice; a wrong number of values; NaN or +∞; a gain that
    /// is not finite; a control symbol as a word.
    pub invalid: usize,
    /// Dropped: slots in a replacement of several parts; more than eight parts.
    pub unsupported: usize,
    /// Matches that a table's own bounds cut off, at least.
    pub cut_matches: u64,
    /// True if replacements within fillers were left out from some depth on, so that the graph fits.
    pub cut_nesting: bool,
    /// True if collocations were left out that would have stood open beside too many others.
    pub cut_open: bool,
}

impl PlanReport {
    /// True if the lattice holds every combination of the planned replacements.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.cut_matches == 0 && !self.cut_nesting && !self.cut_open
    }
}
