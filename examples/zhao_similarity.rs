//! What a usability model sees and says: the gain of each replacement for similarity with a reference,
//! then the closest paraphrase (Zhao, Lan, Liu & Li 2009, §3.3.3).
#![allow(clippy::print_stdout)]

use pgen::core::{Lexicon, Limits, LogProb, Replacement, ReplacementModel, Sentence};
use pgen::core::{TableBuilder, UsabilityModel, Vocab};
use pgen::decode::applications::Similarity;
use pgen::decode::{Decoder, Exact, Identity, LogLinear, Plan, Request};
use pgen::lm::{EstimateParams, Estimator, FastModel};
use std::sync::Arc;

const RULES: [(&str, &str, f32); 5] = [
    ("purchased", "bought", 0.5),
    ("purchased", "acquired", 0.3),
    ("the firm", "the company", 0.4),
    ("last year", "in the past year", 0.2),
    ("a big share", "a large stake", 0.1),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limits = Limits::default();
    let text = "the firm purchased a big share last year";
    let reference = "last year the company bought a large stake in a bank";

    let mut vocab = Vocab::new();
    let mut table = TableBuilder::new(["ln p"]);
    for (source, target, p) in RULES {
        table.push_text(&mut vocab, source, target, &[p.ln()])?;
    }
    let mut estimator = Estimator::new(EstimateParams::new(2))?;
    for line in [text, reference] {
        let words: Result<Vec<_>, _> = line.split(' ').map(|word| vocab.intern(word)).collect();
        estimator.add(&words?)?;
    }
    let language = FastModel::new(&estimator.finish(&vocab, &())?.0)?;
    let table = table.build(&vocab)?;
    let lexicon = Lexicon::new(Arc::new(vocab));
    let sentence = Sentence::from_words(text.split(' '), lexicon, &limits)?;

    let similarity = Similarity::to(reference.split(' '))?;
    table.propose(&sentence, &mut |proposal| {
        let replacement = Replacement {
            sentence: &sentence,
            proposal,
            table: "phrases",
        };
        let (mut from, mut to) = (Vec::new(), Vec::new());
        replacement.for_each_source_word(true, |word| from.push(word.to_owned()));
        replacement.for_each_target_word(true, |word| to.push(word.to_owned()));
        let verdict = match similarity.gain(&replacement) {
            Some(gain) => format!("gains {gain}"),
            None => "of no use".to_owned(),
        };
        println!("{:11} → {:16}  {verdict}", from.join(" "), to.join(" "));
    });

    let plan = Plan::new(limits)
        .with_table("phrases", &table)
        .with_identity(Identity::Always(LogProb::new(-1.0)?))
        .with_usability(&similarity);
    let lattice = plan.build(&sentence)?.lattice;
    let best = Exact::default().decode(&lattice, &LogLinear::new(&language), &Request::best(3))?;
    println!(
        "{} words in common  {text}",
        similarity.overlap(text.split(' '))
    );
    for item in &best.items {
        let closer = lattice.lexicon().join(&item.words);
        println!(
            "{} words in common  {closer}",
            similarity.overlap(closer.split(' '))
        );
    }
    Ok(())
}
