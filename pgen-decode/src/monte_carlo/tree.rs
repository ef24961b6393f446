//! The tree of states: which were explored, and how their actions fared.

use super::bandit::{Range, Stats};
use super::moves::{Applied, Moves};
use hashbrown::HashMap;
use pgen_core::{SplitMix64, WordId};

/// The action that ends a text, and no child.
pub(super) const STOP: u32 = u32::MAX;

/// An action at a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    pub(super) action: u32,
    child: u32,
    pub(super) stats: Stats,
}

/// A state: several sets of rules if they write the same text.
#[derive(Debug)]
pub(super) struct Node {
    /// Sets whose used words do not include another's.
    pub(super) variants: Vec<Applied>,
    /// Ascending by action, the end of the text last; empty until the node is explored.
    pub(super) arms: Vec<Arm>,
    pub(super) visits: u64,
}

/// What makes two states the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Merge {
    /// The text.
    Text,
    /// The rules applied.
    Rules,
}

#[derive(Debug)]
pub(super) struct Tree<'a> {
    moves: &'a Moves<'a>,
    merge: Merge,
    pub(super) nodes: Vec<Node>,
    by_text: HashMap<Vec<WordId>, u32>,
    by_rules: HashMap<Vec<u32>, u32>,
    /// Arms of all nodes.
    arms: usize,
    /// Bytes of all texts, sets of rules and their variants.
    stored: usize,
}

impl<'a> Tree<'a> {
    /// A tree with the root, node 0, in which nothing is applied.
    pub(super) fn new(moves: &'a Moves<'a>, merge: Merge) -> Self {
        let mut tree = Tree {
            moves,
            merge,
            nodes: Vec::new(),
            by_text: HashMap::new(),
            by_rules: HashMap::new(),
            arms: 0,
            stored: 0,
        };
        tree.node(moves.nothing());
        tree
    }

    /// Bytes in use, about.
    pub(super) fn bytes(&self) -> usize {
        /// Beside a node: its place among all texts or sets of rules.
        const BESIDE: usize = 2 * size_of::<(Vec<WordId>, u32)>();
        self.nodes.len() * (size_of::<Node>() + BESIDE) + self.arms * size_of::<Arm>() + self.stored
    }

    /// The node of a set of rules, which is added if it is new.
    fn node(&mut self, applied: Applied) -> u32 {
        let new = self.nodes.len() as u32;
        let (id, key) = match self.merge {
            Merge::Text => {
                let text = self.moves.text(&applied);
                let key = size_of_val(text.as_slice());
                (*self.by_text.entry(text).or_insert(new), key)
            }
            Merge::Rules => {
                let rules = applied.actions.to_vec();
                let key = size_of_val(rules.as_slice());
                (*self.by_rules.entry(rules).or_insert(new), key)
            }
        };
        if id == new {
            self.stored += key;
            self.nodes.push(Node {
                variants: Vec::new(),
                arms: Vec::new(),
                visits: 0,
            });
        }
        self.add_variant(id, applied);
        id
    }

    /// Adds a set to a node unless it uses up what another one does and more.
    fn add_variant(&mut self, id: u32, applied: Applied) {
        let within =
            |a: &Applied, b: &Applied| a.mask.iter().zip(&b.mask).all(|(a, b)| a & !b == 0);
        let node = &mut self.nodes[id as usize];
        if node.variants.iter().any(|known| within(known, &applied)) {
            return;
        }
        node.variants.retain(|known| !within(&applied, known));
        self.stored += size_of::<Applied>()
            + size_of_val(applied.mask.as_slice())
            + size_of_val(applied.actions.as_slice());
        node.variants.push(applied);
        if !node.arms.is_empty() {
            self.open(id);
        }
    }

