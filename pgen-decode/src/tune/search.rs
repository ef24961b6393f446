//! The outer loop: decode, pool derivations, move the weights, decode again.

use super::counts::{Counts, Rates};
use super::label::{counts_of, key_of};
use super::line::{TuneItem, TuneSentence, best_step};
use super::params::TuneParams;
use crate::decoder::{Decoder, decode_batch};
use crate::error::Result;
use crate::exact::Exact;
use crate::loglinear::LogLinear;
use crate::params::Request;
use pgen_core::{
    FeatureSet, Hypothesis, LanguageModel, Lattice, Progress, Sentence, SplitMix64, UnitId, Weight,
};
use std::sync::Arc;

/// A step must gain at least this much.
const LEAST_GAIN: f64 = 1e-12;

/// A labelled sentence: its lattice, and for each unit whether it is a correct replacement (`None`: it
/// copies what stands there).
#[derive(Clone, Debug)]
pub struct TuneCase {
    lattice: Lattice,
    words: u64,
    correct: Vec<Option<bool>>,
}

impl TuneCase {
    /// Asks `label` about every unit of a lattice that is a replacement.
    ///
    /// # Errors
    /// What `label` says.
    pub fn new<E>(
        lattice: Lattice,
        sentence: &Sentence,
        mut label: impl FnMut(&super::LabelKey) -> Result<bool, E>,
    ) -> Result<Self, E> {
        let mut correct = Vec::with_capacity(lattice.unit_count());
        for unit in (0..lattice.unit_count() as u32).map(UnitId::new) {
            let key = key_of(&lattice, sentence, unit);
            correct.push(key.map(|key| label(&key)).transpose()?);
        }
        Ok(TuneCase {
            words: sentence.len() as u64,
            lattice,
            correct,
        })
    }

    /// The lattice.
    #[must_use]
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The counts of a derivation.
    #[must_use]
    pub fn counts(&self, item: &Hypothesis) -> Counts {
        let correct = |unit: UnitId| self.correct.get(unit.index()).copied().flatten();
        counts_of(&self.lattice, &item.derivation, correct)
    }
}

/// What tuning found.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Tuned {
    /// Names: the features of the plan, then `language`.
    pub names: Vec<String>,
    /// Their weights, the largest 1 in magnitude; or, if some are fixed at other values than 0, on the
    /// scale of those.
    pub weights: Vec<f64>,
    /// The rates of the best texts under the weights given.
    pub before: Rates,
    /// The rates of the best texts under the weights found; never below the former in f.
    pub after: Rates,
    /// Rounds of decoding.
    pub rounds: usize,
    /// Derivations pooled.
    pub pool: usize,
}

/// Finds weights with a high replacement f-measure of the best texts. `start` are weights for the
/// features of the lattices in order, then for the language model.
///
/// # Errors
/// Bad parameters, fixed names that the features do not have, lattices of different features, what the
/// decoder says.
pub fn tune<L: LanguageModel + Sync>(
    cases: &[TuneCase],
    language: &L,
    start: &[f64],
    params: &TuneParams,
    progress: &dyn Progress,
) -> Result<Tuned> {
    params.check()?;
    let features = cases
        .first()
        .map_or_else(Arc::default, |case| case.lattice.feature_set().clone());
    if cases
        .iter()
        .any(|case| *case.lattice.feature_set() != features)
    {
        let expected = "of one plan";
        return Err(pgen_core::Error::parameter("cases", "of several plans", expected).into());
    }
    if start.len() != features.len() + 1 || start.iter().any(|weight| !weight.is_finite()) {
        let expected = "a finite weight for each feature and the language model";
        return Err(pgen_core::Error::parameter("start", start.len(), expected).into());
    }
    let mut names = features.names().to_vec();
    names.push("language".to_owned());
    if let Some(unknown) = params.fixed.iter().find(|&name| !names.contains(name)) {
        let expected = "names of features, or `language`";
        return Err(pgen_core::Error::parameter("fixed", unknown, expected).into());
    }
    Search {
        cases,
        language,
        features,
        names,
        params,
        pool: pool_of(cases),
    }
    .run(start, progress)
}

/// The rates of the best texts under some weights, in the order that [`tune`] takes.
///
/// # Errors
/// As [`tune`].
pub fn evaluate<L: LanguageModel + Sync>(
    cases: &[TuneCase],
    language: &L,
    weights: &[f64],
) -> Result<Rates> {
    let params = TuneParams {
        n_best: 1,
        rounds: 1,
        ..TuneParams::default()
    };
    Ok(tune(cases, language, weights, &params, &())?.before)
}

