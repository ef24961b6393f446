//! Tables and vocabularies in files: nothing is lost, no damage passes, and what is forged with right
//! checksums is refused or sound.
#![cfg(feature = "gzip")]

use pgen_core::codec::{Container, Encoder, Packing, to_bytes};
use pgen_core::{
    Lexicon, Limits, ParaphraseTable, ReplacementModel, Result, RuleId, Sentence, SplitMix64,
    TableBuilder, Vocab,
};
use proptest::prelude::*;
use std::sync::Arc;

/// A table of random rows over a small vocabulary.
fn table(rows: usize, features: usize, seed: u64) -> (Vocab, ParaphraseTable) {
    let mut rng = SplitMix64::new(seed);
    let mut vocab = Vocab::new();
    let names = (0..features).map(|at| format!("feature {at}"));
    let mut builder = TableBuilder::new(names).deletions(true);
    for _ in 0..rows {
        let mut phrase = |least: u64| {
            let length = least + rng.below(4 - least);
            let words: Vec<_> = (0..length).map(|_| format!("w{}", rng.below(40))).collect();
            words.join(" ")
        };
        let (source, target) = (phrase(1), phrase(0));
        let values: Vec<_> = (0..features)
            .map(|_| (rng.unit() as f32).ln().max(-50.0))
            .collect();
        builder
            .push_text(&mut vocab, &source, &target, &values)
            .unwrap();
    }
    let table = builder.build(&vocab).unwrap();
    (vocab, table)
}

fn to_file(vocab: &Vocab, table: &ParaphraseTable, packing: Packing) -> Vec<u8> {
    to_bytes("table", |out| {
        vocab.write_to(out, "", packing)?;
        table.write_to(out, "", packing)
    })
    .unwrap()
}

fn read(bytes: &[u8]) -> Result<(Vocab, ParaphraseTable)> {
    let limits = Limits::default();
    let container = Container::from_bytes(bytes, &limits)?;
    container.expect_kind("table")?;
    let vocab = Vocab::read_from(&container, "", &limits)?;
    let table = ParaphraseTable::read_from(&container, "", &limits)?;
    Ok((vocab, table))
}

/// Uses all of a table; whatever it holds, this must not panic.
fn exercise(vocab: &Vocab, table: &ParaphraseTable) {
    let mut count = 0;
    table.for_each(|source, rule| {
        assert_eq!(table.source(rule.id).as_deref(), Some(source));
        assert!(table.find(source).any(|found| found.id == rule.id));
        assert!(rule.values.iter().all(|value| value.is_finite()));
        count += 1;
    });
    assert_eq!(count, table.len());
    assert_eq!(table.rule(RuleId::new(count as u32)), None);
    let lexicon = Lexicon::new(Arc::new(vocab.clone()));
    let words = (0..60).map(|at| format!("w{}", at % 41));
    let sentence = Sentence::from_words(words, lexicon, &Limits::default()).unwrap();
    table.propose(&sentence, &mut |proposal| {
        assert_eq!(proposal.parts.len(), 1)
    });
}

#[test]
fn tables_come_back() {
    for (rows, features) in [(0, 1), (1, 2), (300, 1), (3000, 3), (70_000, 1)] {
        let (vocab, table) = table(rows, features, 1);
        for packing in [Packing::Plain, Packing::Deflate] {
            let bytes = to_file(&vocab, &table, packing);
            assert_eq!(bytes, to_file(&vocab, &table, packing));
            let (vocab_again, again) = read(&bytes).unwrap();
            assert!(again == table);
            assert!(again.check_vocab(&vocab_again).is_ok());
            assert!(vocab_again.words().eq(vocab.words()));
        }
    }
}

#[test]
fn a_file_on_disk_with_its_vocabulary() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.pgen");
    let (vocab, table) = table(50, 2, 2);
    table.save(&path, &vocab, Packing::Deflate).unwrap();
    let (_, again) = ParaphraseTable::load(&path, &Limits::default()).unwrap();
    assert!(again == table);
    let error = table
        .save(&path, &Vocab::new(), Packing::Plain)
        .unwrap_err();
    assert_eq!(error.code(), "mismatch");
    let mut limits = Limits::default();
    limits.rows = 10;
    let code = |limits: &Limits| ParaphraseTable::load(&path, limits).unwrap_err().code();
    assert_eq!(code(&limits), "limit-exceeded");
    (limits.rows, limits.phrase) = (1000, 2);
    assert_eq!(code(&limits), "limit-exceeded");
    (limits.phrase, limits.words) = (20, 5);
    assert_eq!(code(&limits), "limit-exceeded");
}

