//! Interpolated Witten-Bell.

use super::{Seen, Smooth};
use crate::count::CountTrie;
use crate::error::Result;

/// P(w | h) = (c(hw) + T(h) P(w | h')) / (c(h) + T(h)), T the number of distinct words after h.
#[derive(Debug)]
pub(crate) struct WittenBell;

impl Smooth for WittenBell {
    fn level(&mut self, trie: &CountTrie, depth: usize) -> Result<Vec<u32>> {
        Ok(trie.counts[depth].clone())
    }

    fn context(&self, _depth: usize, seen: Seen<'_>, out: &mut [f64]) -> f64 {
        let types = seen.counts.len() as f64;
        let total = seen.total() + types;
        let kept = |at: usize| {
            if seen.is_kept(at) {
                f64::from(seen.counts[at])
            } else {
                0.0
            }
        };
        let cut: f64 = (0..seen.counts.len())
            .map(|at| f64::from(seen.counts[at]) - kept(at))
            .sum();
        let weight = (types + cut) / total;
        for (at, p) in out.iter_mut().enumerate() {
            *p = kept(at) / total + weight * seen.lower[at];
        }
        weight
    }
}
