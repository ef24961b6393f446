//! Training: from text and pairs of sentences to a model file.

pub mod casing;
pub mod corpora;
pub mod evidence;
pub mod filter;
pub mod judgement;
mod params;
pub mod pool;
pub mod reliability;
mod report;
mod row;
mod run;
pub mod similarity;
pub mod sources;
pub mod text;
pub mod weights;

pub use params::TrainParams;
pub use report::Report;
pub use run::{Sources, train};
