//! Phrase tables as replacements for the decoders, and in the order of their spelling.

use crate::error::Result;
use crate::model1::Model1;
use crate::phrase_table::{PhraseRow, PhraseTable};
use crate::score::PhraseScore;
use pgen_core::{ParaphraseTable, TableBuilder, Vocab};

impl PhraseTable {
    /// Calls `visit` with every row in the order of the spelling of sources, then of targets, word by word.
    /// Memory: 4 bytes a row and a phrase.
    ///
    /// # Errors
    /// The first that `visit` returns.
    pub fn for_each_by_spelling(
        &self,
        vocab: &Vocab,
        mut visit: impl FnMut(&PhraseRow<'_>) -> Result<()>,
    ) -> Result<()> {
        let sources = self.sources.ranks_by_spelling(vocab);
        let targets = self.targets.ranks_by_spelling(vocab);
        let mut order: Vec<u32> = (0..self.entries.len() as u32).collect();
        order.sort_unstable_by_key(|&at| {
            let entry = &self.entries[at as usize];
            (
                sources[entry.source as usize],
                targets[entry.target as usize],
            )
        });
        for at in order {
            visit(&self.row(at as usize))?;
        }
        Ok(())
    }

    /// The table as replacements with these features; `values` gives a row's values (natural logs), or
    /// none to leave the row out. The same rows in any order make the same table.
    ///
    /// # Errors
    /// As [`TableBuilder::push`] and [`TableBuilder::build`].
    pub fn to_replacements<const N: usize>(
        &self,
        vocab: &Vocab,
        features: [&str; N],
        mut values: impl FnMut(&PhraseRow<'_>) -> Option<[f64; N]>,
    ) -> Result<ParaphraseTable> {
        let mut builder = TableBuilder::new(features);
        for row in self.rows() {
            if let Some(values) = values(&row) {
                builder.push(row.source, row.target, &values.map(|value| value as f32))?;
            }
        }
        Ok(builder.build(vocab)?)
    }

    /// The replacement database of Quirk et al. (2004, §3.3): to an input phrase S its paraphrases T with
    /// one feature, `channel` = ln P(S|T) by Model 1 (§3.4). The model is that of sources given targets,
    /// where S is the source. Rows whose words the model never saw together are left out.
    ///
    /// # Errors
    /// As [`Self::to_replacements`].
    pub fn channel_table(
        &self,
        vocab: &Vocab,
        model: &Model1,
        score: PhraseScore,
    ) -> Result<ParaphraseTable> {
        self.to_replacements(vocab, ["channel"], |row| {
            let value = score.ln(model.table(), row.source, row.target, 0.0);
            value.is_finite().then_some([value])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Corpus, Direction, ExtractParams, Model1Params};
    use pgen_core::Limits;
    use pgen_core::formats::alignment::pharaoh;

    fn aligned() -> (Corpus, Vocab, PhraseTable) {
        let (mut corpus, mut vocab) = (Corpus::new(), Vocab::new());
        let (limits, mut alignments) = (Limits::default(), Vec::new());
        for (source, target, links) in [
            ("b a", "a x", "0-1 1-0"),
            ("a c", "a y", "0-0 1-1"),
            ("b", "b", "0-0"),
        ] {
            corpus
                .push_text(source, target, &mut vocab, &limits)
                .unwrap();
            alignments.push(pharaoh::parse(links).unwrap());
        }
        let params = ExtractParams::default();
        let table = PhraseTable::extract(&corpus, &alignments, &params, |_, _| true, &()).unwrap();
        (corpus, vocab, table)
    }

    #[test]
    fn rows_come_in_the_order_of_their_spelling() {
        let (_, vocab, table) = aligned();
        let mut rows = Vec::new();
        table
            .for_each_by_spelling(&vocab, |row| {
                rows.push([row.source, row.target].map(|words| crate::spell(words, &vocab)));
                Ok(())
            })
            .unwrap();
        let expected = [
            ["a", "a"],
            ["a c", "a y"],
            ["b", "b"],
            ["b", "x"],
            ["b a", "a x"],
            ["c", "y"],
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn the_channel_table_holds_the_phrase_scores_of_model_1() {
        let (mut corpus, vocab, table) = aligned();
        corpus.add_identity_lexicon();
        let params = Model1Params::default();
        let model = Model1::fit(&corpus, Direction::SourceGivenTarget, &params, &()).unwrap();
        let score = PhraseScore::default();
        let replacements = table.channel_table(&vocab, &model, score).unwrap();
        assert_eq!(replacements.len(), table.len());
        for row in table.rows() {
            let mut found = replacements.find(row.source);
            let rule = found.find(|rule| rule.target == row.target).unwrap();
            let expected = score.ln(model.table(), row.source, row.target, 0.0);
            assert!((f64::from(rule.values[0]) - expected).abs() < 1e-5);
        }
    }
}
