//! Decoding: from a sentence and its replacements to the best distinct paraphrases.
//!
//! | room | what |
//! |---|---|
//! | [`Plan`] | replacement models → [`Lattice`](pgen_core::Lattice) |
//! | [`LogLinear`] | weights and language model |
//! | [`Decoder`], [`Request`] | the seam, and what is asked |
//! | [`Exact`] | distinct n-best in the order of the true score, with a certificate |
//! | [`Beam`] | beam search over derivations, to be compared with |
//! | [`TrueScore`], [`WhyNot`] | the true score of a given text |
//! | [`rerank`], [`judge`] | what a decoder's list is worth; rank correlations, agreement, intervals |
//! | [`applications`] | usability of compression, simplification, similarity |
//! | [`testing`] | references to test decoders against |

pub mod applications;
mod beam;
mod chart;
mod decoder;
mod error;
mod exact;
pub mod judge;
mod loglinear;
mod order;
mod params;
mod plan;
pub mod rerank;
pub mod testing;
mod true_score;

pub use beam::Beam;
pub use decoder::{Decoder, decode_batch};
pub use error::{Error, Result};
pub use exact::Exact;
pub use loglinear::LogLinear;
pub use params::Request;
pub use plan::{Identity, Plan, PlanReport, Planned};
pub use true_score::{TrueScore, WhyNot};
