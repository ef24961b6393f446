//! `pgen thesaurus`: a table of synonyms.

use crate::Common;
use crate::failure::Result;
use crate::input;
use crate::output::{self, Output};
use clap::{Args, ValueEnum};
use pgen::align::{Senses, SynonymTable, tokens};
use pgen::core::codec::Packing;
use pgen::core::formats::moses;
use pgen::core::thesaurus::Thesaurus;
use pgen::core::{Limits, Vocab};
use std::path::PathBuf;

/// Make a table of synonyms from a thesaurus such as WordNet and from lists of synonyms.
///
/// Synonyms take the inflection of the word that they replace. Sets: a line `id TAB lemmas TAB relations`;
/// exceptions: `class TAB form TAB lemmas`. The k-th sense of a word weighs 1/k, a pair of a list 1, both
/// ways; p is a pair's weight over all weights of its source. Output: `s ||| t ||| p`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  pgen thesaurus --sets wordnet.tsv.gz --exceptions exceptions.tsv.gz --synonyms ppdb.tsv.gz \\
    --words vocabulary --out synonyms.pgen")]
pub(crate) struct ThesaurusVerb {
    /// Synonym sets.
    #[arg(long, value_name = "TSV", required_unless_present = "synonyms")]
    sets: Option<PathBuf>,
    /// Irregular forms.
    #[arg(long, value_name = "TSV", requires = "sets")]
    exceptions: Option<PathBuf>,
    /// Lists of synonyms: two tab-separated entries a line, or a word and its synonyms.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    synonyms: Vec<PathBuf>,
    /// Make rows for these words alone (the first column of each line) instead of for all.
    #[arg(long, value_name = "FILE")]
    words: Option<PathBuf>,
    /// Which senses of a word count.
    #[arg(long, value_enum, default_value_t = Which::All)]
    senses: Which,
    /// Write a compact table here instead, with the feature `synonym`, ln p.
    #[arg(long, value_name = "TABLE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Which {
    /// The first of each word class.
    First,
    /// All.
    All,
}

impl ThesaurusVerb {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        if let Some(path) = &self.out {
            output::check_writable(path)?;
        }
        let limits = Limits::default();
        let senses = match self.senses {
            Which::First => Senses::First,
            Which::All => Senses::All,
        };
        let mut table = SynonymTable::new();
        if let Some(thesaurus) = self.thesaurus(&limits)? {
            match &self.words {
                None => table.add_all(&thesaurus, senses)?,
                Some(path) => {
                    let mut lines = input::open(Some(path), &limits)?;
                    while let Some((_, line)) = lines.next_line()? {
                        if let Some(word) = tokens(line).next() {
                            table.add_word(&thesaurus, word, senses)?;
                        }
                    }
                }
            }
        }
        for path in &self.synonyms {
            table.add_list(&mut input::open(Some(path), &limits)?)?;
        }
        let mut vocab = Vocab::new();
        let built = table.build(&mut vocab)?;
        match &self.out {
            Some(path) => built.save(path, &vocab, Packing::Plain)?,
            None => {
                let mut out = Output::new();
                moses::write(&mut out, &built, &vocab, false)?;
                out.flush()?;
            }
        }
        if !common.quiet {
            output::message(&format!("{} pairs", built.len()));
        }
        Ok(0)
    }

    fn thesaurus(&self, limits: &Limits) -> Result<Option<Thesaurus>> {
        let Some(sets) = &self.sets else {
            return Ok(None);
        };
        let exceptions = self.exceptions.as_ref();
        let exceptions = exceptions.map(|path| input::open(Some(path), limits));
        let read = Thesaurus::read(input::open(Some(sets), limits)?, exceptions.transpose()?);
        Ok(Some(read?))
    }
}
