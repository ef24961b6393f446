//! Entropy of all paths under a language model (Pang et al. 2003, §4.2.1).

use crate::error::Result;
use crate::fsa::Fsa;
use hashbrown::HashMap;
use pgen_core::{LanguageModel, Limits, Stop, Ticker, WordId};
use std::hash::Hash;

/// Bits per word, `</s>` counted as one, over the strings of all paths.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Entropy {
    /// Mean over paths of each path's bits per word.
    pub mean: f64,
    /// All bits of all paths over all their words.
    pub pooled: f64,
}

impl Entropy {
    /// Entropy of one sentence: −log₂ P over its words and `</s>`.
    #[must_use]
    pub fn of_sentence<L: LanguageModel>(model: &L, words: &[WordId]) -> f64 {
        -model.sentence(words).ln() / std::f64::consts::LN_2 / (words.len() + 1) as f64
    }

    /// Entropy of a list of sentences; `None` for an empty one.
    #[must_use]
    pub fn of_sentences<L: LanguageModel>(model: &L, sentences: &[Vec<WordId>]) -> Option<Entropy> {
        let (mut mean, mut bits, mut words) = (0.0, 0.0, 0usize);
        for sentence in sentences {
            let entropy = Self::of_sentence(model, sentence);
            mean += entropy;
            bits += entropy * (sentence.len() + 1) as f64;
            words += sentence.len() + 1;
        }
        let count = sentences.len();
        (count > 0).then(|| Entropy {
            mean: mean / count as f64,
            pooled: bits / words as f64,
        })
    }
}

/// What is known of the paths that reach a state and a model state with one length.
#[derive(Clone, Copy, Default)]
struct Mass {
    /// Probability of such a path when each path is as likely as every other.
    share: f64,
    /// Share times expected log₂ P.
    bits: f64,
}

/// Mass by model state and length, in order of arrival, which depends on nothing but the automaton.
struct Cells<S> {
    places: HashMap<S, usize>,
    list: Vec<(S, Vec<(u32, Mass)>)>,
}

impl<S: Clone + Eq + Hash> Cells<S> {
    fn new() -> Self {
        Cells {
            places: HashMap::new(),
            list: Vec::new(),
        }
    }

    /// The lengths and masses of a model state.
    fn of(&mut self, state: &S) -> &mut Vec<(u32, Mass)> {
        let next = self.list.len();
        let place = match self.places.get(state) {
            Some(&known) => known,
            None => *self.places.entry(state.clone()).or_insert(next),
        };
        if place == next {
            self.list.push((state.clone(), Vec::new()));
        }
        &mut self.list[place].1
    }

    fn len(&self) -> usize {
        self.list.iter().map(|(_, masses)| masses.len()).sum()
    }
}

fn add(masses: &mut Vec<(u32, Mass)>, length: u32, share: f64, bits: f64) {
    let place = match masses.binary_search_by_key(&length, |mass| mass.0) {
        Ok(place) => place,
        Err(place) => {
            masses.insert(place, (length, Mass::default()));
            place
        }
    };
    masses[place].1.share += share;
    masses[place].1.bits += bits;
}

impl Fsa {
    /// Entropy over all paths, each counting once, exactly: no path is listed, none sampled. `words` gives
    /// each label's word, by the label's number. `None` for an automaton without strings.
    ///
    /// With S model states at a state and lengths up to N, O(transitions · S · N) time.
    ///
    /// # Errors
    /// [`LimitExceeded`](pgen_core::Error::LimitExceeded) for more than `limits.states` combinations of
    /// transition, model state and length; what `stop` says.
    pub fn entropy<L: LanguageModel>(
        &self,
        model: &L,
        words: &[WordId],
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Option<Entropy>> {
        let ahead = self.ln_paths_ahead(stop)?;
        if ahead.first().is_none_or(|&ln| ln == f64::NEG_INFINITY) {
            return Ok(None);
        }
        let mut ticker = stop.ticker();
        let mut cells: Vec<Cells<L::State>> =
            (0..self.state_count()).map(|_| Cells::new()).collect();
        add(cells[0].of(&model.start()), 0, 1.0, 0.0);
        let mut total = 0usize;
        let (mut mean, mut bits, mut length) = (0.0, 0.0, 0.0);
        for state in self.states() {
            let here = std::mem::replace(&mut cells[state.index()], Cells::new());
            let ln = ahead[state.index()];
            if self.is_final(state) {
                let stops = (-ln).exp();
                for (model_state, masses) in &here.list {
                    let last = model.finish(model_state).ln() / std::f64::consts::LN_2;
                    for (words, mass) in masses {
                        let all = (mass.bits + mass.share * last) * stops;
                        bits -= all;
                        length += mass.share * stops * f64::from(words + 1);
                        mean -= all / f64::from(words + 1);
                    }
                }
            }
            for transition in self.out(state) {
                total += here.len();
                Limits::check(
                    "combinations of states of the entropy",
                    total,
                    limits.states,
                )?;
                let share = (ahead[transition.to.index()] - ln).exp();
                let word = words
                    .get(transition.label.index())
                    .copied()
                    .unwrap_or(WordId::UNK);
                let word = (!transition.label.is_epsilon()).then_some(word);
                spread(
                    model,
                    &here,
                    word,
                    share,
                    &mut cells[transition.to.index()],
                    &mut ticker,
                )?;
            }
        }
        Ok(Some(Entropy {
            mean,
            pooled: bits / length,
        }))
    }
}

fn spread<L: LanguageModel>(
    model: &L,
    here: &Cells<L::State>,
    word: Option<WordId>,
    share: f64,
    to: &mut Cells<L::State>,
    ticker: &mut Ticker<'_>,
) -> Result<()> {
    for (model_state, masses) in &here.list {
        ticker.tick()?;
        let (next, bits) = match word {
            Some(word) => {
                let (next, log_prob) = model.advance(model_state, word);
                (next, log_prob.ln() / std::f64::consts::LN_2)
            }
            None => (model_state.clone(), 0.0),
        };
        let more = u32::from(word.is_some());
        let target = to.of(&next);
        for (length, mass) in masses {
            ticker.tick()?;
            let sum = (mass.bits + mass.share * bits) * share;
            add(target, length + more, mass.share * share, sum);
        }
    }
    Ok(())
}
