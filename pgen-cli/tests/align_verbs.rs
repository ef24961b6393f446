//! The verbs of alignment from outside, one after the other: pairs, links, phrase pairs, scores, paraphrases.

use std::path::Path;
use std::process::{Command, Output};

const PAIRS: &str = "\
the house is small\tla maison est petite
the house is big\tla maison est grande
a small cat\tun petit chat
the cat is small\tle chat est petit
the home is big\tla maison est grande
a cat\tun chat
";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

fn pgen(args: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_pgen")).args(args).output();
    output.unwrap()
}

fn text(args: &[&str]) -> String {
    let output = pgen(args);
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {messages}");
    String::from_utf8(output.stdout).unwrap()
}

const LINKS: &str = "\
0-0 1-1 2-2 3-3
0-0 1-1 2-2 3-3
0-0 1-1 2-2
0-0 1-1 2-2 3-3
0-0 1-1 2-2 3-3
0-0 1-1
";

/// Pairs and links of a folder.
fn aligned(folder: &Folder) -> [String; 2] {
    [folder.write("pairs", PAIRS), folder.write("links", LINKS)]
}

#[test]
fn every_method_answers_every_line_and_a_saved_aligner_answers_alike() {
    let folder = Folder::new();
    let [pairs, links] = aligned(&folder);
    for method in ["model1", "model2", "hmm", "model3", "model4", "best"] {
        let file = folder.path(method);
        let args = ["align", "--pairs", &pairs, "--method", method, "-q"];
        let first = text(&[&args[..], &["--model-out", &file]].concat());
        assert_eq!(first.lines().count(), 6, "{method}");
        let again = text(&["align", "--pairs", &pairs, "--model", &file, "-q"]);
        assert_eq!(first, again, "{method}");
    }
    let gold = text(&[
        "align-eval",
        "--gold",
        &links,
        "--hyp",
        &links,
        "--pairs",
        &pairs,
    ]);
    assert!(
        gold.contains("all\t0.0000\t1.0000\t1.0000\t21\t21\t21"),
        "{gold}"
    );
}

#[test]
fn phrase_tables_are_the_same_from_text_and_from_extract_files() {
    let folder = Folder::new();
    let [pairs, links] = aligned(&folder);
    let from = ["--pairs", &pairs, "--links", &links];
    let direct = text(&[&["score-phrases"], &from[..]].concat());
    let extract = text(&[&["extract"], &from[..]].concat());
    let inverse = text(&[&["extract", "--inverse"], &from[..]].concat());
    assert!(extract.contains("maison ||| 0-0\n") && inverse.contains("\nla maison ||| the ho"));
    let extract = folder.write("extract", extract);
    let inverse = folder.write("inverse", inverse);
    let read = text(&["score-phrases", "--extract", &extract]);
    let turned = text(&["score-phrases", "--extract", &inverse, "--inverse"]);
    assert_eq!(read, turned);
    // Lexical weights are counted over phrase pairs there; all else is equal.
    let rows = |table: &str| -> Vec<String> {
        let rows = table.lines().map(|line| {
            let fields: Vec<&str> = line.split(" ||| ").collect();
            let scores: Vec<&str> = fields[2].split(' ').collect();
            let (words, counts) = (&fields[..2], fields[4]);
            format!("{words:?} {} {} {counts}", scores[0], scores[2])
        });
        rows.collect()
    };
    assert_eq!(rows(&direct), rows(&read));
    assert!(
        direct.contains("\nhouse ||| maison ||| 6.666666667e-1 "),
        "{direct}"
    );
    let sources: Vec<&str> = direct
        .lines()
        .map(|line| line.split(" |||").next().unwrap())
        .collect();
    assert!(sources.is_sorted(), "{sources:?}");
}

#[test]
fn paraphrases_pivot_through_the_other_language() {
    let folder = Folder::new();
    let [pairs, links] = aligned(&folder);
    let from = ["--pairs", &pairs, "--links", &links];
    let table = folder.write("table", text(&[&["score-phrases"], &from[..]].concat()));
    let by_table = text(&["pivot", "--table", &table, "--no-identity", "-q"]);
    let direct = text(&[&["pivot", "--no-identity", "-q"], &from[..]].concat());
    let words = |rows: &str| -> Vec<String> {
        let mut rows: Vec<String> = rows
            .lines()
            .map(|line| line.rsplit_once(" ||| ").unwrap().0.to_owned())
            .collect();
        rows.sort();
        rows
    };
    assert_eq!(words(&by_table), words(&direct));
    assert!(
        direct.contains("home ||| house ||| 6.666666667e-1"),
        "{direct}"
    );
    let french = text(&[
        "pivot",
        "--table",
        &table,
        "--side",
        "target",
        "--no-identity",
    ]);
    assert!(!french.contains("home"), "{french}");
}

