//! Nouns and seams of pgen: what flows between its crates.
//!
//! | room | what |
//! |---|---|
//! | [`WordId`], [`Vocab`], [`Phrases`], [`Lexicon`], [`WordClasses`] | words and word sequences |
//! | [`LogProb`], [`Weight`], [`Score`], [`Count`] | numbers with a meaning |
//! | [`Sentence`], [`Span`], [`Tree`], [`Dependencies`], [`Chunks`] | a sentence and what is known of it |
//! | [`ReplacementModel`], [`LanguageModel`], [`UsabilityModel`] | the seams |
//! | [`ParaphraseTable`], [`TableBuilder`] | replacements of word sequences, in a trie |
//! | [`PatternTable`], [`CollocationTable`] | rules with slots, and pairs of words in a relation |
//! | [`Lattice`], [`LatticeBuilder`] | the word graph that every paper ends in |
//! | [`Hypothesis`], [`NBest`], [`Certificate`] | what decoders return |
//! | [`Alignment`], [`GoldAlignment`] | word alignments |
//! | [`Input`], [`Lines`], [`AtomicFile`], [`TextFile`] | files: read in checked lines, written whole or not at all |
//! | [`Limits`], [`Stop`], [`Progress`], [`SplitMix64`] | bounds, stopping, progress, chance |
//!
//! Algorithms live in `pgen-align`, `pgen-lm`, `pgen-decode` and `pgen-fsa`; users depend on `pgen`.

// Input never makes a library panic.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable
    )
)]
// Libraries never print; the caller does.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod alignment;
mod cancel;
mod chunk;
pub mod codec;
mod collocation;
mod count;
mod depend;
mod error;
pub mod formats;
mod hypothesis;
mod id;
mod input;
mod language;
mod lattice;
mod lexicon;
mod limits;
mod morphology;
mod pattern;
mod phrases;
mod place;
mod progress;
mod projection;
mod replacement;
mod rng;
mod score;
mod sentence;
mod span;
mod table;
pub mod text;
pub mod thesaurus;
mod tree;
mod usability;
mod vocab;
mod word_class;

pub use alignment::{Alignment, GoldAlignment, Link};
pub use cancel::{CancelToken, Stop, Ticker};
pub use chunk::{Chunks, TraceTag};
pub use codec::{AtomicFile, TextFile, write_atomically};
pub use collocation::{CollocationTable, check_collocation, is_relation};
pub use count::Count;
pub use depend::Dependencies;
pub use error::{Error, Place, Result, quote};
pub use hypothesis::{Certificate, Edit, Hypothesis, NBest, SearchStats};
pub use id::{EdgeId, FeatureId, NodeId, RuleId, TableId, UnitId, WordId};
pub use input::{Input, Lines};
pub use language::{LanguageModel, RowHit};
pub use lattice::Edge;
pub use lattice::{EdgeSpec, FeatureSet, Lattice, LatticeBuilder, Unit, UnitPiece, UnitSpec};
pub use lexicon::Lexicon;
pub use limits::Limits;
pub use morphology::Morphology;
pub use pattern::{MatchParams, PatternTable, Slot, SlotBound, normalize_pattern};
pub use phrases::Phrases;
pub use progress::Progress;
pub use replacement::{Part, Piece, Proposal, Replacement, ReplacementModel, Target};
pub use rng::SplitMix64;
pub use score::{LogProb, Score, Weight};
pub use sentence::{Sentence, Token, TokenKind};
pub use span::{ByteSpan, Span};
pub use table::{Duplicates, ParaphraseTable, Rule, TableBuilder, TrieNode};
pub use tree::{Constituent, Tree, TreeBuilder};
pub use usability::UsabilityModel;
pub use vocab::Vocab;
pub use word_class::WordClasses;
