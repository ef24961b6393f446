//! Moses phrase tables: what is read, what is refused and what each fault is called.
#![cfg(feature = "gzip")]

mod common;

use common::{dump, gzip, moses, outcome};
use pgen_core::formats::{TableOptions, ValueColumns, moses};
use pgen_core::{Duplicates, Limits, Lines, Vocab};
use std::io::{Cursor, Write};

#[test]
fn moses_rows_that_are_read() {
    let deletions = &mut TableOptions::default();
    deletions.deletions = true;
    let cases: [(&str, &[&str]); 22] = [
        ("", &[]),
        ("\n\n \n", &[]),
        ("a ||| b ||| 1", &["a>b@0.000"]),
        (
            "a b\t||| c  d |||\t0.5 0.1 \r\nx ||| y ||| 1 1",
            &["a b>c d@-0.693", "x>y@0.000"],
        ),
        ("a ||| b ||| 0.5 ||| 0-0", &["a>b@-0.693"]),
        ("a ||| b ||| 0.5 ||| ||| 3 2.5 1", &["a>b@-0.693"]),
        (
            "a ||| b ||| 0.5 ||| 0-0 ||| 3 ||| x= 1 ||| {{Tree [X}} |||",
            &["a>b@-0.693"],
        ),
        (
            "a ||| b ||| 0.5 0.5 0.5 0.5 2.718 ||| 0-0 ||| 749 45",
            &["a>b@-0.693"],
        ),
        ("a ||| ||| 0.5", &["a>@-0.693"]),
        ("a ||| b ||| 0", &["a>b@-100.000"]),
        ("a ||| b ||| -0", &["a>b@-100.000"]),
        ("a ||| b ||| 1e-400", &["a>b@-100.000"]),
        ("a ||| b ||| 1e-320", &["a>b@-100.000"]),
        ("a ||| b ||| 1.0000000001", &["a>b@0.000"]),
        (
            "a ||| b ||| .5\na ||| c ||| +0.25\na ||| d ||| 1.",
            &["a>d@0.000", "a>b@-0.693", "a>c@-1.386"],
        ),
        ("\u{feff}a ||| b ||| 1", &["a>b@0.000"]),
        ("a\0b ||| c ||| 1", &["a\0b>c@0.000"]),
        (
            "\u{e9} ||| x ||| 1\ne\u{301} ||| x ||| 1",
            &["e\u{301}>x@0.000", "\u{e9}>x@0.000"],
        ),
        ("a|NN ||| <s> | ||| 1", &["a|NN><s> |@0.000"]),
        ("&#124; ||| b ||| 1", &["&#124;>b@0.000"]),
        ("a ||| a ||| 1", &["a>a@0.000"]),
        (
            "a ||| b ||| 0.1\na ||| b ||| 0.5\na ||| b ||| 0.1",
            &["a>b@-0.693"],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(
            outcome(moses(text.as_bytes(), deletions)),
            expected,
            "{text:?}"
        );
        let packed = moses(&gzip(text.as_bytes()), deletions);
        assert_eq!(outcome(packed), expected, "{text:?}, packed");
    }
}

#[test]
fn moses_rows_that_are_refused() {
    let fields = format!("a ||| b ||| 1{}", " |||".repeat(1000));
    let scores = format!("a ||| b ||| {}", "1 ".repeat(1000));
    let long_phrase = format!("{} ||| b ||| 1", "a ".repeat(10_000));
    let long_word = format!("{} ||| b ||| 1", "a".repeat(1_000_000));
    let cases: [(&str, &str); 56] = [
        ("a b 0.5", "syntax"),
        ("a ||| b", "syntax"),
        (&fields, "limit-exceeded"),
        ("a |||| b ||| 0.5", "syntax"),
        ("a || b || 0.5", "syntax"),
        ("a|||b|||0.5", "syntax"),
        ("a ||| b |||0.5", "syntax"),
        (" ||| b ||| 0.5", "bad-table"),
        ("a ||| ||| 0.5", "bad-table"),
        ("||| ||| 0.5", "bad-table"),
        ("   ||| b ||| 0.5", "bad-table"),
        (&long_phrase, "limit-exceeded"),
        (&long_word, "limit-exceeded"),
        ("a ||| b ||| 0.5\rc ||| d ||| 0.5", "syntax"),
        ("a ||| b ||| 0.5\0", "syntax"),
        ("a ||| b ||| NaN", "not-finite"),
        ("a ||| b ||| nan", "not-finite"),
        ("a ||| b ||| -nan", "not-finite"),
        ("a ||| b ||| inf", "not-finite"),
        ("a ||| b ||| -inf", "not-finite"),
        ("a ||| b ||| Infinity", "not-finite"),
        ("a ||| b ||| 1e999", "not-finite"),
        ("a ||| b ||| 0.5 nan", "not-finite"),
        ("a ||| b ||| -0.5", "probability-out-of-range"),
        ("a ||| b ||| 1.0000001", "probability-out-of-range"),
        ("a ||| b ||| 2.0", "probability-out-of-range"),
        ("a ||| b ||| 2.718", "probability-out-of-range"),
        (
            "a ||| b ||| 0.5 0.5 0.5 0.5 2.7",
            "probability-out-of-range",
        ),
        ("a ||| b ||| 0.5 -1e-9", "probability-out-of-range"),
        ("a ||| b ||| -1.2", "probability-out-of-range"),
        ("a ||| b ||| 0,5", "syntax"),
        ("a ||| b ||| 0x1p-2", "syntax"),
        ("a ||| b ||| 1_000", "syntax"),
        ("a ||| b ||| \u{bd}", "syntax"),
        ("a ||| b ||| \u{663}", "syntax"),
        ("a ||| b ||| 0.5abc", "syntax"),
        ("a ||| b |||", "syntax"),
        ("a ||| b ||| 1 1\na ||| b ||| 1", "bad-table"),
        ("a ||| b ||| 1\na ||| b ||| 1 1", "bad-table"),
        (&scores, "limit-exceeded"),
        ("a ||| b ||| 1 ||| 0-9", "bad-span"),
        ("a ||| b ||| 1 ||| 1-0", "bad-span"),
        ("a ||| b ||| 1 ||| 4294967296-0", "bad-span"),
        ("a ||| b ||| 1 ||| a-b", "syntax"),
        ("a ||| b ||| 1 ||| 0--1", "syntax"),
        ("a ||| b ||| 1 ||| -1-0", "syntax"),
        ("a ||| b ||| 1 ||| 0-", "syntax"),
        ("a ||| b ||| 1 ||| 0?0", "syntax"),
        ("a ||| b ||| 1 ||| 99999999999999999999-0", "syntax"),
        ("a ||| b ||| 1 ||| ||| x y z", "syntax"),
        ("a ||| b ||| 1 ||| ||| -1 1 1", "bad-table"),
        ("a ||| b ||| 1 ||| ||| nan 1 1", "not-finite"),
        ("[X,1] a ||| [X,1] b ||| 1", "bad-table"),
        ("a [X] ||| b [X] ||| 1", "bad-table"),
        ("[X][NP] a ||| b ||| 1", "bad-table"),
        ("caf\u{e9} ||| b", "syntax"),
    ];
    for (text, expected) in cases {
        let (loaded, _) = moses(text.as_bytes(), &TableOptions::default());
        let error = loaded.unwrap_err();
        let shown: String = text.chars().take(60).collect();
        assert_eq!(error.code(), expected, "{shown:?}: {error}");
        let place = error.place().expect("an error of a line has a place");
        let line = if text.contains('\n') { 2 } else { 1 };
        assert_eq!(
            (place.file.as_deref(), place.line),
            (Some("t"), line),
            "{shown:?}"
        );
    }
}

#[test]
fn inputs_that_are_no_text() {
    let options = TableOptions::default();
    let good = b"a ||| b ||| 0.5\n".repeat(30);
    let packed = gzip(&good);
    let mut flipped = packed.clone();
    let near_end = packed.len() - 6;
    flipped[near_end] ^= 1;
    let utf16: Vec<u8> = "\u{feff}a ||| b ||| 1\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let cases: [(&[u8], &str); 9] = [
        (b"caf\xe9 ||| b ||| 1", "encoding"),
        (&utf16, "encoding"),
        (&packed[..packed.len() - 3], "corrupt"),
        (&flipped, "corrupt"),
        (&[&packed[..], b"x"].concat(), "corrupt"),
        (&gzip(&packed), "encoding"),
        (b"PK\x03\x04", "wrong-format"),
        (b"\xfd7zXZ\0", "wrong-format"),
        (b"\x28\xb5\x2f\xfd", "wrong-format"),
    ];
    for (bytes, expected) in cases {
        assert_eq!(outcome(moses(bytes, &options)), [expected]);
        // Nor do lenient readers go on where the input as a whole is bad.
        let mut lenient = options.clone();
        lenient.lenient = true;
        let (loaded, _) = moses(bytes, &lenient);
        let line_only = bytes.starts_with(b"caf") || bytes == gzip(&packed);
        assert_eq!(loaded.is_ok(), line_only, "{expected}");
    }
}

