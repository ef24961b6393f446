//! Alignment formats: what they read, what they refuse, and what they write back.
#![cfg(feature = "gzip")]

mod common;

use pgen_core::formats::alignment::gold::{GoldFormat, GoldRecord, guess};
use pgen_core::formats::alignment::{giza, gold, naacl, pharaoh};
use pgen_core::{Alignment, GoldAlignment, Limits, Lines, Link, Result};
use proptest::prelude::*;

fn lines(text: &str) -> Lines {
    Lines::from_text(text, &Limits::default()).unwrap()
}

fn links(pairs: &[(u32, u32)]) -> Alignment {
    pairs.iter().map(|&(s, t)| Link::new(s, t)).collect()
}

fn code<T>(result: Result<T>) -> &'static str {
    result.map_or_else(|error| error.code(), |_| "ok")
}

#[test]
fn pharaoh_lines_that_are_read() {
    let cases: [(&str, &[(u32, u32)]); 12] = [
        ("", &[]),
        ("  \t ", &[]),
        ("0-0", &[(0, 0)]),
        ("2-1 0-0 0-0 ", &[(0, 0), (2, 1)]),
        ("0-1\t 1-0", &[(0, 1), (1, 0)]),
        ("00-00 01-1", &[(0, 0), (1, 1)]),
        ("a b ||| c d ||| 0-0 1-1", &[(0, 0), (1, 1)]),
        ("a b ||| c d |||", &[]),
        ("a ||| b ||| ", &[]),
        ("|||", &[]),
        ("T:0-1", &[(0, 1)]),
        ("4294967295-0", &[(u32::MAX, 0)]),
    ];
    for (text, expected) in cases {
        assert_eq!(pharaoh::parse(text).unwrap(), links(expected), "{text:?}");
    }
    let mut file = lines("\u{feff}0-0\r\n\r\n1-1");
    let mut read = || pharaoh::next(&mut file).unwrap();
    assert_eq!(read(), Some(links(&[(0, 0)])));
    assert_eq!(read(), Some(links(&[])));
    assert_eq!(read(), Some(links(&[(1, 1)])));
    assert_eq!(read(), None);
}

#[test]
fn pharaoh_lines_that_are_refused() {
    let cases = [
        "-1-0",
        "0--1",
        "0-",
        "-0",
        "-",
        "0-0-0",
        "0_0",
        "0:0",
        "0,0",
        "a-b",
        "0.5-1",
        "+0-+0",
        "18446744073709551616-0",
        "\u{663}-\u{661}",
        "0-0\0",
        "0\0-0",
        "0?1",
        "0p1",
        "0-1?",
        "1 1 1 S",
        "0-0 x",
        "0-0 |||x",
    ];
    for text in cases {
        assert_eq!(code(pharaoh::parse(text)), "syntax", "{text:?}");
    }
    assert_eq!(code(pharaoh::parse("4294967296-0")), "bad-span");
    let error = pharaoh::parse("1 1 1 S").unwrap_err();
    assert!(error.to_string().contains("NAACL"), "{error}");
    let mut file = lines("0-0\n1-1 bad\n");
    pharaoh::next(&mut file).unwrap();
    let error = pharaoh::next(&mut file).unwrap_err();
    assert_eq!(
        error.place().map(|place| (place.line, place.column)),
        Some((2, 5))
    );
    let limit = &mut Limits::default();
    limit.line_bytes = 100;
    let all: Vec<_> = (0..100).map(|at| format!("{at}-0")).collect();
    let mut file = Lines::from_text(&all.join(" "), limit).unwrap();
    assert_eq!(code(pharaoh::next(&mut file)), "limit-exceeded");
}

#[test]
fn possible_links() {
    let read = pharaoh::parse_gold("10-9 11p42 0?1").unwrap();
    assert_eq!(read.sure(), &links(&[(10, 9)]));
    assert_eq!(read.possible(), &links(&[(0, 1), (10, 9), (11, 42)]));
    assert_eq!(pharaoh::format_gold(&read), "0?1 10-9 11?42");
    for text in ["0?", "?0", "0q1", "0p-1", "0?1?2"] {
        assert_eq!(code(pharaoh::parse_gold(text)), "syntax", "{text:?}");
    }
}

#[test]
fn naacl_files() {
    let text = "0001 1 1 S\n0001 2 0 S\n1 0 3 P\n3 4 2 P 0.5\n3 4 1 0.25\n\n3 4 3 S 1\n";
    let read = naacl::read(&mut lines(text)).unwrap();
    assert_eq!(read.keys().copied().collect::<Vec<_>>(), [1, 3]);
    assert_eq!(read[&1].possible(), &links(&[(0, 0)]));
    assert_eq!(read[&3].sure(), &links(&[(3, 0), (3, 2)]));
    assert_eq!(read[&3].possible(), &links(&[(3, 0), (3, 1), (3, 2)]));
    assert_eq!(naacl::format(3, &read[&3]), "3 4 1 S\n3 4 2 P\n3 4 3 S\n");
    for bad in [
        "1 1",
        "1 1 x",
        "1 1 1 Q",
        "0 1 1",
        "-1 1 1",
        "1 1 1 S 1 1",
        "1 4294967296 1",
        "1-1",
    ] {
        let error = naacl::read(&mut lines(&format!("1 1 1\n{bad}\n"))).unwrap_err();
        let line = error.place().map(|place| place.line);
        assert_eq!((error.code(), line), ("syntax", Some(2)), "{bad:?}");
    }
    assert_eq!(code(naacl::read(&mut lines("1 1 1 S nan"))), "not-finite");
}

