//! The whole way on a tiny scale: train from files, save, load, paraphrase.

use pgen::core::codec::Packing;
use pgen::core::{ByteSpan, Certificate, Limits};
use pgen::train::{Sources, TrainParams, train};
use pgen::{Application, Bundle, Options, Paraphraser, Search};
use std::path::PathBuf;

/// Sentence pairs in which `big` stands against `large`, `buy` against `purchase`, and so on.
fn pairs() -> String {
    let frames = [
        ("the X dog ran away", "the Y dog ran away"),
        ("we saw a X house there", "we saw a Y house there"),
        ("it is a X problem", "it is a Y problem"),
        ("they like the X garden", "they like the Y garden"),
    ];
    let swaps = [
        ("big", "large"),
        ("old", "ancient"),
        ("fast", "quick"),
        ("nice", "pleasant"),
    ];
    let mut out = String::new();
    for (a, b) in frames {
        for (x, y) in swaps {
            out.push_str(&format!(
                "1\t{}\t{}\n",
                a.replace('X', x),
                b.replace('Y', y)
            ));
        }
    }
    out.push_str("0\tthe big dog ran away\tthe cat sleeps\n");
    out
}

fn paraphraser() -> (tempfile::TempDir, Paraphraser) {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let mut sources = Sources::default();
    sources.pairs.push(file("pairs.tsv", &pairs()));
    let text: String = pairs()
        .lines()
        .map(|line| line.replace('\t', ". ") + ".\n")
        .collect();
    sources.text.push(file("text.txt", &text));
    let params = TrainParams::default();
    let (bundle, report) = train(&sources, &params, &Limits::default(), &()).unwrap();
    assert_eq!((report.pairs.pairs, report.pairs.labelled_off), (16, 1));
    let path = folder.path().join("tiny.pgen");
    bundle.save(&path, Packing::Deflate).unwrap();
    let paraphraser = Paraphraser::open(&path).unwrap();
    (folder, paraphraser)
}

#[test]
fn a_trained_model_paraphrases_and_says_why() {
    let (_folder, paraphraser) = paraphraser();
    let answer = paraphraser
        .paraphrase("The big dog ran away 3 times.", 3)
        .unwrap();
    let best = &answer.items[0];
    assert_eq!(best.text, "The large dog ran away 3 times.");
    assert_eq!(best.edits.len(), 1);
    assert_eq!(
        (best.edits[0].from.as_str(), best.edits[0].to.as_str()),
        ("big", "large")
    );
    assert_eq!(&answer.source[best.edits[0].source.range()], "big");
    assert_eq!(&best.text[best.edits[0].target.range()], "large");
    let mut texts: Vec<_> = answer.items.iter().map(|item| &item.text).collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), answer.items.len());
    assert!(
        answer
            .items
            .windows(2)
            .all(|pair| pair[0].score.ln() >= pair[1].score.ln())
    );
}

#[test]
fn articles_follow_and_protected_words_stay() {
    let (_folder, paraphraser) = paraphraser();
    let answer = paraphraser.paraphrase("It is an old problem", 1).unwrap();
    assert_eq!(answer.items[0].text, "It is an ancient problem");
    let answer = paraphraser.paraphrase("It is a nice old house", 9).unwrap();
    assert!(
        answer
            .items
            .iter()
            .all(|item| !item.text.contains("an pleasant"))
    );
    let text = "The big old dog";
    let options = Options::best(9).protecting(ByteSpan::new(4, 7).unwrap());
    let answer = paraphraser.answer(text, &options).unwrap();
    assert!(!answer.items.is_empty());
    assert!(answer.items.iter().all(|item| item.text.contains("big")));
    assert_eq!(answer.certificate, Certificate::Exhausted);
}

#[test]
fn nothing_in_nothing_out() {
    let (_folder, paraphraser) = paraphraser();
    for text in ["", "  ", "\t"] {
        assert!(paraphraser.paraphrase(text, 5).unwrap().items.is_empty());
    }
    assert!(
        paraphraser
            .paraphrase("The big dog", 0)
            .unwrap()
            .items
            .is_empty()
    );
    assert!(
        paraphraser
            .paraphrase("xyzzy 42", 5)
            .unwrap()
            .items
            .is_empty()
    );
    let long = "word ".repeat(5000);
    assert_eq!(
        paraphraser.paraphrase(&long, 1).unwrap_err().code(),
        "limit-exceeded"
    );
}

#[test]
fn applications_hold_on_the_final_text() {
    let (_folder, paraphraser) = paraphraser();
    let ask = |text: &str, application| {
        let options = Options::best(20).with_application(application);
        let answer = paraphraser.answer(text, &options).unwrap();
        answer
            .items
            .into_iter()
            .map(|item| item.text)
            .collect::<Vec<_>>()
    };
    let source = "we saw a large ancient house there";
    let shorter = ask(source, Application::Compression);
    assert!(!shorter.is_empty() && shorter.iter().all(|text| text.len() < source.len()));
    let reference = "an old house".to_owned();
    let closer = ask(source, Application::Similarity { reference });
    assert!(!closer.is_empty() && closer.iter().all(|text| text.contains("old")));
}

#[test]
fn no_search_beats_the_exact_one() {
    let (_folder, paraphraser) = paraphraser();
    let ask = |search| {
        let options = Options::best(3).with_search(search);
        paraphraser
            .answer("we saw a big old nice house there", &options)
            .unwrap()
    };
    let exact = ask(Search::Exact);
    for search in [Search::Beam, Search::MonteCarlo { seed: 7 }] {
        let other = ask(search);
        assert_eq!(other.certificate, Certificate::Heuristic);
        assert!(!other.items.is_empty());
        for (item, best) in other.items.iter().zip(&exact.items) {
            assert!(
                item.score.ln() <= best.score.ln(),
                "{search:?}: {}",
                item.text
            );
        }
    }
}

#[test]
fn damaged_models_are_refused() {
    let (folder, _) = paraphraser();
    let bytes = std::fs::read(folder.path().join("tiny.pgen")).unwrap();
    for at in (0..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        assert!(
            Bundle::from_bytes(damaged, &Limits::default()).is_err(),
            "byte {at}"
        );
        assert!(
            Bundle::from_bytes(&bytes[..at], &Limits::default()).is_err(),
            "length {at}"
        );
    }
}
