//! The fast layout: every state is a small table of next words, in one array.

mod ahead;
mod batch;
mod build;
mod layers;
mod query;

pub(crate) use build::{bits, round};

/// What a model remembers: the longest context that can still matter, as one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct State(pub(crate) u32);

impl State {
    /// The number; states of one model are equal if their numbers are.
    #[must_use]
    pub const fn raw(self) -> u32 {
        self.0
    }
}

/// A back-off model as an automaton, made for speed.
///
/// One array of u32 holds all states; a state is the offset of its table:
///
/// | words | content |
/// |---|---|
/// | 1 | the suffix state: the longest shorter context that can still matter |
/// | 1 | ln of the back-off weight to it (f32) |
/// | 1 | number of next words n; with the top bit set, number of slots of a hash table |
/// | n, 2n | n ≤ 8: the next words, ascending, then (ln P as f32, next state) for each |
/// | 3·slots | n > 8: open addressing, a slot is (word, ln P, next state) |
///
/// One look at a state answers with probability and next state together; on a miss the suffix state is
/// asked, its weight added. A word costs 8 bytes, an n-gram 12 and a state 12. Scores are sums of f32
/// values in f64, exact in every order of addition (values are multiples of 2⁻⁴⁰).
#[derive(Clone, Debug)]
pub struct FastModel {
    /// Tables of all states but the empty one, which is 0.
    pub(crate) arena: Vec<u32>,
    /// (ln P, next state) of each word of the vocabulary.
    pub(crate) unigrams: Vec<(f32, u32)>,
    /// Which word each word is scored as; empty if looking at `unigrams` suffices.
    pub(crate) canonical: Vec<u32>,
    /// Unigrams of the model.
    pub(crate) known: Vec<u64>,
    pub(crate) counts: Vec<u64>,
    pub(crate) start: u32,
    /// The largest ln P of each word after any context.
    pub(crate) bounds: Vec<f32>,
    pub(crate) after: After,
}

/// Bounds of words after a previous word, a byte a bigram.
#[derive(Clone, Debug, Default)]
pub(crate) struct After {
    /// By previous word, for words that it does not list: the most that backing off adds to the unigram.
    unlisted: Vec<f32>,
    /// By previous word: where its table's bytes begin.
    starts: Vec<u32>,
    /// By place in a state's table: code of the excess over the bigram.
    codes: Vec<u8>,
}

/// Words before the tables of next words.
pub(crate) const HEADER: usize = 3;
/// States with more next words are hash tables.
pub(crate) const LINEAR: usize = 8;
/// Marks hash tables in the third word.
pub(crate) const HASHED: u32 = 1 << 31;
/// A free slot.
pub(crate) const FREE: u32 = u32::MAX;

/// The slot at which the search for a word begins.
#[inline]
pub(crate) fn slot(word: u32, slots: u32) -> u32 {
    let mixed = u64::from(word.wrapping_mul(0x9E37_79B1));
    ((mixed * u64::from(slots)) >> 32) as u32
}
