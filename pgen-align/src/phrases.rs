//! Distinct phrases, each stored once.

use crate::error::Result;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use pgen_core::{Limits, WordId};

/// Word sequences in order of first appearance, each once: 4 bytes a word and about 13 a phrase.
#[derive(Clone, Debug)]
pub struct Phrases {
    words: Vec<WordId>,
    starts: Vec<u32>,
    table: HashTable<u32>,
}

impl Default for Phrases {
    fn default() -> Self {
        Phrases {
            words: Vec::new(),
            starts: vec![0],
            table: HashTable::new(),
        }
    }
}

impl Phrases {
    /// Number of phrases.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// True without phrases.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The words of a phrase; none for a number that is not in use.
    #[must_use]
    pub fn get(&self, phrase: u32) -> &[WordId] {
        if (phrase as usize) < self.len() {
            slice(&self.words, &self.starts, phrase)
        } else {
            &[]
        }
    }

    /// The number of a phrase if it is known.
    #[must_use]
    pub fn find(&self, phrase: &[WordId]) -> Option<u32> {
        self.table
            .find(hash(phrase), |&known| self.get(known) == phrase)
            .copied()
    }

    /// The number of a phrase, which is added if it is new.
    ///
    /// # Errors
    /// [`pgen_core::Error::LimitExceeded`] when all phrases together exceed 2³² − 1 words.
    pub fn intern(&mut self, phrase: &[WordId]) -> Result<u32> {
        let Phrases {
            words,
            starts,
            table,
        } = self;
        let entry = table.entry(
            hash(phrase),
            |&known| slice(words, starts, known) == phrase,
            |&known| hash(slice(words, starts, known)),
        );
        match entry {
            Entry::Occupied(found) => Ok(*found.get()),
            Entry::Vacant(free) => {
                let (id, end) = (starts.len() - 1, words.len() + phrase.len());
                Limits::check(
                    "number of words of all phrases",
                    end.max(id + 1),
                    u32::MAX as usize,
                )?;
                free.insert(id as u32);
                words.extend_from_slice(phrase);
                starts.push(end as u32);
                Ok(id as u32)
            }
        }
    }
}

fn slice<'a>(words: &'a [WordId], starts: &[u32], phrase: u32) -> &'a [WordId] {
    &words[starts[phrase as usize] as usize..starts[phrase as usize + 1] as usize]
}

/// Multiply-rotate over ids; the same on every run.
fn hash(phrase: &[WordId]) -> u64 {
    let mix = |state: u64, word: &WordId| {
        (state ^ u64::from(word.raw()))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29)
    };
    let state = phrase
        .iter()
        .fold(0x243F_6A88_85A3_08D3 ^ phrase.len() as u64, mix);
    (state ^ (state >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}
