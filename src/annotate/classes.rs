//! Which class a word belongs to.

use pgen_core::{Error, Result};
use std::collections::HashMap;

/// A fine and a coarse division of words into classes, learned from plain text
/// ([`ClassLearner`](super::ClassLearner)): words of like neighbourhoods share a class, so that what is
/// learned of one serves the others. Empty by default; 8 bytes a word and a hash table in memory.
#[derive(Clone, Debug, Default)]
pub struct WordClasses {
    /// Hash of the lower-cased spelling → fine and coarse class.
    words: HashMap<u32, (u16, u16)>,
}

impl WordClasses {
    /// Classes from rows of (hash, fine, coarse) in ascending order.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the hashes do not ascend.
    pub(crate) fn new(rows: &[(u32, u16, u16)]) -> Result<Self> {
        if rows.windows(2).any(|w| w[0].0 >= w[1].0) {
            return Err(Error::corrupt("word classes", "words out of order"));
        }
        let words = rows
            .iter()
            .map(|&(word, fine, coarse)| (word, (fine, coarse)))
            .collect();
        Ok(WordClasses { words })
    }

    /// Number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// True without words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Fine and coarse class, from 1; 0 for an unknown word.
    #[inline]
    pub(crate) fn get(&self, word: u32) -> (u32, u32) {
        self.words.get(&word).map_or((0, 0), |&(fine, coarse)| {
            (u32::from(fine) + 1, u32::from(coarse) + 1)
        })
    }

    /// The rows in ascending order.
    pub(crate) fn rows(&self) -> Vec<(u32, u16, u16)> {
        let mut rows: Vec<_> = self.words.iter().map(|(&w, &(f, c))| (w, f, c)).collect();
        rows.sort_unstable();
        rows
    }
}
