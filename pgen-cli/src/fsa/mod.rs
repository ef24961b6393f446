//! `pgen fsa`: groups of sentences as automata.

mod best;
mod construct;
mod draw;
mod gather;
mod learn;
mod limits;
mod make;
mod overlap;
mod predict;
mod source;
mod stats;
mod wordnet;

use crate::Common;
use crate::failure::{Failure, Result};
use clap::Subcommand;
use pgen::core::{LanguageModel, Lines, Vocab, WordId};
use pgen::fsa::Symbols;
use pgen::lm::{ArpaOptions, FastModel, read_arpa};
use std::path::Path;
use std::sync::Arc;

/// Groups by the mean length of their sentences, as Pang et al.'s tables have them: name and upper bound.
const BUCKETS: [(&str, f64); 5] = [
    ("1-10", 10.0),
    ("10-20", 20.0),
    ("20-30", 30.0),
    ("30-45", 45.0),
    ("45-", f64::INFINITY),
];

/// Groups of sentences of one meaning as automata of paraphrases.
///
/// Input is Penn trees (one a line, a blank line ends a group), CoNLL-U (a group shares the text of
/// `sent_id` before the first `/`), or automata as AT&T text (a blank line between them), told apart by
/// content. Costs are as OpenFst's: `Infinity` is no path. `<eps>` is no word, `\<eps>` the word `<eps>`.
///
/// A group that cannot be answered is reported, with its place, and the run goes on; it ends with 1. So does
/// one in which --term, --members or another option left nothing. An input without any group gets a remark
/// and ends with 0; so do sentences without a name for their group, and groups in several places.
/// Numbers of paths are exact up to 1,233 digits and rounded beyond (`≈1.23e4567`).
#[derive(Debug, Subcommand)]
pub(crate) enum Fsa {
    Merge(make::Merge),
    Msa(make::Msa),
    Stats(stats::Stats),
    Pairs(learn::Pairs),
    Sample(learn::Sample),
    Distance(predict::Distance),
    Edgain(predict::Edgain),
    Table6(predict::Table6),
    Best(best::Best),
    Att(draw::Att),
    Rmepsilon(draw::Rmepsilon),
    Dot(draw::Dot),
    Svg(draw::Svg),
}

impl Fsa {
    /// Runs the verb; the number says how many groups could not be answered.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        match self {
            Fsa::Merge(verb) => verb.run(common),
            Fsa::Msa(verb) => verb.run(common),
            Fsa::Stats(verb) => verb.run(common),
            Fsa::Pairs(verb) => verb.run(common),
            Fsa::Sample(verb) => verb.run(common),
            Fsa::Distance(verb) => verb.run(common),
            Fsa::Edgain(verb) => verb.run(common),
            Fsa::Table6(verb) => verb.run(common),
            Fsa::Best(verb) => verb.run(common),
            Fsa::Att(verb) => verb.run(common),
            Fsa::Rmepsilon(verb) => verb.run(common),
            Fsa::Dot(verb) => verb.run(common),
            Fsa::Svg(verb) => verb.run(common),
        }
    }
}

/// A language model with its vocabulary.
pub(crate) struct Model {
    pub(crate) vocab: Arc<Vocab>,
    pub(crate) model: FastModel,
}

impl Model {
    /// Reads an ARPA file.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let mut vocab = Vocab::new();
        let fail = |error: pgen::lm::Error| Failure::input(error.code(), error);
        let (ngrams, _) = read_arpa(path, &mut vocab, &ArpaOptions::default()).map_err(fail)?;
        Ok(Model {
            vocab: Arc::new(vocab),
            model: FastModel::new(&ngrams).map_err(fail)?,
        })
    }

    /// The model's word for each label, by the label's number.
    pub(crate) fn words_of(&self, symbols: &Symbols) -> Vec<WordId> {
        let word = |text: &str| self.vocab.get(text).unwrap_or(WordId::UNK);
        std::iter::once(WordId::UNK)
            .chain(symbols.words().map(|(_, text)| word(text)))
            .collect()
    }

    /// The model's words for a sentence.
    pub(crate) fn words(&self, sentence: &[String]) -> Vec<WordId> {
        sentence
            .iter()
            .map(|word| self.vocab.get(word).unwrap_or(WordId::UNK))
            .collect()
    }

    /// log₂ P per word of a sentence, `</s>` counted.
    pub(crate) fn bits_per_word(&self, sentence: &[String]) -> f64 {
        let words = self.words(sentence);
        -self.model.sentence(&words).ln() / std::f64::consts::LN_2 / (words.len() + 1) as f64
    }
}

/// True if the first line that is not blank looks like AT&T text: up to five columns, a number first.
fn looks_like_att(lines: &mut Lines) -> bool {
    let start = String::from_utf8_lossy(lines.peek());
    let first = start
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("");
    let columns: Vec<&str> = first.split_whitespace().collect();
    columns.len() <= 5
        && columns
            .first()
            .is_some_and(|column| column.parse::<u32>().is_ok())
}
