//! Quirk, Brockett and Dolan's evaluation (2004, §4): baselines that replace word by word, blind selection
//! of test pairs, tables from judgements, automatic proxies; and an automatic evaluation of anybody's paraphrases.
//!
//! | baseline | how |
//! |---|---|
//! | WN | [`Synonyms::replace_words`]: some words, each by an arbitrary member of its first synset |
//! | WN + LM | [`Synonyms`] as a replacement model: all members, the language model decides |
//! | CL | [`lm::ClassReplacements`](pgen_lm::ClassReplacements): members of the word's class, the language model decides |
//! | PR | [`Paraphraser`](crate::Paraphraser) with a trained table |
//! | MSA | [`fsa`](pgen_fsa), multiple-sequence alignment |
//!
//! A model replaces the tables of a bundle thus:
//! `bundle.tables.clear(); Paraphraser::new(bundle).with_replacements("wn", synonyms)`.

mod automatic;
mod broken;
mod judgements;
mod proxies;
mod selection;
mod synonyms;
mod units;

pub use automatic::{Automatic, AutomaticReport, Language};
pub use broken::Broken;
pub use judgements::{Cell, Judgement, Tabulation};
pub use proxies::Proxies;
pub use selection::{Selected, Selection};
pub use synonyms::Synonyms;
