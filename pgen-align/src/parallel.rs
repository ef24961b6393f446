//! Threads that change no byte: work is cut into parts, results come back in the order of the parts,
//! and no sum crosses a part unless the parts are fixed by the data.

use crate::error::Result;
use pgen_core::Stop;
use std::ops::Range;

/// Numbers that are worked off between two looks at the clock where each costs little.
pub(crate) const STRETCH: usize = 1 << 18;

/// Number of threads that may run at once.
pub(crate) fn width() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads().max(1);
    #[cfg(not(feature = "parallel"))]
    1
}

/// Applies `work` to every item, in parallel if the feature is on; results in order.
pub(crate) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        if items.len() > 1 && width() > 1 {
            return items.into_par_iter().map(work).collect();
        }
    }
    items.into_iter().map(work).collect()
}

/// A vector of one value. Filling fresh memory takes its time.
///
/// # Errors
/// When told to stop.
pub(crate) fn filled(length: usize, value: f64, stop: &Stop) -> Result<Vec<f64>> {
    let mut values = Vec::with_capacity(length);
    while values.len() < length {
        stop.check()?;
        values.resize(length.min(values.len() + STRETCH), value);
    }
    Ok(values)
}

/// Changes every number, until told to stop.
pub(crate) fn change(values: &mut [f64], stop: &Stop, change: impl Fn(f64) -> f64) {
    for values in values.chunks_mut(STRETCH) {
        if stop.check().is_err() {
            return;
        }
        values.iter_mut().for_each(|value| *value = change(*value));
    }
}

/// Cuts `0..weights.len()` into at most `parts` ranges of about equal weight.
pub(crate) fn split_by_weight(weights: &[u64], parts: usize) -> Vec<Range<usize>> {
    let total: u64 = weights.iter().sum();
    let goal = (total / parts.max(1) as u64).max(1);
    let (mut ranges, mut start, mut sum) = (Vec::new(), 0, 0);
    for (at, weight) in weights.iter().enumerate() {
        sum += weight;
        if sum >= goal {
            ranges.push(start..at + 1);
            (start, sum) = (at + 1, 0);
        }
    }
    if start < weights.len() {
        ranges.push(start..weights.len());
    }
    ranges
}

/// Cuts a slice at the ends of consecutive ranges given by their lengths.
pub(crate) fn split_mut<T>(
    mut slice: &mut [T],
    lengths: impl IntoIterator<Item = usize>,
) -> Vec<&mut [T]> {
    let mut parts = Vec::new();
    for length in lengths {
        let (head, tail) = slice.split_at_mut(length.min(slice.len()));
        parts.push(head);
        slice = tail;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_everything_once() {
        for parts in 1..9 {
            let weights = [5, 0, 1, 9, 2, 2, 0, 7, 1, 1];
            let ranges = split_by_weight(&weights, parts);
            let all: Vec<_> = ranges.into_iter().flatten().collect();
            assert_eq!(all, (0..weights.len()).collect::<Vec<_>>());
        }
        assert!(split_by_weight(&[], 3).is_empty());
    }
}
