//! CoNLL-U and chunks against real and hostile input.

use pgen_core::formats::conll::{read_conll, write_conll};
use pgen_core::text::TextOptions;
use pgen_core::{Chunks, Limits, Lines, Tree, Vocab};
use proptest::prelude::*;
use std::sync::Arc;

const GOOD: &str = "# sent_id = g/0\n# text = We don't.\n\
    1\tWe\twe\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n\
    2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n\
    2\tdo\tdo\tAUX\tVBP\tMood=Ind\t0\troot\t_\t_\n\
    3\tn't\tnot\tPART\tRB\t_\t2\tneg\t_\t_\n\
    3.1\telided\t_\t_\t_\t_\t_\t_\t_\t_\n\
    4\t.\t.\tPUNCT\t.\t_\t0\tpunct\t_\t_\n\n";

fn lines(text: &str) -> Lines {
    Lines::from_text(text, &Limits::default()).unwrap()
}

#[test]
fn conll_goes_there_and_back() {
    let limits = Limits::default();
    let mut input = lines(GOOD);
    let sentence = read_conll(&mut input, &limits).unwrap().unwrap();
    assert_eq!(sentence.id.as_deref(), Some("g/0"));
    assert_eq!(
        (sentence.words.len(), sentence.ranges.len(), sentence.line),
        (4, 1, 1)
    );
    assert_eq!(sentence.dependencies.roots().collect::<Vec<_>>(), [1, 3]);
    let mut out = Vec::new();
    write_conll(&mut out, &sentence).unwrap();
    let written = String::from_utf8(out).unwrap();
    assert_eq!(
        written,
        GOOD.replace("3.1\telided\t_\t_\t_\t_\t_\t_\t_\t_\n", "")
    );
    assert!(read_conll(&mut input, &limits).unwrap().is_none());
    let made = sentence
        .to_sentence(&Arc::new(Vocab::new()), &TextOptions::default(), &limits)
        .unwrap();
    assert_eq!((made.text(), made.surface(2)), ("We don't.", "n't"));
    assert_eq!(made.tags().unwrap(), ["PRP", "VBP", "RB", "."]);
}

#[test]
fn eight_columns_and_blanks_do() {
    let text = "1 a a DT DT _ 2 det\n2 dog dog NN NN _ 0 root\n";
    let read = read_conll(&mut lines(text), &Limits::default())
        .unwrap()
        .unwrap();
    assert_eq!(
        (read.words[1].form.as_str(), read.dependencies.head(0)),
        ("dog", Some(1))
    );
}

#[test]
fn a_line_of_empty_columns_is_blank() {
    let text = GOOD.replace("\n\n", "\n\t\t\t\t\t\t0\n").repeat(2);
    let mut input = lines(&text);
    for _ in 0..2 {
        assert_eq!(
            read_conll(&mut input, &Limits::default())
                .unwrap()
                .unwrap()
                .words
                .len(),
            4
        );
    }
    assert!(
        read_conll(&mut input, &Limits::default())
            .unwrap()
            .is_none()
    );
}

#[test]
fn bad_sentences_are_named_and_passed_over() {
    let row = |id: &str, head: &str| format!("{id}\tw\t_\t_\t_\t_\t{head}\tx\t_\t_\n");
    let cases = [
        (row("1", "7"), "bad-span", 1),
        (row("1", "x"), "syntax", 1),
        (row("2", "0"), "syntax", 1),
        (row("1", "2") + &row("2", "1"), "bad-tree", 1),
        (row("1", "0") + "2\tshort\n", "syntax", 2),
        (
            row("1", "0") + "2-9\tab\t_\t_\t_\t_\t_\t_\t_\t_\n",
            "syntax",
            1,
        ),
        (
            row("1", "0") + "4-3\tab\t_\t_\t_\t_\t_\t_\t_\t_\n",
            "syntax",
            2,
        ),
    ];
    for (text, code, line) in cases {
        let mut input = lines(&format!("{text}\n{GOOD}"));
        let error = read_conll(&mut input, &Limits::default()).unwrap_err();
        assert_eq!(
            (error.code(), error.place().unwrap().line),
            (code, line),
            "{text}"
        );
        let next = read_conll(&mut input, &Limits::default()).unwrap().unwrap();
        assert_eq!(next.id.as_deref(), Some("g/0"));
    }
}

#[test]
fn golden_trees_give_golden_traces() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("golden/s04_cluster.json")).unwrap();
    let trees = golden["trees"].as_array().unwrap();
    let annotations = golden["annotation"].as_array().unwrap();
    assert_eq!(trees.len(), annotations.len());
    for (tree, annotation) in trees.iter().zip(annotations) {
        let limits = Limits::default();
        let tree = Tree::parse(tree.as_str().unwrap(), &limits).unwrap();
        let chunks = Chunks::from_tree(&tree, &limits).unwrap();
        assert_eq!(annotation.as_array().unwrap().len(), tree.leaf_count());
        for (token, (leaf, wanted)) in tree
            .leaves()
            .zip(annotation.as_array().unwrap())
            .enumerate()
        {
            let trace: Vec<_> = wanted["trace"]
                .as_array()
                .unwrap()
                .iter()
                .map(|tag| tag.as_str().unwrap())
                .collect();
            assert_eq!(leaf.word(), wanted["w"].as_str());
            assert_eq!(leaf.label(), wanted["pos"].as_str().unwrap());
            assert_eq!(chunks.tag_text(token), wanted["iob"].as_str().unwrap());
            assert_eq!(chunks.trace_text(token), trace.join("/"));
        }
    }
}

#[test]
fn deep_trees_exceed_the_limit_on_traces_and_nothing_else() {
    let tree = format!(
        "{}(NN x) (NN y){}",
        "(A ".repeat(90_000),
        ")".repeat(90_000)
    );
    let mut limits = Limits::default();
    let tree = Tree::parse(&tree, &limits).unwrap();
    assert!(Chunks::from_tree(&tree, &limits).is_ok());
    limits.edges = 100_000;
    assert_eq!(
        Chunks::from_tree(&tree, &limits).unwrap_err().code(),
        "limit-exceeded"
    );
}

fn brackets() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "(", ")", "(S ", "(NN a)", "a", " ", "-NONE-", "\\/", "é",
    ]);
    prop::collection::vec(pieces, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn what_is_read_is_written_the_same(text in brackets()) {
        if let Ok(tree) = Tree::parse(&text, &Limits::default()) {
            let written = tree.to_string();
            let again = Tree::parse(&written, &Limits::default());
            // An outer label may be empty, ROOT or TOP, which reading takes off.
            if !tree.root().label().is_empty() {
                prop_assert_eq!(again.unwrap(), tree);
            }
        }
    }

    #[test]
    fn any_text_is_conll_or_an_error(text in "[0-9a\t\n#.-]{0,60}") {
        let mut input = lines(&text);
        let mut rounds = 0;
        while !matches!(read_conll(&mut input, &Limits::default()), Ok(None)) {
            rounds += 1;
            prop_assert!(rounds <= text.len() + 1);
        }
    }
}
