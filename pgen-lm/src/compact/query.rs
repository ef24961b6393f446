//! Queries on the compact layout.

use super::{CompactCursor, CompactModel};
use crate::fast::State;
use pgen_core::{LanguageModel, LogProb, RowHit, WordId};

impl CompactModel {
    /// The order: words of the longest n-grams.
    #[must_use]
    pub fn order(&self) -> usize {
        self.levels.len()
    }

    /// Number of n-grams of each order.
    #[must_use]
    pub fn counts(&self) -> Vec<u64> {
        let unigrams = self
            .listed
            .iter()
            .map(|block| u64::from(block.count_ones()))
            .sum();
        let longer = self.levels.iter().skip(1).map(|level| level.length as u64);
        std::iter::once(unigrams).chain(longer).collect()
    }

    /// Length of the vocabulary that the model was made with.
    #[must_use]
    pub fn vocabulary(&self) -> usize {
        self.vocabulary
    }

    /// True if the word is a unigram of the model.
    #[must_use]
    pub fn knows(&self, word: WordId) -> bool {
        self.lists(word.index())
    }

    pub(super) fn lists(&self, word: usize) -> bool {
        let block = self.listed.get(word / 64).copied().unwrap_or(0);
        block >> (word % 64) & 1 == 1
    }

    /// Bytes of memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let level = |level: &super::BitLevel| {
            let numbers = level.log_probs.bytes() + level.backoffs.bytes();
            level.keys.bytes() + level.children.bytes() + numbers
        };
        self.levels.iter().map(level).sum::<usize>() + 8 * self.listed.len() + 4 * self.bounds.len()
    }

    #[inline]
    pub(super) fn canonical(&self, word: WordId) -> u32 {
        if self.lists(word.index()) {
            word.raw()
        } else {
            WordId::UNK.raw()
        }
    }

    #[inline]
    pub(super) fn children(&self, depth: usize, node: u32) -> (usize, usize) {
        match self.levels.get(depth) {
            Some(level) if depth + 1 < self.levels.len() => level.children.children(node as usize),
            _ => (0, 0),
        }
    }

    /// True if a node can matter for what follows.
    #[inline]
    pub(super) fn is_context(&self, depth: usize, node: usize) -> bool {
        let Some(level) = self
            .levels
            .get(depth)
            .filter(|_| depth + 1 < self.levels.len())
        else {
            return false;
        };
        node < level.length
            && (level.backoffs.get(node) != 0.0 || {
                let (start, end) = level.children.children(node);
                start < end
            })
    }

    /// The contexts of a state.
    #[must_use]
    pub fn cursor(&self, state: State) -> CompactCursor {
        let Some(depth) = self.offsets.iter().rposition(|&offset| offset <= state.0) else {
            return CompactCursor::default();
        };
        let mut cursor = CompactCursor {
            length: depth as u8 + 1,
            ..CompactCursor::default()
        };
        self.suffixes(depth, state.0 - self.offsets[depth], &mut cursor.nodes);
        cursor
    }

    /// Fills in the node of each end of a context, itself included.
    fn suffixes(&self, depth: usize, node: u32, nodes: &mut [u32; 8]) {
        // Ancestors first, then from the shortest: the suffix of a node is the child of its parent's suffix
        // by the stored place.
        let mut path = [0u32; 8];
        path[depth] = node;
        for above in (0..depth).rev() {
            path[above] = self.levels[above].children.parent(path[above + 1] as usize) as u32;
        }
        // `nodes[k]` is the node of the last k + 1 words of the path so far.
        nodes[0] = path[0];
        for end in 1..=depth {
            let mut next = [0u32; 8];
            next[end] = path[end];
            for length in (1..end).rev() {
                let key = self.levels[length + 1].keys.get(next[length + 1] as usize);
                next[length] = self.children(length - 1, nodes[length - 1]).0 as u32 + key;
            }
            next[0] = self.levels[1].keys.get(next[1] as usize);
            *nodes = next;
        }
    }

    /// The contexts after a word, and ln P(word | contexts before).
    #[inline]
    pub fn step(&self, cursor: &CompactCursor, word: WordId) -> (CompactCursor, f64) {
        let word = self.canonical(word);
        let mut next = CompactCursor::default();
        let Some(first) = self.levels.first() else {
            return (next, f64::NEG_INFINITY);
        };
        next.nodes[0] = word;
        let (mut found, mut key, length) = (0, word, cursor.length as usize);
        let mut log_prob = f64::from(first.log_probs.get(word as usize));
        while found < length {
            let (start, end) = self.children(found, cursor.nodes[found]);
            let level = &self.levels[found + 1];
            let Some(at) = level.keys.find(start, end, key) else {
                break;
            };
            found += 1;
            next.nodes[found] = at as u32;
            key = (at - start) as u32;
        }
        if found > 0 {
            log_prob = f64::from(self.levels[found].log_probs.get(next.nodes[found] as usize));
        }
        for depth in found..length {
            log_prob += f64::from(
                self.levels[depth]
                    .backoffs
                    .get(cursor.nodes[depth] as usize),
            );
        }
        next.length = self.longest_context(&next, found + 1) as u8;
        (next, log_prob)
    }

    /// The length of the longest of so many contexts that can matter.
    #[inline]
    fn longest_context(&self, cursor: &CompactCursor, length: usize) -> usize {
        let longest = length.min(self.levels.len().saturating_sub(1));
        (1..=longest)
            .rev()
            .find(|&length| self.is_context(length - 1, cursor.nodes[length - 1] as usize))
            .unwrap_or(0)
    }

    fn state(&self, cursor: &CompactCursor) -> State {
        match cursor.length.checked_sub(1) {
            Some(depth) => {
                let depth = depth as usize;
                State(self.offsets[depth] + cursor.nodes[depth])
            }
            None => State(0),
        }
    }

    /// The contexts after `<s>`.
    #[must_use]
    pub fn start_cursor(&self) -> CompactCursor {
        let mut cursor = CompactCursor::default();
        cursor.nodes[0] = WordId::BOS.raw();
        cursor.length = u8::from(self.starts);
        cursor
    }
}

impl LanguageModel for CompactModel {
    type State = State;

    fn start(&self) -> State {
        self.state(&self.start_cursor())
    }

    fn null(&self) -> State {
        State(0)
    }

    fn advance(&self, state: &State, word: WordId) -> (State, LogProb) {
        let (next, ln) = self.step(&self.cursor(*state), word);
        (self.state(&next), LogProb::from_ln(ln))
    }

    fn phrase(&self, state: &State, words: &[WordId]) -> (State, LogProb) {
        let mut cursor = self.cursor(*state);
        let mut sum = 0.0;
        for &word in words {
            let (next, ln) = self.step(&cursor, word);
            cursor = next;
            sum += ln;
        }
        (self.state(&cursor), LogProb::from_ln(sum))
    }

    fn sentence(&self, words: &[WordId]) -> LogProb {
        self.layered_sentence(words)
    }

    fn row(
        &self,
        state: &State,
        words: &[WordId],
        hits: &mut Vec<RowHit<State>>,
    ) -> Option<(State, LogProb)> {
        let cursor = self.cursor(*state);
        for (at, &word) in (0u32..).zip(words) {
            let (next, ln) = self.step(&cursor, word);
            hits.push(RowHit {
                at,
                next: self.state(&next),
                log_prob: LogProb::from_ln(ln),
            });
        }
        None
    }

    fn upper_bound(&self, word: WordId) -> LogProb {
        let bound = self.bounds.get(self.canonical(word) as usize);
        LogProb::from_ln(f64::from(bound.copied().unwrap_or(0.0)))
    }
}
