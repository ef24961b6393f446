//! The ARPA reader on every variant of the format in the wild, and on hostile files.

mod common;

use pgen_core::{LanguageModel, Limits, Lines, Vocab, WordId};
use pgen_lm::{
    ArpaOptions, ArpaReport, Error, FastModel, Ngrams, read_arpa, read_arpa_lines, write_arpa,
};
use std::time::{Duration, Instant};

const MODEL: &str = "\\data\\
ngram 1=5
ngram 2=4

\\1-grams:
-1\t<unk>
-99\t<s>\t-0.5
-1\t</s>
-0.5\ta\t-0.25
-0.75\tb\t-0.125

\\2-grams:
-0.25\t<s> a
-0.5\ta b
-0.125\tb </s>
-1.5\ta a

\\end\\
";

type Read = Result<(Vocab, Ngrams, ArpaReport), Error>;

fn read(text: &str, options: &ArpaOptions) -> Read {
    let mut vocab = Vocab::new();
    let lines = Lines::from_reader(
        std::io::Cursor::new(text.as_bytes().to_vec()),
        "m",
        &Limits::default(),
    )?;
    let (ngrams, report) = read_arpa_lines(lines, &mut vocab, options)?;
    Ok((vocab, ngrams, report))
}

fn strict(text: &str) -> Read {
    read(text, &ArpaOptions::default())
}

fn lenient(text: &str) -> Read {
    read(text, &ArpaOptions::lenient())
}

/// log10 of "a b": −0.25 − 0.5 − 0.125 in the model as it stands.
fn score((vocab, ngrams, _): &(Vocab, Ngrams, ArpaReport)) -> f64 {
    let ids: Vec<WordId> = ["a", "b"]
        .iter()
        .map(|word| common::id(vocab, word))
        .collect();
    let log10 = ngrams.sentence(&ids).log10();
    let fast = FastModel::new(ngrams).unwrap().sentence(&ids).log10();
    assert!((log10 - fast).abs() < 1e-6 || log10 == fast);
    log10
}

fn same(read: Read) {
    let read = read.unwrap();
    assert!((score(&read) + 0.875).abs() < 1e-12, "{}", score(&read));
}

#[test]
fn variants_that_all_tools_accept() {
    same(strict(MODEL));
    same(strict(&MODEL.replace('\n', "\r\n")));
    same(strict(&format!("\u{feff}{MODEL}")));
    same(strict(&format!("# a comment\n\n{MODEL}")));
    same(strict(&MODEL.replace("ngram 1=5", "ngram  1=        5")));
    same(strict(&MODEL.replace("ngram 1=5", "ngram 1=\t5")));
    same(strict(&MODEL.replace("-0.75\tb", "-0.75 b")));
    same(strict(&MODEL.replace("-0.5\ta b", "-0.5 a b")));
    same(strict(&MODEL.replace("a\t-0.25", "a -0.25")));
    same(strict(&MODEL.replace("\n\n", "\n")));
    same(strict(&MODEL.replace("a b\n", "a b\t0\n")));
    same(strict(&MODEL.replace("a b\n", "a b \t\n")));
    same(strict(&MODEL.replace("<unk>", "<UNK>")));
    same(strict(MODEL.trim_end()));
    same(strict(&MODEL.replace(
        "-0.5\ta b",
        &format!("-0.5{}\ta b", "0".repeat(400)),
    )));
    let unsorted = MODEL
        .replace("-0.25\t<s> a\n", "")
        .replace("\n\\end", "-0.25\t<s> a\n\n\\end");
    same(strict(&unsorted));
}

#[test]
fn no_break_space_is_part_of_a_word() {
    let read = strict(
        &MODEL
            .replace("\tb", "\tb\u{a0}c")
            .replace("a b\n", "a b\u{a0}c\n")
            .replace("b </s>", "b\u{a0}c </s>"),
    );
    let (vocab, ngrams, _) = read.unwrap();
    assert!(ngrams.knows(vocab.get("b\u{a0}c").unwrap()));
}

#[test]
fn unknown_words_without_unk_get_the_policy() {
    let text = MODEL.replace("-1\t<unk>\n", "").replace("1=5", "1=4");
    let (_, ngrams, report) = strict(&text).unwrap();
    assert_eq!(report.warned, 1);
    let log10 = |ngrams: &Ngrams| ngrams.unit(&[WordId::new(99)]).log10();
    assert!((log10(&ngrams) + 10.0).abs() < 1e-12);
    let options =
        ArpaOptions::default().with_unknown(pgen_core::LogProb::from_log10(-100.0).unwrap());
    assert!((log10(&read(&text, &options).unwrap().1) + 100.0).abs() < 1e-12);
}

