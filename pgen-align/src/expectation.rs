//! The E-step that all position models share: translation probabilities of each sentence pair are laid
//! out as a matrix, a pair model turns them into posteriors, posteriors are added up by table row.
//!
//! Pairs are worked off in blocks whose bounds depend on the corpus alone. Within a block each row of
//! the table is spread into a dense array once, which makes look-ups nearly free.

use crate::corpus::{Corpus, Direction};
use crate::grouping::grouped;
use crate::parallel;
use crate::sparse::{NULL_ROW, row_of};
use crate::table::{TranslationTable, estimate};
use pgen_core::{Stop, WordId};
use std::ops::Range;

/// Matrix cells of a block: 32 MiB of them.
const BLOCK_CELLS: usize = 1 << 22;

/// Turns a pair's translation probabilities into posteriors.
pub(crate) trait PairModel: Sync {
    /// Scratch of one thread.
    type Scratch: Default;
    /// Sums beyond those of the table, one for each block.
    type Sums: Send;

    fn sums(&self) -> Self::Sums;

    /// `cells` holds t(s_j|t_i) at `i·m + j`, i = 0 being NULL, and receives P(a_j = i). Returns the
    /// log-likelihood.
    fn expect(
        &self,
        generated: &[WordId],
        given: &[WordId],
        cells: &mut [f64],
        scratch: &mut Self::Scratch,
        sums: &mut Self::Sums,
    ) -> f64;
}

/// A table row needed by a pair of the block.
#[derive(Clone, Copy)]
struct Need {
    row: u32,
    /// Pair, counted from the block's first.
    pair: u32,
    /// Start of the row's cells.
    cells: usize,
}

struct Block {
    pairs: Range<usize>,
    needs: Vec<Need>,
    cells: Vec<f64>,
}

/// What a pass over the corpus needs to know.
pub(crate) struct Pass<'a> {
    pub(crate) corpus: &'a Corpus,
    pub(crate) direction: Direction,
    pub(crate) max_length: usize,
    /// Smallest translation probability.
    pub(crate) floor: f64,
    /// Pseudo-count of a variational step; 0 maximises the likelihood.
    pub(crate) alpha: f64,
    /// Once this says so, work is left undone; the caller asks it again before it believes the sums.
    pub(crate) stop: &'a Stop,
}

