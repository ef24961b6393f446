//! Product states: a position and what the language model remembers there.
//!
//! Beside the states that texts stand in, all their shorter contexts are product states too: a context's
//! row is its shorter context's row, overwritten by what it lists itself.

use super::network::{Arc, NONE, Network};
use super::table::{Index, hash_of};
use std::hash::Hash;

/// A product state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) position: u32,
    /// The one at the same position that answers what this one does not list; `NONE` for the last.
    pub(super) shorter: u32,
    /// Where its hits lie.
    pub(super) hits: (u32, u32),
    /// True once it was asked and what it lists is known to ascend.
    pub(super) asked: bool,
    /// What asking the shorter one costs.
    pub(super) backoff: f64,
}

/// A next word that a context lists itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) log_prob: f64,
    /// The word's place in the position's row.
    pub(super) word: u32,
    /// The first of its arcs, and how many they are; none for an impossible word.
    pub(super) arc: u32,
    pub(super) arcs: u32,
    /// Where a word with one arc leads; the first of its targets for one with several.
    pub(super) target: u32,
}

/// Everything the forward pass finds, without the language model's states.
#[derive(Debug, Default)]
pub(super) struct Products {
    pub(super) nodes: Vec<Node>,
    pub(super) hits: Vec<Hit>,
    /// Product states where words with several arcs lead.
    targets: Vec<u32>,
    /// Steps without words: from, arc, to; ascending by the first once the pass is done.
    pub(super) silent: Vec<(u32, Arc, u32)>,
    pub(super) potential: Vec<f64>,
    /// Nodes by position, shorter contexts first.
    order: Vec<u32>,
    /// Place of each node in `order`.
    pub(super) rank: Vec<u32>,
    /// First place of each position in `order`.
    first: Vec<u32>,
    index: Index,
    /// The node that stands before the first word.
    pub(super) start: u32,
    /// Rows that the language model was asked for.
    pub(super) rows: u64,
    /// True if a shorter context may have a larger number than a longer one.
    tangled: bool,
}

