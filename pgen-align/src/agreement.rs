//! HMMs of both directions side by side, each on its own or learning from what both agree on (Liang et
//! al. 2006), with a Dirichlet prior over word pairs and a learned share of words without a partner.

use crate::corpus::{Corpus, Direction, Pair};
use crate::error::Result;
use crate::hmm::{longest, update_jumps};
use crate::jumps::{JumpCounts, Jumps};
use crate::parallel;
use crate::params::{ConsensusParams, JumpUpdate};
use crate::prior::{Prior, PriorTable};
use crate::sparse::{NULL_ROW, row_of};
use crate::store::{Stored, number, size, weights};
use crate::trellis::{Transition, Trellis};
use pgen_core::codec::{Cursor, Encoder};
use pgen_core::{Progress, Stop, WordId};

/// Wider jumps share the weight of this one.
const MAX_JUMP: usize = 100;
/// Added to each expected jump count.
const JUMP_FLOOR: f64 = 1e-6;
/// Expected counts below this leave the table after the first iteration with positions.
const LEAST_COUNT: f64 = 1e-4;
/// Sentence pairs of one piece of work.
const CHUNK: usize = 64;

/// One direction.
#[derive(Clone, Debug, PartialEq)]
struct Chain {
    table: PriorTable,
    jumps: Vec<f64>,
    /// Share of the words that could have a partner and do.
    partnered: f64,
}

/// Both directions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TwoChains {
    /// Sources given targets, targets given sources.
    chains: [Chain; 2],
    uniform: f64,
    max_length: usize,
    /// Whether expected counts are products of both directions' posteriors.
    agree: bool,
}

const DIRECTIONS: [Direction; 2] = [Direction::SourceGivenTarget, Direction::TargetGivenSource];

/// Translation probabilities or posteriors of one direction, at `i·m + j` with NULL at i = 0, and the
/// table entries that they came from.
struct Cells {
    values: Vec<f64>,
    entries: Vec<Option<usize>>,
}

/// Whether positions count yet.
#[derive(Clone, Copy)]
enum Stage<'a> {
    Bag,
    Chain(&'a [Jumps; 2]),
}

/// What a chunk of pairs adds: expected counts by entry, jump counts, likelihood.
struct Sums {
    counts: [Vec<(usize, f64)>; 2],
    jumps: [JumpCounts; 2],
    log_likelihood: f64,
}

impl TwoChains {
    pub(crate) fn fit(
        corpus: &Corpus,
        prior: &Prior<'_>,
        agree: bool,
        progress: &dyn Progress,
    ) -> Result<(Self, Vec<f64>)> {
        let params = prior.params;
        let width = 2 * MAX_JUMP + 1;
        let weight = |d: usize| 1.0 / (1.0 + (d as f64 - MAX_JUMP as f64 - 1.0).abs());
        let stop = progress.stop();
        let chain = |direction| -> Result<Chain> {
            Ok(Chain {
                table: PriorTable::new(corpus, direction, prior, &stop)?,
                jumps: (0..width).map(weight).collect(),
                partnered: 1.0 - params.null,
            })
        };
        let chains = [chain(DIRECTIONS[0])?, chain(DIRECTIONS[1])?];
        let (uniform, max_length) = (params.uniform, params.max_length);
        let mut model = TwoChains {
            chains,
            uniform,
            max_length,
            agree,
        };
        let total = params.bag_iterations + params.iterations;
        let name = if agree {
            "HMM, agreeing"
        } else {
            "HMM, independent"
        };
        progress.stage(name, Some(total as u64));
        let mut log_likelihoods = Vec::with_capacity(total);
        for iteration in 0..total {
            let log_likelihood = model.iterate(corpus, params, iteration, &stop);
            stop.check()?;
            progress.note(&format!("log-likelihood {log_likelihood:.3}"));
            progress.done(iteration as u64 + 1);
            log_likelihoods.push(log_likelihood);
        }
        model
            .chains
            .iter_mut()
            .for_each(|chain| chain.table.finish());
        Ok((model, log_likelihoods))
    }

