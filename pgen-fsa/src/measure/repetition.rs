//! Words repeated by mistake (Pang et al. 2003, §4.2.2).

use crate::error::Result;
use crate::fsa::Fsa;
use crate::symbols::Label;
use hashbrown::HashMap;
use pgen_core::{Count, Stop};
use std::collections::BTreeSet;

/// One word's share of bad paths.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct WordRepetition {
    /// A word that no sentence of the group repeats.
    pub word: String,
    /// Paths in which it occurs.
    pub paths: Count,
    /// Paths in which it occurs twice or more.
    pub repeated: Count,
}

impl WordRepetition {
    /// The share of its paths that repeat it.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        if self.repeated.is_zero() {
            0.0
        } else {
            (self.repeated.ln() - self.paths.ln()).exp()
        }
    }
}

/// The repetition ratios of a group's words.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Repetition {
    /// Words that occur at most once in every sentence of the group and in some path, sorted.
    pub words: Vec<WordRepetition>,
}

/// Means over words; `mean = nonzero · mean_nonzero`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RepetitionSummary {
    /// Words.
    pub words: usize,
    /// Mean ratio.
    pub mean: f64,
    /// Share of words with a ratio above 0.
    pub nonzero: f64,
    /// Mean of those; 0 if there are none.
    pub mean_nonzero: f64,
}

impl RepetitionSummary {
    /// Summary of the words of one or more groups.
    #[must_use]
    pub fn new<'a>(groups: impl IntoIterator<Item = &'a Repetition>) -> Self {
        let (mut words, mut nonzero, mut sum) = (0usize, 0usize, 0.0);
        for word in groups.into_iter().flat_map(|group| &group.words) {
            words += 1;
            nonzero += usize::from(!word.repeated.is_zero());
            sum += word.ratio();
        }
        let mean = |count: usize| if count == 0 { 0.0 } else { sum / count as f64 };
        let share = if words == 0 {
            0.0
        } else {
            nonzero as f64 / words as f64
        };
        RepetitionSummary {
            words,
            mean: mean(words),
            nonzero: share,
            mean_nonzero: mean(nonzero),
        }
    }
}

impl Fsa {
    /// For each word that no sentence repeats, the paths that hold it and those that repeat it. O(transitions)
    /// additions of counts for each word.
    ///
    /// # Errors
    /// What `stop` says.
    pub fn repetition<S: AsRef<[W]>, W: AsRef<str>>(
        &self,
        sentences: &[S],
        stop: &Stop,
    ) -> Result<Repetition> {
        let mut most: HashMap<&str, usize> = HashMap::new();
        for sentence in sentences {
            let mut counts: HashMap<&str, usize> = HashMap::new();
            for word in sentence.as_ref() {
                *counts.entry(word.as_ref()).or_default() += 1;
            }
            for (word, count) in counts {
                let known = most.entry(word).or_default();
                *known = count.max(*known);
            }
        }
        let once: BTreeSet<&str> = most
            .into_iter()
            .filter(|&(_, count)| count == 1)
            .map(|(word, _)| word)
            .collect();
        let mut words = Vec::new();
        for word in once {
            let Some(label) = self.symbols().label(word) else {
                continue;
            };
            let (paths, repeated) = self.paths_with(label, stop)?;
            if !paths.is_zero() {
                words.push(WordRepetition {
                    word: word.to_owned(),
                    paths,
                    repeated,
                });
            }
        }
        Ok(Repetition { words })
    }

    /// How many paths have a label once or more, and twice or more.
    fn paths_with(&self, label: Label, stop: &Stop) -> Result<(Count, Count)> {
        let mut ticker = stop.ticker();
        // From the start to each state: paths without it, with it once, with it more often.
        let mut counts: Vec<[Count; 3]> = vec![Default::default(); self.state_count()];
        let mut ends: [Count; 3] = Default::default();
        counts[0][0] = Count::ONE;
        for state in self.states() {
            let here = std::mem::take(&mut counts[state.index()]);
            if self.is_final(state) {
                ends.iter_mut()
                    .zip(&here)
                    .for_each(|(sum, count)| *sum += count);
            }
            for transition in self.out(state) {
                ticker.tick()?;
                let more = usize::from(transition.label == label);
                let sums = &mut counts[transition.to.index()];
                for (times, count) in here.iter().enumerate() {
                    sums[(times + more).min(2)] += count;
                }
            }
        }
        let [_, once, more] = ends;
        Ok((&once + &more, more))
    }
}
