//! Similarity: more words in common with a reference.

use pgen_core::{Error as CoreError, Replacement, UsabilityModel};
use std::collections::BTreeMap;

use crate::error::Result;

/// Gain: how many words of the reference the new words have in common with it, minus how many the
/// replaced ones have; each word counts as often as the reference has it, fillers of slots do not count.
/// Kept if positive (Zhao et al. 2009, §3.3.3).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Similarity {
    reference: BTreeMap<String, usize>,
    strict: bool,
}

impl Similarity {
    /// Similarity to the words of a reference, in the form that models see (usually lower case).
    ///
    /// # Errors
    /// `bad-parameter` for a reference without words.
    pub fn to<S: Into<String>>(words: impl IntoIterator<Item = S>) -> Result<Self> {
        let mut reference = BTreeMap::new();
        for word in words {
            *reference.entry(word.into()).or_insert(0) += 1;
        }
        if reference.is_empty() {
            let expected = "a sentence with at least one word";
            return Err(CoreError::parameter("reference", "empty", expected).into());
        }
        Ok(Similarity {
            reference,
            strict: false,
        })
    }

    /// Drops too what brings in more words that the reference lacks than it takes away: `forests` →
    /// `wood for the trees` holds a word of a reference with `trees`, and two or three that it lacks.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Words of a text that the reference has too, each at most as often as there.
    #[must_use]
    pub fn overlap<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> usize {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for word in words {
            *counts.entry(word).or_insert(0) += 1;
        }
        let common = |(word, count): (&&str, &usize)| {
            self.reference
                .get(*word)
                .map_or(0, |most| (*count).min(*most))
        };
        counts.iter().map(common).sum()
    }
}

impl UsabilityModel for Similarity {
    fn gain(&self, replacement: &Replacement<'_>) -> Option<f64> {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        replacement.for_each_source_word(false, |word| before.push(word.to_owned()));
        replacement.for_each_target_word(false, |word| after.push(word.to_owned()));
        let overlap = |words: &[String]| self.overlap(words.iter().map(String::as_str)) as f64;
        let gain = overlap(&after) - overlap(&before);
        let strange = after.len() as f64 - before.len() as f64 - gain;
        (gain > 0.0 && !(self.strict && strange > 0.0)).then_some(gain)
    }
}
