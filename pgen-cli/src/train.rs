//! `pgen train`: from text and pairs of sentences to a model file.

use crate::Common;
use crate::failure::Result;
use crate::output;
use crate::progress::Bar;
use clap::Args;
use pgen::core::Limits;
use pgen::core::codec::Packing;
use pgen::train::{Sources, TrainParams, train};
use std::path::PathBuf;

/// Train a model: align, extract, score, clean, count, pack.
///
/// Paraphrases are learned from pairs and groups of sentences of one meaning, and from bitext (sentences
/// with a translation) through the other language. The language model is learned from --text. A report
/// goes to standard output. All files are UTF-8, plain or gzip.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  pgen train --pairs pairs.tsv --groups captions.tsv.gz --text news.txt --out news.pgen
  pgen paraphrase --model news.pgen \"A sentence like those.\"")]
pub(crate) struct Train {
    /// Tables whose last two columns are sentences of one meaning; of three columns the first is a label,
    /// and rows labelled 0 are skipped.
    #[arg(long, num_args = 1.., value_name = "TSV")]
    pairs: Vec<PathBuf>,
    /// Tables of an id and any number of sentences of one meaning; lines with # are headers.
    #[arg(long, num_args = 1.., value_name = "TSV")]
    groups: Vec<PathBuf>,
    /// Tables whose last two columns are a sentence and its translation.
    #[arg(long, num_args = 1.., value_name = "TSV")]
    bitext: Vec<PathBuf>,
    /// Text for the language model, a sentence or paragraph a line.
    #[arg(long, num_args = 1.., value_name = "FILE", required = true)]
    text: Vec<PathBuf>,
    /// Thesaurus: a table of synonym sets and one of irregular forms.
    #[arg(long, num_args = 2, value_names = ["SETS", "EXCEPTIONS"])]
    thesaurus: Vec<PathBuf>,
    /// Synonym lists, which vote on rows but make none.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    synonyms: Vec<PathBuf>,
    /// Lexicons of replacements: source and target, lower-case words separated by blanks, and a tab
    /// between. No statistics need to speak for their rows.
    #[arg(long, num_args = 1.., value_name = "TSV")]
    lexicon: Vec<PathBuf>,
    /// Judged rows: source, target, times accepted, times rejected, separated by tabs. Reliability is
    /// learned from them.
    #[arg(long, num_args = 1.., value_name = "TSV")]
    judgements: Vec<PathBuf>,
    /// The model file to write.
    #[arg(long, value_name = "MODEL")]
    out: PathBuf,
    /// Order of the language model.
    #[arg(long, default_value_t = 3)]
    order: usize,
    /// Entropy threshold below which n-grams are dropped.
    #[arg(long, default_value_t = 0.0, value_name = "X")]
    prune: f64,
    /// Bits of a stored value; 0 keeps full precision.
    #[arg(long, default_value_t = 0, value_name = "BITS")]
    quantize: u8,
    /// Words seen less often are unknown to the language model.
    #[arg(long, default_value_t = 1, value_name = "N")]
    min_word_count: u64,
    /// Phrases seen less often are dropped.
    #[arg(long, default_value_t = 1.0, value_name = "N")]
    min_count: f64,
    /// Least probability of a row without votes.
    #[arg(long, default_value_t = 0.0, value_name = "P")]
    min_probability: f64,
    /// Longest phrase in words.
    #[arg(long, default_value_t = 5, value_name = "N")]
    max_words: usize,
    /// Rows kept for each source.
    #[arg(long, default_value_t = 20, value_name = "N")]
    kappa: usize,
    /// Do not apply the rules for English rows (names, numbers, negation, opposites, inflection).
    #[arg(long)]
    no_english_filter: bool,
    #[command(flatten)]
    more: crate::model::MoreTables,
    /// What the model file says about itself.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

impl Train {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        output::check_writable(&self.out)?;
        let bar = Bar::new(common.quiet);
        let (mut bundle, mut report) =
            train(&self.sources(), &self.params(), &Limits::default(), &bar)?;
        bar.finish();
        self.more.add(&mut bundle)?;
        if let Some(title) = self.title {
            bundle.about.insert("title".to_owned(), title);
        }
        bundle.save(&self.out, Packing::Deflate)?;
        report.file_bytes = std::fs::metadata(&self.out).map_or(0, |file| file.len());
        let mut out = output::Output::new();
        out.line(&report.to_string())?;
        out.flush()?;
        Ok(0)
    }

    fn params(&self) -> TrainParams {
        let mut params = TrainParams::default();
        params.order = self.order;
        params.prune = self.prune;
        params.quantize_bits = self.quantize;
        params.min_word_count = self.min_word_count;
        params.min_count = self.min_count;
        params.min_probability = self.min_probability;
        params.max_words = self.max_words;
        params.kappa = self.kappa;
        params.english_filter = !self.no_english_filter;
        params
    }

    fn sources(&self) -> Sources {
        let mut sources = Sources::default();
        sources.pairs.clone_from(&self.pairs);
        sources.groups.clone_from(&self.groups);
        sources.bitext.clone_from(&self.bitext);
        sources.text.clone_from(&self.text);
        sources.thesaurus = <[PathBuf; 2]>::try_from(self.thesaurus.clone()).ok();
        sources.synonyms.clone_from(&self.synonyms);
        sources.lexicons.clone_from(&self.lexicon);
        sources.judgements.clone_from(&self.judgements);
        sources
    }
}