#[test]
fn lenient_reading_counts_what_it_leaves_out() {
    let mut options = TableOptions::default();
    options.lenient = true;
    let text = b"a ||| b ||| 0.75\nbroken\n\na ||| \xff ||| 1\na ||| c ||| 2\na ||| d ||| 0.5\n";
    let (loaded, vocab) = moses(text, &options);
    let (table, report) = loaded.unwrap();
    assert_eq!(dump(&table, &vocab), ["a>b@-0.288", "a>d@-0.693"]);
    assert_eq!((report.read, report.kept, report.skipped), (5, 2, 3));
    let lines: Vec<_> = report.reasons.iter().map(|reason| reason.line).collect();
    assert_eq!(lines, [2, 4, 5]);
    assert_eq!(report.overfull_sources, 1);
    let (loaded, _) = moses("bad\n".repeat(1000).as_bytes(), &options);
    let report = loaded.unwrap().1;
    assert_eq!((report.skipped, report.reasons.len()), (1000, 100));
}

#[test]
fn options_choose_and_change() {
    let text = b"a ||| a ||| 1 0.5 0.25\n&#124; &amp;lt; ||| &apos; ||| 0.5 0.5 1\n";
    let mut options = TableOptions::default();
    options.values = ValueColumns::These(vec![2, 0]);
    options.unescape = true;
    options.drop_identity = true;
    options.duplicates = Duplicates::Keep;
    let (loaded, vocab) = moses(text, &options);
    let (table, report) = loaded.unwrap();
    assert_eq!(dump(&table, &vocab), ["| &lt;>'@0.000 -0.693"]);
    assert_eq!(table.features(), ["p1", "p2"]);
    assert_eq!((report.kept, report.skipped), (1, 1));
    options.values = ValueColumns::These(vec![3]);
    assert_eq!(outcome(moses(text, &options)), ["bad-table"]);
    options.values = ValueColumns::All;
    options.floor = -0.5;
    assert_eq!(
        outcome(moses(text, &options)),
        ["| &lt;>'@-0.500 -0.500 0.000"]
    );
}

