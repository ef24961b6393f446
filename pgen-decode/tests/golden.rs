//! Golden vectors of Quirk et al. (q11) and Chevelu et al. (c02–c05, c08).

use pgen_core::{
    Lattice, Lexicon, Limits, LogProb, ParaphraseTable, Sentence, TableBuilder, Vocab, WordId,
};
use pgen_decode::testing::BackoffModel;
use pgen_decode::{
    Beam, Decoder, Exact, Identity, LogLinear, Plan, Request, RerankStudy, TrueScore, kendall,
    rerank,
};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

fn golden(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs().max(1.0)
}

fn table(vocab: &mut Vocab, rules: &[(String, String, f64)]) -> ParaphraseTable {
    let mut builder = TableBuilder::new(["p"]).deletions(true);
    for (source, target, p) in rules {
        builder
            .push_text(vocab, source, target, &[p.ln() as f32])
            .unwrap();
    }
    builder.build(vocab).unwrap()
}

fn lattice(vocab: Vocab, rules: &ParaphraseTable, source: &str, identity: Identity) -> Lattice {
    let lexicon = Lexicon::new(Arc::new(vocab));
    let words = source.split(' ');
    let sentence = Sentence::from_words(words, lexicon, &Limits::default()).unwrap();
    let plan = Plan::new(Limits::default())
        .with_table("tm", rules)
        .with_identity(identity);
    plan.build(&sentence).unwrap().lattice
}

fn ids(lattice: &Lattice, text: &str) -> Vec<WordId> {
    let words = text.split(' ').filter(|word| !word.is_empty());
    words
        .map(|word| lattice.lexicon().get(word).unwrap_or(WordId::UNK))
        .collect()
}

/// Probabilities pass through 32-bit logs in tables: what that may cost.
const SINGLE: f64 = 1e-6;

fn toy() -> (Vocab, ParaphraseTable, BackoffModel, String) {
    let (c03, c05) = (golden("c03_toy_true_score.json"), golden("c05_toy_lm.json"));
    let mut vocab = Vocab::new();
    let model = BackoffModel::from_arpa(c05["arpa"].as_str().unwrap(), &mut vocab).unwrap();
    let rules: Vec<(String, String, f64)> = c03["rules"]
        .as_object()
        .unwrap()
        .values()
        .map(|rule| {
            let text = |at: usize| rule[at].as_str().unwrap().to_owned();
            (text(0), text(1), rule[2].as_f64().unwrap())
        })
        .collect();
    let rules = table(&mut vocab, &rules);
    (
        vocab,
        rules,
        model,
        c03["source"].as_str().unwrap().to_owned(),
    )
}

#[test]
fn q11_quirk_lattice() {
    let q11 = golden("q11_lattice.json");
    let q10 = golden("q10_kn_lm.json");
    let mut vocab = Vocab::new();
    let model = BackoffModel::from_arpa(q10["arpa_kn"].as_str().unwrap(), &mut vocab).unwrap();
    let rules: Vec<(String, String, f64)> = q11["table"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().unwrap().to_owned();
            (text("src"), text("tgt"), row["p"].as_f64().unwrap())
        })
        .collect();
    let rules = table(&mut vocab, &rules);
    let source: Vec<&str> = q11["source"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| w.as_str().unwrap())
        .collect();
    let u = LogProb::from_ln(q11["u"].as_f64().unwrap().ln());
    let lattice = lattice(vocab, &rules, &source.join(" "), Identity::Always(u));
    assert_eq!(
        lattice.edge_count() as u64,
        q11["n_edges"].as_u64().unwrap()
    );
    assert_eq!(lattice.path_count().to_u64(), q11["n_derivations"].as_u64());
    let model = LogLinear::new(&model);
    let request = Request::best(100).with_details();
    let list = Exact::new().decode(&lattice, &model, &request).unwrap();
    assert_eq!(list.items.len() as u64, q11["n_distinct"].as_u64().unwrap());
    for (item, expected) in list.items.iter().zip(q11["nbest20"].as_array().unwrap()) {
        assert_eq!(
            lattice.lexicon().join(&item.words),
            expected["t"].as_str().unwrap()
        );
        assert!((item.score.ln() - expected["score"].as_f64().unwrap()).abs() < SINGLE);
        let marginal = item.marginal.unwrap().ln();
        assert!((marginal - expected["marginal"].as_f64().unwrap()).abs() < SINGLE);
        assert_eq!(
            item.derivations.as_ref().unwrap().to_u64(),
            expected["derivations"].as_u64()
        );
    }
}

#[test]
fn c02_kendall() {
    for case in golden("c02_kendall.json")["cases"].as_array().unwrap() {
        let ranks: Vec<usize> = case["new_rank_in_old_order"]
            .as_array()
            .unwrap()
            .iter()
            .map(|rank| rank.as_u64().unwrap() as usize)
            .collect();
        let found = kendall(&ranks);
        assert_eq!(Some(found.concordant), case["np"].as_u64());
        assert_eq!(Some(found.discordant), case["ni"].as_u64());
        assert!(close(found.tau.unwrap(), case["tau"].as_f64().unwrap()));
    }
    assert_eq!(kendall(&[1]).tau, None);
}

