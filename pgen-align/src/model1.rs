//! IBM Model 1 (Brown et al. 1993, §4.1): every generated word comes from some conditioning word or
//! NULL, all of them equally likely beforehand.
//!
//! EM runs row by row instead of sentence by sentence: a row t(·|t) is spread into a dense array that
//! stays in cache while all sentences with t pass by. One pass sums each generated word's
//! denominators, a second one re-estimates each row in place, so that there is no table of counts.

use crate::corpus::{Corpus, Direction};
use crate::error::{Error, Result};
use crate::parallel;
use crate::params::Model1Params;
use crate::sparse::{NULL_ROW, Occurrences, Rows};
use crate::table::{TranslationTable, estimate};
use pgen_core::{Alignment, Link, Progress, Stop, WordId};
use std::ops::Range;

/// A trained Model 1 of one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Model1 {
    pub(crate) table: TranslationTable,
    pub(crate) direction: Direction,
    pub(crate) log_likelihoods: Vec<f64>,
}

impl Model1 {
    /// Trains by EM on all pairs of the corpus, the identity lexicon included if it was added.
    ///
    /// Time O(iterations · Σ m·n); memory 12 bytes for each pair of words that meet, plus the corpus
    /// and 16 bytes a word of it.
    ///
    /// # Errors
    /// A parameter out of range; [`Error::EmptyCorpus`]; more than 2³² − 1 pairs.
    pub fn fit(
        corpus: &Corpus,
        direction: Direction,
        params: &Model1Params,
        progress: &dyn Progress,
    ) -> Result<Self> {
        params.check()?;
        check_corpus(corpus)?;
        let stop = progress.stop();
        stop.check()?;
        let mut trainer = Trainer::new(corpus, direction, params.alpha, &stop)?;
        progress.stage("Model 1", Some(params.iterations as u64));
        let mut log_likelihoods = Vec::with_capacity(params.iterations);
        for iteration in 0..params.iterations {
            let log_likelihood = trainer.iterate();
            stop.check()?;
            trainer.table.prune(params.prune, &stop);
            stop.check()?;
            progress.note(&format!("log-likelihood {log_likelihood:.3}"));
            progress.done(iteration as u64 + 1);
            log_likelihoods.push(log_likelihood);
        }
        Ok(Model1 {
            table: trainer.table,
            direction,
            log_likelihoods,
        })
    }

    /// The translation table.
    #[must_use]
    pub fn table(&self) -> &TranslationTable {
        &self.table
    }

    /// The direction.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Natural log-likelihood of the corpus before each iteration (ε = 1).
    #[must_use]
    pub fn log_likelihoods(&self) -> &[f64] {
        &self.log_likelihoods
    }

    /// The most probable alignment: each generated word to its best conditioning word, the first of
    /// equals; none if NULL is better. O(m·n·log of a row).
    #[must_use]
    pub fn align(&self, source: &[WordId], target: &[WordId]) -> Alignment {
        let (generated, given) = crate::Pair { source, target }.sides(self.direction);
        links(best_by_table(&self.table, generated, given), self.direction)
    }
}

/// Best conditioning position for each generated word, or none for NULL.
pub(crate) fn best_by_table<'a>(
    table: &'a TranslationTable,
    generated: &'a [WordId],
    given: &'a [WordId],
) -> impl Iterator<Item = Option<u32>> + 'a {
    generated.iter().map(move |&word| {
        let (mut best, mut at) = (0.0, None);
        for (position, &from) in (0u32..).zip(given) {
            let p = table.probability(word, Some(from));
            if p > best {
                (best, at) = (p, Some(position));
            }
        }
        if table.probability(word, None) > best {
            None
        } else {
            at
        }
    })
}

/// Turns "generated position → conditioning position" into links of the (source, target) frame.
pub(crate) fn links(
    positions: impl Iterator<Item = Option<u32>>,
    direction: Direction,
) -> Alignment {
    let link = |(generated, given): (u32, Option<u32>)| {
        given.map(|given| match direction {
            Direction::SourceGivenTarget => Link::new(generated, given),
            Direction::TargetGivenSource => Link::new(given, generated),
        })
    };
    (0u32..).zip(positions).filter_map(link).collect()
}