#[test]
fn scores_above_one_are_taken_only_if_asked() {
    let text = b"a ||| b ||| 2.5\na ||| c ||| 1\n";
    let mut options = TableOptions::default();
    assert_eq!(outcome(moses(text, &options)), ["probability-out-of-range"]);
    options.above_one = true;
    let (loaded, vocab) = moses(text, &options);
    let (table, report) = loaded.unwrap();
    assert_eq!(dump(&table, &vocab), ["a>b@0.916", "a>c@0.000"]);
    assert_eq!(report.above_one, 1);
    for text in [&b"a ||| b ||| -1"[..], b"a ||| b ||| inf"] {
        assert_ne!(outcome(moses(text, &options)), ["a>b@0.000"]);
        assert!(moses(text, &options).0.is_err());
    }
}

#[test]
fn what_is_written_is_read_again() {
    let text = b"a b ||| c ||| 0.125 1\na b ||| [ | & ||| 0.3 0.2\nz ||| &#124; ||| 0.7 1e-12\n";
    let mut options = TableOptions::default();
    options.values = ValueColumns::All;
    let (loaded, mut vocab) = moses(text, &options);
    let table = loaded.unwrap().0;
    for escaped in [false, true] {
        let mut bytes = Vec::new();
        moses::write(&mut bytes, &table, &vocab, escaped).unwrap();
        let mut lines = Lines::from_reader(Cursor::new(bytes), "t", &Limits::default()).unwrap();
        options.unescape = escaped;
        let again = moses::load(&mut lines, &mut vocab, &options).unwrap().0;
        assert!(again == table, "escaped: {escaped}");
    }
}

#[test]
fn words_that_cannot_be_written() {
    let mut vocab = Vocab::new();
    let write = |vocab: &mut Vocab, word: &str, value: f32, escaped: bool| {
        let source = vocab.intern("a").unwrap();
        let target = vocab.intern(word).unwrap();
        let mut builder = pgen_core::TableBuilder::new(["p"]);
        builder.push(&[source], &[target], &[value]).unwrap();
        let table = builder.build(vocab).unwrap();
        let mut bytes = Vec::new();
        moses::write(&mut bytes, &table, vocab, escaped).map_err(|error| error.code())
    };
    for word in ["b c", "", "b\nc"] {
        assert_eq!(write(&mut vocab, word, 0.0, true), Err("bad-table"));
    }
    assert_eq!(write(&mut vocab, "|||", 0.0, false), Err("bad-table"));
    assert_eq!(write(&mut vocab, "|||", 0.0, true), Ok(()));
    assert_eq!(write(&mut vocab, "b", 1e3, true), Err("not-finite"));
    let mut bytes = Vec::new();
    let table = pgen_core::TableBuilder::new(["p"]).build(&vocab).unwrap();
    let other = Vocab::new();
    let error = moses::write(&mut bytes, &table, &other, true).unwrap_err();
    assert_eq!(error.code(), "mismatch");
}

#[test]
fn a_failing_writer_is_an_error() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (loaded, vocab) = moses(b"a ||| b ||| 1", &TableOptions::default());
    let error = moses::write(&mut Full, &loaded.unwrap().0, &vocab, false).unwrap_err();
    assert_eq!(
        error.in_file("out").to_string().split(':').next(),
        Some("out")
    );
}
