//! Measures of agreement against golden vectors.

use pgen_decode::judge::{Chance, kappa, wilson};
use serde_json::Value;

fn golden(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    let items = value.as_array().unwrap().iter();
    items.map(|item| item.as_f64().unwrap()).collect()
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
            let (low, high) = wilson(counts[0] as u64, counts[1] as u64, 1.96);
            assert!(low <= share / 100.0 && share / 100.0 <= high);
        }
    }
}