impl Products {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.hits.clear();
        self.targets.clear();
        self.silent.clear();
        self.potential.clear();
        self.index.clear();
        self.rows = 0;
        self.tangled = false;
    }

    /// How much it holds.
    pub(super) fn size(&self) -> usize {
        self.nodes.capacity() + self.hits.capacity() + self.targets.capacity()
    }

    /// Bytes in use, about.
    pub(super) fn bytes(&self) -> usize {
        /// Potential, two places in orders, and two slots of the index, beside the node itself.
        const BESIDE: usize = 8 + 2 * 4 + 2 * 8;
        self.nodes.len() * (size_of::<Node>() + BESIDE)
            + self.hits.len() * size_of::<Hit>()
            + self.targets.len() * size_of::<u32>()
            + self.silent.len() * size_of::<(u32, Arc, u32)>()
    }

    /// The number of a position and a state; `states` holds those of all nodes.
    #[inline]
    pub(super) fn number<S: Clone + Eq + Hash>(
        &mut self,
        states: &mut Vec<S>,
        position: u32,
        state: &S,
    ) -> u32 {
        let nodes = &self.nodes;
        let new = states.len() as u32;
        let same =
            |id: u32| nodes[id as usize].position == position && states[id as usize] == *state;
        let id = self
            .index
            .find_or_insert(hash_of((position, state)), new, same);
        if id == new {
            states.push(state.clone());
            self.nodes.push(Node {
                position,
                shorter: NONE,
                hits: (0, 0),
                asked: false,
                backoff: 0.0,
            });
        }
        id
    }

    /// Sets the context that answers for a node.
    #[inline]
    pub(super) fn link(&mut self, node: u32, shorter: u32, backoff: f64) {
        self.tangled |= shorter != NONE && shorter >= node;
        let node = &mut self.nodes[node as usize];
        (node.shorter, node.backoff) = (shorter, backoff);
    }

    /// Records a word that the latest node lists; `targets` are where its arcs lead.
    #[inline]
    pub(super) fn hit(&mut self, (word, arc): (u32, u32), log_prob: f64, targets: &[u32]) {
        let target = match *targets {
            [only] => only,
            _ => {
                let first = self.targets.len() as u32;
                self.targets.extend_from_slice(targets);
                first
            }
        };
        self.hits.push(Hit {
            log_prob,
            word,
            arc,
            arcs: targets.len() as u32,
            target,
        });
    }

    /// Sorts the nodes, once all are known and asked.
    pub(super) fn sort(&mut self, positions: usize) {
        self.silent.sort_by_key(|&(from, _, _)| from);
        self.first.clear();
        self.first.resize(positions + 1, 0);
        for node in &self.nodes {
            self.first[node.position as usize + 1] += 1;
        }
        for position in 0..positions {
            self.first[position + 1] += self.first[position];
        }
        self.order.clear();
        self.order.resize(self.nodes.len(), 0);
        self.rank.clear();
        for (id, node) in (0u32..).zip(&self.nodes) {
            let place = &mut self.first[node.position as usize];
            self.order[*place as usize] = id;
            self.rank.push(*place);
            *place += 1;
        }
        self.first.rotate_right(1);
        self.first[0] = 0;
        if self.tangled {
            self.untangle();
        }
    }

    /// Puts shorter contexts before longer ones where numbers do not tell.
    fn untangle(&mut self) {
        let depths: Vec<u32> = (0..self.nodes.len() as u32)
            .map(|id| self.depth(id))
            .collect();
        let nodes = &self.nodes;
        self.order
            .sort_by_key(|&id| (nodes[id as usize].position, depths[id as usize]));
        for (place, &id) in (0u32..).zip(&self.order) {
            self.rank[id as usize] = place;
        }
        for (node, &rank) in self.nodes.iter_mut().zip(&self.rank) {
            // Anything else is a model that contradicts itself.
            let sound = node.shorter != NONE && self.rank[node.shorter as usize] < rank;
            if !sound {
                node.shorter = NONE;
            }
        }
    }

    /// The number of shorter contexts behind a node.
    fn depth(&self, mut id: u32) -> u32 {
        /// A model that backs off more often than this is not followed further.
        const DEEPEST: u32 = 255;
        let mut depth = 0;
        while depth < DEEPEST && self.nodes[id as usize].shorter != NONE {
            id = self.nodes[id as usize].shorter;
            depth += 1;
        }
        depth
    }

    /// The nodes of a position, shorter contexts first, and the place of the first.
    #[inline]
    pub(super) fn at(&self, position: u32) -> (u32, &[u32]) {
        let (first, end) = (
            self.first[position as usize],
            self.first[position as usize + 1],
        );
        (first, &self.order[first as usize..end as usize])
    }

    /// The node at a place in the order.
    #[inline]
    pub(super) fn node_at(&self, place: usize) -> u32 {
        self.order[place]
    }

    /// The steps without words from a node.
    pub(super) fn silent_steps(&self, node: u32) -> &[(u32, Arc, u32)] {
        let start = self.silent.partition_point(|&(from, _, _)| from < node);
        let rest = &self.silent[start..];
        &rest[..rest.partition_point(|&(from, _, _)| from == node)]
    }

    /// The hits of a node.
    #[inline]
    pub(super) fn hits_of(&self, node: u32) -> &[Hit] {
        let (start, end) = self.nodes[node as usize].hits;
        &self.hits[start as usize..end as usize]
    }

    /// Where each of the arcs leads after a hit; none if the word is impossible.
    #[inline]
    pub(super) fn targets_of<'a>(&'a self, hit: &'a Hit) -> &'a [u32] {
        match hit.arcs {
            1 => std::slice::from_ref(&hit.target),
            arcs => &self.targets[hit.target as usize..][..arcs as usize],
        }
    }

    /// The best value over the arcs of a hit.
    #[inline]
    pub(super) fn value(&self, network: &Network, hit: &Hit) -> f64 {
        let value = |arc: &Arc, target: u32| arc.weight + self.potential[target as usize];
        if hit.arcs == 1 {
            return value(&network.arcs[hit.arc as usize], hit.target);
        }
        let arcs = &network.arcs[hit.arc as usize..][..hit.arcs as usize];
        let values = arcs.iter().zip(self.targets_of(hit));
        values.fold(f64::NEG_INFINITY, |best, (arc, &target)| {
            best.max(value(arc, target))
        })
    }
}
