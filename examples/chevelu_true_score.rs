//! The five-rule toy of Chevelu, Putois & Lepage 2010 (§3.1, Algorithm 1 and Example 1): a text has many
//! derivations; its true score is that of the best one. Here the rules alone count, no language model.
#![allow(clippy::print_stdout)]

use pgen::core::{LanguageModel, Lexicon, Limits, LogProb, Sentence, TableBuilder, Vocab, WordId};
use pgen::decode::{Decoder, Exact, Identity, LogLinear, Plan, Request, TrueScore, WhyNot};
use std::sync::Arc;

const RULES: [(&str, &str, f64); 5] = [
    ("the dog", "the beast", 0.8),
    ("the young cat", "the kitten", 0.7),
    ("after the", "after it", 0.4),
    ("the young", "the", 0.05),
    ("cat", "kitten", 0.1),
];

/// Every text has probability 1.
struct Silent;

impl LanguageModel for Silent {
    type State = ();
    fn start(&self) {}
    fn null(&self) {}
    fn advance(&self, (): &(), _: WordId) -> ((), LogProb) {
        ((), LogProb::ONE)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limits = Limits::default();
    let mut vocab = Vocab::new();
    let mut table = TableBuilder::new(["ln p"]);
    for (source, target, p) in RULES {
        table.push_text(&mut vocab, source, target, &[p.ln() as f32])?;
    }
    let table = table.build(&vocab)?;
    let words = "the dog runs after the young cat .".split(' ');
    let sentence = Sentence::from_words(words, Lexicon::new(Arc::new(vocab)), &limits)?;
    let plan = Plan::new(limits)
        .with_table("rules", &table)
        .with_identity(Identity::WhereMissing(LogProb::ONE));
    let lattice = plan.build(&sentence)?.lattice;
    let model = LogLinear::new(&Silent);

    println!("true score, derivations, marginal of every text:");
    let all = Exact::default().decode(&lattice, &model, &Request::best(100).with_details())?;
    for item in &all.items {
        let text = lattice.lexicon().join(&item.words);
        let score = item.score.ln().exp();
        let derivations = item
            .derivations
            .as_ref()
            .map_or(0.0, |count| count.to_f64());
        let marginal = item.marginal.map_or(0.0, |marginal| marginal.ln().exp());
        println!("  {score:.4}  {derivations}  {marginal:.4}  {text}");
    }

    println!("why not these?");
    for text in [
        "the beast runs after the kitten .",
        "the dog sleeps after the kitten .",
    ] {
        let mut lexicon = lattice.lexicon().clone();
        let words: Result<Vec<_>, _> = text.split(' ').map(|word| lexicon.intern(word)).collect();
        let score = TrueScore::new(&lattice, &model, &words?)?;
        let reason = match score.why_not(&lattice, all.items[0].score) {
            WhyNot::Missing { words, .. } => format!("no rule goes on after {words} words"),
            WhyNot::Worse { gap, .. } => format!("{gap:.3} worse than the best"),
            WhyNot::Better { .. } => "it is better: a search missed it".to_owned(),
            other => format!("{other:?}"),
        };
        println!("  {text}  {reason}");
    }
    Ok(())
}