#[test]
fn compact_tables_are_written_for_the_decoders() {
    let folder = Folder::new();
    let [pairs, links] = aligned(&folder);
    let from = ["--pairs", &pairs, "--links", &links];
    let compact = folder.path("channel");
    assert_eq!(
        text(
            &[
                &["score-phrases", "--model1", "-q", "--out", &compact],
                &from[..]
            ]
            .concat()
        ),
        ""
    );
    let pivot = folder.path("pivot");
    assert_eq!(
        text(&[&["pivot", "-q", "--out", &pivot], &from[..]].concat()),
        ""
    );
    for table in [&compact, &pivot] {
        let info = text(&["bundle", "info", table]);
        assert!(!info.is_empty());
    }
    let missing = pgen(&[&["pivot", "--out", "no/such/folder/table"], &from[..]].concat());
    assert_eq!(missing.status.code(), Some(1));
}

#[test]
fn synonyms_are_inflected() {
    let folder = Folder::new();
    let sets = folder.write(
        "sets",
        "v1\tbuy purchase\t\nn2\tfirm house business_firm\t\n",
    );
    let exceptions = folder.write("exceptions", "verb\tbought\tbuy\n");
    let list = folder.write("list", "big\tlarge\n");
    let rows = text(&[
        "thesaurus",
        "--sets",
        &sets,
        "--exceptions",
        &exceptions,
        "--synonyms",
        &list,
        "-q",
    ]);
    for row in [
        "bought ||| purchased ||| 1",
        "buys ||| purchases ||| 1",
        "firms ||| business firms ||| 0.49999999904767284",
        "large ||| big ||| 1",
    ] {
        assert!(rows.lines().any(|line| line == row), "{row} in\n{rows}");
    }
    let words = folder.write("words", "bought\t17\nhouses\n");
    let few = text(&[
        "thesaurus",
        "--sets",
        &sets,
        "--exceptions",
        &exceptions,
        "--words",
        &words,
        "-q",
    ]);
    assert_eq!(few.lines().count(), 3, "{few}");
    let out = folder.path("synonyms");
    text(&["thesaurus", "--synonyms", &list, "--out", &out, "-q"]);
    assert!(Path::new(&out).exists());
    let bad = folder.write("bad", "x1\tword\t\n");
    let output = pgen(&["thesaurus", "--sets", &bad]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains(":1: "));
}

#[test]
fn damaged_pairs_and_links_are_answered_by_line() {
    let folder = Folder::new();
    let pairs = folder.write(
        "pairs",
        b"\xEF\xBB\xBFa b\tx y\r\nalone\n\n\tx\n\xFF\tq\nc\tz\n",
    );
    let output = pgen(&["align", "--pairs", &pairs, "--method", "model1"]);
    assert_eq!(output.status.code(), Some(1));
    let links = String::from_utf8(output.stdout).unwrap();
    assert_eq!(links.lines().count(), 6, "{links}");
    let messages = String::from_utf8(output.stderr).unwrap();
    for line in ["line 2", "line 4", "line 5", "3 of 6 lines"] {
        assert!(messages.contains(line), "{line} in {messages}");
    }
    let good = folder.write("good", "a b\tx y\nc\tz\n");
    for (links, code, told) in [
        ("0-0 1-1\n1-1\n", "bad-span", "2"),
        ("0-0\n", "length-mismatch", "2"),
        ("0-0\n0-0\n0-0\n", "length-mismatch", "more lines"),
        ("0-0\nS 0-0\n", "syntax", "2"),
    ] {
        let links = folder.write("links", links);
        for verb in ["extract", "score-phrases", "pivot"] {
            let output = pgen(&[verb, "--pairs", &good, "--links", &links]);
            let messages = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{verb}: {messages}");
            assert!(
                messages.contains(code) && messages.contains(told),
                "{messages}"
            );
        }
    }
    let usage = pgen(&["extract", "--pairs", &good]);
    assert_eq!(usage.status.code(), Some(2));
}
