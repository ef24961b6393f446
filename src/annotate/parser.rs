//! Dependency parsing by beam search over transitions, with relations chosen as each arc is made.

use super::feature::signature;
use super::look::Look;
use super::perceptron::Perceptron;
use super::tagger::best;
use super::transition::{Chart, Item, Move, State};
use super::view::{Atoms, GROUPS, Parts, arc_features};
use super::weights::{MoveWeights, Weights};
use hashbrown::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Scores features for the three moves.
pub(crate) trait MoveScorer {
    /// What `features` holds afterwards means nothing.
    fn add(&self, features: &mut [u32], scores: &mut [i32; 3]);
}

impl MoveScorer for MoveWeights {
    #[inline]
    fn add(&self, features: &mut [u32], scores: &mut [i32; 3]) {
        self.score(features, scores);
    }
}

impl MoveScorer for Perceptron {
    #[inline]
    fn add(&self, features: &mut [u32], scores: &mut [i32; 3]) {
        self.score(features, scores);
    }
}

/// Chooses the relation of an arc.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labeller {
    pub(crate) weights: Weights,
    pub(crate) relations: usize,
}

impl Labeller {
    fn relation(
        &self,
        atoms: &Atoms,
        (head, dependent): (Item, Item),
        scratch: &mut Scratch,
    ) -> u8 {
        let signature = signature(head.print, dependent.print);
        if let Some(&known) = scratch.relations.get(&signature) {
            return known;
        }
        arc_features(atoms, &head, &dependent, &mut scratch.keys);
        let mut scores = [0; 256];
        self.weights.score(&mut scratch.keys, &mut scores);
        let relation = best(&scores[..self.relations.min(256)]) as u8;
        scratch.relations.insert(signature, relation);
        relation
    }
}

/// Maps by what is a hash already.
type Memory<T> = HashMap<u64, T, BuildHasherDefault<Signature>>;

#[derive(Clone, Copy, Debug, Default)]
struct Signature(u64);

impl Hasher for Signature {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = signature(self.0, byte.into());
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

#[derive(Debug, Default)]
struct Scratch {
    keys: Vec<u32>,
    /// What is known of this sentence: scores of parts of states, relations of arcs.
    parts: Memory<[i32; 3]>,
    relations: Memory<u8>,
}

/// How many states go on: at most `width`, and none that lies more than `margin` behind the best.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Breadth {
    pub(crate) width: usize,
    pub(crate) margin: i64,
}

/// A way on from a state of the beam.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    score: i64,
    from: u32,
    by: Move,
}

/// The search over one sentence at a time; its memory is used again.
#[derive(Debug, Default)]
pub(crate) struct Search {
    pub(crate) atoms: Atoms,
    pub(crate) chart: Chart,
    pub(crate) beam: Vec<u32>,
    candidates: Vec<Candidate>,
    scratch: Scratch,
}

impl Search {
    /// Begins a sentence.
    pub(crate) fn start(&mut self, looks: &[Look], tags: &[u8]) {
        self.atoms.set(looks, tags);
        self.chart.start(looks.len());
        self.scratch.parts.clear();
        self.scratch.relations.clear();
        self.beam.clear();
        self.beam.push(0);
    }

    /// The scores of the three moves in a state.
    pub(crate) fn scores(&mut self, state: &State, scorer: &impl MoveScorer) -> [i32; 3] {
        let parts = Parts::new(&self.chart, state);
        let Scratch {
            keys, parts: known, ..
        } = &mut self.scratch;
        let mut sum = [0; 3];
        for group in 0..GROUPS {
            let scores = known.entry(parts.signature(group)).or_insert_with(|| {
                let mut scores = [0; 3];
                keys.clear();
                parts.features(group, &self.atoms, keys);
                scorer.add(keys, &mut scores);
                scores
            });
            for (sum, score) in sum.iter_mut().zip(scores) {
                *sum += *score;
            }
        }
        sum
    }

    /// The features of a state.
    pub(crate) fn features(&self, state: u32, keys: &mut Vec<u32>) {
        keys.clear();
        if let Some(state) = self.chart.states.get(state as usize) {
            let parts = Parts::new(&self.chart, state);
            for group in 0..GROUPS {
                parts.features(group, &self.atoms, keys);
            }
        }
    }

    /// Makes a move and chooses its relation; the new state.
    pub(crate) fn make(&mut self, from: u32, by: Move, score: i64, labeller: &Labeller) -> u32 {
        let state = self.chart.states[from as usize];
        let relation = match self.chart.arc(&state, by) {
            Some(arc) => labeller.relation(&self.atoms, arc, &mut self.scratch),
            None => u8::MAX,
        };
        self.chart.make(from, by, relation, score)
    }

    /// Keeps a candidate in its place among the best `width`, behind those of equal score.
    fn offer(&mut self, candidate: Candidate, width: usize) {
        let behind = |kept: &Candidate| kept.score >= candidate.score;
        let place = self
            .candidates
            .iter()
            .rposition(behind)
            .map_or(0, |at| at + 1);
        if place < width {
            self.candidates.truncate(width - 1);
            self.candidates.insert(place, candidate);
        }
    }

    /// One step of every state in the beam; the best go on, ties by place in the beam and move.
    pub(crate) fn step(&mut self, breadth: Breadth, scorer: &impl MoveScorer, labeller: &Labeller) {
        self.candidates.clear();
        for index in 0..self.beam.len() {
            let from = self.beam[index];
            let state = self.chart.states[from as usize];
            let allowed = Move::ALL.map(|by| self.chart.allows(&state, by));
            let forced = allowed.iter().filter(|&&a| a).count() == 1 && self.beam.len() == 1;
            let scores = if forced {
                [0; 3]
            } else {
                self.scores(&state, scorer)
            };
            for by in Move::ALL {
                if allowed[by as usize] {
                    let score = state.score + i64::from(scores[by as usize]);
                    self.offer(Candidate { score, from, by }, breadth.width);
                }
            }
        }
        if let Some(top) = self.candidates.first() {
            let least = top.score.saturating_sub(breadth.margin);
            self.candidates.retain(|candidate| candidate.score >= least);
        }
        self.beam.clear();
        for index in 0..self.candidates.len() {
            let Candidate { score, from, by } = self.candidates[index];
            let made = self.make(from, by, score, labeller);
            self.beam.push(made);
        }
    }
}

/// A trained parser.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parser {
    pub(crate) weights: MoveWeights,
    pub(crate) labeller: Labeller,
}

impl Parser {
    /// Heads (the number of words stands for the root) and relations. O(words × width).
    pub(crate) fn parse(
        &self,
        looks: &[Look],
        tags: &[u8],
        breadth: Breadth,
        search: &mut Search,
    ) -> (Vec<u32>, Vec<u8>) {
        search.start(looks, tags);
        for _ in 0..2 * looks.len() {
            search.step(breadth, &self.weights, &self.labeller);
        }
        let last = search.beam.first().copied().unwrap_or(0);
        search.chart.arcs(last)
    }
}
