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
    /// Counts paths and different strings. Strings are counted by determinisation, which may take
    /// `limits.nodes` states.
    ///
    /// # Errors
    /// What `stop` says.
    pub fn statistics(&self, limits: &Limits, stop: &Stop) -> Result<PathStatistics> {
        let paths = self.path_count();
        let strings = if self.is_deterministic() {
            Some(paths.clone())
        } else {
            match self.determinize(limits, stop) {
                Ok(deterministic) => Some(deterministic.path_count()),
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
