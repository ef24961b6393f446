//! All derivations of one text: cells (node, words written so far), filled from start to end.

use pgen_core::{Count, EdgeId, Lattice, LogProb, NodeId, WordId};

/// The derivations of the text that reach a node with so many words written.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) written: u32,
    /// The best sum of edge scores from the start.
    pub(crate) best: f64,
    /// The cells and edges that lead here; the best one is first among equals.
    arrivals: Vec<Arrival>,
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
pub(crate) struct Chart<'a> {
    cells: Vec<Vec<Cell>>,
    edge_scores: &'a [f64],
    length: u32,
}

impl<'a> Chart<'a> {
    pub(crate) fn new(lattice: &Lattice, edge_scores: &'a [f64], text: &[WordId]) -> Self {
        let mut cells: Vec<Vec<Cell>> = vec![Vec::new(); lattice.node_count()];
        cells[0].push(Cell {
            written: 0,
            best: 0.0,
            arrivals: Vec::new(),
        });
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
                    let arrival = Arrival {
                        edge: id,
                        from: node,
                        cell: at,
                    };
                    let to = &mut behind[edge.to.index() - node.index() - 1];
                    let written = cell.written + words.len() as u32;
                    arrive(to, written, cell.best + score, arrival);
                }
            }
        }
        Chart {
            cells,
            edge_scores,
            length: text.len() as u32,
        }
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
    pub(crate) fn argmax(&self, limit: usize) -> Vec<Vec<EdgeId>> {
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
                if from.best + self.edge_scores[arrival.edge.index()] == cell.best {
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
        let total = self.fold(Count::ONE, Count::ZERO, |sum, before, _| *sum += before);
        total.unwrap_or(Count::ZERO)
    }

    /// ln Σ over derivations of e^(sum of edge scores); −∞ if there is none.
    pub(crate) fn marginal(&self) -> LogProb {
        let add = |sum: &mut LogProb, before: &LogProb, score: f64| {
            *sum = sum.log_add(*before + LogProb::from_ln(score));
        };
        self.fold(LogProb::ONE, LogProb::ZERO, add)
            .unwrap_or(LogProb::ZERO)
    }

    /// Sums over all derivations of the text, cell by cell.
    fn fold<T: Clone>(&self, one: T, zero: T, add: impl Fn(&mut T, &T, f64)) -> Option<T> {
        let (goal_node, goal_at) = self.goal()?;
        let mut sums: Vec<Vec<T>> = Vec::with_capacity(self.cells.len());
        for (node, cells) in self.cells.iter().enumerate() {
            let here = cells.iter().map(|cell| {
                let mut sum = if node == 0 { one.clone() } else { zero.clone() };
                for arrival in &cell.arrivals {
                    let before = &sums[arrival.from.index()][arrival.cell as usize];
                    add(&mut sum, before, self.edge_scores[arrival.edge.index()]);
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

/// Adds a way into a node; a strictly better one moves to the front.
fn arrive(cells: &mut Vec<Cell>, written: u32, score: f64, arrival: Arrival) {
    match cells.iter_mut().find(|cell| cell.written == written) {
        None => cells.push(Cell {
            written,
            best: score,
            arrivals: vec![arrival],
        }),
        Some(cell) => {
            cell.arrivals.push(arrival);
            if score > cell.best {
                cell.best = score;
                let last = cell.arrivals.len() - 1;
                cell.arrivals.swap(0, last);
            }
        }
    }
}
