//! The forward pass: finds all product states and asks each for its row of next words.
//!
//! A wave asks all product states that no wave has asked. With a nested model the first wave is the empty
//! context at every position, the second all contexts of one word, and so on: as many waves as the order
//! of the model, in each of which no question waits for another. A context is asked only for the words that
//! its shorter one lists, which are few.

use super::network::{NONE, Network};
use super::product::{Hit, Products};
use crate::params::room;
use pgen_core::{LanguageModel, Limits, LogProb, RowHit, Stop, WordId};
use std::ops::Range;

/// Nodes of a wave whose reads are announced together.
const BLOCK: usize = 16;

/// Scratch: what the nodes of a block are asked.
#[derive(Debug, Default)]
pub(super) struct Asking {
    asks: Vec<Ask>,
    /// Words of nodes that are not asked all next words.
    words: Vec<WordId>,
    targets: Vec<u32>,
}

/// What a node is asked.
#[derive(Clone, Copy, Debug)]
struct Ask {
    /// Where its words lie in `words`; all next words if that is `NONE`.
    start: u32,
    end: u32,
    /// The first hit of its shorter context, if each word asked is one of that context's hits, in order.
    base: u32,
}

/// All next words, and nothing is known of them.
const ALL: Ask = Ask {
    start: NONE,
    end: NONE,
    base: NONE,
};

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
    /// How many bytes states and rows may take.
    pub(super) room: usize,
    nested: bool,
    /// True if a word of probability 0 is out of the question (weight not 0).
    zero_kills: bool,
}

