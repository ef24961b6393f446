//! Statistical paraphrase generation: text in, scored paraphrases out, with the reason for every change.
//!
//! The five-minute door is [`Paraphraser`]: with the embedded English model
//! (`Paraphraser::english()`, feature `english`) or with one of your own ([`train`], [`Bundle`]).
//! Behind it stand crates that work by themselves:
//!
//! | paper | what | type | command |
//! |---|---|---|---|
//! | Quirk, Brockett & Dolan 2004 | word alignment, phrase extraction, phrase scores | [`align::WordAligner`], [`align::PhraseTable`] | `pgen align`, `extract`, `score-phrases` |
//! | | interpolated Kneser–Ney language model | [`lm::NgramModel`] | `pgen lm` |
//! | | lattice with identity edges, n-best | [`decode::Plan`], [`decode::Exact`] | `pgen paraphrase`, `decode` |
//! | | baselines, blind selection, tables from judgements | [`evaluate`] | `pgen judge` |
//! | Zhao, Lan, Liu & Li 2009 | planning by application, usability | [`decode::applications`], [`Application`] | `pgen paraphrase --application`, `plan`, `tune` |
//! | Chevelu, Putois & Lepage 2010 | pivot table | [`align::pivot`] | `pgen pivot` |
//! | | true score, Monte-Carlo generation | [`decode::TrueScore`], [`decode::MonteCarlo`] | `pgen true-score`, `paraphrase --decoder monte-carlo` |
//! | Pang, Knight & Marcu 2003 | forest, squeezing, measures | [`fsa::Fsa`] | `pgen fsa merge` |
//! | Shen, Radev, Patel & Erkan 2006 | syntactic multiple-sequence alignment | [`fsa`] | `pgen fsa msa` |
//! | – | reasons on a page, labels carried along, whole texts | [`explain`], [`Paraphrase::map_span`], [`Document`] | `pgen paraphrase --explain`, `--labels`, `--split`, `serve` |
//!
//! Nouns and seams are in [`core`]. Every seam can be swapped: implement
//! [`core::ReplacementModel`], [`core::LanguageModel`], [`core::UsabilityModel`] or [`decode::Decoder`].
//!
//! # Features
//! | feature | default | what |
//! |---|---|---|
//! | `english` | yes | the embedded English model (7 MB) |
//! | `gzip` | yes | read compressed files; models of this release need it |
//! | `parallel` | yes | threads; results do not depend on them |
//! | `annotate` | no | tags and dependencies for raw English, with a model file of its own |
//! | `serde` | no | answers, parameters and weights as data |

// Input never makes a library panic.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable
    )
)]
// Libraries never print; the caller does.
#![warn(clippy::print_stdout, clippy::print_stderr)]

#[cfg(feature = "annotate")]
pub mod annotate;
mod answer;
mod applications;
pub mod article;
mod bundle;
mod confidence;
mod diversity;
mod document;
mod edits;
#[cfg(feature = "english")]
mod english;
mod error;
pub mod evaluate;
pub mod explain;
pub mod guard;
mod kinds;
mod options;
mod paraphraser;
mod phrase;
mod register;
mod search;
mod sentence;
mod shortage;
pub mod train;
mod values;
mod words;
mod write;

pub use answer::{Answer, Paraphrase, TextEdit};
pub use bundle::{Bundle, Language};
pub use confidence::{Confidence, Evidence};
pub use diversity::{Distinct, Diversity, EditKind};
pub use document::{Document, PlacedAnswer};
pub use error::{Error, Result};
pub use options::{Application, Options, Search};
pub use paraphraser::{Paraphraser, Seams};
pub use pgen_align as align;
pub use pgen_core as core;
pub use pgen_decode as decode;
pub use pgen_decode::testing;
pub use pgen_fsa as fsa;
pub use pgen_lm as lm;
pub use register::Register;
pub use shortage::{Because, Rule, Shortage};
pub use values::Values;

/// The README's example, compiled and run.
#[cfg(all(doctest, feature = "english"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// The guide's examples, compiled.
#[cfg(all(doctest, feature = "english"))]
#[doc = include_str!("../docs/guide.md")]
struct Guide;
