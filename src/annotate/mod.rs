//! Tags and dependencies for raw English.

mod annotator;
mod classes;
mod cluster;
mod evaluate;
mod example;
mod feature;
mod look;
mod names;
mod params;
mod parser;
mod perceptron;
mod pieces;
mod store;
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
pub use evaluate::AnnotationScore;
pub use example::FitReport;
pub use params::{AnnotatorParams, CheckedAnnotatorParams};
