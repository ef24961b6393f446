//! Distinct word sequences, stored once.

use crate::error::{Error, Place, Result};
use crate::id::WordId;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// Word sequences in order of first appearance, each once, in one flat array.
#[derive(Debug)]
pub(super) struct Phrases {
    words: Vec<WordId>,
    /// First word of each phrase, and the number of words.
    start: Vec<u32>,
    table: HashTable<u32>,
}

impl Phrases {
    pub(super) fn new() -> Self {
        Phrases {
            words: Vec::new(),
            start: vec![0],
            table: HashTable::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.start.len() - 1
    }

    pub(super) fn get(&self, phrase: u32) -> &[WordId] {
        slice(&self.words, &self.start, phrase)
    }

    /// The number of a phrase, which is added if it is new.
    pub(super) fn intern(&mut self, phrase: &[WordId]) -> Result<u32> {
        let Phrases {
            words,
            start,
            table,
        } = self;
        let entry = table.entry(
            hash(phrase),
            |&known| slice(words, start, known) == phrase,
            |&known| hash(slice(words, start, known)),
        );
        match entry {
            Entry::Occupied(found) => Ok(*found.get()),
            Entry::Vacant(free) => {
                let id = (start.len() - 1) as u32;
                let end = u32::try_from(words.len() + phrase.len()).map_err(|_| {
                    Error::LimitExceeded {
                        place: Place::default(),
                        what: "number of words of all phrases of a table",
                        limit: u64::from(u32::MAX),
                        found: (words.len() + phrase.len()) as u64,
                    }
                })?;
                free.insert(id);
                words.extend_from_slice(phrase);
                start.push(end);
                Ok(id)
            }
        }
    }

    /// The place of each phrase in the order of spellings, given that of each word.
    pub(super) fn ranks(&self, words: &[u32]) -> Vec<u32> {
        let key = |phrase: &u32| self.get(*phrase).iter().map(|word| words[word.index()]);
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by(|a, b| key(a).cmp(key(b)));
        invert(&order)
    }

    pub(super) fn all_words(&self) -> &[WordId] {
        &self.words
    }
}

/// The place of each item in an order that lists each once.
pub(super) fn invert(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    for (place, &item) in order.iter().enumerate() {
        places[item as usize] = place as u32;
    }
    places
}

fn slice<'a>(words: &'a [WordId], start: &[u32], phrase: u32) -> &'a [WordId] {
    &words[start[phrase as usize] as usize..start[phrase as usize + 1] as usize]
}

/// Fixed, so that nothing can depend on a random seed.
fn hash(phrase: &[WordId]) -> u64 {
    let mut state = phrase.len() as u64;
    for word in phrase {
        state = (state.rotate_left(5) ^ u64::from(word.raw())).wrapping_mul(0x517C_C1B7_2722_0A95);
    }
    state ^ (state >> 29)
}
