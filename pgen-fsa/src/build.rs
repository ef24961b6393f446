//! Building automata and proving their invariants.

use crate::error::{Error, Result};
use crate::fsa::{Fsa, StateId, Transition};
use crate::order::Kahn;
use crate::symbols::{Interner, Label, Symbols};
use pgen_core::Limits;
use std::sync::Arc;

/// Collects states and transitions in any order; then checks, trims and orders them.
///
/// ```
/// use pgen_fsa::FsaBuilder;
///
/// let mut builder = FsaBuilder::new(&Default::default());
/// let states: Vec<_> = (0..3).map(|_| builder.add_state()).collect::<Result<_, _>>()?;
/// builder.add(states[0], "good", states[1])?;
/// builder.add(states[0], "nice", states[1])?;
/// builder.add(states[1], "day", states[2])?;
/// builder.set_final(states[2], 0.0)?;
/// let fsa = builder.build(states[0])?;
/// assert_eq!(fsa.strings(10), ["good day", "nice day"]);
/// # Ok::<(), pgen_fsa::Error>(())
/// ```
#[derive(Debug)]
pub struct FsaBuilder {
    interner: Interner,
    transitions: Vec<(u32, u32, u32, f32)>,
    finals: Vec<f32>,
    limits: Limits,
}

impl FsaBuilder {
    /// Nothing yet; the limits on nodes and edges hold for states and transitions.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        FsaBuilder {
            interner: Interner::default(),
            transitions: Vec::new(),
            finals: Vec::new(),
            limits: limits.clone(),
        }
    }

    /// Adds a state that is not final.
    ///
    /// # Errors
    /// [`LimitExceeded`](pgen_core::Error::LimitExceeded) above `limits.nodes`.
    pub fn add_state(&mut self) -> Result<StateId> {
        let limit = self.limits.nodes.min(u32::MAX as usize - 1);
        Limits::check("number of states", self.finals.len() + 1, limit)?;
        self.finals.push(f32::NEG_INFINITY);
        Ok(StateId::new(self.finals.len() as u32 - 1))
    }

    /// Adds a transition without weight.
    ///
    /// # Errors
    /// As [`FsaBuilder::add_weighted`].
    pub fn add(&mut self, from: StateId, word: &str, to: StateId) -> Result<()> {
        self.add_weighted(from, Some(word), to, 0.0)
    }

    /// Adds a transition; `None` is ε. One of weight −∞ is impossible, and none.
    ///
    /// # Errors
    /// [`Error::UnknownState`], [`Error::BadLabel`] for a word with white space, [`Error::BadWeight`] for
    /// NaN and +∞, [`LimitExceeded`](pgen_core::Error::LimitExceeded) above `limits.edges`.
    pub fn add_weighted(
        &mut self,
        from: StateId,
        word: Option<&str>,
        to: StateId,
        weight: f32,
    ) -> Result<()> {
        self.check(from, weight)?;
        self.check(to, weight)?;
        let count = self.transitions.len() + 1;
        Limits::check("number of transitions", count, self.limits.edges)?;
        if weight == f32::NEG_INFINITY {
            return Ok(());
        }
        let label = word.map_or(Ok(0), |word| self.interner.intern(word))?;
        self.transitions.push((from.raw(), label, to.raw(), weight));
        Ok(())
    }

    /// Makes a state final, with the weight of stopping there.
    ///
    /// # Errors
    /// [`Error::UnknownState`], [`Error::BadWeight`].
    pub fn set_final(&mut self, state: StateId, weight: f32) -> Result<()> {
        self.check(state, weight)?;
        if let Some(known) = self.finals.get_mut(state.index()) {
            *known = weight;
        }
        Ok(())
    }

    fn check(&self, state: StateId, weight: f32) -> Result<()> {
        if state.index() >= self.finals.len() {
            let states = self.finals.len() as u32;
            return Err(Error::UnknownState {
                state: state.raw(),
                states,
            });
        }
        if weight.is_nan() || weight == f32::INFINITY {
            return Err(Error::BadWeight { weight });
        }
        Ok(())
    }

    /// The automaton: states on no path from the start to an end are gone, the others numbered
    /// topologically, the smallest number first where there is a choice. Of transitions that are alike
    /// the better one stays.
    ///
    /// # Errors
    /// [`Error::Cyclic`], [`Error::UnknownState`] for the start.
    pub fn build(self, start: StateId) -> Result<Fsa> {
        self.check(start, 0.0)?;
        let (symbols, labels) = self.interner.finish();
        let transitions = self
            .transitions
            .into_iter()
            .map(|(from, label, to, weight)| Transition {
                from: StateId::new(from),
                label: labels[label as usize],
                to: StateId::new(to),
                weight,
            });
        Fsa::assemble(symbols, transitions.collect(), &self.finals, start)
    }
}

