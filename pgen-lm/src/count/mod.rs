//! Counting n-grams: keys in memory, sorted; sorted runs on disk beyond the memory limit; one merge.

mod key;
mod runs;
mod trie;

pub(crate) use trie::CountTrie;

use crate::error::Result;
use key::{Buffer, MAX_ORDER};
use pgen_core::WordId;
use runs::{Merge, Run};
use std::path::PathBuf;

/// Collects the n-grams of sentences.
///
/// Each token gives one key: the n-gram that begins there, cut at the end of the sentence. Sorted, the keys
/// are the trie of all n-grams with their counts.
pub(crate) struct Counter {
    buffer: Buffer,
    capacity: usize,
    folder: Option<PathBuf>,
    runs: Vec<Run>,
    sentence: Vec<u32>,
    order: usize,
    pub(crate) tokens: u64,
    pub(crate) sentences: u64,
}

impl Counter {
    pub(crate) fn new(order: usize, memory: usize, folder: Option<PathBuf>) -> Self {
        let buffer = Buffer::for_order(order);
        // A quarter is left for the sort's and the merge's needs.
        let capacity = (memory / 4 * 3 / buffer.key_bytes()).max(1 << 12);
        Counter {
            buffer,
            capacity,
            folder,
            runs: Vec::new(),
            sentence: Vec::new(),
            order,
            tokens: 0,
            sentences: 0,
        }
    }

    /// Adds a sentence, without its `<s>` and `</s>`.
    pub(crate) fn add(&mut self, words: impl IntoIterator<Item = WordId>) -> Result<()> {
        let mut sentence = std::mem::take(&mut self.sentence);
        sentence.clear();
        sentence.push(WordId::BOS.raw());
        sentence.extend(words.into_iter().map(WordId::raw));
        sentence.push(WordId::EOS.raw());
        self.tokens += sentence.len() as u64 - 1;
        self.sentences += 1;
        for start in 0..sentence.len() {
            let end = sentence.len().min(start + self.order);
            self.push(&sentence[start..end])?;
        }
        self.sentence = sentence;
        Ok(())
    }

    fn push(&mut self, gram: &[u32]) -> Result<()> {
        if self.buffer.len() >= self.capacity {
            self.spill()?;
        }
        if !self.buffer.push(gram) {
            // A word id that does not fit the narrow keys: from here on they are wide.
            self.spill()?;
            self.buffer = Buffer::widest();
            self.capacity /= 2;
            self.buffer.push(gram);
        }
        Ok(())
    }

    fn spill(&mut self) -> Result<()> {
        if self.buffer.len() > 0 {
            self.buffer.sort();
            self.runs.push(Run::write(
                &self.buffer,
                self.order,
                self.folder.as_deref(),
            )?);
            self.buffer.clear();
        }
        Ok(())
    }

    /// Replaces every word by another and counts anew.
    pub(crate) fn map(mut self, map: impl Fn(u32) -> u32) -> Result<Self> {
        let mut mapped = Counter {
            buffer: Buffer::widest_if(&self.buffer),
            capacity: self.capacity,
            folder: self.folder.clone(),
            runs: Vec::new(),
            sentence: Vec::new(),
            order: self.order,
            tokens: self.tokens,
            sentences: self.sentences,
        };
        let mut gram = Vec::with_capacity(MAX_ORDER);
        let mut result = Ok(());
        self.for_each(|words, count| {
            gram.clear();
            gram.extend(words.iter().map(|&word| map(word)));
            for _ in 0..count {
                if result.is_ok() {
                    result = mapped.push(&gram);
                }
            }
        })?;
        result?;
        Ok(mapped)
    }

    /// Runs written to disk so far.
    pub(crate) fn spilled(&self) -> usize {
        self.runs.len()
    }

    /// Calls `each` for every distinct key in ascending order with its count.
    pub(crate) fn for_each(&mut self, mut each: impl FnMut(&[u32], u64)) -> Result<()> {
        if self.runs.is_empty() {
            self.buffer.sort();
            self.buffer.for_each(each);
            return Ok(());
        }
        self.spill()?;
        self.buffer.free();
        let mut merge = Merge::new(&mut self.runs, self.order)?;
        while let Some((words, count)) = merge.next()? {
            each(words, count);
        }
        Ok(())
    }
}
