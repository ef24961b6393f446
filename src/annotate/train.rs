//! Training as a whole: tagger, tags that it would give unseen, relations, moves.

use super::annotator::Annotator;
use super::classes::WordClasses;
use super::example::{Example, FitReport, examples};
use super::params::CheckedAnnotatorParams;
use super::parser::{Labeller, Parser};
use super::train_parser::{self, ParserParams};
use super::train_tagger::{self, TaggerParams};
use super::weights::{MoveWeights, Weights};
use pgen_core::formats::conll::ConllSentence;
use pgen_core::{Progress, Result, Stop};

impl CheckedAnnotatorParams {
    /// Trains an annotator on sentences with XPOS tags and dependencies. Trees with crossing arcs are
    /// made projective, sentences with more than one root left out; the report counts both. The same
    /// corpus, classes and settings give the same model, byte for byte.
    ///
    /// Time grows with words × epochs × (folds + beam) × ensemble.
    ///
    /// # Errors
    /// [`pgen_core::Error::Syntax`] for a word without a tag, [`pgen_core::Error::BadParameter`] for
    /// fewer than two sentences to learn from, [`pgen_core::Error::LimitExceeded`] for more than 250
    /// different tags or relations; as [`Stop::check`].
    pub fn fit(
        &self,
        corpus: &[ConllSentence],
        classes: WordClasses,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<(Annotator, FitReport)> {
        let params = &self.0;
        let mut report = FitReport::default();
        let (examples, tags, relations) = examples(corpus, &classes, &mut report)?;
        let all: Vec<&Example> = examples.iter().collect();
        progress.stage("tagger", None);
        let tagger_params = self.tagger_params(tags.len());
        let tagger = train_tagger::train(&all, tagger_params, stop)?;
        progress.stage("tags of unseen parts", Some(params.folds as u64));
        let told = |done| progress.done(done);
        let single = TaggerParams {
            ensemble: 1,
            ..tagger_params
        };
        let own = train_tagger::jackknife(&examples, params.folds, single, stop, told)?;
        report.unseen_tag_accuracy = accuracy(&examples, &own);
        progress.stage("relations", None);
        let parser_params = self.parser_params(relations.len());
        let label_params = ParserParams {
            features: params.label_features,
            ..parser_params
        };
        let label_rows = train_parser::labeller(&examples, &own, label_params, stop)?;
        let labeller = Labeller {
            weights: Weights::new(&label_rows),
            relations: relations.len(),
        };
        progress.stage(
            "moves",
            Some((params.parser_ensemble * params.parser_epochs) as u64),
        );
        let told = |done| progress.done(done);
        let move_rows = train_parser::moves(&examples, &own, &labeller, parser_params, stop, told)?;
        let annotator = Annotator {
            tagger: tagger.tagger(tags.len())?,
            parser: Parser {
                weights: MoveWeights::new(&move_rows),
                labeller,
            },
            tags,
            relations,
            classes,
            beam: params.beam,
            margin: params.margin,
            notice: params.notice.clone(),
            rows: [tagger.rows, label_rows, move_rows],
            pool: Default::default(),
        };
        Ok((annotator, report))
    }

    fn tagger_params(&self, tags: usize) -> TaggerParams {
        let params = &self.0;
        TaggerParams {
            tags,
            epochs: params.tagger_epochs,
            seed: params.seed,
            ensemble: params.tagger_ensemble,
            features: params.tagger_features,
            dictionary: params.dictionary,
        }
    }

    fn parser_params(&self, relations: usize) -> ParserParams {
        let params = &self.0;
        ParserParams {
            relations,
            epochs: params.parser_epochs,
            width: params.beam,
            seed: params.seed,
            ensemble: params.parser_ensemble,
            features: params.parser_features,
        }
    }
}

fn accuracy(examples: &[Example], tags: &[Vec<u8>]) -> f64 {
    let (mut words, mut right) = (0usize, 0usize);
    for (example, tags) in examples.iter().zip(tags) {
        words += tags.len();
        right += example
            .tags
            .iter()
            .zip(tags)
            .filter(|(gold, tag)| gold == tag)
            .count();
    }
    if words == 0 {
        0.0
    } else {
        right as f64 / words as f64
    }
}
