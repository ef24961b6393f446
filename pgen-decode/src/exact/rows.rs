//! What a position asks the language model: one row for each context, and for what a context does not
//! list, the row of its shorter context.
//!
//! Two passes. Shortest contexts first, the model is asked; where it is nested, a longer context is asked
//! only for words that its shorter one lists, which are few. Longest first, every word that is wanted is
//! taken from the longest context that lists it.

use super::network::NONE;
use super::product::{Forward, Halt, Record};
use pgen_core::{LanguageModel, RowHit, Ticker, WordId};

/// A context at the position in work.
#[derive(Clone, Copy, Debug)]
struct Slot {
    context: u32,
    product: u32,
    record: u32,
    /// Where what it lists lies in `Forward::listed`.
    listed: (u32, u32),
    /// Where the words to ask lie.
    ask: (u32, u32),
    /// True if it was asked and has no shorter context for what it does not list.
    alone: bool,
}

/// Scratch of one position. Masks have one bit for each next word; those of a slot lie at its number.
#[derive(Debug, Default)]
pub(super) struct Asking {
    slots: Vec<Slot>,
    /// Slots by depth.
    levels: Vec<Vec<u32>>,
    /// Words that a slot lists.
    listed: Vec<u64>,
    /// Words wanted from a slot: all if it is a product state, else what longer ones do not list.
    wanted: Vec<u64>,
    words: Vec<WordId>,
    places: Vec<u32>,
}

impl<L: LanguageModel> Forward<'_, L> {
    /// Asks all that can follow at a position.
    pub(super) fn ask(&mut self, position: u32, ticker: &mut Ticker<'_>) -> Result<(), Halt> {
        let first = self.products.records.len();
        self.open_slots(position);
        for level in 0..self.products.asking.levels.len() {
            self.ask_level(position, level, ticker)?;
        }
        for level in (0..self.products.asking.levels.len()).rev() {
            let slots = std::mem::take(&mut self.products.asking.levels[level]);
            for &slot in &slots {
                self.take_all(position, slot);
            }
            self.products.asking.levels[level] = slots;
            self.products.asking.levels[level].clear();
        }
        self.close_slots(first);
        Ok(())
    }

    /// A slot for each context that stands at a position or answers for one that does.
    fn open_slots(&mut self, position: u32) {
        let stride = self.network.words_at(position).len().div_ceil(64);
        let products = &mut *self.products;
        products.asking.clear();
        self.listed.clear();
        self.some.clear();
        let mut product = products.first_at(position);
        while product != NONE {
            self.some.push(self.states[product as usize].clone());
            products.asking.open(NONE, product);
            product = products.next_at(product);
        }
        self.language.prefetch(&self.some, &[]);
        let fresh = self.contexts.len();
        for (slot, state) in products.asking.slots.iter_mut().zip(&self.some) {
            slot.context = products.contexts.number(&mut self.contexts, state);
        }
        let (contexts, some) = (&mut self.contexts, &mut self.some);
        products.contexts.link(self.language, contexts, fresh, some);
        let asking = &mut products.asking;
        for slot in 0..asking.slots.len() {
            let link = &mut products.contexts.links[asking.slots[slot].context as usize];
            (link.position, link.slot) = (position, slot as u32);
            asking.place(link.depth, slot as u32);
        }
        for slot in 0..asking.slots.len() {
            let mut context = asking.slots[slot].context;
            loop {
                context = products.contexts.links[context as usize].shorter;
                let Some(link) = products.contexts.links.get_mut(context as usize) else {
                    break;
                };
                if link.position == position {
                    break;
                }
                (link.position, link.slot) = (position, asking.slots.len() as u32);
                asking.place(link.depth, link.slot);
                asking.open(context, NONE);
            }
        }
        asking.listed.resize(asking.slots.len() * stride, 0);
        asking.wanted.resize(asking.slots.len() * stride, 0);
    }

    /// Asks the contexts of one depth; those of less depth have been asked.
    fn ask_level(
        &mut self,
        position: u32,
        level: usize,
        ticker: &mut Ticker<'_>,
    ) -> Result<(), Halt> {
        let words = self.network.words_at(position);
        let nested = self.language.is_nested();
        let products = &mut *self.products;
        let asking = &mut products.asking;
        asking.words.clear();
        asking.places.clear();
        for at in 0..asking.levels[level].len() {
            let slot = asking.levels[level][at];
            let context = asking.slots[slot as usize].context;
            let shorter = products.contexts.links[context as usize].shorter;
            let shorter = products.contexts.links.get(shorter as usize);
            let start = asking.words.len();
            asking.gather(words, shorter.filter(|_| nested).map(|link| link.slot));
            asking.slots[slot as usize].ask = (start as u32, asking.words.len() as u32);
            if asking.words.len() > start {
                let state = std::slice::from_ref(&self.contexts[context as usize]);
                self.language.prefetch(state, &asking.words[start..]);
            }
        }
        let slots = std::mem::take(&mut asking.levels[level]);
        for &slot in &slots {
            ticker.tick().map_err(|_| Halt::Stop)?;
            self.ask_slot(slot, words.len().div_ceil(64));
        }
        self.products.asking.levels[level] = slots;
        Ok(())
    }

    /// Asks one context and notes what it lists.
    #[inline]
    fn ask_slot(&mut self, slot: u32, stride: usize) {
        let products = &mut *self.products;
        let asking = &mut products.asking;
        let Slot { context, ask, .. } = asking.slots[slot as usize];
        let start = self.listed.len();
        if ask.0 < ask.1 {
            products.rows += 1;
            let words = &asking.words[ask.0 as usize..ask.1 as usize];
            let state = &self.contexts[context as usize];
            let shorter = self.language.row(state, words, &mut self.listed);
            let links = &products.contexts.links;
            asking.slots[slot as usize].alone =
                shorter.is_some() && links[context as usize].shorter == NONE;
        }
        let places = &asking.places[ask.0 as usize..ask.1 as usize];
        let listed = &mut asking.listed[slot as usize * stride..(slot as usize + 1) * stride];
        for hit in &mut self.listed[start..] {
            // A model that lies about places is not followed.
            let place = places.get(hit.at as usize).or(places.first());
            hit.at = place.copied().unwrap_or(0);
            listed[hit.at as usize / 64] |= 1 << (hit.at % 64);
        }
        asking.slots[slot as usize].listed = (start as u32, self.listed.len() as u32);
    }

    /// Records what is wanted of a context and listed by it, and wants the rest of the shorter one.
    #[inline]
    fn take_all(&mut self, position: u32, slot: u32) {
        let words = self.network.words_at(position).len();
        let stride = words.div_ceil(64);
        let mask = slot as usize * stride;
        let products = &mut *self.products;
        let here = &mut products.asking.slots[slot as usize];
        here.record = products.records.len() as u32;
        let Slot {
            product, listed, ..
        } = *here;
        if let Some(record) = products.record.get_mut(product as usize) {
            *record = here.record;
            products.asking.want_all(mask, words);
        }
        products.records.push(Record {
            shorter: NONE,
            backoff: 0.0,
            hits: products.hits.len() as u32,
            product,
        });
        self.leave(slot, stride);
        for at in listed.0 as usize..listed.1 as usize {
            let hit = self.listed[at].clone();
            let wanted = self.products.asking.wanted[mask + hit.at as usize / 64];
            if wanted & (1 << (hit.at % 64)) != 0 {
                self.take(position, &hit);
            }
        }
        if self.products.asking.slots[slot as usize].alone {
            self.answer(position, slot, stride);
        }
    }

    /// Leaves what is wanted and not listed to the shorter context.
    #[inline]
    fn leave(&mut self, slot: u32, stride: usize) {
        let products = &mut *self.products;
        let asking = &mut products.asking;
        let link = products.contexts.links[asking.slots[slot as usize].context as usize];
        let Some(shorter) = products.contexts.links.get(link.shorter as usize) else {
            return;
        };
        if link.weight.is_zero() && self.zero_kills {
            return; // What is left is impossible.
        }
        if let Some(record) = products.records.last_mut() {
            // Slot numbers until the whole position is asked.
            record.shorter = shorter.slot;
            record.backoff = if link.weight.is_zero() {
                0.0
            } else {
                link.weight.ln()
            };
        }
        let (from, to) = (slot as usize * stride, shorter.slot as usize * stride);
        for at in 0..stride {
            let left = asking.wanted[from + at] & !asking.listed[from + at];
            asking.wanted[to + at] |= left;
        }
    }

    /// Answers by single queries what is wanted of a context whose row leaves words to a shorter context
    /// that it does not tell when it is asked for nothing.
    fn answer(&mut self, position: u32, slot: u32, stride: usize) {
        let context = self.products.asking.slots[slot as usize].context;
        let words = self.network.words_at(position);
        for (at, &word) in (0u32..).zip(words) {
            let asking = &self.products.asking;
            let mask = slot as usize * stride + at as usize / 64;
            let left = asking.wanted[mask] & !asking.listed[mask];
            if left & (1 << (at % 64)) != 0 {
                let (next, log_prob) = self
                    .language
                    .advance(&self.contexts[context as usize], word);
                self.take(position, &RowHit { at, next, log_prob });
            }
        }
    }

    /// Turns slots into record numbers once a position is asked.
    fn close_slots(&mut self, first: usize) {
        let products = &mut *self.products;
        for number in first..products.records.len() {
            let slot = products.records[number].shorter as usize;
            let shorter = products.asking.slots.get(slot);
            let shorter = shorter.map_or(NONE, |slot| slot.record);
            // Shorter contexts are asked later; anything else is a row that contradicts itself.
            let sound = shorter != NONE && shorter as usize > number;
            products.records[number].shorter = if sound { shorter } else { NONE };
        }
    }
}

