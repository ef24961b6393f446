//! Golden vectors of Pang, Knight & Marcu (2003): figures 1, 5 and the measures.

use pgen_core::{Limits, SplitMix64, Stop, Tree};
use pgen_fsa::{
    Aligned, Edgain, Forest, Fsa, GrowthStep, MergeParams, MsaParams, PairParams, Repetition,
    RepetitionSummary, Version, align,
};
use serde_json::{Value, json};

fn golden(name: &str) -> Value {
    let path = format!("{}/tests/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn trees(golden: &Value) -> Vec<Tree> {
    let texts = golden["trees"].as_array().unwrap().iter();
    texts
        .map(|text| Tree::parse(text.as_str().unwrap(), &Limits::default()).unwrap())
        .collect()
}

fn words(tree: &Tree) -> Vec<String> {
    tree.leaves()
        .map(|leaf| leaf.word().unwrap().to_owned())
        .collect()
}

fn merge<'a>(trees: impl IntoIterator<Item = &'a Tree>, params: &MergeParams) -> Forest {
    let mut forest = Forest::new(params.clone(), &Limits::default());
    trees
        .into_iter()
        .for_each(|tree| forest.merge(tree).unwrap());
    forest
}

fn fsa<'a>(trees: impl IntoIterator<Item = &'a Tree>, params: &MergeParams) -> Fsa {
    merge(trees, params).to_fsa(&Stop::never()).unwrap().0
}

fn edges(fsa: &Fsa) -> Value {
    let edge = |t: &pgen_fsa::Transition| json!([t.from.raw(), fsa.text(t.label), t.to.raw()]);
    fsa.transitions().iter().map(edge).collect()
}

fn pairs(fsa: &Fsa) -> Value {
    let pairs = fsa
        .pairs(&PairParams::default(), &Limits::default(), &Stop::never())
        .unwrap();
    assert!(!pairs.truncated);
    pairs.pairs.iter().map(|(a, b)| json!([a, b])).collect()
}

fn raw() -> MergeParams {
    let mut params = MergeParams::default();
    params.squeeze = false;
    params
}

#[test]
fn figure_five() {
    let golden = golden("p01_fig5");
    let fsa = fsa(&trees(&golden), &raw());
    assert_eq!(edges(&fsa), golden["edges"]);
    assert_eq!(json!(fsa.strings(100)), golden["strings"]);
    assert_eq!(pairs(&fsa), golden["pairs"]);
}

#[test]
fn crossing_keywords_stop_the_merge() {
    let golden = golden("p02_keyword");
    let trees = trees(&golden);
    assert_eq!(
        json!(fsa(&trees, &raw()).strings(100)),
        golden["strings_before_squeeze"]
    );
    let params = MergeParams::default();
    assert_eq!(
        json!(fsa(&trees, &params).strings(100)),
        golden["strings_after_squeeze"]
    );
}

#[test]
fn synonyms_can_stop_a_merge_too() {
    let limits = Limits::default();
    let parse = |text: &str| Tree::parse(text, &limits).unwrap();
    let first = parse("(S (NP (NNS people)) (VP (VBD fought)))");
    let second = parse("(S (NP (NN fight)) (VP (VBD killed)))");
    let count = |synonyms: bool| {
        let mut forest = Forest::new(MergeParams::default(), &limits);
        if synonyms {
            let same = |word: &str| match word {
                "fight" => vec!["fought".to_owned()],
                _ => Vec::new(),
            };
            forest = forest.with_synonyms(Box::new(same));
        }
        forest.merge(&first).unwrap();
        forest.merge(&second).unwrap();
        forest.derivation_count().to_u64()
    };
    assert_eq!((count(false), count(true)), (Some(2 * 2), Some(2)));
}

#[test]
fn figure_one() {
    let golden = golden("p04_fig1");
    let trees = trees(&golden);
    let params = MergeParams::default();
    let forest = merge(&trees, &params);
    assert_eq!(json!(forest.derivation_count()), golden["n_paths_forest"]);
    let before = fsa(&trees, &raw());
    assert_eq!(json!(before.path_count()), golden["n_paths_forest"]);
    assert_eq!(
        json!(before.strings(1000).len()),
        golden["n_strings_forest"]
    );
    let (squeezed, report) = forest.to_fsa(&Stop::never()).unwrap();
    assert_eq!(json!(squeezed.path_count()), golden["n_paths_squeezed"]);
    assert_eq!(json!(squeezed.state_count()), golden["n_nodes"]);
    assert_eq!(json!(report.blocked), golden["blocked_pairs"]);
    assert_eq!(edges(&squeezed), golden["edges_squeezed"]);
    assert_eq!(json!(squeezed.strings(1000)), golden["strings_squeezed"]);
    assert_eq!(pairs(&squeezed), golden["pairs_squeezed_maxlen6"]);
    for tree in &trees {
        assert!(squeezed.accepts(&words(tree)));
    }
    let mut unchecked = params.clone();
    unchecked.keyword_check = false;
    let count = fsa(&trees, &unchecked).path_count();
    assert_eq!(json!(count), golden["n_paths_without_keyword_check"]);
}

#[test]
fn the_order_of_trees_does_not_matter_here() {
    let golden = golden("p04_fig1");
    let mut trees = trees(&golden);
    let mut rng = SplitMix64::new(1);
    for wanted in golden["n_paths_for_6_shuffled_orders"].as_array().unwrap() {
        rng.shuffle(&mut trees);
        assert_eq!(
            json!(fsa(&trees, &MergeParams::default()).path_count()),
            *wanted
        );
    }
}

