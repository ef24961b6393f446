//! Numbers computed elsewhere in two ways each, field by field.

use pgen_align::{
    Agreement, Corpus, Direction, Evaluation, Heuristic, Model1, Model1Params, symmetrize,
};
use pgen_core::{Alignment, GoldAlignment, Limits, Link, Vocab};
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
