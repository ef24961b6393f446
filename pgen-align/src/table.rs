//! The translation table t(s|t): for each conditioning word a sorted row of generated words.

use crate::sparse::{NULL_ROW, Rows, row_of};
use pgen_core::WordId;

/// Probabilities t(s|t) of a generated word given a conditioning word or NULL. Rows sum to 1 (an
/// empty row belongs to a word never seen on the conditioning side). 12 bytes an entry; look-up takes
/// O(log of the row's length).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TranslationTable {
    pub(crate) rows: Rows,
    pub(crate) probabilities: Vec<f64>,
}

impl TranslationTable {
    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.probabilities.len()
    }

    /// True without entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.probabilities.is_empty()
    }

    /// t(generated | given), where `None` is NULL; 0 for words that never met.
    #[must_use]
    #[inline]
    pub fn probability(&self, generated: WordId, given: Option<WordId>) -> f64 {
        let row = given.map_or(NULL_ROW, row_of);
        self.rows
            .find(row, generated)
            .map_or(0.0, |at| self.probabilities[at])
    }

    /// The row of a conditioning word, ascending by the generated word's id.
    pub fn row(&self, given: Option<WordId>) -> impl Iterator<Item = (WordId, f64)> {
        let row = given.map_or(NULL_ROW, row_of);
        let range = if row < self.rows.len() {
            self.rows.range(row)
        } else {
            0..0
        };
        let (words, probabilities) = (&self.rows.words[range.clone()], &self.probabilities[range]);
        words.iter().copied().zip(probabilities.iter().copied())
    }

    /// Drops entries below `threshold` except those of NULL and each row's best, and rescales rows to
    /// sum to 1.
    pub(crate) fn prune(&mut self, threshold: f64) {
        if threshold <= 0.0 {
            return;
        }
        let mut kept = 0;
        for row in 0..self.rows.len() {
            let range = self.rows.starts[row]..self.rows.starts[row + 1];
            let limit = if row == NULL_ROW {
                0.0
            } else {
                let best = self.probabilities[range.clone()]
                    .iter()
                    .copied()
                    .fold(0.0, f64::max);
                threshold.min(best)
            };
            let start = kept;
            for at in range {
                if self.probabilities[at] >= limit && self.probabilities[at] > 0.0 {
                    self.probabilities[kept] = self.probabilities[at];
                    self.rows.words[kept] = self.rows.words[at];
                    kept += 1;
                }
            }
            self.rows.starts[row] = start;
            normalize(&mut self.probabilities[start..kept]);
        }
        if let Some(end) = self.rows.starts.last_mut() {
            *end = kept;
        }
        self.probabilities.truncate(kept);
        self.rows.words.truncate(kept);
    }
}

/// Scales a row to sum to 1; a row without mass stays as it is.
pub(crate) fn normalize(row: &mut [f64]) {
    let sum: f64 = row.iter().sum();
    if sum > 0.0 {
        row.iter_mut().for_each(|value| *value /= sum);
    }
}
