//! Sentence pairs with their alignments, for the verbs that need both.

use crate::failure::{Failure, Result};
use crate::input;
use crate::progress::Bar;
use clap::Args;
use pgen::align::{ClassTokens, Corpus, ExtractParams, PairReader, PhraseTable, Unaligned};
use pgen::core::formats::alignment::pharaoh;
use pgen::core::{Alignment, Limits, Vocab, WordId};
use std::path::PathBuf;

/// Where aligned pairs come from, and which phrases to take.
#[derive(Debug, Args)]
pub(crate) struct Aligned {
    /// The table of sentence pairs: two sentences in the last two columns, tokens separated by spaces.
    #[arg(long, value_name = "TSV", requires = "links")]
    pairs: Option<PathBuf>,
    /// A line of links `i-j` for each line of the table.
    #[arg(long, value_name = "FILE", requires = "pairs")]
    links: Option<PathBuf>,
    /// Most cepts of a phrase pair.
    #[arg(long, default_value_t = 5, value_name = "N")]
    max_cepts: usize,
    /// Most words of either side.
    #[arg(long, value_name = "N")]
    max_words: Option<usize>,
    /// Words without links: singleton (each counts as a cept), not-counted or forbid.
    #[arg(long, default_value = "singleton", value_name = "POLICY")]
    unaligned: String,
}

impl Aligned {
    /// The settings of extraction.
    pub(crate) fn params(&self) -> Result<ExtractParams> {
        let unaligned = match self.unaligned.as_str() {
            "singleton" => Unaligned::Singleton,
            "not-counted" => Unaligned::NotCounted,
            "forbid" => Unaligned::Forbid,
            other => {
                return Err(Failure::usage(format_args!(
                    "--unaligned {other}: no such policy"
                )));
            }
        };
        let params = ExtractParams::default()
            .with_max_cepts(self.max_cepts)
            .with_unaligned(unaligned);
        let params = match self.max_words {
            Some(most) => params.with_max_words(most),
            None => params,
        };
        params.check()?;
        Ok(params)
    }

    /// True if pairs and links were named.
    pub(crate) fn is_given(&self) -> bool {
        self.pairs.is_some()
    }

    /// The phrase pairs of the text with their counts; sides must hold the same class tokens.
    pub(crate) fn table(&self, vocab: &mut Vocab, bar: &Bar) -> Result<(Corpus, PhraseTable)> {
        let params = self.params()?;
        let (corpus, alignments) = self.read(vocab)?;
        let classes = ClassTokens::of(vocab);
        let keep = |source: &[WordId], target: &[WordId]| classes.agree(source, target);
        let table = PhraseTable::extract(&corpus, &alignments, &params, keep, bar)?;
        Ok((corpus, table))
    }

    /// Pairs and links, as many of the one as of the other. A pair must have words on both sides.
    pub(crate) fn read(&self, vocab: &mut Vocab) -> Result<(Corpus, Vec<Alignment>)> {
        let limits = Limits::default();
        let (Some(pairs), Some(links)) = (&self.pairs, &self.links) else {
            return Err(Failure::usage("--pairs and --links are needed"));
        };
        let mut links = input::open(Some(links), &limits)?;
        let (mut corpus, mut alignments) = (Corpus::new(), Vec::new());
        let mut pairs = PairReader::new(input::open(Some(pairs), &limits)?);
        while let Some(pair) = pairs.next() {
            let pair = pair?;
            let Some(alignment) = pharaoh::next(&mut links)? else {
                let message = format!("line {} has no links: --links is shorter", pair.line);
                return Err(Failure::input("length-mismatch", message));
            };
            corpus
                .push_text(&pair.source, &pair.target, vocab, &limits)
                .map_err(|error| error.at_place(pairs.place()))?;
            let added = corpus.get(corpus.len() - 1);
            let sizes = added.map_or((0, 0), |pair| (pair.source.len(), pair.target.len()));
            alignment
                .check(sizes.0, sizes.1)
                .map_err(|error| error.at_place(links.place()))?;
            alignments.push(alignment);
        }
        if links.next_line()?.is_some() {
            let message = "--links has more lines than --pairs";
            return Err(Failure::input("length-mismatch", message));
        }
        Ok((corpus, alignments))
    }
}
