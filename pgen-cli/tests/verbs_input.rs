//! serve, plan, tune and judge on input that lies: an error with its line and code each time, and no panic.
#![cfg(feature = "english")]

mod common;

use common::pgen;
use serde_json::{Value, json};
use std::path::Path;

const MODEL: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../models/english/english.pgen"
);

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    std::fs::write(folder.join(name), bytes).unwrap();
}

/// Runs the program, which must end with this exit code and these parts of a message.
fn fails(folder: &Path, args: &[&str], status: i32, said: &[&str]) {
    let output = pgen(folder, args, b"");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{args:?}: {message}");
    for part in said {
        assert!(message.contains(part), "{args:?}: no `{part}` in {message}");
    }
}

fn long_line() -> String {
    "word ".repeat(10_000)
}

/// Requests and the code that answers each; `-` where there is an answer.
fn requests() -> Vec<(Vec<u8>, &'static str)> {
    let text = "We must find a solution.";
    let mut requests: Vec<(Vec<u8>, &str)> = [
        ("{", "syntax"),
        ("[]", "syntax"),
        (r#"["x", "paraphrase", "a"]"#, "syntax"),
        ("null", "syntax"),
        ("3", "syntax"),
        (r#"{"text": "a""#, "syntax"),
        (r#"{"text": "a"} x"#, "syntax"),
        (r#"{"text": 3}"#, "syntax"),
        (r#"{"text": "a", "text": "b"}"#, "syntax"),
        (r#"{"text": "a", "colour": 1}"#, "syntax"),
        (r#"{"op": "fly"}"#, "syntax"),
        (r#"{"text": "a", "n": -1}"#, "syntax"),
        (r#"{"text": "a", "n": 1.5}"#, "syntax"),
        (r#"{"text": "a", "n": NaN}"#, "syntax"),
        (r#"{"text": "a", "n": 1e999}"#, "syntax"),
        (r#"{"text": "a", "n": 18446744073709551616}"#, "syntax"),
        (r#"{"text": "a", "n": 18446744073709551615}"#, "-"),
        (r#"{"text": "a", "n": 0}"#, "-"),
        (r#"{"text": "a", "seed": -1}"#, "syntax"),
        (r#"{"text": "a", "time_limit": -5}"#, "syntax"),
        (r#"{"text": "a", "decoder": "best"}"#, "syntax"),
        (r#"{"text": "a", "application": "similarity"}"#, "syntax"),
        (
            r#"{"text": "a", "application": "similarity", "reference": ""}"#,
            "bad-parameter",
        ),
        (r#"{"text": "a", "min_confidence": 1.5}"#, "bad-parameter"),
        (
            r#"{"text": "a", "diversity": {"min-edits": 2, "max-edits": 1}}"#,
            "bad-parameter",
        ),
        (
            r#"{"text": "a", "diversity": {"min-change": 1, "max-change": 0}}"#,
            "bad-parameter",
        ),
        (
            r#"{"text": "a", "diversity": {"same": 0}}"#,
            "bad-parameter",
        ),
        (r#"{"text": "a", "min_confidence": -1}"#, "bad-parameter"),
        (r#"{"text": "a", "forbid": [""]}"#, "bad-parameter"),
        (r#"{"text": "a", "force": [" "]}"#, "bad-parameter"),
        (r#"{"text": "a", "protect": ["("]}"#, "bad-parameter"),
        (
            r#"{"text": "a", "protect": ["(a{1000}){1000}"]}"#,
            "bad-parameter",
        ),
        (r#"{"text": "a", "protect_spans": [[0, 9]]}"#, "bad-span"),
        (r#"{"text": "a", "protect_spans": [[1, 0]]}"#, "syntax"),
        (r#"{"text": "a", "protect_spans": [[-1, 1]]}"#, "syntax"),
        (r#"{"text": "a", "protect_spans": [[0]]}"#, "syntax"),
        (r#"{"text": "a", "change_spans": [[0, 1e19]]}"#, "syntax"),
        (r#"{"text": "a", "diversity": {"most": 1}}"#, "syntax"),
        (
            r#"{"text": "a", "diversity": {"min-change": -1}}"#,
            "syntax",
        ),
        (r#"{"text": "a\ud800"}"#, "syntax"),
        (r#"{"text": "a\u0000b"}"#, "-"),
    ]
    .map(|(request, code)| (request.as_bytes().to_vec(), code))
    .to_vec();
    let mut more = |request: Value, code| requests.push((request.to_string().into_bytes(), code));
    more(json!({"text": text, "time_limit": 0}), "-");
    more(json!({"text": text, "time_limit": u64::MAX}), "-");
    more(json!({"text": text, "n": u64::MAX}), "-");
    more(json!({"text": long_line()}), "limit-exceeded");
    more(
        json!({"text": long_line(), "split": true}),
        "limit-exceeded",
    );
    more(
        json!({"text": "a", "force": [long_line()]}),
        "limit-exceeded",
    );
    more(json!({"text": "x".repeat(5_000)}), "limit-exceeded");
    more(json!({"text": "x".repeat(2_000_000)}), "limit-exceeded");
    requests.push(("[".repeat(500).into_bytes(), "syntax"));
    let deep = format!("{{\"id\": {}{}}}", "[".repeat(200), "]".repeat(200));
    requests.push((deep.into_bytes(), "syntax"));
    requests.push((b"{\"text\": \"\xff\"}".to_vec(), "encoding"));
    requests.push((b"{\"text\": \"a\0\"}".to_vec(), "syntax"));
    requests.push((br#"{"text": "a"}"#.to_vec(), "-"));
    requests
}

#[test]
fn the_server_goes_on_after_every_bad_request() {
    let requests = requests();
    let input: Vec<Vec<u8>> = requests
        .iter()
        .map(|(request, _)| request.clone())
        .collect();
    let output = pgen(Path::new("."), &["serve"], &input.join(&b'\n'));
    assert_eq!(output.status.code(), Some(0));
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.lines().count(), requests.len());
    for ((line, (request, code)), answer) in (1..).zip(&requests).zip(answers.lines()) {
        let request = String::from_utf8_lossy(&request[..request.len().min(99)]);
        let answer: Value = serde_json::from_str(answer).unwrap();
        if *code == "-" {
            assert!(answer["paraphrases"].is_array(), "{request}: {answer}");
        } else {
            let error = &answer["error"];
            assert_eq!(error["code"], *code, "{request}: {answer}");
            assert_eq!(error["line"], line, "{request}: {answer}");
        }
    }
}

const PATTERNS: &str = "take [NN_1] into account ||| consider [NN_1] ||| 0.9\n";

/// What `plan --json` writes of "we take size into account".
fn labelled() -> Value {
    json!({
        "source": "we take size into account ",
        "tokens": ["we", "take", "size", "into", "account"],
        "tags": ["PRP", "VBP", "NN", "IN", "NN"],
        "heads": [1, null, 1, 1, 3],
        "relations": ["nsubj", "root", "dobj", "prep", "pobj"],
        "units": [{
            "spans": [[1, 5]], "from": "take size into account", "to": "consider size",
            "tables": ["patterns"], "log_prob": -0.125, "gain": 1.0, "correct": true,
        }],
    })
}

#[test]
fn labelled_sentences_that_lie_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "p.txt", PATTERNS);
    let model = [
        "--model",
        MODEL,
        "--patterns",
        "p.txt",
        "--only",
        "patterns",
    ];
    let tune = |more: &[&str], status, said: &[&str]| {
        let args = [&["tune", "--quiet"], &model[..], more].concat();
        fails(folder, &args, status, said);
    };
    let changed = |field: &str, value: Value| {
        let mut line = labelled();
        line[field] = value;
        line.to_string()
    };
    let long = |value: Value| json!(vec![value; 10_000]);
    let mut long_sentence = labelled();
    for (field, value) in [("tokens", "w"), ("tags", "NN"), ("relations", "x")] {
        long_sentence[field] = long(json!(value));
    }
    long_sentence["heads"] = long(Value::Null);
    let good = labelled().to_string();
    let values: Vec<Value> = labelled().as_object().unwrap().values().cloned().collect();
    for (line, code) in [
        ("{\"source\": \"dogs".to_owned(), "syntax"),
        ("null".to_owned(), "syntax"),
        (Value::from(values).to_string(), "syntax"),
        (good.replace("-0.125", "NaN"), "syntax"),
        (good.replace("-0.125", "1e999"), "syntax"),
        (good.replace("-0.125", "\"x\""), "syntax"),
        (good.replace("[1,5]", "[1,18446744073709551615]"), "syntax"),
        (changed("tokens", json!(3)), "syntax"),
        (changed("heads", json!([1, null, 1, 1, -3])), "syntax"),
        (changed("heads", json!([1, null, 1, 1, 99])), "bad-span"),
        (changed("heads", json!([1, 0, 1, 1, 3])), "bad-tree"),
        (changed("tags", json!([])), "mismatch"),
        (changed("units", json!([])), "unlabelled"),
        (long_sentence.to_string(), "limit-exceeded"),
    ] {
        write(folder, "bad.jsonl", format!("{good}\n\n{line}\n"));
        let said = ["bad.jsonl:3", &format!("[{code}]")];
        tune(&["--dev", "bad.jsonl"], 1, &said);
    }
    write(folder, "bad.jsonl", b"{\"source\": \"\xff\"}\n");
    tune(&["--dev", "bad.jsonl"], 1, &["bad.jsonl:1", "[encoding]"]);
    write(folder, "empty", "");
    tune(&["--dev", "empty"], 1, &["empty", "[empty]"]);
    tune(&["--dev", "none"], 1, &["none", "[io]"]);
    write(folder, "good.jsonl", &good);
    for (more, status, said) in [
        (["-n", "0"], 2, "n_best"),
        (["-n", "-1"], 2, "-1"),
        (["--rounds", "0"], 2, "rounds"),
        (["--weights", "language=NaN"], 1, "[not-finite]"),
        (["--weights", "language=1e999"], 1, "[not-finite]"),
        (["--weights", "nosuch=1"], 2, "nosuch"),
        (["--only", "nosuch"], 2, "nosuch"),
        (["--test", "none"], 1, "[io]"),
    ] {
        tune(
            &[&["--dev", "good.jsonl"], &more[..]].concat(),
            status,
            &[said],
        );
    }
}

#[test]
fn annotated_sentences_that_lie_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let row = |form: &str, head: &str| format!("1\t{form}\t_\t_\tNN\t_\t{head}\tx\t_\t_\n\n");
    let long: String = (1..=10_000)
        .map(|at| format!("{at}\tw\t_\t_\tNN\t_\t0\tx\t_\t_\n"))
        .collect();
    let good = row("dog", "0");
    for (text, place, code) in [
        (row("dog", "99999999999999999999"), "x:3", "syntax"),
        (row("dog", "-1"), "x:3", "syntax"),
        (row("dog", "NaN"), "x:3", "syntax"),
        ("1\tdog\t_\n".to_owned(), "x:3", "syntax"),
        (row(&"x".repeat(10_000), "0"), "x:3", "limit-exceeded"),
        (long, "x:", "limit-exceeded"),
    ] {
        write(folder, "x", good.clone() + &text);
        let said = [place, &format!("[{code}]")];
        fails(folder, &["plan", "x", "--model", MODEL], 1, &said);
    }
    write(folder, "x", b"1\ta\xff\t_\n");
    let plan = ["plan", "x", "--model", MODEL];
    fails(folder, &plan, 1, &["x:1", "[encoding]"]);
    fails(folder, &["plan", "none", "--model", MODEL], 1, &["[io]"]);
    fails(
        folder,
        &["plan", "x", "--model", "x"],
        1,
        &["[wrong-format]"],
    );
    write(folder, "x", &good);
    let unknown = [&plan[..], &["--weights", "nosuch=1"]].concat();
    fails(folder, &unknown, 2, &["nosuch"]);
    let no_number = [&plan[..], &["--weights", "usability=NaN"]].concat();
    fails(folder, &no_number, 1, &["[not-finite]"]);
    fails(
        folder,
        &[&plan[..], &["--depth", "-1"]].concat(),
        2,
        &["-1"],
    );
}

#[test]
fn judgements_that_lie_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let good = "1\tfluency\tann\t1\n";
    for row in [
        "a\tb\tc",
        "a\tb\tc\t1.5",
        "a\tb\tc\t-1",
        "a\tb\tc\t0",
        "a\tb\tc\t4",
        "a\tb\tc\t99999999999999999999",
        "a\tb\tc\tNaN",
        "1\tfluency\tann\t2",
        "{\"item\": 1}",
    ] {
        write(folder, "j", format!("{good}{row}\n"));
        fails(folder, &["judge", "j"], 1, &["j:2", "[syntax]"]);
    }
    write(folder, "j", b"a\tb\t\xff\t1\n");
    fails(folder, &["judge", "j"], 1, &["j:1", "[encoding]"]);
    fails(folder, &["judge", "none"], 1, &["[io]"]);
    write(folder, "j", good);
    for labels in ["0", "1", "NaN", "4294967295", "18446744073709551616"] {
        fails(folder, &["judge", "j", "--labels", labels], 2, &["labels"]);
    }
}

#[test]
fn answers_that_lie_are_passed_over_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let good = r#"{"source": "A dog.", "paraphrases": [{"text": "A hound."}]}"#;
    let long = json!({"source": long_line(), "paraphrases": [{"text": "b"}]}).to_string();
    let mut bad: Vec<(Vec<u8>, &str)> = [
        (r#"{"source": "a""#, "syntax"),
        (r#"{"source": 3, "paraphrases": []}"#, "syntax"),
        (r#"{"source": "a", "paraphrases": {}}"#, "syntax"),
        (
            r#"{"source": "a", "paraphrases": [{"txt": "b"}]}"#,
            "syntax",
        ),
        (r#"{"error": {"code": "x", "message": "m"}}"#, "syntax"),
        (r#"["a", [["b"]]]"#, "syntax"),
        (&long, "limit-exceeded"),
    ]
    .map(|(line, code)| (line.as_bytes().to_vec(), code))
    .to_vec();
    bad.push((b"{\"source\": \"\xff\"}".to_vec(), "encoding"));
    for (line, code) in bad {
        write(folder, "a", [line, good.into()].join(&b'\n'));
        let output = pgen(folder, &["judge", "--auto", "--json", "a"], b"");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{message}");
        let code = format!("[{code}]");
        assert!(
            message.contains("line 1") && message.contains(&code),
            "{message}"
        );
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["answered"], 1, "{report}");
    }
    write(folder, "a", good);
    write(folder, "one", "lonely\n");
    let long = format!("1\ta\t{}\n", long_line());
    write(folder, "long", long);
    for (more, status, said) in [
        (["--ranks", "0"], 2, "--ranks"),
        (["--ranks", "-1"], 2, "-1"),
        (["--ranks", "NaN"], 2, "NaN"),
        (["--list", "none"], 1, "[io]"),
        (["--list", "one"], 1, "one:1"),
        (["--references", "none"], 1, "[io]"),
        (["--references", "one"], 1, "one:1"),
        (["--references", "long"], 1, "long:1"),
        (["--lm", "none"], 1, "[io]"),
        (["--lm", "one"], 1, "one:1"),
        (["--sets", "one"], 1, "one:1"),
    ] {
        let args = [&["judge", "a", "--auto"], &more[..]].concat();
        fails(folder, &args, status, &[said]);
    }
}