/// Refuses a corpus that cannot be trained on.
pub(crate) fn check_corpus(corpus: &Corpus) -> Result<()> {
    if corpus.is_empty() {
        return Err(Error::EmptyCorpus { skipped: 0 });
    }
    let most = u32::MAX as usize;
    pgen_core::Limits::check("number of sentence pairs", corpus.training_len(), most)?;
    Ok(())
}

struct Trainer<'a> {
    corpus: &'a Corpus,
    /// Once this says so, sums are left undone.
    stop: &'a Stop,
    direction: Direction,
    occurrences: Occurrences,
    table: TranslationTable,
    /// Start of each pair's generated words among all generated words.
    starts: Vec<usize>,
    /// For each generated word of the corpus, Σᵢ t(s|tᵢ), then its inverse.
    denominators: Vec<f64>,
    /// Pseudo-count of a variational step.
    alpha: f64,
}

impl<'a> Trainer<'a> {
    fn new(corpus: &'a Corpus, direction: Direction, alpha: f64, stop: &'a Stop) -> Result<Self> {
        let occurrences = Occurrences::of(corpus, direction, stop)?;
        let rows = Rows::cooccurrences(corpus, direction, &occurrences, stop)?;
        let mut starts = Vec::with_capacity(corpus.training_len() + 1);
        starts.push(0);
        let mut total = 0;
        for index in 0..corpus.training_len() {
            total += corpus.sides(index, direction).0.len();
            starts.push(total);
        }
        // NULL meets every generated word: its row's length is their number.
        let uniform = 1.0 / rows.range(NULL_ROW).len().max(1) as f64;
        let probabilities = parallel::filled(rows.words.len(), uniform, stop)?;
        let table = TranslationTable {
            rows,
            probabilities,
        };
        let denominators = vec![0.0; total];
        Ok(Trainer {
            corpus,
            stop,
            direction,
            occurrences,
            table,
            starts,
            denominators,
            alpha,
        })
    }

    /// One EM iteration; the log-likelihood before it.
    fn iterate(&mut self) -> f64 {
        let mut denominators = std::mem::take(&mut self.denominators);
        parallel::change(&mut denominators, self.stop, |_| 0.0);
        self.sum_denominators(&mut denominators);
        let log_likelihood = self.log_likelihood(&denominators);
        let inverse = |value: f64| if value > 0.0 { 1.0 / value } else { 0.0 };
        parallel::change(&mut denominators, self.stop, inverse);
        self.denominators = denominators;
        self.reestimate();
        log_likelihood
    }

    /// Pass one: each thread takes a range of pairs; every sum runs over rows in ascending order, so
    /// the ranges do not matter.
    fn sum_denominators(&self, denominators: &mut [f64]) {
        let weights: Vec<u64> = (0..self.corpus.training_len())
            .map(|index| {
                let (generated, given) = self.corpus.sides(index, self.direction);
                (generated.len() * given.len()) as u64
            })
            .collect();
        let ranges = parallel::split_by_weight(&weights, parallel::width());
        let lengths = ranges
            .iter()
            .map(|range| self.starts[range.end] - self.starts[range.start]);
        let slices = parallel::split_mut(denominators, lengths);
        let work = ranges.into_iter().zip(slices).collect();
        parallel::map(work, |(range, slice): (Range<usize>, &mut [f64])| {
            self.sum_range(&range, slice);
        });
    }

