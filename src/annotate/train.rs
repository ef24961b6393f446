//! Training as a whole: examples, tagger, jackknifed tags, labeller, parser.

use super::annotator::Annotator;
use super::classes::WordClasses;
use super::corpus::{Gold, Names};
use super::look::Look;
use super::params::{AnnotatorParams, CheckedAnnotatorParams};
use super::parser::{Labeller, Parser};
use super::train_parser::{self, ParserParams};
use super::train_tagger::{self, Example, TaggerParams};
use super::transition::projectivize;
use super::weights::{MoveWeights, Weights};
use pgen_core::{Progress, Result, Stop};

/// What training saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct FitReport {
    /// Sentences used.
    pub sentences: usize,
    /// Words in them.
    pub words: usize,
    /// Sentences whose tree had crossing arcs and was made projective.
    pub projectivized: usize,
    /// Sentences left out
    pub skipped: usize,
}

impl CheckedAnnotatorParams {
    /// Trains.
    pub fn fit(
        &self,
        corpus: &[Gold],
        classes: WordClasses,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<(Annotator, FitReport)> {
        let p = &self.0;
        let tags = Names::collect(corpus.iter().flat_map(|gold| &gold.tags))?;
        let relations = Names::collect(corpus.iter().flat_map(|gold| &gold.relations))?;
        let mut report = FitReport::default();
        let examples: Vec<Example> = corpus
            .iter()
            .map(|gold| example(gold, &classes, &tags, &relations, &mut report))
            .collect();
        let all: Vec<&Example> = examples.iter().collect();
        let tagger_params = tagger_params(p, tags.len());
        progress.stage("tagger", None);
        let trained = train_tagger::train(&all, tagger_params, stop)?;
        progress.stage("tags of the other folds", Some(p.folds as u64));
        let single = TaggerParams {
            ensemble: 1,
            ..tagger_params
        };
        let told = |fold| progress.done(fold);
        let own = train_tagger::jackknife(&examples, p.folds, single, stop, told)?;
        let right: usize = own
            .iter()
            .zip(&examples)
            .map(|(o, e)| o.iter().zip(&e.tags).filter(|(a, b)| a == b).count())
            .sum();
        progress.note(&format!(
            "jackknife tag accuracy {:.4}",
            right as f64 / report.words as f64
        ));
        let parser_params = parser_params(p, relations.len());
        progress.stage("relations", None);
        let label_params = ParserParams {
            features: p.label_features,
            ..parser_params
        };
        let label_rows = train_parser::labeller(&examples, &own, label_params, stop)?;
        let labeller = Labeller {
            weights: Weights::new(&label_rows)?,
            relations: relations.len(),
        };
        progress.stage("moves", Some((p.ensemble * p.parser_epochs) as u64));
        let move_rows =
            train_parser::moves(&examples, &own, &labeller, parser_params, stop, |n| {
                progress.done(n)
            })?;
        Ok((
            Annotator {
                tags,
                relations,
                tagger: trained.tagger(tagger_params.tags)?,
                parser: Parser {
                    weights: MoveWeights::new(&move_rows),
                    labeller,
                },
                classes,
                beam: p.beam,
                rows: [trained.rows, label_rows, move_rows],
            },
            report,
        ))
    }
}

fn tagger_params(p: &AnnotatorParams, tags: usize) -> TaggerParams {
    TaggerParams {
        tags,
        epochs: p.tagger_epochs,
        seed: p.seed,
        ensemble: p.ensemble,
        features: p.tagger_features,
        dictionary: p.dictionary,
    }
}

fn parser_params(p: &AnnotatorParams, relations: usize) -> ParserParams {
    ParserParams {
        relations,
        epochs: p.parser_epochs,
        width: p.beam,
        seed: p.seed,
        ensemble: p.ensemble,
        features: p.parser_features,
    }
}

fn example(
    gold: &Gold,
    classes: &WordClasses,
    tags: &Names,
    relations: &Names,
    report: &mut FitReport,
) -> Example {
    let n = gold.forms.len() as u32;
    let mut heads: Vec<u32> = gold
        .heads
        .iter()
        .map(|&h| if h == 0 { n } else { h - 1 })
        .collect();
    report.sentences += 1;
    report.words += gold.forms.len();
    report.projectivized += usize::from(projectivize(&mut heads) > 0);
    Example {
        looks: gold
            .forms
            .iter()
            .map(|form| Look::new(form, classes))
            .collect(),
        tags: gold
            .tags
            .iter()
            .map(|tag| tags.id(tag).unwrap_or(0))
            .collect(),
        heads,
        relations: gold
            .relations
            .iter()
            .map(|r| relations.id(r).unwrap_or(0))
            .collect(),
    }
}