#[test]
fn several_tables_share_a_file() {
    let (vocab, first) = table(20, 1, 3);
    let bytes = to_bytes("bundle", |out| {
        vocab.write_to(out, "", Packing::Plain)?;
        first.write_to(out, "table/0/", Packing::Plain)?;
        first
            .quantized(4)?
            .0
            .write_to(out, "table/1/", Packing::Plain)
    })
    .unwrap();
    let limits = Limits::default();
    let container = Container::from_bytes(&bytes, &limits).unwrap();
    assert!(ParaphraseTable::read_from(&container, "table/0/", &limits).unwrap() == first);
    let second = ParaphraseTable::read_from(&container, "table/1/", &limits).unwrap();
    assert_eq!(second.len(), first.len());
    let missing = ParaphraseTable::read_from(&container, "table/2/", &limits).unwrap_err();
    assert_eq!(missing.code(), "corrupt");
}

/// The least possible error of `levels` intervals, by trying every way to cut sorted values.
fn best_error(sorted: &[f32], levels: usize) -> f32 {
    let half = |values: &[f32]| (values[values.len() - 1] - values[0]) / 2.0;
    if levels == 1 || sorted.len() == 1 {
        return half(sorted);
    }
    (1..sorted.len())
        .map(|cut| half(&sorted[..cut]).max(best_error(&sorted[cut..], levels - 1)))
        .fold(half(sorted), f32::min)
}

#[test]
fn quantizing_has_the_least_error() {
    for seed in 0..20 {
        let (_, table) = table(9, 1, seed);
        let mut sorted = Vec::new();
        table.for_each(|_, rule| sorted.push(rule.values[0]));
        sorted.sort_by(f32::total_cmp);
        for levels in 1..5 {
            let (rough, errors) = table.quantized(levels).unwrap();
            let mut distinct = Vec::new();
            rough.for_each(|_, rule| {
                let exact = table.rule(rule.id).unwrap();
                assert_eq!(exact.target, rule.target);
                assert!((exact.values[0] - rule.values[0]).abs() <= errors[0]);
                distinct.push(rule.values[0].to_bits());
            });
            distinct.sort_unstable();
            distinct.dedup();
            assert!(distinct.len() <= levels);
            let best = best_error(&sorted, levels);
            assert!(
                (errors[0] - best).abs() <= 1e-5,
                "{} against {best}",
                errors[0]
            );
        }
    }
    let (vocab, table) = table(20_000, 2, 5);
    let (small, _) = table.quantized(256).unwrap();
    let sizes = [&table, &small].map(|table| to_file(&vocab, table, Packing::Plain).len());
    assert!(sizes[1] + 3 * table.len() < sizes[0], "{sizes:?}");
    assert!(small.quantized(256).unwrap().0 == small);
}

#[test]
fn every_damage_to_a_file_is_found() {
    let (vocab, table) = table(150, 2, 6);
    let whole = to_file(&vocab, &table, Packing::Plain);
    assert!((2048..4096).contains(&whole.len()), "{} bytes", whole.len());
    let mut bytes = whole.clone();
    for at in 0..whole.len() {
        for byte in (0..8).map(|bit| whole[at] ^ 1 << bit).chain([0, 0xff]) {
            bytes[at] = byte;
            assert_eq!(
                read(&bytes).is_ok(),
                byte == whole[at],
                "byte {at} = {byte}"
            );
        }
        bytes[at] = whole[at];
        assert!(read(&whole[..at]).is_err());
    }
    let mut rng = SplitMix64::new(8);
    for _ in 0..1000 {
        let pair = [0; 2].map(|_| rng.below(whole.len() as u64) as usize);
        bytes.swap(pair[0], pair[1]);
        assert_eq!(read(&bytes).is_ok(), bytes == whole);
        bytes.swap(pair[0], pair[1]);
    }
}

/// The file with one section's content changed and all checksums right.
fn forged(container: &Container<'_>, name: &str, content: &[u8]) -> Vec<u8> {
    to_bytes(container.kind(), |out| {
        for section in container.sections() {
            let mut copy = Encoder::new();
            if section.name == name {
                copy.raw(content);
            } else {
                copy.raw(container.section(&section.name)?.bytes());
            }
            out.section(&section.name, section.packing, &copy)?;
        }
        Ok(())
    })
    .unwrap()
}

