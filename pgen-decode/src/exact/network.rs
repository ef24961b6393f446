//! The lattice word by word: at every node one trie of all options, so that a language-model row is
//! asked once for all options that share a beginning.

use crate::loglinear::LogLinear;
use pgen_core::{Lattice, NodeId, WordId};

/// No edge, position, state: whatever the context says.
pub(super) const NONE: u32 = u32::MAX;

/// A step from a position on one word, or on none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) to: u32,
    /// The lattice edge that ends with this step; `NONE` within a trie.
    pub(super) edge: u32,
    /// The edge's score if it ends here, or 0.
    pub(super) weight: f64,
}

/// Positions are lattice nodes and inner trie nodes, numbered so that every arc goes upwards.
#[derive(Debug, Default)]
pub(super) struct Network {
    /// Next words of all positions; those of one position are distinct and ascend by id.
    words: Vec<WordId>,
    /// First word of each position.
    first_word: Vec<u32>,
    /// First arc of each word.
    first_arc: Vec<u32>,
    pub(super) arcs: Vec<Arc>,
    /// Steps without words: (position, step), ascending by position.
    silent: Vec<(u32, Arc)>,
    position_of: Vec<u32>,
    /// Scratch: edges of one node; tries still to lay out.
    edges: Vec<Choice>,
    open: Vec<(u32, u32, u32)>,
}

/// A possible edge.
#[derive(Clone, Copy, Debug)]
struct Choice {
    /// Its first two words, or 0: orders most edges without a look at their words.
    key: u64,
    edge: u32,
    score: f64,
}

/// Marks an arc's target as a lattice node until positions are known.
const NODE: u32 = 1 << 31;

impl Network {
    /// Lays out a lattice under a model. Impossible edges vanish. O(edges · log(edges of a node)).
    pub(super) fn build<L>(&mut self, lattice: &Lattice, model: &LogLinear<'_, L>) {
        self.words.clear();
        self.first_word.clear();
        self.first_arc.clear();
        self.arcs.clear();
        self.silent.clear();
        self.position_of.clear();
        for node in (0..lattice.node_count() as u32).map(NodeId::new) {
            self.position_of.push(self.first_word.len() as u32);
            self.collect(lattice, model, node);
            self.lay_out(lattice);
        }
        self.first_word.push(self.words.len() as u32);
        self.first_arc.push(self.arcs.len() as u32);
        let silent = self.silent.iter_mut().map(|(_, arc)| arc);
        for arc in self.arcs.iter_mut().chain(silent) {
            if arc.to & NODE != 0 {
                arc.to = self.position_of[(arc.to & !NODE) as usize];
            }
        }
    }

    /// The possible edges of a node, ordered by words, then target, the best first.
    fn collect<L>(&mut self, lattice: &Lattice, model: &LogLinear<'_, L>, node: NodeId) {
        self.edges.clear();
        for (id, edge) in lattice.out(node) {
            let score = model.edge_score(lattice, edge).ln();
            if score > f64::NEG_INFINITY {
                let mut first = lattice.words(edge).iter().map(|word| u64::from(word.raw()));
                let (one, two) = (first.next(), first.next());
                let key = one.unwrap_or(0) << 32 | two.unwrap_or(0);
                self.edges.push(Choice {
                    key,
                    edge: id.raw(),
                    score,
                });
            }
        }
        let all = lattice.edges();
        self.edges.sort_unstable_by(|a, b| {
            (a.key.cmp(&b.key)).then_with(|| {
                let (x, y) = (&all[a.edge as usize], &all[b.edge as usize]);
                let words = lattice.words(x).cmp(lattice.words(y));
                words
                    .then(x.to.cmp(&y.to))
                    .then(b.score.total_cmp(&a.score))
                    .then(a.edge.cmp(&b.edge))
            })
        });
        self.edges.dedup_by(|later, kept| {
            let (x, y) = (&all[later.edge as usize], &all[kept.edge as usize]);
            later.key == kept.key && x.to == y.to && lattice.words(x) == lattice.words(y)
        });
    }

    /// One trie from the sorted edges, level by level.
    fn lay_out(&mut self, lattice: &Lattice) {
        let all = lattice.edges();
        let words_of = |edge: u32| lattice.words(&all[edge as usize]);
        let root = self.first_word.len() as u32;
        let arc = |choice: &Choice| Arc {
            to: all[choice.edge as usize].to.raw() | NODE,
            edge: choice.edge,
            weight: choice.score,
        };
        let empty = self
            .edges
            .partition_point(|choice| words_of(choice.edge).is_empty());
        self.silent
            .extend(self.edges[..empty].iter().map(|choice| (root, arc(choice))));
        self.open.clear();
        self.open.push((empty as u32, self.edges.len() as u32, 0));
        let mut done = 0;
        while let Some(&(start, end, depth)) = self.open.get(done) {
            done += 1;
            self.first_word.push(self.words.len() as u32);
            let (mut at, end, depth) = (start as usize, end as usize, depth as usize);
            while at < end {
                let word = words_of(self.edges[at].edge)[depth];
                self.words.push(word);
                self.first_arc.push(self.arcs.len() as u32);
                let longest = depth + 1;
                while at < end && words_of(self.edges[at].edge).get(depth) == Some(&word) {
                    if words_of(self.edges[at].edge).len() > longest {
                        break;
                    }
                    self.arcs.push(arc(&self.edges[at]));
                    at += 1;
                }
                let rest = &self.edges[at..end];
                let longer = rest.partition_point(|choice| words_of(choice.edge)[depth] == word);
                if longer > 0 {
                    self.arcs.push(Arc {
                        to: root + self.open.len() as u32,
                        edge: NONE,
                        weight: 0.0,
                    });
                    self.open
                        .push((at as u32, (at + longer) as u32, longest as u32));
                    at += longer;
                }
            }
        }
    }

    pub(super) fn positions(&self) -> usize {
        self.first_word.len() - 1
    }

    /// The last position: the lattice's end.
    pub(super) fn end(&self) -> u32 {
        self.positions() as u32 - 1
    }

    #[inline]
    pub(super) fn words_at(&self, position: u32) -> &[WordId] {
        let at = position as usize;
        &self.words[self.first_word[at] as usize..self.first_word[at + 1] as usize]
    }

    /// The arcs of a position's word, by the word's place in the row.
    #[inline]
    pub(super) fn arcs_of(&self, position: u32, word: u32) -> std::ops::Range<usize> {
        let at = (self.first_word[position as usize] + word) as usize;
        self.first_arc[at] as usize..self.first_arc[at + 1] as usize
    }

    /// The steps without words from a position.
    pub(super) fn silent_at(&self, position: u32) -> impl Iterator<Item = &Arc> {
        let start = self.silent.partition_point(|&(from, _)| from < position);
        let here = self.silent[start..].iter();
        here.take_while(move |&&(from, _)| from == position)
            .map(|(_, arc)| arc)
    }

    pub(super) fn has_silent(&self) -> bool {
        !self.silent.is_empty()
    }
}
