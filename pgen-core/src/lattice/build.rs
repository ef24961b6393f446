//! Building a lattice and proving its invariants.

use super::{Edge, FeatureSet, Lattice, Slice, Unit, UnitPiece};
use crate::error::{Error, Place, Result};
use crate::id::{FeatureId, NodeId, RuleId, TableId, UnitId, WordId};
use crate::lexicon::Lexicon;
use crate::limits::Limits;
use crate::span::Span;
use std::sync::Arc;

/// An edge to add.
#[derive(Clone, Copy, Debug)]
pub struct EdgeSpec<'a> {
    /// Where it starts.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// The source tokens it stands for, if any.
    pub span: Option<Span>,
    /// What it writes.
    pub words: &'a [WordId],
    /// Its feature values: no NaN, no +∞.
    pub features: &'a [(FeatureId, f32)],
    /// The replacement that it belongs to.
    pub unit: Option<UnitId>,
}

/// A unit to add.
#[derive(Clone, Copy, Debug)]
pub struct UnitSpec<'a> {
    /// The table that it comes from.
    pub table: TableId,
    /// The rule within the table.
    pub rule: RuleId,
    /// The source stretches that it replaces.
    pub spans: &'a [Span],
    /// What it writes, stretch by stretch.
    pub target: &'a [UnitPiece],
    /// How many pieces of the target stand in the place of each stretch.
    pub lengths: &'a [u32],
    /// Its feature values.
    pub features: &'a [(FeatureId, f32)],
}

/// Collects nodes, edges and units, then checks and orders them.
#[derive(Debug)]
pub struct LatticeBuilder {
    lattice: Lattice,
    node_count: u32,
    limits: Limits,
}

impl LatticeBuilder {
    /// An empty graph over these features and words.
    #[must_use]
    pub fn new(feature_set: Arc<FeatureSet>, lexicon: Lexicon, limits: &Limits) -> Self {
        let lattice = Lattice {
            lexicon,
            feature_set,
            edges: Vec::new(),
            first_out: Vec::new(),
            units: Vec::new(),
            words: Vec::new(),
            features: Vec::new(),
            spans: Vec::new(),
            pieces: Vec::new(),
            lengths: Vec::new(),
        };
        LatticeBuilder {
            lattice,
            node_count: 0,
            limits: limits.clone(),
        }
    }

    /// The id of a word, which joins the lattice's lexicon if it is new.
    ///
    /// # Errors
    /// As [`Lexicon::intern`].
    pub fn intern(&mut self, word: &str) -> Result<WordId> {
        self.lattice.lexicon.intern(word)
    }

    /// Adds a node.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] above `limits.nodes`.
    pub fn add_node(&mut self) -> Result<NodeId> {
        self.add_nodes(1)
    }

    /// Adds `count` nodes with consecutive ids and returns the first.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] above `limits.nodes`.
    pub fn add_nodes(&mut self, count: usize) -> Result<NodeId> {
        let total = (self.node_count as usize).saturating_add(count);
        Limits::check(
            "number of lattice nodes",
            total,
            self.limits.nodes.min(u32::MAX as usize - 1),
        )?;
        let first = NodeId::new(self.node_count);
        self.node_count = total as u32;
        Ok(first)
    }

    /// Adds a unit.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a NaN or +∞ value, [`Error::BadParameter`] for lengths that are not those
    /// of the stretches' targets, [`Error::LimitExceeded`] for too many.
    pub fn add_unit(&mut self, unit: UnitSpec<'_>) -> Result<UnitId> {
        let sum: u64 = unit.lengths.iter().map(|&length| u64::from(length)).sum();
        if unit.lengths.len() != unit.spans.len() || sum != unit.target.len() as u64 {
            let expected = "one for each stretch, as many together as there are pieces";
            return Err(Error::parameter("lengths", unit.lengths.len(), expected));
        }
        let features = self.add_features(unit.features)?;
        let spans = append(&mut self.lattice.spans, unit.spans)?;
        let target = append(&mut self.lattice.pieces, unit.target)?;
        let lengths = append(&mut self.lattice.lengths, unit.lengths)?;
        Limits::check(
            "number of units",
            self.lattice.units.len() + 1,
            self.limits.edges,
        )?;
        let id = UnitId::new(self.lattice.units.len() as u32);
        self.lattice.units.push(Unit {
            table: unit.table,
            rule: unit.rule,
            spans,
            target,
            lengths,
            features,
        });
        Ok(id)
    }

    /// Adds an edge.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a NaN or +∞ value, [`Error::BadSpan`] for a node or unit that was not
    /// added before, [`Error::LimitExceeded`] above `limits.edges`.
    pub fn add_edge(&mut self, edge: EdgeSpec<'_>) -> Result<()> {
        let features = self.add_features(edge.features)?;
        self.push_edge(edge, features)
    }

