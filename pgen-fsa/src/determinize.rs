//! Determinisation and minimisation. Acyclic automata always have a deterministic form, if an
//! exponential one.

use crate::error::Result;
use crate::fsa::{Fsa, StateId, Transition};
use crate::symbols::Label;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use pgen_core::{Limits, Stop, Ticker};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::hash::{Hash, Hasher};

/// States that one string leads to, each with what the best path there lacks to the best of all.
type Subset = SmallVec<[(u32, f32); 4]>;

impl Fsa {
    /// The deterministic automaton of the same strings, each with the weight of its best path. ε is removed
    /// first.
    ///
    /// Output-sensitive: O(size of the subsets made · log). An automaton that is deterministic already is
    /// copied.
    ///
    /// # Errors
    /// [`LimitExceeded`](pgen_core::Error::LimitExceeded) above `limits.nodes` states, `limits.edges`
    /// transitions or `limits.states` entries of subsets; as [`Fsa::remove_epsilon`]; what `stop` says.
    pub fn determinize(&self, limits: &Limits, stop: &Stop) -> Result<Fsa> {
        let plain = self.without_epsilon(limits, stop)?;
        if plain.is_deterministic() {
            return Ok(plain.into_owned());
        }
        let mut subsets = Subsets::new(Cow::Borrowed(&plain), limits);
        let mut transitions = Vec::with_capacity(plain.transitions.len());
        let mut finals = Vec::with_capacity(plain.state_count());
        let mut ticker = stop.ticker();
        let mut at = 0;
        while at < subsets.len() {
            ticker.tick()?;
            let from = StateId::new(at as u32);
            finals.push(subsets.last(from) as f32);
            subsets.expand(from, &mut ticker, |label, to, weight| {
                transitions.push(Transition {
                    from,
                    label,
                    to,
                    weight,
                });
            })?;
            at += 1;
            let (what, limit) = ("transitions of the deterministic automaton", limits.edges);
            Limits::check(what, transitions.len(), limit)?;
        }
        let symbols = self.symbols.clone();
        Fsa::assemble(symbols, transitions, &finals, StateId::new(0))
    }
}

/// States of a deterministic automaton that are made as they are asked for; 0 is the start.
#[derive(Debug)]
pub(crate) struct Subsets<'a> {
    fsa: Cow<'a, Fsa>,
    limits: Limits,
    subsets: Vec<Subset>,
    /// By content.
    known: HashTable<u32>,
    /// Entries of all subsets.
    entries: usize,
    /// Scratch: label, target, weight.
    reads: Vec<(Label, u32, f32)>,
}

impl<'a> Subsets<'a> {
    /// Of an automaton without ε.
    pub(crate) fn new(fsa: Cow<'a, Fsa>, limits: &Limits) -> Self {
        Subsets {
            fsa,
            limits: limits.clone(),
            subsets: vec![SmallVec::from_slice(&[(0, 0.0)])],
            known: HashTable::new(),
            entries: 1,
            reads: Vec::new(),
        }
    }

    fn len(&self) -> usize {
        self.subsets.len()
    }

    /// The weight of stopping in a state; −∞ if it is not final.
    pub(crate) fn last(&self, at: StateId) -> f64 {
        self.best(at, |state| self.fsa.finals[state].into())
    }

    /// The best of a value of the states within, each less what its path lacks.
    pub(crate) fn best(&self, at: StateId, value: impl Fn(usize) -> f64) -> f64 {
        let within = self.subsets[at.index()].iter();
        let values = within.map(|&(state, lack)| value(state as usize) + f64::from(lack));
        values.fold(f64::NEG_INFINITY, f64::max)
    }

    /// The transitions out of a state, ascending by label.
    pub(crate) fn expand(
        &mut self,
        at: StateId,
        ticker: &mut Ticker<'_>,
        mut found: impl FnMut(Label, StateId, f32),
    ) -> Result<()> {
        let mut reads = std::mem::take(&mut self.reads);
        reads.clear();
        for &(state, lack) in &self.subsets[at.index()] {
            ticker.tick()?;
            let out = self.fsa.out(StateId::new(state));
            reads.extend(out.iter().map(|t| (t.label, t.to.raw(), t.weight + lack)));
        }
        if self.subsets[at.index()].len() > 1 {
            reads.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(b.2.total_cmp(&a.2)));
        }
        for alike in reads.chunk_by(|a, b| a.0 == b.0) {
            ticker.tick()?;
            let mut subset = Subset::new();
            let mut best = f32::NEG_INFINITY;
            for &(_, to, weight) in alike {
                best = best.max(weight);
                if subset.last().is_none_or(|last| last.0 != to) {
                    subset.push((to, weight));
                }
            }
            for (_, weight) in &mut subset {
                // Impossible paths stay impossible, and −∞ − −∞ must not arise.
                *weight = if *weight == best { 0.0 } else { *weight - best };
            }
            found(alike[0].0, self.number(subset)?, best);
        }
        self.reads = reads;
        Ok(())
    }

    fn number(&mut self, subset: Subset) -> Result<StateId> {
        let Subsets { known, subsets, .. } = self;
        let same = |&at: &u32| alike(&subsets[at as usize], &subset);
        match known.entry(hash(&subset), same, |&at| hash(&subsets[at as usize])) {
            Entry::Occupied(found) => Ok(StateId::new(*found.get())),
            Entry::Vacant(free) => {
                let number = subsets.len() as u32;
                free.insert(number);
                self.entries += subset.len();
                subsets.push(subset);
                let (what, limit) = ("states of the deterministic automaton", self.limits.nodes);
                Limits::check(what, subsets.len(), limit)?;
                let (what, limit) = ("entries of subsets of states", self.limits.states);
                Limits::check(what, self.entries, limit)?;
                Ok(StateId::new(number))
            }
        }
    }
}

