//! Tags and dependencies for raw English, so that patterns, collocations and syntactic alignment serve
//! users who have no tagger and parser at hand (feature `annotate`). Annotation from other tools comes
//! in as CoNLL-U ([`pgen_core::formats::conll`]).
//!
//! - **Tagger**: averaged perceptron from left to right over words, affixes, shapes, word classes and
//!   known tags (Collins 2002), the sum of several.
//! - **Parser**: arc-hybrid transitions, beam search, structured perceptron with maximum-violation
//!   updates (Huang, Fayong & Guo 2012), features after Zhang & Nivre 2011; trained on tags of taggers
//!   that did not see the sentence. Relations are chosen as arcs are made, by a perceptron of its own.
//! - **Word classes** from plain text by the exchange algorithm, optional ([`ClassLearner`]).
//!
//! Models are trained by [`AnnotatorParams`] or `pgen annotate train`; none is part of this crate, as
//! treebanks have licences of their own (`models/annotate/build.sh` makes one from the English Web
//! Treebank, CC BY-SA 4.0). Analysis is linear in the number of words.
//!
//! ```
//! use pgen::core::{Limits, Lines, Stop, formats::conll::read_conll};
//! use pgen::annotate::{AnnotatorParams, WordClasses};
//!
//! let limits = Limits::default();
//! let trees = "1\tDogs\t_\t_\tNNS\t_\t2\tnsubj\n2\trun\t_\t_\tVBP\t_\t0\troot\n\n".repeat(4);
//! let mut lines = Lines::from_text(&trees, &limits)?;
//! let mut corpus = Vec::new();
//! while let Some(sentence) = read_conll(&mut lines, &limits)? {
//!     corpus.push(sentence);
//! }
//! let params = AnnotatorParams::default().check()?;
//! let (annotator, report) = params.fit(&corpus, WordClasses::default(), &(), &Stop::never())?;
//! let found = annotator.analyse(&["Dogs", "run"])?;
//! assert_eq!(found.tags, ["NNS", "VBP"]);
//! assert_eq!(found.dependencies.head(0), Some(1));
//! assert_eq!(report.sentences, 4);
//! # Ok::<(), pgen::core::Error>(())
//! ```

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
mod presence;
mod scratch;
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
