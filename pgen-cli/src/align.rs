//! `pgen align`: word alignments of sentence pairs.

use crate::Common;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::{self, ErrorLine, Output};
use crate::progress::Bar;
use clap::Args;
use pgen::align::{
    BothClasses, Corpus, Heuristic, MemoryEstimate, Method, PairReader, TrainOptions, Trained,
    WordClasses, align_corpus, tokens,
};
use pgen::core::codec::Packing;
use pgen::core::formats::alignment::pharaoh;
use pgen::core::{Alignment, Limits, Progress, Vocab};
use serde::Serialize;
use std::collections::HashSet;
use std::path::PathBuf;

/// Align the words of sentence pairs.
///
/// Each line of the table holds two sentences in its last two columns, tokens separated by spaces. One
/// line of links `i-j` (from 0, first sentence first) comes out for each line, in order; an empty one for
/// a line that is no pair. The aligner learns from the same lines, without any hand-made links, unless
/// --model names a trained one.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pgen align --pairs pairs.tsv > links
  pgen align --pairs pairs.tsv --method hmm --symmetrize grow-diag-final-and
  pgen align --pairs pairs.tsv --model-out aligner && pgen align --pairs more.tsv --model aligner")]
pub(crate) struct Align {
    /// The table of sentence pairs; - is standard input.
    #[arg(long, value_name = "TSV")]
    pairs: PathBuf,
    /// model1, model2, hmm, model3, model4 or best (for pairs in one language).
    #[arg(long, default_value = "best", value_name = "M")]
    method: Method,
    /// intersection, union, grow, grow-diag, grow-diag-final, grow-diag-final-and, och or best.
    #[arg(long, default_value = "best", value_name = "H")]
    symmetrize: String,
    /// Word pairs that may translate each other, two columns; for --method best.
    #[arg(long, value_name = "TSV")]
    lexicon: Option<PathBuf>,
    /// Do not add each word as its own translation to the training text; for the methods but best.
    #[arg(long)]
    no_identity_lexicon: bool,
    /// Word classes for Model 4 (word, tab, class; as mkcls and `pgen lm clusters` write them): of the first
    /// language and of the second; one file serves both sides of pairs in one language.
    #[arg(long, num_args = 1..=2, value_name = "FILE", conflicts_with = "model")]
    classes: Vec<PathBuf>,
    /// Estimate Model 1 and the HMM by variational Bayes with this pseudo-count instead of plain EM; for the
    /// methods but best.
    #[arg(
        long,
        default_value_t = 0.0,
        value_name = "ALPHA",
        conflicts_with = "model"
    )]
    bayes: f64,
    /// Save the trained aligner here.
    #[arg(long, value_name = "FILE")]
    model_out: Option<PathBuf>,
    /// Use this trained aligner instead of training one.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["method", "symmetrize", "model_out"])]
    model: Option<PathBuf>,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

/// What a line of the table is.
enum Line {
    Blank,
    Pair,
    Bad(Failure),
}

#[derive(Serialize)]
struct Links {
    links: Vec<[u32; 2]>,
}