impl<'a, L: LanguageModel> Forward<'a, L> {
    pub(super) fn new(
        network: &'a Network,
        language: &'a L,
        (products, asking): (&'a mut Products, &'a mut Asking),
        limits: &Limits,
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
            limit: limits.states,
            room: room(limits),
            nested: language.is_nested(),
            zero_kills,
        }
    }

    /// Finds and asks all product states that can be reached.
    pub(super) fn run(&mut self, stop: &Stop) -> Result<(), Halt> {
        stop.check().map_err(|_| Halt::Stop)?;
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
                wave = self.pass_on(wave, stop)?;
            }
            self.ask_wave(wave.clone(), stop)?;
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
    fn pass_on(&mut self, wave: Range<usize>, stop: &Stop) -> Result<Range<usize>, Halt> {
        let network = self.network;
        let later = self.states.len() - wave.end;
        let mut from = wave.start;
        let mut ticker = stop.ticker();
        while from < self.states.len() - later {
            let position = self.products.nodes[from].position;
            for arc in network.silent_at(position) {
                let state = self.states[from].clone();
                let target = self.number(arc.to, &state);
                self.products.silent.push((from as u32, *arc, target));
            }
            from += 1;
            ticker.tick().map_err(|_| Halt::Stop)?;
            self.check_room()?;
        }
        Ok(wave.start..from)
    }

    /// An error if there are too many states, or what is known of them takes too much memory.
    #[inline]
    fn check_room(&self) -> Result<(), Halt> {
        let states = self.states.len();
        let bytes = self.products.bytes() + states * size_of::<L::State>();
        if states > self.limit || bytes > self.room {
            return Err(Halt::States);
        }
        Ok(())
    }

    /// Asks a wave block by block: while one is asked, the words of the next and the states of the one
    /// after it are on their way from memory.
    fn ask_wave(&mut self, wave: Range<usize>, stop: &Stop) -> Result<(), Halt> {
        self.asking.asks.clear();
        self.asking.words.clear();
        let (mut announced, mut prepared) = (wave.start, wave.start);
        for (number, first) in wave.clone().step_by(BLOCK).enumerate() {
            let ahead = announced..(first + 3 * BLOCK).min(wave.end);
            announced = ahead.end;
            self.language.prefetch(&self.states[ahead], &[]);
            let ahead = prepared..(first + 2 * BLOCK).min(wave.end);
            prepared = ahead.end;
            for node in ahead {
                let ask = self.prepare(node as u32);
                self.asking.asks.push(ask);
            }
            if number % 4 == 0 && stop.check().is_err() {
                return Err(Halt::Stop);
            }
            for node in first..(first + BLOCK).min(wave.end) {
                self.ask(node as u32, self.asking.asks[node - wave.start]);
                if self.products.hits.len() > self.room / size_of::<Hit>() {
                    return Err(Halt::States);
                }
            }
            self.check_room()?;
        }
        Ok(())
    }

    /// Finds out what to ask a node, and announces it.
    #[inline]
    fn prepare(&mut self, node: u32) -> Ask {
        let known = self.products.nodes[node as usize];
        let words = self.network.words_at(known.position);
        if words.is_empty() {
            return ALL;
        }
        let mut ask = ALL;
        if self.nested {
            // Whoever found the node may have known its shorter context.
            let guess = known.shorter as usize;
            let same_place = (self.products.nodes.get(guess))
                .is_some_and(|guessed| guessed.position == known.position);
            let guess = self.states.get(guess).filter(|_| same_place);
            match self.language.back_off(&self.states[node as usize]) {
                None => self.products.link(node, NONE, 0.0),
                Some((shorter, weight)) => {
                    let shorter = match guess {
                        Some(guess) if *guess == shorter => known.shorter,
                        _ => self.number(known.position, &shorter),
                    };
                    self.link(node, shorter, &weight);
                    ask = self.asking.gather(self.products, shorter, words);
                }
            }
        }
        let state = std::slice::from_ref(&self.states[node as usize]);
        let asked = self.asking.words_of(ask, words);
        if !asked.is_empty() {
            self.language.prefetch(state, asked);
        }
        ask
    }

    /// Leaves what a node does not list to a shorter context.
    #[inline]
    fn link(&mut self, node: u32, shorter: u32, weight: &LogProb) {
        if !weight.is_zero() {
            self.products.link(node, shorter, weight.ln());
        } else if self.zero_kills {
            self.products.link(node, NONE, 0.0);
        } else {
            self.products.link(node, shorter, 0.0);
        }
    }

    /// Asks a node and records what it lists.
    #[inline]
    fn ask(&mut self, node: u32, ask: Ask) {
        let here = &mut self.products.nodes[node as usize];
        let first = self.products.hits.len() as u32;
        (here.hits, here.asked) = ((first, first), true);
        let position = here.position;
        let words = self.network.words_at(position);
        let asked = self.asking.words_of(ask, words);
        if asked.is_empty() {
            return;
        }
        let most = asked.len() as u32 - 1;
        self.products.rows += 1;
        let mut hits = std::mem::take(&mut self.hits);
        hits.clear();
        let shorter = self
            .language
            .row(&self.states[node as usize], asked, &mut hits);
        if let Some((shorter, weight)) = shorter
            && (!self.nested || ask.base == NONE)
        {
            let shorter = self.number(position, &shorter);
            self.link(node, shorter, &weight);
        }
        let (mut ascends, mut last) = (true, None);
        for hit in &hits {
            // A model that lies about places is not followed.
            let at = hit.at.min(most);
            ascends &= last < Some(at);
            last = Some(at);
            self.take(position, at, ask.base, hit);
        }
        let end = self.products.hits.len() as u32;
        let here = &mut self.products.nodes[node as usize];
        (here.hits, here.asked) = ((first, end), ascends);
        self.hits = hits;
    }

    /// Records a word that a context lists, and the nodes it leads to. The shorter contexts of those are
    /// where the shorter context's hit leads.
    #[inline]
    fn take(&mut self, position: u32, at: u32, base: u32, hit: &RowHit<L::State>) {
        let above = match base {
            NONE => None,
            base => self.products.hits.get((base + at) as usize).copied(),
        };
        let place = above.map_or(at, |above| above.word);
        let arcs = self.network.arcs_of(position, place);
        let word = (place, arcs.start as u32);
        let impossible = hit.log_prob.is_zero();
        let log_prob = if impossible { 0.0 } else { hit.log_prob.ln() };
        if impossible && self.zero_kills {
            self.products.hit(word, log_prob, &[]);
        } else if arcs.len() == 1 {
            // What is impossible in the shorter context leads nowhere.
            let shorter = above.filter(|above| above.arcs == 1);
            let shorter = shorter.map_or(NONE, |above| above.target);
            let target = self.reach(arcs.start, &hit.next, shorter);
            self.products.hit(word, log_prob, &[target]);
        } else {
            self.asking.targets.clear();
            for (number, arc) in arcs.clone().enumerate() {
                let shorter = above.map_or(NONE, |above| {
                    let targets = self.products.targets_of(&above);
                    targets.get(number).copied().unwrap_or(NONE)
                });
                let target = self.reach(arc, &hit.next, shorter);
                self.asking.targets.push(target);
            }
            self.products.hit(word, log_prob, &self.asking.targets);
        }
    }

    /// The node behind an arc; a new one may have this shorter context.
    #[inline]
    fn reach(&mut self, arc: usize, state: &L::State, shorter: u32) -> u32 {
        let known = self.states.len();
        let node = self.number(self.network.arcs[arc].to, state);
        if node as usize == known {
            self.products.nodes[known].shorter = shorter;
        }
        node
    }
}

impl Asking {
    /// The words that a shorter context lists, or all if it was not asked yet.
    #[inline]
    fn gather(&mut self, products: &Products, shorter: u32, words: &[WordId]) -> Ask {
        if !products.nodes[shorter as usize].asked {
            return ALL;
        }
        let listed = products.hits_of(shorter);
        let (base, _) = products.nodes[shorter as usize].hits;
        if listed.len() == words.len() {
            return Ask { base, ..ALL };
        }
        let start = self.words.len() as u32;
        let listed = listed.iter().map(|hit| words[hit.word as usize]);
        self.words.extend(listed);
        Ask {
            start,
            end: self.words.len() as u32,
            base,
        }
    }

    #[inline]
    fn words_of<'a>(&'a self, ask: Ask, all: &'a [WordId]) -> &'a [WordId] {
        match ask.start {
            NONE => all,
            start => &self.words[start as usize..ask.end as usize],
        }
    }
}
