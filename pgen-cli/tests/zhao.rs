//! Application-driven paraphrasing from outside: plan, tune and judge on small files, and bad input.

mod common;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;

fn pgen(args: &[&str], folder: &Path) -> Output {
    common::pgen(folder, args, b"")
}

fn model() -> String {
    concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../models/english/english.pgen"
    )
    .to_owned()
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Two words, tags and heads (0 is the root).
fn conllu(id: &str, rows: &[(&str, &str, u32)]) -> String {
    let mut text = format!("# sent_id = {id}\n");
    for (at, (form, tag, head)) in (1..).zip(rows) {
        text.push_str(&format!(
            "{at}\t{form}\t_\t_\t{tag}\t_\t{head}\tdobj\t_\t_\n"
        ));
    }
    text + "\n"
}

const PATTERNS: &str = "take [NN_1] into account ||| consider [NN_1] ||| 0.9\n";

fn group() -> String {
    let source = [
        ("we", "PRP", 2),
        ("take", "VBP", 0),
        ("size", "NN", 2),
        ("into", "IN", 2),
        ("account", "NN", 4),
        (".", ".", 2),
    ];
    let reference = [
        ("we", "PRP", 2),
        ("consider", "VBP", 0),
        ("size", "NN", 2),
        (".", ".", 2),
    ];
    conllu("g/0", &source) + &conllu("g/1", &reference)
}

