//! How many paths and strings there are (Pang et al. 2003, table 3).

use crate::error::Result;
use crate::fsa::Fsa;
use pgen_core::{Count, Limits, Stop};

/// Sizes of one automaton.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PathStatistics {
    /// States.
    pub states: usize,
    /// Transitions.
    pub arcs: usize,
    /// Paths.
    pub paths: Count,
    /// Different strings; `None` if determinisation exceeded its limit.
    pub strings: Option<Count>,
}

impl Fsa {
    /// The number of paths. A string may have several unless the automaton is deterministic.
    #[must_use]
    pub fn path_count(&self) -> Count {
        // Without a deadline nothing can fail.
        self.count_paths(&Stop::never()).unwrap_or_default()
    }

    /// As [`Fsa::path_count`], in time. O(transitions) additions; counts are let go as the count moves on,
    /// so that memory holds those of the states in between alone.
    ///
    /// # Errors
    /// What `stop` says.
    pub fn count_paths(&self, stop: &Stop) -> Result<Count> {
        let mut ticker = stop.ticker();
        let mut total = Count::ZERO;
        let mut counts = vec![Count::ZERO; self.state_count()];
        counts[0] = Count::ONE;
        for state in self.states() {
            let here = std::mem::take(&mut counts[state.index()]);
            if self.is_final(state) {
                total += &here;
            }
            for transition in self.out(state) {
                ticker.tick()?;
                counts[transition.to.index()] += &here;
            }
        }
        Ok(total)
    }

    /// For each state the ln of the number of paths from it to an end.
    pub(crate) fn ln_paths_ahead(&self, stop: &Stop) -> Result<Vec<f64>> {
        let mut ticker = stop.ticker();
        let mut waiting = vec![0u32; self.state_count()];
        self.transitions()
            .iter()
            .for_each(|t| waiting[t.to.index()] += 1);
        let mut counts = vec![Count::ZERO; self.state_count()];
        let mut logs = vec![f64::NEG_INFINITY; self.state_count()];
        for state in self.states().rev() {
            ticker.tick()?;
            let mut sum = Count::from(u64::from(self.is_final(state)));
            for transition in self.out(state) {
                let to = transition.to.index();
                waiting[to] -= 1;
                // The last that needs a count takes it.
                if waiting[to] == 0 {
                    let mut count = std::mem::take(&mut counts[to]);
                    count += &sum;
                    sum = count;
                } else {
                    sum += &counts[to];
                }
            }
            logs[state.index()] = sum.ln();
            counts[state.index()] = sum;
        }
        Ok(logs)
    }

    /// Counts paths and different strings. Strings are counted by determinisation, which may take
    /// `limits.nodes` states.
    ///
    /// # Errors
    /// What `stop` says.
    pub fn statistics(&self, limits: &Limits, stop: &Stop) -> Result<PathStatistics> {
        let paths = self.count_paths(stop)?;
        let strings = if self.is_deterministic() {
            Some(paths.clone())
        } else {
            match self.determinize(limits, stop) {
                Ok(deterministic) => Some(deterministic.count_paths(stop)?),
                Err(error) if error.code() == "limit-exceeded" => None,
                Err(error) => return Err(error),
            }
        };
        let (states, arcs) = (self.state_count(), self.transitions().len());
        Ok(PathStatistics {
            states,
            arcs,
            paths,
            strings,
        })
    }
}

/// Path counts of many automata: their maximum and mean, and the same of their natural logarithms.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PathSummary {
    /// Automata.
    pub groups: usize,
    /// Most paths.
    pub max: Count,
    /// Mean number of paths; +∞ beyond the range of `f64`.
    pub mean: f64,
    /// ln of most paths.
    pub max_ln: f64,
    /// Mean of the ln.
    pub mean_ln: f64,
}

impl PathSummary {
    /// Summary of these counts, which must be above 0.
    #[must_use]
    pub fn new<'a>(counts: impl IntoIterator<Item = &'a Count>) -> Self {
        let mut summary = PathSummary::default();
        let (mut sum, mut sum_ln) = (0.0, 0.0);
        for count in counts {
            summary.groups += 1;
            sum += count.to_f64();
            sum_ln += count.ln();
            if *count > summary.max {
                summary.max = count.clone();
            }
        }
        if summary.groups > 0 {
            summary.max_ln = summary.max.ln();
            summary.mean = sum / summary.groups as f64;
            summary.mean_ln = sum_ln / summary.groups as f64;
        }
        summary
    }
}
