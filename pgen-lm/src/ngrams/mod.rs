//! The plain form of a back-off model: every n-gram with its numbers, as a trie of sorted arrays.

mod build;
mod query;
mod trim;

pub(crate) use build::{GramList, from_levels, suffixes_of_level};
pub use query::History;

use pgen_core::{LogProb, WordId};

/// A back-off model in plain form: what an ARPA file lists, in f64, as a trie of sorted arrays. Estimation
/// and readers make it; pruning, writing and the query layouts ([`FastModel`](crate::FastModel),
/// [`CompactModel`](crate::CompactModel)) start from it.
///
/// The n-grams are closed: with an n-gram its prefix and its suffix of length n − 1 are there too. What an
/// input lacks is inserted with the probability that backing off gives, which changes no score.
///
/// It answers queries itself ([`LanguageModel`](pgen_core::LanguageModel)), in full double precision but
/// slowly: O(order²·log) a word. It is the oracle of the layouts and serves small models.
#[derive(Clone, Debug, Default)]
pub struct Ngrams {
    /// Level 0 holds all words of the vocabulary: a node is a word's id.
    pub(crate) levels: Vec<Level>,
    /// Which words are unigrams of the model; the others are scored as `<unk>`.
    pub(crate) listed: Vec<bool>,
}

/// N-grams of one order in ascending order of their word ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Level {
    /// Last word of each.
    pub(crate) words: Vec<u32>,
    /// ln P(last word | the words before).
    pub(crate) log_probs: Vec<f64>,
    /// ln of the back-off weight.
    pub(crate) backoffs: Vec<f64>,
    /// First child of each in the next level, and one more entry for the end; empty at the highest order.
    pub(crate) children: Vec<u32>,
    /// The n-gram without its first word, in the level before; empty for unigrams.
    pub(crate) suffixes: Vec<u32>,
}

impl Level {
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The children of a node.
    pub(crate) fn range(&self, node: u32) -> std::ops::Range<usize> {
        match self.children.get(node as usize..node as usize + 2) {
            Some(&[start, end]) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// True if a context has anything to say: a child, or a back-off weight other than 1.
    pub(crate) fn is_context(&self, node: usize) -> bool {
        self.backoffs[node] != 0.0 || !self.range(node as u32).is_empty()
    }
}

impl Ngrams {
    /// The order: words of the longest n-grams.
    #[must_use]
    pub fn order(&self) -> usize {
        self.levels.len()
    }

    /// Number of n-grams of each order, from unigrams.
    #[must_use]
    pub fn counts(&self) -> Vec<usize> {
        let unigrams = self.listed.iter().filter(|&&listed| listed).count();
        let longer = self.levels.iter().skip(1).map(Level::len);
        std::iter::once(unigrams).chain(longer).collect()
    }

    /// Length of the vocabulary that the model was made with; words from there on are `<unk>`.
    #[must_use]
    pub fn vocabulary(&self) -> usize {
        self.listed.len()
    }

    /// True if the word is a unigram of the model. `<unk>` itself counts as known only if it is listed.
    #[must_use]
    pub fn knows(&self, word: WordId) -> bool {
        self.listed.get(word.index()).copied().unwrap_or(false)
    }

    /// Calls `each` for every listed n-gram of an order (from 1), in ascending order of word ids: its words,
    /// ln P and the ln of its back-off weight.
    pub fn for_each(&self, order: usize, mut each: impl FnMut(&[WordId], LogProb, LogProb)) {
        if order == 0 || order > self.order() {
            return;
        }
        let mut path = vec![(0usize, 0usize); order];
        let mut words = vec![WordId::UNK; order];
        path[0] = (0, self.levels[0].len());
        let mut depth = 0;
        loop {
            let (node, end) = path[depth];
            if node == end {
                if depth == 0 {
                    return;
                }
                depth -= 1;
                path[depth].0 += 1;
                continue;
            }
            let level = &self.levels[depth];
            words[depth] = WordId::new(level.words[node]);
            if depth + 1 < order {
                let range = level.range(node as u32);
                depth += 1;
                path[depth] = (range.start, range.end);
                continue;
            }
            if depth > 0 || self.listed[node] {
                let ln = LogProb::from_ln;
                each(&words, ln(level.log_probs[node]), ln(level.backoffs[node]));
            }
            path[depth].0 += 1;
        }
    }

    /// The child of a node at `depth` (0 for unigrams) by its word.
    pub(crate) fn child(&self, depth: usize, node: u32, word: u32) -> Option<u32> {
        let range = self.levels[depth].range(node);
        let words = self.levels.get(depth + 1)?.words.get(range.clone())?;
        let at = words.binary_search(&word).ok()?;
        Some((range.start + at) as u32)
    }

    /// The node of a word sequence, at depth `words.len() − 1`.
    pub(crate) fn node(&self, words: &[u32]) -> Option<u32> {
        let (&first, rest) = words.split_first()?;
        if first as usize >= self.listed.len() {
            return None;
        }
        rest.iter()
            .enumerate()
            .try_fold(first, |node, (depth, &word)| self.child(depth, node, word))
    }
}
