//! N-gram language models for pgen: estimation, ARPA, automaton queries.

mod arpa;
mod bounds;
mod count;
mod error;
mod estimate;
mod fast;
mod ngrams;
mod params;
mod prune;
mod smoothing;

pub use arpa::{ArpaOptions, ArpaReport, ArpaWarning, read_arpa, read_arpa_lines, write_arpa};
pub use error::{Error, Result};
pub use estimate::{EstimateReport, Estimator};
pub use fast::{FastModel, State};
pub use ngrams::{History, Ngrams};
pub use params::{EstimateParams, Smoothing};
