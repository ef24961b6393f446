//! `pgen pivot`: paraphrases of one language from a bilingual phrase table.

use crate::Common;
use crate::aligned::Aligned;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::{self, Output};
use crate::progress::Bar;
use clap::{Args, ValueEnum};
use pgen::align::{
    Paraphrase, PhraseScores, PhraseTable, PhraseTableBuilder, PivotParams, Side, pivot, spell,
    tokens,
};
use pgen::core::codec::Packing;
use pgen::core::formats::TableOptions;
use pgen::core::formats::moses;
use pgen::core::{Error, Limits, Progress, TableBuilder, Vocab, WordId};
use std::path::PathBuf;

/// Paraphrase one language of a bilingual phrase table through the other: p(s'|s) = Σ p(e|s) p(s'|e).
///
/// The table is in Moses's format with the scores p(s|t), lex(s|t), p(t|s), lex(t|s); with two scores they
/// are p(s|t) and p(t|s). Or it is made here, from sentence pairs and their links. Output:
/// `s ||| s' ||| p`, best first for each s, or with --out a compact table. How much each pruning left goes
/// to standard error.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pgen pivot --table phrase-table.gz > paraphrases
  pgen pivot --pairs bitext.tsv --links links --out paraphrases.pgen")]
pub(crate) struct Pivot {
    /// The phrase table.
    #[arg(long, value_name = "T", conflicts_with = "pairs")]
    table: Option<PathBuf>,
    #[command(flatten)]
    aligned: Aligned,
    /// Least count of a phrase pair; for tables made here.
    #[arg(long, default_value_t = 1.0, value_name = "N", requires = "pairs")]
    min_count: f64,
    /// Write a compact table here instead, with the feature `pivot`, ln p.
    #[arg(long, value_name = "TABLE")]
    out: Option<PathBuf>,
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
        params.check()?;
        if let Some(path) = &self.out {
            output::check_writable(path)?;
        }
        let (mut vocab, bar) = (Vocab::new(), Bar::new(common.quiet));
        let table = match &self.table {
            Some(path) => read(path, &mut vocab)?,
            None => {
                let mut table = self.aligned.table(&mut vocab, &bar)?.1;
                table.prune_counts(self.min_count);
                table
            }
        };
        bar.note(&format!("{} phrase pairs", table.len()));
        let mut to = match &self.out {
            Some(_) => Target::Compact(Box::new(TableBuilder::new(["pivot"]))),
            None => Target::Text(Output::new(), None),
        };
        let report = pivot(&table, side, &params, &vocab, &bar, |source, found| {
            found
                .iter()
                .try_for_each(|paraphrase| to.add(source, paraphrase, &vocab))
        })?;
        bar.finish();
        match (to, &self.out) {
            (Target::Compact(builder), Some(path)) => {
                builder.build(&vocab)?.save(path, &vocab, Packing::Plain)?;
            }
            (Target::Text(_, Some(failure)), _) => return Err(failure),
            (Target::Text(mut out, None), _) => out.flush()?,
            (Target::Compact(_), None) => {}
        }
        if !common.quiet {
            output::message(&serde_json::to_string(&report)?);
        }
        Ok(0)
    }
}

/// Where paraphrases go.
enum Target {
    Compact(Box<TableBuilder>),
    /// The output, and what went wrong with it.
    Text(Output, Option<Failure>),
}

impl Target {
    fn add(
        &mut self,
        source: &[WordId],
        paraphrase: &Paraphrase<'_>,
        vocab: &Vocab,
    ) -> pgen::align::Result<()> {
        match self {
            Target::Compact(builder) => {
                let value = paraphrase.probability.ln() as f32;
                builder.push(source, paraphrase.words, &[value])?;
            }
            Target::Text(out, failed @ None) => {
                let (source, target) = (spell(source, vocab), spell(paraphrase.words, vocab));
                let line = format!("{source} ||| {target} ||| {:.9e}", paraphrase.probability);
                *failed = out.line(&line).err();
            }
            Target::Text(_, Some(_)) => {}
        }
        Ok(())
    }
}

/// A table of Moses.
fn read(path: &PathBuf, vocab: &mut Vocab) -> Result<PhraseTable> {
    let mut builder = PhraseTableBuilder::default();
    let mut lines = input::open(Some(path), &Limits::default())?;
    let mut failed = None;
    moses::each_row(&mut lines, &TableOptions::default(), |row| {
        let scores = match *row.scores() {
            [p, q] => PhraseScores::new(p, q),
            [p, lexical_source, q, lexical_target, ..] => {
                let mut scores = PhraseScores::new(p, q);
                (scores.lexical_source, scores.lexical_target) = (lexical_source, lexical_target);
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
