//! Smoothing: from counts to probabilities and back-off weights.
//!
//! All of them see the trie of counts one level at a time: contexts at one level, their next words at the
//! level below, and the probabilities of the shorter n-grams, already known.

mod katz;
mod kneser_ney;
mod witten_bell;

pub(crate) use katz::Katz;
pub(crate) use kneser_ney::KneserNey;
pub(crate) use witten_bell::WittenBell;

use crate::count::CountTrie;
use crate::error::Result;
use pgen_core::WordId;

/// What a smoothing does with one context.
pub(crate) trait Smooth {
    /// Counts of a level, from which `context` works; called once a level, from unigrams.
    fn level(&mut self, trie: &CountTrie, depth: usize) -> Result<Vec<u32>>;

    /// The probabilities of a context's next words (`seen`, in place of `out`) and the back-off weight.
    /// `lower` are the probabilities of the same words one order below. `kept` tells which n-grams stay.
    fn context(&self, depth: usize, seen: Seen<'_>, out: &mut [f64]) -> f64;
}

/// A context's next words.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) counts: &'a [u32],
    pub(crate) lower: &'a [f64],
    /// All true if empty.
    pub(crate) kept: &'a [bool],
}

impl Seen<'_> {
    pub(crate) fn total(&self) -> f64 {
        self.counts.iter().map(|&count| f64::from(count)).sum()
    }

    pub(crate) fn is_kept(&self, at: usize) -> bool {
        self.kept.is_empty() || self.kept[at]
    }
}

/// Fills the trie's shape with probabilities (natural logarithms) and back-off weights.
///
/// Returns the counts of each level that the smoothing worked from.
pub(crate) fn smooth(
    trie: &mut CountTrie,
    method: &mut dyn Smooth,
    cutoff: impl Fn(usize) -> u64,
) -> Result<()> {
    let orders = trie.shape.order();
    let mut all_counts = Vec::with_capacity(orders);
    for depth in 0..orders {
        all_counts.push(method.level(trie, depth)?);
    }
    let kept = kept(trie, &all_counts, cutoff);
    let mut lower = unigrams(trie, method, &all_counts[0]);
    for depth in 1..orders {
        let counts = &all_counts[depth];
        let (shorter, longer) = trie.shape.levels.split_at_mut(depth);
        let (above, level) = (&mut shorter[depth - 1], &mut longer[0]);
        let below: Vec<f64> = level.suffixes.iter().map(|&s| lower[s as usize]).collect();
        let mut probabilities = vec![0.0; level.len()];
        above.backoffs = vec![0.0; above.len()];
        for context in 0..above.len() {
            let range = above.range(context as u32);
            if range.is_empty() {
                continue;
            }
            let seen = Seen {
                counts: &counts[range.clone()],
                lower: &below[range.clone()],
                kept: kept[depth].get(range.clone()).unwrap_or(&[]),
            };
            let weight = method.context(depth, seen, &mut probabilities[range]);
            above.backoffs[context] = weight.ln();
        }
        above.log_probs = logarithms(&lower);
        lower = probabilities;
    }
    if let Some(last) = trie.shape.levels.last_mut() {
        last.log_probs = logarithms(&lower);
        last.backoffs = vec![0.0; last.len()];
    }
    if kept.iter().any(|flags| !flags.is_empty()) {
        trie.shape = crate::prune::retain(&trie.shape, &kept);
    }
    Ok(())
}

fn logarithms(probabilities: &[f64]) -> Vec<f64> {
    probabilities.iter().map(|p| p.ln()).collect()
}

/// Unigrams: the context is empty, what lies below is uniform over the words that can be predicted.
fn unigrams(trie: &mut CountTrie, method: &dyn Smooth, counts: &[u32]) -> Vec<f64> {
    // `<s>` is never predicted; `<unk>` always can be.
    let bos = WordId::BOS.index();
    let is_word = |&word: &usize| word != bos && (counts[word] > 0 || word == 0);
    let words: Vec<usize> = (0..counts.len()).filter(is_word).collect();
    let uniform = 1.0 / words.len() as f64;
    // `<unk>` without a count is no seen word.
    let seen: Vec<usize> = words
        .iter()
        .copied()
        .filter(|&word| counts[word] > 0)
        .collect();
    let seen_counts: Vec<u32> = seen.iter().map(|&word| counts[word]).collect();
    let lower = vec![uniform; seen.len()];
    let mut out = vec![0.0; seen.len()];
    let view = Seen {
        counts: &seen_counts,
        lower: &lower,
        kept: &[],
    };
    let weight = method.context(0, view, &mut out);
    let mut probabilities = vec![0.0; counts.len()];
    for (&word, p) in seen.iter().zip(out) {
        probabilities[word] = p;
    }
    if counts[0] == 0 {
        probabilities[0] = weight * uniform;
        if probabilities[0] <= 0.0 {
            // Nothing is left for unknown words: they count as one that was seen once.
            let total = view.total();
            probabilities
                .iter_mut()
                .for_each(|p| *p *= total / (total + 1.0));
            probabilities[0] = 1.0 / (total + 1.0);
        }
    }
    if counts[0] > 0 {
        // Back-off methods leave a rest for words unseen, of which there are none.
        let sum: f64 = probabilities.iter().sum();
        probabilities.iter_mut().for_each(|p| *p /= sum);
    }
    trie.shape.listed[0] = true;
    trie.shape.listed[bos] = true;
    for (word, p) in probabilities.iter_mut().enumerate() {
        if word == bos {
            *p = 1e-99;
        } else if !trie.shape.listed[word] {
            *p = 0.0;
        }
    }
    let unknown = probabilities[0];
    for (word, p) in probabilities.iter_mut().enumerate() {
        if !trie.shape.listed[word] {
            *p = unknown;
        }
    }
    probabilities
}

/// Which n-grams stay, by level: those above the cut-off and all that these need. Empty where all stay.
fn kept(trie: &CountTrie, counts: &[Vec<u32>], cutoff: impl Fn(usize) -> u64) -> Vec<Vec<bool>> {
    let orders = trie.shape.order();
    if (1..=orders).all(|order| cutoff(order) == 0) {
        return vec![Vec::new(); orders];
    }
    let mut kept: Vec<Vec<bool>> = (0..orders)
        .map(|depth| {
            let least = cutoff(depth + 1);
            counts[depth]
                .iter()
                .map(|&count| depth == 0 || u64::from(count) > least)
                .collect()
        })
        .collect();
    crate::prune::close(&trie.shape, &mut kept);
    kept
}
