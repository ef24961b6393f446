//! Monte-Carlo generation on the toy of Chevelu et al. 2010, Example 1, and on odd input.

use pgen_core::{
    Lexicon, Limits, LogProb, ParaphraseTable, Sentence, Stop, TableBuilder, Vocab, WordId,
};
use pgen_decode::testing::{BackoffModel, random_lattice};
use pgen_decode::{
    Decoder, Exact, Found, Identity, LogLinear, Mode, MonteCarlo, Plan, Planned, Request,
};
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

struct Toy {
    planned: Planned,
    model: BackoffModel,
    source: Vec<WordId>,
}

fn golden(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn toy() -> Toy {
    let rules = golden(include_str!("golden/c03_toy_true_score.json"));
    let lm = golden(include_str!("golden/c05_toy_lm.json"));
    let mut vocab = Vocab::new();
    let model = BackoffModel::from_arpa(lm["arpa"].as_str().unwrap(), &mut vocab).unwrap();
    let mut builder = TableBuilder::new(["tm"]);
    for rule in rules["rules"].as_object().unwrap().values() {
        let text = |at: usize| rule[at].as_str().unwrap();
        let value = rule[2].as_f64().unwrap().ln() as f32;
        builder
            .push_text(&mut vocab, text(0), text(1), &[value])
            .unwrap();
    }
    let table: ParaphraseTable = builder.build(&vocab).unwrap();
    let words = rules["source"].as_str().unwrap().split(' ');
    let lexicon = Lexicon::new(Arc::new(vocab));
    let sentence = Sentence::from_words(words, lexicon, &Limits::default()).unwrap();
    let plan = Plan::new(Limits::default())
        .with_table("tm", &table)
        .with_identity(Identity::WhereMissing(LogProb::ONE));
    Toy {
        planned: plan.build(&sentence).unwrap(),
        model,
        source: sentence.words().to_vec(),
    }
}

impl Toy {
    fn run(&self, settings: &MonteCarlo, request: &Request) -> Found {
        let model = LogLinear::new(&self.model);
        settings
            .search(&self.planned.lattice, &model, request)
            .unwrap()
    }

    fn text(&self, words: &[WordId]) -> String {
        self.planned.lattice.lexicon().join(words)
    }
}

fn settings(mode: Mode, seed: u64) -> MonteCarlo {
    let settings = MonteCarlo::default().with_mode(mode).with_seed(seed);
    settings
        .with_episodes(200)
        .unwrap()
        .with_rave_visits(50.0)
        .unwrap()
}

#[test]
fn optimum_of_c07_for_all_seeds() {
    let golden = golden(include_str!("golden/c07_mcpg.json"));
    let toy = toy();
    for mode in [Mode::TrueScore, Mode::Translator] {
        for seed in 0..5 {
            let found = toy.run(&settings(mode, seed), &Request::best(20));
            let (score, first) = &found.items[0];
            assert_eq!(toy.text(&first.words), golden["optimum_string"]);
            let optimum = golden["optimum"].as_f64().unwrap();
            // Rule probabilities are stored in 32 bits.
            assert!((score - optimum).abs() < 1e-6, "{score} {optimum}");
            assert!(found.committed.is_some(), "{mode:?} {seed}");
            assert!(found.texts >= 9, "{mode:?} {seed}: {}", found.texts);
        }
    }
}

#[test]
fn scores_are_true_and_never_above_the_optimum() {
    let toy = toy();
    let model = LogLinear::new(&toy.model);
    let lattice = &toy.planned.lattice;
    let exact = Exact::new()
        .decode(lattice, &model, &Request::best(100))
        .unwrap();
    for mode in [Mode::TrueScore, Mode::Translator] {
        let request = Request::best(100)
            .with_source(toy.source.clone())
            .with_details();
        let found = settings(mode, 7).decode(lattice, &model, &request).unwrap();
        assert!(
            found
                .items
                .is_sorted_by(|a, b| a.score.ln() >= b.score.ln())
        );
        for item in &found.items {
            let same = exact
                .items
                .iter()
                .find(|other| other.words == item.words)
                .unwrap();
            assert_eq!(same.score, item.score);
            assert!(item.derivations.is_some() && item.marginal.is_some());
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_list() {
    let toy = toy();
    let key = |found: &Found| -> Vec<(u64, Vec<WordId>)> {
        let items = found.items.iter();
        items
            .map(|(reward, item)| (reward.to_bits(), item.words.clone()))
            .collect()
    };
    let run = |seed| toy.run(&settings(Mode::TrueScore, seed), &Request::best(50));
    let (first, second) = (run(3), run(3));
    assert_eq!(key(&first), key(&second));
    assert_eq!(
        (first.episodes, first.curve),
        (second.episodes, second.curve)
    );
}

#[test]
fn a_sentence_score_rules() {
    let toy = toy();
    let model = LogLinear::new(&toy.model);
    // Long texts with a beast.
    let wanted = |text: &[WordId], words: &Lexicon| {
        let beast = text.iter().any(|&word| words.word(word) == "beast");
        text.len() as f64 + if beast { 10.0 } else { 0.0 }
    };
    let found = settings(Mode::TrueScore, 0)
        .search_with(&toy.planned.lattice, &model, &Request::best(3), &wanted)
        .unwrap();
    assert_eq!(found.items[0].0, 18.0);
    let nan = |_: &[WordId], _: &Lexicon| f64::NAN;
    let found = settings(Mode::TrueScore, 0)
        .search_with(&toy.planned.lattice, &model, &Request::best(3), &nan)
        .unwrap();
    assert!(found.items.is_empty());
}

#[test]
fn budget_and_deadline_leave_an_answer() {
    let toy = toy();
    let mut limits = Limits::default();
    limits.pops = 3;
    let found = toy.run(
        &settings(Mode::TrueScore, 0),
        &Request::best(5).with_limits(limits),
    );
    assert_eq!((found.episodes, found.committed), (3, None));
    assert!(!found.items.is_empty());
    let stop = Stop::after(Duration::from_millis(30));
    let long = MonteCarlo::default().with_episodes(u64::MAX).unwrap();
    let start = Instant::now();
    let found = toy.run(&long, &Request::best(1).with_stop(stop));
    assert!(start.elapsed() < Duration::from_secs(5) && !found.items.is_empty());
    assert!(found.curve.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
}

#[test]
fn bad_settings_and_lattices_are_refused() {
    let error = MonteCarlo::default().with_episodes(0).unwrap_err();
    assert_eq!(error.code(), "bad-parameter");
    for visits in [f64::NAN, -1.0, f64::INFINITY] {
        let error = MonteCarlo::default().with_rave_visits(visits).unwrap_err();
        assert_eq!(error.code(), "bad-parameter");
    }
    // Edges without a source stretch.
    let random = random_lattice(1).unwrap();
    let model = LogLinear::new(&random.model);
    let error = MonteCarlo::default().search(&random.lattice, &model, &Request::best(1));
    assert_eq!(error.unwrap_err().code(), "unsupported-lattice");
}

#[test]
fn nothing_to_do_is_the_source() {
    let mut vocab = Vocab::new();
    let word = vocab.intern("alone").unwrap();
    let lexicon = Lexicon::new(Arc::new(vocab));
    let sentence = Sentence::from_words(["alone"], lexicon, &Limits::default()).unwrap();
    let plan = Plan::new(Limits::default()).with_identity(Identity::Always(LogProb::ONE));
    let planned = plan.build(&sentence).unwrap();
    let language = BackoffModel::uniform(LogProb::from_ln(-1.0));
    let model = LogLinear::new(&language);
    for mode in [Mode::TrueScore, Mode::Translator] {
        let found = settings(mode, 0);
        let found = found
            .search(&planned.lattice, &model, &Request::best(5))
            .unwrap();
        assert_eq!(found.items.len(), 1);
        assert_eq!(found.items[0].1.words, [word]);
    }
}
