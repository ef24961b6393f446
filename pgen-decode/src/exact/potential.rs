//! Exact backward potentials: the best completion from every product state, without asking the language
//! model again. A context's row is its shorter context's row, overwritten by what it lists itself.

use super::network::{NONE, Network};
use super::product::Products;
use super::rows::{Forward, Halt};
use crate::loglinear::LogLinear;
use pgen_core::{LanguageModel, Stop};

/// Scratch: the rows of one position, in the order of its nodes.
#[derive(Debug, Default)]
pub(super) struct Rows {
    cells: Vec<Cells>,
}

/// Four words of a row: what they add, and the best completion behind them. A row ends with words that
/// are impossible.
#[derive(Clone, Copy, Debug)]
struct Cells {
    log_probs: [f64; LANES],
    values: [f64; LANES],
}

const LANES: usize = 4;

impl Cells {
    const IMPOSSIBLE: Cells = Cells {
        log_probs: [0.0; LANES],
        values: [f64::NEG_INFINITY; LANES],
    };
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

/// Fills `products.potential`.
pub(super) fn find_potentials<L: LanguageModel>(
    forward: &mut Forward<'_, L>,
    model: &LogLinear<'_, L>,
    rows: &mut Rows,
    stop: &Stop,
) -> Result<(), Halt> {
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
            stop.check().map_err(|_| Halt::Stop)?;
        }
        if position == network.end() {
            finish(forward, model);
        }
        let count = forward.products.at(position).1.len();
        let cells = match width {
            1 => count.div_ceil(LANES),
            _ => width.div_ceil(LANES).saturating_mul(count),
        };
        if cells > forward.room / size_of::<Cells>() {
            return Err(Halt::States);
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
    Ok(())
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
        self.make_room(count.div_ceil(LANES));
        for place in 0..count {
            let id = products.node_at(first as usize + place);
            let node = products.nodes[id as usize];
            let (log_prob, value) = match products.hits_of(id) {
                [hit, ..] => (hit.log_prob, products.value(network, hit)),
                [] if node.shorter == NONE => (0.0, f64::NEG_INFINITY),
                [] => {
                    let shorter = (products.rank[node.shorter as usize] - first) as usize;
                    let known = &self.cells[shorter / LANES];
                    let inherited = known.log_probs[shorter % LANES] + node.backoff;
                    (inherited, known.values[shorter % LANES])
                }
            };
            let cells = &mut self.cells[place / LANES];
            (cells.log_probs[place % LANES], cells.values[place % LANES]) = (log_prob, value);
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
        let width = width.div_ceil(LANES);
        self.make_room(width * count);
        for place in 0..count {
            let id = products.node_at(first as usize + place);
            let node = products.nodes[id as usize];
            let (theirs, mine) = self.cells.split_at_mut(place * width);
            let mine = &mut mine[..width];
            match node.shorter {
                NONE => mine.fill(Cells::IMPOSSIBLE),
                shorter => {
                    let from = (products.rank[shorter as usize] - first) as usize * width;
                    inherit(mine, &theirs[from..from + width], node.backoff);
                }
            }
            for hit in products.hits_of(id) {
                let (word, lane) = (hit.word as usize / LANES, hit.word as usize % LANES);
                mine[word].log_probs[lane] = hit.log_prob;
                mine[word].values[lane] = products.value(network, hit);
            }
            let potential = &mut products.potential[id as usize];
            *potential = potential.max(best_of(mine, scale));
        }
    }

    fn make_room(&mut self, size: usize) {
        if self.cells.len() < size {
            self.cells.resize(size, Cells::IMPOSSIBLE);
        }
    }
}

/// Copies the row of the shorter context, its log probabilities with the back-off added.
#[inline]
fn inherit(mine: &mut [Cells], theirs: &[Cells], backoff: f64) {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        mine.log_probs = theirs.log_probs.map(|log_prob| log_prob + backoff);
        mine.values = theirs.values;
    }
}

#[inline]
fn best_of(row: &[Cells], scale: Scale) -> f64 {
    let mut best = [f64::NEG_INFINITY; LANES];
    for cells in row {
        let words = cells.log_probs.iter().zip(&cells.values);
        for (best, (&log_prob, value)) in best.iter_mut().zip(words) {
            let total = scale.word(log_prob) + value;
            *best = if total > *best { total } else { *best };
        }
    }
    best[0].max(best[1]).max(best[2].max(best[3]))
}
