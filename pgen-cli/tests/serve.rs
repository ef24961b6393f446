//! The long-running server and the batch modes from outside.
#![cfg(feature = "english")]

mod common;

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

fn pgen(args: &[&str], input: &str) -> (Option<i32>, String) {
    let output = common::pgen(Path::new("."), args, input.as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), text)
}

#[test]
fn the_server_answers_each_request_before_the_next() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pgen"))
        .arg("serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap());
    let mut ask = |request: &str| -> Value {
        writeln!(to, "{request}").unwrap();
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    };
    let text = "We must find a solution to this problem.";
    let answer = ask(&json!({"id": 1, "text": text, "n": 3, "evidence": true}).to_string());
    assert_eq!(
        (
            &answer["id"],
            answer["paraphrases"].as_array().unwrap().len()
        ),
        (&json!(1), 3)
    );
    assert!(answer["paraphrases"][0]["evidence"]["language"].is_number());
    for (request, code) in [
        ("no json", "syntax"),
        (r#"{"id": "x", "txt": "a"}"#, "syntax"),
        (r#"{"id": "x"}"#, "syntax"),
        (
            r#"{"id": "x", "text": "a", "protect": ["("]}"#,
            "bad-parameter",
        ),
        (
            r#"{"id": "x", "text": "a", "protect_spans": [[0, 9]]}"#,
            "bad-span",
        ),
        (
            r#"{"id": "x", "text": "a", "application": "similarity"}"#,
            "syntax",
        ),
    ] {
        let answer = ask(request);
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert!(request == "no json" || answer["id"] == "x");
    }
    let kept = ask(&json!({"text": text, "protect": ["problem|solution"], "n": 9}).to_string());
    for item in kept["paraphrases"].as_array().unwrap() {
        let text = item["text"].as_str().unwrap();
        assert!(text.contains("problem") && text.contains("solution"));
    }
    assert!(ask(r#"{"op": "info"}"#)["words"].as_u64().unwrap() > 1000);
    drop(to);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn labels_move_with_the_words() {
    let input = concat!(
        r#"{"id": 7, "text": "We need help. The committee will examine this question.", "#,
        r#""labels": [[18, 27, "ORG"]], "class": "x"}"#,
        "\nbad\n"
    );
    let (code, out) = pgen(
        &["paraphrase", "--labels", "-n", "3", "--keep-labelled"],
        input,
    );
    assert_eq!(code, Some(1));
    let lines: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(lines.len() > 1);
    for object in &lines[..lines.len() - 1] {
        let text = object["text"].as_str().unwrap();
        let at = |i: usize| object["labels"][0][i].as_u64().unwrap() as usize;
        assert_eq!(
            (&text[at(0)..at(1)], &object["labels"][0][2]),
            ("committee", &json!("ORG"))
        );
        assert_eq!((&object["id"], &object["class"]), (&json!(7), &json!("x")));
    }
    assert_eq!(lines.last().unwrap()["error"]["code"], "syntax");
}

#[test]
fn threads_do_not_change_a_byte() {
    let input: String = (0..3000)
        .map(|i| format!("Sentence {i}: we must find a good answer to this important question.\n"))
        .collect();
    let one = pgen(
        &["paraphrase", "--json", "-n", "2", "--threads", "1"],
        &input,
    );
    assert_eq!(one.0, Some(0));
    assert_eq!(one.1.lines().count(), 3000);
    for threads in ["2", "8"] {
        let many = pgen(
            &["paraphrase", "--json", "-n", "2", "--threads", threads],
            &input,
        );
        assert!(many == one, "{threads} threads");
    }
}

#[test]
fn texts_are_split_and_put_together() {
    let input = "We must find a solution. They need help.\n\n  \nThe end.\n";
    let (code, out) = pgen(&["paraphrase", "--split", "-n", "1"], input);
    assert_eq!((code, out.lines().count()), (Some(0), 4));
    assert_eq!(out.lines().nth(2), Some("  "));
    assert_ne!(out.lines().next(), input.lines().next());
}
