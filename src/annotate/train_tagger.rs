//! Training of the tagger, and tags for its own training data from taggers that did not see them.

use super::example::Example;
use super::perceptron::{Averages, Perceptron};
use super::tagger::{Context, TagDictionary, Tagger, best};
use super::weights::{Rows, Weights};
use pgen_core::{Result, SplitMix64, Stop};
use std::collections::BTreeMap;

/// How the tagger is trained.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TaggerParams {
    pub(crate) tags: usize,
    pub(crate) epochs: usize,
    pub(crate) seed: u64,
    pub(crate) ensemble: usize,
    pub(crate) features: usize,
    /// Words seen less often get no entry in the dictionary.
    pub(crate) dictionary: u32,
}

/// What training yields: the dictionary and the weights' rows.
#[derive(Clone, Debug)]
pub(crate) struct TrainedTagger {
    pub(crate) dictionary: TagDictionary,
    pub(crate) rows: Rows,
}

impl TrainedTagger {
    pub(crate) fn tagger(&self, tags: usize) -> Result<Tagger> {
        Ok(Tagger {
            dictionary: self.dictionary.clone(),
            weights: Weights::new(&self.rows),
            tags,
        })
    }
}

/// Trains on the examples; the sum of an ensemble of averaged perceptrons.
pub(crate) fn train(
    examples: &[&Example],
    params: TaggerParams,
    stop: &Stop,
) -> Result<TrainedTagger> {
    let dictionary = dictionary(examples, params.dictionary);
    let mut averages = Averages::new();
    for member in 0..params.ensemble {
        let mut rng = SplitMix64::stream(params.seed, member as u64);
        let mut model = Perceptron::new(params.tags);
        let mut order: Vec<usize> = (0..examples.len()).collect();
        let mut learner = Learner {
            context: Context::default(),
            keys: Vec::new(),
            scores: vec![0; params.tags],
        };
        for _ in 0..params.epochs {
            rng.shuffle(&mut order);
            for &at in &order {
                stop.check()?;
                learner.sentence(examples[at], &dictionary, &mut model);
            }
        }
        model.average_into(&mut averages);
    }
    Ok(TrainedTagger {
        dictionary,
        rows: Weights::freeze(&averages, params.features),
    })
}

struct Learner {
    context: Context,
    keys: Vec<u32>,
    scores: Vec<i32>,
}

impl Learner {
    /// Tags a sentence with the weights of the moment, on its own earlier tags, and learns from errors.
    fn sentence(&mut self, example: &Example, known: &TagDictionary, model: &mut Perceptron) {
        self.context.set(&example.looks, known);
        let mut before = [0, 0];
        for (at, &gold) in example.tags.iter().enumerate() {
            self.context.features(at, before, &mut self.keys);
            self.scores.fill(0);
            model.score(&self.keys, &mut self.scores);
            let guess = best(&self.scores);
            if guess != usize::from(gold) {
                model.update(&self.keys, gold.into(), 1);
                model.update(&self.keys, guess, -1);
            }
            model.tick();
            before = [guess as u32 + 1, before[0]];
        }
    }
}

/// Tags of words seen at least `least` times: up to three with a share of a tenth or more.
fn dictionary(examples: &[&Example], least: u32) -> TagDictionary {
    let mut counts: BTreeMap<u32, BTreeMap<u8, u32>> = BTreeMap::new();
    for example in examples {
        for (look, &tag) in example.looks.iter().zip(&example.tags) {
            *counts
                .entry(look.lower)
                .or_default()
                .entry(tag)
                .or_default() += 1;
        }
    }
    TagDictionary::new(counts.into_iter().filter_map(|(word, tags)| {
        let total: u32 = tags.values().sum();
        let mut tags: Vec<(u8, u32)> = tags.into_iter().collect();
        tags.retain(|&(_, count)| count * 10 >= total);
        tags.sort_by_key(|&(tag, count)| (std::cmp::Reverse(count), tag));
        let packed = tags.iter().take(3).rev();
        let packed = packed.fold(0, |packed, &(tag, _)| (packed << 8) | (u32::from(tag) + 1));
        (total >= least).then_some((word, packed))
    }))
}

/// Tags every example by a tagger trained on the other folds (jackknifing), so that what is trained on
/// the tags meets the errors it will meet later.
pub(crate) fn jackknife(
    examples: &[Example],
    folds: usize,
    params: TaggerParams,
    stop: &Stop,
    mut told: impl FnMut(u64),
) -> Result<Vec<Vec<u8>>> {
    let mut tags = vec![Vec::new(); examples.len()];
    for fold in 0..folds {
        let others = examples
            .iter()
            .enumerate()
            .filter(|(at, _)| at % folds != fold);
        let others: Vec<&Example> = others.map(|(_, example)| example).collect();
        let tagger = train(&others, params, stop)?.tagger(params.tags)?;
        for (at, example) in examples.iter().enumerate() {
            if at % folds == fold {
                tags[at] = tagger.tag(&example.looks);
            }
        }
        told(fold as u64 + 1);
    }
    Ok(tags)
}
