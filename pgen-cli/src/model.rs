//! The model of a run: a file, or the embedded one.

use crate::failure::Result;
use pgen::Paraphraser;
use std::path::Path;

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

#[cfg(not(feature = "english"))]
fn embedded() -> Result<Paraphraser> {
    Err(crate::failure::Failure::usage(
        "this build has no embedded model: name one with --model FILE",
    ))
}
