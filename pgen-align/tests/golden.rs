//! Numbers computed elsewhere in two ways each, field by field.

use pgen_align::{
    Agreement, ComparableParams, Corpus, Direction, Evaluation, ExtractParams, Heuristic, Metric,
    Model1, Model1Params, Model2, Model2Params, PairFinder, PhraseScore, PhraseScores, PhraseSpans,
    PhraseTableBuilder, PivotParams, Side, for_each_phrase_pair, pivot, symmetrize,
};
use pgen_core::{Alignment, GoldAlignment, Limits, Link, Span, Vocab, WordId};
use serde_json::Value;

fn golden(name: &str) -> Value {
    let path = format!("{}/tests/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs()
}

fn links(value: &Value) -> Alignment {
    let number = |v: &Value| v.as_u64().unwrap() as u32;
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|l| Link::new(number(&l[0]), number(&l[1])))
        .collect()
}

fn bitext(value: &Value) -> (Corpus, Vocab) {
    let (mut corpus, mut vocab) = (Corpus::new(), Vocab::new());
    for pair in value.as_array().unwrap() {
        let side = |at: usize| pair[at].as_str().unwrap();
        corpus
            .push_text(side(0), side(1), &mut vocab, &Limits::default())
            .unwrap();
    }
    (corpus, vocab)
}

fn same_table(model: &Model1, vocab: &Vocab, expected: &Value) {
    let expected = expected.as_object().unwrap();
    for (key, value) in expected {
        let (s, t) = key.split_once('|').unwrap();
        let given = (t != "NULL").then(|| vocab.get(t).unwrap());
        let p = model.table().probability(vocab.get(s).unwrap(), given);
        assert!(close(p, value.as_f64().unwrap()), "{key}: {p} {value}");
    }
    assert_eq!(model.table().len(), expected.len());
}

#[test]
fn q02_model1() {
    let q02 = golden("q02_model1");
    let (mut corpus, vocab) = bitext(&q02["bitext_s_t"]);
    let params = Model1Params::default().with_prune(0.0);
    for block in [&q02, &q02["with_identity_lexicon"]] {
        let model = Model1::fit(&corpus, Direction::SourceGivenTarget, &params, &()).unwrap();
        same_table(&model, &vocab, &block["t"]);
        let expected = block["loglik"].as_array().unwrap();
        for (a, b) in model.log_likelihoods().iter().zip(expected) {
            assert!(close(*a, b.as_f64().unwrap()));
        }
        corpus.add_identity_lexicon();
    }
}

#[test]
fn q06_symmetrize() {
    for case in golden("q06_symmetrize")["cases"].as_array().unwrap() {
        let size = |name: &str| case[name].as_u64().unwrap() as usize;
        let (f, b) = (links(&case["F"]), links(&case["B"]));
        for (name, expected) in case["out"].as_object().unwrap() {
            let heuristic: Heuristic = name.parse().unwrap();
            let result = symmetrize(&f, &b, (size("m"), size("n")), heuristic).unwrap();
            assert_eq!(result, links(expected), "{name}");
        }
    }
}

#[test]
fn q07_error_rate() {
    let q07 = golden("q07_aer");
    let words = |name: &str| -> Vec<&str> {
        q07[name]
            .as_array()
            .unwrap()
            .iter()
            .map(|w| w.as_str().unwrap())
            .collect()
    };
    let gold = |s: &Value, p: &Value| GoldAlignment::new(links(s), links(p));
    let mut evaluation = Evaluation::default();
    evaluation
        .add(
            &words("s"),
            &words("t"),
            &links(&q07["A"]),
            &gold(&q07["S"], &q07["P"]),
        )
        .unwrap();
    for (counts, block) in [
        (evaluation.all, &q07["all"]),
        (evaluation.identical, &q07["identical"]),
        (evaluation.different, &q07["non_identical"]),
    ] {
        assert_eq!(counts.proposed, block["A"].as_u64().unwrap());
        assert_eq!(counts.sure, block["S"].as_u64().unwrap());
        assert_eq!(counts.possible, block["P"].as_u64().unwrap());
        assert_eq!(counts.proposed_sure, block["A_and_S"].as_u64().unwrap());
        assert_eq!(counts.proposed_possible, block["A_and_P"].as_u64().unwrap());
        assert_eq!(counts.precision(), block["precision"].as_f64());
        assert_eq!(counts.recall(), block["recall"].as_f64());
        assert!(close(counts.error_rate(), block["aer"].as_f64().unwrap()));
    }
    let annotators = &q07["annotators"];
    let first = gold(&annotators["S1"], &annotators["P1"]);
    let second = gold(&annotators["S2"], &annotators["P2"]);
    let both = first.combined(&second);
    assert_eq!(both.sure(), &links(&annotators["gold_S"]));
    assert_eq!(both.possible(), &links(&annotators["gold_P"]));
    let agreement = Agreement::between(&[first], &[second]).unwrap();
    assert!(close(
        agreement.first_against_second,
        annotators["aer_1_vs_2"].as_f64().unwrap()
    ));
    assert!(close(
        agreement.second_against_first,
        annotators["aer_2_vs_1"].as_f64().unwrap()
    ));
    assert!(close(
        agreement.value(),
        annotators["agreement"].as_f64().unwrap()
    ));
}

