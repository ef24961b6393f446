//! Word lists: controlled languages, house styles, glossaries.

use pgen_core::{Replacement, UsabilityModel};
use std::collections::BTreeSet;

/// Counts of the words of a replacement that `counts` says yes to: replaced ones, new ones. Words without
/// a letter never count.
fn counted(replacement: &Replacement<'_>, counts: impl Fn(&str) -> bool) -> [u32; 2] {
    let counts = |word: &str| word.chars().any(char::is_alphabetic) && counts(word);
    let [mut before, mut after] = [0, 0];
    replacement.for_each_source_word(false, |word| before += u32::from(counts(word)));
    replacement.for_each_target_word(false, |word| after += u32::from(counts(word)));
    [before, after]
}

fn set<S: Into<String>>(words: impl IntoIterator<Item = S>) -> BTreeSet<String> {
    words.into_iter().map(Into::into).collect()
}

/// A controlled language: only words of a list are approved, and a replacement gains as many words as it
/// has fewer that are not. Kept if positive. Words as models see them (usually lower case), every form for
/// itself; fillers of slots do not count.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ApprovedWords(BTreeSet<String>);

impl ApprovedWords {
    /// These words are approved.
    #[must_use]
    pub fn new<S: Into<String>>(words: impl IntoIterator<Item = S>) -> Self {
        ApprovedWords(set(words))
    }

    /// How many of some words are not approved.
    #[must_use]
    pub fn unapproved<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> usize {
        let words = words.into_iter();
        words
            .filter(|word| word.chars().any(char::is_alphabetic) && !self.0.contains(*word))
            .count()
    }
}

impl UsabilityModel for ApprovedWords {
    fn gain(&self, replacement: &Replacement<'_>) -> Option<f64> {
        let [before, after] = counted(replacement, |word| !self.0.contains(word));
        (after < before).then(|| f64::from(before - after))
    }
}

/// Words to be avoided: a replacement gains as many words as it has fewer of them. One that changes
/// nothing about them is kept with gain 0, one that has more is dropped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AvoidWords(BTreeSet<String>);

impl AvoidWords {
    /// These words are avoided.
    #[must_use]
    pub fn new<S: Into<String>>(words: impl IntoIterator<Item = S>) -> Self {
        AvoidWords(set(words))
    }
}

impl UsabilityModel for AvoidWords {
    fn gain(&self, replacement: &Replacement<'_>) -> Option<f64> {
        let [before, after] = counted(replacement, |word| self.0.contains(word));
        (after <= before).then(|| f64::from(before - after))
    }
}

/// Terms to be preferred: a replacement gains as many words as it has more of them. Kept if positive.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PreferWords(BTreeSet<String>);

impl PreferWords {
    /// These words are preferred.
    #[must_use]
    pub fn new<S: Into<String>>(words: impl IntoIterator<Item = S>) -> Self {
        PreferWords(set(words))
    }
}

impl UsabilityModel for PreferWords {
    fn gain(&self, replacement: &Replacement<'_>) -> Option<f64> {
        let [before, after] = counted(replacement, |word| self.0.contains(word));
        (after > before).then(|| f64::from(after - before))
    }
}

/// Fewer words: a replacement gains as many as it has fewer. Kept if positive. Signs count as words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FewerWords;

impl UsabilityModel for FewerWords {
    fn gain(&self, replacement: &Replacement<'_>) -> Option<f64> {
        let [mut before, mut after] = [0u32; 2];
        replacement.for_each_source_word(false, |_| before += 1);
        replacement.for_each_target_word(false, |_| after += 1);
        (after < before).then(|| f64::from(before - after))
    }
}