    /// Adds an edge that carries its unit's feature values (the first edge of a unit does), without
    /// copying them.
    ///
    /// # Errors
    /// As [`LatticeBuilder::add_edge`].
    pub fn add_unit_edge(&mut self, edge: EdgeSpec<'_>, unit: UnitId) -> Result<()> {
        let features = match self.lattice.units.get(unit.index()) {
            Some(unit) => unit.features,
            None => return Err(missing("unit", unit.raw(), self.lattice.units.len())),
        };
        self.push_edge(
            EdgeSpec {
                unit: Some(unit),
                ..edge
            },
            features,
        )
    }

    fn push_edge(&mut self, edge: EdgeSpec<'_>, features: Slice) -> Result<()> {
        Limits::check(
            "number of lattice edges",
            self.lattice.edges.len() + 1,
            self.limits.edges,
        )?;
        for node in [edge.from, edge.to] {
            if node.raw() >= self.node_count {
                return Err(missing("node", node.raw(), self.node_count as usize));
            }
        }
        if let Some(unit) = edge
            .unit
            .filter(|unit| unit.index() >= self.lattice.units.len())
        {
            return Err(missing("unit", unit.raw(), self.lattice.units.len()));
        }
        let words = append(&mut self.lattice.words, edge.words)?;
        let EdgeSpec {
            from,
            to,
            span,
            unit,
            ..
        } = edge;
        self.lattice.edges.push(Edge {
            from,
            to,
            span,
            unit,
            words,
            features,
        });
        Ok(())
    }

    fn add_features(&mut self, features: &[(FeatureId, f32)]) -> Result<Slice> {
        if let Some(&(_, bad)) = features
            .iter()
            .find(|(_, v)| v.is_nan() || *v == f32::INFINITY)
        {
            return Err(Error::NotFinite {
                what: "feature value",
                value: f64::from(bad),
            });
        }
        append(&mut self.lattice.features, features)
    }

    /// Orders the graph and removes what lies on no path from `start` to `end`.
    ///
    /// O(nodes + edges) where edges already go upwards, O((nodes + edges) · log nodes) otherwise.
    ///
    /// # Errors
    /// [`Error::CyclicGraph`], and [`Error::DisconnectedGraph`] if `end` cannot be reached.
    pub fn build(mut self, start: NodeId, end: NodeId) -> Result<Lattice> {
        let count = self.node_count as usize;
        for node in [start, end] {
            if node.index() >= count {
                return Err(missing("node", node.raw(), count));
            }
        }
        let order = self.topological_order()?;
        let live = self.live_nodes(&order, start, end);
        if !live[start.index()] {
            return Err(Error::DisconnectedGraph);
        }
        let mut rank = vec![u32::MAX; count];
        let alive = order.iter().filter(|node| live[node.index()]);
        for (new, old) in alive.clone().enumerate() {
            rank[old.index()] = new as u32;
        }
        let lattice = &mut self.lattice;
        lattice.edges.retain_mut(|edge| {
            let (from, to) = (rank[edge.from.index()], rank[edge.to.index()]);
            (edge.from, edge.to) = (NodeId::new(from), NodeId::new(to));
            from != u32::MAX && to != u32::MAX
        });
        if !lattice.edges.is_sorted_by_key(|edge| edge.from) {
            lattice.edges.sort_by_key(|edge| edge.from);
        }
        lattice.first_out = offsets(&lattice.edges, alive.count());
        Ok(self.lattice)
    }

    /// Nodes such that every edge goes upwards: the given order if it already does.
    fn topological_order(&self) -> Result<Vec<NodeId>> {
        let count = self.node_count;
        if self.lattice.edges.iter().all(|edge| edge.from < edge.to) {
            return Ok((0..count).map(NodeId::new).collect());
        }
        let mut waiting = vec![0u32; count as usize];
        let mut out = vec![Vec::new(); count as usize];
        for edge in &self.lattice.edges {
            waiting[edge.to.index()] += 1;
            out[edge.from.index()].push(edge.to);
        }
        // Smallest id first, so that the order does not depend on how edges were added.
        let mut ready: std::collections::BTreeSet<NodeId> = (0..count)
            .map(NodeId::new)
            .filter(|node| waiting[node.index()] == 0)
            .collect();
        let mut order = Vec::with_capacity(count as usize);
        while let Some(node) = ready.pop_first() {
            order.push(node);
            for &to in &out[node.index()] {
                waiting[to.index()] -= 1;
                if waiting[to.index()] == 0 {
                    ready.insert(to);
                }
            }
        }
        match waiting.iter().position(|&edges| edges > 0) {
            Some(node) => Err(Error::CyclicGraph { node: node as u32 }),
            None => Ok(order),
        }
    }

