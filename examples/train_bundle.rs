//! A model of one's own: train on sentence pairs and text, save, load, paraphrase, with the reason for
//! each change (training follows Quirk, Brockett & Dolan 2004, §3). Real corpora work the same way.
#![allow(clippy::print_stdout)]

use pgen::core::Limits;
use pgen::core::codec::Packing;
use pgen::train::{Sources, TrainParams, train};
use pgen::{Application, Options, Paraphraser};

const FRAMES: [&str; 4] = [
    "the X dog ran away",
    "we saw a X house there",
    "it is a X problem",
    "they like the X garden",
];
const SWAPS: [(&str, &str); 3] = [("big", "large"), ("old", "ancient"), ("nice", "pleasant")];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join(format!("pgen-example-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let outcome = run(&folder);
    std::fs::remove_dir_all(&folder)?;
    outcome
}

fn run(folder: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
    let (mut pairs, mut text) = (String::new(), String::new());
    for frame in FRAMES {
        for (a, b) in SWAPS {
            let (a, b) = (frame.replace('X', a), frame.replace('X', b));
            pairs += &format!("{a}\t{b}\n");
            text += &format!("{a}.\n{b}.\n");
        }
    }
    let mut sources = Sources::default();
    sources.pairs.push(folder.join("pairs.tsv"));
    sources.text.push(folder.join("text.txt"));
    std::fs::write(&sources.pairs[0], pairs)?;
    std::fs::write(&sources.text[0], text)?;

    let limits = Limits::default();
    let (bundle, report) = train(&sources, &TrainParams::default(), &limits, &())?;
    println!("{} pairs, {} words", report.pairs.pairs, report.words);
    let path = folder.join("tiny.pgen");
    bundle.save(&path, Packing::Deflate)?;

    let paraphraser = Paraphraser::open(&path)?;
    let shorter = Options::best(3).with_application(Application::Compression);
    for (text, options) in [
        ("The big dog ran away 3 times.", Options::best(3)),
        ("It is an ancient problem.", shorter),
    ] {
        println!("{text}");
        for item in paraphraser.answer(text, &options)?.items {
            println!("  {:8.3}  {}", item.score.ln(), item.text);
            for edit in &item.edits {
                println!("            {} → {} ({})", edit.from, edit.to, edit.table);
            }
        }
    }
    Ok(())
}
