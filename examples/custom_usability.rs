//! An application of one's own: a closure says of each replacement what it gains, or drops it. Here: plain
//! words for learners of English (the idea of Zhao, Lan, Liu & Li 2009, §3.3, with another measure).
#![allow(clippy::print_stdout)]

use pgen::core::{Lexicon, Limits, Lines, LogProb, Replacement, Sentence, TableBuilder, Vocab};
use pgen::decode::{Decoder, Exact, Identity, LogLinear, Plan, Request};
use pgen::lm::{EstimateParams, Estimator, FastModel};
use std::sync::Arc;

const PLAIN: [&str; 12] = [
    "use", "help", "start", "end", "work", "buy", "to", "the", "we", "need", "it", "will",
];

const RULES: [(&str, &str, f32); 5] = [
    ("utilize", "use", 0.5),
    ("utilize", "employ", 0.6), // likelier, but not plain
    ("assist", "help", 0.4),
    ("commence", "start", 0.3),
    ("need", "require", 0.5), // the wrong way round
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limits = Limits::default();
    let mut vocab = Vocab::new();
    let mut table = TableBuilder::new(["ln p"]);
    for (source, target, p) in RULES {
        table.push_text(&mut vocab, source, target, &[p.ln()])?;
    }
    let mut estimator = Estimator::new(EstimateParams::new(2))?;
    let text = "we will start to use it\nwe need the help\nthe end will need work";
    estimator.add_lines(Lines::from_text(text, &limits)?, &mut vocab, &())?;
    let language = FastModel::new(&estimator.finish(&vocab, &())?.0)?;
    let table = table.build(&vocab)?;

    // Gain: how many hard words fewer; none fewer is of no use.
    let plainer = |replacement: &Replacement<'_>| {
        let mut gain = 0.0;
        replacement.for_each_source_word(false, |word| {
            gain += f64::from(!PLAIN.contains(&word));
        });
        replacement.for_each_target_word(false, |word| {
            gain -= f64::from(!PLAIN.contains(&word));
        });
        (gain > 0.0).then_some(gain)
    };

    let plan = Plan::new(limits.clone())
        .with_table("rules", &table)
        .with_identity(Identity::Always(LogProb::new(-1.0)?))
        .with_usability(&plainer);
    let usability = plan.features().find("usability");
    let lexicon = Lexicon::new(Arc::new(vocab));
    let words = "we need to utilize the tool to assist".split(' ');
    let sentence = Sentence::from_words(words, lexicon, &limits)?;
    let lattice = plan.build(&sentence)?.lattice;
    let request = Request::best(5).with_min_edit(sentence.words().to_vec(), 1);
    let best = Exact::default().decode(&lattice, &LogLinear::new(&language), &request)?;
    println!("{}", sentence.text());
    for item in &best.items {
        let gains = item
            .features
            .iter()
            .filter(|(feature, _)| Some(*feature) == usability);
        let gain: f64 = gains.map(|(_, gain)| gain.ln()).sum();
        println!(
            "{gain} hard words fewer: {}",
            lattice.lexicon().join(&item.words)
        );
    }
    Ok(())
}
