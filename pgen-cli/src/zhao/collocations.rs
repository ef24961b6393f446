//! `pgen collocations`: pairs of words in a relation that paraphrase each other.

use super::acquire::Acquire;
use super::morphology::MorphologyArgs;
use crate::Common;
use crate::failure::Result;
use clap::Args;
use pgen::align::collocations::{Relation, for_each_collocation};
use pgen::core::Morphology;

/// Learn collocations that paraphrase each other, such as `make OBJ decision` to `take OBJ step`.
///
/// Output: `source ||| target ||| p(target|source) ||| ||| count`. With --thesaurus the words are lemmas,
/// which match and write all their forms (`pgen plan --thesaurus`).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pgen collocations --annotated europarl.en.conllu --bitext europarl.en-fr.tsv > collocations.txt
  pgen collocations --thesaurus wordnet.tsv exceptions.tsv --annotator english.annotator --bitext europarl.en-fr.tsv > collocations.txt")]
pub(crate) struct Collocations {
    #[command(flatten)]
    acquire: Acquire,
    /// The relation.
    #[arg(long, value_name = "LABEL", default_value = "OBJ")]
    relation: String,
    #[command(flatten)]
    morphology: MorphologyArgs,
}

impl Collocations {
    /// Runs the verb.
    pub(crate) fn run(&self, common: &Common) -> Result<u64> {
        let thesaurus = self.morphology.load()?;
        let lemmas = thesaurus.as_deref().map(|lemmas| lemmas as &dyn Morphology);
        let relation = Relation::new(&self.relation, lemmas);
        self.acquire
            .run(common, &mut |source, target, other, links, counts| {
                for_each_collocation(source, target, other, links, relation, |a, b| {
                    counts.add(a, b);
                });
            })
    }
}
