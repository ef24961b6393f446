//! N-gram language models for pgen: estimation, ARPA, automaton queries.

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

mod arpa;
mod bits;
mod bounds;
mod clusters;
mod compact;
mod count;
mod entropy;
mod error;
mod estimate;
mod fast;
mod model;
mod ngrams;
mod params;
mod perplexity;
mod prune;
mod smoothing;
mod store;
mod truecase;

pub use arpa::{
    ArpaOptions, ArpaReport, ArpaWarning, read_arpa, read_arpa_input, read_arpa_lines, write_arpa,
};
pub use clusters::{ClassReplacements, ClusterParams, ClusterTrainer, Clustering};
pub use compact::{CompactCursor, CompactModel, Precision};
pub use error::{Error, Result};
pub use estimate::{EstimateReport, Estimator};
pub use fast::{FastModel, State};
pub use model::{Layout, NgramModel};
pub use ngrams::{History, Ngrams};
pub use params::{EstimateParams, Smoothing};
pub use perplexity::Perplexity;
pub use truecase::{TruecaseTrainer, Truecased, Truecaser};
