//! Lemmas and inflected forms from a thesaurus.

use crate::failure::{Failure, Result};
use clap::Args;
use pgen::core::thesaurus::Thesaurus;
use pgen::core::{Limits, Lines};
use std::path::PathBuf;
use std::sync::Arc;

/// Files that know which forms a word has.
#[derive(Debug, Args)]
pub(super) struct MorphologyArgs {
    /// Collocations by lemmas: synonym sets and irregular forms, as `pgen train` takes them.
    #[arg(long, num_args = 2, value_names = ["SETS", "EXCEPTIONS"])]
    thesaurus: Vec<PathBuf>,
}

impl MorphologyArgs {
    pub(super) fn load(&self) -> Result<Option<Arc<Thesaurus>>> {
        let (sets, exceptions) = match &self.thesaurus[..] {
            [] => return Ok(None),
            [sets, exceptions] => (sets, exceptions),
            _ => return Err(Failure::usage("--thesaurus may be given only once")),
        };
        let limits = Limits::default();
        let [sets, exceptions] = [sets, exceptions].map(|path| Lines::open(path, &limits));
        Ok(Some(Arc::new(Thesaurus::read(sets?, Some(exceptions?))?)))
    }
}
