//! Collocations in the lattice: nodes are pairs of a graph's node and the collocations of which some
//! parts are written and some are not. A path can end only when none is open, so both words change or
//! neither does, whichever comes first in the target (Zhao et al. 2009, §3.2).

use super::choices::Choices;
use super::expand::{Arc, Label};
use crate::error::Result;
use pgen_core::{EdgeSpec, FeatureId, LatticeBuilder, NodeId, Span, UnitId, UnitPiece, WordId};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// Collocations that may be open beside each other; more are cut off.
const MOST_OPEN: usize = 6;

/// An expanded graph: node 0 is its start.
pub(super) struct Graph<'a> {
    pub(super) choices: &'a Choices,
    pub(super) arcs: Vec<Arc>,
    pub(super) end: u32,
}

/// The open collocations, ascending, each with the set of its parts that are written.
type Open = SmallVec<[(UnitId, u8); 2]>;

struct Product<'a> {
    graph: &'a Graph<'a>,
    /// For each part of a collocation the last node from which it can be written.
    last: BTreeMap<(UnitId, u8), u32>,
    /// For each node of the graph the open sets that reach it, ascending; and the first of their nodes.
    states: Vec<BTreeSet<Open>>,
    first: Vec<u32>,
    cut: bool,
}

type Ends = Option<(NodeId, NodeId)>;

/// Adds the graph to a builder. `None` if it has more than `most` nodes, unless it is the `last` try,
/// when the builder's own limits speak.
pub(super) fn emit(
    mut graph: Graph<'_>,
    most: usize,
    last: bool,
    builder: &mut LatticeBuilder,
) -> Result<Option<(Ends, bool)>> {
    graph.arcs.sort_by_key(|arc| arc.from);
    let mut product = Product::new(&graph);
    let nodes = product.find_states(most);
    if nodes > most && !last {
        return Ok(None);
    }
    builder.add_nodes(nodes)?;
    product.add_edges(builder)?;
    let end = graph.end as usize;
    let closed = product
        .states
        .get(end)
        .and_then(|open| open.iter().position(|set| set.is_empty()));
    let ends = closed.map(|place| {
        (
            NodeId::new(0),
            NodeId::new(product.first[end] + place as u32),
        )
    });
    Ok(Some((ends, product.cut)))
}

impl<'a> Product<'a> {
    fn new(graph: &'a Graph<'a>) -> Self {
        let mut last = BTreeMap::new();
        for arc in &graph.arcs {
            if let Some((unit, part, _)) = half(graph.choices, arc) {
                let known = last.entry((unit, part)).or_insert(arc.from);
                *known = arc.from.max(*known);
            }
        }
        let count = graph.end as usize + 1;
        let mut states = vec![BTreeSet::new(); count];
        states[0].insert(Open::new());
        Product {
            graph,
            last,
            states,
            first: vec![0; count],
            cut: false,
        }
    }

    /// The open sets of every node; their number, or one above `most`.
    fn find_states(&mut self, most: usize) -> usize {
        let (mut total, mut at) = (0usize, 0);
        for node in 0..self.states.len() {
            self.first[node] = total as u32;
            total += self.states[node].len();
            if total > most {
                return total;
            }
            let sets: Vec<Open> = self.states[node].iter().cloned().collect();
            let graph = self.graph;
            while let Some(arc) = graph.arcs.get(at).filter(|arc| arc.from as usize == node) {
                at += 1;
                for set in &sets {
                    if let Some(next) = self.next(set, arc) {
                        self.states[arc.to as usize].insert(next);
                    }
                }
            }
        }
        total
    }

    /// The open set behind an edge; `None` if it can never be closed.
    fn next(&mut self, open: &Open, arc: &Arc) -> Option<Open> {
        let mut next = open.clone();
        if let Some((unit, part, parts)) = half(self.graph.choices, arc) {
            let all = u8::MAX >> (8 - parts.min(8));
            match next.binary_search_by_key(&unit, |item| item.0) {
                Ok(place) => {
                    next[place].1 |= 1 << part;
                    if next[place].1 == all {
                        next.remove(place);
                    }
                }
                Err(_) if next.len() == MOST_OPEN => {
                    self.cut = true;
                    return None;
                }
                Err(place) => next.insert(place, (unit, 1 << part)),
            }
        }
        let can_close = |&(unit, written): &(UnitId, u8)| {
            let mut parts = self.last.range((unit, 0)..=(unit, u8::MAX));
            parts.all(|(&(_, part), &last)| written & (1 << part) != 0 || arc.to <= last)
        };
        next.iter().all(can_close).then_some(next)
    }

    fn add_edges(&mut self, builder: &mut LatticeBuilder) -> Result<()> {
        let graph = self.graph;
        let mut words: Vec<WordId> = Vec::new();
        for arc in &graph.arcs {
            let sets: Vec<Open> = self.states[arc.from as usize].iter().cloned().collect();
            for (place, set) in (0u32..).zip(&sets) {
                let Some(next) = self.next(set, arc) else {
                    continue;
                };
                let Some(to) = self.states[arc.to as usize]
                    .iter()
                    .position(|known| *known == next)
                else {
                    continue;
                };
                let from = NodeId::new(self.first[arc.from as usize] + place);
                let to = NodeId::new(self.first[arc.to as usize] + to as u32);
                add_edge(graph.choices, arc, [from, to], &mut words, builder)?;
            }
        }
        Ok(())
    }
}

/// Unit, part and number of parts of an edge that writes a part of a collocation.
fn half(choices: &Choices, arc: &Arc) -> Option<(UnitId, u8, u8)> {
    let Label::Unit { choice, .. } = arc.label else {
        return None;
    };
    let choice = &choices.items[choice as usize];
    (choice.parts > 1).then_some((choice.unit, choice.part, choice.parts))
}

fn add_edge(
    choices: &Choices,
    arc: &Arc,
    [from, to]: [NodeId; 2],
    words: &mut Vec<WordId>,
    builder: &mut LatticeBuilder,
) -> Result<()> {
    let spec = |span, words, features, unit| EdgeSpec {
        from,
        to,
        span,
        words,
        features,
        unit,
    };
    let none: &[(FeatureId, f32)] = &[];
    match &arc.label {
        Label::Copy(at) => {
            if let Some(copied) = choices.copies[*at as usize] {
                let span = Some(Span::single(*at));
                builder.add_edge(spec(span, &[copied.word], copied.feature.as_slice(), None))?;
            }
        }
        Label::Unit {
            choice,
            words: range,
            first,
        } => {
            let choice = &choices.items[*choice as usize];
            words.clear();
            words.extend(
                choices.pieces[range.clone()]
                    .iter()
                    .filter_map(|piece| match piece {
                        UnitPiece::Word(word) => Some(*word),
                        UnitPiece::Copy(_) => None,
                    }),
            );
            // A unit's features stand on its first edge, or on its first part.
            let span = first.then_some(choice.span);
            if *first && choice.part == 0 {
                builder.add_unit_edge(spec(span, words, none, None), choice.unit)?;
            } else {
                builder.add_edge(spec(span, words, none, Some(choice.unit)))?;
            }
        }
    }
    Ok(())
}
