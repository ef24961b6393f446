//! `pgen lm quantize` and `pgen lm prune`: smaller models.

use super::{Opened, Target};
use crate::Common;
use crate::failure::{Failure, Result};
use clap::Args;
use std::path::PathBuf;

/// Write a model in fewer bits a number.
#[derive(Debug, Args)]
pub(crate) struct Quantize {
    /// The model: an ARPA file or one of ours.
    #[arg(long, value_name = "FILE")]
    lm: PathBuf,
    /// Read ARPA files leniently, reporting what is odd.
    #[arg(long)]
    lenient: bool,
    #[command(flatten)]
    target: Target,
}

/// Leave out n-grams that matter little (Stolcke 1998).
#[derive(Debug, Args)]
pub(crate) struct Prune {
    /// The model: an ARPA file or one of ours.
    #[arg(long, value_name = "FILE")]
    lm: PathBuf,
    /// Leave out what changes the perplexity by less than this share.
    #[arg(long, default_value_t = 1e-8, value_name = "X")]
    threshold: f64,
    /// Read ARPA files leniently, reporting what is odd.
    #[arg(long)]
    lenient: bool,
    #[command(flatten)]
    target: Target,
}

impl Quantize {
    /// Runs the verb. Without --bits 8 bits are meant.
    pub(crate) fn run(mut self, common: &Common) -> Result<u64> {
        if self.target.arpa.is_some() || self.target.out.is_none() {
            return Err(Failure::usage(
                "quantised models are files of our own: --out OUT",
            ));
        }
        self.target.bits.get_or_insert(8);
        let (model, vocab) = Opened::read(&self.lm, self.lenient, common)?;
        self.target.write(&model.ngrams()?, &vocab)?;
        Ok(0)
    }
}

impl Prune {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        self.target.check()?;
        let (model, vocab) = Opened::read(&self.lm, self.lenient, common)?;
        let ngrams = model.ngrams()?.pruned(self.threshold)?;
        self.target.write(&ngrams, &vocab)?;
        Ok(0)
    }
}
