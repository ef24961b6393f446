//! Keywords of constituents and the test that they do not cross (Pang et al. 2003, §3.2).

use crate::params::MergeParams;
use pgen_core::{Span, Tree};

/// The keywords of a tree's leaves, so that those of any constituent are one slice.
#[derive(Debug)]
pub(crate) struct Keywords {
    /// Keywords from left to right, by word number.
    words: Vec<u32>,
    /// Keywords before each leaf, and in the end of all.
    before: Vec<u32>,
}

impl Keywords {
    /// `word` numbers each leaf's word.
    pub(crate) fn of(tree: &Tree, numbers: &[u32], params: &MergeParams) -> Self {
        let mut keywords = Keywords {
            words: Vec::new(),
            before: vec![0],
        };
        for (leaf, &number) in tree.leaves().zip(numbers) {
            if params
                .keyword_tags
                .iter()
                .any(|tag| leaf.label().starts_with(tag.as_str()))
            {
                keywords.words.push(number);
            }
            keywords.before.push(keywords.words.len() as u32);
        }
        keywords
    }

    /// The keywords below a constituent, by its leaves.
    pub(crate) fn within(&self, leaves: Span) -> &[u32] {
        let at = |leaf: u32| self.before.get(leaf as usize).copied().unwrap_or(0) as usize;
        self.words
            .get(at(leaves.start())..at(leaves.end()))
            .unwrap_or(&[])
    }
}

/// A sorted set of word numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordSet(Vec<u32>);

impl WordSet {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn contains(&self, word: u32) -> bool {
        self.0.binary_search(&word).is_ok()
    }

    pub(crate) fn extend(&mut self, words: &[u32]) {
        for &word in words {
            if let Err(place) = self.0.binary_search(&word) {
                self.0.insert(place, word);
            }
        }
    }
}

/// Do the new constituents' keywords cross with those merged so far? True if a keyword of one, or a
/// word that means the same, is among the keywords of another's counterpart.
pub(crate) fn crosses(
    new: &[&[u32]],
    merged: &[&WordSet],
    synonyms: &mut dyn FnMut(u32) -> Vec<u32>,
) -> bool {
    let clue = |word: u32, at: usize| {
        merged
            .iter()
            .enumerate()
            .any(|(other, set)| other != at && set.contains(word))
    };
    new.iter().enumerate().any(|(at, words)| {
        words
            .iter()
            .any(|&word| clue(word, at) || synonyms(word).iter().any(|&same| clue(same, at)))
    })
}
