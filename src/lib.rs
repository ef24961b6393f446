//! pgen: statistical paraphrase generation.

#[cfg(feature = "annotate")]
pub mod annotate;
mod answer;
mod applications;
pub mod article;
mod bundle;
#[cfg(feature = "english")]
mod english;
mod error;
pub mod guard;
mod options;
mod paraphraser;
pub mod train;

pub use answer::{Answer, Paraphrase, TextEdit};
pub use bundle::{Bundle, Language};
pub use error::{Error, Result};
pub use options::{Application, Options, Search};
pub use paraphraser::Paraphraser;
pub use pgen_align as align;
pub use pgen_core as core;
pub use pgen_decode as decode;
pub use pgen_fsa as fsa;
pub use pgen_lm as lm;
