//! Truecasing against golden vectors.

use pgen_lm::{EstimateParams, Smoothing, TruecaseTrainer, Truecaser};
use serde_json::Value;

fn strings(value: &Value) -> Vec<&str> {
    let values = value.as_array().unwrap();
    values.iter().map(|s| s.as_str().unwrap()).collect()
}

fn golden() -> (Value, Truecaser) {
    let golden: Value = serde_json::from_str(include_str!("golden/q13_truecase.json")).unwrap();
    let mut trainer = TruecaseTrainer::new();
    for sentence in strings(&golden["corpus"]) {
        trainer.add(sentence.split(' ')).unwrap();
    }
    let params = EstimateParams::new(3).with_smoothing(Smoothing::KneserNey);
    let truecaser = trainer.finish(params).unwrap();
    (golden, truecaser)
}

#[test]
fn golden_q13() {
    let (golden, truecaser) = golden();
    for (lower, forms) in golden["forms"].as_object().unwrap() {
        assert_eq!(truecaser.forms(lower), strings(forms));
    }
    for case in golden["cases"].as_array().unwrap() {
        let tokens: Vec<&str> = case["in"].as_str().unwrap().split(' ').collect();
        let cased = truecaser.truecase(&tokens);
        assert_eq!(cased.tokens, strings(&case["form_path"]));
        assert_eq!(cased.as_sentence().join(" "), case["out"].as_str().unwrap());
        let expected = case["logp"].as_f64().unwrap();
        assert!((cased.log_prob.ln() - expected).abs() < 1e-5);
    }
}

#[test]
fn input_case_does_not_matter_and_odd_sentences_are_cased() {
    let (_, truecaser) = golden();
    let shout = truecaser.truecase(&["THE", "WHITE", "HOUSE"]);
    assert_eq!(shout, truecaser.truecase(&["the", "white", "house"]));
    assert!(truecaser.truecase(&[]).as_sentence().is_empty());
    let unknown = truecaser.truecase(&["ǆ", "", "zEBRA"]);
    assert_eq!(unknown.tokens, ["ǆ", "", "zEBRA"]);
    let long = vec!["house"; 3_000];
    assert_eq!(truecaser.truecase(&long).tokens.len(), 3_000);
}
