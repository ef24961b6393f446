//! Removal of ε (Mohri 2002), for weights of which the best counts.

use crate::error::Result;
use crate::fsa::{Fsa, StateId, Transition};
use pgen_core::{Limits, Stop, Ticker};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl Fsa {
    /// The same strings without ε, each with the weight of its best path; states that only ε led to are
    /// gone. An automaton without ε is copied.
    ///
    /// O(sum of the sizes of the ε-closures of states that a word leads to · log).
    ///
    /// # Errors
    /// [`LimitExceeded`](pgen_core::Error::LimitExceeded) above `limits.edges` transitions or
    /// `limits.pops` steps; what `stop` says.
    pub fn remove_epsilon(&self, limits: &Limits, stop: &Stop) -> Result<Fsa> {
        self.without_epsilon(limits, stop).map(Cow::into_owned)
    }

    /// As [`Fsa::remove_epsilon`], without a copy where there is no ε.
    pub(crate) fn without_epsilon(&self, limits: &Limits, stop: &Stop) -> Result<Cow<'_, Fsa>> {
        if !self.has_epsilon() {
            return Ok(Cow::Borrowed(self));
        }
        let mut closure = Closure::new(self, limits, stop);
        let mut transitions = Vec::with_capacity(self.transitions.len());
        let mut finals = vec![f32::NEG_INFINITY; self.state_count()];
        // Where paths are after a word, and at the start.
        let mut heads = vec![false; self.state_count()];
        heads[0] = true;
        let words = self.transitions.iter().filter(|t| !t.label.is_epsilon());
        words.for_each(|t| heads[t.to.index()] = true);
        for from in self.states().filter(|state| heads[state.index()]) {
            closure.of(from, |state, before| {
                let last = &mut finals[from.index()];
                if let Some(weight) = self.final_weight(state) {
                    *last = last.max(sum(before, weight));
                }
                let words = self.out(state).iter().filter(|t| !t.label.is_epsilon());
                transitions.extend(words.map(|t| Transition {
                    from,
                    weight: sum(before, t.weight),
                    ..*t
                }));
                Limits::check("number of transitions", transitions.len(), limits.edges)
            })?;
        }
        let symbols = self.symbols.clone();
        Fsa::assemble(symbols, transitions, &finals, self.start()).map(Cow::Owned)
    }
}

/// What is possible stays possible, however small.
fn sum(a: f32, b: f32) -> f32 {
    (a + b).max(f32::MIN)
}

/// States reached by ε alone.
struct Closure<'a> {
    fsa: &'a Fsa,
    /// Best weight on the way to a state that waits.
    before: Vec<Option<f32>>,
    waiting: BinaryHeap<Reverse<StateId>>,
    steps: usize,
    most: usize,
    ticker: Ticker<'a>,
}

impl<'a> Closure<'a> {
    fn new(fsa: &'a Fsa, limits: &Limits, stop: &'a Stop) -> Self {
        Closure {
            fsa,
            before: vec![None; fsa.state_count()],
            waiting: BinaryHeap::new(),
            steps: 0,
            most: limits.pops,
            ticker: stop.ticker(),
        }
    }

    /// Visits the states of a closure with the best weight on the way, in topological order: all ways into
    /// a state are known when it is visited.
    fn of(
        &mut self,
        from: StateId,
        mut visit: impl FnMut(StateId, f32) -> pgen_core::Result<()>,
    ) -> Result<()> {
        self.before[from.index()] = Some(0.0);
        self.waiting.push(Reverse(from));
        while let Some(Reverse(state)) = self.waiting.pop() {
            let Some(before) = self.before[state.index()].take() else {
                continue;
            };
            visit(state, before)?;
            let out = self.fsa.out(state).iter();
            for transition in out.take_while(|t| t.label.is_epsilon()) {
                self.ticker.tick()?;
                self.steps += 1;
                Limits::check("steps of the removal of ε", self.steps, self.most)?;
                let known = &mut self.before[transition.to.index()];
                let weight = sum(before, transition.weight);
                match known {
                    Some(known) => *known = known.max(weight),
                    None => {
                        *known = Some(weight);
                        self.waiting.push(Reverse(transition.to));
                    }
                }
            }
        }
        Ok(())
    }
}
