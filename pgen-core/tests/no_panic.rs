//! Whatever the bytes, readers answer: a value or a typed error, strict and lenient, and they end.
#![cfg(feature = "gzip")]

use pgen_core::formats::alignment::{giza, gold, naacl, pharaoh};
use pgen_core::formats::{TableOptions, ValueColumns, meteor, moses, nbest, ppdb, tsv};
use pgen_core::{Limits, Lines, Vocab};
use proptest::prelude::*;
use std::io::Cursor;

/// Good lines of every format, to be cut up and mixed.
const SEEDS: [&str; 12] = [
    "a b ||| c ||| 0.5 1 ||| 0-0 1-0 ||| 3 2 1 ||| x= 1 ||| {{Tree [X]}}",
    "[NN] ||| car ||| auto ||| PPDB2.0Score=5.3 -logp(e2|e1)=1.5 X=NA ||| 0-0 ||| Equivalence",
    "0 ||| the |0-1| house |2-2| ||| LM0= -1.5 TM= 0 ||| -3 ||| 0-1=0 2=1 ||| 0-0",
    "0||| text  ||| d: 0 lm: -41.3 ||| -14.6",
    "id\ta b\tc d\t0-0 1-1\t0-1",
    "0-0 1?1 2p2 T:3-3",
    "0001 1 2 S 0.5",
    "# Sentence pair (1) source length 1 target length 1 alignment score : 0.5",
    "NULL ({ 1 }) w ({ })",
    "a\tb\t0.25",
    "0.125",
    "\u{feff}\u{e9}\u{1F600}",
];

fn text() -> impl Strategy<Value = Vec<u8>> {
    let piece = (0..SEEDS.len(), 0usize..80, 0usize..80).prop_map(|(seed, start, length)| {
        let bytes = SEEDS[seed].as_bytes();
        let start = start.min(bytes.len());
        bytes[start..(start + length).min(bytes.len())].to_vec()
    });
    let glue = prop_oneof![
        Just(b"\n".to_vec()),
        Just(b" ||| ".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\t".to_vec()),
        Just(b" ".to_vec()),
        prop::collection::vec(any::<u8>(), 0..3),
    ];
    let line = (piece, glue).prop_map(|(piece, glue)| [piece, glue].concat());
    let whole = (0..SEEDS.len()).prop_map(|seed| format!("{}\n", SEEDS[seed]).into_bytes());
    prop::collection::vec(prop_oneof![line, whole], 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn every_reader_answers(bytes in text(), lenient: bool, unescape: bool, all: bool) {
        let limits = Limits::default();
        let lines = || Lines::from_reader(Cursor::new(bytes.clone()), "t", &limits);
        let Ok(mut first) = lines() else { return Ok(()) };
        let mut options = TableOptions::default();
        (options.lenient, options.unescape, options.deletions) = (lenient, unescape, all);
        options.values = if all { ValueColumns::All } else { ValueColumns::First };
        let vocab = &mut Vocab::new();
        let loaded = [
            moses::load(&mut first, vocab, &options),
            ppdb::load(&mut lines().unwrap(), vocab, &[ppdb::PROBABILITY], &options),
            meteor::load(&mut lines().unwrap(), vocab, &options),
            tsv::load(&mut lines().unwrap(), vocab, &tsv::Columns::default(), &options),
        ];
        for (table, report) in loaded.into_iter().flatten() {
            prop_assert_eq!(report.read, report.kept + report.skipped);
            prop_assert!(table.len() as u64 <= report.kept);
            prop_assert!(lenient || table.is_empty() == (report.kept == 0));
        }
        let _ = nbest::each_entry(&mut lines().unwrap(), lenient, |entry| {
            let _ = entry.phrases();
            let again = nbest::Entry::parse(&entry.to_string());
            assert!(again.is_ok(), "what is read can be written: {entry}");
            Ok(())
        });
        let _ = gold::read(&mut lines().unwrap(), None);
        let _ = naacl::read(&mut lines().unwrap());
        let mut pairs = lines().unwrap();
        while !pairs.is_over() {
            let _ = pharaoh::next(&mut pairs);
        }
        let mut pairs = lines().unwrap();
        while !pairs.is_over() {
            let _ = giza::next(&mut pairs);
        }
    }
}