#[test]
fn plan_then_tune() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "p.txt", PATTERNS);
    write(folder, "g.conllu", &group());
    let model = model();
    let plan = |more: &[&str]| {
        let mut args = vec![
            "plan",
            "g.conllu",
            "--model",
            &model,
            "--patterns",
            "p.txt",
            "--only",
            "patterns",
        ];
        args.extend(more);
        let output = pgen(&args, folder);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    let labelled = plan(&[
        "--grouped",
        "--label",
        "--json",
        "--application",
        "compression",
    ]);
    let line: Value = serde_json::from_str(&labelled).unwrap();
    let unit = &line["units"][0];
    assert_eq!(unit["from"], "take size into account");
    assert_eq!(unit["to"], "consider size");
    assert_eq!(
        (unit["gain"].as_f64(), &unit["correct"]),
        (Some(9.0), &Value::Bool(true))
    );
    let shown = plan(&["--grouped", "--application", "compression"]);
    assert!(shown.contains("best\twe consider size ."), "{shown}");
    let totals: Value = serde_json::from_str(&plan(&[
        "--grouped",
        "--application",
        "similarity",
        "--summary",
    ]))
    .unwrap();
    assert_eq!(
        (&totals["patterns"], totals["closer"].as_f64()),
        (&Value::from(1), Some(1.0))
    );
    write(folder, "dev.jsonl", &labelled);
    let args = [
        "tune",
        "--dev",
        "dev.jsonl",
        "--test",
        "dev.jsonl",
        "--model",
        &model,
        "--patterns",
        "p.txt",
        "--only",
        "patterns",
        "--application",
        "compression",
        "--weights",
        "identity=0.0,language=1",
    ];
    let tuned = pgen(&args, folder);
    let tuned: Value = serde_json::from_slice(&tuned.stdout).unwrap();
    // One correct replacement of three words of six: rp 1, rr 1/2.
    assert!(
        (tuned["dev"]["after"]["f"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-12,
        "{tuned}"
    );
    assert_eq!(tuned["dev"]["after"], tuned["test"]["after"]);
    let misspelt = pgen(&[&args[..], &["--fix", "langauge"]].concat(), folder);
    assert_eq!(misspelt.status.code(), Some(2));
    let said = String::from_utf8_lossy(&misspelt.stderr).into_owned();
    assert!(said.contains("--fix: there is no `langauge`"), "{said}");
}

#[test]
fn bad_input_has_a_code_and_a_place() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(
        folder,
        "ok.conllu",
        &conllu("a", &[("dogs", "NNS", 2), ("run", "VBP", 0)]),
    );
    write(
        folder,
        "cycle.conllu",
        &conllu("a", &[("dogs", "NNS", 2), ("run", "VBP", 1)]),
    );
    write(folder, "range.conllu", &conllu("a", &[("dogs", "NNS", 7)]));
    write(folder, "slot.txt", "a [NN_1 ||| b [NN_1 ||| 1\n");
    write(folder, "pair.txt", "a b ||| c d ||| 1\n");
    write(folder, "cut.jsonl", "{\"source\": \"dogs");
    write(
        folder,
        "length.jsonl",
        "{\"source\":\"a\",\"tokens\":[\"a\"],\"tags\":[],\"heads\":[null],\"relations\":[\"root\"],\"units\":[]}",
    );
    let model = model();
    for (args, status, code) in [
        (vec!["plan", "cycle.conllu"], 1, "bad-tree"),
        (vec!["plan", "range.conllu"], 1, "bad-span"),
        (
            vec!["plan", "ok.conllu", "--patterns", "slot.txt"],
            1,
            "bad-table",
        ),
        (
            vec!["plan", "ok.conllu", "--collocations", "pair.txt"],
            1,
            "bad-table",
        ),
        (
            vec!["plan", "ok.conllu", "--application", "similarity"],
            2,
            "bad-parameter",
        ),
        (vec!["plan", "ok.conllu", "--weights", "x"], 1, "io"),
        (vec!["tune", "--dev", "cut.jsonl"], 1, "syntax"),
        (vec!["tune", "--dev", "length.jsonl"], 1, "mismatch"),
    ] {
        let mut all = args.clone();
        all.extend(["--model", &model]);
        let output = pgen(&all, folder);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{args:?}: {message}");
        assert!(
            message.contains(&format!("[{code}]")),
            "{args:?}: {message}"
        );
    }
    // Several roots and negative weights are legal.
    write(
        folder,
        "roots.conllu",
        &conllu("a", &[("dogs", "NNS", 0), ("run", "VBP", 0)]),
    );
    let legal = [
        "plan",
        "roots.conllu",
        "--weights",
        "language=-1",
        "--model",
        &model,
    ];
    assert_eq!(pgen(&legal, folder).status.code(), Some(0));
}

#[test]
fn judgements() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let labels = [
        (1, 1),
        (2, 2),
        (3, 3),
        (2, 3),
        (1, 2),
        (3, 3),
        (2, 2),
        (1, 1),
        (2, 2),
        (3, 1),
    ];
    let mut text = "# item, criterion, rater, label\n".to_owned();
    for (item, (a, b)) in labels.iter().enumerate() {
        text.push_str(&format!(
            "{item}\tfluency\tann\t{a}\n{item}\tfluency\tbob\t{b}\n"
        ));
    }
    write(folder, "j.tsv", &text);
    let output = pgen(&["judge", "--json", "j.tsv"], folder);
    let table: Value = serde_json::from_slice(&output.stdout).unwrap();
    let kappa = table["agreement"][0]["kappa"].as_f64().unwrap();
    assert!((kappa - 0.55).abs() < 1e-12, "{table}");
    assert_eq!(table["raters"][0]["counts"], serde_json::json!([3, 4, 3]));
    write(folder, "bad.tsv", "1\tfluency\tann\t4\n");
    let bad = pgen(&["judge", "bad.tsv"], folder);
    assert_eq!(bad.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&bad.stderr).contains("bad.tsv:1"));
}

