//! Distinct phrases, each stored once.

use crate::error::Result;
use crate::id::WordId;
use crate::limits::Limits;
use crate::vocab::Vocab;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// Word sequences in order of first appearance, each once, numbered from 0: 4 bytes a word and about 13 a
/// phrase.
///
/// ```
/// use pgen_core::{Phrases, WordId};
///
/// let mut phrases = Phrases::new();
/// let words = [WordId::new(3), WordId::new(1)];
/// assert_eq!(phrases.intern(&words)?, 0);
/// assert_eq!(phrases.intern(&words[..1])?, 1);
/// assert_eq!((phrases.find(&words), phrases.get(1)), (Some(0), &words[..1]));
/// # Ok::<(), pgen_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Phrases {
    words: Vec<WordId>,
    /// First word of each phrase, and the number of words.
    start: Vec<u32>,
    table: HashTable<u32>,
}

impl Default for Phrases {
    fn default() -> Self {
        Phrases {
            words: Vec::new(),
            start: vec![0],
            table: HashTable::new(),
        }
    }
}

impl Phrases {
    /// No phrases.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of phrases.
    #[must_use]
    pub fn len(&self) -> usize {
        self.start.len() - 1
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
            slice(&self.words, &self.start, phrase)
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
    /// [`Error::LimitExceeded`](crate::Error::LimitExceeded) when all phrases together exceed 2³² − 1 words.
    pub fn intern(&mut self, phrase: &[WordId]) -> Result<u32> {
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
                let (id, end) = (start.len() - 1, words.len() + phrase.len());
                Limits::check(
                    "number of words of all phrases",
                    end.max(id + 1),
                    u32::MAX as usize,
                )?;
                free.insert(id as u32);
                words.extend_from_slice(phrase);
                start.push(end as u32);
                Ok(id as u32)
            }
        }
    }

    /// The place of each phrase in the order of spellings, given that of each word.
    pub(crate) fn ranks(&self, words: &[u32]) -> Vec<u32> {
        let key = |phrase: &u32| self.get(*phrase).iter().map(|word| words[word.index()]);
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by(|a, b| key(a).cmp(key(b)));
        invert(&order)
    }

    /// The place of each phrase in the order of spellings, word by word. Words outside the vocabulary come
    /// first. O(p·log p) comparisons of phrases.
    #[must_use]
    pub fn ranks_by_spelling(&self, vocab: &Vocab) -> Vec<u32> {
        let bound = self.words.iter().map(|word| word.index() + 1).max();
        let mut order: Vec<u32> = (0..bound.unwrap_or(0) as u32).collect();
        order.sort_by_key(|&raw| vocab.word(WordId::new(raw)));
        self.ranks(&invert(&order))
    }

    pub(crate) fn all_words(&self) -> &[WordId] {
        &self.words
    }
}

/// The place of each item in an order that lists each once.
pub(crate) fn invert(order: &[u32]) -> Vec<u32> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_ranked_by_spelling() {
        let mut vocab = Vocab::new();
        let mut phrases = Phrases::new();
        for text in ["b", "a c", "a", "b", "a b", ""] {
            let words = text.split_whitespace().map(|word| vocab.intern(word));
            let words: Vec<WordId> = words.collect::<Result<_>>().unwrap();
            phrases.intern(&words).unwrap();
        }
        assert_eq!(phrases.len(), 5);
        assert_eq!(phrases.ranks_by_spelling(&vocab), [4, 3, 1, 2, 0]);
        assert_eq!((phrases.get(4), phrases.get(9)), (&[][..], &[][..]));
        assert_eq!(phrases.find(&[WordId::new(99)]), None);
    }
}
