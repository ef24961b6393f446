//! Which source tokens the words of a lattice's edges replace.

use crate::id::UnitId;
use crate::lattice::{Edge, Lattice, UnitPiece};
use crate::span::Span;
use std::collections::BTreeMap;

/// Counts the edges of each unit along a derivation.
#[derive(Debug, Default)]
pub(super) struct Chunks(BTreeMap<UnitId, usize>);

impl Chunks {
    /// The source tokens that an edge's words replace. A pattern writes its words in chunks between its
    /// fillers: a chunk replaces the words between the same fillers, if these keep their order, and
    /// none in particular otherwise.
    pub(super) fn source_of(&mut self, lattice: &Lattice, edge: &Edge) -> Option<Span> {
        let Some((id, unit)) = edge.unit.and_then(|id| Some((id, lattice.unit(id)?))) else {
            return edge.span;
        };
        let filler = |piece: &UnitPiece| match piece {
            UnitPiece::Copy(span) => Some(*span),
            UnitPiece::Word(_) => None,
        };
        let fillers: Vec<Span> = lattice
            .unit_target(unit)
            .iter()
            .filter_map(filler)
            .collect();
        let (false, &[whole]) = (fillers.is_empty(), lattice.unit_spans(unit)) else {
            return edge.span;
        };
        let chunk = self.0.entry(id).or_insert(0);
        let at = *chunk;
        *chunk += 1;
        let start = match at.checked_sub(1) {
            None => whole.start(),
            Some(before) => fillers.get(before)?.end(),
        };
        let end = fillers.get(at).map_or(whole.end(), |filler| filler.start());
        let stretch = Span::new(start, end).ok()?;
        (fillers.is_sorted() && !stretch.is_empty()).then_some(stretch)
    }
}