    /// One EM iteration; returns the likelihood before it.
    fn iterate(
        &mut self,
        corpus: &Corpus,
        params: &ConsensusParams,
        iteration: usize,
        stop: &Stop,
    ) -> f64 {
        let reach = longest(corpus, self.max_length) + 1;
        let jumps = self.expand(reach);
        let positions = iteration >= params.bag_iterations;
        let stage = if positions {
            Stage::Chain(&jumps)
        } else {
            Stage::Bag
        };
        let mut counts = [0, 1].map(|d| vec![0.0; self.chains[d].table.table.len()]);
        let mut made = [JumpCounts::new(reach, false), JumpCounts::new(reach, false)];
        let (mut log_likelihood, starts) = (0.0, (0..corpus.training_len()).step_by(CHUNK));
        for batch in starts.collect::<Vec<_>>().chunks(parallel::width() * 4) {
            for sums in parallel::map(batch.to_vec(), |start| {
                self.expect(corpus, start, stage, reach, stop)
            }) {
                if stop.check().is_err() {
                    break;
                }
                for d in 0..2 {
                    sums.counts[d]
                        .iter()
                        .for_each(|&(entry, value)| counts[d][entry] += value);
                    made[d].add(&sums.jumps[d]);
                }
                log_likelihood += sums.log_likelihood;
            }
        }
        let most = pairs_of(corpus, self.max_length);
        for d in 0..2 {
            let chain = &mut self.chains[d];
            chain.learn_partnered(&counts[d], most);
            chain.table.maximize(&counts[d], stop);
            if positions {
                update_jumps(
                    &mut chain.jumps,
                    &made[d],
                    &jumps[d],
                    JUMP_FLOOR,
                    JumpUpdate::Likelihood,
                );
            }
            if iteration == params.bag_iterations {
                chain.table.prune(&counts[d], LEAST_COUNT, stop);
            }
        }
        log_likelihood
    }

    /// E-step over one chunk of pairs.
    fn expect(
        &self,
        corpus: &Corpus,
        start: usize,
        stage: Stage<'_>,
        reach: usize,
        stop: &Stop,
    ) -> Sums {
        let mut sums = Sums {
            counts: [Vec::new(), Vec::new()],
            jumps: [JumpCounts::new(reach, false), JumpCounts::new(reach, false)],
            log_likelihood: 0.0,
        };
        let mut trellis = Trellis::default();
        for index in start..corpus.training_len().min(start + CHUNK) {
            if stop.check().is_err() {
                break;
            }
            let pair = corpus.pair(index);
            if pair.source.len().max(pair.target.len()) > self.max_length {
                continue;
            }
            let mut cells = self.cells(pair);
            for (d, (cells, jumps)) in cells.iter_mut().zip(&mut sums.jumps).enumerate() {
                sums.log_likelihood +=
                    self.posteriors(d, pair, cells, stage, &mut trellis, Some(jumps));
            }
            if self.agree {
                multiply(&mut cells, pair.source.len(), pair.target.len());
            }
            for (counts, cells) in sums.counts.iter_mut().zip(&cells) {
                let found = cells.entries.iter().zip(&cells.values);
                counts.extend(found.filter_map(|(entry, &value)| {
                    entry.filter(|_| value > 1e-9).map(|entry| (entry, value))
                }));
            }
        }
        sums
    }

    /// Translation probabilities of both directions.
    fn cells(&self, pair: Pair<'_>) -> [Cells; 2] {
        [0, 1].map(|d| {
            let (generated, given) = pair.sides(DIRECTIONS[d]);
            let table = &self.chains[d].table;
            let size = (given.len() + 1) * generated.len();
            let mut cells = Cells {
                values: Vec::with_capacity(size),
                entries: Vec::with_capacity(size),
            };
            for row in std::iter::once(NULL_ROW).chain(given.iter().map(|&word| row_of(word))) {
                for &word in generated {
                    let entry = table.find(row, word);
                    cells.values.push(table.probability(row, word, entry));
                    cells.entries.push(entry);
                }
            }
            cells
        })
    }

    /// Turns one direction's translation probabilities into posteriors; returns the log-likelihood.
    fn posteriors(
        &self,
        d: usize,
        pair: Pair<'_>,
        cells: &mut Cells,
        stage: Stage<'_>,
        trellis: &mut Trellis,
        counts: Option<&mut JumpCounts>,
    ) -> f64 {
        let (generated, given) = pair.sides(DIRECTIONS[d]);
        let (m, n) = (generated.len(), given.len());
        // At most min(m, n) words can have partners of their own.
        let null = 1.0 - self.chains[d].partnered * m.min(n) as f64 / m as f64;
        match stage {
            Stage::Bag => bag(&mut cells.values, m, n, null),
            Stage::Chain(jumps) => {
                let model = Transition {
                    jumps: &jumps[d],
                    null,
                    uniform: self.uniform,
                };
                trellis.posteriors(m, n, model, &mut cells.values, counts)
            }
        }
    }

    fn expand(&self, reach: usize) -> [Jumps; 2] {
        [0, 1].map(|d| Jumps::clamped(reach, &self.chains[d].jumps))
    }

