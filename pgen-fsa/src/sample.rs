//! Random strings of an automaton, and sentences that its cluster does not hold.

use crate::error::Result;
use crate::fsa::{Fsa, StateId};
use crate::symbols::Label;
use pgen_core::{Limits, SplitMix64, Stop, Ticker};
use std::collections::BTreeSet;

/// How strings are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Sampling {
    /// A walk that takes every way out of a state, stopping included, with equal chance.
    #[default]
    Walk,
    /// Every path with equal chance.
    UniformPath,
    /// Every string with equal chance, however many paths write it.
    UniformString,
}

/// Draws strings of one automaton.
#[derive(Debug)]
pub struct Sampler<'a> {
    fsa: std::borrow::Cow<'a, Fsa>,
    /// For each state the ln of the number of paths ahead; empty for a walk.
    ahead: Vec<f64>,
    /// Most words held at once.
    most: usize,
}

impl Fsa {
    /// A sampler. Strings are made equally likely by determinisation.
    ///
    /// # Errors
    /// As [`Fsa::determinize`], for [`Sampling::UniformString`] alone; what `stop` says.
    pub fn sampler(&self, how: Sampling, limits: &Limits, stop: &Stop) -> Result<Sampler<'_>> {
        use std::borrow::Cow;
        let fsa = match how {
            Sampling::UniformString => Cow::Owned(self.determinize(limits, stop)?),
            Sampling::Walk | Sampling::UniformPath => Cow::Borrowed(self),
        };
        let ahead = match how {
            Sampling::Walk => Vec::new(),
            _ => fsa.ln_paths_ahead(stop)?,
        };
        Ok(Sampler {
            fsa,
            ahead,
            most: limits.states,
        })
    }
}

impl Sampler<'_> {
    /// The next string; `None` if the automaton has none.
    pub fn draw(&self, rng: &mut SplitMix64) -> Option<Vec<Label>> {
        // Without a deadline nothing can fail.
        self.draw_until(rng, &mut Stop::never().ticker())
            .unwrap_or_default()
    }

    fn draw_until(
        &self,
        rng: &mut SplitMix64,
        ticker: &mut Ticker<'_>,
    ) -> Result<Option<Vec<Label>>> {
        let mut labels = Vec::new();
        let mut state = self.fsa.start();
        if self.fsa.finals().next().is_none() {
            return Ok(None);
        }
        while let Some(step) = self.step(state, rng) {
            ticker.tick()?;
            let transition = self.fsa.out(state)[step];
            if !transition.label.is_epsilon() {
                labels.push(transition.label);
            }
            state = transition.to;
        }
        Ok(Some(labels))
    }

    /// Which way to go; `None` to stop.
    fn step(&self, state: StateId, rng: &mut SplitMix64) -> Option<usize> {
        let out = self.fsa.out(state);
        let stops = usize::from(self.fsa.is_final(state));
        let Some(&here) = self.ahead.get(state.index()) else {
            return rng.index(out.len() + stops)?.checked_sub(stops);
        };
        let mut left = rng.unit();
        if stops == 1 {
            left -= (-here).exp();
            if left < 0.0 {
                return None;
            }
        }
        for (at, transition) in out.iter().enumerate() {
            left -= (self.ahead[transition.to.index()] - here).exp();
            if left < 0.0 {
                return Some(at);
            }
        }
        // Rounding may leave a little: the last way takes it.
        out.len().checked_sub(1)
    }

    /// Strings that are none of `known`: draws `draws` strings and picks `pick` of the different new ones
    /// at random (Shen et al. 2006 draw 100 and pick 10). Fewer if there are fewer; in order of picking.
    ///
    /// # Errors
    /// [`LimitExceeded`](pgen_core::Error::LimitExceeded) for different strings of more than
    /// `limits.states` words in all; what `stop` says.
    pub fn novel<S: AsRef<[W]>, W: AsRef<str>>(
        &self,
        known: &[S],
        draws: usize,
        pick: usize,
        rng: &mut SplitMix64,
        stop: &Stop,
    ) -> Result<Vec<Vec<Label>>> {
        let symbols = self.fsa.symbols();
        let labels = |words: &S| {
            let labels = words
                .as_ref()
                .iter()
                .map(|word| symbols.label(word.as_ref()));
            labels.collect::<Option<Vec<Label>>>()
        };
        let known: BTreeSet<Vec<Label>> = known.iter().filter_map(labels).collect();
        let mut drawn: BTreeSet<Vec<Label>> = BTreeSet::new();
        let mut ticker = stop.ticker();
        let mut words = 0;
        for _ in 0..draws {
            let Some(string) = self.draw_until(rng, &mut ticker)? else {
                break;
            };
            let length = string.len();
            if drawn.insert(string) {
                words += length;
                Limits::check("words of all strings drawn", words, self.most)?;
            }
        }
        let mut novel: Vec<Vec<Label>> = drawn.difference(&known).cloned().collect();
        rng.shuffle(&mut novel);
        novel.truncate(pick);
        Ok(novel)
    }
}
