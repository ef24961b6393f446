//! Exact search along a line of weights: for every sentence the upper envelope of its derivations'
//! scores, which are lines in the step γ; between two corners nothing changes (Och 2003, §4).

use super::counts::{Counts, Rates};
use crate::error::Result;
use pgen_core::Error as CoreError;

/// Intervals narrower than this are passed over: a step into them would not survive rounding.
const NARROWEST: f64 = 1e-9;

/// A derivation: unweighted feature sums, and what it replaces.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct TuneItem {
    pub features: Vec<f64>,
    pub counts: Counts,
}

/// A sentence: how many words it has, and derivations of it.
#[derive(Clone, PartialEq, Debug, Default)]
#[allow(missing_docs)]
pub struct TuneSentence {
    pub words: u64,
    pub items: Vec<TuneItem>,
}

/// A stretch of steps for which the same derivations are best.
#[derive(Clone, PartialEq, Debug)]
pub struct Segment {
    /// Where it begins; −∞ for the first.
    pub low: f64,
    /// Where it ends; +∞ for the last.
    pub high: f64,
    /// A step inside: the middle, or one beyond the only end.
    pub gamma: f64,
    /// The best derivation of each sentence.
    pub picks: Vec<usize>,
    /// The rates of the corpus there.
    pub rates: Rates,
}

/// All segments of the line `weights + γ · direction`, ascending.
///
/// O(D log D) for D derivations in all, and O(segments · sentences) for the answer.
///
/// # Errors
/// [`BadParameter`](CoreError::BadParameter) if lengths differ or a number is not finite, or for a
/// sentence without derivations.
pub fn line_search(
    sentences: &[TuneSentence],
    weights: &[f64],
    direction: &[f64],
) -> Result<Vec<Segment>> {
    let mut segments = Vec::new();
    sweep(
        sentences,
        weights,
        direction,
        [f64::NEG_INFINITY, f64::INFINITY],
        |segment, picks| {
            segments.push(Segment {
                picks: picks.to_vec(),
                ..segment
            });
        },
    )?;
    Ok(segments)
}

/// The best segment within `bounds`: highest f, then the wider one, then the smaller step. `picks` is
/// left empty. `None` if the bounds leave no room.
///
/// # Errors
/// As [`line_search`].
pub fn best_step(
    sentences: &[TuneSentence],
    weights: &[f64],
    direction: &[f64],
    bounds: [f64; 2],
) -> Result<Option<Segment>> {
    let mut best: Option<Segment> = None;
    sweep(sentences, weights, direction, bounds, |segment, _| {
        let better = best.as_ref().is_none_or(|best| {
            let width = |s: &Segment| s.high - s.low;
            let by_f = segment.rates.f.total_cmp(&best.rates.f);
            by_f.then_with(|| width(&segment).total_cmp(&width(best)))
                .then_with(|| best.gamma.abs().total_cmp(&segment.gamma.abs()))
                .is_gt()
        });
        if better {
            best = Some(segment);
        }
    })?;
    Ok(best)
}

fn sweep(
    sentences: &[TuneSentence],
    weights: &[f64],
    direction: &[f64],
    [low, high]: [f64; 2],
    mut visit: impl FnMut(Segment, &[usize]),
) -> Result<()> {
    check(sentences, weights, direction)?;
    let total: u64 = sentences.iter().map(|sentence| sentence.words).sum();
    let mut picks = Vec::with_capacity(sentences.len());
    let mut corners: Vec<(f64, usize, usize)> = Vec::new();
    for (number, sentence) in sentences.iter().enumerate() {
        let envelope = envelope(&sentence.items, weights, direction);
        picks.push(envelope.first().map_or(0, |first| first.1));
        corners.extend(envelope.iter().skip(1).map(|&(x, item)| (x, number, item)));
    }
    corners.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let counts = |number: usize, item: usize| sentences[number].items[item].counts;
    let mut sum: Counts = picks
        .iter()
        .enumerate()
        .map(|(number, &item)| counts(number, item))
        .sum();
    let mut at = f64::NEG_INFINITY;
    let mut next = 0;
    loop {
        let end = corners.get(next).map_or(f64::INFINITY, |corner| corner.0);
        let (from, to) = (at.max(low), end.min(high));
        if to - from > NARROWEST {
            let gamma = inside(from, to);
            let rates = sum.rates(total);
            visit(
                Segment {
                    low: from,
                    high: to,
                    gamma,
                    picks: Vec::new(),
                    rates,
                },
                &picks,
            );
        }
        let Some(&(x, number, item)) = corners.get(next) else {
            return Ok(());
        };
        sum = sum + counts(number, item) - counts(number, picks[number]);
        picks[number] = item;
        (at, next) = (x, next + 1);
    }
}

fn inside(low: f64, high: f64) -> f64 {
    match (low.is_finite(), high.is_finite()) {
        (true, true) => low + (high - low) / 2.0,
        (true, false) => low + 1.0,
        (false, true) => high - 1.0,
        (false, false) => 0.0,
    }
}

/// From left to right: where each derivation of the upper envelope begins, and its place.
fn envelope(items: &[TuneItem], weights: &[f64], direction: &[f64]) -> Vec<(f64, usize)> {
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let mut lines: Vec<(f64, f64, usize)> = items
        .iter()
        .enumerate()
        .map(|(place, item)| {
            (
                dot(direction, &item.features),
                dot(weights, &item.features),
                place,
            )
        })
        .collect();
    lines.sort_by(|a, b| {
        a.0.total_cmp(&b.0)
            .then(b.1.total_cmp(&a.1))
            .then(a.2.cmp(&b.2))
    });
    let mut hull: Vec<(f64, f64, f64, usize)> = Vec::new();
    for (slope, intercept, place) in lines {
        if hull.last().is_some_and(|last| last.1 == slope) {
            continue;
        }
        let mut begins = f64::NEG_INFINITY;
        while let Some(&(from, other_slope, other_intercept, _)) = hull.last() {
            begins = (other_intercept - intercept) / (slope - other_slope);
            if begins > from {
                break;
            }
            hull.pop();
            begins = f64::NEG_INFINITY;
        }
        hull.push((begins, slope, intercept, place));
    }
    hull.into_iter()
        .map(|(begins, _, _, place)| (begins, place))
        .collect()
}

fn check(sentences: &[TuneSentence], weights: &[f64], direction: &[f64]) -> Result<()> {
    let finite = |values: &[f64]| {
        values.len() == weights.len() && values.iter().all(|value| value.is_finite())
    };
    let items = sentences.iter().flat_map(|sentence| &sentence.items);
    let sound = finite(weights)
        && finite(direction)
        && items
            .map(|item| &item.features)
            .all(|features| finite(features))
        && sentences.iter().all(|sentence| !sentence.items.is_empty());
    if sound {
        return Ok(());
    }
    let expected = "finite numbers, as many as weights, and a derivation for each sentence";
    Err(CoreError::parameter("line", "not sound", expected).into())
}