#[test]
fn q08_phrase_pairs() {
    for case in golden("q08_phrases")["cases"].as_array().unwrap() {
        let length = |name: &str| case[name].as_array().unwrap().len();
        let (sizes, alignment) = ((length("s"), length("t")), links(&case["links"]));
        let pairs = |most: usize| {
            let params = ExtractParams::default().with_max_cepts(most);
            let mut pairs = Vec::new();
            for_each_phrase_pair(sizes, &alignment, &params, |pair| pairs.push(pair)).unwrap();
            pairs
        };
        let span =
            |v: &Value| Span::new(v[0].as_u64().unwrap() as u32, v[1].as_u64().unwrap() as u32);
        let expected: Vec<PhraseSpans> = case["pairs_max5"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| PhraseSpans {
                source: span(&p["src"]).unwrap(),
                target: span(&p["tgt"]).unwrap(),
                cepts: p["cepts"].as_u64().unwrap() as u32,
            })
            .collect();
        let mut found = pairs(5);
        found.sort_unstable();
        let mut sorted = expected.clone();
        sorted.sort_unstable();
        assert_eq!(found, sorted);
        for (most, name) in [(1, "n_max1"), (2, "n_max2"), (1000, "n_unlimited")] {
            assert_eq!(
                pairs(most).len() as u64,
                case[name].as_u64().unwrap(),
                "{name}"
            );
        }
    }
}

#[test]
fn q09_phrase_scores() {
    let (mut corpus, mut vocab) = bitext(&golden("q02_model1")["bitext_s_t"]);
    corpus.add_identity_lexicon();
    let params = Model1Params::default().with_prune(0.0);
    let model = Model1::fit(&corpus, Direction::SourceGivenTarget, &params, &()).unwrap();
    for case in golden("q09_phrase_score")["cases"].as_array().unwrap() {
        let mut ids = |name: &str| -> Vec<WordId> {
            let words = case[name].as_array().unwrap().iter();
            words
                .map(|w| vocab.intern(w.as_str().unwrap()).unwrap())
                .collect()
        };
        let (s, t) = (ids("S"), ids("T"));
        for (score, name) in [
            (PhraseScore::Full, "full_with_null"),
            (PhraseScore::NoNull, "no_null"),
            (PhraseScore::NoLengthNorm, "no_length_norm"),
        ] {
            let p = score.ln(model.table(), &s, &t, 0.0).exp();
            assert!(
                close(p, case[name].as_f64().unwrap()),
                "{name} {s:?} {t:?} {p}"
            );
        }
    }
}

