//! The automaton: acyclic, trimmed, in topological order.

use crate::symbols::{Label, Symbols};
use std::sync::Arc;

/// A state of an [`Fsa`]; numbers ascend along transitions, the start is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct StateId(u32);

impl StateId {
    /// The state of this number.
    #[inline]
    #[must_use]
    pub const fn new(raw: u32) -> Self {
        StateId(raw)
    }

    /// The number.
    #[inline]
    #[must_use]
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// The number as a position.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A transition between two states.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Transition {
    /// Where it starts.
    pub from: StateId,
    /// What it reads or writes.
    pub label: Label,
    /// Where it ends; always a higher number.
    pub to: StateId,
    /// Its score, a natural log; 0 where automata are unweighted. Higher is better.
    pub weight: f32,
}

/// An acyclic finite-state acceptor over words.
///
/// States are numbered topologically, the start is 0, and each lies on a path from the start to a final
/// state; the automaton of no string at all is one state that is not final. Transitions are sorted by
/// state, label (by its text) and target; there are no two alike. Made by an
/// [`FsaBuilder`](crate::FsaBuilder), never changed.
#[derive(Clone, Debug)]
pub struct Fsa {
    pub(crate) symbols: Arc<Symbols>,
    pub(crate) transitions: Vec<Transition>,
    /// `first[s]..first[s + 1]` are the transitions out of s.
    pub(crate) first: Vec<u32>,
    /// Weight of stopping in each state; −∞ where it is not final.
    pub(crate) finals: Vec<f32>,
}

impl Fsa {
    /// The automaton without any string.
    #[must_use]
    pub fn empty(symbols: Arc<Symbols>) -> Self {
        let finals = vec![f32::NEG_INFINITY];
        Fsa {
            symbols,
            transitions: Vec::new(),
            first: vec![0, 0],
            finals,
        }
    }

    /// Its labels.
    #[must_use]
    pub fn symbols(&self) -> &Arc<Symbols> {
        &self.symbols
    }

    /// Number of states; at least 1.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.finals.len()
    }

    /// All states in topological order.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + use<> {
        (0..self.finals.len() as u32).map(StateId)
    }

    /// The state where every path starts.
    #[must_use]
    pub fn start(&self) -> StateId {
        StateId(0)
    }

    /// All transitions, ascending by the state they leave.
    #[must_use]
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// The transitions out of a state, ascending by label.
    #[must_use]
    pub fn out(&self, state: StateId) -> &[Transition] {
        let start = self.first.get(state.index()).copied().unwrap_or(0) as usize;
        let end = self
            .first
            .get(state.index() + 1)
            .map_or(start, |&end| end as usize);
        self.transitions.get(start..end).unwrap_or(&[])
    }

    /// The weight of stopping in a state; `None` if it is not final.
    #[must_use]
    pub fn final_weight(&self, state: StateId) -> Option<f32> {
        self.finals
            .get(state.index())
            .copied()
            .filter(|&weight| weight > f32::NEG_INFINITY)
    }

    /// True if a path may end here.
    #[must_use]
    pub fn is_final(&self, state: StateId) -> bool {
        self.final_weight(state).is_some()
    }

    /// The final states.
    pub fn finals(&self) -> impl Iterator<Item = StateId> {
        self.states().filter(|&state| self.is_final(state))
    }

    /// The word of a label.
    #[must_use]
    pub fn text(&self, label: Label) -> &str {
        self.symbols.text(label)
    }

    /// True if no two paths read the same string: no ε, and labels differ within each state.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        let alike =
            |pair: &[Transition]| pair[0].from == pair[1].from && pair[0].label == pair[1].label;
        !self.has_epsilon() && !self.transitions.windows(2).any(alike)
    }

    /// True if a transition has no word.
    #[must_use]
    pub fn has_epsilon(&self) -> bool {
        self.transitions
            .iter()
            .any(|transition| transition.label.is_epsilon())
    }

    /// True if some path reads these words.
    #[must_use]
    pub fn accepts<S: AsRef<str>>(&self, words: &[S]) -> bool {
        let mut here = self.closure(vec![self.start()]);
        for word in words {
            let Some(label) = self.symbols.label(word.as_ref()) else {
                return false;
            };
            let mut next = Vec::new();
            for &state in &here {
                let reads = self
                    .out(state)
                    .iter()
                    .filter(|transition| transition.label == label);
                next.extend(reads.map(|transition| transition.to));
            }
            here = self.closure(next);
        }
        here.iter().any(|&state| self.is_final(state))
    }

    /// The states reached by ε from these, sorted.
    fn closure(&self, mut states: Vec<StateId>) -> Vec<StateId> {
        states.sort_unstable();
        states.dedup();
        let mut at = 0;
        while at < states.len() {
            for transition in self
                .out(states[at])
                .iter()
                .take_while(|t| t.label.is_epsilon())
            {
                // Targets have higher numbers: they belong behind the current place.
                if let Err(place) = states.binary_search(&transition.to) {
                    states.insert(place, transition.to);
                }
            }
            at += 1;
        }
        states
    }

    /// The words of each path in order of the paths, at most `limit` paths. A string that several paths
    /// write comes as often.
    #[must_use]
    pub fn paths(&self, limit: usize) -> Vec<Vec<Label>> {
        let mut found = Vec::new();
        let mut words: Vec<Label> = Vec::new();
        // A state to look at, with the words before it; `None` leaves a transition again.
        let mut open: Vec<Option<Transition>> = Vec::new();
        let visit = |state: StateId,
                     words: &[Label],
                     open: &mut Vec<Option<Transition>>,
                     found: &mut Vec<_>| {
            if self.is_final(state) && found.len() < limit {
                found.push(
                    words
                        .iter()
                        .copied()
                        .filter(|label| !label.is_epsilon())
                        .collect(),
                );
            }
            for &transition in self.out(state).iter().rev() {
                open.push(None);
                open.push(Some(transition));
            }
        };
        visit(self.start(), &words, &mut open, &mut found);
        while let Some(next) = open.pop() {
            if found.len() >= limit {
                break;
            }
            match next {
                Some(transition) => {
                    words.push(transition.label);
                    visit(transition.to, &words, &mut open, &mut found);
                }
                None => {
                    words.pop();
                }
            }
        }
        found
    }

    /// The different strings of the first `limit` paths, sorted.
    #[must_use]
    pub fn strings(&self, limit: usize) -> Vec<String> {
        let mut paths = self.paths(limit);
        paths.sort_unstable();
        paths.dedup();
        let text = |path: Vec<Label>| {
            let words: Vec<_> = path.iter().map(|&label| self.text(label)).collect();
            words.join(" ")
        };
        let mut strings: Vec<String> = paths.into_iter().map(text).collect();
        strings.sort_unstable();
        strings
    }
}