fn alike(a: &Subset, b: &Subset) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| a.0 == b.0 && a.1.to_bits() == b.1.to_bits())
}

/// A fixed, fast hash of words of 32 bits.
#[derive(Default)]
struct Fixed(u64);

impl Hasher for Fixed {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u32(&mut self, word: u32) {
        self.0 = (self.0.rotate_left(23) ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(&self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ (mixed >> 32)
    }
}

fn hash(subset: &Subset) -> u64 {
    let mut hasher = Fixed::default();
    for &(state, lack) in subset {
        hasher.write_u32(state);
        hasher.write_u32(lack.to_bits());
    }
    hasher.finish()
}

impl Fsa {
    /// The smallest deterministic automaton of the same strings and weights: determinises if need be,
    /// moves weights towards the start, and merges states with equal futures (Revuz 1992), O(transitions)
    /// for what is deterministic already.
    ///
    /// # Errors
    /// As [`Fsa::determinize`].
    pub fn minimize(&self, limits: &Limits, stop: &Stop) -> Result<Fsa> {
        let mut fsa = self.determinize(limits, stop)?;
        fsa.push_weights();
        let count = fsa.state_count();
        let mut class = vec![u32::MAX; count];
        // By content of a state: its class, which is the number of the first state met with it.
        let mut known: HashTable<u32> = HashTable::with_capacity(count);
        for state in (0..count as u32).rev() {
            let key = |class: &[u32], state: u32| signature(&fsa, class, state);
            let same = |&other: &u32| equal_futures(&fsa, &class, other, state);
            let entry = known.entry(key(&class, state), same, |&other| key(&class, other));
            class[state as usize] = match entry {
                Entry::Occupied(found) => *found.get(),
                Entry::Vacant(free) => {
                    free.insert(state);
                    state
                }
            };
        }
        Ok(fsa.quotient(&class))
    }

    /// Moves each state's best future towards the start. Sums of weights along paths stay the same up to
    /// rounding; automata without weights are not touched.
    fn push_weights(&mut self) {
        let plain = |weight: &f32| *weight == 0.0 || *weight == f32::NEG_INFINITY;
        if self.finals.iter().all(plain) && self.transitions.iter().all(|t| t.weight == 0.0) {
            return;
        }
        let mut best = vec![f32::NEG_INFINITY; self.state_count()];
        for state in (0..self.state_count()).rev() {
            let out = self.out(StateId::new(state as u32)).iter();
            let futures = out.map(|t| t.weight + best[t.to.index()]);
            best[state] = futures.fold(self.finals[state], f32::max);
        }
        let finite = |weight: f32| {
            if weight == f32::NEG_INFINITY {
                0.0
            } else {
                weight
            }
        };
        for transition in &mut self.transitions {
            let start = transition.from == StateId::new(0);
            let before = if start {
                0.0
            } else {
                finite(best[transition.from.index()])
            };
            transition.weight += finite(best[transition.to.index()]) - before;
        }
        for (state, weight) in self.finals.iter_mut().enumerate().skip(1) {
            *weight -= finite(best[state]);
        }
    }

    /// The automaton of classes, each named by its last state.
    fn quotient(&self, class: &[u32]) -> Fsa {
        let mut number = vec![u32::MAX; class.len()];
        let mut next = 0;
        let mut order: Vec<u32> = Vec::new();
        let mut open = std::collections::VecDeque::from([class[0]]);
        number[class[0] as usize] = 0;
        while let Some(state) = open.pop_front() {
            order.push(state);
            for transition in self.out(StateId::new(state)) {
                let to = class[transition.to.index()];
                if number[to as usize] == u32::MAX {
                    next += 1;
                    number[to as usize] = next;
                    open.push_back(to);
                }
            }
        }
        let mut transitions = Vec::new();
        for &state in &order {
            let from = StateId::new(number[state as usize]);
            let to = |t: &Transition| StateId::new(number[class[t.to.index()] as usize]);
            let out = self.out(StateId::new(state)).iter();
            transitions.extend(out.map(|t| Transition {
                from,
                to: to(t),
                ..*t
            }));
        }
        let finals: Vec<f32> = order
            .iter()
            .map(|&state| self.finals[state as usize])
            .collect();
        // Cannot fail: a quotient by equal futures of an acyclic automaton is acyclic.
        Fsa::assemble(self.symbols.clone(), transitions, &finals, StateId::new(0))
            .unwrap_or_else(|_| self.clone())
    }
}

fn signature(fsa: &Fsa, class: &[u32], state: u32) -> u64 {
    let mut hasher = Fixed::default();
    (fsa.finals[state as usize] + 0.0)
        .to_bits()
        .hash(&mut hasher);
    for transition in fsa.out(StateId::new(state)) {
        hasher.write_u32(transition.label.raw());
        hasher.write_u32(class[transition.to.index()]);
        hasher.write_u32((transition.weight + 0.0).to_bits());
    }
    hasher.finish()
}

fn equal_futures(fsa: &Fsa, class: &[u32], a: u32, b: u32) -> bool {
    let (x, y) = (fsa.out(StateId::new(a)), fsa.out(StateId::new(b)));
    let same = |(x, y): (&Transition, &Transition)| {
        x.label == y.label && class[x.to.index()] == class[y.to.index()] && x.weight == y.weight
    };
    fsa.finals[a as usize] == fsa.finals[b as usize]
        && x.len() == y.len()
        && x.iter().zip(y).all(same)
}
