//! Exact backward potentials: the best completion from every product state, without asking the language
//! model again. A context's row is its shorter context's row, overwritten by what it lists itself.

use super::network::{NONE, Network};
use super::product::{Forward, Products, Record};
use crate::loglinear::LogLinear;
use pgen_core::{LanguageModel, Stop};

/// Scratch: the rows of one position, record by record.
#[derive(Debug, Default)]
pub(super) struct Rows {
    log_probs: Vec<f64>,
    values: Vec<f64>,
}

/// What a row needs of the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) weight: f64,
    pub(super) shift: f64,
    pub(super) bonus: f64,
}

impl Scale {
    pub(super) fn of<L>(model: &LogLinear<'_, L>) -> Self {
        Scale {
            weight: model.language_weight().get(),
            shift: model.grid().shift(),
            bonus: model.bonus(),
        }
    }

    /// What a word adds; as [`LogLinear::word_score`] for possible words.
    #[inline]
    pub(super) fn word(self, log_prob: f64) -> f64 {
        ((self.weight * log_prob + self.shift) - self.shift) + self.bonus
    }
}

/// Fills `products.potential`. False if it was stopped.
pub(super) fn find_potentials<L: LanguageModel>(
    forward: &mut Forward<'_, L>,
    model: &LogLinear<'_, L>,
    rows: &mut Rows,
    stop: &Stop,
) -> bool {
    let scale = Scale::of(model);
    let count = forward.states.len();
    forward.products.potential.resize(count, f64::NEG_INFINITY);
    for position in (0..forward.network.positions() as u32).rev() {
        if position % 64 == 0 && stop.check().is_err() {
            return false;
        }
        if position == forward.network.end() {
            finish(forward, model);
        }
        rows.fill(forward.network, forward.products, position, scale);
        if forward.network.has_silent() {
            silent(forward.products, position);
        }
    }
    true
}

fn finish<L: LanguageModel>(forward: &mut Forward<'_, L>, model: &LogLinear<'_, L>) {
    let end = forward.network.end();
    let mut id = forward.products.first_at(end);
    while id != NONE {
        let last = forward.language.finish(&forward.states[id as usize]);
        forward.products.potential[id as usize] = model.finish_score(last).ln();
        id = forward.products.next_at(id);
    }
}

/// Steps without words, to higher positions that are done.
fn silent(products: &mut Products, position: u32) {
    let mut id = products.first_at(position);
    while id != NONE {
        let mut best = products.potential[id as usize];
        for &(_, arc, target) in products.silent_steps(id) {
            best = best.max(arc.weight + products.potential[target as usize]);
        }
        products.potential[id as usize] = best;
        id = products.next_at(id);
    }
}

impl Rows {
    fn fill(&mut self, network: &Network, products: &mut Products, position: u32, scale: Scale) {
        let width = network.words_at(position).len();
        let first = products.first_record[position as usize] as usize;
        let end = products.first_record[position as usize + 1] as usize;
        let size = width * (end - first);
        if self.values.len() < size {
            self.values.resize(size, 0.0);
            self.log_probs.resize(size, 0.0);
        }
        for number in (first..end).rev() {
            let record = products.records[number];
            self.inherit(&record, number - first, first, width);
            let row = (number - first) * width;
            for hit in products.hits_of(number as u32) {
                let mut best = f64::NEG_INFINITY;
                if hit.targets != NONE {
                    let arcs = &network.arcs[network.arcs_of(position, hit.word)];
                    let targets = &products.targets[hit.targets as usize..];
                    for (arc, &target) in arcs.iter().zip(targets) {
                        best = best.max(arc.weight + products.potential[target as usize]);
                    }
                }
                self.log_probs[row + hit.word as usize] = hit.log_prob;
                self.values[row + hit.word as usize] = best;
            }
            if let Some(potential) = products.potential.get_mut(record.product as usize) {
                let log_probs = &self.log_probs[row..row + width];
                let values = &self.values[row..row + width];
                *potential = potential.max(best_of(log_probs, values, scale));
            }
        }
    }

    /// Copies the row of the shorter context, its log probabilities with the back-off added.
    #[inline]
    fn inherit(&mut self, record: &Record, number: usize, first: usize, width: usize) {
        let row = number * width;
        let shorter = record.shorter as usize;
        if record.shorter == NONE {
            self.log_probs[row..row + width].fill(0.0);
            self.values[row..row + width].fill(f64::NEG_INFINITY);
            return;
        }
        let from = (shorter - first) * width;
        let (mine, theirs) = self.log_probs.split_at_mut(from);
        let mine = &mut mine[row..row + width];
        for (mine, theirs) in mine.iter_mut().zip(&theirs[..width]) {
            *mine = theirs + record.backoff;
        }
        let (mine, theirs) = self.values.split_at_mut(from);
        mine[row..row + width].copy_from_slice(&theirs[..width]);
    }
}

#[inline]
fn best_of(log_probs: &[f64], values: &[f64], scale: Scale) -> f64 {
    let mut best = [f64::NEG_INFINITY; 4];
    let mut chunks = log_probs.chunks_exact(4).zip(values.chunks_exact(4));
    for (log_probs, values) in &mut chunks {
        for lane in 0..4 {
            let total = scale.word(log_probs[lane]) + values[lane];
            best[lane] = if total > best[lane] {
                total
            } else {
                best[lane]
            };
        }
    }
    let done = log_probs.len() / 4 * 4;
    let mut rest = best[0].max(best[1]).max(best[2].max(best[3]));
    for (log_prob, value) in log_probs[done..].iter().zip(&values[done..]) {
        rest = rest.max(scale.word(*log_prob) + value);
    }
    rest
}
