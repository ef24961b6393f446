//! Tuning that does not trust itself more than unseen sentences do: cross-validation says how far to go
//! from the weights given to the weights found.

use super::counts::{Counts, Rates};
use super::params::TuneParams;
use super::search::{TuneCase, Tuned, as_fixed, normalized, totals, tune};
use crate::error::Result;
use pgen_core::{LanguageModel, Progress, SplitMix64};

/// Steps between the weights given and the weights found.
const STEPS: usize = 10;

/// What tuning with cross-validation found.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Shrunk {
    /// As found on all sentences, with the weights moved as far as the share says.
    pub tuned: Tuned,
    /// How far the weights go from those given (0) to those found (1).
    pub share: f64,
    /// The rates of sentences that their fold's tuning did not see, under the weights given.
    pub unseen_before: Rates,
    /// The same under weights moved by the share.
    pub unseen_after: Rates,
}

/// Tunes as [`tune`] does, and on `folds` parts of the sentences without each part in turn; the share of
/// the way from `start` to the weights found is the one that does best on the parts left out (of equal
/// ones the smallest), so that chance in few labels does not carry the weights away. Takes `folds` + 1
/// times as long.
///
/// # Errors
/// As [`tune`]; `bad-parameter` for fewer than two folds, or more than there are sentences.
pub fn tune_shrunk<L: LanguageModel + Sync>(
    cases: &[TuneCase],
    language: &L,
    start: &[f64],
    params: &TuneParams,
    folds: usize,
    progress: &dyn Progress,
) -> Result<Shrunk> {
    if !(2..=cases.len()).contains(&folds) {
        let expected = "at least 2, and no more than there are sentences";
        return Err(pgen_core::Error::parameter("folds", folds, expected).into());
    }
    let mut order: Vec<usize> = (0..cases.len()).collect();
    SplitMix64::stream(params.seed, 1).shuffle(&mut order);
    let from = normalized(start.to_vec());
    let mut sums = [(Counts::default(), 0u64); STEPS + 1];
    for fold in 0..folds {
        let part = |inside: bool| -> Vec<TuneCase> {
            let places = order.iter().enumerate();
            places
                .filter(|(rank, _)| (rank % folds == fold) == inside)
                .map(|(_, &at)| cases[at].clone())
                .collect()
        };
        let (held_out, others) = (part(true), part(false));
        let found = tune(&others, language, start, params, progress)?.weights;
        for (step, sum) in sums.iter_mut().enumerate() {
            let weights = between(&from, &found, share_of(step));
            let (counts, words) = totals(&held_out, language, &weights)?;
            *sum = (sum.0 + counts, sum.1 + words);
        }
    }
    let rates = sums.map(|(counts, words)| counts.rates(words));
    let best = (1..=STEPS).fold(0, |best, step| {
        if rates[step].f > rates[best].f {
            step
        } else {
            best
        }
    });
    let mut tuned = tune(cases, language, start, params, progress)?;
    let weights = between(&from, &tuned.weights, share_of(best));
    tuned.weights = as_fixed(weights, start, &tuned.names, &params.fixed);
    let (counts, words) = totals(cases, language, &tuned.weights)?;
    tuned.after = counts.rates(words);
    Ok(Shrunk {
        tuned,
        share: share_of(best),
        unseen_before: rates[0],
        unseen_after: rates[best],
    })
}

fn share_of(step: usize) -> f64 {
    step as f64 / STEPS as f64
}

/// Weights between two, as far from the first as the share says; scale means nothing, so both count as
/// long as their largest.
fn between(from: &[f64], to: &[f64], share: f64) -> Vec<f64> {
    let mix = |(a, b): (&f64, &f64)| (1.0 - share) * a + share * b;
    let to = normalized(to.to_vec());
    normalized(from.iter().zip(&to).map(mix).collect())
}
