//! Replacement precision, replacement rate, and their harmonic mean.

use std::iter::Sum;
use std::ops::{Add, Sub};

/// What is counted of derivations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)]
pub struct Counts {
    /// Replacements that are correct.
    pub correct: u64,
    /// Replacements.
    pub replacements: u64,
    /// Source words in replaced units; words in slots count only if they are replaced themselves.
    pub words: u64,
}

/// rp, rr and rf of a corpus.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Rates {
    /// Replacement precision: correct replacements over all; 0 without any.
    pub precision: f64,
    /// Replacement rate: words in replaced units over all words; 0 without words.
    pub rate: f64,
    /// Harmonic mean of both; 0 if both are.
    pub f: f64,
}

impl Counts {
    /// The rates of a corpus with this many words. Sums come first, then the ratios.
    #[must_use]
    pub fn rates(self, total_words: u64) -> Rates {
        let ratio = |a: u64, b: u64| if b == 0 { 0.0 } else { a as f64 / b as f64 };
        let precision = ratio(self.correct, self.replacements);
        let rate = ratio(self.words, total_words);
        let sum = precision + rate;
        let f = if sum > 0.0 {
            2.0 * precision * rate / sum
        } else {
            0.0
        };
        Rates { precision, rate, f }
    }
}

impl Add for Counts {
    type Output = Counts;

    fn add(self, other: Counts) -> Counts {
        Counts {
            correct: self.correct + other.correct,
            replacements: self.replacements + other.replacements,
            words: self.words + other.words,
        }
    }
}

impl Sub for Counts {
    type Output = Counts;

    fn sub(self, other: Counts) -> Counts {
        Counts {
            correct: self.correct - other.correct,
            replacements: self.replacements - other.replacements,
            words: self.words - other.words,
        }
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Counts>>(items: I) -> Counts {
        items.fold(Counts::default(), Add::add)
    }
}
