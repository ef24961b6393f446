//! Exact backward potentials: the best completion from every product state, without asking the language
//! model again. A context's row is its shorter context's row, overwritten by what it lists itself.

use super::network::{NONE, Network};
use super::product::Products;
use super::rows::Forward;
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

/// Words of rows between two looks at the clock.
const CELLS: usize = 1 << 14;

/// Fills `products.potential`. False if it was stopped.
pub(super) fn find_potentials<L: LanguageModel>(
    forward: &mut Forward<'_, L>,
    model: &LogLinear<'_, L>,
    rows: &mut Rows,
    stop: &Stop,
) -> bool {
    let scale = Scale::of(model);
    let network = forward.network;
    let mut work = 0;
    let count = forward.states.len();
    forward.products.potential.resize(count, f64::NEG_INFINITY);
    for position in (0..network.positions() as u32).rev() {
        let width = network.words_at(position).len();
        work += 1 + width * forward.products.at(position).1.len();
        if work > CELLS {
            work = 0;
            if stop.check().is_err() {
                return false;
            }
        }
        if position == network.end() {
            finish(forward, model);
        }
        match width {
            0 => {}
            1 => rows.one_word(network, forward.products, position, scale),
            _ => rows.fill(network, forward.products, position, width, scale),
        }
        if network.has_silent() {
            silent(forward.products, position);
        }
    }
    true
}

fn finish<L: LanguageModel>(forward: &mut Forward<'_, L>, model: &LogLinear<'_, L>) {
    let (first, nodes) = forward.products.at(forward.network.end());
    let count = nodes.len();
    for place in first as usize..first as usize + count {
        let node = forward.products.node_at(place) as usize;
        let last = forward.language.finish(&forward.states[node]);
        forward.products.potential[node] = model.finish_score(last).ln();
    }
}

/// Steps without words, to higher positions that are done.
fn silent(products: &mut Products, position: u32) {
    let (first, nodes) = products.at(position);
    for place in first as usize..first as usize + nodes.len() {
        let node = products.node_at(place);
        let mut best = products.potential[node as usize];
        for &(_, arc, target) in products.silent_steps(node) {
            best = best.max(arc.weight + products.potential[target as usize]);
        }
        products.potential[node as usize] = best;
    }
}

impl Rows {
    /// A position with one next word: a number for each node.
    fn one_word(
        &mut self,
        network: &Network,
        products: &mut Products,
        position: u32,
        scale: Scale,
    ) {
        let (first, nodes) = products.at(position);
        let count = nodes.len();
        self.make_room(count);
        for place in 0..count {
            let id = products.node_at(first as usize + place);
            let node = products.nodes[id as usize];
            let (log_prob, value) = match products.hits_of(id) {
                [hit, ..] => (hit.log_prob, products.value(network, position, hit)),
                [] if node.shorter == NONE => (0.0, f64::NEG_INFINITY),
                [] => {
                    let shorter = (products.rank[node.shorter as usize] - first) as usize;
                    let inherited = self.log_probs[shorter] + node.backoff;
                    (inherited, self.values[shorter])
                }
            };
            (self.log_probs[place], self.values[place]) = (log_prob, value);
            let potential = &mut products.potential[id as usize];
            *potential = potential.max(scale.word(log_prob) + value);
        }
    }

    fn fill(
        &mut self,
        network: &Network,
        products: &mut Products,
        position: u32,
        width: usize,
        scale: Scale,
    ) {
        let (first, nodes) = products.at(position);
        let count = nodes.len();
        self.make_room(width * count);
        for place in 0..count {
            let id = products.node_at(first as usize + place);
            let node = products.nodes[id as usize];
            let row = place * width;
            let shorter = match node.shorter {
                NONE => None,
                shorter => Some((products.rank[shorter as usize] - first) as usize * width),
            };
            self.inherit(row, shorter, node.backoff, width);
            let log_probs = &mut self.log_probs[row..row + width];
            let values = &mut self.values[row..row + width];
            for hit in products.hits_of(id) {
                log_probs[hit.word as usize] = hit.log_prob;
                values[hit.word as usize] = products.value(network, position, hit);
            }
            let potential = &mut products.potential[id as usize];
            *potential = potential.max(best_of(log_probs, values, scale));
        }
    }

    fn make_room(&mut self, size: usize) {
        if self.values.len() < size {
            self.values.resize(size, 0.0);
            self.log_probs.resize(size, 0.0);
        }
    }

    /// Copies the row of the shorter context, its log probabilities with the back-off added.
    #[inline]
    fn inherit(&mut self, row: usize, shorter: Option<usize>, backoff: f64, width: usize) {
        let Some(from) = shorter else {
            self.log_probs[row..row + width].fill(0.0);
            self.values[row..row + width].fill(f64::NEG_INFINITY);
            return;
        };
        let (theirs, mine) = self.log_probs.split_at_mut(row);
        for (mine, theirs) in mine[..width].iter_mut().zip(&theirs[from..from + width]) {
            *mine = theirs + backoff;
        }
        let (theirs, mine) = self.values.split_at_mut(row);
        mine[..width].copy_from_slice(&theirs[from..from + width]);
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
