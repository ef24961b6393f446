//! N-gram language models for pgen: estimation, ARPA, automaton queries.

mod arpa;
mod bounds;
mod error;
mod fast;
mod ngrams;

pub use arpa::{ArpaOptions, ArpaReport, ArpaWarning, read_arpa, read_arpa_lines, write_arpa};
pub use error::{Error, Result};
pub use fast::{FastModel, State};
pub use ngrams::{History, Ngrams};
