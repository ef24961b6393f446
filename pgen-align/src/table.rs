//! The translation table t(s|t): for each conditioning word a sorted row of generated words.

use crate::sparse::{NULL_ROW, Rows, row_of};
use pgen_core::{Stop, WordId};

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
    /// the sums that they had. Left undone once `stop` says so: the table is then of no use.
    pub(crate) fn prune(&mut self, threshold: f64, stop: &Stop) {
        if threshold <= 0.0 {
            return;
        }
        let mut kept = 0;
        for row in 0..self.rows.len() {
            if stop.check().is_err() {
                return;
            }
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
            let (start, before) = (kept, self.probabilities[range.clone()].iter().sum::<f64>());
            for at in range {
                if self.probabilities[at] >= limit && self.probabilities[at] > 0.0 {
                    self.probabilities[kept] = self.probabilities[at];
                    self.rows.words[kept] = self.rows.words[at];
                    kept += 1;
                }
            }
            self.rows.starts[row] = start;
            let row = &mut self.probabilities[start..kept];
            normalize(row);
            // Variational estimates sum to less than 1, and are to stay so.
            if before < 1.0 - 1e-9 {
                row.iter_mut().for_each(|value| *value *= before);
            }
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

/// M-step of a row of expected counts. With `alpha` = 0 the likeliest probabilities, which sum to 1. Above
/// it the variational step under a symmetric Dirichlet prior, exp ψ(c + α) / exp ψ(Σ(c + α)) (Beal 2003),
/// which takes from small counts more than from large ones; such a row sums to less than 1.
pub(crate) fn estimate(row: &mut [f64], alpha: f64) {
    if alpha == 0.0 {
        return normalize(row);
    }
    let total: f64 = row.iter().map(|count| count + alpha).sum();
    let scale = (-digamma(total)).exp();
    row.iter_mut()
        .for_each(|value| *value = digamma(*value + alpha).exp() * scale);
}

/// ψ(x) for x > 0: recurrence up to 6, then the asymptotic series; errors below 1e-9.
fn digamma(mut x: f64) -> f64 {
    let mut sum = 0.0;
    while x < 6.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let series = inverse
        * (1.0 / 12.0
            - inverse
                * (1.0 / 120.0
                    - inverse * (1.0 / 252.0 - inverse * (1.0 / 240.0 - inverse / 132.0))));
    sum + x.ln() - 0.5 / x - series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digamma_is_that_of_the_tables() {
        for (x, expected) in [
            (1.0, -0.577_215_664_901_532_9),
            (0.5, -1.963_510_026_021_423_5),
            (0.01, -100.560_885_457_868_7),
            (2.5, 0.703_156_640_645_243_2),
            (10.0, 2.251_752_589_066_721),
        ] {
            assert!((digamma(x) - expected).abs() < 1e-9, "{x}: {}", digamma(x));
        }
    }

    #[test]
    fn variational_rows_favour_large_counts_and_sum_to_less_than_one() {
        let counts = [10.0, 1.0, 0.1];
        let (mut plain, mut bayes) = (counts, counts);
        estimate(&mut plain, 0.0);
        estimate(&mut bayes, 0.01);
        assert!((plain.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(bayes.iter().sum::<f64>() < 1.0);
        assert!(bayes[0] / bayes[2] > plain[0] / plain[2]);
        let mut many = [1e6, 3e6];
        estimate(&mut many, 0.01);
        assert!((many[1] - 0.75).abs() < 1e-6);
    }
}