#[test]
fn c01_pivot() {
    let c01 = golden("c01_pivot");
    let mut vocab = Vocab::new();
    let mut ids =
        |text: &str| -> Vec<WordId> { text.split(' ').map(|w| vocab.intern(w).unwrap()).collect() };
    let mut builder = PhraseTableBuilder::default();
    for row in c01["bitable"].as_array().unwrap() {
        let (f, e) = (ids(row[0].as_str().unwrap()), ids(row[1].as_str().unwrap()));
        let (ef, fe) = (row[2].as_f64().unwrap(), row[3].as_f64().unwrap());
        builder.push(&f, &e, PhraseScores::new(fe, ef)).unwrap();
    }
    let table = builder.build();
    let all = c01["all"].as_object().unwrap();
    let pruned = |name: &str| c01[name].as_object().unwrap();
    for (expected, (tau, epsilon, kappa)) in [
        (all, (1000, 0.0, 1000)),
        (pruned("pruned_eps1e-5_tau200_kappa20"), (200, 1e-5, 20)),
        (pruned("pruned_eps1e-5_tau2_kappa20"), (2, 1e-5, 20)),
        (pruned("pruned_eps0.06_tau200_kappa2"), (200, 0.06, 2)),
    ] {
        let params = PivotParams::default().with_pruning(tau, epsilon, kappa);
        let text = |words: &[WordId]| {
            words
                .iter()
                .map(|&w| vocab.word(w).unwrap())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let mut found = Vec::new();
        let report = pivot(
            &table,
            Side::Source,
            &params,
            &vocab,
            &(),
            |source, targets| {
                assert!(
                    targets
                        .windows(2)
                        .all(|w| w[0].probability >= w[1].probability)
                );
                for target in targets {
                    found.push((
                        format!("{} -> {}", text(source), text(target.words)),
                        target.probability,
                    ));
                }
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(found.len(), expected.len());
        assert_eq!(report.after_kappa as usize, expected.len());
        for (key, p) in found {
            assert!(close(p, expected[&key].as_f64().unwrap()), "{key} {p}");
        }
    }
}

#[test]
fn q01_pairs() {
    let q01 = golden("q01_pairs");
    let sentences: Vec<String> = q01["sentences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| {
            let words = s.as_array().unwrap().iter();
            words
                .map(|w| w.as_str().unwrap())
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    let lower: Vec<String> = sentences.iter().map(|s| s.to_lowercase()).collect();
    let mut expected = std::collections::BTreeMap::new();
    for row in q01["pairs_insdel_metric"].as_array().unwrap() {
        let at = |name: &str| row[name].as_u64().unwrap() as usize;
        let words = |i: usize| lower[i].split(' ').collect::<Vec<_>>();
        let (a, b) = (words(at("i")), words(at("j")));
        assert_eq!(Metric::InsDel.distance(&a, &b), at("insdel"));
        assert_eq!(Metric::Levenshtein.distance(&a, &b), at("levenshtein"));
        *expected
            .entry(row["verdict"].as_str().unwrap())
            .or_insert(0) += 1u64;
    }
    for (metric, name) in [
        (Metric::InsDel, "kept_insdel"),
        (Metric::Levenshtein, "kept_levenshtein"),
    ] {
        let params = ComparableParams::default().with_distance(12, metric);
        let mut finder = PairFinder::new(&params).unwrap();
        let found: Vec<_> = finder
            .cluster(&sentences)
            .iter()
            .map(|p| vec![p.first, p.second])
            .collect();
        let kept: Vec<Vec<usize>> = serde_json::from_value(q01[name].clone()).unwrap();
        assert_eq!(found, kept);
        let v = finder.verdicts();
        assert_eq!(v.total(), 66);
        if metric == Metric::InsDel {
            let counted = [
                ("identical", v.identical),
                ("punct_only", v.punctuation_only),
                ("length_ratio", v.length_ratio),
                ("distance", v.distance),
                ("duplicate", v.duplicate),
                ("kept", v.kept),
            ];
            for (name, count) in counted {
                assert_eq!(count, expected.get(name).copied().unwrap_or(0), "{name}");
            }
            assert!(close(
                v.mean_distance().unwrap(),
                q01["mean_insdel_of_kept"].as_f64().unwrap()
            ));
        }
    }
}

#[test]
fn q03_model2() {
    let q03 = golden("q03_model2");
    let (corpus, vocab) = bitext(&golden("q02_model1")["bitext_s_t"]);
    let start = Model1Params::default().with_prune(0.0);
    let start = Model1::fit(&corpus, Direction::SourceGivenTarget, &start, &()).unwrap();
    let params = Model2Params::default().with_iterations(3).with_prune(0.0);
    let model = Model2::fit(&corpus, start, &params, &()).unwrap();
    for (key, value) in q03["t"].as_object().unwrap() {
        let (s, t) = key.split_once('|').unwrap();
        let given = (t != "NULL").then(|| vocab.get(t).unwrap());
        let p = model.table().probability(vocab.get(s).unwrap(), given);
        assert!(
            (p - value.as_f64().unwrap()).abs() < 1e-10,
            "{key}: {p} {value}"
        );
    }
    for (key, value) in q03["a"].as_object().unwrap() {
        let at: Vec<usize> = key.split(',').map(|x| x.parse().unwrap()).collect();
        let p = model.position(at[0], at[1], at[2], at[3]);
        assert!(
            (p - value.as_f64().unwrap()).abs() < 1e-10,
            "{key}: {p} {value}"
        );
    }
    for (a, b) in model
        .log_likelihoods()
        .iter()
        .zip(q03["loglik"].as_array().unwrap())
    {
        assert!(close(*a, b.as_f64().unwrap()));
    }
}