impl Asking {
    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.listed.clear();
        self.wanted.clear();
        self.levels.iter_mut().for_each(Vec::clear);
    }

    fn open(&mut self, context: u32, product: u32) {
        self.slots.push(Slot {
            context,
            product,
            record: NONE,
            listed: (0, 0),
            ask: (0, 0),
            alone: false,
        });
    }

    fn place(&mut self, depth: u32, slot: u32) {
        let depth = depth as usize;
        if self.levels.len() <= depth {
            self.levels.resize_with(depth + 1, Vec::new);
        }
        self.levels[depth].push(slot);
    }

    fn want_all(&mut self, mask: usize, words: usize) {
        for (block, mask) in self.wanted[mask..]
            .iter_mut()
            .take(words.div_ceil(64))
            .enumerate()
        {
            *mask = block_of(words, block);
        }
    }

    /// Appends the words to ask: what the shorter context lists, or all.
    #[inline]
    fn gather(&mut self, words: &[WordId], shorter: Option<u32>) {
        let stride = words.len().div_ceil(64);
        for block in 0..stride {
            let mut bits = match shorter {
                Some(slot) => self.listed[slot as usize * stride + block],
                None => block_of(words.len(), block),
            };
            while bits != 0 {
                let at = block as u32 * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                self.words.push(words[at as usize]);
                self.places.push(at);
            }
        }
    }
}

/// The bits of a block of 64 words out of so many.
#[inline]
fn block_of(words: usize, block: usize) -> u64 {
    match words - block * 64 {
        rest @ 0..64 => (1 << rest) - 1,
        _ => u64::MAX,
    }
}
