//! IBM Model 2 (Brown et al. 1993, §4.2): where a word comes from depends on its place.

use crate::corpus::{Corpus, Direction};
use crate::error::Result;
use crate::expectation::{PairModel, Pass};
use crate::hmm::cells;
use crate::model1::{Model1, best_by_table, check_corpus, links};
use crate::params::Model2Params;
use crate::table::{TranslationTable, normalize};
use pgen_core::{Alignment, Progress, Stop, WordId};
use std::collections::BTreeMap;

/// Probabilities a(i|j, m, n) for each pair of lengths, at `j·(n+1) + i`.
pub(crate) type Positions = BTreeMap<(u32, u32), Vec<f64>>;

/// A trained Model 2 of one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Model2 {
    pub(crate) table: TranslationTable,
    pub(crate) direction: Direction,
    pub(crate) positions: Positions,
    pub(crate) params: Model2Params,
    pub(crate) log_likelihoods: Vec<f64>,
}

impl Model2 {
    /// Trains by EM from a Model 1 of the same corpus and direction, starting with uniform positions.
    ///
    /// Time O(iterations · Σ m·n); memory 20 bytes an entry of the table and 8 · m·(n+1) for each pair of
    /// lengths.
    ///
    /// # Errors
    /// A parameter out of range; [`Error::EmptyCorpus`](crate::Error::EmptyCorpus).
    pub fn fit(
        corpus: &Corpus,
        start: Model1,
        params: &Model2Params,
        progress: &dyn Progress,
    ) -> Result<Self> {
        params.check()?;
        check_corpus(corpus)?;
        let stop = progress.stop();
        let mut model = Model2 {
            table: start.table,
            direction: start.direction,
            positions: Positions::new(),
            params: params.clone(),
            log_likelihoods: Vec::new(),
        };
        progress.stage("Model 2", Some(params.iterations as u64));
        for iteration in 0..params.iterations {
            let log_likelihood = model.iterate(corpus, &stop);
            stop.check()?;
            progress.note(&format!("log-likelihood {log_likelihood:.3}"));
            progress.done(iteration as u64 + 1);
            model.log_likelihoods.push(log_likelihood);
        }
        Ok(model)
    }

    fn iterate(&mut self, corpus: &Corpus, stop: &Stop) -> f64 {
        let mut table = std::mem::take(&mut self.table);
        let mut counts = Positions::new();
        let pass = Pass {
            corpus,
            direction: self.direction,
            max_length: self.params.max_length,
            floor: self.params.floor,
            alpha: 0.0,
            stop,
        };
        let log_likelihood = pass.run(&Expectation(&self.positions), &mut table, |sums| {
            for (lengths, values) in sums {
                let into = counts
                    .entry(lengths)
                    .or_insert_with(|| vec![0.0; values.len()]);
                into.iter_mut().zip(values).for_each(|(a, b)| *a += b);
            }
        });
        for (&(_, n), values) in &mut counts {
            values.chunks_exact_mut(n as usize + 1).for_each(normalize);
        }
        table.prune(self.params.prune, stop);
        (self.table, self.positions) = (table, counts);
        log_likelihood
    }

    /// The translation table.
    #[must_use]
    pub fn table(&self) -> &TranslationTable {
        &self.table
    }

    /// a(i | j, m, n): probability that generated word `j` (from 0) of `m` comes from word `i` (from 1; 0
    /// is NULL) of `n`. Uniform for lengths that were not seen.
    #[must_use]
    pub fn position(&self, i: usize, j: usize, m: usize, n: usize) -> f64 {
        let row = self.positions.get(&(m as u32, n as u32));
        let known = row.and_then(|row| row.get(j * (n + 1) + i)).copied();
        known.unwrap_or(1.0 / (n + 1) as f64)
    }

    /// Natural log-likelihood of the corpus before each iteration.
    #[must_use]
    pub fn log_likelihoods(&self) -> &[f64] {
        &self.log_likelihoods
    }

    /// The most probable alignment; of equals the first position, and a position rather than NULL.
    /// O(m·n); beyond `max_length` by the table alone.
    #[must_use]
    pub fn align(&self, source: &[WordId], target: &[WordId]) -> Alignment {
        let (generated, given) = crate::Pair { source, target }.sides(self.direction);
        let (m, n) = (generated.len(), given.len());
        if m == 0 || n == 0 {
            return Alignment::new();
        }
        if m.max(n) > self.params.max_length {
            return links(best_by_table(&self.table, generated, given), self.direction);
        }
        let cells = cells(&self.table, generated, given, self.params.floor);
        let best = (0..m).map(|j| {
            let score = |i: usize| cells[i * m + j] * self.position(i, j, m, n);
            let (mut at, mut most) = (None, 0.0);
            for i in 1..=n {
                if score(i) > most {
                    (at, most) = (Some(i as u32 - 1), score(i));
                }
            }
            at.filter(|_| most >= score(0))
        });
        links(best, self.direction)
    }
}

struct Expectation<'a>(&'a Positions);

impl PairModel for Expectation<'_> {
    type Scratch = ();
    type Sums = Positions;

    fn sums(&self) -> Positions {
        Positions::new()
    }

    fn expect(
        &self,
        generated: &[WordId],
        given: &[WordId],
        cells: &mut [f64],
        (): &mut (),
        sums: &mut Positions,
    ) -> f64 {
        let (m, n) = (generated.len(), given.len());
        let lengths = (m as u32, n as u32);
        let known = self.0.get(&lengths);
        let counts = sums
            .entry(lengths)
            .or_insert_with(|| vec![0.0; m * (n + 1)]);
        let mut log_likelihood = 0.0;
        for j in 0..m {
            let row = j * (n + 1)..(j + 1) * (n + 1);
            let mut sum = 0.0;
            for i in 0..=n {
                let prior = known.map_or(1.0 / (n + 1) as f64, |known| known[row.start + i]);
                cells[i * m + j] *= prior;
                sum += cells[i * m + j];
            }
            log_likelihood += sum.ln();
            for (i, count) in counts[row].iter_mut().enumerate() {
                let cell = &mut cells[i * m + j];
                // A word without any explanation comes from NULL.
                *cell = if sum > 0.0 {
                    *cell / sum
                } else {
                    f64::from(i == 0)
                };
                *count += *cell;
            }
        }
        log_likelihood
    }
}
