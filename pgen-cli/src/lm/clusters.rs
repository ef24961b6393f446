//! `pgen lm clusters`: classes of words that stand beside the same classes.

use crate::Common;
use crate::failure::Result;
use crate::output;
use crate::progress::Bar;
use clap::Args;
use pgen::core::{Limits, Lines, TextFile, Vocab};
use pgen::lm::{ClusterParams, ClusterTrainer};
use serde::Serialize;
use std::path::PathBuf;

/// Put words into classes by the exchange algorithm, so that neighbouring classes tell most of each other.
#[derive(Debug, Args)]
pub(crate) struct Clusters {
    /// The text: one sentence a line, tokens separated by blanks; `-` is standard input.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    text: Vec<PathBuf>,
    /// Write word, tab, class, by class; packed if the name ends in .gz.
    #[arg(long, value_name = "OUT")]
    out: PathBuf,
    /// Number of classes.
    #[arg(long, default_value_t = 4096, value_name = "N")]
    classes: usize,
    /// Only so many of the most frequent words are put into classes.
    #[arg(long, value_name = "N")]
    max_words: Option<usize>,
    /// Passes over all words, at most.
    #[arg(long, default_value_t = 20, value_name = "N")]
    sweeps: usize,
}

#[derive(Serialize)]
struct Report {
    classes: usize,
    moves: u64,
    information: Vec<f64>,
}

impl Clusters {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let mut params = ClusterParams::new(self.classes);
        params.max_words = self.max_words;
        params.sweeps = self.sweeps;
        let mut trainer = ClusterTrainer::new(params)?;
        let bar = Bar::new(common.quiet);
        let mut vocab = Vocab::new();
        for path in &self.text {
            let lines = Lines::open(path, &Limits::default())?;
            trainer.add_lines(lines, &mut vocab, &bar)?;
        }
        let clustering = trainer.finish(&vocab, &bar)?;
        bar.finish();
        let mut file = TextFile::create(&self.out)?;
        let written = clustering.classes.write(&vocab, &mut file);
        written.map_err(|error| error.in_file(self.out.display().to_string()))?;
        file.commit()?;
        if !common.quiet {
            let report = Report {
                classes: clustering.classes.len(),
                moves: clustering.moves,
                information: clustering.information,
            };
            output::message(&serde_json::to_string(&report)?);
        }
        Ok(0)
    }
}