impl Pass<'_> {
    /// One EM iteration: replaces the table's probabilities, and hands each block's sums, in order, to
    /// `collect`. Returns the log-likelihood of the pairs that are short enough.
    pub(crate) fn run<M: PairModel>(
        &self,
        model: &M,
        table: &mut TranslationTable,
        mut collect: impl FnMut(M::Sums),
    ) -> f64 {
        let mut counts = vec![0.0; table.probabilities.len()];
        let mut log_likelihood = 0.0;
        let blocks = self.blocks();
        for batch in blocks.chunks(parallel::width()) {
            if self.stopped() {
                break;
            }
            let done = parallel::map(batch.to_vec(), |pairs| {
                let mut block = self.lay_out(pairs, table);
                let mut sums = model.sums();
                let value = self.expect(model, &mut block, &mut sums);
                (block, sums, value)
            });
            for (block, sums, value) in done {
                if self.stopped() {
                    break;
                }
                self.add_up(&block, table, &mut counts);
                // Giving back a block's memory takes its time.
                let _ = self.stopped();
                drop(block);
                log_likelihood += value;
                collect(sums);
            }
        }
        table.probabilities = counts;
        for row in 0..table.rows.len() {
            if self.stopped() {
                break;
            }
            let range = table.rows.range(row);
            estimate(&mut table.probabilities[range], self.alpha);
        }
        log_likelihood
    }

    fn stopped(&self) -> bool {
        self.stop.check().is_err()
    }

    /// The sides of a pair, unless one is too long.
    fn sides(&self, index: usize) -> Option<(&[WordId], &[WordId])> {
        let (generated, given) = self.corpus.sides(index, self.direction);
        (generated.len().max(given.len()) <= self.max_length).then_some((generated, given))
    }

    fn cells_of(&self, index: usize) -> usize {
        self.sides(index)
            .map_or(0, |(generated, given)| generated.len() * (given.len() + 1))
    }

    fn blocks(&self) -> Vec<Range<usize>> {
        let (mut blocks, mut start, mut cells) = (Vec::new(), 0, 0);
        for index in 0..self.corpus.training_len() {
            let more = self.cells_of(index);
            if cells + more > BLOCK_CELLS && index > start {
                blocks.push(start..index);
                (start, cells) = (index, 0);
            }
            cells += more;
        }
        if start < self.corpus.training_len() {
            blocks.push(start..self.corpus.training_len());
        }
        blocks
    }

    /// Fills a block's cells with translation probabilities.
    fn lay_out(&self, pairs: Range<usize>, table: &TranslationTable) -> Block {
        let (mut needs, mut total) = (Vec::new(), 0);
        let mut ticker = self.stop.ticker();
        for index in pairs.clone() {
            if ticker.tick().is_err() {
                break;
            }
            let Some((generated, given)) = self.sides(index) else {
                continue;
            };
            let rows = std::iter::once(NULL_ROW).chain(given.iter().map(|&word| row_of(word)));
            for row in rows {
                let pair = (index - pairs.start) as u32;
                needs.push(Need {
                    row: row as u32,
                    pair,
                    cells: total,
                });
                total += generated.len();
            }
        }
        // Told to stop, the block is left empty; nothing is added up.
        let by_row = grouped(needs, table.rows.len(), |need| need.row as usize, self.stop);
        let (needs, total) = by_row.map_or((Vec::new(), 0), |needs| (needs, total));
        let mut block = Block {
            pairs,
            needs,
            cells: vec![0.0; total],
        };
        let mut dense = vec![0.0; self.corpus.id_bound()];
        for needs in block.needs.chunk_by(|a, b| a.row == b.row) {
            if self.stopped() {
                break;
            }
            let row = needs[0].row as usize;
            let entries = table.rows.range(row);
            let words = &table.rows.words[entries.clone()];
            let values = &table.probabilities[entries];
            // A long row that few cells ask is searched instead.
            let wanted: usize = needs
                .iter()
                .map(|need| self.generated(&block.pairs, need).len())
                .sum();
            let spread = words.len() < 6 * wanted;
            if spread {
                for (word, value) in words.iter().zip(values) {
                    dense[word.index()] = *value;
                }
            }
            for need in needs {
                let generated = self.generated(&block.pairs, need);
                let cells = &mut block.cells[need.cells..need.cells + generated.len()];
                for (cell, word) in cells.iter_mut().zip(generated) {
                    let value = if spread {
                        dense[word.index()]
                    } else {
                        words.binary_search(word).map_or(0.0, |at| values[at])
                    };
                    *cell = value.max(self.floor);
                }
            }
            if spread {
                for word in words {
                    dense[word.index()] = 0.0;
                }
            }
        }
        block
    }

    fn generated(&self, pairs: &Range<usize>, need: &Need) -> &[WordId] {
        self.corpus
            .sides(pairs.start + need.pair as usize, self.direction)
            .0
    }

    fn expect<M: PairModel>(&self, model: &M, block: &mut Block, sums: &mut M::Sums) -> f64 {
        let mut scratch = M::Scratch::default();
        let (mut log_likelihood, mut at) = (0.0, 0);
        for index in block.pairs.clone() {
            let Some((generated, given)) = self.sides(index) else {
                continue;
            };
            if self.stopped() {
                break;
            }
            let end = at + generated.len() * (given.len() + 1);
            let cells = &mut block.cells[at..end];
            log_likelihood += model.expect(generated, given, cells, &mut scratch, sums);
            at = end;
        }
        log_likelihood
    }

    /// Adds a block's posteriors to the counts; rows are independent of each other.
    fn add_up(&self, block: &Block, table: &TranslationTable, counts: &mut [f64]) {
        let groups: Vec<&[Need]> = block.needs.chunk_by(|a, b| a.row == b.row).collect();
        let weights: Vec<u64> = groups.iter().map(|needs| needs.len() as u64).collect();
        let parts = parallel::split_by_weight(&weights, parallel::width() * 2);
        let mut slices = Vec::with_capacity(parts.len());
        let (mut rest, mut offset) = (counts, 0);
        for part in &parts {
            let end = table.rows.range(groups[part.end - 1][0].row as usize).end;
            let (head, tail) = rest.split_at_mut(end - offset);
            slices.push((part.clone(), offset, head));
            (rest, offset) = (tail, end);
        }
        parallel::map(slices, |(part, offset, counts)| {
            let mut dense = vec![0.0; self.corpus.id_bound()];
            for needs in &groups[part] {
                if self.stopped() {
                    break;
                }
                self.add_row(block, needs, table, &mut dense, counts, offset);
            }
        });
    }

    fn add_row(
        &self,
        block: &Block,
        needs: &[Need],
        table: &TranslationTable,
        dense: &mut [f64],
        counts: &mut [f64],
        offset: usize,
    ) {
        let entries = table.rows.range(needs[0].row as usize);
        let words = &table.rows.words[entries.clone()];
        let counts = &mut counts[entries.start - offset..entries.end - offset];
        for need in needs {
            let generated = self.generated(&block.pairs, need);
            let cells = &block.cells[need.cells..need.cells + generated.len()];
            for (word, posterior) in generated.iter().zip(cells) {
                dense[word.index()] += posterior;
            }
        }
        let wanted: usize = needs
            .iter()
            .map(|need| self.generated(&block.pairs, need).len())
            .sum();
        if words.len() < 6 * wanted {
            for (word, count) in words.iter().zip(counts) {
                *count += dense[word.index()];
            }
        } else {
            for need in needs {
                for word in self.generated(&block.pairs, need) {
                    if let Ok(at) = words.binary_search(word) {
                        counts[at] += std::mem::take(&mut dense[word.index()]);
                    }
                }
            }
        }
        for need in needs {
            for word in self.generated(&block.pairs, need) {
                dense[word.index()] = 0.0;
            }
        }
    }
}