#[test]
fn orders_may_be_one_or_empty() {
    let unigrams = &MODEL[..MODEL.find("\\2-grams").unwrap()]
        .replace("ngram 2=4\n", "")
        .replace("\t-0.5\n", "\n")
        .replace("\t-0.25\n", "\n")
        .replace("\t-0.125\n", "\n");
    assert_eq!(
        strict(&format!("{unigrams}\\end\\\n")).unwrap().1.order(),
        1
    );
    let empty = &MODEL[..MODEL.find("-0.25\t<s> a").unwrap()].replace("2=4", "2=0");
    assert_eq!(
        strict(&format!("{empty}\\end\\\n")).unwrap().1.counts(),
        [5, 0]
    );
}

/// What strict reading refuses with a code, and what lenient reading makes of it.
#[test]
fn oddities_are_refused_or_reported() {
    let cases = [
        (format!("header text\n{MODEL}"), "syntax", -0.875),
        (
            MODEL.replace("-0.125\tb </s>", "0.125\tb </s>"),
            "syntax",
            -0.75,
        ),
        (
            MODEL
                .replace("-1\t</s>\n", "")
                .replace("-0.125\tb </s>\n", "")
                .replace("1=5", "1=4")
                .replace("2=4", "2=3"),
            "missing-symbol",
            -1.875,
        ),
        (
            MODEL.replace("-0.5\ta b", "-inf\ta b"),
            "syntax",
            f64::NEG_INFINITY,
        ),
        (
            MODEL.replace("-0.5\ta b", "-1e999\ta b"),
            "syntax",
            f64::NEG_INFINITY,
        ),
        (format!("{MODEL}more\n"), "trailing-data", -0.875),
        (MODEL.replace("a b\n", "a b\t-0.5\n"), "syntax", -0.875),
        (MODEL.replace("1=5", "1=6"), "count-mismatch", -0.875),
        (MODEL.replace("2=4", "2=3"), "count-mismatch", -0.875),
        (
            MODEL
                .replace("-0.75\tb\t-0.125\n", "-0.75\tb\t-0.125\n-3\tb\n")
                .replace("1=5", "1=6"),
            "duplicate",
            -0.875,
        ),
        (
            MODEL
                .replace("-1.5\ta a\n", "-1.5\ta a\n-3\ta b\n")
                .replace("2=4", "2=5"),
            "duplicate",
            -0.875,
        ),
    ];
    for (text, code, expected) in cases {
        assert_eq!(strict(&text).unwrap_err().code(), code, "{text}");
        let read = lenient(&text).unwrap();
        assert!(read.2.warned > 0, "{text}");
        let got = score(&read);
        // Without </s> the end is scored as an unknown word after "b".
        let got = if code == "missing-symbol" {
            expected
        } else {
            got
        };
        assert!(
            got == expected || (got - expected).abs() < 1e-12,
            "{got} {expected} {text}"
        );
    }
}

#[test]
fn damage_is_refused_even_leniently() {
    let cases = [
        (String::new(), "truncated"),
        ("\0".repeat(4096), "truncated"),
        ("\n".repeat(1000), "truncated"),
        ("no model\n".to_owned(), "truncated"),
        (MODEL.replace("\\end\\\n", ""), "truncated"),
        (MODEL.replace("ngram 1=5\nngram 2=4\n", ""), "syntax"),
        (
            MODEL.replace("1=5", "1=18446744073709551615"),
            "limit-exceeded",
        ),
        (MODEL.replace("1=5", "1=1000000000000"), "limit-exceeded"),
        (
            MODEL.replace("1=5", &format!("1=1{}", "0".repeat(23))),
            "syntax",
        ),
        (MODEL.replace("1=5", "1=-4"), "syntax"),
        (MODEL.replace("1=5", "1=4.5"), "syntax"),
        (MODEL.replace("1=5", "1=0x4"), "syntax"),
        (MODEL.replace("1=5", "1="), "syntax"),
        (MODEL.replace("ngram 1=5", "ngram 0=5"), "order-sequence"),
        (MODEL.replace("ngram 2=4", "ngram 3=4"), "order-sequence"),
        (MODEL.replace("ngram 2=4", "ngram 1=4"), "order-sequence"),
        (MODEL.replace("ngram 2=4", "ngram 100=4"), "limit-exceeded"),
        (MODEL.replace("\\2-grams:", "\\9-grams:"), "order-sequence"),
        (MODEL.replace("\\2-grams:", "\\2-grams"), "syntax"),
        (MODEL.replace("\\end\\", "\\3-grams:"), "order-sequence"),
        (MODEL.replace("\\2-grams:", ""), "syntax"),
        (MODEL.replace("-0.75\tb", "nan\tb"), "not-finite"),
        (MODEL.replace("-0.75\tb", "inf\tb"), "not-finite"),
        (MODEL.replace("-0.75\tb", "word\tb"), "syntax"),
        (MODEL.replace("-0.75\tb", "0x1p-3\tb"), "syntax"),
        (MODEL.replace("-0.75\tb", "-0,75\tb"), "syntax"),
        (MODEL.replace("a\t-0.25", "a\tnan"), "not-finite"),
        (MODEL.replace("a\t-0.25", "a\tinf"), "not-finite"),
        (MODEL.replace("a\t-0.25", "a\t-0.25\t-0.25"), "syntax"),
        (MODEL.replace("a b\n", "a c\n"), "unknown-word"),
        (MODEL.replace("a b\n", "a\n"), "syntax"),
        (MODEL.replace("a b\n", "a b b\n"), "syntax"),
        (MODEL.replace("-0.75\tb", "-0.75\t\tb"), "syntax"),
        (MODEL.replace("-0.75\tb", "-0.75\tb\0"), "syntax"),
        (
            MODEL.replace("-0.75\tb", &format!("-0.75\t{}", "b".repeat(5000))),
            "limit-exceeded",
        ),
    ];
    for (text, code) in cases {
        let clock = Instant::now();
        let error = lenient(&text).unwrap_err();
        assert_eq!(error.code(), code, "{error} in {text}");
        assert!(clock.elapsed() < Duration::from_secs(2));
        assert!(strict(&text).is_err());
    }
}

