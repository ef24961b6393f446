//! Katz back-off with Good-Turing discounts.

use super::{Seen, Smooth};
use crate::count::CountTrie;
use crate::error::Result;
use pgen_core::WordId;

/// Counts above this are trusted (Katz 1987).
const TRUSTED: usize = 7;

/// Katz back-off: seen n-grams get discounted relative frequencies, the rest is shared in proportion to
/// the shorter n-grams. Where discounting leaves nothing, the rest is the share of one more token.
#[derive(Debug, Default)]
pub(crate) struct Katz {
    /// The factor d_r of each count r up to k, by level; empty if nothing is discounted.
    pub(crate) factors: Vec<Vec<f64>>,
}

impl Smooth for Katz {
    fn level(&mut self, trie: &CountTrie, depth: usize) -> Result<Vec<u32>> {
        let counts = trie.counts[depth].clone();
        let skip = (depth == 0).then_some(WordId::BOS.index());
        let mut n = [0u64; TRUSTED + 2];
        for (at, &count) in counts.iter().enumerate() {
            if (1..n.len()).contains(&(count as usize)) && Some(at) != skip {
                n[count as usize] += 1;
            }
        }
        self.factors.push(good_turing(&n));
        Ok(counts)
    }

    fn context(&self, depth: usize, seen: Seen<'_>, out: &mut [f64]) -> f64 {
        let total = seen.total();
        let factors = &self.factors[depth];
        let (mut taken, mut lower) = (0.0, 0.0);
        for (at, &count) in seen.counts.iter().enumerate() {
            let factor = factors.get(count as usize).copied().unwrap_or(1.0);
            let p = factor * f64::from(count) / total;
            // A cut n-gram is found by backing off: its own number is never read.
            out[at] = p;
            if seen.is_kept(at) {
                taken += p;
                lower += seen.lower[at];
            }
        }
        if depth == 0 {
            // What is left belongs to `<unk>` alone: undo its share of the uniform distribution.
            let uniform = seen.lower.first().copied().unwrap_or(1.0);
            return ((1.0 - taken) / uniform).max(0.0);
        }
        let (left, open) = (1.0 - taken, 1.0 - lower);
        if open <= 1e-12 {
            // No other word can follow.
            out.iter_mut().for_each(|p| *p /= taken);
            return 0.0;
        }
        if left <= 1e-12 {
            // All counts are trusted, so nothing is left for words that do exist: they get the share of one
            // more token (Doug Paul's remedy, as in the CMU toolkit and SRILM).
            let share = total / (total + 1.0);
            out.iter_mut().for_each(|p| *p *= share);
            return (1.0 - taken * share) / open;
        }
        left / open
    }
}

/// d_r for r = 0..=k, the largest k up to 7 for which all of them are in (0, 1].
fn good_turing(n: &[u64; TRUSTED + 2]) -> Vec<f64> {
    (1..=TRUSTED)
        .rev()
        .filter(|&k| n[1..=k + 1].iter().all(|&n| n > 0))
        .find_map(|k| {
            let count = |r: usize| n[r] as f64;
            let a = (k + 1) as f64 * count(k + 1) / count(1);
            let factor = |r: usize| {
                let ratio = (r + 1) as f64 * count(r + 1) / count(r) / r as f64;
                let factor = (ratio - a) / (1.0 - a);
                (factor > 0.0 && factor <= 1.0).then_some(factor)
            };
            let factors: Option<Vec<f64>> = (1..=k).map(factor).collect();
            Some([vec![1.0], factors?].concat())
        })
        .unwrap_or_default()
}
