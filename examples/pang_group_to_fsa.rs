//! Parsed sentences of one meaning become one automaton of paraphrases: trees merged from the top down,
//! unfolded and squeezed (Pang, Knight & Marcu 2003, §3 and figure 5), with the pairs it implies.
#![allow(clippy::print_stdout)]

use pgen::core::{Limits, Stop, Tree};
use pgen::fsa::{Forest, MergeParams, PairParams};

const GROUP: [&str; 3] = [
    "(S (NP (CD 12) (NNS persons)) (VP (AUX were) (VP (VBN killed))))",
    "(S (NP (CD twelve) (NNS people)) (VP (VBD died)))",
    "(S (NP (CD twelve) (NNS people)) (VP (VBD perished) (ADVP (RB yesterday))))",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limits = Limits::default();
    let mut forest = Forest::new(MergeParams::default(), &limits);
    for text in GROUP {
        forest.merge(&Tree::parse(text, &limits)?)?;
    }
    let (fsa, _) = forest.to_fsa(&Stop::never())?;
    println!(
        "{} sentences: {} states, {} transitions, {} paths",
        GROUP.len(),
        fsa.state_count(),
        fsa.transitions().len(),
        fsa.path_count()
    );
    for transition in fsa.transitions() {
        let (from, to) = (transition.from.raw(), transition.to.raw());
        println!("  {from} → {to}  {}", fsa.text(transition.label));
    }
    println!("sentences:");
    for sentence in fsa.strings(100) {
        println!("  {sentence}");
    }
    println!("pairs on parallel paths:");
    for (a, b) in &fsa
        .pairs(&PairParams::default(), &limits, &Stop::never())?
        .pairs
    {
        println!("  {a} = {b}");
    }
    Ok(())
}
