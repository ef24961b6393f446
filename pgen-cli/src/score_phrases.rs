//! `pgen score-phrases`: a phrase table from aligned sentence pairs or an extract file.

use crate::Common;
use crate::aligned::Aligned;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::{self, Output};
use crate::progress::Bar;
use clap::Args;
use pgen::align::{
    Corpus, Direction, ExtractOrder, Model1, Model1Params, PhraseRow, PhraseScore, PhraseTable,
    read_extract, spell,
};
use pgen::core::codec::Packing;
use pgen::core::{Limits, Vocab};
use std::path::PathBuf;

/// Count and score phrase pairs: a Moses phrase table.
///
/// The pairs come from aligned sentence pairs, or from an extract file as `pgen extract` and Moses write
/// it. Scores: p(s|t), lexical weight of s given t, p(t|s), lexical weight of t given s; counts of target,
/// source and pair follow; rows come in the order of their spelling. With --model1 the probabilities are
/// those of Model 1 (trained on the pairs, each word being its own translation too) instead of relative
/// frequencies.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pgen score-phrases --pairs pairs.tsv --links links > table
  pgen score-phrases --extract extract.sorted.gz > table
  pgen score-phrases --pairs pairs.tsv --links links --model1 --out replacements.pgen")]
pub(crate) struct ScorePhrases {
    #[command(flatten)]
    aligned: Aligned,
    /// An extract file, `source ||| target ||| links` a line, in any order; lexical weights are counted
    /// over its lines.
    #[arg(long, value_name = "FILE")]
    extract: Option<PathBuf>,
    /// The extract file has the target first.
    #[arg(long, requires = "extract")]
    inverse: bool,
    /// Turn Moses's escapes in the extract file (&#124; …) back.
    #[arg(long, requires = "extract")]
    unescape: bool,
    /// Phrase probabilities by Model 1; needs --pairs.
    #[arg(long, requires = "pairs")]
    model1: bool,
    /// Least count of a pair.
    #[arg(long, default_value_t = 1.0, value_name = "N")]
    min_count: f64,
    /// Write a compact table here instead, for the decoders: natural logs of the four scores, or with
    /// --model1 the one feature `channel`, ln p(s|t), of a noisy channel.
    #[arg(long, value_name = "TABLE")]
    out: Option<PathBuf>,
}

impl ScorePhrases {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        if let Some(path) = &self.out {
            output::check_writable(path)?;
        }
        let (mut vocab, bar) = (Vocab::new(), Bar::new(common.quiet));
        let (corpus, mut table) = self.read(&mut vocab, &bar)?;
        table.prune_counts(self.min_count);
        let models = match corpus {
            Some(mut corpus) if self.model1 && !corpus.is_empty() => {
                corpus.add_identity_lexicon();
                let params = Model1Params::default();
                let fit = |direction| Model1::fit(&corpus, direction, &params, &bar);
                Some([
                    fit(Direction::SourceGivenTarget)?,
                    fit(Direction::TargetGivenSource)?,
                ])
            }
            _ => None,
        };
        bar.finish();
        match &self.out {
            Some(path) => {
                let compact = match &models {
                    Some([backward, _]) => {
                        table.channel_table(&vocab, backward, PhraseScore::Full)?
                    }
                    None => table.to_replacements(&vocab, FEATURES, |row| Some(logs(row)))?,
                };
                compact.save(path, &vocab, Packing::Plain)?;
            }
            None => print(&table, models.as_ref(), &vocab)?,
        }
        Ok(0)
    }

    fn read(&self, vocab: &mut Vocab, bar: &Bar) -> Result<(Option<Corpus>, PhraseTable)> {
        let Some(path) = &self.extract else {
            let (corpus, table) = self.aligned.table(vocab, bar)?;
            return Ok((Some(corpus), table));
        };
        let limits = Limits::default();
        let order = if self.inverse {
            ExtractOrder::Inverse
        } else {
            ExtractOrder::Direct
        };
        let lines = input::open(Some(path), &limits)?;
        let table = read_extract(lines, vocab, order, self.unescape, &limits)?;
        let corpus = match self.aligned.is_given() {
            true => Some(self.aligned.read(vocab)?.0),
            false => None,
        };
        Ok((corpus, table))
    }
}

const FEATURES: [&str; 4] = ["p(s|t)", "lex(s|t)", "p(t|s)", "lex(t|s)"];

fn logs(row: &PhraseRow<'_>) -> [f64; 4] {
    [
        row.source_given_target.ln(),
        row.lexical_source,
        row.target_given_source.ln(),
        row.lexical_target,
    ]
}

fn print(table: &PhraseTable, models: Option<&[Model1; 2]>, vocab: &Vocab) -> Result<()> {
    let (mut out, mut failed) = (Output::new(), None);
    let listed = table.for_each_by_spelling(vocab, |row| {
        if failed.is_none() {
            failed = out.line(&line(row, models, vocab)).err();
        }
        Ok(())
    });
    listed?;
    match failed {
        Some(failure) => Err::<(), Failure>(failure),
        None => out.flush(),
    }
}

fn line(row: &PhraseRow<'_>, models: Option<&[Model1; 2]>, vocab: &Vocab) -> String {
    let (mut source_given_target, mut target_given_source) =
        (row.source_given_target, row.target_given_source);
    let counts = [
        row.count / source_given_target,
        row.count / target_given_source,
        row.count,
    ];
    if let Some([backward, forward]) = models {
        let score = |model: &Model1, generated, given| {
            PhraseScore::Full
                .ln(model.table(), generated, given, 1e-7)
                .exp()
        };
        source_given_target = score(backward, row.source, row.target);
        target_given_source = score(forward, row.target, row.source);
    }
    format!(
        "{} ||| {} ||| {:.9e} {:.9e} {:.9e} {:.9e} |||  ||| {:.0} {:.0} {:.0}",
        spell(row.source, vocab),
        spell(row.target, vocab),
        source_given_target,
        row.lexical_source.exp(),
        target_given_source,
        row.lexical_target.exp(),
        counts[0],
        counts[1],
        counts[2],
    )
}