/// Counts and words of the best texts under some weights.
pub(super) fn totals<L: LanguageModel + Sync>(
    cases: &[TuneCase],
    language: &L,
    weights: &[f64],
) -> Result<(Counts, u64)> {
    let model = loglinear(language, weights)?;
    let (mut counts, mut words) = (Counts::default(), 0);
    for case in cases {
        let list = Exact::new().decode(&case.lattice, &model, &Request::best(1))?;
        let best = list.items.first();
        counts = counts + best.map_or(Counts::default(), |item| case.counts(item));
        words += case.words;
    }
    Ok((counts, words))
}

/// The model of weights for the features and, last, the language model.
fn loglinear<'l, L: LanguageModel>(language: &'l L, weights: &[f64]) -> Result<LogLinear<'l, L>> {
    let (last, others) = weights
        .split_last()
        .map_or((1.0, &[][..]), |(last, others)| (*last, others));
    let others = others.iter().map(|&value| Weight::new(value));
    LogLinear::new(language)
        .with_weights(others.collect::<pgen_core::Result<_>>()?)?
        .with_language_weight(Weight::new(last)?)
}

fn pool_of(cases: &[TuneCase]) -> Vec<TuneSentence> {
    let sentence = |case: &TuneCase| TuneSentence {
        words: case.words,
        items: Vec::new(),
    };
    cases.iter().map(sentence).collect()
}

struct Search<'a, L> {
    cases: &'a [TuneCase],
    language: &'a L,
    features: Arc<FeatureSet>,
    names: Vec<String>,
    params: &'a TuneParams,
    pool: Vec<TuneSentence>,
}

