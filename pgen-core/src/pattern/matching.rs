//! Matching patterns at one start: depth first through the trie, over words and fillers.

use super::fillers::Fillers;
use super::{PatternTable, SlotBound};
use crate::id::WordId;
use crate::sentence::Sentence;
use crate::span::Span;
use crate::table::TrieNode;
use std::collections::BTreeMap;

/// A source that matched: its place in the trie, where it ends, and what fills its slots
/// (tag number, index, stretch).
pub(super) struct Match {
    pub(super) node: TrieNode,
    pub(super) end: u32,
    pub(super) fillers: Vec<(u32, u32, Span)>,
}

pub(super) struct Matcher<'a> {
    table: &'a PatternTable,
    sentence: &'a Sentence,
    fillers: &'a Fillers,
    /// Slot words by tag number and index.
    words: Vec<&'a [Option<WordId>]>,
    cut: u64,
}

/// Where the search stands at one start.
struct Walk {
    found: BTreeMap<u32, Vec<Match>>,
    open: Vec<(u32, u32, Span)>,
    steps: usize,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(
        table: &'a PatternTable,
        sentence: &'a Sentence,
        fillers: &'a Fillers,
    ) -> Self {
        let words = table.slots.values().map(Vec::as_slice).collect();
        Matcher {
            table,
            sentence,
            fillers,
            words,
            cut: 0,
        }
    }

    /// Matches cut off by the bounds so far.
    pub(super) fn cut(&self) -> u64 {
        self.cut
    }

    /// The matches at a start: by source in the order of the table, then as the policy says.
    pub(super) fn at(&mut self, start: u32) -> Vec<Match> {
        let steps = self.table.params.steps;
        let mut walk = Walk {
            found: BTreeMap::new(),
            open: Vec::new(),
            steps,
        };
        self.walk(self.table.table.root(), start, &mut walk);
        self.cut += u64::from(walk.steps == 0);
        walk.found.into_values().flatten().collect()
    }

    /// Recursion is as deep as the longest source.
    fn walk(&mut self, node: TrieNode, at: u32, walk: &mut Walk) {
        if walk.steps == 0 {
            return;
        }
        walk.steps -= 1;
        if self.table.table.entries(node).len() > 0 {
            self.keep(node, at, walk);
        }
        if let Some(&word) = self.sentence.words().get(at as usize)
            && self.table.slot(word).is_none()
            && let Some(next) = self.table.table.step(node, word)
        {
            self.walk(next, at + 1, walk);
        }
        for &(tag, end) in self.fillers.at(at) {
            let index = 1 + walk.open.iter().filter(|filler| filler.0 == tag).count() as u32;
            let words = self.words.get(tag as usize).copied().unwrap_or(&[]);
            let word = words.get(index as usize - 1).copied().flatten();
            if let Some(next) = word.and_then(|word| self.table.table.step(node, word)) {
                let span = Span::single(at).cover(Span::single(end - 1));
                walk.open.push((tag, index, span));
                self.walk(next, end, walk);
                walk.open.pop();
            }
        }
    }

    fn keep(&mut self, node: TrieNode, end: u32, walk: &mut Walk) {
        let found = Match {
            node,
            end,
            fillers: walk.open.clone(),
        };
        let known = walk.found.entry(node.index() as u32).or_default();
        let longest = self.table.params.bound == SlotBound::Maximal;
        if longest && let Some(first) = known.first_mut() {
            if end > first.end {
                *first = found;
            }
        } else if known.len() < self.table.params.matches {
            known.push(found);
        } else {
            self.cut += 1;
        }
    }
}
