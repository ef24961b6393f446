//! The order of texts: spelling, word by word, never ids.

use pgen_core::{Lexicon, WordId};
use std::cmp::Ordering;

/// Compares two texts word by word by their spelling; a text comes before its continuations.
pub(crate) fn compare_texts(lexicon: &Lexicon, a: &[WordId], b: &[WordId]) -> Ordering {
    let mut pairs = a.iter().zip(b);
    match pairs.find(|(x, y)| x != y) {
        Some((&x, &y)) => lexicon.word(x).cmp(lexicon.word(y)),
        None => a.len().cmp(&b.len()),
    }
}