#[test]
fn every_cut_is_noticed() {
    let end = MODEL.find("\\end\\").unwrap() + "\\end\\".len();
    for cut in 0..end {
        assert!(lenient(&MODEL[..cut]).is_err(), "{cut}");
    }
}

#[test]
fn any_changed_byte_gives_an_error_or_a_model() {
    for at in 0..MODEL.len() {
        for byte in [0u8, b' ', b'9', b'\n', b'-', 0xFF] {
            let mut bytes = MODEL.as_bytes().to_vec();
            bytes[at] = byte;
            let lines =
                Lines::from_reader(std::io::Cursor::new(bytes), "m", &Limits::default()).unwrap();
            let mut vocab = Vocab::new();
            if let Ok((ngrams, _)) = read_arpa_lines(lines, &mut vocab, &ArpaOptions::lenient()) {
                assert!(ngrams.sentence(&[WordId::new(3)]).ln() < f64::MAX);
            }
        }
    }
}

#[test]
fn missing_contexts_are_inserted_without_changing_scores() {
    let text = "\\data\\\nngram 1=4\nngram 2=0\nngram 3=1\n\n\\1-grams:\n-99\t<s>\t-0.5\n-1\t</s>\n-1\t<unk>\n-0.5\ta\t-0.25\n\\2-grams:\n\n\\3-grams:\n-0.125\t<s> a a\n\\end\\\n";
    let (vocab, ngrams, report) = strict(text).unwrap();
    assert_eq!(report.inserted, 2);
    let a = vocab.get("a").unwrap();
    // a after <s>: −0.5 − 0.5; a after <s> a: −0.125; </s> after a a: −0.25 − 1.
    let expected = -1.0 - 0.125 - 1.25;
    assert!((ngrams.sentence(&[a, a]).log10() - expected).abs() < 1e-12);
}

#[test]
fn other_formats_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        (
            &b"mmap lm http://kheafield.com/code format version 5\n\0\0\0"[..],
            "KenLM binary",
        ),
        (b"iARPA\n\\data\\\n", "iARPA"),
        (b"blmt 3", "IRSTLM binary"),
    ];
    for (bytes, name) in cases {
        let path = folder.path().join("model");
        std::fs::write(&path, bytes).unwrap();
        let error = read_arpa(&path, &mut Vocab::new(), &ArpaOptions::default()).unwrap_err();
        assert_eq!(error.code(), "wrong-format");
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn written_models_read_back_the_same() {
    let mut checked = 0;
    for seed in 0..50 {
        let naive = common::random_model(seed);
        let mut vocab = Vocab::new();
        let model = common::read(&naive.arpa(), &mut vocab);
        // Its back-off weights exceed 1, so an inserted n-gram may too: no model then.
        let mut sound = true;
        for order in 1..=model.order() {
            model.for_each(order, |_, log_prob, _| sound &= log_prob.ln() <= 0.0);
        }
        if !sound {
            continue;
        }
        checked += 1;
        let mut text = Vec::new();
        write_arpa(&model, &vocab, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut again = Vocab::new();
        let back = common::read(&text, &mut again);
        assert_eq!(back.counts(), model.counts());
        let mut second = Vec::new();
        write_arpa(&back, &again, &mut second).unwrap();
        assert_eq!(text.as_bytes(), second, "seed {seed}");
    }
    assert!(checked > 5, "{checked}");
}
