//! pgen: statistical paraphrase generation.

#[cfg(feature = "annotate")]
pub mod annotate;
pub mod article;
mod error;
pub mod train;

pub use error::{Error, Result};
pub use pgen_align as align;
pub use pgen_core as core;
pub use pgen_decode as decode;
pub use pgen_fsa as fsa;
pub use pgen_lm as lm;