#[test]
fn forged_content_is_refused_or_sound() {
    let (vocab, table) = table(60, 2, 7);
    let whole = to_file(&vocab, &table, Packing::Plain);
    let container = Container::from_bytes(&whole, &Limits::default()).unwrap();
    let (mut refused, mut sound) = (0, 0);
    let mut try_it = |name: &str, content: &[u8]| {
        let bytes = forged(&container, name, content);
        match read(&bytes) {
            Ok((vocab, table)) => {
                sound += 1;
                exercise(&vocab, &table);
                let again = read(&to_file(&vocab, &table, Packing::Plain)).unwrap();
                assert!(again.1 == table, "what is loaded can be saved");
            }
            Err(error) => {
                refused += 1;
                let code = error.code();
                let known = ["corrupt", "limit-exceeded", "unsupported-version"].contains(&code);
                assert!(known, "{name}: {error}");
            }
        }
    };
    for info in container.sections() {
        let content = container.section(&info.name).unwrap();
        let whole = content.bytes();
        for at in 0..whole.len() {
            for byte in (0..8).map(|bit| whole[at] ^ 1 << bit).chain([0, 0xff]) {
                let mut changed = whole.to_vec();
                changed[at] = byte;
                try_it(&info.name, &changed);
            }
            try_it(&info.name, &whole[..at]);
        }
        try_it(&info.name, &[whole, &[0]].concat());
        try_it(&info.name, &vec![0xff; 4096]);
        try_it(&info.name, &vec![0; 4096]);
    }
    assert!(
        refused > 1000 && sound > 1000,
        "{refused} refused, {sound} sound"
    );
}

#[test]
fn words_that_no_vocabulary_has() {
    let vocab = |count: u64, rest: &[u8]| {
        let mut content = Encoder::new();
        content.u32(1);
        content.u64(count);
        content.raw(rest);
        let bytes = to_bytes("v", |out| out.section("vocab", Packing::Plain, &content)).unwrap();
        let limits = Limits::default();
        let container = Container::from_bytes(&bytes, &limits).unwrap();
        Vocab::read_from(&container, "", &limits).map_or_else(|e| e.code(), |_| "ok")
    };
    assert_eq!(vocab(2, b"\x01a\x01b"), "ok");
    assert_eq!(vocab(2, b"\x01a\x01a"), "corrupt");
    assert_eq!(vocab(1, b"\x01\xff"), "corrupt");
    assert_eq!(vocab(1, b"\x02a"), "corrupt");
    assert_eq!(vocab(1, b"\x01ab"), "corrupt");
    assert_eq!(
        vocab(1, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
        "corrupt"
    );
    assert_eq!(vocab(1 << 31, b""), "limit-exceeded");
    assert_eq!(vocab(1 << 63, b""), "limit-exceeded");
    assert_eq!(vocab(1 << 30, b""), "corrupt");
}

proptest! {
    #[test]
    fn any_bytes_as_a_section(bytes in prop::collection::vec(any::<u8>(), 0..200), which in 0usize..5) {
        let (vocab, table) = table(12, 1, 9);
        let whole = to_file(&vocab, &table, Packing::Plain);
        let container = Container::from_bytes(&whole, &Limits::default()).unwrap();
        let name = &container.sections()[which].name;
        if let Ok((vocab, table)) = read(&forged(&container, name, &bytes)) {
            exercise(&vocab, &table);
        }
    }
}

/// Files of version 1 are read for ever. `PGEN_WRITE_GOLDEN=1` writes this one anew.
#[test]
fn the_golden_file_is_read() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/table-v1.pgen");
    let mut vocab = Vocab::new();
    let mut builder = TableBuilder::new(["p", "q"]).deletions(true);
    let rows: [(&str, &str, [f32; 2]); 6] = [
        ("a", "b", [-0.5, -1.0]),
        ("a lot of", "many", [-0.25, -2.0]),
        ("a lot of", "plenty of", [-0.75, 0.0]),
        ("na\u{ef}ve", "simple", [-3.5, -100.0]),
        ("very", "", [-1.5, -0.125]),
        ("<s> |||", "</s>", [0.0, 0.5]),
    ];
    for (source, target, values) in &rows {
        builder
            .push_text(&mut vocab, source, target, values)
            .unwrap();
    }
    let table = builder.build(&vocab).unwrap();
    if std::env::var_os("PGEN_WRITE_GOLDEN").is_some() {
        table.save(path.as_ref(), &vocab, Packing::Plain).unwrap();
    }
    let (_, golden) = ParaphraseTable::load(path.as_ref(), &Limits::default()).unwrap();
    assert!(golden == table);
    assert_eq!(
        std::fs::read(path).unwrap(),
        to_file(&vocab, &table, Packing::Plain)
    );
}
