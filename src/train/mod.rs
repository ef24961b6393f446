//! Training: from text and pairs of sentences to a model file.

pub mod casing;
pub mod evidence;
pub mod filter;
pub mod sources;