    /// Lists the actions of a node; those known keep their statistics.
    pub(super) fn open(&mut self, id: u32) {
        let moves = self.moves;
        let node = &mut self.nodes[id as usize];
        let actions = (0..moves.actions.len() as u32)
            .filter(|&action| node.variants.iter().any(|v| moves.is_free(&v.mask, action)));
        let stop = (self.merge == Merge::Text).then_some(STOP);
        let old = std::mem::take(&mut node.arms);
        let arm = |action| {
            let known = old.binary_search_by_key(&action, |arm: &Arm| arm.action);
            known.map_or(
                Arm {
                    action,
                    child: STOP,
                    stats: Stats::NEW,
                },
                |at| old[at],
            )
        };
        node.arms = actions.chain(stop).map(arm).collect();
        // Memory that is not taken need not be given back when time is up.
        node.arms.shrink_to_fit();
        self.arms += node.arms.len() - old.len();
    }

    /// The node behind an arm.
    pub(super) fn follow(&mut self, id: u32, arm: usize) -> u32 {
        let Arm { action, child, .. } = self.nodes[id as usize].arms[arm];
        if child != STOP {
            return child;
        }
        let variants = self.nodes[id as usize].variants.iter();
        let applied = variants
            .filter(|variant| self.moves.is_free(&variant.mask, action))
            .map(|variant| self.moves.apply(variant, action))
            .next();
        let Some(applied) = applied else { return id };
        let child = self.node(applied);
        // Opening the child may have listed this node's arms anew.
        let arms = &mut self.nodes[id as usize].arms;
        if let Ok(at) = arms.binary_search_by_key(&action, |arm| arm.action) {
            arms[at].child = child;
        }
        child
    }

    /// The arm to take: a random untried one while there are any, then the most promising, the first
    /// of equals.
    pub(super) fn choose(
        &self,
        id: u32,
        range: Range,
        rave_visits: f64,
        rng: &mut SplitMix64,
    ) -> Option<usize> {
        let node = &self.nodes[id as usize];
        let untried = |arm: &&Arm| arm.stats.visits == 0;
        let count = node.arms.iter().filter(untried).count();
        if let Some(pick) = rng_index(rng, count) {
            let mut places = (0..node.arms.len()).filter(|&at| node.arms[at].stats.visits == 0);
            return places.nth(pick);
        }
        let mut best = None;
        for (at, arm) in node.arms.iter().enumerate() {
            let index = arm.stats.index(range, node.visits, rave_visits);
            if best.is_none_or(|(_, most)| index > most) {
                best = Some((at, index));
            }
        }
        best.map(|(at, _)| at)
    }

    /// Enters an episode's reward at a node: the arm taken, and all later actions that the node has.
    pub(super) fn update(&mut self, id: u32, arm_action: u32, later: &[u32], reward: f64) {
        let node = &mut self.nodes[id as usize];
        node.visits += 1;
        if let Ok(at) = node
            .arms
            .binary_search_by_key(&arm_action, |arm| arm.action)
        {
            node.arms[at].stats.add(reward);
        }
        for action in later {
            if let Ok(at) = node.arms.binary_search_by_key(action, |arm| arm.action) {
                let stats = &mut node.arms[at].stats;
                stats.rave = stats.rave.max(reward);
            }
        }
    }

    /// The arm with the largest reward; of equals the most visited, then the first.
    pub(super) fn best_arm(&self, id: u32) -> Option<usize> {
        let arms = self.nodes[id as usize].arms.iter().enumerate();
        let tried = arms.filter(|(_, arm)| arm.stats.visits > 0);
        let best = tried.max_by(|(i, a), (j, b)| {
            let by_reward = a.stats.most.total_cmp(&b.stats.most);
            let by_visits = a.stats.visits.cmp(&b.stats.visits);
            by_reward.then(by_visits).then(j.cmp(i))
        });
        best.map(|(at, _)| at)
    }
}

fn rng_index(rng: &mut SplitMix64, count: usize) -> Option<usize> {
    rng.index(count)
}
