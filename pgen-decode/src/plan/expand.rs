//! Patterns with slots in the lattice: every slot becomes a copy of the lattice of its filler, in the
//! place where the target has it (Zhao et al. 2009, §3.2). So fillers are paraphrased too, and
//! reordering costs nothing in the decoder.
//!
//! The graph is made with nodes in topological order: a span's positions get their nodes when all edges
//! into them are known.

use super::Plan;
use super::choices::{Choice, Choices};
use super::open;
use crate::error::{Error, Result};
use pgen_core::{Error as CoreError, LatticeBuilder, NodeId, Span, UnitPiece};
use std::ops::Range;

/// What an edge of the expanded graph stands for.
#[derive(Clone, Debug)]
pub(super) enum Label {
    /// The word at a position, copied.
    Copy(u32),
    /// Words of a choice: a range of the pieces. The first edge of a choice carries its unit's features.
    Unit {
        choice: u32,
        words: Range<usize>,
        first: bool,
    },
}

/// An edge of the expanded graph; `from < to`.
#[derive(Clone, Debug)]
pub(super) struct Arc {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) label: Label,
}

/// What bounds left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Cut {
    /// Replacements within fillers, from some depth on.
    pub(super) nesting: bool,
    /// Collocations that would have been open beside too many others.
    pub(super) open: bool,
}

/// Depths of nesting that are tried, one after the other, until the graph fits.
const DEPTHS: [usize; 6] = [24, 8, 4, 2, 1, 0];

/// Start and end of what was added, if the end can be reached; and what was cut.
pub(super) type Emitted = (Option<(NodeId, NodeId)>, Cut);

/// Adds the expanded graph to a builder.
pub(super) fn emit(
    choices: &Choices,
    plan: &Plan<'_>,
    builder: &mut LatticeBuilder,
) -> Result<Emitted> {
    let by_start = choices.by_start();
    let mut failure = None;
    for depth in DEPTHS {
        // Without nesting the graph is about as large as what was matched; only the lattice's own
        // limit holds then.
        let most = if depth == 0 {
            plan.limits.nodes
        } else {
            plan.expansion
        };
        let mut expander = Expander {
            choices,
            by_start: &by_start,
            arcs: Vec::new(),
            nodes: 1,
            most,
            depth,
            cut: false,
        };
        match expander.span(whole(choices), 0, 0) {
            Err(TooLarge) => failure = Some(expander.nodes),
            Ok(None) => return Ok((None, Cut::default())),
            Ok(Some(end)) => {
                let cut = expander.cut;
                let graph = open::Graph {
                    choices,
                    arcs: expander.arcs,
                    end,
                };
                let most = most.min(plan.limits.nodes);
                match open::emit(graph, most, depth == 0, builder)? {
                    None => failure = Some(u32::try_from(most).unwrap_or(u32::MAX)),
                    Some((ends, open)) => return Ok((ends, Cut { nesting: cut, open })),
                }
            }
        }
    }
    Err(Error::Core(CoreError::LimitExceeded {
        place: pgen_core::Place::default(),
        what: "number of lattice nodes",
        limit: plan.limits.nodes as u64,
        found: u64::from(failure.unwrap_or(0)) + 1,
    }))
}

fn whole(choices: &Choices) -> Span {
    let end = Span::empty(choices.copies.len() as u32);
    Span::empty(0).cover(end)
}

struct TooLarge;

struct Expander<'a> {
    choices: &'a Choices,
    by_start: &'a [Vec<u32>],
    arcs: Vec<Arc>,
    nodes: u32,
    most: usize,
    depth: usize,
    cut: bool,
}

impl Expander<'_> {
    fn node(&mut self) -> Result<u32, TooLarge> {
        if self.nodes as usize >= self.most {
            return Err(TooLarge);
        }
        self.nodes += 1;
        Ok(self.nodes - 1)
    }

    /// Lays out a span from a node on; its end, if it can be reached.
    fn span(&mut self, span: Span, from: u32, depth: usize) -> Result<Option<u32>, TooLarge> {
        // Edges into each position of the span, until it gets its node.
        let mut waiting: Vec<Vec<(u32, Label)>> = vec![Vec::new(); span.len() + 1];
        let mut node = Some(from);
        for at in span.start()..span.end() {
            let place = (at - span.start()) as usize;
            if at > span.start() {
                node = self.join(&mut waiting[place])?;
            }
            let Some(node) = node else { continue };
            if self.choices.copies[at as usize].is_some() {
                waiting[place + 1].push((node, Label::Copy(at)));
            }
            for &number in &self.by_start[at as usize] {
                let choice = &self.choices.items[number as usize];
                if choice.span.end() > span.end() {
                    continue;
                }
                if depth > self.depth {
                    self.cut = true;
                    continue;
                }
                if let Some(last) = self.choice(number, choice, node, depth)? {
                    waiting[(choice.span.end() - span.start()) as usize].push(last);
                }
            }
        }
        if span.is_empty() {
            return Ok(Some(from));
        }
        self.join(&mut waiting[span.len()])
    }

    /// The node of a position that these edges lead to.
    fn join(&mut self, waiting: &mut Vec<(u32, Label)>) -> Result<Option<u32>, TooLarge> {
        if waiting.is_empty() {
            return Ok(None);
        }
        let to = self.node()?;
        let arcs = waiting
            .drain(..)
            .map(|(from, label)| Arc { from, to, label });
        self.arcs.extend(arcs);
        Ok(Some(to))
    }

    /// All edges of a choice but the last, which is returned; `None` if a filler cannot be written.
    fn choice(
        &mut self,
        number: u32,
        choice: &Choice,
        node: u32,
        depth: usize,
    ) -> Result<Option<(u32, Label)>, TooLarge> {
        let (mut from, mut first) = (node, true);
        let mut start = choice.pieces.start;
        for place in choice.pieces.clone() {
            let UnitPiece::Copy(filler) = self.choices.pieces[place] else {
                continue;
            };
            let to = self.node()?;
            let label = Label::Unit {
                choice: number,
                words: start..place,
                first,
            };
            self.arcs.push(Arc { from, to, label });
            (start, first) = (place + 1, false);
            match self.span(filler, to, depth + 1)? {
                Some(end) => from = end,
                None => return Ok(None),
            }
        }
        let words = start..choice.pieces.end;
        Ok(Some((
            from,
            Label::Unit {
                choice: number,
                words,
                first,
            },
        )))
    }
}
