//! Paraphrase tables against a plain map of rows.

use pgen_core::{
    Duplicates, Lexicon, Limits, ParaphraseTable, ReplacementModel, RuleId, Sentence, Span,
    TableBuilder, Target, Vocab, WordId,
};
use proptest::prelude::*;
use std::sync::Arc;

type Row = (Vec<String>, Vec<String>, Vec<f32>);

fn build(rows: &[Row], duplicates: Duplicates, vocab: &mut Vocab) -> ParaphraseTable {
    let mut builder = TableBuilder::new(["p", "q"])
        .duplicates(duplicates)
        .deletions(true);
    for (source, target, values) in rows {
        builder
            .push_text(vocab, &source.join(" "), &target.join("\t "), values)
            .unwrap();
    }
    builder.build(vocab).unwrap()
}

/// What a table must hold, in its order: sorted by spelling, then by value, then by spelling.
fn expected(rows: &[Row], duplicates: Duplicates) -> Vec<Row> {
    let mut rows = rows.to_vec();
    let descending = |a: &[f32], b: &[f32]| b.partial_cmp(a).unwrap();
    rows.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)).then(descending(&a.2, &b.2)));
    if duplicates == Duplicates::Max {
        rows.dedup_by(|a, b| (&a.0, &a.1) == (&b.0, &b.1));
    }
    rows.sort_by(|a, b| {
        let source = a.0.cmp(&b.0);
        source
            .then(descending(&a.2[..1], &b.2[..1]))
            .then(a.1.cmp(&b.1))
            .then(descending(&a.2, &b.2))
    });
    rows
}

fn spell(words: &[WordId], vocab: &Vocab) -> Vec<String> {
    words
        .iter()
        .map(|&word| vocab.word(word).unwrap().to_owned())
        .collect()
}

fn contents(table: &ParaphraseTable, vocab: &Vocab) -> Vec<Row> {
    let mut rows = Vec::new();
    table.for_each(|source, rule| {
        assert_eq!(rule.id, RuleId::new(rows.len() as u32));
        assert_eq!(table.rule(rule.id), Some(rule));
        assert_eq!(table.source(rule.id).unwrap(), source);
        rows.push((
            spell(source, vocab),
            spell(rule.target, vocab),
            rule.values.to_vec(),
        ));
    });
    rows
}

fn phrase(shortest: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[a-c]", shortest..4)
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let value = (-3i8..=0).prop_map(f32::from);
    let row = (phrase(1), phrase(0), prop::collection::vec(value, 2));
    prop::collection::vec(row, 0..40)
}

proptest! {
    #[test]
    fn a_table_is_a_sorted_map(rows in rows()) {
        for duplicates in [Duplicates::Max, Duplicates::Keep] {
            let mut vocab = Vocab::new();
            let table = build(&rows, duplicates, &mut vocab);
            let expected = expected(&rows, duplicates);
            prop_assert_eq!(&contents(&table, &vocab), &expected);
            prop_assert_eq!(table.len(), expected.len());
            let longest = rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
            prop_assert_eq!(table.longest_source(), longest);
            prop_assert_eq!(table.rule(RuleId::new(expected.len() as u32)), None);
            prop_assert_eq!(table.source(RuleId::new(expected.len() as u32)), None);
        }
    }

    #[test]
    fn order_of_rows_and_of_the_vocabulary_mean_nothing(rows in rows(), seed in any::<u64>()) {
        let mut first = Vocab::new();
        let table = build(&rows, Duplicates::Max, &mut first);
        let mut shuffled = rows.clone();
        let mut rng = pgen_core::SplitMix64::new(seed);
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, rng.below(at as u64 + 1) as usize);
        }
        let mut second = Vocab::new();
        let other = build(&shuffled, Duplicates::Max, &mut second);
        prop_assert_eq!(contents(&table, &first), contents(&other, &second));
        let same_vocab = build(&shuffled, Duplicates::Max, &mut first);
        prop_assert!(table == same_vocab);
    }

    #[test]
    fn every_match_in_a_sentence_is_proposed(rows in rows(), words in prop::collection::vec("[a-d]", 0..8)) {
        let mut vocab = Vocab::new();
        let table = build(&rows, Duplicates::Max, &mut vocab);
        let lexicon = Lexicon::new(Arc::new(vocab.clone()));
        let sentence = Sentence::from_words(&words, lexicon, &Limits::default()).unwrap();
        let mut found = Vec::new();
        table.propose(&sentence, &mut |proposal| {
            let [part] = proposal.parts else { panic!("a phrase has one part") };
            let Target::Words(target) = part.target else { panic!("a phrase is words") };
            found.push((part.span, spell(target, &vocab), proposal.values.to_vec()));
        });
        let mut all = Vec::new();
        for start in 0..words.len() {
            for end in start + 1..=words.len() {
                let span = Span::new(start as u32, end as u32).unwrap();
                for row in expected(&rows, Duplicates::Max) {
                    if row.0 == words[start..end] {
                        all.push((span, row.1, row.2));
                    }
                }
            }
        }
        prop_assert_eq!(found, all);
    }
}

