//! N-best lists, new and old.
#![cfg(feature = "gzip")]

mod common;

use pgen_core::formats::nbest::{self, Entry};
use pgen_core::{Alignment, Limits, Lines, Link, Span};
use proptest::prelude::*;

fn span(start: u32, end: u32) -> Span {
    Span::new(start, end).unwrap()
}

#[test]
fn a_modern_line() {
    let line = "12 ||| the house  ||| Distortion0= 0 LM0= -146.431 TM0= -5.1 -2e-3 ||| -151.593 \
                ||| 0-1=0 2=1-3 ||| 0-0 1-2";
    let entry = Entry::parse(line).unwrap();
    assert_eq!(
        (entry.id, &*entry.text, entry.total),
        (12, "the house", -151.593)
    );
    let names: Vec<_> = entry.scores.iter().map(|score| &*score.0).collect();
    assert_eq!(names, ["Distortion0", "LM0", "TM0"]);
    assert_eq!(entry.scores[2].1, [-5.1, -0.002]);
    assert_eq!(
        entry.segmentation,
        [(span(0, 2), span(0, 1)), (span(2, 3), span(1, 4))]
    );
    assert_eq!(entry.alignment.links(), [Link::new(0, 0), Link::new(1, 2)]);
    assert_eq!(
        entry.to_string(),
        "12 ||| the house ||| Distortion0= 0 LM0= -146.431 TM0= -5.1 -0.002 ||| -151.593 \
         ||| 0-1=0 2=1-3 ||| 0-0 1-2"
    );
}

#[test]
fn old_and_odd_lines() {
    let old = Entry::parse("0||| text  ||| d: 0 -7.6 lm: -41.3 ||| -14.6").unwrap();
    assert_eq!((old.id, &*old.text), (0, "text"));
    assert_eq!(
        old.scores,
        [("d".into(), vec![0.0, -7.6]), ("lm".into(), vec![-41.3])]
    );
    let unlabelled = Entry::parse("3 ||| a ||| -1 -2 ||| -3").unwrap();
    assert_eq!(unlabelled.scores, [(String::new(), vec![-1.0, -2.0])]);
    assert_eq!(Entry::parse("3 |||  ||| x= 1 ||| 0").unwrap().text, "");
    assert_eq!(Entry::parse("3 ||| a b ||| -3.5").unwrap().total, -3.5);
    assert_eq!(
        Entry::parse("3 ||| a ||| ||| 1 ||| ").unwrap(),
        Entry::new(3, "a", 1.0)
    );
    let spans = Entry::parse("0 ||| as |0-0| the continent |1-2| |x| |3-3| ||| ||| 1").unwrap();
    let (words, phrases) = spans.phrases().unwrap();
    assert_eq!(words, ["as", "the", "continent", "|x|"]);
    let expected = [
        (span(0, 1), span(0, 1)),
        (span(1, 3), span(1, 3)),
        (span(3, 4), span(3, 4)),
    ];
    assert_eq!(phrases, expected);
}

#[test]
fn lines_that_are_refused() {
    let cases = [
        ("0 ||| a", "syntax"),
        ("x ||| a ||| ||| 1", "syntax"),
        ("-1 ||| a ||| ||| 1", "syntax"),
        ("0 ||| a ||| x= y ||| 1", "syntax"),
        ("0 ||| a ||| x= nan ||| 1", "not-finite"),
        ("0 ||| a ||| x= 1 ||| one", "syntax"),
        ("0 ||| a ||| x= 1 ||| -inf", "not-finite"),
        ("0 ||| a ||| x= 1 ||| 1 ||| 0=", "syntax"),
        ("0 ||| a ||| x= 1 ||| 1 ||| 3-1=0", "bad-span"),
        ("0 ||| a ||| x= 1 ||| 1 ||| 0=4294967295", "bad-span"),
        (
            "0 ||| a ||| x= 1 ||| 1 ||| 0=18446744073709551615",
            "bad-span",
        ),
        ("0 ||| a ||| x= 1 ||| 1 ||| 0-x", "syntax"),
    ];
    for (line, expected) in cases {
        let text = format!("0 ||| a ||| ||| 1\n\n{line}\n");
        let mut lines = Lines::from_text(&text, &Limits::default()).unwrap();
        let error = nbest::each_entry(&mut lines, false, |_| Ok(())).unwrap_err();
        let line_number = error.place().map(|place| place.line);
        assert_eq!(
            (error.code(), line_number),
            (expected, Some(3)),
            "{line:?}: {error}"
        );
        let mut lines = Lines::from_text(&text, &Limits::default()).unwrap();
        let report = nbest::each_entry(&mut lines, true, |_| Ok(())).unwrap();
        assert_eq!((report.kept, report.skipped), (1, 1));
    }
    let backwards = Entry::new(0, "a |3-1|", 0.0);
    assert_eq!(backwards.phrases().unwrap_err().code(), "bad-span");
}

fn entries() -> impl Strategy<Value = Entry> {
    let number = prop::num::f64::NORMAL | prop::num::f64::ZERO;
    let scores = prop::collection::vec(
        ("[A-Z][a-z0-9]{0,4}", prop::collection::vec(number, 0..3)),
        0..3,
    );
    let segments = prop::collection::vec((0u32..5, 1u32..4), 0..3);
    let links = prop::collection::vec((0u32..5, 0u32..5), 0..3);
    let text = prop::collection::vec("[^ \t\r\n|]{1,5}", 0..4);
    (any::<u64>(), text, scores, number, segments, links).prop_map(
        |(id, text, scores, total, segments, links)| {
            let mut entry = Entry::new(id, text.join(" "), total);
            entry.scores = scores;
            entry.segmentation = segments
                .into_iter()
                .map(|(start, length)| (span(start, start + length), span(length, length + 1)))
                .collect();
            entry.alignment = links
                .into_iter()
                .map(|(s, t)| Link::new(s, t))
                .collect::<Alignment>();
            entry
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(entry in entries()) {
        prop_assert_eq!(Entry::parse(&entry.to_string()).unwrap(), entry);
    }
}

#[test]
fn real_lists_are_read_whole() {
    for (name, spans) in [("moses_s0.a", true), ("moses_s0_nondistinct.b", true)] {
        let Some(path) = common::data(&format!("moses-case/{name}.nbest.gz")) else {
            return;
        };
        let mut lines = Lines::open(&path, &Limits::default()).unwrap();
        let mut before = (0, f64::INFINITY);
        let report = nbest::each_entry(&mut lines, false, |entry| {
            let (words, phrases) = entry.phrases()?;
            assert_eq!(phrases.len(), entry.segmentation.len());
            assert!(!words.is_empty() && spans);
            assert!(entry.id > before.0 || entry.total <= before.1, "best first");
            before = (entry.id, entry.total);
            let sum: f64 = entry.scores.iter().flat_map(|score| &score.1).sum();
            let word_penalty = entry
                .scores
                .iter()
                .find(|s| s.0 == "WordPenalty0")
                .unwrap()
                .1[0];
            assert!((sum - word_penalty - entry.total).abs() < 0.01, "{entry}");
            Ok(())
        });
        assert!(report.unwrap().kept > 10_000);
    }
}
