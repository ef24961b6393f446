//! Multiple-sequence alignment by words alone and with syntax: V1 aligns `milan` as subject with `milan`
//! after a preposition, V4 does not (Shen, Radev, Patel & Erkan 2006, §3.2, §4 and figure 1).
#![allow(clippy::print_stdout)]

use pgen::core::{Chunks, Limits, Stop, Tree};
use pgen::fsa::{Aligned, MsaParams, Version, align};

/// Words, tags and chunks of a parse.
fn parsed(text: &str, limits: &Limits) -> Result<Aligned, pgen::core::Error> {
    let tree = Tree::parse(text, limits)?;
    let words = tree.leaves().filter_map(|leaf| leaf.word());
    let tags = tree.leaves().map(|leaf| leaf.label().to_owned());
    Ok(Aligned {
        words: words.map(str::to_owned).collect(),
        syntax: Some((tags.collect(), Chunks::from_tree(&tree, limits)?)),
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limits = Limits::default();
    let clusters = [
        [
            "(S (NP (NNP milan)) (VP (AUX is) (ADJP (JJ beautiful))))",
            "(S (NP (PRP i)) (VP (VBD went) (PP (TO to) (NP (NNP milan)))))",
        ],
        [
            "(S (NP (DT the) (NN plane)) (VP (VBD hit) (NP (DT the) (NN tower))))",
            "(S (NP (DT a) (NN plane)) (VP (VBD struck) (NP (DT a) (NN tower))))",
        ],
    ];
    for cluster in clusters {
        let sentences: Result<Vec<_>, _> =
            cluster.iter().map(|text| parsed(text, &limits)).collect();
        let sentences = sentences?;
        for version in [Version::V1, Version::V4] {
            let params = MsaParams::new(version);
            let made = align(&sentences, &params, &limits, &Stop::never())?;
            let score = made.pair_scores[0].2;
            println!("{version}: score {score}, {} paths", made.fsa.path_count());
            for sentence in made.fsa.strings(10) {
                println!("  {sentence}");
            }
        }
    }
    Ok(())
}