impl Align {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let limits = Limits::default();
        let heuristic = match self.symmetrize.as_str() {
            "best" => None,
            name => Some(name.parse::<Heuristic>().map_err(Failure::usage)?),
        };
        let (mut vocab, trained) = match &self.model {
            Some(path) => {
                let (vocab, model) = Trained::load(path, &limits)?;
                (vocab, Some(model))
            }
            None => (Vocab::new(), None),
        };
        if let Some(path) = &self.model_out {
            output::check_writable(path)?;
        }
        let (mut corpus, lines) = self.read(&mut vocab, &limits)?;
        let links = match trained {
            Some(model) => align_corpus(&model, &corpus),
            None if corpus.is_empty() => Vec::new(),
            None => {
                let bar = Bar::new(common.quiet);
                let model = self.train(&mut corpus, &vocab, heuristic, &bar)?;
                bar.finish();
                if let Some(path) = &self.model_out {
                    model.save(path, &vocab, Packing::Plain)?;
                }
                align_corpus(&model, &corpus)
            }
        };
        self.print(&lines, &links)
    }

    fn read(&self, vocab: &mut Vocab, limits: &Limits) -> Result<(Corpus, Vec<Line>)> {
        let (mut corpus, mut lines) = (Corpus::new(), Vec::new());
        let mut pairs = PairReader::new(input::open(Some(&self.pairs), limits)?);
        while let Some(item) = pairs.next() {
            let line = match item {
                Ok(pair)
                    if tokens(&pair.source)
                        .chain(tokens(&pair.target))
                        .next()
                        .is_none() =>
                {
                    Line::Blank
                }
                Ok(pair) => match corpus.push_text(&pair.source, &pair.target, vocab, limits) {
                    Ok(()) => Line::Pair,
                    Err(error) => Line::Bad(error.at_place(pairs.place()).into()),
                },
                // The file itself cannot be read on.
                Err(error) if matches!(error.code(), "io" | "corrupt") => return Err(error.into()),
                Err(error) if is_blank(&error) => Line::Blank,
                Err(error) => Line::Bad(error.into()),
            };
            lines.push(line);
        }
        Ok((corpus, lines))
    }

    fn train(
        &self,
        corpus: &mut Corpus,
        vocab: &Vocab,
        heuristic: Option<Heuristic>,
        bar: &Bar,
    ) -> Result<Trained> {
        if self.method != Method::Best && !self.no_identity_lexicon {
            corpus.add_identity_lexicon();
        }
        let known = self.lexicon()?;
        let weight = |a: &str, b: &str| {
            let pair = (a.to_lowercase(), b.to_lowercase());
            f64::from(u8::from(known.contains(&pair)))
        };
        let mut options = TrainOptions::new(self.method)
            .with_heuristic(heuristic)
            .with_classes(self.classes(vocab)?)
            .with_alpha(self.bayes);
        let need = MemoryEstimate::of(corpus, self.method).bytes;
        bar.note(&format!(
            "training takes about {} MiB",
            need.div_ceil(1 << 20)
        ));
        if !known.is_empty() {
            options = options.with_lexicon(&weight);
        }
        Ok(Trained::fit(corpus, vocab, &options, bar)?)
    }

    /// The classes of both languages, for the words of this vocabulary.
    fn classes(&self, vocab: &Vocab) -> Result<BothClasses> {
        let read = |path: &PathBuf| -> Result<WordClasses> {
            let mut all = vocab.clone();
            let mut lines = input::open(Some(path), &Limits::default())?;
            let clusters = pgen::core::WordClasses::read(&mut lines, &mut all)?;
            Ok(WordClasses::from_clusters(&clusters)?)
        };
        Ok(match &self.classes[..] {
            [] => BothClasses::default(),
            [source, rest @ ..] => {
                let source = read(source)?;
                let target = match rest {
                    [target, ..] => read(target)?,
                    [] => source.clone(),
                };
                BothClasses { source, target }
            }
        })
    }

    /// The lexicon's pairs, lower-cased, both ways round.
    fn lexicon(&self) -> Result<HashSet<(String, String)>> {
        let mut known = HashSet::new();
        let Some(path) = &self.lexicon else {
            return Ok(known);
        };
        for pair in PairReader::new(input::open(Some(path), &Limits::default())?) {
            let pair = pair?;
            let (a, b) = (pair.source.to_lowercase(), pair.target.to_lowercase());
            known.insert((b.clone(), a.clone()));
            known.insert((a, b));
        }
        Ok(known)
    }

    fn print(&self, lines: &[Line], links: &[Alignment]) -> Result<u64> {
        let (mut out, mut links, mut bad) = (Output::new(), links.iter(), 0);
        let none = Alignment::new();
        for (number, line) in (1u64..).zip(lines) {
            let alignment = match line {
                Line::Blank => &none,
                Line::Pair => links.next().unwrap_or(&none),
                Line::Bad(failure) => {
                    bad += 1;
                    let message = failure.to_string();
                    output::message(&format!(
                        "pgen: line {number}: {message} [{}]",
                        failure.code()
                    ));
                    if self.json {
                        out.json(&ErrorLine::new(failure.code(), &message))?;
                        continue;
                    }
                    &none
                }
            };
            if self.json {
                let links = alignment
                    .links()
                    .iter()
                    .map(|link| [link.source, link.target]);
                out.json(&Links {
                    links: links.collect(),
                })?;
            } else {
                out.line(&pharaoh::format(alignment))?;
            }
        }
        out.flush()?;
        if bad > 0 {
            output::message(&format!(
                "pgen: {bad} of {} lines could not be aligned",
                lines.len()
            ));
        }
        Ok(bad)
    }
}

/// True for the error of a line without any text.
fn is_blank(error: &pgen::align::Error) -> bool {
    match error {
        pgen::align::Error::Core(pgen::core::Error::Syntax { found, .. }) => {
            found.trim().is_empty()
        }
        _ => false,
    }
}
