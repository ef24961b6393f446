//! Rank measures and rerank study against golden vectors.

use pgen_core::Score;
use pgen_decode::judge::{Chance, Kendall, kappa};
use pgen_decode::rerank::{RerankStudy, Reranking};
use serde_json::Value;

fn golden(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    let items = value.as_array().unwrap().iter();
    items.map(|item| item.as_f64().unwrap()).collect()
}

#[test]
fn kendall_c02() {
    let golden = golden(include_str!("golden/c02_kendall.json"));
    for case in golden["cases"].as_array().unwrap() {
        let ranks: Vec<u64> = numbers(&case["new_rank_in_old_order"])
            .into_iter()
            .map(|rank| rank as u64)
            .collect();
        let found = Kendall::of(&ranks);
        assert_eq!(found.preserved, case["np"].as_u64().unwrap());
        assert_eq!(found.inverted, case["ni"].as_u64().unwrap());
        assert!((found.tau().unwrap() - case["tau"].as_f64().unwrap()).abs() < 1e-12);
    }
}

#[test]
fn rerank_c08() {
    let golden = golden(include_str!("golden/c08_rerank.json"));
    let scores = |name: &str| -> Vec<Score> {
        let values = numbers(&golden[name]);
        values
            .into_iter()
            .map(|ln| Score::new(ln).unwrap())
            .collect()
    };
    let list = Reranking::new(&scores("old_scores"), &scores("true_scores"), 1e-9).unwrap();
    let expected: Vec<usize> = numbers(&golden["new_rank_in_old_order"])
        .into_iter()
        .map(|rank| rank as usize - 1)
        .collect();
    assert_eq!(list.new_ranks(), expected);
    let float = |name: &str| golden[name].as_f64().unwrap();
    assert!((list.kendall(usize::MAX).tau().unwrap() - float("tau")).abs() < 1e-12);
    assert!((list.share_modified() - float("fraction_modified")).abs() < 1e-12);
    let mut study = RerankStudy::default();
    study.add(list);
    let report = study.report(&[12, 13]);
    assert_eq!(report.tau.len(), 1);
    assert_eq!(report.first_moved == 0.0, golden["top1_still_top"] == true);
    let mean = |pair: (Option<pgen_decode::judge::Summary>, _)| pair.0.unwrap().mean;
    let _: Option<pgen_decode::judge::Summary> = report.new_rank_of_old_first.1;
    assert_eq!(
        mean(report.new_rank_of_old_first),
        float("new_rank_of_old_top")
    );
    assert_eq!(
        mean(report.old_rank_of_new_first),
        float("old_rank_of_new_top")
    );
}

#[test]
fn kappa_z03() {
    let golden = golden(include_str!("golden/z03_tables.json"));
    let example = &golden["kappa_example"];
    let labels: Vec<(u64, u64)> = example["labels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| (pair[0].as_u64().unwrap(), pair[1].as_u64().unwrap()))
        .collect();
    let found = kappa(&labels, Chance::Uniform(3)).unwrap();
    assert!((found - example["kappa"].as_f64().unwrap()).abs() < 1e-12);
}

#[test]
fn rows_of_q15_are_shares_of_their_counts() {
    let golden = golden(include_str!("golden/q15_tables.json"));
    for row in golden["table2"].as_array().unwrap() {
        for (counts, computed) in [("bl59", "computed"), ("all", "computed_all")] {
            let counts = numbers(&row[counts]);
            let share = 100.0 * counts[0] / counts[1];
            let expected = row[computed].as_f64().unwrap();
            assert!((share - expected).abs() <= 0.05 + 1e-9, "{row}");
            let (low, high) = pgen_decode::judge::wilson(counts[0] as u64, counts[1] as u64, 1.96);
            assert!(low <= share / 100.0 && share / 100.0 <= high);
        }
    }
}
