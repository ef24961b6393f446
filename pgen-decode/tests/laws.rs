//! Laws of exact lists: worse edges, the order of rows, threads, deadlines.

use pgen_core::{
    Certificate, EdgeSpec, FeatureId, Lattice, LatticeBuilder, Lexicon, Limits, LogProb, NodeId,
    ParaphraseTable, Sentence, SplitMix64, Stop, TableBuilder, Vocab, WordId,
};
use pgen_decode::testing::{BackoffModel, random_lattice};
use pgen_decode::{Decoder, Exact, Identity, LogLinear, Plan, Request, decode_batch};
use std::sync::Arc;
use std::time::Duration;

const CASES: u64 = if cfg!(debug_assertions) { 300 } else { 3_000 };

/// The lattice with one more edge, parallel to one that is there.
fn with_edge(lattice: &Lattice, which: usize, words: &[WordId], log_score: f32) -> Lattice {
    let features = lattice.feature_set().clone();
    let mut builder = LatticeBuilder::new(features, lattice.lexicon().clone(), &Limits::default());
    builder.add_nodes(lattice.node_count()).unwrap();
    for edge in lattice.edges() {
        let features: Vec<_> = lattice.features(edge).to_vec();
        builder
            .add_edge(EdgeSpec {
                from: edge.from,
                to: edge.to,
                span: None,
                words: lattice.words(edge),
                features: &features,
                unit: None,
            })
            .unwrap();
    }
    let beside = lattice.edges()[which];
    builder
        .add_edge(EdgeSpec {
            from: beside.from,
            to: beside.to,
            span: None,
            words,
            features: &[(FeatureId::new(0), log_score)],
            unit: None,
        })
        .unwrap();
    let end = NodeId::new(lattice.node_count() as u32 - 1);
    builder.build(NodeId::new(0), end).unwrap()
}

#[test]
fn a_worse_edge_keeps_the_best() {
    for case in 0..CASES {
        let random = random_lattice(case).unwrap();
        let model = LogLinear::new(&random.model);
        let decode = |lattice: &Lattice| {
            let list = Exact::new().decode(lattice, &model, &Request::best(5));
            list.unwrap().items
        };
        let before = decode(&random.lattice);
        let Some(first) = before.first() else {
            continue;
        };
        let which = case as usize % random.lattice.edges().len();
        let words = random
            .lattice
            .words(&random.lattice.edges()[which])
            .to_vec();
        // Worse than any path that is there, on the words of an edge and on others.
        for words in [&words[..], &[WordId::new(3), WordId::new(4)]] {
            let after = decode(&with_edge(&random.lattice, which, words, -1000.0));
            assert_eq!(after[0].words, first.words, "case {case}");
            assert_eq!(after[0].score, first.score, "case {case}");
        }
    }
}

#[test]
fn the_order_of_rows_changes_nothing() {
    for case in 0..CASES / 3 {
        let mut rng = SplitMix64::stream(case, 5);
        let names = ["s", "t", "u", "v", "w"];
        let mut rows = Vec::new();
        for _ in 0..12 {
            let phrase = |rng: &mut SplitMix64| {
                let length = 1 + rng.below(3) as usize;
                let words: Vec<&str> = (0..length).map(|_| names[rng.below(5) as usize]).collect();
                words.join(" ")
            };
            let value = -(rng.below(4) as f32) * 0.5;
            rows.push((phrase(&mut rng), phrase(&mut rng), value));
        }
        let source: Vec<&str> = (0..5).map(|_| names[rng.below(5) as usize]).collect();
        let plain = texts(&rows, &source);
        rng.shuffle(&mut rows);
        assert_eq!(texts(&rows, &source), plain, "case {case}");
    }
}

/// The list for a table with these rows, spelled out; words get ids as they come.
fn texts(rows: &[(String, String, f32)], source: &[&str]) -> Vec<(String, u64)> {
    let mut vocab = Vocab::new();
    let mut builder = TableBuilder::new(["tm"]);
    for (source, target, value) in rows {
        // Of equal rows the best is kept, so that their order cannot matter.
        builder
            .push_text(&mut vocab, source, target, &[*value])
            .unwrap();
    }
    let mut language = BackoffModel::uniform(LogProb::from_ln(-3.0));
    for (place, name) in ["s", "t", "u", "v", "w"].iter().enumerate() {
        let id = vocab.intern(name).unwrap();
        language.insert(&[id], -1.0 - place as f64 * 0.25, -0.5);
    }
    let id = |name: &str| vocab.get(name).unwrap();
    language.insert(&[id("s"), id("t")], -0.25, 0.0);
    language.insert(&[id("u"), id("s")], -0.5, 0.25);
    let table: ParaphraseTable = builder.build(&vocab).unwrap();
    let lexicon = Lexicon::new(Arc::new(vocab));
    let sentence = Sentence::from_words(source, lexicon, &Limits::default()).unwrap();
    let plan = Plan::new(Limits::default())
        .with_table("tm", &table)
        .with_identity(Identity::WhereMissing(LogProb::from_ln(-2.0)));
    let lattice = plan.build(&sentence).unwrap().lattice;
    let model = LogLinear::new(&language);
    let list = Exact::new()
        .decode(&lattice, &model, &Request::best(30))
        .unwrap();
    let spelled = |words: &[WordId]| lattice.lexicon().join(words);
    let items = list.items.iter();
    items
        .map(|item| (spelled(&item.words), item.score.ln().to_bits()))
        .collect()
}

