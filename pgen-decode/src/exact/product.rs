//! Product states (position, language-model state), and the forward pass that finds them with one row
//! question for all next words of a position.

use super::context::Contexts;
use super::network::{Arc, NONE, Network};
use super::rows::Asking;
use super::table::{Index, hash_of};
use pgen_core::{LanguageModel, RowHit, Stop};

/// A context of a position: a state that stands there, or a shorter one that answers for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// The context that answers what this one does not list; `NONE` for the last.
    pub(super) shorter: u32,
    /// What asking the shorter one costs.
    pub(super) backoff: f64,
    /// First of its hits; they end where the next record's begin.
    pub(super) hits: u32,
    /// The product state that it is; `NONE` for one that only answers.
    pub(super) product: u32,
}

/// A next word that a context lists itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) log_prob: f64,
    /// The word's place in the position's row.
    pub(super) word: u32,
    /// First of its targets, one for each arc of the word; `NONE` for an impossible word.
    pub(super) targets: u32,
}

/// Everything the forward pass finds, without the language model's states.
#[derive(Debug, Default)]
pub(super) struct Products {
    pub(super) position: Vec<u32>,
    /// The next product state of the same position.
    next: Vec<u32>,
    head: Vec<u32>,
    pub(super) record: Vec<u32>,
    pub(super) potential: Vec<f64>,
    pub(super) records: Vec<Record>,
    /// First record of each position.
    pub(super) first_record: Vec<u32>,
    pub(super) hits: Vec<Hit>,
    /// Product states.
    pub(super) targets: Vec<u32>,
    /// Steps without words: from, arc, to; ascending by the first once the pass is done.
    silent: Vec<(u32, Arc, u32)>,
    index: Index,
    pub(super) contexts: Contexts,
    pub(super) asking: Asking,
    pub(super) rows: u64,
}

/// The forward pass and the states it meets.
pub(super) struct Forward<'a, L: LanguageModel> {
    pub(super) network: &'a Network,
    pub(super) language: &'a L,
    pub(super) products: &'a mut Products,
    pub(super) states: Vec<L::State>,
    /// The states by context.
    pub(super) contexts: Vec<L::State>,
    /// What the rows of a position list: the place of the word, its target, its probability.
    pub(super) listed: Vec<RowHit<L::State>>,
    /// Scratch: some states.
    pub(super) some: Vec<L::State>,
    limit: usize,
    /// True if a word of probability 0 is out of the question (weight not 0).
    pub(super) zero_kills: bool,
}

/// Why the pass ended early.
pub(super) enum Halt {
    States,
    Stop,
}

impl<'a, L: LanguageModel> Forward<'a, L> {
    pub(super) fn new(
        network: &'a Network,
        language: &'a L,
        products: &'a mut Products,
        limit: usize,
        zero_kills: bool,
    ) -> Self {
        products.clear(network.positions());
        Forward {
            network,
            language,
            products,
            states: Vec::with_capacity(1024),
            contexts: Vec::with_capacity(1024),
            listed: Vec::with_capacity(256),
            some: Vec::with_capacity(256),
            limit,
            zero_kills,
        }
    }

    /// Finds all product states that can be reached.
    pub(super) fn run(&mut self, stop: &Stop) -> Result<(), Halt> {
        let mut ticker = stop.ticker();
        let start = self.language.start();
        self.product(0, &start);
        for position in 0..self.network.positions() as u32 {
            stop.check().map_err(|_| Halt::Stop)?;
            let first = self.products.records.len() as u32;
            self.products.first_record.push(first);
            if self.network.has_silent() {
                self.pass_on(position);
            }
            if self.network.words_at(position).is_empty() {
                continue;
            }
            self.ask(position, &mut ticker)?;
            if self.states.len() > self.limit {
                return Err(Halt::States);
            }
        }
        // One more of each, so that every range has an end.
        let products = &mut *self.products;
        products.silent.sort_by_key(|&(from, _, _)| from);
        products.first_record.push(products.records.len() as u32);
        products.records.push(Record {
            shorter: NONE,
            backoff: 0.0,
            hits: products.hits.len() as u32,
            product: NONE,
        });
        Ok(())
    }

    /// The product state of a position and a language-model state.
    #[inline]
    fn product(&mut self, position: u32, state: &L::State) -> u32 {
        let products = &mut *self.products;
        let (states, positions) = (&self.states, &products.position);
        let new = states.len() as u32;
        let same = |id: u32| positions[id as usize] == position && states[id as usize] == *state;
        let id = products
            .index
            .find_or_insert(hash_of((position, state)), new, same);
        if id == new {
            self.states.push(state.clone());
            products.position.push(position);
            products.record.push(NONE);
            products.next.push(products.head[position as usize]);
            products.head[position as usize] = id;
        }
        id
    }

    /// Steps without words keep the language-model state.
    fn pass_on(&mut self, position: u32) {
        let network = self.network;
        for arc in network.silent_at(position) {
            let mut id = self.products.head[position as usize];
            while id != NONE {
                let state = self.states[id as usize].clone();
                let target = self.product(arc.to, &state);
                self.products.silent.push((id, *arc, target));
                id = self.products.next[id as usize];
            }
        }
    }

    /// Records a word that a context lists, and the product states it leads to.
    #[inline]
    pub(super) fn take(&mut self, position: u32, hit: &RowHit<L::State>) {
        let impossible = hit.log_prob.is_zero();
        let mut targets = NONE;
        if !(impossible && self.zero_kills) {
            targets = self.products.targets.len() as u32;
            for arc in self.network.arcs_of(position, hit.at) {
                let target = self.product(self.network.arcs[arc].to, &hit.next);
                self.products.targets.push(target);
            }
        }
        self.products.hits.push(Hit {
            log_prob: if impossible { 0.0 } else { hit.log_prob.ln() },
            word: hit.at,
            targets,
        });
    }
}

impl Products {
    fn clear(&mut self, positions: usize) {
        self.position.clear();
        self.next.clear();
        self.head.clear();
        self.head.resize(positions, NONE);
        self.record.clear();
        self.potential.clear();
        self.records.clear();
        self.first_record.clear();
        self.hits.clear();
        self.targets.clear();
        self.silent.clear();
        self.index.clear();
        self.contexts.clear();
        self.asking.clear();
        self.rows = 0;
    }

    /// How much it holds.
    pub(super) fn size(&self) -> usize {
        self.position.capacity() + self.hits.capacity() + self.targets.capacity()
    }

    /// The steps without words from a product state.
    pub(super) fn silent_steps(&self, product: u32) -> &[(u32, Arc, u32)] {
        let start = self.silent.partition_point(|&(from, _, _)| from < product);
        let rest = &self.silent[start..];
        &rest[..rest.partition_point(|&(from, _, _)| from == product)]
    }

    /// The first product state of a position, or `NONE`.
    pub(super) fn first_at(&self, position: u32) -> u32 {
        self.head[position as usize]
    }

    /// The next product state of the same position, or `NONE`.
    pub(super) fn next_at(&self, product: u32) -> u32 {
        self.next[product as usize]
    }

    /// The hits of a record.
    #[inline]
    pub(super) fn hits_of(&self, record: u32) -> &[Hit] {
        let start = self.records[record as usize].hits as usize;
        let end = self.records[record as usize + 1].hits as usize;
        &self.hits[start..end]
    }
}