const GIZA: &str = "# Sentence pair (2) source length 3 target length 4 alignment score : 1.2e-05\n\
    la maison ({ bleue \n\
    NULL ({ 1 }) ({ ({ 3 }) house ({ 2 }) blue ({ 4 }) \n";

#[test]
fn giza_records() {
    let mut file = lines(&format!(
        "{GIZA}# Sentence pair (1)\n\nNULL ({{ }}) a ({{ }}) \n"
    ));
    let first = giza::next(&mut file).unwrap().unwrap();
    assert_eq!(first.source, ["({", "house", "blue"]);
    assert_eq!(first.alignment, links(&[(0, 2), (1, 1), (2, 3)]));
    assert_eq!((first.number, first.score), (2, Some(1.2e-5)));
    assert_eq!(
        first.format(),
        GIZA.replace("1.2e-05", "0.000012")
            .replace("bleue ", "bleue")
    );
    let second = giza::next(&mut file).unwrap().unwrap();
    assert_eq!((second.number, second.score), (1, None));
    assert_eq!((second.source.len(), second.target.len()), (1, 0));
    assert!(giza::next(&mut file).unwrap().is_none());
    for score in ["nan", "-inf", "1e999"] {
        let record = giza::next(&mut lines(&GIZA.replace("1.2e-05", score))).unwrap();
        assert_eq!(record.unwrap().score, None);
    }
    let underflow = giza::next(&mut lines(&GIZA.replace("1.2e-05", "1e-400"))).unwrap();
    assert_eq!(underflow.unwrap().score, Some(0.0));
}

#[test]
fn giza_records_that_are_refused() {
    let cases = [
        ("1.2e-05", "-1", "probability-out-of-range"),
        ("1.2e-05", "x", "syntax"),
        ("(2)", "2", "syntax"),
        ("(2)", "(-2)", "syntax"),
        ("# Sentence", "Sentence", "syntax"),
        ("source length 3", "source length 4", "syntax"),
        (
            "target length 4",
            "target length 99999999999999999999",
            "syntax",
        ),
        ("NULL ({ 1 })", "", "syntax"),
        ("NULL ({ 1 })", "NIL ({ 1 })", "syntax"),
        ("({ 2 })", "({ 2", "syntax"),
        ("({ 2 })", "{ 2 }", "syntax"),
        ("({ 2 })", "({ 2 3 })", "syntax"),
        ("({ 2 })", "({ 5 })", "bad-span"),
        ("({ 2 })", "({ 0 })", "bad-span"),
        ("({ 2 })", "({ -2 })", "syntax"),
        ("house ({ 2 }) blue ({ 4 }) \n", "house", "syntax"),
        (
            "NULL ({ 1 }) ({ ({ 3 }) house ({ 2 }) blue ({ 4 }) \n",
            "",
            "syntax",
        ),
    ];
    for (from, to, expected) in cases {
        let text = GIZA.replace(from, to);
        assert_ne!(text, GIZA);
        let error = giza::next(&mut lines(&text)).unwrap_err();
        assert_eq!(error.code(), expected, "{text}");
        assert!(error.place().is_some_and(|place| place.line > 0), "{error}");
    }
}

fn read_gold(text: &str) -> Result<Vec<GoldRecord>> {
    gold::read(&mut lines(text), None)
}