impl Fsa {
    /// The automaton of these sentences, each a path of its own.
    ///
    /// # Errors
    /// [`Error::EmptySentence`], [`Error::BadLabel`], and limits as the builder's.
    ///
    /// ```
    /// use pgen_fsa::Fsa;
    ///
    /// let fsa = Fsa::from_sentences(&[["a", "b"], ["a", "c"]], &Default::default())?;
    /// assert_eq!((fsa.state_count(), fsa.transitions().len()), (4, 4));
    /// # Ok::<(), pgen_fsa::Error>(())
    /// ```
    pub fn from_sentences<S: AsRef<[W]>, W: AsRef<str>>(
        sentences: &[S],
        limits: &Limits,
    ) -> Result<Fsa> {
        let mut builder = FsaBuilder::new(limits);
        let (start, end) = (builder.add_state()?, builder.add_state()?);
        builder.set_final(end, 0.0)?;
        for (sentence, words) in sentences.iter().enumerate() {
            let (last, rest) = words
                .as_ref()
                .split_last()
                .ok_or(Error::EmptySentence { sentence })?;
            let mut here = start;
            for word in rest {
                let next = builder.add_state()?;
                builder.add(here, word.as_ref(), next)?;
                here = next;
            }
            builder.add(here, last.as_ref(), end)?;
        }
        builder.build(start)
    }

    /// Trims, orders and sorts.
    pub(crate) fn assemble(
        symbols: Arc<Symbols>,
        mut transitions: Vec<Transition>,
        finals: &[f32],
        start: StateId,
    ) -> Result<Fsa> {
        sort(&mut transitions);
        let live = live_states(&transitions, finals, start);
        if !live.get(start.index()).copied().unwrap_or(false) {
            return Ok(Fsa::empty(symbols));
        }
        transitions.retain(|t| live[t.from.index()] && live[t.to.index()]);
        let order = topological_order(&transitions, &live)?;
        let mut rank = vec![u32::MAX; finals.len()];
        for (new, &old) in order.iter().enumerate() {
            rank[old as usize] = new as u32;
        }
        for transition in &mut transitions {
            transition.from = StateId::new(rank[transition.from.index()]);
            transition.to = StateId::new(rank[transition.to.index()]);
        }
        sort(&mut transitions);
        let finals = order.iter().map(|&old| finals[old as usize]).collect();
        Ok(Self::from_sorted(symbols, transitions, finals))
    }

    /// From parts that keep all promises but the one on transitions that are alike.
    pub(crate) fn from_sorted(
        symbols: Arc<Symbols>,
        mut transitions: Vec<Transition>,
        finals: Vec<f32>,
    ) -> Fsa {
        // The better one of each comes first.
        transitions.dedup_by_key(|t| (t.from, t.label, t.to));
        let first = offsets(&transitions, finals.len());
        Fsa {
            symbols,
            transitions,
            first,
            finals,
        }
    }
}

/// By state, label, target, better weight.
pub(crate) fn sort(transitions: &mut [Transition]) {
    let key = |t: &Transition| (t.from, t.label, t.to);
    let sorted = transitions
        .windows(2)
        .all(|pair| key(&pair[0]) < key(&pair[1]));
    if !sorted {
        transitions
            .sort_unstable_by(|a, b| key(a).cmp(&key(b)).then(b.weight.total_cmp(&a.weight)));
    }
}

