//! The trie of all n-grams with their counts.

use super::Counter;
use crate::error::Result;
use crate::ngrams::{Level, Ngrams, suffixes_of_level};
use pgen_core::{Error, Place, WordId};

/// All n-grams of a corpus: the shape of a model without its numbers, and how often each occurs.
pub(crate) struct CountTrie {
    pub(crate) shape: Ngrams,
    /// Occurrences, by level.
    pub(crate) counts: Vec<Vec<u32>>,
}

impl CountTrie {
    /// Sorts what was counted. `vocabulary` is the number of words; words that do not occur have count 0.
    pub(crate) fn new(counter: &mut Counter, order: usize, vocabulary: usize) -> Result<Self> {
        let occurrences = counter.tokens + counter.sentences;
        if occurrences > u64::from(u32::MAX) {
            return Err(Error::LimitExceeded {
                place: Place::default(),
                what: "number of tokens",
                limit: u64::from(u32::MAX),
                found: occurrences,
            }
            .into());
        }
        let mut trie = CountTrie {
            shape: Ngrams {
                levels: vec![Level::default(); order],
                listed: vec![false; vocabulary],
            },
            counts: vec![Vec::new(); order],
        };
        let mut last: Vec<u32> = Vec::with_capacity(order);
        counter.for_each(|words, count| {
            let shared = last.iter().zip(words).take_while(|(a, b)| a == b).count();
            for (depth, &word) in words.iter().enumerate().skip(shared) {
                trie.open(depth, word);
            }
            for counts in &mut trie.counts[..words.len()] {
                if let Some(sum) = counts.last_mut() {
                    *sum += count as u32;
                }
            }
            last.clear();
            last.extend_from_slice(words);
        })?;
        trie.close(vocabulary);
        Ok(trie)
    }

    fn open(&mut self, depth: usize, word: u32) {
        if depth == 0 {
            while self.counts[0].len() < word as usize {
                self.node(0, self.counts[0].len() as u32);
            }
            self.shape.listed[word as usize] = true;
        }
        self.node(depth, word);
    }

    fn node(&mut self, depth: usize, word: u32) {
        if let Some(next) = self.shape.levels.get(depth + 1) {
            let start = next.words.len() as u32;
            self.shape.levels[depth].children.push(start);
        }
        self.shape.levels[depth].words.push(word);
        self.counts[depth].push(0);
    }

    fn close(&mut self, vocabulary: usize) {
        while self.counts[0].len() < vocabulary {
            self.node(0, self.counts[0].len() as u32);
        }
        for depth in 1..self.shape.order() {
            let end = self.shape.levels[depth].len() as u32;
            self.shape.levels[depth - 1].children.push(end);
        }
        for depth in 1..self.shape.order() {
            // Whatever follows a token's first word is a key too, so every suffix is there.
            let (suffixes, absent) = suffixes_of_level(&self.shape, depth);
            debug_assert!(absent.is_empty());
            self.shape.levels[depth].suffixes = suffixes;
        }
    }

    /// Nodes at a depth whose n-gram begins with `<s>`.
    pub(crate) fn sentence_starts(&self, depth: usize) -> std::ops::Range<usize> {
        let bos = WordId::BOS.index();
        let mut range = bos..bos + 1;
        for level in &self.shape.levels[..depth] {
            let children = &level.children;
            range = children[range.start] as usize..children[range.end] as usize;
        }
        range
    }

    /// Counts as Kneser-Ney uses them: below the highest order, the number of distinct words before;
    /// n-grams that begin with `<s>`, which have none, keep their occurrences.
    pub(crate) fn adjusted(&self, depth: usize) -> Vec<u32> {
        let Some(longer) = self.shape.levels.get(depth + 1) else {
            return self.counts[depth].clone();
        };
        let mut adjusted = vec![0; self.counts[depth].len()];
        for &suffix in &longer.suffixes {
            adjusted[suffix as usize] += 1;
        }
        let starts = self.sentence_starts(depth);
        adjusted[starts.clone()].copy_from_slice(&self.counts[depth][starts]);
        adjusted
    }
}
