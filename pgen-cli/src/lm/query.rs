//! `pgen lm query`: what a model says of sentences.

use super::Opened;
use crate::Common;
use crate::failure::Result;
use crate::input::{self, LineWork};
use crate::output::Output;
use clap::Args;
use pgen::core::text::tokens;
use pgen::core::{Limits, WordId};
use pgen::lm::Perplexity;
use serde::Serialize;
use std::path::PathBuf;

/// Score sentences, one a line, tokens separated by blanks; then the perplexity of all.
///
/// Tokens count `</s>`, as in KenLM. The perplexity without OOV leaves unknown words out of sum and count.
#[derive(Debug, Args)]
pub(crate) struct Query {
    /// The model: an ARPA file or one of ours.
    #[arg(long, value_name = "FILE")]
    lm: PathBuf,
    /// The text [default: standard input].
    file: Option<PathBuf>,
    /// Read ARPA files leniently, reporting what is odd.
    #[arg(long)]
    lenient: bool,
    /// One JSON object a line, and one for all.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct SentenceLine {
    log10: f64,
    tokens: u64,
    oov: u64,
}

#[derive(Serialize)]
struct TotalLine {
    sentences: u64,
    tokens: u64,
    oov: u64,
    log10_total: f64,
    perplexity: f64,
    perplexity_without_oov: f64,
}

impl Query {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let limits = Limits::default();
        let (model, vocab) = Opened::read(&self.lm, self.lenient, common)?;
        let model = model.fast()?;
        let lines = input::open(self.file.as_ref(), &limits)?;
        let work = LineWork {
            output: Output::new(),
            json: self.json,
            common,
        };
        let mut total = Perplexity::default();
        let mut words = Vec::new();
        let json = self.json;
        let bad = work.run(lines, |line, _, out| {
            words.clear();
            words.extend(tokens(line).map(|token| vocab.get(token).unwrap_or(WordId::UNK)));
            Limits::check("tokens", words.len(), limits.tokens)?;
            let is_oov = |word| word == WordId::UNK || !model.knows(word);
            let score = Perplexity::of(&model, &words, is_oov);
            total.add(&score);
            sentence(&score, json, out)
        })?;
        self.total(&total)?;
        Ok(bad)
    }

    fn total(&self, total: &Perplexity) -> Result<()> {
        let line = TotalLine {
            sentences: total.sentences,
            tokens: total.tokens,
            oov: total.oov,
            log10_total: total.log10(),
            perplexity: total.perplexity(),
            perplexity_without_oov: total.perplexity_without_oov(),
        };
        let mut out = Output::new();
        if self.json {
            out.json(&line)?;
        } else {
            out.line(&format!("sentences\t{}", line.sentences))?;
            out.line(&format!("tokens\t{}", line.tokens))?;
            out.line(&format!("oov\t{}", line.oov))?;
            out.line(&format!("log10 total\t{}", line.log10_total))?;
            out.line(&format!("perplexity\t{}", line.perplexity))?;
            let without = line.perplexity_without_oov;
            out.line(&format!("perplexity without oov\t{without}"))?;
        }
        out.flush()
    }
}

fn sentence(score: &Perplexity, json: bool, out: &mut Output) -> Result<()> {
    let line = SentenceLine {
        log10: score.log10(),
        tokens: score.tokens,
        oov: score.oov,
    };
    if json {
        out.json(&line)
    } else {
        out.line(&format!("{}\t{}\t{}", line.log10, line.tokens, line.oov))
    }
}
