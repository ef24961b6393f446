//! `pgen collocations`: pairs of words in a relation that paraphrase each other.

use super::acquire::Acquire;
use crate::Common;
use crate::failure::Result;
use clap::Args;
use pgen::align::collocations::for_each_collocation;

/// Learn collocations that paraphrase each other, such as `make OBJ decision` to `take OBJ step`.
///
/// Output: `source ||| target ||| p(target|source) ||| ||| count`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  pgen collocations --annotated europarl.en.conllu --bitext europarl.en-fr.tsv > collocations.txt")]
pub(crate) struct Collocations {
    #[command(flatten)]
    acquire: Acquire,
    /// The relation.
    #[arg(long, value_name = "LABEL", default_value = "OBJ")]
    relation: String,
}

impl Collocations {
    /// Runs the verb.
    pub(crate) fn run(&self, common: &Common) -> Result<u64> {
        self.acquire
            .run(common, &mut |source, target, other, links, counts| {
                for_each_collocation(source, target, other, links, &self.relation, |a, b| {
                    counts.add(a, b);
                });
            })
    }
}
