//! Training of the labeller on gold derivations, and of the parser by structured perceptron with
//! maximum-violation updates (Collins & Roark 2004; Huang, Fayong & Guo 2012).

use super::example::Example;
use super::parser::{Breadth, Labeller, Search};
use super::perceptron::{Averages, Perceptron};
use super::tagger::best;
use super::transition::{Chart, Move, Oracle};
use super::view::{Atoms, arc_features};
use super::weights::{Rows, Weights};
use pgen_core::{Result, SplitMix64, Stop};

/// How labeller and parser are trained.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParserParams {
    pub(crate) relations: usize,
    pub(crate) epochs: usize,
    pub(crate) width: usize,
    pub(crate) seed: u64,
    pub(crate) ensemble: usize,
    pub(crate) features: usize,
}

/// Trains the labeller on projective trees with the given tags.
pub(crate) fn labeller(
    examples: &[Example],
    tags: &[Vec<u8>],
    params: ParserParams,
    stop: &Stop,
) -> Result<Rows> {
    let mut averages = Averages::new();
    for member in 0..params.ensemble {
        let mut rng = SplitMix64::stream(params.seed ^ 1, member as u64);
        let mut model = Perceptron::new(params.relations);
        let mut order: Vec<usize> = (0..examples.len()).collect();
        let (mut atoms, mut chart) = (Atoms::default(), Chart::default());
        for _ in 0..params.epochs {
            rng.shuffle(&mut order);
            for &at in &order {
                stop.check()?;
                atoms.set(&examples[at].looks, &tags[at]);
                label_gold(
                    &examples[at],
                    &atoms,
                    &mut chart,
                    &mut model,
                    params.relations,
                );
            }
        }
        model.average_into(&mut averages);
    }
    Ok(Weights::freeze(&averages, params.features))
}

/// Follows the gold derivation, guesses each relation on its own earlier guesses, learns from errors.
fn label_gold(
    example: &Example,
    atoms: &Atoms,
    chart: &mut Chart,
    model: &mut Perceptron,
    relations: usize,
) {
    let oracle = Oracle::new(&example.heads);
    chart.start(example.looks.len());
    let (mut keys, mut scores) = (Vec::new(), vec![0; relations]);
    let mut at = 0;
    for _ in 0..2 * example.looks.len() {
        let state = chart.states[at as usize];
        let by = oracle.next(chart, &state);
        let mut relation = u8::MAX;
        if let Some((head, dependent)) = chart.arc(&state, by) {
            arc_features(atoms, &head, &dependent, &mut keys);
            scores.fill(0);
            model.score(&keys, &mut scores);
            let gold = example.relations[dependent.word as usize];
            relation = best(&scores) as u8;
            if relation != gold {
                model.update(&keys, gold.into(), 1);
                model.update(&keys, relation.into(), -1);
            }
            model.tick();
        }
        at = chart.make(at, by, relation, 0);
    }
}

/// Trains the choice of moves, with a trained labeller at work.
pub(crate) fn moves(
    examples: &[Example],
    tags: &[Vec<u8>],
    labeller: &Labeller,
    params: ParserParams,
    stop: &Stop,
    mut told: impl FnMut(u64),
) -> Result<Rows> {
    let mut averages = Averages::new();
    for member in 0..params.ensemble {
        let mut rng = SplitMix64::stream(params.seed ^ 2, member as u64);
        let mut model = Perceptron::new(Move::ALL.len());
        let mut order: Vec<usize> = (0..examples.len()).collect();
        let mut search = Search::default();
        let breadth = Breadth {
            width: params.width,
            margin: i64::MAX,
        };
        for epoch in 0..params.epochs {
            rng.shuffle(&mut order);
            for &at in &order {
                stop.check()?;
                search.start(&examples[at].looks, &tags[at]);
                learn(&examples[at], labeller, breadth, &mut search, &mut model);
                model.tick();
            }
            told((member * params.epochs + epoch) as u64 + 1);
        }
        model.average_into(&mut averages);
    }
    Ok(Weights::freeze(&averages, params.features))
}

/// Searches with the weights of the moment beside the gold derivation; if another one wins, updates on
/// the prefixes where it leads most.
fn learn(
    example: &Example,
    labeller: &Labeller,
    breadth: Breadth,
    search: &mut Search,
    model: &mut Perceptron,
) {
    let oracle = Oracle::new(&example.heads);
    let mut gold = 0;
    let mut worst: Option<(i64, u32, u32)> = None;
    let mut won = true;
    for _ in 0..2 * example.looks.len() {
        let state = search.chart.states[gold as usize];
        let by = oracle.next(&search.chart, &state);
        let within = search.beam.contains(&gold);
        let scores = search.scores(&state, model);
        search.step(breadth, model, labeller);
        let successor = search.beam.iter().copied().find(|&at| {
            let made = &search.chart.states[at as usize];
            within && made.from == gold && made.by == by
        });
        let score = state.score + i64::from(scores[by as usize]);
        gold = successor.unwrap_or_else(|| search.make(gold, by, score, labeller));
        let score = search.chart.states[gold as usize].score;
        let Some(&top) = search.beam.first() else {
            return;
        };
        won = top == gold;
        let lead = search.chart.states[top as usize].score - score;
        if !won && worst.is_none_or(|worst| lead >= worst.0) {
            worst = Some((lead, top, gold));
        }
    }
    if let (false, Some((_, top, gold))) = (won, worst) {
        update(search, model, top, gold);
    }
}

/// Rewards the moves of one derivation and punishes those of another of the same length, as far back as
/// they differ.
fn update(search: &Search, model: &mut Perceptron, mut guess: u32, mut gold: u32) {
    let mut keys = Vec::new();
    while guess != gold {
        let (bad, good) = (
            search.chart.states[guess as usize],
            search.chart.states[gold as usize],
        );
        search.features(bad.from, &mut keys);
        model.update(&keys, bad.by as usize, -1);
        search.features(good.from, &mut keys);
        model.update(&keys, good.by as usize, 1);
        (guess, gold) = (bad.from, good.from);
    }
}
