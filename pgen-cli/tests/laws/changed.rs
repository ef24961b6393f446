//! Inputs changed in ways whose effect on the answer is known.

use crate::{Tested, cases, counted};
use pgen::align::{Corpus, Direction, Hmm, HmmParams, Model1, Model1Params};
use pgen::core::{
    EdgeSpec, FeatureId, Lattice, LatticeBuilder, Lexicon, Limits, LogProb, Sentence, SplitMix64,
    TableBuilder, Vocab, Weight,
};
use pgen::decode::testing::{BackoffModel, random_lattice};
use pgen::decode::{Decoder, Exact, Identity, LogLinear, Plan, Request};
use std::sync::Arc;

/// The words and scores of the best ten, scores divided by `by`.
fn list(lattice: &Lattice, model: &LogLinear<'_, BackoffModel>, by: f64) -> Vec<(String, u64)> {
    let list = Exact::new().decode(lattice, model, &Request::best(10));
    let items = list.map(|list| list.items).unwrap_or_default().into_iter();
    items
        .map(|item| {
            let text = lattice.lexicon().join(&item.words);
            (text, (item.score.ln() / by).to_bits())
        })
        .collect()
}

/// The lattice again, with `more` edges and nodes put in.
fn rebuilt(
    lattice: &Lattice,
    more: impl FnOnce(&mut LatticeBuilder) -> pgen::core::Result<()>,
) -> pgen::core::Result<Lattice> {
    let features = Arc::clone(lattice.feature_set());
    let mut builder = LatticeBuilder::new(features, lattice.lexicon().clone(), &Limits::default());
    builder.add_nodes(lattice.node_count())?;
    for edge in lattice.edges() {
        builder.add_edge(EdgeSpec {
            from: edge.from,
            to: edge.to,
            span: None,
            words: lattice.words(edge),
            features: lattice.features(edge),
            unit: None,
        })?;
    }
    more(&mut builder)?;
    builder.build(lattice.start(), lattice.end())
}

#[test]
fn scaled_weights_scale_the_scores() -> Tested {
    let all = cases(1_000);
    for seed in 400_000..400_000 + all {
        let random = random_lattice(seed)?;
        let scaled = |by: f64| {
            let weight = |w: f64| Weight::new(w * by);
            LogLinear::new(&random.model)
                .with_language_weight(weight(0.7)?)?
                .with_weights(vec![weight(1.1)?, weight(0.3)?])
        };
        let one = list(&random.lattice, &scaled(1.0)?, 1.0);
        for by in [4.0, 0.125] {
            assert_eq!(list(&random.lattice, &scaled(by)?, by), one, "seed {seed}");
        }
    }
    counted("lists under scaled weights", all * 2);
    Ok(())
}

#[test]
fn an_edge_that_is_worse_changes_nothing_at_the_top() -> Tested {
    let all = cases(1_000);
    for seed in 500_000..500_000 + all {
        let random = random_lattice(seed)?;
        let model = LogLinear::new(&random.model);
        let before = list(&random.lattice, &model, 1.0);
        let possible = |edge: &&pgen::core::Edge| {
            let features = random.lattice.features(edge);
            features.iter().all(|(_, value)| value.is_finite())
        };
        let Some(edge) = random.lattice.edges().iter().find(possible) else {
            continue;
        };
        let words = random.lattice.words(edge).to_vec();
        let (from, to) = (edge.from, edge.to);
        let with = rebuilt(&random.lattice, |builder| {
            builder.add_edge(EdgeSpec {
                from,
                to,
                span: None,
                words: &words,
                features: &[(FeatureId::new(0), -1e6)],
                unit: None,
            })
        })?;
        let after = list(&with, &model, 1.0);
        // The same words are written in a worse way: no text is new, none becomes better.
        assert_eq!(after, before, "seed {seed}");
    }
    counted("lists with a worse way to write the same", all);
    Ok(())
}

#[test]
fn a_node_that_nothing_reaches_changes_nothing() -> Tested {
    let all = cases(1_000);
    for seed in 600_000..600_000 + all {
        let random = random_lattice(seed)?;
        let model = LogLinear::new(&random.model);
        let end = random.lattice.end();
        let with = rebuilt(&random.lattice, |builder| {
            let lost = builder.add_node()?;
            let word = builder.intern("lost")?;
            builder.add_edge(EdgeSpec {
                from: lost,
                to: end,
                span: None,
                words: &[word],
                features: &[],
                unit: None,
            })
        })?;
        let texts = |lattice: &Lattice| list(lattice, &model, 1.0);
        assert_eq!(texts(&with), texts(&random.lattice), "seed {seed}");
    }
    counted("lists with a node that nothing reaches", all);
    Ok(())
}

