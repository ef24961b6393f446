//! `pgen fsa` on input that lies or says too little: remarks, errors with their places, ε and costs.

mod common;

use std::path::Path;
use std::process::Output;

fn fsa(args: &[&str], input: &str) -> Output {
    common::pgen(Path::new("."), &[&["fsa"], args].concat(), input.as_bytes())
}

/// Exit code, standard output, standard error.
fn run(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let output = fsa(args, input);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn file(dir: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = dir.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A sentence of one word.
fn sentence(id: Option<&str>, word: &str) -> String {
    let id = id.map_or_else(String::new, |id| format!("# sent_id = {id}\n"));
    format!("{id}1\t{word}\t{word}\tNOUN\tNNS\t_\t0\troot\t_\t_\n\n")
}

const TREES: &str = "(S (NN a) (NN b))\n(S (NN a) (NN c))\n";

#[test]
fn how_groups_stand_is_remarked() {
    let nameless = [sentence(None, "dogs"), sentence(None, "cats")].concat();
    let (code, out, said) = run(&["merge"], &nameless);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("1\t2 sentences"), "{out}");
    assert!(
        said.contains("2 sentences without an id, from standard input:1"),
        "{said}"
    );
    let scattered = ["a/0", "b/0", "a/1"].map(|id| sentence(Some(id), "dogs"));
    let (code, out, said) = run(&["merge"], &scattered.concat());
    assert_eq!((code, out.lines().count()), (Some(0), 3));
    assert!(
        said.contains("`a` at standard input:7") && said.contains("--gather"),
        "{said}"
    );
    let (_, out, said) = run(&["merge", "--gather"], &scattered.concat());
    assert_eq!((out.lines().count(), said.as_str()), (2, ""));
    let alone = ["x", "y", "z"].map(|id| sentence(Some(id), "dogs"));
    let (_, _, said) = run(&["merge"], &alone.concat());
    assert!(said.contains("each of 3 groups has one sentence"), "{said}");
    let (_, _, said) = run(&["merge", "--quiet"], &alone.concat());
    assert_eq!(said, "");
}

#[test]
fn nothing_is_said_to_be_nothing() {
    for verb in ["merge", "stats", "sample", "edgain", "best", "svg", "att"] {
        let (code, _, said) = run(&[verb], "");
        assert_eq!(code, Some(0), "{verb}");
        assert!(
            said.contains("there is no group in standard input"),
            "{verb}: {said}"
        );
        for narrow in [
            ["--term", "zebra"],
            ["--members", "9"],
            ["--min-sentences", "7"],
        ] {
            let (code, _, said) = run(&[&[verb], narrow.as_slice()].concat(), TREES);
            assert_eq!(code, Some(1), "{verb} {narrow:?}");
            assert!(
                said.contains("[nothing-left]") && said.contains(narrow[0]),
                "{said}"
            );
        }
    }
    let (code, out, said) = run(&["merge", "--members", "0,8,9"], TREES);
    assert_eq!((code, out.lines().count()), (Some(0), 1));
    assert!(said.contains("no group has a member 8, 9"), "{said}");
    let dir = tempfile::tempdir().unwrap();
    let references = file(&dir, "r.conllu", &sentence(Some("a/0"), "dogs"));
    let (code, _, said) = run(
        &["distance", "--reference-group", &references, "-"],
        &sentence(Some("b/0"), "dogs"),
    );
    assert_eq!(code, Some(1));
    assert!(
        said.contains("1 of 1 groups of sentences have no group of references"),
        "{said}"
    );
    assert!(said.contains("[nothing-left]"), "{said}");
}

#[test]
fn another_extractors_table_is_checked() {
    let dir = tempfile::tempdir().unwrap();
    for (text, line) in [
        ("a ||| b ||| 2\nno bars here\n", ":2:"),
        ("a ||| b ||| many\n", ":1:"),
        ("\n ||| b\n", ":2:"),
        ("", ""),
    ] {
        let table = file(&dir, "t", text);
        let (code, out, said) = run(&["pairs", "--overlap", &table], TREES);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{text}");
        assert!(
            said.contains("[syntax]") && said.contains(&format!("/t{line}")),
            "{said}"
        );
    }
    for text in [
        "b ||| c\n",
        "b ||| c ||| 3\n",
        "b ||| c ||| 0.5 p=0.25 ||| 0-0\n",
    ] {
        let table = file(&dir, "t", text);
        let (code, _, said) = run(&["pairs", "--overlap", &table], TREES);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("1 of 1 pairs of the automata"), "{said}");
    }
}