#[test]
fn gold_formats_are_told_by_content() {
    let cases = [
        ("a\tb c\td e\t0-0 1-1\t0-1", GoldFormat::Columns),
        ("a\tb c\td e\t\t", GoldFormat::Columns),
        ("a\tb c\td e", GoldFormat::Columns),
        ("0001 1 2 S", GoldFormat::Naacl),
        ("1 1 2", GoldFormat::Naacl),
        ("0-0 1?1", GoldFormat::Pharaoh),
        ("0-0\t1-1\t2-2\t3-3\t4-4", GoldFormat::Pharaoh),
        ("# Sentence pair (1)", GoldFormat::Giza),
        ("nonsense", GoldFormat::Pharaoh),
    ];
    for (line, expected) in cases {
        assert_eq!(guess(line), expected, "{line:?}");
    }
    let columns = read_gold("x\ta b\tc d\t0-0\t1-1 0-0\n\ny\ta\tb\t\t\r\nz\ta\tb\t0-0\n").unwrap();
    assert_eq!(columns.len(), 3);
    assert_eq!(columns[0].gold.possible(), &links(&[(0, 0), (1, 1)]));
    assert_eq!((columns[2].index, columns[2].id.as_deref()), (2, Some("z")));
    let sentences = columns[0].sentences.clone().unwrap();
    assert_eq!(sentences, ("a b".to_owned(), "c d".to_owned()));
    let plain = read_gold("\n\n0-0 1?1\n\n2-2\n").unwrap();
    assert_eq!(plain.len(), 5);
    assert!(plain[0].gold.possible().is_empty() && plain[3].gold.possible().is_empty());
    assert_eq!(plain[4].gold.sure(), &links(&[(2, 2)]));
    let naacl = read_gold("2 1 1 S\n4 1 1 P\n").unwrap();
    assert_eq!(
        naacl.iter().map(|record| record.index).collect::<Vec<_>>(),
        [1, 3]
    );
    let giza = read_gold(&format!("{GIZA}{}", GIZA.replace("(2)", "(1)"))).unwrap();
    assert_eq!(
        giza.iter().map(|record| record.index).collect::<Vec<_>>(),
        [0, 1]
    );
    assert_eq!(read_gold("").unwrap(), []);
    assert_eq!(read_gold("\n\n").unwrap().len(), 2);
    let one = gold::read(&mut lines("1-1 2?3"), Some(GoldFormat::PharaohFromOne)).unwrap();
    assert_eq!(one[0].gold.possible(), &links(&[(0, 0), (1, 2)]));
}

#[test]
fn gold_files_that_are_refused() {
    let cases = [
        ("x\ta b\tc\t1-1\t", "bad-span", 1),
        ("x\ta\tb\t0-0\t\nx\ta\tb\t\t0-1", "bad-span", 2),
        ("x\ta\tb\t0-0\t\nx\ta\tb\n", "syntax", 2),
        ("x\ta\tb\t0-0\t\nx\ta\tb\t0?0\t\n", "syntax", 2),
        ("0-0\n1 1 1 S\n", "syntax", 2),
        ("1 1 1 S\n0-0\n", "syntax", 2),
        ("nonsense", "syntax", 1),
    ];
    for (text, expected, line) in cases {
        let error = read_gold(text).unwrap_err();
        let place = error.place().map(|place| place.line);
        assert_eq!(
            (error.code(), place),
            (expected, Some(line)),
            "{text:?}: {error}"
        );
    }
    let from_one = gold::read(&mut lines("0-1"), Some(GoldFormat::PharaohFromOne));
    assert_eq!(code(from_one), "syntax");
}

fn alignments() -> impl Strategy<Value = Alignment> {
    prop::collection::vec((0u32..9, 0u32..9), 0..20).prop_map(|pairs| links(&pairs))
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(sure in alignments(), possible in alignments()) {
        prop_assert_eq!(pharaoh::parse(&pharaoh::format(&sure)).unwrap(), sure.clone());
        let gold = GoldAlignment::new(sure.clone(), possible);
        prop_assert_eq!(pharaoh::parse_gold(&pharaoh::format_gold(&gold)).unwrap(), gold.clone());
        let again = naacl::read(&mut lines(&naacl::format(7, &gold))).unwrap();
        prop_assert_eq!(again.get(&7).cloned().unwrap_or_default(), gold);
        // GIZA++ links a target word at most once.
        let mut taken = [false; 9];
        let single: Alignment = sure.links().iter().copied()
            .filter(|link| !std::mem::replace(&mut taken[link.target as usize], true))
            .collect();
        let words = |prefix: &str| (0..9).map(|at| format!("{prefix}{at}")).collect::<Vec<_>>();
        let record = giza::Record::new(3, words("s"), words("t"), single);
        let again = giza::next(&mut lines(&record.format())).unwrap().unwrap();
        prop_assert_eq!((&again.source, &again.target), (&record.source, &record.target));
        prop_assert_eq!((again.number, again.alignment), (record.number, record.alignment));
    }

    #[test]
    fn nothing_panics(text in "[0-9SP?p#|NUL ({})\t-]{0,40}", line in "\\PC{0,40}") {
        for text in [text, line] {
            let _ = pharaoh::parse_gold(&text);
            let _ = read_gold(&text);
            let _ = giza::next(&mut lines(&format!("# Sentence pair (1)\n{text}\n{text}")));
        }
    }
}

#[test]
fn real_gold_alignments_are_read_whole() {
    let names = [
        "bilingual.en-cz",
        "bilingual.en-ro",
        "hansards.en-fr.trial",
        "mwa-mtref.train",
        "edinburgh.train",
        "msr-rte2.dev",
    ];
    for name in names {
        let Some(path) = common::data(&format!("align-gold/{name}.tsv.gz")) else {
            return;
        };
        let mut file = Lines::open(&path, &Limits::default()).unwrap();
        let records = gold::read(&mut file, None).unwrap();
        assert_eq!(records.len() as u64, file.number(), "{name}");
        let sure: usize = records.iter().map(|record| record.gold.sure().len()).sum();
        assert!(sure > records.len(), "{name}");
    }
}
