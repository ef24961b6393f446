//! `pgen lm estimate`: a model from text.

use super::Target;
use crate::Common;
use crate::failure::Result;
use crate::output;
use crate::progress::Bar;
use clap::{Args, ValueEnum};
use pgen::core::{Limits, Lines, Vocab};
use pgen::lm::{EstimateParams, Estimator, Smoothing};
use std::path::PathBuf;

/// Estimate a model from text: one sentence a line, tokens separated by blanks.
#[derive(Debug, Args)]
pub(crate) struct Estimate {
    /// Words of the longest n-grams.
    #[arg(long, short = 'o', default_value_t = 3, value_name = "N")]
    order: usize,
    /// The text; `-` is standard input.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    text: Vec<PathBuf>,
    #[command(flatten)]
    target: Target,
    /// How unseen n-grams get their share.
    #[arg(long, value_enum, default_value_t = Method::ModifiedKneserNey)]
    smoothing: Method,
    /// Fail where the text is too small to define the discounts, instead of taking fixed ones.
    #[arg(long)]
    no_fallback: bool,
    /// Leave out n-grams of order 1, 2, … with counts up to these; the last holds for the rest.
    #[arg(long, value_delimiter = ',', value_name = "N,…")]
    cutoffs: Vec<u64>,
    /// Keep only so many of the most frequent words.
    #[arg(long, value_name = "N")]
    max_words: Option<usize>,
    /// Leave out n-grams that change the perplexity by less than this share (1e-8 to 1e-7 are usual).
    #[arg(long, value_name = "X")]
    prune: Option<f64>,
    /// Megabytes for counting; beyond, counts go to disk.
    #[arg(long, default_value_t = 4096, value_name = "MB")]
    memory: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Method {
    ModifiedKneserNey,
    KneserNey,
    Katz,
    WittenBell,
}

impl From<Method> for Smoothing {
    fn from(method: Method) -> Self {
        match method {
            Method::ModifiedKneserNey => Smoothing::ModifiedKneserNey,
            Method::KneserNey => Smoothing::KneserNey,
            Method::Katz => Smoothing::Katz,
            Method::WittenBell => Smoothing::WittenBell,
        }
    }
}

impl Estimate {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        self.target.check()?;
        let mut params = EstimateParams::new(self.order)
            .with_smoothing(self.smoothing.into())
            .with_fallback(!self.no_fallback)
            .with_cutoffs(self.cutoffs)
            .with_memory(self.memory.saturating_mul(1 << 20));
        params.max_words = self.max_words;
        let mut estimator = Estimator::new(params)?;
        let bar = Bar::new(common.quiet);
        let mut vocab = Vocab::new();
        for path in &self.text {
            let lines = Lines::open(path, &Limits::default())?;
            estimator.add_lines(lines, &mut vocab, &bar)?;
        }
        let (mut ngrams, report) = estimator.finish(&vocab, &bar)?;
        bar.finish();
        if !common.quiet {
            output::message(&serde_json::to_string(&report)?);
        }
        if let Some(threshold) = self.prune {
            ngrams = ngrams.pruned(threshold)?;
        }
        self.target.write(&ngrams, &vocab)?;
        Ok(0)
    }
}
