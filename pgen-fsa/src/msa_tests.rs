//! Golden alignments.

use super::*;
use crate::params::Version;
use pgen_core::Chunks;
use serde_json::{Value, json};

fn golden(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn annotated(rows: &Value) -> Aligned {
    let mut aligned = Aligned::default();
    let (mut tags, mut chunks) = (Vec::new(), Chunks::new());
    for row in rows.as_array().unwrap() {
        let trace: Vec<_> = row["trace"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tag| tag.as_str().unwrap())
            .collect();
        aligned.words.push(row["w"].as_str().unwrap().to_owned());
        tags.push(row["pos"].as_str().unwrap().to_owned());
        chunks
            .push(
                row["iob"].as_str().unwrap(),
                &trace.join("/"),
                &Limits::default(),
            )
            .unwrap();
    }
    aligned.syntax = Some((tags, chunks));
    aligned
}

fn plain(text: &str) -> Aligned {
    Aligned {
        words: text.split_whitespace().map(str::to_owned).collect(),
        syntax: None,
    }
}

fn run(cluster: &[Aligned], params: &MsaParams) -> MultipleAlignment {
    align(cluster, params, &Limits::default(), &Stop::never()).unwrap()
}

fn tables(a: &Aligned, b: &Aligned, params: &MsaParams) -> (Value, Value) {
    let both = [a.clone(), b.clone()];
    let items = Items::new(&both, &mut Interner::default(), params).unwrap();
    let matrix = Matrix::new(&items.sentences[0], &items.sentences[1], params);
    let rows: Vec<Vec<i32>> = (0..=a.words.len())
        .map(|i| (0..=b.words.len()).map(|j| matrix.at(i, j)).collect())
        .collect();
    (
        json!(rows),
        json!(
            matrix
                .aligned()
                .iter()
                .map(|&(i, j)| [i, j])
                .collect::<Vec<_>>()
        ),
    )
}

#[test]
fn milan() {
    let golden = golden(include_str!("../tests/golden/s01_milan.json"));
    let cluster = [annotated(&golden["s1"]), annotated(&golden["s2"])];
    for (name, wanted) in golden["versions"].as_object().unwrap() {
        let mut params = MsaParams::new(name.parse().unwrap());
        let (table, aligned) = tables(&cluster[0], &cluster[1], &params);
        assert_eq!(
            (table, &aligned),
            (wanted["D"].clone(), &wanted["aligned"]),
            "{name}"
        );
        let made = run(&cluster, &params);
        assert_eq!(json!(made.pair_scores[0].2), wanted["score"]);
        assert_eq!(made.fsa.path_count().to_u64(), wanted["n_paths"].as_u64());
        assert_eq!(json!(made.fsa.strings(100)), wanted["strings"]);
        params.boundary = Boundary::Gap;
        assert_eq!(
            tables(&cluster[0], &cluster[1], &params).0,
            wanted["D_gap_boundary"]
        );
    }
}

#[test]
fn random_tables() {
    let golden = golden(include_str!("../tests/golden/s03_mled.json"));
    for case in golden["cases"].as_array().unwrap() {
        let spaced = |key: &str| -> String {
            case[key]
                .as_str()
                .unwrap()
                .chars()
                .flat_map(|c| [c, ' '])
                .collect()
        };
        let (a, b) = (plain(&spaced("a")), plain(&spaced("b")));
        let mut params = MsaParams::new(Version::V1);
        let (table, aligned) = tables(&a, &b, &params);
        assert_eq!((&table, &aligned), (&case["D"], &case["aligned"]));
        let score =
            |params: &MsaParams| json!(run(&[a.clone(), b.clone()], params).pair_scores[0].2);
        assert_eq!(score(&params), case["score"]);
        params.boundary = Boundary::Gap;
        assert_eq!(score(&params), case["score_gap_boundary"]);
    }
}

fn check_order_and_scores(made: &MultipleAlignment, wanted: &Value) {
    for &(a, b, score) in &made.pair_scores {
        assert_eq!(json!(score), wanted["pair_scores"][format!("{a}-{b}")]);
    }
    let order: Vec<Value> = made
        .order
        .iter()
        .map(|&(sentence, to)| json!([sentence, to]))
        .collect();
    assert_eq!(json!(order), wanted["order_[sentence,aligned_to]"]);
    assert_eq!(made.fsa.path_count().to_u64(), wanted["n_paths"].as_u64());
    // The golden automaton leads from each end to one more state by a transition of its own.
    let arcs = made.fsa.transitions().len() + made.fsa.finals().count();
    assert_eq!(json!(arcs), wanted["n_edges"]);
}

#[test]
fn four_parsed_sentences_in_all_versions() {
    let golden = golden(include_str!("../tests/golden/s04_cluster.json"));
    let cluster: Vec<Aligned> = golden["annotation"]
        .as_array()
        .unwrap()
        .iter()
        .map(annotated)
        .collect();
    let mut params = MsaParams::default();
    assert_eq!(json!(params.stop_words), golden["stop_words"]);
    let inputs: Vec<String> = cluster
        .iter()
        .map(|sentence| sentence.words.join(" "))
        .collect();
    let mut matched = Vec::new();
    for version in Version::ALL {
        params.version = version;
        let made = run(&cluster, &params);
        let wanted = &golden["versions"][version.to_string()];
        check_order_and_scores(&made, wanted);
        assert_eq!(json!(made.columns), wanted["columns"]);
        assert_eq!(json!(made.fsa.state_count() + 1), wanted["n_nodes"]);
        let strings = made.fsa.strings(10_000);
        assert_eq!(json!(strings.len()), wanted["n_distinct_strings"]);
        assert!(inputs.iter().all(|input| strings.contains(input)));
        let novel: Vec<_> = strings
            .into_iter()
            .filter(|text| !inputs.contains(text))
            .collect();
        assert_eq!(json!(novel.len()), wanted["n_novel"]);
        assert_eq!(json!(novel[..5.min(novel.len())]), wanted["novel_sample"]);
        matched.push(matches(&cluster, &params));
    }
    // Syntax only takes matches away: V4 from V3, V5 from V2.
    let [_, v2, v3, v4, v5] = &matched[..] else {
        panic!("five versions")
    };
    assert!(v4.iter().all(|pair| v3.contains(pair)) && v5.iter().all(|pair| v2.contains(pair)));
    assert!(v4.len() < v3.len());
}

/// All matching pairs of words of all pairs of sentences.
fn matches(cluster: &[Aligned], params: &MsaParams) -> Vec<[usize; 4]> {
    let items = Items::new(cluster, &mut Interner::default(), params).unwrap();
    let mut found = Vec::new();
    for (a, x) in items.sentences.iter().enumerate() {
        for (b, y) in items.sentences.iter().enumerate().skip(a + 1) {
            for i in 0..x.len() {
                found.extend(
                    (0..y.len())
                        .filter(|&j| is_match((x, i), (y, j), params))
                        .map(|j| [a, i, b, j]),
                );
            }
        }
    }
    found
}

#[test]
fn figure_two_is_accepted() {
    let golden = golden(include_str!("../tests/golden/s05_fig2_subset.json"));
    let cluster: Vec<Aligned> = golden["sentences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|text| plain(text.as_str().unwrap()))
        .collect();
    let novel: Vec<&str> = golden["novel_sentence_1"]
        .as_str()
        .unwrap()
        .split(' ')
        .collect();
    for (name, wanted) in golden["versions"].as_object().unwrap() {
        let made = run(&cluster, &MsaParams::new(name.parse().unwrap()));
        check_order_and_scores(&made, wanted);
        assert_eq!(
            made.fsa.accepts(&novel),
            wanted["accepts_novel_sentence_1"].as_bool().unwrap()
        );
    }
}

#[test]
fn what_cannot_be_aligned_is_said() {
    let params = MsaParams::new(Version::V4);
    let error = |cluster: &[Aligned], params: &MsaParams| {
        align(cluster, params, &Limits::default(), &Stop::never())
            .unwrap_err()
            .code()
    };
    assert_eq!(error(&[], &params), "empty-group");
    assert_eq!(error(&[plain("a b")], &params), "missing-syntax");
    assert_eq!(
        error(&[plain("a"), plain("")], &MsaParams::new(Version::V1)),
        "empty-sentence"
    );
    let one = run(&[plain("a b a")], &MsaParams::new(Version::V1));
    assert_eq!(
        (one.fsa.path_count().to_u64(), one.order.len()),
        (Some(1), 1)
    );
    let twins = run(&[plain("a b"), plain("a b")], &MsaParams::new(Version::V1));
    assert_eq!(twins.fsa.transitions().len(), 2);
}

#[test]
fn printed_gains_and_sizes() {
    let golden = golden(include_str!("../tests/golden/s06_printed_checks.json"));
    let printed = |key: &str| golden[key].as_f64().unwrap();
    // Table 6: means of V4 and V3.
    let gain = |v4: f64, v3: f64| v4 / v3 - 1.0;
    assert!((gain(3.74, 3.12) - printed("gram_gain_v4_over_v3")).abs() < 1e-12);
    assert!((gain(3.77, 3.07) - printed("fid_gain_v4_over_v3")).abs() < 1e-12);
    // Table 1: sentences of the clusters to test on.
    let sizes = [30, 18, 33, 79, 22, 43, 21, 9, 18, 22, 62];
    assert_eq!(
        json!(sizes.iter().sum::<u32>()),
        golden["test_cluster_sizes_sum"]
    );
    // Ten sentences, ten clusters, four judges; six clusters, every version, ten sentences.
    assert_eq!(json!(10 * 10 * 4), golden["train_points"]);
    assert_eq!(json!(6 * Version::ALL.len() * 10), golden["test_load"]);
}
