//! Generation for a score that only a whole sentence has: Monte-Carlo search over rule sets, seeded
//! (Chevelu, Putois & Lepage 2010, §4). The reward here asks for alliteration; no decoder could split it.
#![allow(clippy::print_stdout)]

use pgen::core::{Lexicon, Limits, Lines, LogProb, Sentence, TableBuilder, Vocab, WordId};
use pgen::decode::{Identity, LogLinear, MonteCarlo, Plan, Request};
use pgen::lm::{EstimateParams, Estimator, FastModel};
use std::collections::BTreeMap;
use std::sync::Arc;

const RULES: [(&str, &str, f32); 8] = [
    ("large", "big", 0.5),
    ("large", "great", 0.2),
    ("dog", "beast", 0.1),
    ("dog", "hound", 0.3),
    ("chased", "hunted", 0.2),
    ("chased", "followed", 0.3),
    ("chased", "baited", 0.1),
    ("the cat", "a bird", 0.1),
];

/// The share of words that begin with the commonest first letter.
fn alliteration(text: &[WordId], words: &Lexicon) -> f64 {
    let mut counts = BTreeMap::new();
    for &word in text {
        *counts
            .entry(words.word(word).chars().next())
            .or_insert(0_u32) += 1;
    }
    let most = counts.values().max().copied().unwrap_or(0);
    f64::from(most) / text.len().max(1) as f64
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limits = Limits::default();
    let mut vocab = Vocab::new();
    let mut table = TableBuilder::new(["ln p"]);
    for (source, target, p) in RULES {
        table.push_text(&mut vocab, source, target, &[p.ln()])?;
    }
    let mut estimator = Estimator::new(EstimateParams::new(2))?;
    let text =
        "the large dog chased the cat\na big hound hunted a bird\nthe beast followed the dog";
    estimator.add_lines(Lines::from_text(text, &limits)?, &mut vocab, &())?;
    let language = FastModel::new(&estimator.finish(&vocab, &())?.0)?;
    let table = table.build(&vocab)?;

    let words = "the large dog chased the cat".split(' ');
    let sentence = Sentence::from_words(words, Lexicon::new(Arc::new(vocab)), &limits)?;
    let plan = Plan::new(limits)
        .with_table("rules", &table)
        .with_identity(Identity::WhereMissing(LogProb::ONE));
    let lattice = plan.build(&sentence)?.lattice;
    let model = LogLinear::new(&language);
    let request = Request::best(3).with_source(sentence.words().to_vec());
    let search = MonteCarlo::default().with_episodes(5_000)?.with_seed(7);

    println!("by the true score:");
    for (reward, item) in search.search(&lattice, &model, &request)?.items {
        println!("  {reward:8.3}  {}", lattice.lexicon().join(&item.words));
    }
    println!("by alliteration:");
    let found = search.search_with(&lattice, &model, &request, &alliteration)?;
    for (reward, item) in found.items {
        println!("  {reward:8.3}  {}", lattice.lexicon().join(&item.words));
    }
    println!("{} texts seen", found.texts);
    Ok(())
}
