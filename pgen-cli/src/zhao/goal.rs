//! Applications by name, as usability models.

use super::resources::Loaded;
use crate::failure::Result;
use clap::ValueEnum;
use pgen::Language;
use pgen::core::UsabilityModel;
use pgen::decode::applications::{Compression, Similarity, Simplification};

/// Applications of Zhao et al. 2009.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Purpose {
    /// Nothing in particular: every replacement is planned.
    None,
    /// Fewer bytes.
    Compression,
    /// Words that the language model finds easier.
    Simplification,
    /// More words in common with the reference.
    Similarity,
}

/// An application made ready for a sentence.
pub(super) enum Goal<'a> {
    None,
    Compression(Compression),
    Simplification(Simplification<&'a Language>),
    Similarity(Similarity),
}

impl<'a> Goal<'a> {
    /// `reference` are words as models see them.
    pub(super) fn new(purpose: Purpose, loaded: &'a Loaded, reference: &[String]) -> Result<Self> {
        Ok(match purpose {
            Purpose::None => Goal::None,
            Purpose::Compression => Goal::Compression(Compression),
            Purpose::Simplification => Goal::Simplification(Simplification::by(&loaded.language)),
            Purpose::Similarity => Goal::Similarity(
                Similarity::to(reference.iter().cloned()).map_err(pgen::Error::from)?,
            ),
        })
    }

    pub(super) fn usability(&self) -> Option<&(dyn UsabilityModel + Sync)> {
        match self {
            Goal::None => None,
            Goal::Compression(model) => Some(model),
            Goal::Simplification(model) => Some(model),
            Goal::Similarity(model) => Some(model),
        }
    }
}
