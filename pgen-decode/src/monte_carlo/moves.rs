//! What can be done to a sentence: rules at positions, and what applying them writes.

use crate::error::{Error, Result};
use pgen_core::{EdgeId, Lattice, WordId};
use smallvec::{SmallVec, smallvec};

/// Source words that applied rules have used up.
pub(super) type Mask = SmallVec<[u64; 2]>;

/// A rule at its position.
#[derive(Clone, Debug)]
pub(super) struct Action {
    pub(super) start: u32,
    end: u32,
    pub(super) edge: EdgeId,
    mask: Mask,
}

/// All actions on a sentence, ascending by position, then by edge.
#[derive(Debug)]
pub(super) struct Moves<'a> {
    pub(super) lattice: &'a Lattice,
    pub(super) source: Vec<WordId>,
    pub(super) actions: Vec<Action>,
}

/// A set of applied rules: what they use up, and which, ascending by position.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Applied {
    pub(super) mask: Mask,
    pub(super) actions: SmallVec<[u32; 8]>,
}

impl<'a> Moves<'a> {
    /// Reads the actions off a lattice whose edges each replace one stretch of the source. With
    /// `copies`, edges that write what stands there are actions too.
    pub(super) fn new(lattice: &'a Lattice, source: &[WordId], copies: bool) -> Result<Self> {
        let unsupported = |reason| Error::Unsupported {
            decoder: "Monte-Carlo",
            reason,
        };
        let source = if source.is_empty() {
            copied_words(lattice)
        } else {
            source.to_vec()
        };
        let blocks = source.len().div_ceil(64).max(1);
        let mut actions = Vec::new();
        for (id, edge) in (0u32..).zip(lattice.edges()) {
            let parts = edge.unit.and_then(|unit| lattice.unit(unit));
            let parts = parts.map_or(1, |unit| lattice.unit_spans(unit).len());
            let span = edge.span.filter(|span| !span.is_empty() && parts == 1);
            let span = span.ok_or(unsupported("its edges are no phrases of the source"))?;
            let (start, end) = (span.start() as usize, span.end() as usize);
            let replaced = source.get(start..end).ok_or(unsupported(
                "the source is not known; give it with the request",
            ))?;
            if copies || replaced != lattice.words(edge) {
                let mut mask: Mask = smallvec![0; blocks];
                (start..end).for_each(|at| mask[at / 64] |= 1 << (at % 64));
                actions.push(Action {
                    start: span.start(),
                    end: span.end(),
                    edge: EdgeId::new(id),
                    mask,
                });
            }
        }
        actions.sort_by_key(|action| (action.start, action.edge));
        Ok(Moves {
            lattice,
            source,
            actions,
        })
    }

    /// Nothing applied.
    pub(super) fn nothing(&self) -> Applied {
        Applied {
            mask: smallvec![0; self.source.len().div_ceil(64).max(1)],
            actions: SmallVec::new(),
        }
    }

    /// True if the action's words are still free.
    #[inline]
    pub(super) fn is_free(&self, mask: &Mask, action: u32) -> bool {
        let used = self.actions[action as usize].mask.iter().zip(mask);
        used.fold(0, |clash, (a, b)| clash | (a & b)) == 0
    }

    /// The set with one more rule.
    pub(super) fn apply(&self, applied: &Applied, action: u32) -> Applied {
        let mut next = applied.clone();
        for (mask, used) in next
            .mask
            .iter_mut()
            .zip(&self.actions[action as usize].mask)
        {
            *mask |= used;
        }
        // Actions ascend by position, and applied ones do not overlap.
        let place = next.actions.partition_point(|&known| known < action);
        next.actions.insert(place, action);
        next
    }

    /// True if every source word is used up.
    pub(super) fn is_complete(&self, applied: &Applied) -> bool {
        let used: u32 = applied.mask.iter().map(|block| block.count_ones()).sum();
        used as usize == self.source.len()
    }

    /// The sentence with the rules applied.
    pub(super) fn text(&self, applied: &Applied) -> Vec<WordId> {
        let mut words = Vec::with_capacity(self.source.len() + 4);
        let mut at = 0;
        for &action in &applied.actions {
            let Action {
                start, end, edge, ..
            } = self.actions[action as usize];
            words.extend_from_slice(&self.source[at..start as usize]);
            if let Some(edge) = self.lattice.edge(edge) {
                words.extend_from_slice(self.lattice.words(edge));
            }
            at = end as usize;
        }
        words.extend_from_slice(&self.source[at..]);
        words
    }
}

/// The source as far as edges copy it: the words of edges over one token that replace nothing.
fn copied_words(lattice: &Lattice) -> Vec<WordId> {
    let mut source = Vec::new();
    for edge in lattice.edges() {
        if let (None, Some(span), &[word]) = (edge.unit, edge.span, lattice.words(edge))
            && span.start() as usize == source.len()
            && span.len() == 1
        {
            source.push(word);
        }
    }
    source
}
