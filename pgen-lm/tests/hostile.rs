//! Hostile ARPA files meet an error at once, whatever their headers promise.
#![cfg(target_os = "linux")]

use pgen_core::Vocab;
use pgen_lm::{ArpaOptions, read_arpa};
use std::path::Path;
use std::process::Command;

const MODEL: &str = "\\data\\\nngram 1=5\nngram 2=3\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\t-0.3\n\
    -1\t</s>\n-0.8\ta\t-0.2\n-0.9\tb\t-0.4\n\n\\2-grams:\n-0.3\t<s> a\n-0.5\ta b\n-0.6\tb </s>\n\n\\end\\\n";

/// What the reader said, and what it cost: processor milliseconds, and megabytes of the whole process.
fn cost(path: &Path) -> (String, f64, f64) {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "reads_for_the_other_test", "--nocapture"])
        .env("PGEN_HOSTILE_FILE", path)
        .output()
        .unwrap();
    let text = String::from_utf8(child.stdout).unwrap();
    let line = text.lines().find_map(|line| line.split_once("cost "));
    let fields: Vec<&str> = line.unwrap().1.split(' ').collect();
    (
        fields[0].to_owned(),
        fields[1].parse().unwrap(),
        fields[2].parse().unwrap(),
    )
}

#[test]
fn reads_for_the_other_test() {
    let Some(path) = std::env::var_os("PGEN_HOSTILE_FILE") else {
        return;
    };
    let nanoseconds = || {
        let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        stat.split(' ').next().unwrap().parse::<f64>().unwrap()
    };
    let start = nanoseconds();
    let code = [ArpaOptions::default(), ArpaOptions::lenient()].map(|options| {
        let read = read_arpa(Path::new(&path), &mut Vocab::new(), &options);
        read.map_or_else(|error| error.code(), |_| "read")
    });
    let time = (nanoseconds() - start) / 1e6 / 2.0;
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap();
    let peak: f64 = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
    println!("\ncost {}/{} {time} {}", code[0], code[1], peak / 1024.0);
}

#[test]
fn errors_come_within_50_ms_and_50_mb() {
    let folder = tempfile::tempdir().unwrap();
    let most = "18446744073709551615";
    let cases = [
        (
            "count",
            MODEL.replace("1=5", &format!("1={most}")),
            "limit-exceeded/limit-exceeded",
        ),
        (
            "count2",
            MODEL.replace("2=3", &format!("2={most}")),
            "limit-exceeded/limit-exceeded",
        ),
        (
            "many",
            MODEL.replace("2=3", "2=2000000000"),
            "count-mismatch/read",
        ),
        (
            "larger",
            MODEL.replace("2=3", "2=99999999999999999999"),
            "syntax/syntax",
        ),
        ("half", MODEL.replace("1=5", "1=4.5"), "syntax/syntax"),
        ("negative", MODEL.replace("1=5", "1=-5"), "syntax/syntax"),
        (
            "order",
            MODEL.replace("ngram 2=", "ngram 4000000000="),
            "limit-exceeded/limit-exceeded",
        ),
        (
            "infinite",
            MODEL.replace("-0.5\ta b", "-inf\ta b"),
            "syntax/read",
        ),
        (
            "not a number",
            MODEL.replace("-0.5\ta b", "nan\ta b"),
            "not-finite/not-finite",
        ),
        (
            "twice",
            MODEL.replace("-0.5\ta b", "-0.3\t<s> a"),
            "duplicate/read",
        ),
    ];
    for (name, text, expected) in cases {
        assert_ne!(text, MODEL, "{name}");
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let (code, milliseconds, megabytes) = cost(&path);
        println!("{name}: {code}, {milliseconds:.2} ms, {megabytes:.1} MB");
        assert_eq!(code, expected, "{name}");
        assert!(milliseconds < 50.0, "{name}: {milliseconds} ms");
        assert!(megabytes < 50.0, "{name}: {megabytes} MB");
    }
}
