//! `pgen lm` from outside: text to model, model to scores, and models smaller.

mod common;

use serde_json::Value;
use std::path::Path;
use std::process::Output;

const TEXT: &str =
    "the cat runs\nthe dog runs\nthe cat sleeps\na dog sleeps\nthe dog barks at a cat\n";

fn pgen(folder: &Path, line: &str, input: &str) -> Output {
    let args: Vec<&str> = line.split(' ').collect();
    common::pgen(folder, &args, input.as_bytes())
}

fn objects(folder: &Path, line: &str, input: &str) -> Vec<Value> {
    let output = pgen(folder, line, input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{line}: {errors}");
    let text = std::str::from_utf8(&output.stdout).unwrap();
    let parse = |line| serde_json::from_str(line).unwrap();
    text.lines().map(parse).collect()
}

/// The report on standard error, behind any remarks.
fn last_line(output: &Output) -> Value {
    let text = std::str::from_utf8(&output.stderr).unwrap();
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

/// A folder with the text and its trigram model in all forms.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("text"), TEXT).unwrap();
    for target in [
        "--arpa m.arpa",
        "--arpa m.arpa.gz",
        "--out m.lm",
        "--out m.compact --compact",
    ] {
        let line = format!("lm estimate -o 3 --text text {target}");
        let output = pgen(folder.path(), &line, "");
        assert_eq!(output.status.code(), Some(0), "{line}");
        let report: Value = last_line(&output);
        assert_eq!(report["sentences"], 5);
    }
    folder
}

#[test]
fn all_forms_of_a_model_score_alike() {
    let folder = folder();
    let input = "the cat barks\n\nthe unicorn sleeps\n";
    let ask = |file: &str| {
        objects(
            folder.path(),
            &format!("lm query --lm {file} --json"),
            input,
        )
    };
    let scores = ask("m.arpa");
    assert_eq!(scores.len(), 4);
    let number = |value: &Value, name: &str| value[name].as_f64().unwrap();
    for (score, (tokens, oov)) in scores.iter().zip([(4, 0), (1, 0), (4, 1)]) {
        assert_eq!(
            (&score["tokens"], &score["oov"]),
            (&tokens.into(), &oov.into())
        );
        assert!(number(score, "log10") < 0.0);
    }
    let total = &scores[3];
    assert_eq!(
        (&total["sentences"], &total["tokens"]),
        (&3.into(), &9.into())
    );
    let sum: f64 = scores[..3].iter().map(|score| number(score, "log10")).sum();
    assert!((number(total, "log10_total") - sum).abs() < 1e-9);
    let perplexity = 10f64.powf(-sum / 9.0);
    assert!((number(total, "perplexity") / perplexity - 1.0).abs() < 1e-9);
    assert!(number(total, "perplexity_without_oov") < perplexity);
    for file in ["m.arpa.gz", "m.lm", "m.compact"] {
        for (one, other) in scores.iter().zip(ask(file)) {
            for (name, value) in one.as_object().unwrap() {
                let difference = value.as_f64().unwrap() - other[name].as_f64().unwrap();
                assert!(difference.abs() < 1e-5, "{file}: {name}");
            }
        }
    }
}

/// `--lm <(zcat m.arpa.gz)` of a shell: what can be read but once.
#[cfg(unix)]
#[test]
fn a_model_may_come_through_a_pipe() {
    let folder = folder();
    let ask = |file: &str| {
        let line = format!("lm query --lm {file} --json");
        objects(folder.path(), &line, "the cat barks\n")
    };
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path().join("pipe"))
        .status();
    assert!(made.unwrap().success());
    for file in ["m.arpa", "m.arpa.gz", "m.lm"] {
        let (from, to) = (folder.path().join(file), folder.path().join("pipe"));
        let writer = std::thread::spawn(move || std::fs::copy(from, to));
        assert_eq!(ask("pipe"), ask(file), "{file}");
        writer.join().unwrap().unwrap();
    }
}

#[test]
fn info_tells_what_a_file_holds() {
    let folder = folder();
    let info = |file: &str| objects(folder.path(), &format!("lm info {file} --json"), "").remove(0);
    let arpa = info("m.arpa");
    for (file, format) in [
        ("m.arpa", "arpa"),
        ("m.lm", "pgen"),
        ("m.compact", "pgen compact"),
    ] {
        let info = info(file);
        assert_eq!(
            (&info["format"], &info["order"]),
            (&format.into(), &3.into())
        );
        assert_eq!(info["ngrams"], arpa["ngrams"]);
        assert_eq!(info["ngrams"][0], 11);
    }
}

#[test]
fn models_get_smaller() {
    let folder = folder();
    let path = folder.path();
    for line in [
        "lm quantize --lm m.arpa --out q.lm",
        "lm quantize --lm m.compact --out q.compact --compact --bits 4",
        "lm prune --lm m.lm --threshold 0.01 --arpa p.arpa",
    ] {
        let output = pgen(path, line, "");
        assert_eq!(output.status.code(), Some(0), "{line}: {output:?}");
    }
    let grams =
        |file: &str| objects(path, &format!("lm info {file} --json"), "")[0]["ngrams"].clone();
    assert_eq!(grams("q.lm"), grams("m.arpa"));
    assert_eq!(grams("q.compact"), grams("m.arpa"));
    assert!(grams("p.arpa")[2].as_u64() < grams("m.arpa")[2].as_u64());
    let output = pgen(path, "lm quantize --lm m.arpa --arpa q.arpa", "");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn clusters_are_written_by_class() {
    let folder = folder();
    let output = pgen(
        folder.path(),
        "lm clusters --text text --classes 4 --out c.tsv",
        "",
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report: Value = last_line(&output);
    let information = report["information"].as_array().unwrap();
    assert!(information[0].as_f64() <= information.last().unwrap().as_f64());
    let text = std::fs::read_to_string(folder.path().join("c.tsv")).unwrap();
    let rows: Vec<(u32, &str)> = text
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .map(|(word, class)| (class.parse().unwrap(), word))
        .collect();
    assert_eq!(rows.len(), 8);
    assert!(rows.is_sorted() && rows.iter().all(|row| row.0 < 4));
}

#[test]
fn wrong_files_and_wishes_are_explained() {
    let folder = folder();
    let path = folder.path();
    std::fs::write(path.join("bad.arpa"), "\\data\\\nngram 1=4.5\n").unwrap();
    std::fs::write(
        path.join("bin"),
        "mmap lm http://kheafield.com/code format version 5\n\0",
    )
    .unwrap();
    for (line, status, message) in [
        ("lm query --lm bad.arpa", 1, "bad.arpa:2"),
        ("lm query --lm bin", 1, "KenLM binary"),
        ("lm query --lm absent", 1, "absent"),
        ("lm estimate --text text", 2, "--arpa"),
        ("lm estimate --text text --order 9 --arpa x", 2, "order"),
        ("lm clusters --text text --classes 0 --out x", 2, "classes"),
    ] {
        let output = pgen(path, line, "");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{line}: {errors}");
        assert!(errors.contains(message), "{line}: {errors}");
        assert!(output.stdout.is_empty());
    }
}
