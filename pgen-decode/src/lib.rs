//! Decoding: from a sentence and its replacements to the best distinct paraphrases.
//!
//! | room | what |
//! |---|---|
//! | [`Plan`] | replacement models → [`Lattice`](pgen_core::Lattice) |
//! | [`LogLinear`] | weights and language model |
//! | [`Decoder`], [`Request`] | the seam, and what is asked |
//! | [`Exact`] | distinct n-best in the order of the true score, with a certificate |
//! | [`Beam`] | beam search over derivations, to be compared with |
//! | [`MonteCarlo`], [`SentenceScore`] | generation by sampling, for scores of whole sentences |
//! | [`TrueScore`], [`WhyNot`] | the true score of a given text |
//! | [`judge`] | rank correlation, agreement, intervals |
//! | [`applications`] | usability of compression, simplification, similarity |
//! | [`RerankStudy`] | what lists of other decoders look like under the true score |
//! | [`tune`] | weights by minimum error rate training on replacements |
//! | [`testing`] | references to test decoders against |

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

pub mod applications;
mod beam;
mod chart;
mod decoder;
mod error;
mod exact;
mod grace;
pub mod judge;
mod loglinear;
mod monte_carlo;
mod order;
mod params;
mod plan;
pub mod rerank;
pub mod testing;
mod true_score;
pub mod tune;

pub use beam::Beam;
pub use decoder::{Decoder, decode_batch};
pub use error::{Error, Result};
pub use exact::Exact;
pub use loglinear::LogLinear;
pub use monte_carlo::{Found, Mode, MonteCarlo, SentenceScore};
pub use params::Request;
pub use plan::{Identity, Plan, PlanReport, Planned};
pub use rerank::{Kendall, LENGTHS, Moments, RerankStudy, kendall, rerank};
pub use true_score::{TrueScore, WhyNot};
