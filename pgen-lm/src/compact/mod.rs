//! The compact layout: sorted trie arrays in as few bits as they need.

mod bits;
mod build;
mod codes;
mod layers;
mod query;
mod store;

use bits::{Degrees, Packed};
use codes::Codes;

/// How exactly numbers are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Precision {
    /// As f32.
    #[default]
    Exact,
    /// As one of 2ⁿ values for each order and kind, n from 2 to 16; 8 costs little perplexity.
    Bits(u8),
}

/// A back-off model in little memory: a trie of n-grams by their words, in bits.
///
/// - The last word of an n-gram (a b c) of order 3 or more is stored as its place among the words that
///   follow (b), which are fewer than the vocabulary (Pibiri and Venturini 2017). A look-up therefore goes
///   from the shortest context to the longest, and stops at the first that lacks the word.
/// - Numbers of children are unary, one bit an n-gram and one a child.
/// - Probabilities and back-off weights are codes of 2 to 16 bits, or exact.
///
/// Scores equal those of [`FastModel`](crate::FastModel) made from the same numbers, to the last bit. A
/// state is the number of the context's node; the contexts of its ends are found from it, so single steps
/// cost more than whole sentences ([`CompactModel::cursor`]).
#[derive(Clone, Debug)]
pub struct CompactModel {
    pub(crate) levels: Vec<BitLevel>,
    pub(crate) listed: Vec<u64>,
    vocabulary: usize,
    bounds: Vec<f32>,
    /// Nodes before each level; 0 is the empty state, so they count from 1.
    offsets: Vec<u32>,
    /// The node of `<s>`, if it is a context.
    starts: bool,
}

/// N-grams of one order.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitLevel {
    /// Order 1: empty (a node is a word); 2: last words; from 3: places among the suffix context's words.
    keys: Packed,
    log_probs: Codes,
    /// Empty at the highest order.
    backoffs: Codes,
    children: Degrees,
    length: usize,
}

/// A chain of contexts: for each length the node, from the shortest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CompactCursor {
    nodes: [u32; 8],
    length: u8,
}
