//! Groups of sentences of one meaning as automata of paraphrases.
//!
//! Two papers, one object: an acyclic finite-state acceptor ([`Fsa`]) whose paths are the sentences of a
//! group and others that they imply.
//!
//! | step | what |
//! |---|---|
//! | [`GroupReader`], [`constituents`] | groups of parsed sentences, from trees or dependencies |
//! | [`Forest`] | trees merged from the top down with the keyword check (Pang, Knight & Marcu 2003) |
//! | [`Fsa::squeeze`] | states with the same label into or out of one state merged, without cycles |
//! | [`align`] | progressive alignment with syntactic matches, V1–V5 (Shen et al. 2006); to one sentence or to all before |
//! | [`Fsa::pairs`], [`PairTable`] | paraphrase pairs from parallel paths, with support |
//! | [`Fsa::sampler`] | random strings and novel sentences |
//! | [`Fsa::determinize`], [`Fsa::minimize`], [`Fsa::union`], [`Fsa::intersect`], [`Fsa::remove_epsilon`] | algebra |
//! | [`Fsa::best`], [`Fsa::best_strings`], [`Fsa::to_lattice`] | best strings by weights; a lattice for decoding with a language model |
//! | [`Fsa::entropy`], [`Fsa::repetition`], [`Fsa::distance`], [`Edgain`], [`GrowthStep`] | measures of the papers |
//! | [`read_att`], [`Fsa::write_att`], [`Fsa::to_plf`], [`Fsa::to_slf`], [`Fsa::to_dot`], [`Fsa::to_svg`] | formats and pictures |

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

mod algebra;
mod att;
mod best;
mod build;
mod convert;
mod determinize;
mod dominate;
mod dot;
mod epsilon;
mod error;
mod forest;
mod fsa;
mod graph;
mod group;
mod keyword;
mod lattice;
mod layout;
mod measure;
mod msa;
mod order;
mod pairs;
mod params;
mod phrase;
mod profile;
mod ranks;
mod reach;
mod sample;
mod squeeze;
mod svg;
mod symbols;
mod syntactic;
mod wordgraph;

pub use att::{Labels, read_att, read_symbols};
pub use best::{BestString, BestStrings};
pub use build::FsaBuilder;
pub use convert::constituents;
pub use error::{Error, Result};
pub use forest::{Forest, Synonyms};
pub use fsa::{Fsa, StateId, Transition};
pub use group::{Group, GroupOptions, GroupReader, Member};
pub use measure::{
    Distance, Edgain, Entropy, GrowthStep, PathStatistics, PathSummary, Repetition,
    RepetitionSummary, WordRepetition, word_distance,
};
pub use msa::{MultipleAlignment, align};
pub use pairs::{PairParams, PairTable, Pairs};
pub use params::{Boundary, MergeParams, MsaParams, Version};
pub use sample::{Sampler, Sampling};
pub use squeeze::SqueezeReport;
pub use symbols::{Label, Symbols};
pub use syntactic::Aligned;
