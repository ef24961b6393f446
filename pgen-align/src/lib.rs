//! Word alignment, phrase extraction and pivoting for pgen.
//!
//! | room | what |
//! |---|---|
//! | [`Corpus`], [`PairReader`] | sentence pairs |
//! | [`Model1`], [`Model2`], [`Hmm`], [`Model34`] | aligners, each for one [`Direction`] |
//! | [`Consensus`] | the recommended aligner for pairs in one language |
//! | [`PairFinder`] | sentence pairs from comparable texts |
//! | [`WordAligner`], [`Symmetric`], [`Heuristic`] | two directions made one |
//! | [`Evaluation`] | precision, recall and alignment error rate |
//! | [`PhraseTable`], [`PhraseScore`] | phrase pairs by cepts, counted and scored |
//! | [`patterns`], [`collocations`] | rules with slots, and pairs of words in a relation |
//! | [`pivot()`] | paraphrases through another language |
//! | [`SynonymTable`] | synonyms from a thesaurus, inflected, and from lists |

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

mod agreement;
mod aligner;
mod class_tokens;
pub mod collocations;
mod comparable;
mod consensus;
mod corpus;
mod distance;
mod distortion;
mod error;
mod estimate;
mod evaluate;
mod expectation;
mod extract;
mod extract_file;
mod fertility;
mod grouping;
mod hmm;
mod join;
mod jumps;
mod lexical;
mod model1;
mod model2;
mod model34;
mod names;
mod parallel;
mod params;
pub mod patterns;
mod phrase_counts;
mod phrase_table;
mod pivot;
mod prior;
mod replacements;
mod score;
mod similarity;
mod sparse;
mod store;
mod symmetrize;
mod synonyms;
mod table;
mod trained;
mod trellis;

pub use aligner::{Symmetric, WordAligner, align_corpus};
pub use class_tokens::ClassTokens;
pub use comparable::{ComparableParams, FoundPair, PairFinder, Verdicts};
pub use consensus::Consensus;
pub use corpus::{Corpus, Direction, LoadReport, Pair, PairLine, PairReader, read_pairs};
pub use distance::Metric;
pub use distortion::WordClasses;
pub use error::{Error, Result};
pub use estimate::MemoryEstimate;
pub use evaluate::{Agreement, Evaluation, LinkCounts};
pub use extract::{ExtractParams, PhraseSpans, Unaligned, for_each_phrase_pair};
pub use extract_file::{ExtractOrder, extract_line, read_extract, spell};
pub use hmm::Hmm;
pub use lexical::lexical_table;
pub use model1::Model1;
pub use model2::Model2;
pub use model34::{BothClasses, Model34};
pub use params::{
    ConsensusParams, HmmParams, JumpUpdate, Model1Params, Model2Params, Model34Params,
};
pub use pgen_core::text::tokens;
pub use phrase_table::{PhraseRow, PhraseScores, PhraseTable, PhraseTableBuilder};
pub use pivot::{EpsilonOn, Paraphrase, PivotParams, PivotReport, Side, pivot};
pub use prior::LexiconWeight;
pub use score::PhraseScore;
pub use similarity::similarity;
pub use symmetrize::{Heuristic, symmetrize};
pub use synonyms::{Senses, SynonymTable};
pub use table::TranslationTable;
pub use trained::{Method, TrainOptions, Trained};
