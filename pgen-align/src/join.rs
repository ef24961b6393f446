//! All pairs of sequences within an edit distance, by prefix filtering (Chaudhuri et al. 2006) on
//! multisets of words, verified by banded dynamic programming.

use crate::distance::Metric;
use hashbrown::HashMap;

/// A word and which of its occurrences in the sequence, ordered from rare to frequent words.
type Item = (u32, u32);

/// Pairs (a, b, distance), a before b in processing order, of distinct sequences within `limit` whose
/// lengths satisfy `lengths`, which must not come true again once the longer one grows further.
pub(crate) fn close_pairs(
    sequences: &[&[u32]],
    limit: usize,
    metric: Metric,
    lengths: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize, usize)> {
    let items = ranked_items(sequences);
    let mut order: Vec<usize> = (0..sequences.len()).collect();
    order.sort_by_key(|&at| (sequences[at].len(), at));
    let mut index: HashMap<Item, Vec<usize>> = HashMap::new();
    let mut short: Vec<usize> = Vec::new();
    let (mut stamps, mut found) = (vec![usize::MAX; sequences.len()], Vec::new());
    for (turn, &at) in order.iter().enumerate() {
        let length = sequences[at].len();
        let mut check = |other: usize| {
            if std::mem::replace(&mut stamps[other], turn) == turn
                || !lengths(sequences[other].len(), length)
            {
                return;
            }
            if let Some(distance) = metric.within(sequences[other], sequences[at], limit) {
                found.push((other, at, distance));
            }
        };
        // The shortest partner asks for the least overlap.
        let least = (0..=length)
            .find(|&other| lengths(other, length))
            .unwrap_or(length);
        let needed = metric.needed_overlap(length, least.max(length.saturating_sub(limit)), limit);
        for item in prefix(&items[at], needed) {
            index
                .get(item)
                .into_iter()
                .flatten()
                .for_each(|&other| check(other));
        }
        let alone =
            |other: &&usize| metric.needed_overlap(length, sequences[**other].len(), limit) <= 0;
        short.iter().filter(alone).for_each(|&other| check(other));
        // Later partners are at least as long.
        let needed = metric.needed_overlap(length, length, limit);
        for &item in prefix(&items[at], needed) {
            index.entry(item).or_default().push(at);
        }
        if metric.needed_overlap(length, 1, limit) <= 0 {
            short.push(at);
        }
    }
    found
}

/// The items that one sequence must share at least one of with any other that shares `needed` of all.
fn prefix(items: &[Item], needed: i64) -> &[Item] {
    let length = items.len() as i64 - needed.max(1) + 1;
    &items[..length.clamp(0, items.len() as i64) as usize]
}

/// Each sequence as a sorted set: rare words first, occurrences told apart.
fn ranked_items(sequences: &[&[u32]]) -> Vec<Vec<Item>> {
    let mut counts: HashMap<u32, u32> = HashMap::new();
    for word in sequences.iter().copied().flatten() {
        *counts.entry(*word).or_default() += 1;
    }
    let ranked = |sequence: &&[u32]| {
        let mut words = sequence.to_vec();
        words.sort_unstable_by_key(|word| (counts[word], *word));
        let mut items: Vec<Item> = Vec::with_capacity(words.len());
        for word in words {
            let before = items
                .last()
                .filter(|last| last.0 == word)
                .map_or(0, |last| last.1 + 1);
            items.push((word, before));
        }
        items
    };
    sequences.iter().map(ranked).collect()
}
