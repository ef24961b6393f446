//! From sentence pairs to paraphrases by monotone phrase replacement: word alignment, phrase pairs by
//! cepts, Model 1 phrase scores, a lattice with identity edges (Quirk, Brockett & Dolan 2004, §3).
#![allow(clippy::print_stdout)]

use pgen::align::{Corpus, ExtractParams, Heuristic, HmmParams, Model1Params};
use pgen::align::{PhraseScore, PhraseTable, Symmetric, align_corpus};
use pgen::core::{Lexicon, Limits, Lines, Link, LogProb, Sentence, TableBuilder, Vocab};
use pgen::decode::{Decoder, Exact, Identity, LogLinear, Plan, Request};
use pgen::lm::{EstimateParams, Estimator, FastModel};
use std::sync::Arc;

const PAIRS: [(&str, &str); 5] = [
    ("the storm killed two people", "the storm claimed two lives"),
    ("the fire killed six people", "the fire claimed six lives"),
    ("the storm hit the town", "the gale hit the town"),
    ("the storm damaged a house", "the gale damaged a house"),
    ("the fire hit a house", "the blaze hit a house"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limits = Limits::default();
    let mut vocab = Vocab::new();
    let mut corpus = Corpus::new();
    let mut text = String::new();
    for (source, target) in PAIRS {
        corpus.push_text(source, target, &mut vocab, &limits)?;
        text += &format!("{source}\n{target}\n");
    }
    corpus.add_identity_lexicon();

    // Align in both directions, then put the directions together.
    let (start, params) = (Model1Params::default(), HmmParams::default());
    let aligner = Symmetric::hmm(&corpus, &start, &params, Heuristic::GrowDiag, &())?;
    let alignments = align_corpus(&aligner, &corpus);
    let pharaoh = |link: &Link| format!("{}-{}", link.source, link.target);
    for ((source, target), alignment) in PAIRS.iter().zip(&alignments).take(2) {
        let links: Vec<_> = alignment.links().iter().map(pharaoh).collect();
        println!("{source} → {target}: {}", links.join(" "));
    }

    // Phrase pairs, each scored by Model 1's P(source | target).
    let extract = ExtractParams::default();
    let phrases = PhraseTable::extract(&corpus, &alignments, &extract, |s, t| s != t, &())?;
    let mut table = TableBuilder::new(["channel"]);
    for row in phrases.rows() {
        let channel = aligner.backward.table();
        let value = PhraseScore::Full.ln(channel, row.source, row.target, 1e-7);
        table.push(row.source, row.target, &[value as f32])?;
    }
    let table = table.build(&vocab)?;
    println!("{} phrase pairs", table.len());

    let mut estimator = Estimator::new(EstimateParams::new(3))?;
    estimator.add_lines(Lines::from_text(&text, &limits)?, &mut vocab, &())?;
    let language = FastModel::new(&estimator.finish(&vocab, &())?.0)?;

    // Every word may also stay as it is, with probability 0.1.
    let stay = Identity::Always(LogProb::from_probability(0.1)?);
    let plan = Plan::new(limits.clone())
        .with_table("phrases", &table)
        .with_identity(stay);
    let lexicon = Lexicon::new(Arc::new(vocab));
    let words = "the fire killed two people".split(' ');
    let sentence = Sentence::from_words(words, lexicon, &limits)?;
    let lattice = plan.build(&sentence)?.lattice;
    let request = Request::best(5).with_min_edit(sentence.words().to_vec(), 1);
    let best = Exact::default().decode(&lattice, &LogLinear::new(&language), &request)?;
    println!("{}", sentence.text());
    for item in &best.items {
        println!(
            "{:8.3}  {}",
            item.score.ln(),
            lattice.lexicon().join(&item.words)
        );
    }
    Ok(())
}
