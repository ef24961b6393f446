//! What is written can be read, and is the same.

use crate::{Tested, cases, counted};
use pgen::core::codec::{Cursor, Encoder};
use pgen::core::formats::alignment::{giza, pharaoh};
use pgen::core::formats::conll::{ConllSentence, ConllWord, read_conll, write_conll};
use pgen::core::formats::moses;
use pgen::core::formats::nbest::Entry;
use pgen::core::text::{TextOptions, detokenize};
use pgen::core::{Alignment, Dependencies, Limits, Lines, Link, Sentence, SplitMix64, Vocab};
use std::sync::Arc;

const PIECES: [&str; 24] = [
    "a",
    "the",
    "Cat",
    "|",
    "|||",
    "&amp;",
    "<",
    "[",
    "]",
    "'",
    "\"",
    "é",
    "e\u{301}",
    "\u{1F600}",
    "0",
    "1,000",
    "-",
    ".",
    "...",
    "don't",
    "\u{200D}",
    "({",
    "})",
    "_",
];

fn word(rng: &mut SplitMix64) -> String {
    let pieces = 1 + rng.below(3);
    (0..pieces)
        .map(|_| PIECES[rng.below(PIECES.len() as u64) as usize])
        .collect()
}

fn links(rng: &mut SplitMix64, m: u64, n: u64) -> Alignment {
    let count = rng.below(8);
    (0..count)
        .map(|_| Link::new(rng.below(m) as u32, rng.below(n) as u32))
        .collect()
}

#[test]
fn alignments_come_back() -> Tested {
    let all = cases(10_000);
    let mut rng = SplitMix64::new(1);
    for _ in 0..all {
        let links = links(&mut rng, 9, 9);
        assert_eq!(pharaoh::parse(&pharaoh::format(&links))?, links);
        let words = |rng: &mut SplitMix64| (0..9).map(|_| word(rng)).collect::<Vec<_>>();
        let (source, target) = (words(&mut rng), words(&mut rng));
        // Each target position once, as the format wants.
        let mut taken = [false; 9];
        let once: Alignment = links
            .links()
            .iter()
            .copied()
            .filter(|link| !std::mem::replace(&mut taken[link.target as usize], true))
            .collect();
        let record = giza::Record::new(1, source, target, once.clone());
        let mut lines = Lines::from_text(&record.format(), &Limits::default())?;
        let again = giza::next(&mut lines)?.expect("a record");
        assert_eq!((again.alignment, again.source), (once, record.source));
    }
    counted("alignments, Pharaoh and GIZA", all * 2);
    Ok(())
}

#[test]
fn escapes_and_lists_come_back() -> Tested {
    let all = cases(10_000);
    let mut rng = SplitMix64::new(2);
    for case in 0..all {
        let text: Vec<String> = (0..1 + rng.below(6)).map(|_| word(&mut rng)).collect();
        let joined = text.join(" ");
        assert_eq!(moses::unescape(&moses::escape(&joined)), joined);
        let plain = joined.replace("|||", "/");
        let entry = Entry::new(case, plain.clone(), -(rng.below(1000) as f64) / 8.0);
        let again = Entry::parse(&entry.to_string())?;
        assert_eq!(
            (again.id, again.text.as_str(), again.total),
            (case, &*plain, entry.total)
        );
    }
    counted("escapes and n-best entries", all * 2);
    Ok(())
}

#[test]
fn dependencies_come_back() -> Tested {
    let all = cases(10_000);
    let mut rng = SplitMix64::new(3);
    let limits = Limits::default();
    for _ in 0..all {
        let count = 1 + rng.below(8) as u32;
        let arcs: Vec<(Option<u32>, String)> = (0..count)
            .map(|at| {
                (
                    (at > 0).then(|| rng.below(at.into()) as u32),
                    format!("r{}", rng.below(5)),
                )
            })
            .collect();
        let mut sentence = ConllSentence::default();
        for _ in 0..count {
            let mut row = ConllWord::default();
            (row.form, row.xpos) = (word(&mut rng), "X".into());
            sentence.words.push(row);
        }
        sentence.dependencies = Dependencies::new(&arcs)?;
        let mut written = Vec::new();
        write_conll(&mut written, &sentence)?;
        let mut lines = Lines::from_reader(std::io::Cursor::new(written), "t", &limits)?;
        let again = read_conll(&mut lines, &limits)?.expect("a sentence");
        assert_eq!(again.words, sentence.words);
        assert_eq!(again.dependencies, sentence.dependencies);
    }
    counted("sentences in CoNLL-U", all);
    Ok(())
}

#[test]
fn binary_numbers_come_back() -> Tested {
    let all = cases(10_000);
    let mut rng = SplitMix64::new(4);
    for _ in 0..all {
        let mut out = Encoder::new();
        let (a, b) = (rng.next_u64() >> rng.below(64), rng.next_u64() as u32);
        let many: Vec<u32> = (0..rng.below(9)).map(|_| rng.next_u64() as u32).collect();
        let text = word(&mut rng);
        out.varint(a);
        out.u32(b);
        out.u32s(&many);
        out.str(&text);
        out.f64(f64::from_bits(rng.next_u64()));
        let mut cursor = Cursor::new(out.bytes(), "t");
        assert_eq!(cursor.varint()?, a);
        assert_eq!(cursor.u32()?, b);
        assert_eq!(cursor.u32s()?, many);
        assert_eq!(cursor.str()?, text);
        cursor.f64()?;
        cursor.finish()?;
    }
    counted("binary sections", all);
    Ok(())
}

/// A sentence that is not changed is written as it was, byte for byte.
#[test]
fn text_comes_back() -> Tested {
    let all = cases(10_000);
    let mut rng = SplitMix64::new(5);
    let (vocab, limits) = (Arc::new(Vocab::new()), Limits::default());
    for _ in 0..all {
        let gaps = [" ", "  ", "\t", "\u{A0}", "", "\u{200B}"];
        let text: String = (0..rng.below(12))
            .map(|_| word(&mut rng) + gaps[rng.below(6) as usize])
            .collect();
        let sentence = Sentence::tokenize(&text, &vocab, &TextOptions::default(), &limits)?;
        let written = copy(&sentence)?;
        assert_eq!(written, text);
    }
    counted("texts tokenised and written", all);
    Ok(())
}

fn copy(sentence: &Sentence) -> Result<String, Box<dyn std::error::Error>> {
    use pgen::core::LogProb;
    use pgen::decode::{Decoder, Exact, Identity, LogLinear, Plan, Request, testing::BackoffModel};
    if sentence.is_empty() {
        return Ok(sentence.text().to_owned());
    }
    let plan = Plan::new(Limits::default()).with_identity(Identity::Always(LogProb::ONE));
    let lattice = plan.build(sentence)?.lattice;
    let language = BackoffModel::uniform(LogProb::from_ln(-1.0));
    let list = Exact::new().decode(&lattice, &LogLinear::new(&language), &Request::best(1))?;
    Ok(detokenize(sentence, &lattice, &list.items[0], None).text)
}