#[test]
fn threads_change_nothing() {
    let lattices: Vec<Lattice> = (0..200)
        .map(|seed| random_lattice(seed).unwrap().lattice)
        .collect();
    let language = random_lattice(7).unwrap().model;
    let model = LogLinear::new(&language);
    let exact = Exact::new();
    let request = Request::best(10).with_details();
    let one_by_one: Vec<String> = lattices
        .iter()
        .map(|lattice| {
            format!(
                "{:?}",
                Exact::new().decode(lattice, &model, &request).unwrap()
            )
        })
        .collect();
    let batch = || -> Vec<String> {
        let lists = decode_batch(&exact, &lattices, &model, &request);
        lists
            .into_iter()
            .map(|list| format!("{:?}", list.unwrap()))
            .collect()
    };
    #[cfg(feature = "parallel")]
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        assert_eq!(pool.install(batch), one_by_one, "{threads} threads");
    }
    assert_eq!(batch(), one_by_one);
}

/// A sentence of many words with many options each, all of them with words of their own.
fn giant(words: usize, options: usize) -> (Lattice, BackoffModel) {
    let mut vocab = Vocab::new();
    let mut builder = TableBuilder::new(["tm"]);
    let source: Vec<String> = (0..words).map(|at| format!("s{at}")).collect();
    for (at, word) in source.iter().enumerate() {
        for option in 0..options {
            let target = format!("t{at}x{option} u{option}");
            builder
                .push_text(&mut vocab, word, &target, &[-0.5 - option as f32])
                .unwrap();
        }
    }
    let table = builder.build(&vocab).unwrap();
    let mut language = BackoffModel::uniform(LogProb::from_ln(-9.0));
    for id in 3..vocab.len() as u32 {
        let word = WordId::new(id);
        language.insert(&[word], -1.0 - f64::from(id % 7), -0.25);
        for other in (3..vocab.len() as u32).step_by(5) {
            language.insert(
                &[word, WordId::new(other)],
                -0.5 - f64::from((id ^ other) % 5),
                0.0,
            );
        }
    }
    let lexicon = Lexicon::new(Arc::new(vocab));
    let sentence = Sentence::from_words(&source, lexicon, &Limits::default()).unwrap();
    let plan = Plan::new(Limits::default()).with_table("tm", &table);
    (plan.build(&sentence).unwrap().lattice, language)
}

/// Processor time of this thread in ms where the system tells (Linux): a busy machine does not count.
fn processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split(' ').next()?.parse().ok()?;
    Some(nanoseconds / 1e6)
}

/// What is decoded after the time is up, in processor time: a list that ends in time leaves a certificate.
/// `pgen-cli/tests/laws/times.rs` measures the same from outside.
#[test]
#[cfg_attr(debug_assertions, ignore = "release only")]
fn a_late_list_ends_within_ten_milliseconds() {
    if processor().is_none() {
        println!("skipped: the system does not tell a thread's processor time");
        return;
    }
    let (lattice, language) = giant(60, 40);
    let model = LogLinear::new(&language);
    let exact = Exact::new();
    let mut over = Vec::new();
    for round in 0..60 {
        let limit = 1.0 + f64::from(round % 30);
        let before = processor().unwrap_or(0.0);
        let stop = Stop::after(Duration::from_secs_f64(limit / 1e3));
        let request = Request::best(100).with_stop(stop);
        let list = exact.decode(&lattice, &model, &request).unwrap();
        let spent = processor().unwrap_or(0.0) - before;
        over.push(spent - limit);
        assert!(matches!(list.certificate, Certificate::Bounded { .. }) || !list.items.is_empty());
    }
    over.sort_by(f64::total_cmp);
    let (middle, p99, most) = (over[30], over[58], over[59]);
    println!("late by ms of processor time: p50 {middle:.2}, p99 {p99:.2}, most {most:.2}");
    assert!(p99 <= 10.0, "{over:?}");
}
