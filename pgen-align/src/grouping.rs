//! Sorting that can be stopped: by counting into groups, then each group for itself.

use crate::error::Result;
use pgen_core::Stop;

/// The items by the number of their group, 0..`groups`; within a group as they came. O(items + groups)
/// time, and room for the items once more.
///
/// # Errors
/// When told to stop.
pub(crate) fn grouped<T: Copy>(
    items: Vec<T>,
    groups: usize,
    group: impl Fn(&T) -> usize,
    stop: &Stop,
) -> Result<Vec<T>> {
    let (mut next, mut ticker) = (vec![0usize; groups + 1], stop.ticker());
    for item in &items {
        ticker.tick()?;
        next[group(item) + 1] += 1;
    }
    for at in 1..next.len() {
        next[at] += next[at - 1];
    }
    let mut sorted = Vec::with_capacity(items.len());
    for part in items.chunks(1 << 16) {
        stop.check()?;
        sorted.extend_from_slice(part);
    }
    for item in items {
        ticker.tick()?;
        let place = &mut next[group(&item)];
        sorted[*place] = item;
        *place += 1;
    }
    Ok(sorted)
}

/// Sorts by group and then by key; items that are equal in both come in any order.
///
/// # Errors
/// When told to stop.
pub(crate) fn sorted<T: Copy, K: Ord>(
    items: Vec<T>,
    groups: usize,
    group: impl Fn(&T) -> usize,
    key: impl Fn(&T) -> K,
    stop: &Stop,
) -> Result<Vec<T>> {
    let mut items = grouped(items, groups, &group, stop)?;
    for same in items.chunk_by_mut(|a, b| group(a) == group(b)) {
        stop.check()?;
        same.sort_unstable_by_key(&key);
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::SplitMix64;

    #[test]
    fn groups_and_keys_are_those_of_a_stable_sort() {
        let mut rng = SplitMix64::new(5);
        for length in [0, 1, 2, 50, 3000] {
            let item = |_| (rng.below(20) as usize, rng.below(9));
            let items: Vec<(usize, u64)> = (0..length).map(item).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            let never = Stop::never();
            assert_eq!(
                grouped(items.clone(), 20, |item| item.0, &never).unwrap(),
                expected
            );
            expected.sort_unstable();
            let found = sorted(items, 20, |item| item.0, |item| item.1, &never);
            assert_eq!(found.unwrap(), expected);
        }
    }

    #[test]
    fn a_stop_ends_it() {
        let stop = Stop::never().with_condition(|| true);
        assert!(grouped(vec![1usize, 0], 2, |item| *item, &stop).is_err());
    }
}
