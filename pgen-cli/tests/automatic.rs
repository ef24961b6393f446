//! `pgen judge --auto` from outside.

mod common;

use common::pgen;
use serde_json::Value;

const ANSWERS: &str = r#"{"source":"A quick fox saw two dogs.","paraphrases":[{"text":"A fast fox saw two dogs."},{"text":"A quick fox saw three dogs."}]}
{"source":"He will not go.","paraphrases":[{"text":"He will go."}]}
{"source":"Nobody knows.","paraphrases":[]}
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("list.tsv", "quick\tfast\t0.5\nslow\ttardy\t0.1\n");
    write(
        "references.tsv",
        "1\tA quick fox saw two dogs.\tA swift fox saw two dogs.\tTwo dogs were seen by a fast fox.\n",
    );
    write("answers.json", ANSWERS);
    folder
}

fn report(args: &[&str]) -> Value {
    let folder = folder();
    let output = pgen(folder.path(), args, b"");
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn sources_confirm_and_faults_count() {
    let first = ["judge", "--auto", "--json", "answers.json"];
    let found = report(
        &[
            &first[..],
            &["--list", "list.tsv", "--references", "references.tsv"],
        ]
        .concat(),
    );
    assert_eq!(found["sentences"], 3);
    assert_eq!(found["answered"], 2);
    assert_eq!(found["paraphrases"], 2);
    assert_eq!(found["units"], 2);
    assert_eq!(found["changed_words"], 3);
    assert_eq!(found["confirmed"]["list"], 1);
    assert_eq!(found["confirmed"]["references"], 1);
    assert_eq!(found["confirmed"]["any"], 1);
    assert_eq!(found["broken"]["negation"], 1);
    assert_eq!(found["broken"]["any"], 1);
    let all = report(&[&first[..], &["--ranks", "10"]].concat());
    assert_eq!(all["paraphrases"], 3);
    assert_eq!(all["broken"]["numbers"], 1);
}

#[test]
fn bad_input_is_named() {
    let folder = folder();
    let run = |args: &[&str], input: &[u8]| {
        let output = pgen(folder.path(), args, input);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(run(&["judge", "--auto"], b"no json\n").contains("line 1"));
    std::fs::write(folder.path().join("one.tsv"), "a\tb\nlonely\n").unwrap();
    let message = run(
        &["judge", "--auto", "--list", "one.tsv", "answers.json"],
        b"",
    );
    assert!(message.contains("one.tsv:2"), "{message}");
}
