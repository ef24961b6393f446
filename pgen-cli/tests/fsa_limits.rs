//! `pgen fsa` on automata that are too large: a million arcs, more strings than memory, too little time.

mod common;

use std::fmt::Write;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

/// Exit code, standard output, standard error.
fn run(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let output = common::pgen(Path::new("."), &[&["fsa"], args].concat(), input.as_bytes());
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// A chain of choices between words.
fn sausage(length: usize, words: usize) -> String {
    let mut text = String::new();
    for at in 0..length {
        for word in 0..words {
            let _ = writeln!(text, "{at} {} w{word}", at + 1);
        }
    }
    let _ = writeln!(text, "{length}");
    text
}

/// Arcs of one word to the next state and the one behind it: every string has many paths.
fn braid(length: usize) -> String {
    let mut text = String::new();
    for at in 0..length {
        let _ = writeln!(text, "{at} {} a\n{at} {} a 0.5", at + 1, at + 2);
    }
    let _ = writeln!(text, "{length}\n{}", length + 1);
    text
}

const VERBS: [&[&str]; 12] = [
    &["merge"],
    &["msa"],
    &["stats"],
    &["pairs"],
    &["sample", "--draws", "5"],
    &["best", "-n", "2"],
    &["att"],
    &["att", "--plf"],
    &["att", "--slf"],
    &["rmepsilon"],
    &["dot"],
    &["svg"],
];

#[test]
#[cfg_attr(debug_assertions, ignore = "release only")]
fn every_verb_takes_a_million_arcs_or_says_what_to_raise() {
    for text in [sausage(1_000_000, 1), sausage(100_000, 10), braid(500_000)] {
        for verb in VERBS {
            let (code, out, said) = run(verb, &text);
            match code {
                Some(0) => assert!(!out.is_empty() || verb[0] == "pairs", "{verb:?}"),
                Some(1) => assert!(said.contains("raise it with --limit"), "{verb:?}: {said}"),
                _ => panic!("{verb:?}: {said}"),
            }
        }
    }
    let (_, out, _) = run(&["merge", "--json"], &sausage(100_000, 10));
    assert!(out.contains("\"paths\":\"≈"), "{out}");
}

#[test]
fn any_number_of_strings_may_be_asked_for() {
    // As many as there are.
    let (code, out, _) = run(&["best", "-n", "1000000000"], &sausage(3, 3));
    assert_eq!((code, out.lines().count()), (Some(0), 27));
    // More than there is room for: they come one by one, and whoever has enough hangs up.
    let mut child = Command::new(env!("CARGO_BIN_EXE_pgen"))
        .args(["fsa", "best", "-n", "1000000000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut to, sausage(30, 10).as_bytes()).unwrap();
    drop(to);
    let mut start = vec![0; 1 << 20];
    let mut from = child.stdout.take().unwrap();
    from.read_exact(&mut start).unwrap();
    drop(from);
    assert!(child.wait().unwrap().success());
    assert!(start.starts_with(b"1\t0.0000\tw0 w0"));
    // Held in memory, they are counted.
    let (code, out, said) = run(
        &[
            "best",
            "-n",
            "1000000000",
            "--json",
            "--limit",
            "states=5000",
        ],
        &sausage(30, 10),
    );
    assert_eq!(code, Some(1), "{out}");
    assert!(said.contains("--limit states=N"), "{said}");
    let (code, _, said) = run(&["best", "-n", "1000000000", "--lm", "none.arpa"], "");
    assert_eq!(code, Some(1));
    assert!(said.contains("--limit n_best=N"), "{said}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "release only")]
fn under_a_model_paths_of_one_string_are_one() {
    let dir = tempfile::tempdir().unwrap();
    let arpa = dir.path().join("tiny.arpa");
    let text = "\\data\\\nngram 1=4\n\n\\1-grams:\n-99 <s>\n-1 </s>\n-2 <unk>\n-0.5 a\n\n\\end\\\n";
    std::fs::write(&arpa, text).unwrap();
    let best = ["best", "-n", "3", "--lm", arpa.to_str().unwrap()];
    // 60 arcs have more than 10⁸ paths, and 30 strings.
    let (code, out, said) = run(&best, &braid(60));
    assert_eq!((code, out.lines().count()), (Some(0), 3), "{said}");
    let lengths: Vec<usize> = out.lines().map(|line| line.matches(" a").count()).collect();
    assert!(lengths.windows(2).all(|pair| pair[0] < pair[1]), "{out}");
    // A million strings of a hundred thousand words would be held.
    let many = ["best", "-n", "1000000", best[3], best[4]];
    let (code, _, said) = run(&many, &sausage(100_000, 10));
    assert_eq!(code, Some(1));
    assert!(
        said.contains("words of all strings is 100000000000"),
        "{said}"
    );
    let (code, _, said) = run(&best, &braid(500_000));
    assert_eq!(code, Some(1));
    assert!(said.contains("raise it with --limit states=N"), "{said}");
}

#[test]
fn what_is_not_asked_for_is_not_determinised() {
    // Some word b, twelve words before the end: 2¹² deterministic states and more.
    let mut text = String::new();
    for at in 0..60 {
        let _ = writeln!(text, "{at} {0} a\n{at} {0} b\n{at} 1000 b 1", at + 1);
    }
    for at in 1000..1012 {
        let _ = writeln!(text, "{at} {0} a\n{at} {0} b", at + 1);
    }
    text.push_str("60\n1012\n");
    let limit = ["--limit", "nodes=3000"];
    let (code, out, said) = run(&[&["best", "-n", "5"], &limit[..]].concat(), &text);
    assert_eq!((code, out.lines().count()), (Some(0), 5), "{said}");
    let (code, _, said) = run(
        &[&["sample", "--how", "string"], &limit[..]].concat(),
        &text,
    );
    assert_eq!(code, Some(1));
    assert!(said.contains("--limit nodes=N"), "{said}");
    let (code, out, _) = run(&[&["merge"], &limit[..]].concat(), &text);
    assert_eq!(code, Some(0));
    assert!(out.contains("more than the limit strings"), "{out}");
}

#[test]
fn time_is_kept_and_what_was_done_is_said() {
    let trees = "(S (NN a) (NN b))\n(S (NN a) (NN c))\n";
    let dir = tempfile::tempdir().unwrap();
    let other = dir.path().join("h.mrg");
    std::fs::write(&other, trees).unwrap();
    let other = other.to_str().unwrap();
    let braid = braid(50);
    let cases: [(&[&str], &str, &str); 11] = [
        (&["merge"], &braid, "counting paths"),
        (&["stats"], &braid, "counting paths"),
        (&["svg"], &braid, "counting paths"),
        (&["sample"], &braid, "drawing strings"),
        (&["sample", "--how", "path"], &braid, "making the sampler"),
        (&["pairs"], &braid, "looking for pairs"),
        (&["best"], &braid, "looking for the best strings"),
        (
            &["distance", "-", "--hypotheses", other],
            &braid,
            "measuring distances",
        ),
        (&["edgain"], trees, "building automata and measuring"),
        (&["table6"], trees, "building automata and measuring"),
        (&["msa"], trees, "building the automaton"),
    ];
    for (verb, input, doing) in cases {
        let (code, out, said) = run(&[verb, &["--time-limit", "0"]].concat(), input);
        assert_eq!(code, Some(1), "{verb:?}: {out}");
        let wanted = format!("the time limit of 0 ms passed while {doing}");
        assert!(said.contains(&wanted), "{verb:?}: {said}");
        assert!(
            said.contains("group 1 (standard input:1)"),
            "{verb:?}: {said}"
        );
        assert!(said.contains("[deadline-exceeded]"), "{verb:?}: {said}");
    }
    let (_, out, _) = run(&["merge", "--json", "--time-limit", "0"], trees);
    assert!(
        out.contains("deadline-exceeded") && out.contains("group 1"),
        "{out}"
    );
}

#[test]
fn limits_have_names() {
    for (limit, name) in [("nodes=3", "nodes"), ("edges=3", "edges")] {
        let (code, _, said) = run(&["merge", "--limit", limit], &sausage(5, 1));
        assert_eq!(code, Some(1));
        assert!(
            said.contains(&format!("raise it with --limit {name}=N")),
            "{said}"
        );
        assert!(said.contains("standard input:"), "{said}");
    }
    for bad in ["nodes", "nodes=x", "nothing=1"] {
        assert_eq!(run(&["merge", "--limit", bad], "").0, Some(2), "{bad}");
    }
    // More than 10³⁰ paths, exactly; and beyond what is exact.
    let (_, out, _) = run(&["merge"], &sausage(31, 11));
    assert!(
        out.contains("191943424957750480504146841291811 paths"),
        "{out}"
    );
    let (_, out, _) = run(&["merge"], &sausage(2_000, 10));
    assert!(
        out.contains("≈1.00e2000 paths") || out.contains("≈9.99e1999 paths"),
        "{out}"
    );
}
