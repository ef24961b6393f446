//! Interpolated Kneser-Ney, with one discount an order or three.

use super::{Seen, Smooth};
use crate::count::CountTrie;
use crate::error::{Error, Result};
use pgen_core::WordId;

/// Interpolated Kneser-Ney.
#[derive(Debug)]
pub(crate) struct KneserNey {
    modified: bool,
    fallback: bool,
    /// Discounts for counts 1, 2, 3 and more, by level.
    pub(crate) discounts: Vec<[f64; 3]>,
    /// Orders whose discounts the counts do not define, and why.
    pub(crate) fallbacks: Vec<(usize, Box<str>)>,
}

impl KneserNey {
    pub(crate) fn new(modified: bool, fallback: bool) -> Self {
        KneserNey {
            modified,
            fallback,
            discounts: Vec::new(),
            fallbacks: Vec::new(),
        }
    }

    fn discount(&self, depth: usize, count: u32) -> f64 {
        match count {
            0 => 0.0,
            _ => self.discounts[depth][count.min(3) as usize - 1],
        }
    }
}

impl Smooth for KneserNey {
    fn level(&mut self, trie: &CountTrie, depth: usize) -> Result<Vec<u32>> {
        let counts = trie.adjusted(depth);
        let skip = (depth == 0).then_some(WordId::BOS.index());
        let n = counts_of_counts(&counts, skip);
        let (found, default) = if self.modified {
            (modified_discounts(n), [0.5, 1.0, 1.5])
        } else {
            (single_discount(n), [0.5; 3])
        };
        let discounts = match found {
            Ok(discounts) => discounts,
            Err(reason) if self.fallback => {
                self.fallbacks.push((depth + 1, reason));
                default
            }
            Err(reason) => {
                return Err(Error::DiscountUndefined {
                    order: depth + 1,
                    reason,
                });
            }
        };
        self.discounts.push(discounts);
        Ok(counts)
    }

    fn context(&self, depth: usize, seen: Seen<'_>, out: &mut [f64]) -> f64 {
        let total = seen.total();
        let mut freed = 0.0;
        for (at, &count) in seen.counts.iter().enumerate() {
            let discount = self.discount(depth, count);
            let rest = f64::from(count) - discount;
            if seen.is_kept(at) {
                freed += f64::from(count) - rest.max(0.0);
                out[at] = rest.max(0.0) / total;
            } else {
                freed += f64::from(count);
            }
        }
        let weight = freed / total;
        for (p, lower) in out.iter_mut().zip(seen.lower) {
            *p += weight * lower;
        }
        weight
    }
}

/// How many n-grams have count 1, 2, 3 and 4.
pub(crate) fn counts_of_counts(counts: &[u32], skip: Option<usize>) -> [u64; 4] {
    let mut n = [0; 4];
    for (at, &count) in counts.iter().enumerate() {
        if (1..=4).contains(&count) && Some(at) != skip {
            n[count as usize - 1] += 1;
        }
    }
    n
}

fn single_discount(n: [u64; 4]) -> Result<[f64; 3], Box<str>> {
    needed(n, 2)?;
    let [n1, n2, ..] = n.map(|n| n as f64);
    Ok([n1 / (n1 + 2.0 * n2); 3])
}

/// Chen and Goodman 1998, equation 26.
fn modified_discounts(n: [u64; 4]) -> Result<[f64; 3], Box<str>> {
    needed(n, 4)?;
    let n = n.map(|n| n as f64);
    let y = n[0] / (n[0] + 2.0 * n[1]);
    let mut discounts = [0.0; 3];
    for (at, discount) in discounts.iter_mut().enumerate() {
        let count = at as f64 + 1.0;
        *discount = count - (count + 1.0) * y * n[at + 1] / n[at];
        if !(0.0..=count).contains(discount) {
            return Err(format!("the discount of count {count} would be {discount}").into());
        }
    }
    Ok(discounts)
}

fn needed(n: [u64; 4], many: usize) -> Result<(), Box<str>> {
    match n[..many].iter().position(|&n| n == 0) {
        Some(at) => Err(format!("no n-gram has count {}", at + 1).into()),
        None => Ok(()),
    }
}
