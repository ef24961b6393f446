//! `pgen pivot`: paraphrases of one language from a bilingual phrase table.

use crate::Common;
use crate::aligned::spell;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::{self, Output};
use crate::progress::Bar;
use clap::{Args, ValueEnum};
use pgen::align::{
    PhraseScores, PhraseTable, PhraseTableBuilder, PivotParams, Side, pivot, tokens,
};
use pgen::core::formats::TableOptions;
use pgen::core::formats::moses;
use pgen::core::{Error, Limits, Vocab};
use std::path::PathBuf;

/// Paraphrase one language of a bilingual phrase table through the other: p(s'|s) = Σ p(e|s) p(s'|e).
///
/// The table is in Moses' format with the scores p(s|t), lex(s|t), p(t|s), lex(t|s); with two scores they
/// are p(s|t) and p(t|s). Output: `s ||| s' ||| p`, best first for each s.
#[derive(Debug, Args)]
pub(crate) struct Pivot {
    /// The phrase table.
    #[arg(long, value_name = "T")]
    table: PathBuf,
    /// The language to paraphrase.
    #[arg(long, value_enum, default_value_t = Language::Source)]
    side: Language,
    /// Pivots with more phrases than this are dropped.
    #[arg(long, default_value_t = 200, value_name = "N")]
    tau: usize,
    /// Less probable paraphrases are dropped.
    #[arg(long, default_value_t = 1e-5, value_name = "P")]
    epsilon: f64,
    /// Most paraphrases of a phrase, itself included.
    #[arg(long, default_value_t = 20, value_name = "N")]
    kappa: usize,
    /// Do not list a phrase among its own paraphrases.
    #[arg(long)]
    no_identity: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Language {
    /// Source phrases.
    Source,
    /// Target phrases.
    Target,
}

impl Pivot {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let side = match self.side {
            Language::Source => Side::Source,
            Language::Target => Side::Target,
        };
        let params = PivotParams::default()
            .with_pruning(self.tau, self.epsilon, self.kappa)
            .with_identity(!self.no_identity);
        let mut vocab = Vocab::new();
        let table = self.read(&mut vocab)?;
        let (bar, mut out) = (Bar::new(common.quiet), Output::new());
        let mut failed = None;
        let report = pivot(
            &table,
            side,
            &params,
            &vocab,
            &bar,
            |source, paraphrases| {
                let source = spell(source, &vocab);
                for paraphrase in paraphrases {
                    let target = spell(paraphrase.words, &vocab);
                    let line = format!("{source} ||| {target} ||| {:.9e}", paraphrase.probability);
                    if failed.is_none() {
                        failed = out.line(&line).err();
                    }
                }
                Ok(())
            },
        )?;
        bar.finish();
        if let Some(failure) = failed {
            return Err(failure);
        }
        out.flush()?;
        if !common.quiet {
            output::message(&serde_json::to_string(&report)?);
        }
        Ok(0)
    }

    /// The table, rows in the order of their spelling, so that their order in the file does not matter.
    fn read(&self, vocab: &mut Vocab) -> Result<PhraseTable> {
        let mut builder = PhraseTableBuilder::default();
        let mut lines = input::open(Some(&self.table), &Limits::default())?;
        let mut failed = None;
        moses::each_row(&mut lines, &TableOptions::default(), |row| {
            let scores = match *row.scores() {
                [p, q] => PhraseScores::new(p, q),
                [p, lexical_source, q, lexical_target, ..] => {
                    let mut scores = PhraseScores::new(p, q);
                    (scores.lexical_source, scores.lexical_target) =
                        (lexical_source, lexical_target);
                    scores
                }
                _ => {
                    let place = pgen::core::Place::default();
                    return Err(Error::table(place, "2 or 4 scores are needed to pivot"));
                }
            };
            let mut ids = |text: &str| -> std::result::Result<Vec<_>, Error> {
                tokens(text).map(|token| vocab.intern(token)).collect()
            };
            let (source, target) = (ids(row.source())?, ids(row.target())?);
            if let Err(error) = builder.push(&source, &target, scores) {
                failed.get_or_insert(Failure::from(error));
            }
            Ok(())
        })?;
        match failed {
            Some(failure) => Err(failure),
            None => Ok(builder.build()),
        }
    }
}
