//! Planning for an application: only replacements that make the sentence shorter enter the lattice, and
//! the bytes they save are a weighted feature (Zhao, Lan, Liu & Li 2009, §3.2, §3.3.1 and eq. 5–6).
#![allow(clippy::print_stdout)]

use pgen::core::{Lexicon, Limits, Lines, LogProb, Sentence, TableBuilder, Vocab, Weight};
use pgen::decode::applications::Compression;
use pgen::decode::{Decoder, Exact, Identity, LogLinear, Plan, Request};
use pgen::lm::{EstimateParams, Estimator, FastModel};
use std::sync::Arc;

const RULES: [(&str, &str, f32); 6] = [
    ("in spite of", "despite", 0.6),
    ("in spite of", "notwithstanding", 0.1), // longer: planning drops it
    ("a large number of", "many", 0.5),
    ("took the decision", "decided", 0.4),
    ("rain", "bad weather", 0.2), // longer too
    ("the cold rain", "the rain", 0.3),
];

const TEXT: &str = "many people decided to stay despite the rain
a large number of people took the decision to go
in spite of the cold rain they decided to walk
they took the decision to stay in spite of bad weather";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limits = Limits::default();
    let mut vocab = Vocab::new();
    let mut table = TableBuilder::new(["ln p"]);
    for (source, target, p) in RULES {
        table.push_text(&mut vocab, source, target, &[p.ln()])?;
    }
    let mut estimator = Estimator::new(EstimateParams::new(3))?;
    estimator.add_lines(Lines::from_text(TEXT, &limits)?, &mut vocab, &())?;
    let language = FastModel::new(&estimator.finish(&vocab, &())?.0)?;
    let table = table.build(&vocab)?;

    // A word that stays costs 1, as in the paper.
    let plan = Plan::new(limits.clone())
        .with_table("phrases", &table)
        .with_identity(Identity::Always(LogProb::new(-1.0)?))
        .with_usability(&Compression);
    let model = LogLinear::new(&language)
        .with_named_weight(plan.features(), "phrases", Weight::new(1.0)?)?
        .with_named_weight(plan.features(), "usability", Weight::new(0.2)?)?;

    let text = "a large number of people took the decision to walk in spite of the cold rain";
    let lexicon = Lexicon::new(Arc::new(vocab));
    let sentence = Sentence::from_words(text.split(' '), lexicon, &limits)?;
    let planned = plan.build(&sentence)?;
    let (lattice, report) = (planned.lattice, planned.report);
    println!(
        "{} replacements proposed, {} of no use",
        report.proposed, report.useless
    );

    let best = Exact::default().decode(&lattice, &model, &Request::best(4))?;
    println!("{:3} bytes            {text}", text.len());
    for item in &best.items {
        let shorter = lattice.lexicon().join(&item.words);
        println!(
            "{:3} bytes  {:8.3}  {shorter}",
            shorter.len(),
            item.score.ln()
        );
    }
    Ok(())
}