    /// Posterior link probabilities of both directions, each m × n by source word: P(source j comes
    /// from target i) and P(target i comes from source j). Both sides must hold words.
    pub(crate) fn link_posteriors(&self, pair: Pair<'_>) -> [Vec<f64>; 2] {
        let (m, n) = (pair.source.len(), pair.target.len());
        let jumps;
        let stage = if m.max(n) > self.max_length {
            Stage::Bag
        } else {
            jumps = self.expand(m.max(n) + 1);
            Stage::Chain(&jumps)
        };
        let mut cells = self.cells(pair);
        let mut trellis = Trellis::default();
        for (d, cells) in cells.iter_mut().enumerate() {
            self.posteriors(d, pair, cells, stage, &mut trellis, None);
        }
        let [backward, mut forward] = cells;
        let mut by_source = vec![0.0; m * n];
        for (i, row) in backward.values[m..].chunks_exact(m).enumerate() {
            for (j, value) in row.iter().enumerate() {
                by_source[j * n + i] = *value;
            }
        }
        forward.values.drain(..n);
        [by_source, forward.values]
    }
}

impl Chain {
    fn learn_partnered(&mut self, counts: &[f64], most: f64) {
        let null: f64 = counts[self.table.table.rows.range(NULL_ROW)].iter().sum();
        let all: f64 = counts.iter().sum();
        self.partnered = ((all - null) / most).clamp(0.3, 0.98);
    }
}

/// Σ min(m, n) over the pairs that trainers see.
fn pairs_of(corpus: &Corpus, max_length: usize) -> f64 {
    let lengths = (0..corpus.training_len()).map(|at| corpus.pair(at));
    let lengths = lengths.map(|pair| (pair.source.len(), pair.target.len()));
    let short = lengths.filter(|(m, n)| *m.max(n) <= max_length);
    short.map(|(m, n)| m.min(n) as f64).sum::<f64>().max(1.0)
}

/// Posteriors without positions; returns the log-likelihood.
fn bag(cells: &mut [f64], m: usize, n: usize, null: f64) -> f64 {
    let flat = (1.0 - null) / n as f64;
    let mut log_likelihood = 0.0;
    for j in 0..m {
        cells[j] *= null;
        (1..=n).for_each(|i| cells[i * m + j] *= flat);
        let sum: f64 = (0..=n).map(|i| cells[i * m + j]).sum();
        (0..=n).for_each(|i| cells[i * m + j] /= sum);
        log_likelihood += sum.ln();
    }
    log_likelihood
}

/// Replaces both directions' posteriors by their products; NULL gets what is left.
fn multiply(cells: &mut [Cells; 2], m: usize, n: usize) {
    let [backward, forward] = cells;
    for i in 0..n {
        for j in 0..m {
            let (a, b) = ((i + 1) * m + j, (j + 1) * n + i);
            let both = backward.values[a] * forward.values[b];
            (backward.values[a], forward.values[b]) = (both, both);
        }
    }
    for (values, m, n) in [(&mut backward.values, m, n), (&mut forward.values, n, m)] {
        for j in 0..m {
            let linked: f64 = (1..=n).map(|i| values[i * m + j]).sum();
            values[j] = (1.0 - linked).max(0.0);
        }
    }
}

/// Ids that a pair needs; kept here so that callers need no table.
pub(crate) fn has_words(source: &[WordId], target: &[WordId]) -> bool {
    !source.is_empty() && !target.is_empty()
}

impl Stored for TwoChains {
    fn write(&self, out: &mut Encoder) {
        for chain in &self.chains {
            chain.table.write(out);
            out.f64s(&chain.jumps);
            out.f64(chain.partnered);
        }
        out.f64(self.uniform);
        out.u64(self.max_length as u64);
        out.u8(u8::from(self.agree));
    }

    fn read(from: &mut Cursor<'_>) -> Result<Self, pgen_core::Error> {
        let mut chain = || {
            let (table, jumps) = (PriorTable::read(from)?, weights(from)?);
            if jumps.len() != 2 * MAX_JUMP + 1 {
                return Err(from.error("the wrong number of jump weights"));
            }
            let partnered = number(from, 0.0, 1.0)?;
            Ok(Chain {
                table,
                jumps,
                partnered,
            })
        };
        let chains = [chain()?, chain()?];
        let uniform = number(from, 0.0, 1.0)?;
        let (max_length, agree) = (size(from)?, from.u8()? != 0);
        Ok(TwoChains {
            chains,
            uniform,
            max_length,
            agree,
        })
    }
}
