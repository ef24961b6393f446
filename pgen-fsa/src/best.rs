//! The best different strings of an automaton by its own weights.

use crate::error::Result;
use crate::fsa::{Fsa, StateId};
use crate::symbols::Label;
use pgen_core::{Limits, Stop};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A string with its weight.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BestString {
    /// The labels.
    pub labels: Vec<Label>,
    /// The weight of its best path.
    pub weight: f64,
}

/// A prefix that waits, with the best that can become of it.
struct Waiting {
    estimate: f64,
    weight: f64,
    labels: Box<[Label]>,
    /// Where it goes on; `None` for a whole string.
    state: Option<StateId>,
}

impl Fsa {
    /// The `n` best different strings by their best paths, best first, equal ones in order of their
    /// words. Determinises if need be; for decoding under a language model make a
    /// [`Lattice`](crate::Fsa::to_lattice).
    ///
    /// On a deterministic automaton O(n · (length + branchings · (length + log))).
    ///
    /// # Errors
    /// [`Error::Epsilon`](crate::Error::Epsilon), and as [`Fsa::determinize`].
    pub fn best(&self, n: usize, limits: &Limits, stop: &Stop) -> Result<Vec<BestString>> {
        let owned;
        let fsa = if self.is_deterministic() {
            self
        } else {
            owned = self.determinize(limits, stop)?;
            &owned
        };
        let ahead = fsa.best_ahead();
        let mut heap: BinaryHeap<Waiting> = BinaryHeap::new();
        let mut found = Vec::new();
        let mut ticker = stop.ticker();
        let start = Waiting {
            estimate: ahead[0],
            weight: 0.0,
            labels: [].into(),
            state: Some(fsa.start()),
        };
        let mut next = Some(start).filter(|_| fsa.finals().next().is_some());
        while found.len() < n
            && let Some(waiting) = next.take()
        {
            ticker.tick()?;
            Limits::check("prefixes of the search", heap.len(), limits.states)?;
            let best = match waiting.state {
                None => {
                    let Waiting { labels, weight, .. } = waiting;
                    found.push(BestString {
                        labels: labels.into(),
                        weight,
                    });
                    None
                }
                Some(state) => fsa.follow(state, waiting, &ahead, &mut heap),
            };
            next = match (best, heap.peek()) {
                (Some(best), Some(top)) if *top > best => {
                    heap.push(best);
                    heap.pop()
                }
                (Some(best), _) => Some(best),
                (None, _) => heap.pop(),
            };
        }
        Ok(found)
    }

    /// Goes on from a prefix as long as there is no choice. Of several ways the best is returned, the
    /// others wait.
    fn follow(
        &self,
        mut state: StateId,
        from: Waiting,
        ahead: &[f64],
        heap: &mut BinaryHeap<Waiting>,
    ) -> Option<Waiting> {
        let mut labels = from.labels.into_vec();
        let mut weight = from.weight;
        while !self.is_final(state)
            && let [only] = self.out(state)
        {
            labels.push(only.label);
            weight += f64::from(only.weight);
            state = only.to;
        }
        let last = self
            .final_weight(state)
            .map(|last| weight + f64::from(last));
        let stops = last.map(|weight| Waiting {
            estimate: weight,
            weight,
            labels: labels.as_slice().into(),
            state: None,
        });
        let mut best = stops;
        for transition in self.out(state) {
            let weight = weight + f64::from(transition.weight);
            let estimate = weight + ahead[transition.to.index()];
            let mut labels = labels.clone();
            labels.push(transition.label);
            let way = Waiting {
                estimate,
                weight,
                labels: labels.into(),
                state: Some(transition.to),
            };
            match &mut best {
                None => best = Some(way),
                Some(known) if way > *known => heap.push(std::mem::replace(known, way)),
                Some(_) => heap.push(way),
            }
        }
        best
    }

    /// For each state the weight of the best way from it to an end.
    #[must_use]
    pub fn best_ahead(&self) -> Vec<f64> {
        let mut ahead = vec![f64::NEG_INFINITY; self.state_count()];
        for state in self.states().rev() {
            let out = self.out(state).iter();
            let futures = out.map(|t| f64::from(t.weight) + ahead[t.to.index()]);
            ahead[state.index()] = futures.fold(f64::from(self.finals[state.index()]), f64::max);
        }
        ahead
    }

    /// The transitions of a best path, as places in [`Fsa::transitions`]; of equal ones the first by labels.
    /// `None` without strings.
    #[must_use]
    pub fn best_path(&self) -> Option<Vec<usize>> {
        let ahead = self.best_ahead();
        let mut state = self.start();
        self.finals().next()?;
        let mut path = Vec::new();
        loop {
            let here = ahead[state.index()];
            if f64::from(self.finals[state.index()]) == here && self.is_final(state) {
                return Some(path);
            }
            let first = self.first[state.index()] as usize;
            let out = self.out(state);
            let best = out
                .iter()
                .position(|t| f64::from(t.weight) + ahead[t.to.index()] == here)?;
            path.push(first + best);
            state = out[best].to;
        }
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        // Earlier texts are greater: labels compare as their words do.
        self.estimate
            .total_cmp(&other.estimate)
            .then_with(|| other.labels.cmp(&self.labels))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Waiting {}
