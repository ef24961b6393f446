//! `pgen fsa` from outside, on the sentences of Pang et al.'s figure 1 and on AT&T text.

mod common;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;

fn fsa(args: &[&str], input: &str) -> Output {
    common::pgen(Path::new("."), &[&["fsa"], args].concat(), input.as_bytes())
}

fn out(args: &[&str], input: &str) -> String {
    let output = fsa(args, input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The trees of figure 1, one a line.
fn figure_one() -> String {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../pgen-fsa/tests/golden/p04_fig1.json"
    );
    let golden: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let trees = golden["trees"].as_array().unwrap().iter();
    trees
        .map(|tree| format!("{}\n", tree.as_str().unwrap()))
        .collect()
}

fn file(dir: &TempDir, name: &str, text: &str) -> String {
    let path: PathBuf = dir.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const TWO: &str = "0 1 a\n0 1 b\n1 2 c\n1 3 d 0.5\n2\n3\n\n0 1 x\n1\n";

#[test]
fn figure_one_has_49_strings() {
    let trees = figure_one();
    let line = &json(&out(&["merge", "--json"], &trees))[0];
    assert_eq!(
        (&line["strings"], &line["sentences"]),
        (&49.into(), &11.into())
    );
    let line = &json(&out(&["merge", "--json", "--no-keyword-check"], &trees))[0];
    assert_eq!(line["strings"], 93);
    let plain = out(&["merge"], &trees);
    assert!(plain.contains("49 paths\t49 strings"), "{plain}");
}

#[test]
fn pictures_and_formats() {
    let trees = figure_one();
    let svg = out(&["svg"], &trees);
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && svg.contains("49 paths"));
    assert!(svg.contains(">persons</text>") && svg.matches("<circle").count() >= 51);
    let dot = out(&["dot"], &trees);
    assert!(
        dot.starts_with("digraph")
            && dot.contains("label=\"persons\"")
            && dot.trim_end().ends_with('}')
    );
    let att = out(&["att"], &trees);
    let again = &json(&out(&["merge", "--json"], &att))[0];
    assert_eq!(
        (&again["strings"], &again["sentences"]),
        (&49.into(), &0.into())
    );
    assert!(out(&["att", "--plf"], &trees).starts_with("((("));
    let slf = out(&["att", "--slf"], &trees);
    assert!(
        slf.starts_with("VERSION=") && slf.contains("W=persons"),
        "{slf}"
    );
    let dir = tempfile::tempdir().unwrap();
    let prefix = dir.path().join("f").to_str().unwrap().to_owned();
    out(&["merge", "--att", &prefix], &trees);
    assert_eq!(
        std::fs::read_to_string(format!("{prefix}.1.att")).unwrap(),
        att
    );
}

#[test]
fn best_strings_by_weight_and_by_model() {
    let best = out(&["best", "-n", "3"], TWO);
    assert_eq!(
        best,
        "1\t0.0000\ta c\n1\t0.0000\tb c\n1\t-0.5000\ta d\n2\t0.0000\tx\n"
    );
    let dir = tempfile::tempdir().unwrap();
    let arpa = "\\data\\\nngram 1=7\n\n\\1-grams:\n-99 <s>\n-1 </s>\n-2 <unk>\n-1.5 a\n-0.5 b\n-1 c\n-0.25 d\n\n\\end\\\n";
    let arpa = file(&dir, "tiny.arpa", arpa);
    let lines = json(&out(&["best", "-n", "2", "--json", "--lm", &arpa], TWO));
    let text = |at: usize| lines[0]["best"][at]["text"].as_str().unwrap();
    assert_eq!((text(0), text(1)), ("b d", "b c"));
    let score = lines[0]["best"][0]["score"].as_f64().unwrap();
    assert!(score < 0.0, "{score}");
    let trees = out(&["best", "-n", "60"], &figure_one());
    assert_eq!(trees.lines().count(), 49);
}

#[test]
fn distances_from_references() {
    let dir = tempfile::tempdir().unwrap();
    let references = file(
        &dir,
        "r.mrg",
        "(S (NP (NN he)) (VP (VBD ran)))\n(S (NP (NN she)) (VP (VBD swam)))\n",
    );
    let tested = file(
        &dir,
        "h.mrg",
        "(S (NP (NN he)) (VP (VBD swam)))\n(S (NP (NN it)) (VP (VBD flew)))\n",
    );
    let wanted = "1\t0\t2\t0\t1\the swam\n1\t1\t2\t2\t2\t";
    let found = out(&["distance", &references, "--hypotheses", &tested], "");
    assert!(found.starts_with(wanted), "{found}");
    assert_eq!(
        out(&["distance", "--reference-group", &references, &tested], ""),
        found
    );
    let att = file(&dir, "r.att", &out(&["att", &references], ""));
    let from_att = out(
        &["distance", "--json", "--reference-group", &att, &tested],
        "",
    );
    assert_eq!(json(&from_att)[0]["fsa"], 0);
    // Members that are no references are measured against those that are.
    let rest = out(&["distance", &tested, "--members", "0"], "");
    assert_eq!(rest.lines().count(), 1);
}

#[test]
fn pairs_against_a_thesaurus_and_another_extractor() {
    let dir = tempfile::tempdir().unwrap();
    let synsets = file(
        &dir,
        "wn.tsv",
        "n00000001\tbattle fighting\t\nn00000002\tpeople\t\n",
    );
    let other = file(
        &dir,
        "other",
        "fighting ||| battle ||| 3\nno ||| yes ||| 1\nsame ||| same ||| 9\n",
    );
    let args = [
        "pairs",
        "--lexical",
        "--thesaurus",
        &synsets,
        "--overlap",
        &other,
    ];
    let output = fsa(&args, &figure_one());
    let (found, said) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(
        found.lines().any(|line| line == "1\tbattle\tfighting"),
        "{found}"
    );
    assert!(
        said.contains("1 of") && said.contains("lexical pairs are synonyms"),
        "{said}"
    );
    assert!(said.contains("1 of 1 synonyms found: 100.0 %"), "{said}");
    assert!(
        said.contains(
            "1 of 2 pairs of the other table from 1 groups or more are also in the automata: 50.0 %"
        ),
        "{said}"
    );
    let table = out(&["pairs", "--table"], &figure_one());
    assert!(
        table
            .lines()
            .any(|line| line.starts_with("battle ||| fighting ||| ")),
        "{table}"
    );
}

#[test]
fn samples_and_measures() {
    let trees = figure_one();
    let first = out(&["sample", "-n", "5"], &trees);
    assert_eq!(first, out(&["sample", "-n", "5"], &trees));
    assert_eq!(first.lines().count(), 5);
    assert!(out(&["stats"], &trees).contains("repetition ratio"));
    let gain = out(&["edgain"], &trees);
    assert!(gain.contains("mean\t0.9091"), "{gain}");
    assert_eq!(out(&["table6"], &trees).lines().count(), 11);
    for how in ["walk", "path", "string"] {
        assert!(!out(&["sample", "--how", how], &trees).is_empty());
    }
    let line = &json(&out(&["msa", "--json", "--barzilay-lee"], &trees))[0];
    assert_eq!(line["sentences"], 11);
    let line = &json(&out(
        &["msa", "--json", "--set", "decay=0.4,position=1/3"],
        &trees,
    ))[0];
    assert_eq!(line["sentences"], 11);
}

#[test]
fn what_cannot_be_answered_is_said() {
    let output = fsa(&["edgain"], TWO);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing-syntax"));
    // One bad automaton does not stop those around it.
    let output = fsa(
        &["merge"],
        "0 1 a\n1\n\n0 1 a\n1 0 b\n0\n\n0 1 a NaN\n1\n\n0 1 b\n1\n",
    );
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 2);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("group 2") && said.contains("cyclic-graph"),
        "{said}"
    );
    assert!(
        said.contains("group 3") && said.contains("[syntax]"),
        "{said}"
    );
    for bad in [
        &["msa", "--set", "nothing=1"][..],
        &["msa", "--version", "v9"],
    ] {
        let output = fsa(bad, &figure_one());
        assert_eq!(output.status.code(), Some(2), "{bad:?}");
    }
    let output = fsa(&["msa"], "(S (NN a)\n\n(S (NN b))\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(fsa(&["best"], "").stdout.is_empty());
    assert_eq!(fsa(&["distance"], &figure_one()).status.code(), Some(2));
}

#[test]
fn automata_of_one_name_have_files_of_their_own() {
    let dir = TempDir::new().unwrap();
    let prefix = dir.path().join("p");
    let text = ["a b/0", "c/0", "a b/1", "a_b/0"]
        .map(|id| format!("# sent_id = {id}\n1\tdogs\tdog\tNOUN\tNNS\t_\t0\troot\t_\t_\n\n"));
    out(
        &["merge", "--att", prefix.to_str().unwrap()],
        &text.concat(),
    );
    let mut names: Vec<String> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["p.a_b-2.att", "p.a_b-3.att", "p.a_b.att", "p.c.att"]
    );
}
