//! `pgen score-phrases`: a phrase table with probabilities.

use crate::Common;
use crate::aligned::{Aligned, spell};
use crate::failure::Result;
use crate::output::Output;
use crate::progress::Bar;
use clap::Args;
use pgen::align::{Direction, Model1, Model1Params, PhraseRow, PhraseScore, PhraseTable};
use pgen::core::Vocab;

/// Score the phrase pairs of aligned sentence pairs as a Moses phrase table.
///
/// Scores: p(s|t), lexical weight of s given t, p(t|s), lexical weight of t given s; counts of target,
/// source and pair follow. With --model1 the probabilities are those of Model 1 (trained on the pairs,
/// each word being its own translation too) instead of relative frequencies.
#[derive(Debug, Args)]
pub(crate) struct ScorePhrases {
    #[command(flatten)]
    aligned: Aligned,
    /// Phrase probabilities by Model 1.
    #[arg(long)]
    model1: bool,
    /// Least count of a pair.
    #[arg(long, default_value_t = 1.0, value_name = "N")]
    min_count: f64,
}

impl ScorePhrases {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let params = self.aligned.params()?;
        let mut vocab = Vocab::new();
        let (mut corpus, alignments) = self.aligned.read(&mut vocab)?;
        let bar = Bar::new(common.quiet);
        let mut table = PhraseTable::extract(&corpus, &alignments, &params, |_, _| true, &bar)?;
        table.prune_counts(self.min_count);
        let mut models = None;
        if self.model1 && !corpus.is_empty() {
            corpus.add_identity_lexicon();
            let fit = |direction| Model1::fit(&corpus, direction, &Model1Params::default(), &bar);
            models = Some([
                fit(Direction::SourceGivenTarget)?,
                fit(Direction::TargetGivenSource)?,
            ]);
        }
        bar.finish();
        let mut lines: Vec<String> = table
            .rows()
            .map(|row| line(&row, models.as_ref(), &vocab))
            .collect();
        lines.sort_unstable();
        let mut out = Output::new();
        for line in &lines {
            out.line(line)?;
        }
        out.flush()?;
        Ok(0)
    }
}

fn line(row: &PhraseRow<'_>, models: Option<&[Model1; 2]>, vocab: &Vocab) -> String {
    let (mut source_given_target, mut target_given_source) =
        (row.source_given_target, row.target_given_source);
    if let Some([backward, forward]) = models {
        let score = |model: &Model1, generated, given| {
            PhraseScore::Full
                .ln(model.table(), generated, given, 1e-7)
                .exp()
        };
        source_given_target = score(backward, row.source, row.target);
        target_given_source = score(forward, row.target, row.source);
    }
    let counts = [
        row.count / row.source_given_target,
        row.count / row.target_given_source,
        row.count,
    ];
    format!(
        "{} ||| {} ||| {:.9} {:.9} {:.9} {:.9} |||  ||| {:.0} {:.0} {:.0}",
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
