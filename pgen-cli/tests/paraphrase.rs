//! The main verb from outside: answers in order, bad lines answered in their place, exit codes.
#![cfg(feature = "english")]

mod common;

use serde_json::Value;
use std::path::Path;
use std::process::Output;

fn pgen(args: &[&str], input: &[u8]) -> Output {
    common::pgen(Path::new("."), args, input)
}

fn objects(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn each_line_has_its_answer_in_order() {
    let mut input = b"We must find a solution to this problem.\n\n\xff\xfe bad\n".to_vec();
    input.extend("word ".repeat(10_000).as_bytes());
    input.extend(b"\nThe committee will examine 3 important questions at http://a.org/x.\n");
    let output = pgen(&["paraphrase", "-n", "5", "--json"], &input);
    assert_eq!(output.status.code(), Some(1));
    let answers = objects(&output);
    assert_eq!(answers.len(), 5);
    assert_eq!(answers[0]["paraphrases"].as_array().unwrap().len(), 5);
    assert_eq!(answers[1]["paraphrases"].as_array().unwrap().len(), 0);
    assert_eq!(answers[2]["error"]["code"], "encoding");
    assert_eq!(answers[3]["error"]["code"], "limit-exceeded");
    for item in answers[4]["paraphrases"].as_array().unwrap() {
        let text = item["text"].as_str().unwrap();
        assert!(
            text.contains(" 3 ") && text.contains("http://a.org/x"),
            "{text}"
        );
        assert_ne!(text, answers[4]["source"].as_str().unwrap());
    }
    let messages = String::from_utf8(output.stderr).unwrap();
    assert!(
        messages.contains("line 3") && messages.contains("line 4"),
        "{messages}"
    );
}

#[test]
fn edits_point_at_their_bytes() {
    let output = pgen(
        &[
            "paraphrase",
            "--json",
            "Der Café's committee will examine this.",
        ],
        b"",
    );
    assert_eq!(output.status.code(), Some(0));
    let answer = &objects(&output)[0];
    let source = answer["source"].as_str().unwrap();
    for item in answer["paraphrases"].as_array().unwrap() {
        let text = item["text"].as_str().unwrap();
        for edit in item["edits"].as_array().unwrap() {
            let cut = |text: &str, span: &Value| {
                let [start, end] = [0, 1].map(|at| span[at].as_u64().unwrap() as usize);
                text[start..end].to_owned()
            };
            assert_eq!(cut(source, &edit["source"]), edit["from"].as_str().unwrap());
            assert_eq!(cut(text, &edit["target"]), edit["to"].as_str().unwrap());
        }
    }
    assert!(["exact", "exhausted"].contains(&answer["certificate"]["kind"].as_str().unwrap()));
}

#[test]
fn plain_answers_end_with_a_blank_line() {
    let output = pgen(&["paraphrase", "-n", "2"], b"We must find a solution.\n\n");
    let text = String::from_utf8(output.stdout).unwrap();
    let blocks: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(blocks[0].lines().count(), 2);
    let (score, paraphrase) = blocks[0].lines().next().unwrap().split_once('\t').unwrap();
    assert!(score.parse::<f64>().unwrap().is_finite() && !paraphrase.is_empty());
}

#[test]
fn the_source_comes_only_when_asked_for() {
    let source = "We must find a solution.";
    let texts = |args: &[&str]| -> Vec<String> {
        let output = pgen(args, b"");
        let answer = &objects(&output)[0];
        let items = answer["paraphrases"].as_array().unwrap().iter();
        items
            .map(|item| item["text"].as_str().unwrap().to_owned())
            .collect()
    };
    let without = texts(&["paraphrase", "--json", "-n", "50", source]);
    assert!(!without.contains(&source.to_owned()));
    let mut with = texts(&[
        "paraphrase",
        "--json",
        "-n",
        "50",
        "--include-source",
        source,
    ]);
    // Where its score puts it: a sure replacement may stand before it.
    let place = with.iter().position(|text| text == source).unwrap();
    with.remove(place);
    assert_eq!(with, without[..49]);
}

#[test]
fn protected_text_stays() {
    let output = pgen(
        &[
            "paraphrase",
            "--json",
            "-n",
            "20",
            "--protect",
            "solu[a-z]+",
            "We must find a solution now.",
        ],
        b"",
    );
    let answer = &objects(&output)[0];
    let items = answer["paraphrases"].as_array().unwrap();
    assert!(!items.is_empty());
    assert!(
        items
            .iter()
            .all(|item| item["text"].as_str().unwrap().contains("solution"))
    );
}

#[test]
fn damaged_and_missing_models_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.pgen");
    let name = path.to_str().unwrap();
    let missing = pgen(&["paraphrase", "--model", name, "a"], b"");
    assert_eq!(missing.status.code(), Some(1));
    for content in [&b""[..], b"\\data\\\n", b"\x89pgen\r\n\x1a\x04\x03\x02\x01"] {
        std::fs::write(&path, content).unwrap();
        let output = pgen(&["paraphrase", "--model", name, "a"], b"");
        assert_eq!(output.status.code(), Some(1));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("model.pgen"), "{message}");
    }
}

#[test]
fn bad_usage_ends_with_two() {
    for args in [
        &["paraphrase", "--protect", "("][..],
        &["paraphrase", "--application", "similarity", "a"],
        &["paraphrase", "--application", "poetry"],
        &["paraphrase", "--threads", "100000", "a"],
        &["paraphrase", "--threads", "0", "a"],
        &["frobnicate"],
    ] {
        assert_eq!(pgen(args, b"").status.code(), Some(2), "{args:?}");
    }
}
