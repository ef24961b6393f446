//! What may be done at each position: the planned parts of units, and copies of words.

use pgen_core::{FeatureId, Span, UnitId, UnitPiece, WordId};
use std::ops::Range;

/// One part of a planned unit. Phrases and patterns have one part, collocations two or more.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) unit: UnitId,
    pub(super) span: Span,
    /// What it writes: a range of [`Choices::pieces`].
    pub(super) pieces: Range<usize>,
    /// Which part of how many.
    pub(super) part: u8,
    pub(super) parts: u8,
}

/// A word left as it is, with its price if it has one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copied {
    pub(super) word: WordId,
    pub(super) feature: Option<(FeatureId, f32)>,
}

/// Everything planned for one sentence.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    /// In the order of planning.
    pub(super) items: Vec<Choice>,
    pub(super) pieces: Vec<UnitPiece>,
    /// For each token whether and how it may be copied.
    pub(super) copies: Vec<Option<Copied>>,
    /// True if a unit has slots or several parts.
    pub(super) nested: bool,
}

impl Choices {
    pub(super) fn pieces(&self, choice: &Choice) -> &[UnitPiece] {
        &self.pieces[choice.pieces.clone()]
    }

    /// Places of the items, by the position where they start, in the order of planning.
    pub(super) fn by_start(&self) -> Vec<Vec<u32>> {
        let mut by_start = vec![Vec::new(); self.copies.len()];
        for (at, choice) in (0u32..).zip(&self.items) {
            by_start[choice.span.start() as usize].push(at);
        }
        by_start
    }

    /// The spans of everything, for the message about what cannot be reached.
    pub(super) fn spans(&self) -> Vec<Span> {
        let copies = (0u32..).zip(&self.copies);
        let copied = copies
            .filter(|(_, copy)| copy.is_some())
            .map(|(at, _)| Span::single(at));
        self.items
            .iter()
            .map(|choice| choice.span)
            .chain(copied)
            .collect()
    }
}