    /// For each node whether it lies on a path from start to end.
    fn live_nodes(&self, order: &[NodeId], start: NodeId, end: NodeId) -> Vec<bool> {
        let mut place = vec![0u32; order.len()];
        for (at, node) in order.iter().enumerate() {
            place[node.index()] = at as u32;
        }
        let mut by_from: Vec<&Edge> = self.lattice.edges.iter().collect();
        if !by_from.is_sorted_by_key(|edge| place[edge.from.index()]) {
            by_from.sort_by_key(|edge| place[edge.from.index()]);
        }
        let mut reached = vec![false; order.len()];
        reached[start.index()] = true;
        for edge in &by_from {
            if reached[edge.from.index()] {
                reached[edge.to.index()] = true;
            }
        }
        let mut live = vec![false; order.len()];
        live[end.index()] = reached[end.index()];
        for edge in by_from.iter().rev() {
            if live[edge.to.index()] && reached[edge.from.index()] {
                live[edge.from.index()] = true;
            }
        }
        live
    }
}

fn append<T: Copy>(to: &mut Vec<T>, items: &[T]) -> Result<Slice> {
    let start = to.len();
    to.extend_from_slice(items);
    Limits::check("size of the lattice", to.len(), u32::MAX as usize)?;
    Ok(Slice {
        start: start as u32,
        end: to.len() as u32,
    })
}

/// Where each node's edges begin in edges sorted by `from`.
fn offsets(edges: &[Edge], nodes: usize) -> Vec<u32> {
    let mut first = vec![0u32; nodes + 1];
    for edge in edges {
        first[edge.from.index() + 1] += 1;
    }
    for node in 0..nodes {
        first[node + 1] += first[node];
    }
    first
}

fn missing(what: &'static str, id: u32, length: usize) -> Error {
    Error::BadSpan {
        place: Place::default(),
        what,
        start: id.into(),
        end: u64::from(id) + 1,
        length: length as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocab::Vocab;

    fn builder(nodes: usize) -> LatticeBuilder {
        let lexicon = Lexicon::new(Arc::new(Vocab::new()));
        let features = Arc::new(FeatureSet::new(vec!["tm".into()]));
        let mut builder = LatticeBuilder::new(features, lexicon, &Limits::default());
        builder.add_nodes(nodes).unwrap();
        builder
    }

    fn connect(builder: &mut LatticeBuilder, from: u32, to: u32, word: &str) -> Result<()> {
        let words = [builder.intern(word)?];
        let (from, to) = (NodeId::new(from), NodeId::new(to));
        let features = [(FeatureId::new(0), -1.0)];
        builder.add_edge(EdgeSpec {
            from,
            to,
            span: None,
            words: &words,
            features: &features,
            unit: None,
        })
    }

    #[test]
    fn dead_ends_vanish_and_nodes_are_ordered() {
        let mut b = builder(5);
        // 4 is the start, 0 the end, 2 a dead end, 3 unreachable.
        for (from, to, word) in [
            (1, 0, "b"),
            (4, 1, "a"),
            (4, 2, "x"),
            (3, 0, "y"),
            (4, 0, "c"),
        ] {
            connect(&mut b, from, to, word).unwrap();
        }
        let lattice = b.build(NodeId::new(4), NodeId::new(0)).unwrap();
        assert_eq!((lattice.node_count(), lattice.edge_count()), (3, 3));
        assert!(lattice.edges().iter().all(|edge| edge.from < edge.to));
        assert_eq!(lattice.path_count(), Count::from(2));
        let first: Vec<_> = lattice
            .out(lattice.start())
            .map(|(_, edge)| lattice.lexicon().join(lattice.words(edge)))
            .collect();
        assert_eq!(first, ["a", "c"]);
    }

    use crate::count::Count;

    #[test]
    fn cycles_and_gaps_are_errors() {
        let mut b = builder(3);
        connect(&mut b, 0, 1, "a").unwrap();
        connect(&mut b, 1, 0, "b").unwrap();
        assert_eq!(
            b.build(NodeId::new(0), NodeId::new(1)).unwrap_err().code(),
            "cyclic-graph"
        );
        let mut b = builder(3);
        connect(&mut b, 0, 1, "a").unwrap();
        assert_eq!(
            b.build(NodeId::new(0), NodeId::new(2)).unwrap_err().code(),
            "disconnected-graph"
        );
        assert_eq!(
            connect(&mut builder(1), 0, 1, "a").unwrap_err().code(),
            "bad-span"
        );
    }

    #[test]
    fn one_node_is_the_empty_sentence() {
        let lattice = builder(1).build(NodeId::new(0), NodeId::new(0)).unwrap();
        assert_eq!(lattice.start(), lattice.end());
        assert_eq!(lattice.path_count(), Count::ONE);
    }

    #[test]
    fn values_must_be_numbers() {
        let mut b = builder(2);
        let features = [(FeatureId::new(0), f32::NAN)];
        let edge = EdgeSpec {
            from: NodeId::new(0),
            to: NodeId::new(1),
            span: None,
            words: &[],
            features: &features,
            unit: None,
        };
        assert_eq!(b.add_edge(edge).unwrap_err().code(), "not-finite");
    }
}
