//! Automatic stand-ins for Table 3 of Quirk et al. (2004). They are proxies: no reader looked.

use crate::answer::Paraphrase;
use crate::diversity::EditKind;
use std::collections::BTreeMap;

/// Counts over paraphrases of what kind of change they show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[allow(missing_docs)] // the methods say it
pub struct Proxies {
    pub paraphrases: u64,
    /// A pair of words that both texts have once stands in the other order.
    pub rearranged: u64,
    /// A rule with several words on a side was used.
    pub phrasal: u64,
    /// Fewer words than before.
    pub shorter: u64,
    /// More words than before.
    pub longer: u64,
}

impl Proxies {
    /// Counts a paraphrase of a source.
    pub fn add(&mut self, source: &str, item: &Paraphrase) {
        let (before, after) = (words(source), words(&item.text));
        self.paraphrases += 1;
        self.rearranged += u64::from(is_rearranged(&before, &after));
        self.phrasal += u64::from(item.edits.iter().any(|edit| edit.kind != EditKind::Word));
        self.shorter += u64::from(after.len() < before.len());
        self.longer += u64::from(after.len() > before.len());
    }
}

fn words(text: &str) -> Vec<String> {
    let cleaned = text.split_whitespace().map(|word| {
        word.trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase()
    });
    cleaned.filter(|word| !word.is_empty()).collect()
}

fn is_rearranged(before: &[String], after: &[String]) -> bool {
    let once = |words: &[String]| -> BTreeMap<String, usize> {
        let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, word) in words.iter().enumerate() {
            places.entry(word.clone()).or_default().push(at);
        }
        let single = places.into_iter().filter(|(_, places)| places.len() == 1);
        single.map(|(word, places)| (word, places[0])).collect()
    };
    let (before, after) = (once(before), once(after));
    let mut pairs: Vec<(usize, usize)> = before
        .iter()
        .filter_map(|(word, &at)| Some((at, *after.get(word)?)))
        .collect();
    pairs.sort_unstable();
    pairs.windows(2).any(|pair| pair[0].1 > pair[1].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_counts_only_for_words_that_stand_once() {
        let check = |a: &str, b: &str| is_rearranged(&words(a), &words(b));
        assert!(check("He left, she stayed.", "She stayed, he left."));
        assert!(!check("the big dog", "the large dog"));
        assert!(!check("the dog the cat", "cat the dog the dog"));
    }
}
