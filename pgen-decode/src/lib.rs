//! Decoding: from a sentence and its replacements to the best distinct paraphrases.
//!
//! | room | what |
//! |---|---|
//! | [`Plan`] | replacement models → [`Lattice`](pgen_core::Lattice) |
//! | [`LogLinear`] | weights and language model |
//! | [`Decoder`], [`Request`] | the seam, and what is asked |
//! | [`Exact`] | distinct n-best in the order of the true score, with a certificate |
//! | [`TrueScore`], [`WhyNot`] | the true score of a given text |
//! | [`applications`] | usability of compression, simplification, similarity |
//! | [`testing`] | references to test decoders against |

pub mod applications;
mod chart;
mod decoder;
mod error;
mod loglinear;
mod order;
mod params;
mod plan;
pub mod testing;
mod true_score;

pub use decoder::{Decoder, decode_batch};
pub use error::{Error, Result};
pub use loglinear::LogLinear;
pub use params::Request;
pub use plan::{Identity, Plan, PlanReport, Planned};
pub use true_score::{TrueScore, WhyNot};

/// The exact decoder.
pub use testing::Reference as Exact;
