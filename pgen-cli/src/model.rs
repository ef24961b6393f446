//! The model of a run: a file, or the embedded one.

use crate::failure::Result;
use clap::Args;
use pgen::annotate::Annotator;
use pgen::core::{Limits, Weight};
use pgen::{Bundle, Paraphraser};
use std::path::{Path, PathBuf};

/// Tables beside those of the model.
#[derive(Debug, Args)]
pub(crate) struct MoreTables {
    /// A table to use too: phrases in any format, patterns or collocations as `pgen patterns` and
    /// `pgen collocations` write them.
    #[arg(long, value_name = "FILE")]
    table: Vec<PathBuf>,
    /// What the log probabilities of these tables weigh.
    #[arg(long, value_name = "W", default_value_t = 3.0)]
    table_weight: f64,
}

impl MoreTables {
    /// Adds the tables to a model.
    pub(crate) fn add(&self, bundle: &mut Bundle) -> Result<()> {
        for path in &self.table {
            bundle.add_table(path, Weight::new(self.table_weight)?, &Limits::default())?;
        }
        Ok(())
    }
}

/// As [`open`], with more tables, and with tags and dependencies for patterns and collocations.
pub(crate) fn open_with(
    file: Option<&Path>,
    more: &MoreTables,
    annotator: Option<&Path>,
) -> Result<Paraphraser> {
    if more.table.is_empty() && annotator.is_none() {
        return open(file);
    }
    let limits = Limits::default();
    let mut bundle = match file {
        Some(path) => Bundle::open(path, &limits)?,
        None => embedded_bundle()?,
    };
    more.add(&mut bundle)?;
    let paraphraser = Paraphraser::new(bundle);
    Ok(match annotator {
        None => paraphraser,
        Some(path) => {
            let annotator = Annotator::load(path, &limits)?;
            paraphraser.with_annotation(move |sentence| Ok(annotator.annotate(sentence)?))
        }
    })
}

/// Opens a model file, or the embedded English model if none is named.
pub(crate) fn open(file: Option<&Path>) -> Result<Paraphraser> {
    match file {
        Some(path) => Ok(Paraphraser::open(path)?),
        None => embedded(),
    }
}

#[cfg(feature = "english")]
fn embedded() -> Result<Paraphraser> {
    Ok(Paraphraser::english()?)
}

#[cfg(feature = "english")]
fn embedded_bundle() -> Result<Bundle> {
    Ok(Bundle::english()?)
}

#[cfg(not(feature = "english"))]
fn embedded_bundle() -> Result<Bundle> {
    embedded().map(|paraphraser| paraphraser.bundle().clone())
}

#[cfg(not(feature = "english"))]
fn embedded() -> Result<Paraphraser> {
    Err(crate::failure::Failure::usage(
        "this build has no embedded model: name one with --model FILE",
    ))
}