#[test]
fn c03_true_scores_of_the_toy() {
    let c03 = golden("c03_toy_true_score.json");
    let (vocab, rules, _, source) = toy();
    let one = BackoffModel::uniform(LogProb::ONE);
    let lattice = lattice(vocab, &rules, &source, Identity::WhereMissing(LogProb::ONE));
    let model = LogLinear::new(&one);
    assert_eq!(lattice.path_count().to_u64(), c03["n_sets"].as_u64());
    for expected in c03["strings"].as_array().unwrap() {
        let text = ids(&lattice, expected["t"].as_str().unwrap());
        let truth = TrueScore::new(&lattice, &model, &text)
            .unwrap()
            .hypothesis(&lattice)
            .unwrap();
        let score = expected["true_score_channel"].as_f64().unwrap().ln();
        assert!((truth.score.ln() - score).abs() < SINGLE, "{expected}");
        assert_eq!(
            truth.derivations.unwrap().to_u64(),
            expected["n_derivations"].as_u64()
        );
        let marginal = expected["marginal_channel"].as_f64().unwrap().ln();
        assert!((truth.marginal.unwrap().ln() - marginal).abs() < SINGLE);
    }
    for text in c03["unreachable"].as_object().unwrap().keys() {
        let text = ids(&lattice, text);
        assert!(
            TrueScore::new(&lattice, &model, &text)
                .unwrap()
                .score()
                .is_zero()
        );
    }
}

#[test]
fn c04_true_scores_of_random_cases() {
    let words = |value: &Value| -> String {
        let words = value
            .as_array()
            .unwrap()
            .iter()
            .map(|w| w.as_str().unwrap());
        words.collect::<Vec<_>>().join(" ")
    };
    let one = BackoffModel::uniform(LogProb::ONE);
    let model = LogLinear::new(&one);
    for case in golden("c04_true_score_random.json")["cases"]
        .as_array()
        .unwrap()
    {
        let mut vocab = Vocab::new();
        let rules: Vec<(String, String, f64)> = case["rules"]
            .as_array()
            .unwrap()
            .iter()
            .map(|rule| (words(&rule[1]), words(&rule[2]), rule[3].as_f64().unwrap()))
            .collect();
        let rules = table(&mut vocab, &rules);
        let lattice = lattice(vocab, &rules, &words(&case["S"]), Identity::Off);
        let text = ids(&lattice, &words(&case["T"]));
        let truth = TrueScore::new(&lattice, &model, &text)
            .unwrap()
            .hypothesis(&lattice)
            .unwrap();
        assert!((truth.score.ln() - case["true_score"].as_f64().unwrap().ln()).abs() < SINGLE);
        assert_eq!(
            truth.derivations.unwrap().to_u64(),
            case["n_derivations"].as_u64()
        );
        let marginal = case["marginal"].as_f64().unwrap().ln();
        assert!((truth.marginal.unwrap().ln() - marginal).abs() < SINGLE);
        assert_eq!(
            lattice.path_count().to_u64(),
            case["n_total_derivations"].as_u64()
        );
    }
}

#[test]
fn c05_toy_with_language_model() {
    let c05 = golden("c05_toy_lm.json");
    let (vocab, rules, model, source) = toy();
    let lattice = lattice(vocab, &rules, &source, Identity::WhereMissing(LogProb::ONE));
    let model = LogLinear::new(&model);
    let list = Exact::new()
        .decode(&lattice, &model, &Request::best(100))
        .unwrap();
    let expected = c05["nbest"].as_array().unwrap();
    assert_eq!(list.items.len(), expected.len());
    for (item, expected) in list.items.iter().zip(expected) {
        assert_eq!(
            lattice.lexicon().join(&item.words),
            expected["t"].as_str().unwrap()
        );
        assert!((item.score.ln() - expected["score"].as_f64().unwrap()).abs() < SINGLE);
    }
    let derivations = Beam::default().with_recombination(false).derivations(
        &lattice,
        &model,
        100,
        &pgen_core::Stop::never(),
    );
    let derivations = derivations.unwrap();
    let expected = c05["derivation_list"].as_array().unwrap();
    assert_eq!(derivations.len(), expected.len());
    for (item, expected) in derivations.iter().zip(expected) {
        assert!((item.score.ln() - expected["score"].as_f64().unwrap()).abs() < SINGLE);
    }
}

#[test]
fn c08_rerank_study() {
    let c08 = golden("c08_rerank.json");
    let numbers = |key: &str| -> Vec<f64> {
        c08[key]
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x.as_f64().unwrap())
            .collect()
    };
    let truth = numbers("true_scores");
    let expected: Vec<usize> = numbers("new_rank_in_old_order")
        .iter()
        .map(|&r| r as usize)
        .collect();
    assert_eq!(rerank(&truth), expected);
    assert!(close(
        kendall(&expected).tau.unwrap(),
        c08["tau"].as_f64().unwrap()
    ));
    let mut study = RerankStudy::default();
    let list: Vec<(f64, f64)> = numbers("old_scores").into_iter().zip(truth).collect();
    study.add(&list, 1e-9);
    assert!(close(
        study.share_modified(),
        c08["fraction_modified"].as_f64().unwrap()
    ));
    assert_eq!(
        study.first_not_optimal == 0,
        c08["top1_still_top"].as_bool().unwrap()
    );
    let new = study.new_rank_of_old_first[0].mean;
    assert_eq!(new, c08["new_rank_of_old_top"].as_f64().unwrap());
    let old = study.old_rank_of_new_first[0].mean;
    assert_eq!(old, c08["old_rank_of_new_top"].as_f64().unwrap());
}