impl<L: LanguageModel + Sync> Search<'_, L> {
    fn run(mut self, start: &[f64], progress: &dyn Progress) -> Result<Tuned> {
        progress.stage("tuning", Some(self.params.rounds as u64));
        let mut rng = SplitMix64::stream(self.params.seed, 0);
        let mut weights = normalized(start.to_vec());
        let mut best: Option<(Rates, Vec<f64>)> = None;
        let (mut before, mut rounds) = (Rates::default(), 0);
        for round in 0..self.params.rounds {
            let (rates, new) = self.decode(&weights)?;
            rounds = round + 1;
            if round == 0 {
                before = rates;
            }
            if best.as_ref().is_none_or(|best| rates.f > best.0.f) {
                best = Some((rates, weights.clone()));
            }
            progress.done(rounds as u64);
            progress.stop().check()?;
            if new == 0 || rounds == self.params.rounds {
                break;
            }
            let known = best.as_ref().map_or(&weights, |best| &best.1).clone();
            weights = self.improve(&[weights, known], &mut rng)?;
        }
        let (after, weights) = best.unwrap_or_default();
        let weights = as_fixed(weights, start, &self.names, &self.params.fixed);
        let pool = self.pool.iter().map(|sentence| sentence.items.len()).sum();
        Ok(Tuned {
            names: self.names,
            weights,
            before,
            after,
            rounds,
            pool,
        })
    }

    /// The rates of the best texts, and how many new derivations joined the pool.
    fn decode(&mut self, weights: &[f64]) -> Result<(Rates, usize)> {
        let model = loglinear(self.language, weights)?;
        let request = Request::best(self.params.n_best);
        let (mut counts, mut words, mut new) = (Counts::default(), 0, 0);
        // In batches, so that only some lists are held at a time.
        let numbers: Vec<usize> = (0..self.cases.len()).collect();
        for batch in numbers.chunks(64) {
            let lattices: Vec<Lattice> = batch
                .iter()
                .map(|&at| self.cases[at].lattice.clone())
                .collect();
            let lists = decode_batch(&Exact::new(), &lattices, &model, &request);
            for (&at, list) in batch.iter().zip(lists) {
                let items = list?.items;
                words += self.cases[at].words;
                counts = counts
                    + items
                        .first()
                        .map_or(Counts::default(), |item| self.cases[at].counts(item));
                new += items.iter().filter(|item| self.take(at, item)).count();
            }
        }
        Ok((counts.rates(words), new))
    }

    /// Adds a derivation to the pool unless one with the same features and counts is there.
    fn take(&mut self, at: usize, item: &Hypothesis) -> bool {
        let mut features = vec![0.0; self.features.len() + 1];
        for (feature, value) in &item.features {
            features[feature.index()] = value.ln();
        }
        features[self.features.len()] = item.language.ln();
        let found = TuneItem {
            features,
            counts: self.cases[at].counts(item),
        };
        let finite = found.features.iter().all(|value| value.is_finite());
        let items = &mut self.pool[at].items;
        let new = finite && !items.contains(&found);
        if new {
            items.push(found);
        }
        new
    }

    /// The best weights over the pool, from these and from random starting points.
    fn improve(&self, starts: &[Vec<f64>], rng: &mut SplitMix64) -> Result<Vec<f64>> {
        let pool: Vec<TuneSentence> = self
            .pool
            .iter()
            .filter(|sentence| !sentence.items.is_empty())
            .cloned()
            .collect();
        let mut starts = starts.to_vec();
        for _ in 0..self.params.restarts {
            let random: Vec<f64> = (self.names.iter().zip(&starts[0]))
                .map(|(name, &weight)| {
                    if self.is_fixed(name) {
                        weight
                    } else {
                        rng.unit()
                    }
                })
                .collect();
            starts.push(random);
        }
        let mut best: Option<(f64, Vec<f64>)> = None;
        for start in starts {
            let found = self.climb(&pool, start, rng)?;
            if best
                .as_ref()
                .is_none_or(|best| found.0 > best.0 + LEAST_GAIN)
            {
                best = Some(found);
            }
        }
        Ok(best.map(|best| normalized(best.1)).unwrap_or_default())
    }

    /// Steps along coordinates and random directions until none gains.
    fn climb(
        &self,
        pool: &[TuneSentence],
        mut weights: Vec<f64>,
        rng: &mut SplitMix64,
    ) -> Result<(f64, Vec<f64>)> {
        let mut f = f64::NEG_INFINITY;
        loop {
            let before = f;
            for direction in self.directions(rng) {
                let bounds = self.bounds(&weights, &direction);
                let Some(step) = best_step(pool, &weights, &direction, bounds)? else {
                    continue;
                };
                if step.rates.f > f + LEAST_GAIN {
                    f = step.rates.f;
                    for (weight, part) in weights.iter_mut().zip(&direction) {
                        *weight += step.gamma * part;
                    }
                }
            }
            if f <= before + LEAST_GAIN {
                return Ok((f, weights));
            }
        }
    }

    fn is_fixed(&self, name: &str) -> bool {
        self.params.fixed.iter().any(|fixed| fixed == name)
    }

    fn directions(&self, rng: &mut SplitMix64) -> Vec<Vec<f64>> {
        let free: Vec<bool> = self.names.iter().map(|name| !self.is_fixed(name)).collect();
        let mut directions = Vec::new();
        for at in (0..free.len()).filter(|&at| free[at]) {
            let mut unit = vec![0.0; free.len()];
            unit[at] = 1.0;
            directions.push(unit);
        }
        for _ in 0..self.params.random_directions {
            let random = |&free: &bool| if free { 2.0 * rng.unit() - 1.0 } else { 0.0 };
            let random: Vec<f64> = free.iter().map(random).collect();
            let length = random.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.0 {
                directions.push(random.iter().map(|x| x / length).collect());
            }
        }
        directions
    }

    /// The steps that leave every weight at or above 0, if that is asked for.
    fn bounds(&self, weights: &[f64], direction: &[f64]) -> [f64; 2] {
        let mut bounds = [f64::NEG_INFINITY, f64::INFINITY];
        if self.params.nonnegative {
            for (&weight, &part) in weights.iter().zip(direction) {
                let zero = -weight.max(0.0) / part;
                if part > 0.0 {
                    bounds[0] = bounds[0].max(zero);
                } else if part < 0.0 {
                    bounds[1] = bounds[1].min(zero);
                }
            }
        }
        bounds
    }
}

/// Scaled so that the largest weight is 1 in magnitude: scaling changes no order.
pub(super) fn normalized(mut weights: Vec<f64>) -> Vec<f64> {
    let largest = weights
        .iter()
        .map(|weight| weight.abs())
        .fold(0.0, f64::max);
    if largest > 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= largest);
    }
    weights
}

/// Scaled so that fixed weights have the values given; as they are if none of those differs from 0.
pub(super) fn as_fixed(
    mut weights: Vec<f64>,
    given: &[f64],
    names: &[String],
    fixed: &[String],
) -> Vec<f64> {
    let fixed: Vec<usize> = (0..names.len().min(weights.len()))
        .filter(|&at| fixed.contains(&names[at]))
        .collect();
    // The largest loses least by rounding.
    let largest =
        (fixed.iter().copied()).max_by(|&a, &b| given[a].abs().total_cmp(&given[b].abs()));
    let scale = largest.map_or(1.0, |at| given[at] / weights[at]);
    if scale.is_finite() && scale > 0.0 {
        weights.iter_mut().for_each(|weight| *weight *= scale);
        fixed.iter().for_each(|&at| weights[at] = given[at]);
    }
    weights
}
