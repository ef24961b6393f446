//! What an automaton predicts beyond its sentences (Pang et al. 2003, §4.2.3).

use super::distance::{Distance, word_distance};
use crate::error::Result;
use crate::fsa::Fsa;
use pgen_core::{Limits, SplitMix64, Stop};

/// Leave-one-out gain of a group.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Edgain {
    /// For each sentence its distance from the nearest other sentence, and from the automaton of the
    /// others.
    pub distances: Vec<(usize, usize)>,
}

impl Edgain {
    /// Leaves each sentence out once. `build` makes the automaton of the sentences with these numbers; it
    /// must accept them.
    ///
    /// # Errors
    /// What `build` returns, and as [`Fsa::distance`].
    pub fn leave_one_out<S: AsRef<[W]>, W: AsRef<str>>(
        sentences: &[S],
        limits: &Limits,
        stop: &Stop,
        mut build: impl FnMut(&[usize]) -> Result<Fsa>,
    ) -> Result<Self> {
        let mut distances = Vec::new();
        if sentences.len() < 2 {
            return Ok(Edgain { distances });
        }
        for (test, sentence) in sentences.iter().enumerate() {
            let rest: Vec<usize> = (0..sentences.len())
                .filter(|&other| other != test)
                .collect();
            let fsa = build(&rest)?;
            distances.push(compare(sentences, sentence.as_ref(), &rest, |test| {
                fsa.distance(test, limits, stop)
            })?);
        }
        Ok(Edgain { distances })
    }

    /// The mean gain; `None` for fewer than two sentences.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let gain = |&(input, fsa): &(usize, usize)| input as f64 - fsa as f64;
        let count = self.distances.len();
        (count > 0).then(|| self.distances.iter().map(gain).sum::<f64>() / count as f64)
    }
}

fn compare<S: AsRef<[W]>, W: AsRef<str>>(
    sentences: &[S],
    test: &[W],
    rest: &[usize],
    distance: impl FnOnce(&[W]) -> Result<Option<Distance>>,
) -> Result<(usize, usize)> {
    let nearest = rest
        .iter()
        .map(|&other| word_distance(sentences[other].as_ref(), test))
        .min();
    let nearest = nearest.unwrap_or(test.len());
    // Every sentence is a string of the automaton, so that it is never further away.
    let distance = distance(test)?;
    Ok((nearest, distance.map_or(nearest, |distance| distance.edits)))
}

/// One step of the experiment of table 6.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct GrowthStep {
    /// How many sentences are known.
    pub sentences: usize,
    /// Distance of the test sentence from the nearest of them.
    pub input: usize,
    /// Distance of the test sentence from their automaton.
    pub fsa: usize,
}

impl GrowthStep {
    /// Shuffles the group, keeps the last sentence as the test, and builds automata of the first 1, 2 …
    /// others. Without a seed the order stays.
    ///
    /// # Errors
    /// What `build` returns, and as [`Fsa::distance`].
    pub fn curve<S: AsRef<[W]>, W: AsRef<str>>(
        sentences: &[S],
        seed: Option<u64>,
        limits: &Limits,
        stop: &Stop,
        mut build: impl FnMut(&[usize]) -> Result<Fsa>,
    ) -> Result<Vec<GrowthStep>> {
        let mut order: Vec<usize> = (0..sentences.len()).collect();
        if let Some(seed) = seed {
            SplitMix64::new(seed).shuffle(&mut order);
        }
        let Some((&test, known)) = order.split_last() else {
            return Ok(Vec::new());
        };
        let test = sentences[test].as_ref();
        (1..=known.len())
            .map(|count| {
                let made = build(&known[..count])?;
                let (input, fsa) = compare(sentences, test, &known[..count], |test| {
                    made.distance(test, limits, stop)
                })?;
                Ok(GrowthStep {
                    sentences: count,
                    input,
                    fsa,
                })
            })
            .collect()
    }
}
