//! The forward pass: finds all product states and asks each for its row of next words.
//!
//! A wave asks all product states that no wave has asked. With a nested model the first wave is the empty
//! context at every position, the second all contexts of one word, and so on: as many waves as the order
//! of the model, in each of which no question waits for another. A context is asked only for the words that
//! its shorter one lists, which are few.

use super::network::{NONE, Network};
use super::product::Products;
use pgen_core::{LanguageModel, RowHit, Stop, Ticker, WordId};
use std::ops::Range;

/// Nodes of a wave whose reads are announced together.
const BLOCK: usize = 32;

/// Scratch: what the nodes of a block are asked.
#[derive(Debug, Default)]
pub(super) struct Asking {
    /// For each node where its words lie in `words`.
    asks: Vec<Ask>,
    words: Vec<WordId>,
    /// Their places in the position's row.
    places: Vec<u32>,
    targets: Vec<u32>,
}

/// What a node is asked.
#[derive(Clone, Copy, Debug)]
enum Ask {
    /// All next words.
    All,
    /// Some of them.
    Some(u32, u32),
}

/// Why the pass ended early.
pub(super) enum Halt {
    States,
    Stop,
}

/// The forward pass and the states it meets.
pub(super) struct Forward<'a, L: LanguageModel> {
    pub(super) network: &'a Network,
    pub(super) language: &'a L,
    pub(super) products: &'a mut Products,
    asking: &'a mut Asking,
    /// The state of each node.
    pub(super) states: Vec<L::State>,
    /// Scratch: what a row lists.
    hits: Vec<RowHit<L::State>>,
    limit: usize,
    nested: bool,
    /// True if a word of probability 0 is out of the question (weight not 0).
    zero_kills: bool,
}

impl<'a, L: LanguageModel> Forward<'a, L> {
    pub(super) fn new(
        network: &'a Network,
        language: &'a L,
        (products, asking): (&'a mut Products, &'a mut Asking),
        limit: usize,
        zero_kills: bool,
    ) -> Self {
        products.clear();
        Forward {
            network,
            language,
            products,
            asking,
            states: Vec::with_capacity(2048),
            hits: Vec::with_capacity(64),
            limit,
            nested: language.is_nested(),
            zero_kills,
        }
    }

    /// Finds and asks all product states that can be reached.
    pub(super) fn run(&mut self, stop: &Stop) -> Result<(), Halt> {
        let mut ticker = stop.ticker();
        if self.nested {
            let null = self.language.null();
            for position in 0..self.network.positions() as u32 {
                self.number(position, &null);
            }
        }
        let nulls = self.states.len();
        self.products.start = self.number(0, &self.language.start());
        let mut wave = 0..if nulls > 0 { nulls } else { self.states.len() };
        while !wave.is_empty() {
            if self.network.has_silent() {
                wave = self.pass_on(wave);
            }
            let mut block = wave.start..wave.start;
            while block.end < wave.end {
                block = block.end..(block.end + BLOCK).min(wave.end);
                self.ask_block(block.clone(), &mut ticker)?;
                if self.states.len() > self.limit {
                    return Err(Halt::States);
                }
            }
            wave = wave.end..self.states.len();
        }
        self.products.sort(self.network.positions());
        Ok(())
    }

    #[inline]
    fn number(&mut self, position: u32, state: &L::State) -> u32 {
        self.products.number(&mut self.states, position, state)
    }

    /// Steps without words keep the language model's state; what they reach joins the wave.
    fn pass_on(&mut self, wave: Range<usize>) -> Range<usize> {
        let network = self.network;
        let later = self.states.len() - wave.end;
        let mut from = wave.start;
        while from < self.states.len() - later {
            let position = self.products.nodes[from].position;
            for arc in network.silent_at(position) {
                let state = self.states[from].clone();
                let target = self.number(arc.to, &state);
                self.products.silent.push((from as u32, *arc, target));
            }
            from += 1;
        }
        wave.start..from
    }

    fn ask_block(&mut self, block: Range<usize>, ticker: &mut Ticker<'_>) -> Result<(), Halt> {
        self.language.prefetch(&self.states[block.clone()], &[]);
        self.asking.asks.clear();
        self.asking.words.clear();
        self.asking.places.clear();
        for node in block.clone() {
            let ask = self.prepare(node);
            self.asking.asks.push(ask);
        }
        for (node, &ask) in block.clone().zip(&self.asking.asks) {
            let words = match ask {
                Ask::All => self.network.words_at(self.products.nodes[node].position),
                Ask::Some(start, end) => &self.asking.words[start as usize..end as usize],
            };
            if !words.is_empty() {
                self.language
                    .prefetch(std::slice::from_ref(&self.states[node]), words);
            }
        }
        for (node, at) in block.zip(0..) {
            ticker.tick().map_err(|_| Halt::Stop)?;
            self.ask(node, self.asking.asks[at]);
        }
        Ok(())
    }