type Row = (String, String, f32);

fn random_rows(rng: &mut SplitMix64) -> Vec<Row> {
    let word = |rng: &mut SplitMix64| format!("w{}", rng.below(4));
    (0..3 + rng.below(10))
        .map(|_| {
            let mut side = || {
                let words = (0..1 + rng.below(2)).map(|_| word(rng));
                words.collect::<Vec<_>>().join(" ")
            };
            let (source, target) = (side(), side());
            (source, target, -(rng.below(16) as f32) / 4.0)
        })
        .collect()
}

/// The ten best texts of a sentence under these rows, in their order.
fn texts(rows: &[Row], sentence: &[String]) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut vocab = Vocab::new();
    let mut builder = TableBuilder::new(["p"]);
    for (source, target, p) in rows {
        builder.push_text(&mut vocab, source, target, &[*p])?;
    }
    let table = builder.build(&vocab)?;
    let lexicon = Lexicon::new(Arc::new(vocab));
    let sentence = Sentence::from_words(sentence, lexicon, &Limits::default())?;
    let plan = Plan::new(Limits::default())
        .with_table("tm", &table)
        .with_identity(Identity::Always(LogProb::from_ln(-1.0)));
    let lattice = plan.build(&sentence)?.lattice;
    let language = BackoffModel::uniform(LogProb::from_ln(-1.0));
    let model = LogLinear::new(&language);
    let list = list(&lattice, &model, 1.0).into_iter();
    Ok(list
        .map(|(text, score)| format!("{text} {score}"))
        .collect())
}

#[test]
fn renamed_words_and_rows_in_another_order_give_the_same_list() -> Tested {
    let all = cases(1_000);
    let mut rng = SplitMix64::new(21);
    for case in 0..all {
        let mut rows = random_rows(&mut rng);
        let sentence: Vec<String> = (0..1 + rng.below(6))
            .map(|_| format!("w{}", rng.below(4)))
            .collect();
        let expected = texts(&rows, &sentence)?;
        // A new name that keeps the order of spelling.
        let rename = |text: &str| text.replace('w', "x");
        let renamed: Vec<Row> = rows
            .iter()
            .map(|(s, t, p)| (rename(s), rename(t), *p))
            .collect();
        let words: Vec<String> = sentence.iter().map(|word| rename(word)).collect();
        let found = texts(&renamed, &words)?;
        assert_eq!(
            found,
            expected.iter().map(|text| rename(text)).collect::<Vec<_>>(),
            "case {case}"
        );
        rng.shuffle(&mut rows);
        assert_eq!(texts(&rows, &sentence)?, expected, "case {case}");
    }
    counted("lists under renamed words and permuted rows", all * 2);
    Ok(())
}

#[test]
fn a_corpus_twice_has_the_same_maximum() -> Tested {
    let all = cases(1_000);
    let mut rng = SplitMix64::new(31);
    for case in 0..all {
        let (mut once, mut twice, mut vocab) = (Corpus::new(), Corpus::new(), Vocab::new());
        for _ in 0..1 + rng.below(5) {
            let mut side = |mark: &str| {
                let words = (0..1 + rng.below(4)).map(|_| format!("{mark}{}", rng.below(4)));
                words.collect::<Vec<_>>().join(" ")
            };
            let (source, target) = (side("s"), side("t"));
            for (corpus, times) in [(&mut once, 1), (&mut twice, 2)] {
                for _ in 0..times {
                    corpus.push_text(&source, &target, &mut vocab, &Limits::default())?;
                }
            }
        }
        let train = |corpus: &Corpus| {
            let start = Model1Params::default().with_prune(0.0);
            let model = Model1::fit(corpus, Direction::TargetGivenSource, &start, &())?;
            let hmm = Hmm::fit(
                corpus,
                model.clone(),
                &HmmParams::default().without_cutoffs(),
                &(),
            )?;
            Ok::<_, pgen::align::Error>((model, hmm))
        };
        let (a, b) = (train(&once)?, train(&twice)?);
        for (given, _) in vocab.words() {
            for ((word, p), (same, q)) in
                a.0.table()
                    .row(Some(given))
                    .zip(b.0.table().row(Some(given)))
            {
                assert!(word == same && (p - q).abs() < 1e-9, "case {case}");
            }
            for ((word, p), (same, q)) in
                a.1.table()
                    .row(Some(given))
                    .zip(b.1.table().row(Some(given)))
            {
                assert!(word == same && (p - q).abs() < 1e-6, "case {case}: {p} {q}");
            }
        }
    }
    counted("corpora given twice", all * 2);
    Ok(())
}