#[test]
fn applications_of_ones_own_and_careful_settings() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "p.txt", PATTERNS);
    write(folder, "g.conllu", &group());
    write(folder, "approved.txt", "we\nconsider\n\nsize\nConsider\n");
    write(folder, "empty.txt", "\n\n");
    let model = model();
    let plan = |more: &[&str]| {
        let tables = [
            "--model",
            &model,
            "--patterns",
            "p.txt",
            "--only",
            "patterns",
        ];
        let mut args = vec!["plan", "g.conllu", "--grouped"];
        args.extend(tables);
        args.extend(more);
        let output = pgen(&args, folder);
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    };
    let approved = ["--application", "approved", "--words"];
    let (code, out, _) = plan(&[&approved[..], &["approved.txt"]].concat());
    assert_eq!(code, Some(0));
    assert!(out.contains("best\twe consider size ."), "{out}");
    // A contraction is approved as the tokens that sentences have.
    write(folder, "two.txt", "does n't ||| ca n't ||| 0.9\n");
    let rows = [("it", "PRP", 2), ("does", "VBZ", 0), ("n't", "RB", 2)];
    write(folder, "two.conllu", &conllu("a", &rows));
    for (list, changed) in [("it\ncan't\ndoesn't\n", false), ("it\ncan't\n", true)] {
        write(folder, "list.txt", list);
        let args = [
            &[
                "plan",
                "two.conllu",
                "--model",
                &model,
                "--phrases",
                "two.txt",
            ][..],
            &["--only", "phrases", "--weights", "phrases=0,language=0"],
            &["--application", "approved", "--words", "list.txt"],
        ];
        let out = String::from_utf8(pgen(&args.concat(), folder).stdout).unwrap();
        assert_eq!(out.contains("best\tit ca n't"), changed, "{list}: {out}");
    }
    // Nothing may be lost in its place, and everything costs something: the sentence is left alone.
    let careful = ["--application", "similarity", "--strict", "--beat-source"];
    let (code, out, _) = plan(&[&careful[..], &["--weights", "patterns=1e6"]].concat());
    assert_eq!(code, Some(0));
    assert!(
        out.starts_with("source\t") && !out.contains("best\t"),
        "{out}"
    );
    for (args, code, said) in [
        (vec!["--application", "approved"], 2, "--words"),
        (
            vec!["--application", "approved", "--words", "empty.txt"],
            1,
            "empty.txt: no words",
        ),
        (
            vec!["--application", "approved", "--words", "none.txt"],
            1,
            "none.txt",
        ),
        (vec!["--most-lost=-1"], 2, "--most-lost"),
        (vec!["--most-lost", "NaN"], 2, "--most-lost"),
        (vec!["--min-probability", "1.5"], 2, "--min-probability"),
        (vec!["--thesaurus", "p.txt"], 2, "--thesaurus"),
        (vec!["--thesaurus", "p.txt", "p.txt"], 1, "p.txt:1"),
        // Neither read twice nor silently left out.
        (["--thesaurus", "p.txt", "p.txt"].repeat(2), 2, "only once"),
        // What would do nothing is refused.
        (vec!["--strict"], 2, "--application similarity"),
        (vec!["--words", "approved.txt"], 2, "--application approved"),
        (vec!["--json", "--beat-source"], 2, "--beat-source"),
        (
            vec!["--min-probability", "0.1", "--no-model-phrases"],
            2,
            "--no-model-phrases",
        ),
    ] {
        let (found, out, err) = plan(&args);
        assert_eq!(found, Some(code), "{args:?}: {out}{err}");
        assert!(err.contains(said), "{args:?}: {err}");
    }
}

