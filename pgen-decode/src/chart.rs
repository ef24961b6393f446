//! All derivations of one text: cells (node, words written so far), filled from start to end.

use hashbrown::HashMap;
use pgen_core::{Count, EdgeId, Lattice, LogProb, NodeId, WordId};
use smallvec::{SmallVec, smallvec};

/// The derivations of the text that reach a node with so many words written.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) written: u32,
    /// The best sum of edge scores from the start.
    pub(crate) best: f64,
    /// The cells and edges that lead here; the best one is first among equals.
    arrivals: SmallVec<[Arrival; 1]>,
}

#[derive(Clone, Copy, Debug)]
struct Arrival {
    edge: EdgeId,
    from: NodeId,
    cell: u32,
}

/// The cells of one text over one lattice. O(edges · words) time and space in the worst case, few cells
/// a node in practice (Chevelu et al. 2010, Algorithm 1 as dynamic programming).
#[derive(Debug)]
pub(crate) struct Chart {
    cells: Vec<Vec<Cell>>,
    length: u32,
}

impl Chart {
    /// The chart, unless more than `limit` steps from cell to cell are possible: each takes 12 to 40 bytes.
    pub(crate) fn new(
        lattice: &Lattice,
        edge_scores: &[f64],
        text: &[WordId],
        limit: usize,
    ) -> Option<Self> {
        let mut cells: Vec<Vec<Cell>> = vec![Vec::new(); lattice.node_count()];
        cells[0].push(Cell {
            written: 0,
            best: 0.0,
            arrivals: SmallVec::new(),
        });
        let mut crowded = Crowded::default();
        let mut steps = 0;
        for node in (0..lattice.node_count() as u32).map(NodeId::new) {
            // Edges only lead to later nodes.
            let (here, behind) = cells.split_at_mut(node.index() + 1);
            for (at, cell) in (0u32..).zip(&here[node.index()]) {
                let rest = &text[cell.written as usize..];
                for (id, edge) in lattice.out(node) {
                    let score = edge_scores[id.index()];
                    let words = lattice.words(edge);
                    if score == f64::NEG_INFINITY || !rest.starts_with(words) {
                        continue;
                    }
                    steps += 1;
                    if steps > limit {
                        return None;
                    }
                    let arrival = Arrival {
                        edge: id,
                        from: node,
                        cell: at,
                    };
                    let to = &mut behind[edge.to.index() - node.index() - 1];
                    let written = cell.written + words.len() as u32;
                    let known = crowded.find(edge.to, to, written);
                    arrive(to, known, (written, cell.best + score), arrival);
                }
            }
        }
        Some(Chart {
            cells,
            length: text.len() as u32,
        })
    }

    /// The cell of the whole text at the end.
    fn goal(&self) -> Option<(usize, usize)> {
        let last = self.cells.len() - 1;
        let at = self.cells[last]
            .iter()
            .position(|cell| cell.written == self.length)?;
        Some((last, at))
    }

    /// The best sum of edge scores; `None` if nothing derives the text.
    pub(crate) fn best(&self) -> Option<f64> {
        self.goal().map(|(node, at)| self.cells[node][at].best)
    }

    /// The first of the best derivations; empty if there is none.
    pub(crate) fn derivation(&self) -> Vec<EdgeId> {
        let mut edges = Vec::new();
        let mut place = self.goal();
        while let Some((node, at)) = place {
            let cell = &self.cells[node][at];
            place = cell.arrivals.first().map(|arrival| {
                edges.push(arrival.edge);
                (arrival.from.index(), arrival.cell as usize)
            });
        }
        edges.reverse();
        edges
    }

