//! Word classes from plain text: words that occur in like neighbourhoods share a class.

use super::feature::spelling;
use pgen_core::{Error, Result};
use std::collections::HashMap;

/// Which class a word belongs to, in a fine and a coarse division. Looked up by the hash of the
/// lower-cased spelling.
#[derive(Clone, Debug, Default)]
pub struct WordClasses {
    /// Ascending hashes.
    words: Vec<u32>,
    classes: Vec<(u16, u16)>,
    index: HashMap<u32, (u16, u16)>,
}

impl WordClasses {
    /// Classes from rows of (hash, fine, coarse).
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the hashes do not ascend.
    pub(crate) fn new(rows: Vec<(u32, u16, u16)>) -> Result<Self> {
        if rows.windows(2).any(|w| w[0].0 >= w[1].0) {
            return Err(Error::corrupt("word classes", "words out of order"));
        }
        let words = rows.iter().map(|row| row.0).collect();
        let classes: Vec<_> = rows.iter().map(|row| (row.1, row.2)).collect();
        let index = rows.iter().map(|&(w, f, c)| (w, (f, c))).collect();
        Ok(WordClasses {
            words,
            classes,
            index,
        })
    }

    /// Fine and coarse class, from 1; 0 for an unknown word.
    pub(crate) fn get(&self, word: u32) -> (u32, u32) {
        self.index.get(&word).map_or((0, 0), |&(fine, coarse)| {
            (u32::from(fine) + 1, u32::from(coarse) + 1)
        })
    }

    /// The rows that made it.
    pub(crate) fn rows(&self) -> impl ExactSizeIterator<Item = (u32, u16, u16)> + '_ {
        let rows = self.words.iter().zip(&self.classes);
        rows.map(|(&word, &(fine, coarse))| (word, fine, coarse))
    }
}