#[test]
fn a_table_moves_to_another_vocabulary() {
    let rows: Vec<Row> = [("c a", "b"), ("a", "c c"), ("a", "b")]
        .iter()
        .map(|(source, target)| {
            let words = |text: &str| text.split(' ').map(str::to_owned).collect();
            (words(source), words(target), vec![-1.0, -2.0])
        })
        .collect();
    let mut own = Vocab::new();
    let table = build(&rows, Duplicates::Max, &mut own);
    let mut other = Vocab::new();
    for word in ["x", "c", "b"] {
        other.intern(word).unwrap();
    }
    let moved = table.in_vocab(&own, &mut other).unwrap();
    assert_eq!(contents(&moved, &other), contents(&table, &own));
    assert!(moved == build(&rows, Duplicates::Max, &mut other));
    assert_eq!(
        table.spell(RuleId::new(2), &own),
        Some(("c a".into(), "b".into()))
    );
    assert_eq!(
        moved.spell(RuleId::new(1), &other),
        Some(("a".into(), "c c".into()))
    );
    assert_eq!(moved.spell(RuleId::new(3), &other), None);
    let error = table.in_vocab(&Vocab::new(), &mut other).unwrap_err();
    assert_eq!(error.code(), "mismatch");
}

#[test]
fn many_targets_of_one_source_and_equal_values() {
    let mut vocab = Vocab::new();
    let mut builder = TableBuilder::new(["p"]);
    for at in (0..100_000).rev() {
        builder
            .push_text(&mut vocab, "a", &format!("t{at}"), &[-1.0])
            .unwrap();
    }
    let table = builder.build(&vocab).unwrap();
    let source = [vocab.get("a").unwrap()];
    let targets = table
        .find(&source)
        .map(|rule| vocab.word(rule.target[0]).unwrap());
    assert!(targets.is_sorted() && table.find(&source).len() == 100_000);
}

#[test]
fn rows_that_are_no_rules() {
    let mut limits = Limits::default();
    (limits.phrase, limits.token_bytes, limits.rows) = (3, 5, 2);
    let mut vocab = Vocab::new();
    let mut builder = TableBuilder::new(["p"]).limits(&limits);
    let mut code = |source: &str, target: &str, values: &[f32]| {
        let result = builder.push_text(&mut vocab, source, target, values);
        (builder.len(), result.map_or_else(|e| e.code(), |()| "ok"))
    };
    assert_eq!(code(" \t", "b", &[0.0]), (0, "bad-table"));
    assert_eq!(code("a", " ", &[0.0]), (0, "bad-table"));
    assert_eq!(code("a", "b", &[]), (0, "bad-table"));
    assert_eq!(code("a", "b", &[0.0, 0.0]), (0, "bad-table"));
    assert_eq!(code("a", "b", &[f32::NAN]), (0, "not-finite"));
    assert_eq!(code("a", "b", &[f32::NEG_INFINITY]), (0, "not-finite"));
    assert_eq!(code("a a a a", "b", &[0.0]), (0, "limit-exceeded"));
    assert_eq!(code("a", "b b b b", &[0.0]), (0, "limit-exceeded"));
    assert_eq!(code("aaaaaa", "b", &[0.0]), (0, "limit-exceeded"));
    assert_eq!(code("a", "b", &[0.0]), (1, "ok"));
    assert_eq!(code("a", "c", &[0.0]), (2, "ok"));
    assert_eq!(code("a", "d", &[0.0]), (2, "limit-exceeded"));
    assert_eq!(builder.build(&vocab).unwrap().len(), 2);
}

#[test]
fn tables_that_are_refused() {
    let mut vocab = Vocab::new();
    let mut builder = TableBuilder::new(["p"]).duplicates(Duplicates::Refuse);
    for value in [-1.0, -2.0] {
        builder.push_text(&mut vocab, "a", "b", &[value]).unwrap();
    }
    assert_eq!(builder.build(&vocab).unwrap_err().code(), "bad-table");
    let none: [&str; 0] = [];
    assert_eq!(
        TableBuilder::new(none).build(&vocab).unwrap_err().code(),
        "bad-table"
    );
    let mut builder = TableBuilder::new(["p"]);
    builder
        .push(&[WordId::new(3)], &[WordId::new(99)], &[0.0])
        .unwrap();
    assert_eq!(builder.build(&vocab).unwrap_err().code(), "mismatch");
    let mut builder = TableBuilder::new(["p"]);
    builder
        .push(&[WordId::BOS], &[WordId::new(3)], &[0.0])
        .unwrap();
    assert_eq!(builder.build(&vocab).unwrap_err().code(), "mismatch");
}

#[test]
fn a_table_belongs_to_its_vocabulary() {
    let mut vocab = Vocab::new();
    let mut builder = TableBuilder::new(["p"]);
    builder
        .push_text(&mut vocab, "<s> |||", "</s>", &[0.0])
        .unwrap();
    let table = builder.build(&vocab).unwrap();
    vocab.intern("later").unwrap();
    table.check_vocab(&vocab).unwrap();
    let mut other = Vocab::new();
    for word in ["<s>", "|||", "x"] {
        other.intern(word).unwrap();
    }
    assert_eq!(table.check_vocab(&other).unwrap_err().code(), "mismatch");
    assert_eq!(
        table.check_vocab(&Vocab::new()).unwrap_err().code(),
        "mismatch"
    );
}
