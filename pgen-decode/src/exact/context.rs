//! Language-model states as small numbers, each with its shorter state.

use super::network::NONE;
use super::table::{Index, hash_of};
use pgen_core::{LanguageModel, LogProb};
use std::hash::Hash;

/// A model that backs off more often than this is not followed further.
const DEEPEST: u32 = 255;

/// What is known of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The state that answers what this one does not list, or `NONE`.
    pub(super) shorter: u32,
    /// The number of shorter states behind it; `NONE` until known.
    pub(super) depth: u32,
    /// What asking the shorter one costs.
    pub(super) weight: LogProb,
    /// The last position where it got a slot, and which.
    pub(super) position: u32,
    pub(super) slot: u32,
}

/// Distinct states with their links to shorter ones, without the states themselves.
#[derive(Debug, Default)]
pub(super) struct Contexts {
    pub(super) links: Vec<Link>,
    index: Index,
}

impl Contexts {
    pub(super) fn clear(&mut self) {
        self.links.clear();
        self.index.clear();
    }

    /// The number of a state; `states` holds all numbered ones.
    #[inline]
    pub(super) fn number<S: Clone + Eq + Hash>(&mut self, states: &mut Vec<S>, state: &S) -> u32 {
        let new = states.len() as u32;
        let same = |id: u32| states[id as usize] == *state;
        let id = self.index.find_or_insert(hash_of(state), new, same);
        if id == new {
            states.push(state.clone());
            self.links.push(Link {
                shorter: NONE,
                depth: NONE,
                weight: LogProb::ONE,
                position: NONE,
                slot: NONE,
            });
        }
        id
    }

    /// Finds the shorter states of all from number `first` on, and theirs in turn. `some` is scratch.
    pub(super) fn link<L: LanguageModel>(
        &mut self,
        language: &L,
        states: &mut Vec<L::State>,
        first: usize,
        some: &mut Vec<L::State>,
    ) {
        let mut none = Vec::new();
        let (mut from, mut rounds) = (first, 0);
        while from < states.len() && rounds < DEEPEST {
            let round = from..states.len();
            from = round.end;
            rounds += 1;
            some.clear();
            for id in round.clone() {
                if let Some((shorter, weight)) = language.row(&states[id], &[], &mut none) {
                    // The place in `some` until all are there.
                    self.links[id].shorter = some.len() as u32;
                    self.links[id].weight = weight;
                    some.push(shorter);
                }
            }
            language.prefetch(some, &[]);
            for id in round {
                if let Some(shorter) = some.get(self.links[id].shorter as usize) {
                    self.links[id].shorter = self.number(states, shorter);
                }
            }
        }
        for id in first as u32..states.len() as u32 {
            self.set_depths(id);
        }
    }

    /// Depths of a state and of those behind it that have none yet.
    fn set_depths(&mut self, first: u32) {
        let (mut known, mut steps) = (first, 0);
        while let Some(link) = self.links.get(known as usize)
            && link.depth == NONE
            && steps <= DEEPEST
        {
            known = link.shorter;
            steps += 1;
        }
        let behind = self.links.get(known as usize).map(|link| link.depth);
        let behind = behind.filter(|&depth| depth != NONE);
        let mut depth = behind.map_or(0, |depth| depth + 1) + steps;
        let mut at = first;
        for _ in 0..steps {
            depth -= 1;
            let link = &mut self.links[at as usize];
            link.depth = depth;
            at = link.shorter;
        }
    }
}