pub(crate) fn offsets(transitions: &[Transition], states: usize) -> Vec<u32> {
    let mut first = vec![0u32; states + 1];
    for transition in transitions {
        first[transition.from.index() + 1] += 1;
    }
    for state in 0..states {
        first[state + 1] += first[state];
    }
    first
}

/// Which states lie on a path from the start to a final one. Needs transitions sorted by state.
fn live_states(transitions: &[Transition], finals: &[f32], start: StateId) -> Vec<bool> {
    let first = offsets(transitions, finals.len());
    let mut reached = vec![false; finals.len()];
    let mut open = vec![start.raw()];
    reached[start.index()] = true;
    while let Some(state) = open.pop() {
        let range = first[state as usize] as usize..first[state as usize + 1] as usize;
        for transition in &transitions[range] {
            if !std::mem::replace(&mut reached[transition.to.index()], true) {
                open.push(transition.to.raw());
            }
        }
    }
    // The same backwards from the final states.
    let mut back = vec![0u32; finals.len() + 1];
    for transition in transitions {
        back[transition.to.index() + 1] += 1;
    }
    for state in 0..finals.len() {
        back[state + 1] += back[state];
    }
    let mut next = back.clone();
    let mut sources = vec![0u32; transitions.len()];
    for transition in transitions {
        let slot = &mut next[transition.to.index()];
        sources[*slot as usize] = transition.from.raw();
        *slot += 1;
    }
    let ends =
        |state: &u32| finals[*state as usize] > f32::NEG_INFINITY && reached[*state as usize];
    let mut open: Vec<u32> = (0..finals.len() as u32).filter(ends).collect();
    let mut live = vec![false; finals.len()];
    open.iter().for_each(|&state| live[state as usize] = true);
    while let Some(state) = open.pop() {
        let range = back[state as usize] as usize..back[state as usize + 1] as usize;
        for &source in &sources[range] {
            let fresh = reached[source as usize] && !live[source as usize];
            if fresh {
                live[source as usize] = true;
                open.push(source);
            }
        }
    }
    live
}

/// Kahn's order of the live states, the smallest number first.
fn topological_order(transitions: &[Transition], live: &[bool]) -> Result<Vec<u32>> {
    let first = offsets(transitions, live.len());
    let mut waiting = vec![0u32; live.len()];
    for transition in transitions {
        waiting[transition.to.index()] += 1;
    }
    let mut kahn = Kahn::new(live.len());
    for state in (0..live.len()).filter(|&state| live[state] && waiting[state] == 0) {
        kahn.insert(state as u32);
    }
    let mut order = Vec::with_capacity(live.len());
    while let Some(state) = kahn.pop() {
        order.push(state);
        let range = first[state as usize] as usize..first[state as usize + 1] as usize;
        for transition in &transitions[range] {
            let left = &mut waiting[transition.to.index()];
            *left -= 1;
            if *left == 0 {
                kahn.insert(transition.to.raw());
            }
        }
    }
    match waiting.iter().position(|&left| left > 0) {
        Some(stuck) => Err(Error::Cyclic {
            state: on_cycle(transitions, &waiting, stuck),
        }),
        None => Ok(order),
    }
}

/// A state on a cycle, going back from one that waits for another for ever.
fn on_cycle(transitions: &[Transition], waiting: &[u32], stuck: usize) -> u32 {
    let mut before = vec![u32::MAX; waiting.len()];
    for transition in transitions {
        if waiting[transition.from.index()] > 0 && waiting[transition.to.index()] > 0 {
            before[transition.to.index()] = transition.from.raw();
        }
    }
    let mut seen = vec![false; waiting.len()];
    let mut state = stuck as u32;
    while before[state as usize] != u32::MAX && !seen[state as usize] {
        seen[state as usize] = true;
        state = before[state as usize];
    }
    state
}

/// A label of these symbols for a label of others.
pub(crate) fn relabel(from: &Symbols, to: &Symbols) -> Vec<Option<Label>> {
    let mut map = vec![None; from.len()];
    map[0] = Some(Label::EPSILON);
    for (label, word) in from.words() {
        map[label.index()] = to.label(word);
    }
    map
}
