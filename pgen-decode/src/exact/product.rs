//! Product states (position, language-model state), and the forward pass that finds them with one row
//! question for all next words of a position.

use super::network::{Arc, NONE, Network};
use super::table::{Index, hash_of};
use pgen_core::{LanguageModel, LogProb, RowHit, Stop, Ticker, WordId};

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
    contexts: Contexts,
    slots: Vec<Slot>,
    masks: Vec<u64>,
    ask: Vec<WordId>,
    ask_at: Vec<u32>,
    levels: Vec<Vec<u32>>,
    pub(super) rows: u64,
}

/// Distinct language-model states with their links to shorter ones.
#[derive(Debug, Default)]
struct Contexts {
    links: Vec<Link>,
    index: Index,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    shorter: u32,
    depth: u32,
    /// The last position where it got a slot, and which.
    position: u32,
    slot: u32,
}

/// A context at the position in work.
#[derive(Clone, Copy, Debug)]
struct Slot {
    context: u32,
    product: u32,
    record: u32,
}

/// The forward pass and the states it meets.
pub(super) struct Forward<'a, L: LanguageModel> {
    pub(super) network: &'a Network,
    pub(super) language: &'a L,
    pub(super) products: &'a mut Products,
    pub(super) states: Vec<L::State>,
    contexts: Vec<L::State>,
    found: Vec<RowHit<L::State>>,
    limit: usize,
    /// True if a word of probability 0 is out of the question (weight not 0).
    zero_kills: bool,
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
            found: Vec::new(),
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
            self.open_slots(position);
            self.ask_all(position, &mut ticker)?;
            self.products.close_slots(first);
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

    /// The number of a language-model state, its shorter ones known too.
    fn context(&mut self, state: &L::State) -> u32 {
        let mut first = NONE;
        let mut below = NONE;
        let mut fresh = 0u32;
        let mut state = state.clone();
        loop {
            let (known, new) = (&self.contexts, self.contexts.len() as u32);
            let contexts = &mut self.products.contexts;
            let same = |id: u32| known[id as usize] == state;
            let id = contexts.index.find_or_insert(hash_of(&state), new, same);
            if first == NONE {
                first = id;
            }
            if below != NONE {
                contexts.links[below as usize].shorter = id;
            }
            if id != new {
                break;
            }
            self.contexts.push(state.clone());
            self.found.clear();
            let shorter = self.language.row(&state, &[], &mut self.found);
            contexts.links.push(Link {
                shorter: NONE,
                depth: 0,
                position: NONE,
                slot: NONE,
            });
            below = id;
            fresh += 1;
            match shorter {
                Some((next, _)) => state = next,
                None => break,
            }
        }
        self.set_depths(first, fresh);
        first
    }

    /// Depth is the number of shorter contexts behind one.
    fn set_depths(&mut self, first: u32, fresh: u32) {
        let links = &mut self.products.contexts.links;
        let mut below = first;
        for _ in 0..fresh {
            below = links[below as usize].shorter;
        }
        let base = if below == NONE {
            0
        } else {
            links[below as usize].depth + 1
        };
        let mut at = first;
        for step in (0..fresh).rev() {
            links[at as usize].depth = base + step;
            at = links[at as usize].shorter;
        }
    }

    /// Gathers the contexts of a position by depth; every state there wants every word.
    fn open_slots(&mut self, position: u32) {
        let stride = self.network.words_at(position).len().div_ceil(64);
        self.products.masks.clear();
        self.products.slots.clear();
        let mut product = self.products.head[position as usize];
        while product != NONE {
            let state = self.states[product as usize].clone();
            let wanting = self.context(&state);
            let mut context = wanting;
            while context != NONE {
                let shorter = self.products.contexts.links[context as usize].shorter;
                if !self.products.open_slot(context, position, stride) {
                    break;
                }
                context = shorter;
            }
            let slot = self.products.contexts.links[wanting as usize].slot as usize;
            self.products.slots[slot].product = product;
            self.products.masks[slot * stride..(slot + 1) * stride].fill(u64::MAX);
            product = self.products.next[product as usize];
        }
    }

    /// Asks all contexts of a position, longest first.
    fn ask_all(&mut self, position: u32, ticker: &mut Ticker<'_>) -> Result<(), Halt> {
        for level in (0..self.products.levels.len()).rev() {
            let slots = std::mem::take(&mut self.products.levels[level]);
            for &slot in &slots {
                ticker.tick().map_err(|_| Halt::Stop)?;
                self.ask(position, slot);
            }
            self.products.levels[level] = slots;
            self.products.levels[level].clear();
        }
        Ok(())
    }

    /// Asks one context for the words that longer ones left, and passes on what it leaves.
    fn ask(&mut self, position: u32, slot: u32) {
        let words = self.network.words_at(position);
        let products = &mut *self.products;
        let Slot {
            context, product, ..
        } = products.slots[slot as usize];
        let number = products.records.len() as u32;
        products.slots[slot as usize].record = number;
        if product != NONE {
            products.record[product as usize] = number;
        }
        products.records.push(Record {
            shorter: NONE,
            backoff: 0.0,
            hits: products.hits.len() as u32,
            product,
        });
        let stride = words.len().div_ceil(64);
        let mask = slot as usize * stride;
        products.gather(words, mask, stride);
        self.found.clear();
        products.rows += 1;
        let state = &self.contexts[context as usize];
        let shorter = self.language.row(state, &products.ask, &mut self.found);
        let mut found = std::mem::take(&mut self.found);
        for hit in &found {
            if let Some(&word) = self.products.ask_at.get(hit.at as usize) {
                self.products.masks[mask + word as usize / 64] &= !(1 << (word % 64));
                self.take(position, word, hit);
            }
        }
        found.clear();
        self.found = found;
        if let Some((_, weight)) = shorter {
            self.leave(position, number, slot, weight, stride);
        }
    }

    /// Leaves unanswered words to the shorter context.
    fn leave(&mut self, position: u32, number: u32, slot: u32, weight: LogProb, stride: usize) {
        let products = &mut *self.products;
        let context = products.slots[slot as usize].context;
        let shorter = products.contexts.links[context as usize].shorter;
        let Some(link) = products.contexts.links.get(shorter as usize).copied() else {
            // The row has a shorter context for some words only: ask word by word.
            return self.answer(position, slot, stride);
        };
        if weight.is_zero() && self.zero_kills {
            return; // What is left is impossible.
        }
        // Slot numbers until the whole position is asked.
        products.records[number as usize].shorter = link.slot;
        products.records[number as usize].backoff =
            if weight.is_zero() { 0.0 } else { weight.ln() };
        let (from, to) = (slot as usize * stride, link.slot as usize * stride);
        for at in 0..stride {
            products.masks[to + at] |= products.masks[from + at];
        }
    }

    /// Answers what is left by single queries.
    fn answer(&mut self, position: u32, slot: u32, stride: usize) {
        let state = self.contexts[self.products.slots[slot as usize].context as usize].clone();
        let words = self.network.words_at(position);
        for (at, &word) in (0u32..).zip(words) {
            let mask = self.products.masks[slot as usize * stride + at as usize / 64];
            if mask & (1 << (at % 64)) != 0 {
                let (next, log_prob) = self.language.advance(&state, word);
                self.take(position, at, &RowHit { at, next, log_prob });
            }
        }
    }

    /// Records a hit and the product states it leads to.
    fn take(&mut self, position: u32, word: u32, hit: &RowHit<L::State>) {
        let impossible = hit.log_prob.is_zero();
        let targets = self.products.targets.len() as u32;
        if !(impossible && self.zero_kills) {
            for arc in self.network.arcs_of(position, word) {
                let target = self.product(self.network.arcs[arc].to, &hit.next);
                self.products.targets.push(target);
            }
        }
        self.products.hits.push(Hit {
            log_prob: if impossible { 0.0 } else { hit.log_prob.ln() },
            word,
            targets: if impossible && self.zero_kills {
                NONE
            } else {
                targets
            },
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
        self.contexts.links.clear();
        self.contexts.index.clear();
        self.levels.iter_mut().for_each(Vec::clear);
        self.rows = 0;
    }

    /// Gives a context a slot at a position; false if it has one.
    #[inline]
    fn open_slot(&mut self, context: u32, position: u32, stride: usize) -> bool {
        let link = &mut self.contexts.links[context as usize];
        if link.position == position {
            return false;
        }
        link.position = position;
        link.slot = self.slots.len() as u32;
        let depth = link.depth as usize;
        if self.levels.len() <= depth {
            self.levels.resize_with(depth + 1, Vec::new);
        }
        self.levels[depth].push(link.slot);
        self.masks.resize(self.masks.len() + stride, 0);
        self.slots.push(Slot {
            context,
            product: NONE,
            record: NONE,
        });
        true
    }

    /// The words of a mask and their places in the row.
    #[inline]
    fn gather(&mut self, words: &[WordId], mask: usize, stride: usize) {
        self.ask.clear();
        self.ask_at.clear();
        for (block, words) in (0u32..).zip(words.chunks(64)) {
            let mut bits = self.masks[mask + block as usize];
            if words.len() < 64 {
                bits &= (1 << words.len()) - 1;
            }
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                self.ask.push(words[bit as usize]);
                self.ask_at.push(block * 64 + bit);
            }
        }
        debug_assert!(stride == words.len().div_ceil(64));
    }

    /// Turns slots into record numbers once a position is asked.
    fn close_slots(&mut self, first: u32) {
        for number in first as usize..self.records.len() {
            let slot = self.records[number].shorter;
            let shorter = self
                .slots
                .get(slot as usize)
                .map_or(NONE, |slot| slot.record);
            // Shorter contexts are asked later; anything else is a row that contradicts itself.
            let sound = shorter != NONE && shorter as usize > number;
            self.records[number].shorter = if sound { shorter } else { NONE };
        }
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
