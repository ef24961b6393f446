use super::*;
use crate::{Dependencies, Lexicon, Limits, TableBuilder};
use std::sync::Arc;

fn table(rules: &[(&str, &str)]) -> (PatternTable, Arc<Vocab>) {
    let mut vocab = Vocab::new();
    let mut builder = TableBuilder::new(["p"]);
    for (source, target) in rules {
        let (source, target) = normalize_pattern(source, target).unwrap();
        builder
            .push_text(&mut vocab, &source, &target, &[-1.0])
            .unwrap();
    }
    let table = builder.build(&vocab).unwrap();
    (PatternTable::new(table, &vocab).unwrap(), Arc::new(vocab))
}

fn sentence(vocab: &Arc<Vocab>, tokens: &[(&str, &str, Option<u32>)]) -> Sentence {
    let words = tokens.iter().map(|token| token.0);
    let arcs: Vec<_> = tokens.iter().map(|token| (token.2, "x")).collect();
    Sentence::from_words(words, Lexicon::new(vocab.clone()), &Limits::default())
        .unwrap()
        .with_tags(tokens.iter().map(|token| token.1.to_owned()).collect())
        .unwrap()
        .with_dependencies(Dependencies::new(&arcs).unwrap())
        .unwrap()
}

/// Each proposal as `start..end: target`, fillers as (start..end).
fn proposals(table: &PatternTable, sentence: &Sentence) -> (Vec<String>, u64) {
    let mut found = Vec::new();
    let cut = table.propose_bounded(sentence, &mut |proposal| {
        let part = proposal.parts[0];
        let pieces: Vec<String> = part
            .target
            .pieces()
            .map(|piece| match piece {
                Piece::Word(word) => sentence.lexicon().word(word).to_owned(),
                Piece::Text(text) => text.to_owned(),
                Piece::Copy(span) => format!("({}..{})", span.start(), span.end()),
            })
            .collect();
        found.push(format!(
            "{}..{}: {}",
            part.span.start(),
            part.span.end(),
            pieces.join(" ")
        ));
    });
    (found, cut)
}

const NOUNS: [(&str, &str, Option<u32>); 5] = [
    ("share", "NN", None),
    ("of", "IN", Some(0)),
    ("company", "NN", Some(4)),
    ("'s", "POS", Some(2)),
    ("capital", "NN", Some(1)),
];

#[test]
fn complete_projections_fill_slots() {
    let (table, vocab) = table(&[
        ("of [NN_1]", "[NN_1] 's"),
        ("[NN_1] of [NN_2]", "x [NN_2] [NN_1]"),
    ]);
    let sentence = sentence(&vocab, &NOUNS);
    // `share` has no projection of its own: it heads the whole.
    let (longest, cut) = proposals(&table, &sentence);
    assert_eq!(
        (&longest[..], cut),
        (&["1..5: (2..5) 's".to_owned()][..], 0)
    );
    let all = |bound| {
        let params = MatchParams {
            bound,
            ..MatchParams::default()
        };
        proposals(&table.clone().with_params(params), &sentence).0
    };
    assert_eq!(all(SlotBound::All), ["1..5: (2..5) 's", "1..4: (2..4) 's"]);
    let words = ["0..3: x (2..3) (0..1)", "1..3: (2..3) 's"];
    assert_eq!(all(SlotBound::Word), words);
}

#[test]
fn without_annotation_or_with_slot_like_words() {
    let (table, vocab) = table(&[("of [NN_1]", "[NN_1] 's"), ("a", "b")]);
    let plain = |words: &[&str]| {
        Sentence::from_words(words, Lexicon::new(vocab.clone()), &Limits::default()).unwrap()
    };
    assert_eq!(
        proposals(&table, &plain(&["of", "[NN_1]", "a"])).0,
        ["2..3: b"]
    );
    let tagged = plain(&["of", "x"])
        .with_tags(vec!["IN".into(), "NN".into()])
        .unwrap();
    assert_eq!(proposals(&table, &tagged).0, ["0..2: (1..2) 's"]);
}

#[test]
fn classes_let_a_slot_take_further_tags() {
    let (table, vocab) = table(&[("of [NN_1]", "[NN_1] 's")]);
    let sentence = sentence(&vocab, &[("of", "IN", None), ("dogs", "NNS", Some(0))]);
    assert!(proposals(&table, &sentence).0.is_empty());
    let mut params = MatchParams::default();
    params.classes.push(("NN".into(), "NNS".into()));
    assert_eq!(
        proposals(&table.with_params(params), &sentence).0,
        ["0..2: (1..2) 's"]
    );
}

#[test]
fn bounds_cut_and_say_so() {
    // A left-branching chain: token 0 starts a filler of every length.
    let tokens: Vec<_> = (0..200u32)
        .map(|at| ("x", "NN", (at < 199).then_some(at + 1)))
        .chain([("y", "Z", None)])
        .collect();
    let (table, vocab) = table(&[("[NN_1] x", "x [NN_1]"), ("[NN_1] y", "y [NN_1]")]);
    let sentence = sentence(&vocab, &tokens);
    let mut params = MatchParams {
        bound: SlotBound::All,
        ..MatchParams::default()
    };
    let (found, cut) = proposals(&table.clone().with_params(params.clone()), &sentence);
    assert_eq!((found.len(), cut), (64 + 1, 199 - 64));
    params.steps = 10;
    let (_, cut) = proposals(&table.with_params(params), &sentence);
    assert!(cut >= 1);
}

#[test]
fn tables_that_are_no_patterns() {
    let mut vocab = Vocab::new();
    for (source, target) in [
        ("a [NN_1]", "b"),
        ("a [NN-1]", "b [NN-1]"),
        ("[NN_2] of [NN_1]", "[NN_1] [NN_2]"),
    ] {
        let mut builder = TableBuilder::new(["p"]);
        builder
            .push_text(&mut vocab, source, target, &[0.0])
            .unwrap();
        let table = builder.build(&vocab).unwrap();
        assert_eq!(
            PatternTable::new(table, &vocab).unwrap_err().code(),
            "bad-table"
        );
    }
    let (table, vocab) = table(&[("of [NN_1]", "[NN_1] 's")]);
    let mut other = Vocab::new();
    other.intern("word").unwrap();
    assert_eq!(
        PatternTable::new(table.table().clone(), &other)
            .unwrap_err()
            .code(),
        "mismatch"
    );
    let moved = table.table().in_vocab(&vocab, &mut other).unwrap();
    assert_eq!(
        PatternTable::new(moved, &other)
            .unwrap()
            .tags()
            .collect::<Vec<_>>(),
        ["NN"]
    );
}