#[test]
fn epsilon_is_removed_and_words_spelled_like_it_stay() {
    let text = "0 1 <eps> 0.5\n0 2 a\n1 2 b 0.25\n2 3 <epsilon>\n3\n2 1\n";
    let (code, plain, _) = run(&["rmepsilon"], text);
    assert_eq!(code, Some(0));
    assert!(!plain.contains("<eps"), "{plain}");
    let best = |text: &str| run(&["best", "-n", "9"], text).1;
    assert_eq!(best(text), "1\t0.0000\ta\n1\t-0.7500\tb\n");
    assert_eq!(best(&plain), best(text));
    for verb in [
        "merge", "msa", "pairs", "sample", "stats", "dot", "svg", "att",
    ] {
        let (code, out, said) = run(&[verb], text);
        assert_eq!(code, Some(0), "{verb}: {said}");
        assert!(!out.is_empty());
    }
    assert!(run(&["merge"], text).1.contains("2 strings"));
    assert_eq!(run(&["pairs"], text).1, "1\ta\tb\n");
    assert_eq!(run(&["att", "--plf"], text).0, Some(0));
    let tree = "(S (NN <eps>) (NN \\<eps>))\n";
    let (_, att, _) = run(&["att"], tree);
    assert!(
        att.contains("\t\\<eps>\n") && att.contains("\t\\\\<eps>\n"),
        "{att}"
    );
    assert_eq!(best(&att), "1\t0.0000\t<eps> \\<eps>\n");
    for (format, word) in [("--slf", "!NULL"), ("--plf", "*EPS*")] {
        let (code, _, said) = run(&["att", format], &format!("0 1 {word}\n1\n"));
        assert_eq!(code, Some(1));
        assert!(
            said.contains("[reserved-word]") && said.contains(word),
            "{said}"
        );
    }
}

#[test]
fn errors_name_group_file_and_line() {
    let dir = tempfile::tempdir().unwrap();
    let cases = [
        ("0 1 a\n1 2 b\n2 1 c\n2\n", "g.att:", "cyclic-graph"),
        ("0 1 a\n1 x b\n", "g.att:2", "syntax"),
        ("0 1 a NaN\n1\n", "g.att:1", "syntax"),
        ("0 1 a 1e39\n1\n", "g.att:1", "syntax"),
        ("0 1 a\n5000000000\n", "g.att:2", "syntax"),
        ("(S (NN a)\n\n(S (NN b))\n", "g.att:3", "bad-tree"),
        ("(S (NN a) b)\n", "g.att:1", "bad-tree"),
        (
            "# sent_id = a/0\n1\tx\tx\tN\tN\t_\t7\troot\t_\t_\n",
            "g.att:",
            "bad-span",
        ),
    ];
    for (text, place, wanted) in cases {
        let path = file(&dir, "g.att", text);
        let (code, _, said) = run(&["merge", &path], "");
        assert_eq!(code, Some(1), "{text}");
        assert!(
            said.contains(place) && said.contains(wanted),
            "{text}: {said}"
        );
        assert!(said.contains("group 1"), "{said}");
    }
    // Infinity is no path.
    let path = file(&dir, "g.att", "0 1 a Infinity\n0 1 b\n1\n0 inf\n");
    assert_eq!(
        run(&["best", &path], "").1,
        "1\t-0.0000\tb\n".replace('-', "")
    );
    // A state that nothing leads to, and an automaton of no string.
    assert_eq!(run(&["best"], "0 1 a\n7\n").1, "");
    let (code, out, _) = run(&["merge"], "0 1 a\n7\n");
    assert_eq!(code, Some(0));
    assert!(out.contains("0 paths\t0 strings"), "{out}");
    // Deep, unbalanced and empty trees; a sentence of nothing but a full stop.
    let deep = format!("{}(NN x){}\n", "(A ".repeat(300_000), ")".repeat(300_000));
    let (code, out, said) = run(&["merge", "--limit", "line_bytes=9000000"], &deep);
    assert_eq!(code, Some(0), "{said}");
    assert!(out.contains("1 paths"), "{out}");
    let (code, _, said) = run(&["merge"], &deep);
    assert_eq!(code, Some(1));
    assert!(
        said.contains("--limit line_bytes=N") && said.contains("input:1"),
        "{said}"
    );
    let (code, _, said) = run(&["merge"], "(. .)\n");
    assert_eq!(code, Some(1));
    assert!(said.contains("[empty-group]"), "{said}");
    let (_, _, said) = run(&["merge"], "(S (NN a)\n");
    assert!(!said.contains("there is no group"), "{said}");
    let (code, _, said) = run(&["msa"], &sentence(Some("a/0"), "dogs"));
    assert_eq!(code, Some(0), "a cluster of one: {said}");
}
