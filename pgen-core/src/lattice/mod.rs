//! The one structure that all five papers end in: an acyclic word graph whose edges replace pieces of
//! a source by words.
//!
//! A [`Lattice`] holds no weights, only feature values: plan once, decode again for every weight vector
//! (tuning needs that). Its nodes are numbered in topological order, its start is node 0, its end the
//! last node, and every node lies on some path from start to end.

mod build;

pub use build::{EdgeSpec, LatticeBuilder, UnitSpec};

use crate::count::Count;
use crate::id::{EdgeId, FeatureId, NodeId, RuleId, TableId, UnitId, WordId};
use crate::lexicon::Lexicon;
use crate::span::Span;
use std::sync::Arc;

/// Names of the features of a plan; a [`FeatureId`] is a place in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(transparent)
)]
pub struct FeatureSet {
    names: Vec<String>,
}

impl FeatureSet {
    /// Features by name, in order.
    #[must_use]
    pub fn new(names: Vec<String>) -> Self {
        FeatureSet { names }
    }

    /// Number of features.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True without features.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of a feature; empty if there is none such.
    #[must_use]
    pub fn name(&self, feature: FeatureId) -> &str {
        self.names.get(feature.index()).map_or("", String::as_str)
    }

    /// The first feature of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<FeatureId> {
        FeatureId::from_index(self.names.iter().position(|known| known == name)?)
    }

    /// All names in order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

/// A range in one of the lattice's flat vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Slice {
    start: u32,
    end: u32,
}

impl Slice {
    fn of<T>(self, items: &[T]) -> &[T] {
        // The builder made both ends; an empty answer would be a bug, a panic worse.
        items
            .get(self.start as usize..self.end as usize)
            .unwrap_or(&[])
    }
}

/// An edge: from a node to a later one, writing zero or more words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: NodeId,
    /// Where it ends; always a higher number.
    pub to: NodeId,
    /// The source tokens it stands for; `None` where nodes are no source positions, or where a source
    /// stretch is accounted for by another edge of the same unit.
    pub span: Option<Span>,
    /// The replacement that it belongs to; `None` for edges that replace nothing.
    pub unit: Option<UnitId>,
    words: Slice,
    features: Slice,
}

/// One piece of what a unit writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnitPiece {
    /// A word of the lattice's lexicon.
    Word(WordId),
    /// The filler of a slot.
    Copy(Span),
}

/// One replacement as one decision, however many edges it needs; edit lists, tuning and Monte-Carlo
/// generation work on units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    /// The table that it comes from.
    pub table: TableId,
    /// The rule within the table.
    pub rule: RuleId,
    spans: Slice,
    target: Slice,
    lengths: Slice,
    features: Slice,
}

/// The word graph. Immutable; made by a [`LatticeBuilder`].
#[derive(Clone, Debug)]
pub struct Lattice {
    lexicon: Lexicon,
    feature_set: Arc<FeatureSet>,
    /// Ascending by `from`; edges of one node keep their order of insertion.
    edges: Vec<Edge>,
    /// `first_out[n]..first_out[n + 1]` are the edges that leave node n.
    first_out: Vec<u32>,
    units: Vec<Unit>,
    words: Vec<WordId>,
    features: Vec<(FeatureId, f32)>,
    spans: Vec<Span>,
    pieces: Vec<UnitPiece>,
    /// Of each part of each unit, how many pieces it has.
    lengths: Vec<u32>,
}

impl Lattice {
    /// The words of the request, those that replacements brought along included.
    #[must_use]
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The features that edges refer to.
    #[must_use]
    pub fn feature_set(&self) -> &Arc<FeatureSet> {
        &self.feature_set
    }

    /// Number of nodes; at least 1.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.first_out.len() - 1
    }

    /// Number of edges.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Number of units.
    #[must_use]
    pub fn unit_count(&self) -> usize {
        self.units.len()
    }

    /// The node where every path starts.
    #[must_use]
    pub fn start(&self) -> NodeId {
        NodeId::new(0)
    }

    /// The node where every path ends.
    #[must_use]
    pub fn end(&self) -> NodeId {
        NodeId::new(self.node_count() as u32 - 1)
    }

    /// The edges, ascending by the node they leave.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// An edge by its id; `None` if it is not of this lattice.
    #[must_use]
    pub fn edge(&self, id: EdgeId) -> Option<&Edge> {
        self.edges.get(id.index())
    }

    /// The edges that leave a node, with their ids.
    pub fn out(&self, node: NodeId) -> impl ExactSizeIterator<Item = (EdgeId, &Edge)> {
        let start = self.first_out.get(node.index()).copied().unwrap_or(0);
        let end = self
            .first_out
            .get(node.index() + 1)
            .copied()
            .unwrap_or(start);
        let edges = self.edges.get(start as usize..end as usize).unwrap_or(&[]);
        edges
            .iter()
            .enumerate()
            .map(move |(at, edge)| (EdgeId::new(start + at as u32), edge))
    }

    /// The words that an edge writes.
    #[inline]
    #[must_use]
    pub fn words(&self, edge: &Edge) -> &[WordId] {
        edge.words.of(&self.words)
    }

    /// The feature values of an edge: natural logs, one entry a feature.
    #[inline]
    #[must_use]
    pub fn features(&self, edge: &Edge) -> &[(FeatureId, f32)] {
        edge.features.of(&self.features)
    }

    /// The units in order of insertion.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// A unit by its id; `None` if it is not of this lattice.
    #[must_use]
    pub fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.units.get(id.index())
    }

    /// The source stretches that a unit replaces, ascending.
    #[must_use]
    pub fn unit_spans(&self, unit: &Unit) -> &[Span] {
        unit.spans.of(&self.spans)
    }

    /// What a unit writes, part by part.
    #[must_use]
    pub fn unit_target(&self, unit: &Unit) -> &[UnitPiece] {
        unit.target.of(&self.pieces)
    }

    /// What a unit writes in the place of each of its stretches, in their order.
    pub fn unit_parts(&self, unit: &Unit) -> impl Iterator<Item = &[UnitPiece]> {
        let mut rest = self.unit_target(unit);
        unit.lengths.of(&self.lengths).iter().map(move |&length| {
            let (part, behind) = rest.split_at((length as usize).min(rest.len()));
            rest = behind;
            part
        })
    }

    /// The feature values of a unit; its first edge carries the same.
    #[must_use]
    pub fn unit_features(&self, unit: &Unit) -> &[(FeatureId, f32)] {
        unit.features.of(&self.features)
    }

    /// The number of paths from start to end.
    #[must_use]
    pub fn path_count(&self) -> Count {
        let mut counts = vec![Count::ZERO; self.node_count()];
        if let Some(last) = counts.last_mut() {
            *last = Count::ONE;
        }
        for edge in self.edges.iter().rev() {
            let behind = counts[edge.to.index()].clone();
            counts[edge.from.index()] += &behind;
        }
        counts.swap_remove(0)
    }
}
