//! `pgen patterns`: paraphrase patterns from annotated pairs or through a translation.

use super::acquire::Acquire;
use crate::Common;
use crate::failure::Result;
use clap::Args;
use pgen::align::patterns::{PatternParams, for_each_pattern};

/// Learn paraphrase patterns with slots, such as `take [NN_1] into account` to `consider [NN_1]`.
///
/// Pairs are aligned word by word; pieces of the dependency tree become patterns, constituents in them
/// slots. Output: `source ||| target ||| p(target|source) ||| ||| count`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pgen patterns --groups captions.conllu > patterns.txt
  pgen patterns --annotated europarl.en.conllu --bitext europarl.en-fr.tsv > patterns.txt
  pgen patterns --annotator english.annotator --bitext europarl.en-fr.tsv > patterns.txt
  pgen patterns --annotator english.annotator --groups bible-en.tsv --pairs-per-group 4 > patterns.txt")]
pub(crate) struct Patterns {
    #[command(flatten)]
    acquire: Acquire,
    /// Words of a piece of a sentence, fillers included.
    #[arg(long, value_name = "N", default_value_t = 14)]
    max_span: usize,
    /// Words beside the slots.
    #[arg(long, value_name = "N", default_value_t = 4)]
    max_words: usize,
    /// Slots, 1 or 2.
    #[arg(long, value_name = "N", default_value_t = 2)]
    max_slots: usize,
}

impl Patterns {
    /// Runs the verb.
    pub(crate) fn run(&self, common: &Common) -> Result<u64> {
        let mut params = PatternParams::default();
        params.max_span = self.max_span;
        params.max_words = self.max_words;
        params.max_slots = self.max_slots;
        params.check()?;
        self.acquire
            .run(common, &mut |source, target, other, links, counts| {
                for_each_pattern(source, target, other, links, &params, |tag, a, b| {
                    counts.add_in(tag, a, b);
                });
            })
    }
}
