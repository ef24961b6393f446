//! The same bytes for any number of threads.

use crate::{Tested, counted};
use pgen::core::Limits;
use pgen::core::codec::Packing;
use pgen::train::{Sources, TrainParams, train};
use pgen::{Options, Paraphraser, Search};
use rayon::prelude::*;
use std::fmt::Write;

fn pool(threads: usize) -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().expect("threads")
}

const FRAMES: [&str; 10] = [
    "We must find a solution to the {n} before the end of the year.",
    "The {n} has made an important decision about this problem.",
    "He said that the {n} was very difficult to explain.",
    "It is not clear whether the {n} will begin soon.",
    "They want to buy a new {n} because the old one is broken.",
    "The other members of the group tried to help the {n}.",
    "In order to improve the {n}, more money is needed.",
    "She asked him to look after the {n} for a while.",
    "A large number of people saw the {n} yesterday.",
    "The results show that the {n} is getting better.",
];
const NOUNS: [&str; 50] = [
    "company",
    "house",
    "car",
    "government",
    "school",
    "child",
    "teacher",
    "doctor",
    "city",
    "country",
    "river",
    "problem",
    "report",
    "meeting",
    "project",
    "team",
    "player",
    "game",
    "market",
    "price",
    "road",
    "bridge",
    "train",
    "plane",
    "ship",
    "army",
    "president",
    "minister",
    "law",
    "court",
    "book",
    "film",
    "song",
    "picture",
    "garden",
    "tree",
    "dog",
    "cat",
    "horse",
    "bird",
    "computer",
    "phone",
    "letter",
    "message",
    "question",
    "answer",
    "plan",
    "idea",
    "war",
    "peace",
];

/// 500 sentences.
pub(crate) fn sentences() -> Vec<String> {
    let frames = FRAMES.iter();
    frames
        .flat_map(|frame| NOUNS.iter().map(move |noun| frame.replace("{n}", noun)))
        .collect()
}

#[test]
fn answers_do_not_depend_on_threads() -> Tested {
    let paraphraser = Paraphraser::english()?;
    let sentences = sentences();
    assert_eq!(sentences.len(), 500);
    let mut seen: Vec<String> = Vec::new();
    let mut compared = 0;
    for search in [Search::Exact, Search::Beam] {
        seen.clear();
        for threads in [1, 2, 8, 1, 2, 8] {
            let answers: Vec<_> = pool(threads).install(|| {
                sentences
                    .par_iter()
                    .map(|text| paraphraser.answer(text, &Options::best(5).with_search(search)))
                    .collect()
            });
            let mut all = String::new();
            for answer in answers {
                for item in answer?.items {
                    let _ = writeln!(
                        all,
                        "{} {:016x} {:?}",
                        item.text,
                        item.score.ln().to_bits(),
                        item.edits
                    );
                }
            }
            assert!(all.len() > 50_000);
            seen.push(all);
            compared += 500;
        }
        assert!(seen.windows(2).all(|two| two[0] == two[1]), "{search:?}");
    }
    counted("answers equal at 1, 2 and 8 threads", compared);
    Ok(())
}

#[test]
fn trained_models_do_not_depend_on_threads() -> Tested {
    let folder = tempfile::tempdir()?;
    let (text, pairs) = (folder.path().join("text"), folder.path().join("pairs"));
    let sentences = sentences();
    std::fs::write(&text, sentences.join("\n"))?;
    let rows = sentences.iter().zip(sentences.iter().skip(50));
    let rows: Vec<String> = rows.map(|(a, b)| format!("{a}\t{b}")).collect();
    std::fs::write(&pairs, rows.join("\n"))?;
    let mut sources = Sources::default();
    sources.text = vec![text];
    sources.pairs = vec![pairs];
    let mut models = Vec::new();
    for threads in [1, 2, 8, 1] {
        let made = pool(threads).install(|| {
            let params = TrainParams::default();
            train(&sources, &params, &Limits::default(), &())
        });
        models.push(made?.0.to_bytes(Packing::Deflate)?);
    }
    assert!(models.windows(2).all(|two| two[0] == two[1]));
    counted(
        "models trained at 1, 2 and 8 threads, equal to the byte",
        models.len() as u64,
    );
    Ok(())
}