    /// Finds out what to ask a node, and announces it.
    #[inline]
    fn prepare(&mut self, node: usize) -> Ask {
        let position = self.products.nodes[node].position;
        let words = self.network.words_at(position);
        if words.is_empty() {
            return Ask::All;
        }
        let mut ask = Ask::All;
        if self.nested
            && let Some((shorter, weight)) = self.language.back_off(&self.states[node])
        {
            let shorter = self.number(position, &shorter);
            self.link(node, shorter, weight);
            ask = self.asking.gather(self.products, shorter, words);
        }
        ask
    }

    /// Leaves what a node does not list to a shorter context.
    #[inline]
    fn link(&mut self, node: usize, shorter: u32, weight: pgen_core::LogProb) {
        if !weight.is_zero() {
            self.products.link(node as u32, shorter, weight.ln());
        } else if !self.zero_kills {
            self.products.link(node as u32, shorter, 0.0);
        }
    }

    /// Asks a node and records what it lists.
    #[inline]
    fn ask(&mut self, node: usize, ask: Ask) {
        let position = self.products.nodes[node].position;
        let words = self.network.words_at(position);
        let asked = match ask {
            Ask::All => words,
            Ask::Some(start, end) => &self.asking.words[start as usize..end as usize],
        };
        let first = self.products.listed.len();
        let here = &mut self.products.nodes[node];
        (here.hits, here.listed) = (self.products.hits.len() as u32, first as u32);
        self.products
            .listed
            .resize(first + words.len().div_ceil(64), 0);
        if asked.is_empty() {
            return;
        }
        self.products.rows += 1;
        let mut hits = std::mem::take(&mut self.hits);
        hits.clear();
        let shorter = self.language.row(&self.states[node], asked, &mut hits);
        if let Some((shorter, weight)) = shorter
            && self.products.nodes[node].shorter == NONE
        {
            let shorter = self.number(position, &shorter);
            self.link(node, shorter, weight);
        }
        for hit in &hits {
            let place = match ask {
                // A model that lies about places is not followed.
                Ask::All => hit.at.min(words.len() as u32 - 1),
                Ask::Some(start, end) => {
                    self.asking.places[((start + hit.at).min(end - 1)) as usize]
                }
            };
            self.products.listed[first + place as usize / 64] |= 1 << (place % 64);
            self.take(position, place, hit);
        }
        self.hits = hits;
    }

    /// Records a word that a context lists, and the nodes it leads to.
    #[inline]
    fn take(&mut self, position: u32, place: u32, hit: &RowHit<L::State>) {
        let impossible = hit.log_prob.is_zero();
        let log_prob = if impossible { 0.0 } else { hit.log_prob.ln() };
        let arcs = self.network.arcs_of(position, place);
        if impossible && self.zero_kills {
            self.products.hit(place, log_prob, &[]);
        } else if arcs.len() == 1 {
            let target = self.number(self.network.arcs[arcs.start].to, &hit.next);
            self.products.hit(place, log_prob, &[target]);
        } else {
            self.asking.targets.clear();
            for arc in arcs {
                let target = self.number(self.network.arcs[arc].to, &hit.next);
                self.asking.targets.push(target);
            }
            self.products.hit(place, log_prob, &self.asking.targets);
        }
    }
}

impl Asking {
    /// The words that a shorter context lists, or all if it was not asked yet.
    #[inline]
    fn gather(&mut self, products: &Products, shorter: u32, words: &[WordId]) -> Ask {
        let first = products.nodes[shorter as usize].listed;
        if first == NONE {
            return Ask::All;
        }
        let blocks = words.len().div_ceil(64);
        let listed = &products.listed[first as usize..first as usize + blocks];
        let count: u32 = listed.iter().map(|block| block.count_ones()).sum();
        if count as usize == words.len() {
            return Ask::All;
        }
        let start = self.words.len() as u32;
        for (block, &bits) in (0u32..).zip(listed) {
            let mut bits = bits;
            while bits != 0 {
                let at = block * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                self.words.push(words[at as usize]);
                self.places.push(at);
            }
        }
        Ask::Some(start, self.words.len() as u32)
    }
}
