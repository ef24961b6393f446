//! Training: from text and pairs of sentences to a model file.

pub mod casing;
pub mod corpora;
pub mod evidence;
pub mod filter;
mod params;
pub mod pool;
pub mod sources;

pub use params::TrainParams;