    /// All best derivations, at most `limit`, in a fixed order.
    pub(crate) fn argmax(&self, edge_scores: &[f64], limit: usize) -> Vec<Vec<EdgeId>> {
        let mut found = Vec::new();
        let mut open: Vec<((usize, usize), Vec<EdgeId>)> = self
            .goal()
            .map(|goal| (goal, Vec::new()))
            .into_iter()
            .collect();
        while let Some(((node, at), edges)) = open.pop() {
            if found.len() == limit {
                break;
            }
            let cell = &self.cells[node][at];
            if cell.arrivals.is_empty() {
                found.push(edges.into_iter().rev().collect());
                continue;
            }
            for arrival in cell.arrivals.iter().rev() {
                let from = &self.cells[arrival.from.index()][arrival.cell as usize];
                if from.best + edge_scores[arrival.edge.index()] == cell.best {
                    let mut longer = edges.clone();
                    longer.push(arrival.edge);
                    open.push(((arrival.from.index(), arrival.cell as usize), longer));
                }
            }
        }
        found
    }

    /// How many derivations write the text.
    pub(crate) fn count(&self) -> Count {
        let add = |sum: &mut Count, before: &Count, _: EdgeId| *sum += before;
        let total = self.fold(Count::ONE, Count::ZERO, add);
        total.unwrap_or(Count::ZERO)
    }

    /// ln Σ over derivations of e^(sum of edge scores); −∞ if there is none.
    pub(crate) fn marginal(&self, edge_scores: &[f64]) -> LogProb {
        let add = |sum: &mut LogProb, before: &LogProb, edge: EdgeId| {
            *sum = sum.log_add(*before + LogProb::from_ln(edge_scores[edge.index()]));
        };
        self.fold(LogProb::ONE, LogProb::ZERO, add)
            .unwrap_or(LogProb::ZERO)
    }

    /// Sums over all derivations of the text, cell by cell.
    fn fold<T: Clone>(&self, one: T, zero: T, add: impl Fn(&mut T, &T, EdgeId)) -> Option<T> {
        let (goal_node, goal_at) = self.goal()?;
        let mut sums: Vec<Vec<T>> = Vec::with_capacity(self.cells.len());
        for (node, cells) in self.cells.iter().enumerate() {
            let here = cells.iter().map(|cell| {
                let mut sum = if node == 0 { one.clone() } else { zero.clone() };
                for arrival in &cell.arrivals {
                    let before = &sums[arrival.from.index()][arrival.cell as usize];
                    add(&mut sum, before, arrival.edge);
                }
                sum
            });
            let here = here.collect();
            sums.push(here);
        }
        sums.get(goal_node)?.get(goal_at).cloned()
    }

    /// The most words of the text that any path from the start writes, and the nodes it reaches so.
    pub(crate) fn farthest(&self) -> (usize, Vec<NodeId>) {
        let all = self.cells.iter().flatten();
        let most = all.map(|cell| cell.written).max().unwrap_or(0);
        let nodes = (0u32..).zip(&self.cells);
        let reached = nodes.filter(|(_, cells)| cells.iter().any(|cell| cell.written == most));
        let nodes = reached.map(|(node, _)| NodeId::new(node)).collect();
        (most as usize, nodes)
    }
}

/// Finds cells by what is written where a node has many.
#[derive(Debug, Default)]
struct Crowded(HashMap<(NodeId, u32), usize>);

impl Crowded {
    /// Cells of a node that are looked at one by one.
    const FEW: usize = 16;

    /// The place of a cell; if there is none, one will be added behind the last.
    fn find(&mut self, node: NodeId, cells: &[Cell], written: u32) -> Option<usize> {
        if cells.len() < Self::FEW {
            return cells.iter().position(|cell| cell.written == written);
        }
        if cells.len() == Self::FEW {
            for (at, cell) in cells.iter().enumerate() {
                self.0.insert((node, cell.written), at);
            }
        }
        let at = *self.0.entry((node, written)).or_insert(cells.len());
        (at < cells.len()).then_some(at)
    }
}

/// Adds a way into a node; a strictly better one moves to the front.
fn arrive(
    cells: &mut Vec<Cell>,
    known: Option<usize>,
    (written, score): (u32, f64),
    arrival: Arrival,
) {
    let Some(at) = known else {
        cells.push(Cell {
            written,
            best: score,
            arrivals: smallvec![arrival],
        });
        return;
    };
    let cell = &mut cells[at];
    cell.arrivals.push(arrival);
    if score > cell.best {
        cell.best = score;
        let last = cell.arrivals.len() - 1;
        cell.arrivals.swap(0, last);
    }
}
