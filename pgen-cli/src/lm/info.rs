//! `pgen lm info`: what a model file holds.

use super::Opened;
use crate::Common;
use crate::failure::Result;
use crate::output::Output;
use clap::Args;
use pgen::lm::{FastModel, Layout};
use serde::Serialize;
use std::path::PathBuf;

/// Show order, number of n-grams and sizes of a model.
#[derive(Debug, Args)]
pub(crate) struct Info {
    /// The model: an ARPA file or one of ours.
    file: PathBuf,
    /// Read ARPA files leniently, reporting what is odd.
    #[arg(long)]
    lenient: bool,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Description {
    format: &'static str,
    order: usize,
    ngrams: Vec<usize>,
    file_bytes: u64,
    memory_bytes: usize,
}

impl Info {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let (model, _) = Opened::read(&self.file, self.lenient, common)?;
        let format = match &model {
            Opened::Arpa(_) => "arpa",
            Opened::Model(model) => match model.layout() {
                Layout::Compact => "pgen compact",
                _ => "pgen",
            },
        };
        let compact = match &model {
            Opened::Model(model) => model.as_compact().map(|model| model.bytes()),
            Opened::Arpa(_) => None,
        };
        let ngrams = model.ngrams()?;
        let memory_bytes = match compact {
            Some(bytes) => bytes,
            None => FastModel::new(&ngrams)?.bytes(),
        };
        let description = Description {
            format,
            order: ngrams.order(),
            ngrams: ngrams.counts(),
            file_bytes: std::fs::metadata(&self.file).map_or(0, |file| file.len()),
            memory_bytes,
        };
        let mut out = Output::new();
        if self.json {
            out.json(&description)?;
        } else {
            out.line(&format!("format\t{format}"))?;
            out.line(&format!("order\t{}", description.order))?;
            for (order, count) in (1..).zip(&description.ngrams) {
                out.line(&format!("{order}-grams\t{count}"))?;
            }
            out.line(&format!("bytes of the file\t{}", description.file_bytes))?;
            out.line(&format!("bytes in memory\t{}", description.memory_bytes))?;
        }
        out.flush()?;
        Ok(0)
    }
}
