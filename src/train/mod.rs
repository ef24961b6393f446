//! Training: from text and pairs of sentences to a model file.

pub mod casing;
pub mod corpora;
pub mod evidence;
pub mod filter;
mod params;
pub mod pool;
mod report;
mod run;
pub mod sources;
pub mod text;
pub mod weights;
mod words;

pub use params::TrainParams;
pub use report::Report;
pub use run::{Sources, train};
