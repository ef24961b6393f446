//! Tags and dependencies for raw English.

mod annotator;
mod classes;
mod cluster;
mod corpus;
mod feature;
mod look;
mod params;
mod parser;
mod perceptron;
mod pieces;
mod tagger;
mod train;
mod train_parser;
mod train_tagger;
mod transition;
mod view;
mod weights;

pub use annotator::{Analysis, Annotator};
pub use classes::WordClasses;
pub use cluster::ClassLearner;
pub use corpus::Gold;
pub use params::{AnnotatorParams, CheckedAnnotatorParams};
pub use train::FitReport;

/// Reads.
pub fn read_gold(path: &std::path::Path) -> pgen_core::Result<Vec<Gold>> {
    let limits = pgen_core::Limits::default();
    corpus::read(pgen_core::Lines::open(path, &limits)?, &limits)
}
