//! Word alignment, phrase extraction and pivoting for pgen.
//!
//! | room | what |
//! |---|---|
//! | [`Corpus`], [`PairReader`] | sentence pairs |
//! | [`Model1`], [`Hmm`] | aligners, each for one [`Direction`] |
//! | [`WordAligner`], [`Symmetric`], [`Heuristic`] | two directions made one |
//! | [`evaluate`] | precision, recall and alignment error rate |

mod aligner;
mod corpus;
mod error;
mod evaluate;
mod expectation;
mod hmm;
mod model1;
mod parallel;
mod params;
mod sparse;
mod symmetrize;
mod table;
mod trellis;

pub use aligner::{Symmetric, WordAligner, align_corpus};
pub use corpus::{Corpus, Direction, LoadReport, Pair, PairLine, PairReader, read_pairs, tokens};
pub use error::{Error, Result};
pub use evaluate::{Agreement, Evaluation, LinkCounts};
pub use hmm::Hmm;
pub use model1::Model1;
pub use params::{HmmParams, JumpUpdate, Model1Params};
pub use symmetrize::{Heuristic, symmetrize};
pub use table::TranslationTable;
