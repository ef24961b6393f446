//! Automata of paraphrases for pgen: forests, multiple alignment, measures.

mod build;
mod error;
mod forest;
mod fsa;
mod graph;
mod keyword;
mod order;
mod params;
mod reach;
mod squeeze;
mod symbols;

pub use build::FsaBuilder;
pub use error::{Error, Result};
pub use forest::{Forest, Synonyms};
pub use fsa::{Fsa, StateId, Transition};
pub use params::{Boundary, MergeParams, MsaParams, Version};
pub use squeeze::SqueezeReport;
pub use symbols::{Label, Symbols};