#[test]
fn collocations_of_lemmas_from_groups_to_the_plan() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let sentence = |id: &str, rows: [(&str, &str); 3]| {
        let [a, b, c] = rows;
        format!(
            "# sent_id = {id}\n1\t{}\t_\t_\t{}\t_\t2\tnsubj\t_\t_\n2\t{}\t_\t_\t{}\t_\t0\troot\t_\t_\n\
             3\t{}\t_\t_\t{}\t_\t2\tobj\t_\t_\n\n",
            a.0, a.1, b.0, b.1, c.0, c.1
        )
    };
    let mut groups = String::new();
    for (at, (made, took)) in [("made", "took"), ("makes", "takes"), ("make", "take")]
        .iter()
        .enumerate()
    {
        let tag = ["VBD", "VBZ", "VBP"][at];
        for copy in 0..2 {
            let group = format!("g{at}{copy}");
            let who = ("they", "PRP");
            groups += &sentence(
                &format!("{group}/0"),
                [who, (made, tag), ("decisions", "NNS")],
            );
            groups += &sentence(&format!("{group}/1"), [who, (took, tag), ("steps", "NNS")]);
        }
    }
    write(folder, "g.conllu", &groups);
    write(
        folder,
        "sets.tsv",
        "v1\tmake\t\nv2\ttake\t\nn3\tdecision\t\nn4\tstep\t\n",
    );
    write(folder, "forms.tsv", "verb\tmade\tmake\nverb\ttook\ttake\n");
    let acquire = |more: &[&str]| {
        let mut args = vec!["-q", "collocations", "--groups", "g.conllu"];
        args.extend(more);
        let output = pgen(&args, folder);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let lemmas = ["--thesaurus", "sets.tsv", "forms.tsv"];
    let table = acquire(&lemmas);
    assert!(
        table.starts_with("make OBJ decision ||| take OBJ step ||| 1.0"),
        "{table}"
    );
    assert!(
        table.contains(" ||| 6\n") && table.lines().count() == 2,
        "{table}"
    );
    assert_eq!(acquire(&[]).lines().count(), 6);
    write(folder, "c.txt", &table);
    let new = sentence(
        "n/0",
        [("we", "PRP"), ("made", "VBD"), ("decisions", "NNS")],
    );
    write(folder, "new.conllu", &new);
    let model = model();
    let plan = |more: &[&str]| {
        let mut args = vec![
            "plan",
            "new.conllu",
            "--model",
            &model,
            "--collocations",
            "c.txt",
        ];
        args.extend(["--only", "collocations", "--weights", "language=0"]);
        args.extend(more);
        String::from_utf8(pgen(&args, folder).stdout).unwrap()
    };
    assert!(
        plan(&lemmas).contains("best\twe took steps"),
        "{}",
        plan(&lemmas)
    );
    assert!(!plan(&[]).contains("took"));
    let output = pgen(&["collocations", "--groups", "g.tsv"], folder);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--annotator"));
}

#[test]
fn acquisition_names_what_is_wrong_with_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let sentence = [("dogs", "NNS", 2), ("run", "VBP", 0)];
    write(
        folder,
        "a.conllu",
        &(conllu("a", &sentence) + &conllu("b", &sentence)),
    );
    let long = "mot ".repeat(20_000);
    write(folder, "target.tsv", &format!("dogs run\tles\nb\t{long}\n"));
    write(folder, "source.tsv", &format!("dogs run\tles\n{long}\tb\n"));
    std::fs::create_dir(folder.join("x.conllu")).unwrap();
    write(
        &folder.join("x.conllu"),
        "groups.tsv",
        "1\tdogs run\tthey go\n",
    );
    let trained = pgen(
        &[
            "-q",
            "annotate",
            "train",
            "--conllu",
            "a.conllu",
            "--out",
            "annotator",
        ],
        folder,
    );
    assert_eq!(trained.status.code(), Some(0), "{trained:?}");
    let annotated = ["--annotated", "a.conllu"];
    let annotator = ["--annotator", "annotator"];
    for (args, code, said) in [
        (
            [&["--bitext", "target.tsv"][..], &annotated].concat(),
            1,
            "target.tsv, line 2: ",
        ),
        (
            [&["--bitext", "target.tsv"][..], &annotator].concat(),
            1,
            "target.tsv, line 2: ",
        ),
        (
            [&["--bitext", "source.tsv"][..], &annotator].concat(),
            1,
            "source.tsv, line 2: ",
        ),
        (vec!["--groups", "a.conllu", "--most", "0"], 2, "--most"),
        (
            vec!["--groups", "a.conllu", "--pairs-per-group", "0"],
            2,
            "--pairs-per-group",
        ),
        // Text in a folder that is called like CoNLL-U.
        (vec!["--groups", "x.conllu/groups.tsv"], 2, "--annotator"),
    ] {
        let output = pgen(&[&["-q", "patterns"], &args[..]].concat(), folder);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {message}");
        assert!(message.contains(said), "{args:?}: {message}");
    }
}
