//! The best different strings of an automaton by its own weights.

use crate::error::Result;
use crate::fsa::Fsa;
use crate::ranks::Ranks;
use crate::symbols::Label;
use pgen_core::{Limits, Stop};

/// A string with its weight.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BestString {
    /// The labels.
    pub labels: Vec<Label>,
    /// The weight of its best path.
    pub weight: f64,
}

/// Different strings, best first, each found when it is asked for; ends behind an error.
#[derive(Debug)]
pub struct BestStrings<'a> {
    ranks: Ranks<'a>,
    given: u32,
    failed: bool,
}

impl Iterator for BestStrings<'_> {
    type Item = Result<BestString>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let found = self.ranks.string(self.given);
        self.given += 1;
        self.failed = found.is_err() || self.given == u32::MAX;
        let string = |(labels, weight)| BestString { labels, weight };
        found.map(|found| found.map(string)).transpose()
    }
}

impl Fsa {
    /// The different strings by their best paths, best first, equal ones in order of their words, one by
    /// one (recursive enumeration after Jiménez & Marzal 1999, on what is determinised on the way: only
    /// where the strings asked for lead). ε is removed first. For decoding under a language model make a
    /// [`Lattice`](crate::Fsa::to_lattice).
    ///
    /// O(transitions) at first, then at most O(length · log) for each string, and as much memory as ranks
    /// of states differ between strings.
    ///
    /// # Errors
    /// As [`Fsa::remove_epsilon`]. An item is an error beyond `limits.states` steps kept, `limits.nodes`
    /// states of the deterministic automaton, and when `stop` says so.
    pub fn best_strings(&self, limits: &Limits, stop: &Stop) -> Result<BestStrings<'_>> {
        Ok(BestStrings {
            ranks: Ranks::new(self.without_epsilon(limits, stop)?, limits, stop),
            given: 0,
            failed: false,
        })
    }

    /// The first `n` of [`Fsa::best_strings`].
    ///
    /// # Errors
    /// As [`Fsa::best_strings`]; [`LimitExceeded`](pgen_core::Error::LimitExceeded) for more than
    /// `limits.states` words in all.
    pub fn best(&self, n: usize, limits: &Limits, stop: &Stop) -> Result<Vec<BestString>> {
        let mut words = 0;
        let mut found = Vec::new();
        for string in self.best_strings(limits, stop)?.take(n) {
            let string = string?;
            words += string.labels.len();
            Limits::check("words of all strings", words, limits.states)?;
            found.push(string);
        }
        Ok(found)
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