fn check_repetition(found: &Repetition, wanted: &Value) {
    assert_eq!(found.words.len(), wanted.as_object().unwrap().len());
    for word in &found.words {
        assert_eq!(
            json!([word.paths, word.repeated]),
            wanted[&word.word],
            "{}",
            word.word
        );
    }
}

fn close(found: f64, wanted: &Value) {
    let wanted = wanted.as_f64().unwrap();
    assert!(
        (found - wanted).abs() <= 1e-9 * wanted.abs().max(1e-9),
        "{found} {wanted}"
    );
}

#[test]
fn repetition_of_syntax_and_of_lexical_alignment() {
    let (golden, lexical) = (golden("p04_fig1"), golden("p06_msa_vs_syntax"));
    let trees = trees(&golden);
    let sentences: Vec<_> = trees.iter().map(words).collect();
    let found = fsa(&trees, &MergeParams::default())
        .repetition(&sentences, &Stop::never())
        .unwrap();
    check_repetition(&found, &golden["repetition"]["C_Cr"]);
    let summary = RepetitionSummary::new([&found]);
    close(summary.mean, &golden["repetition"]["mean_ratio"]);
    close(summary.nonzero, &golden["repetition"]["fraction_nonzero"]);

    let cluster: Vec<_> = sentences
        .iter()
        .map(|words| Aligned {
            words: words.clone(),
            syntax: None,
        })
        .collect();
    let params = MsaParams::new(Version::V1);
    let made = align(&cluster, &params, &Limits::default(), &Stop::never()).unwrap();
    assert_eq!(json!(made.fsa.path_count()), lexical["n_paths"]);
    let order: Value = made
        .order
        .iter()
        .map(|&(sentence, to)| json!([sentence, to]))
        .collect();
    assert_eq!(order, lexical["order"]);
    let found = made.fsa.repetition(&sentences, &Stop::never()).unwrap();
    check_repetition(&found, &lexical["C_Cr"]);
    let summary = RepetitionSummary::new([&found]);
    close(summary.mean, &lexical["mean_ratio"]);
    close(summary.nonzero, &lexical["fraction_nonzero"]);
    close(summary.mean_nonzero, &lexical["mean_nonzero"]);
}

/// The paper's printed means are consistent with their parts, and so is a summary.
#[test]
fn printed_means_and_their_parts() {
    let golden = golden("p05_printed_checks");
    let printed = |key: &str| golden[key].as_f64().unwrap();
    // 14.76 % · 0.206671 and 2.16 % · 0.162309, §4.2.2.
    assert!((0.1476 * 0.206_671 - printed("msa_mean_from_parts")).abs() < 1e-9);
    assert!((0.0216 * 0.162_309 - printed("ours_mean_from_parts")).abs() < 1e-9);
    assert!((printed("msa_mean_from_parts") - printed("msa_mean_printed")).abs() < 1e-5);
    assert!((printed("ours_mean_from_parts") - printed("ours_mean_printed")).abs() < 2e-6);
    assert_eq!(golden["table5_sum"], golden["groups"]);
}

#[test]
fn leave_one_out_and_growth() {
    let golden = golden("p04_fig1");
    let trees = trees(&golden);
    let sentences: Vec<_> = trees.iter().map(words).collect();
    let params = MergeParams::default();
    let build = |chosen: &[usize]| Ok(fsa(chosen.iter().map(|&at| &trees[at]), &params));
    let gain =
        Edgain::leave_one_out(&sentences, &Limits::default(), &Stop::never(), build).unwrap();
    let found: Value = gain
        .distances
        .iter()
        .map(|&(input, fsa)| json!([input, fsa]))
        .collect();
    assert_eq!(found, golden["leave_one_out_[ed_input,ed_fsa]"]);
    close(gain.mean().unwrap(), &golden["edgain"]);
    let curve =
        GrowthStep::curve(&sentences, None, &Limits::default(), &Stop::never(), build).unwrap();
    let wanted = golden["table6_identity_order"].as_array().unwrap();
    assert_eq!(curve.len(), wanted.len());
    for (step, wanted) in curve.iter().zip(wanted) {
        let found = json!([step.sentences, step.input, step.fsa]);
        assert_eq!(
            found,
            json!([wanted["n"], wanted["ed_input"], wanted["ed_fsa"]])
        );
    }
    // Shuffled, the first automaton is one sentence: nothing is gained.
    let curve = GrowthStep::curve(
        &sentences,
        Some(7),
        &Limits::default(),
        &Stop::never(),
        build,
    )
    .unwrap();
    assert_eq!(curve[0].input, curve[0].fsa);
    assert!(curve.iter().all(|step| step.fsa <= step.input));
}

#[test]
fn hostile_trees_are_no_danger() {
    let limits = Limits::default();
    let deep = format!("{}(NN x){}", "(A ".repeat(500_000), ")".repeat(500_000));
    let tree = Tree::parse(&deep, &limits).unwrap();
    let mut forest = Forest::new(MergeParams::default(), &limits);
    forest.merge(&tree).unwrap();
    forest.merge(&tree).unwrap();
    assert_eq!(forest.derivation_count().to_u64(), Some(1));
    assert_eq!(forest.to_fsa(&Stop::never()).unwrap().0.state_count(), 2);
    drop(forest);
    let mut small = limits.clone();
    small.nodes = 1_000;
    let error = Forest::new(MergeParams::default(), &small)
        .merge(&tree)
        .unwrap_err();
    assert_eq!(error.code(), "limit-exceeded");
}