    fn sum_range(&self, range: &Range<usize>, denominators: &mut [f64]) {
        let offset = self.starts[range.start];
        let mut dense = vec![0.0; self.corpus.id_bound()];
        let everywhere: Vec<u32> = range.clone().map(|pair| pair as u32).collect();
        let mut ticker = self.stop.ticker();
        for row in 0..self.table.rows.len() {
            if self.stop.check().is_err() {
                break;
            }
            let pairs = if row == NULL_ROW {
                &everywhere[..]
            } else {
                let pairs = self.occurrences.row(row);
                let from = pairs.partition_point(|&pair| (pair as usize) < range.start);
                let to = pairs.partition_point(|&pair| (pair as usize) < range.end);
                &pairs[from..to]
            };
            if pairs.is_empty() {
                continue;
            }
            let entries = self.table.rows.range(row);
            let (words, values) = (
                &self.table.rows.words[entries.clone()],
                &self.table.probabilities[entries],
            );
            for (word, value) in words.iter().zip(values) {
                dense[word.index()] = *value;
            }
            for &pair in pairs {
                if ticker.tick().is_err() {
                    break;
                }
                let pair = pair as usize;
                let sums =
                    &mut denominators[self.starts[pair] - offset..self.starts[pair + 1] - offset];
                let generated = self.corpus.sides(pair, self.direction).0;
                for (sum, word) in sums.iter_mut().zip(generated) {
                    *sum += dense[word.index()];
                }
            }
            for word in words {
                dense[word.index()] = 0.0;
            }
        }
    }

    fn log_likelihood(&self, denominators: &[f64]) -> f64 {
        let mut ticker = self.stop.ticker();
        (0..self.corpus.training_len())
            .take_while(|_| ticker.tick().is_ok())
            .map(|index| {
                let (generated, given) = self.corpus.sides(index, self.direction);
                let sums = &denominators[self.starts[index]..self.starts[index + 1]];
                let positions = (given.len() + 1) as f64;
                log_product(sums) - generated.len() as f64 * positions.ln()
            })
            .sum()
    }

    /// Pass two: t(s|t) ← t(s|t)·Σ 1/denominator over the places where s and t meet, normalised.
    fn reestimate(&mut self) {
        let parts = parallel::split_by_weight(&self.occurrences.weights(), parallel::width() * 4);
        let TranslationTable {
            rows,
            probabilities,
        } = &mut self.table;
        let lengths = parts
            .iter()
            .map(|part| rows.starts[part.end] - rows.starts[part.start]);
        let slices = parallel::split_mut(probabilities, lengths.collect::<Vec<_>>());
        let (corpus, direction, stop) = (self.corpus, self.direction, self.stop);
        let (rows, occurrences) = (&*rows, &self.occurrences);
        let (starts, inverses, alpha) = (&self.starts, &self.denominators, self.alpha);
        let work = parts.into_iter().zip(slices).collect();
        parallel::map(work, |(part, slice): (Range<usize>, &mut [f64])| {
            let mut dense = vec![0.0; corpus.id_bound()];
            let mut ticker = stop.ticker();
            let offset = rows.starts[part.start];
            for row in part {
                if stop.check().is_err() {
                    break;
                }
                let entries = rows.range(row);
                for word in &rows.words[entries.clone()] {
                    dense[word.index()] = 0.0;
                }
                let mut add = |pair: usize| {
                    if ticker.tick().is_err() {
                        return;
                    }
                    let generated = corpus.sides(pair, direction).0;
                    for (word, inverse) in generated
                        .iter()
                        .zip(&inverses[starts[pair]..starts[pair + 1]])
                    {
                        dense[word.index()] += inverse;
                    }
                };
                if row == NULL_ROW {
                    (0..corpus.training_len()).for_each(&mut add);
                } else {
                    occurrences
                        .row(row)
                        .iter()
                        .for_each(|&pair| add(pair as usize));
                }
                let values = &mut slice[entries.start - offset..entries.end - offset];
                for (word, value) in rows.words[entries].iter().zip(&mut *values) {
                    *value *= dense[word.index()];
                }
                estimate(values, alpha);
            }
        });
    }
}

/// ln of a product of positive numbers with few logarithms.
pub(crate) fn log_product(values: &[f64]) -> f64 {
    let (mut sum, mut product) = (0.0, 1.0f64);
    for &value in values {
        if !(1e-100..=1e100).contains(&value) {
            sum += value.ln();
            continue;
        }
        product *= value;
        if !(1e-200..=1e200).contains(&product) {
            sum += product.ln();
            product = 1.0;
        }
    }
    sum + product.ln()
}
