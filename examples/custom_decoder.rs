//! A decoder of one's own behind the `Decoder` seam: greedy, from each node the edge that looks best; it
//! gives one text and does without the request's filters.
//! Whatever it finds, its score is never above the true score (Chevelu et al. 2010, §3); compare `Exact`.
#![allow(clippy::print_stdout)]

use pgen::core::{Certificate, LanguageModel, Lattice, Lexicon, Limits, Lines, LogProb};
use pgen::core::{NBest, SearchStats, Sentence, TableBuilder, Vocab};
use pgen::decode::{Decoder, Exact, Identity, LogLinear, Plan, Request, Result, TrueScore};
use pgen::lm::{EstimateParams, Estimator, FastModel};
use std::sync::Arc;

struct Greedy;

impl<L: LanguageModel> Decoder<L> for Greedy {
    fn decode(&self, lattice: &Lattice, model: &LogLinear<'_, L>, _: &Request) -> Result<NBest> {
        let (mut node, mut text) = (lattice.start(), Vec::new());
        let mut state = model.language().start();
        while let Some((_, edge, next)) = lattice
            .out(node)
            .map(|(_, edge)| {
                let (next, ln) = model.language().phrase(&state, lattice.words(edge));
                let score = model.edge_score(lattice, edge) + model.word_score(ln);
                (score, edge, next)
            })
            .max_by(|a, b| a.0.total_cmp(&b.0))
        {
            text.extend_from_slice(lattice.words(edge));
            (node, state) = (edge.to, next);
        }
        let found = TrueScore::new(lattice, model, &text)?.hypothesis(lattice);
        let (items, stats) = (found.into_iter().collect(), SearchStats::default());
        Ok(NBest::new(items, Certificate::Heuristic, stats))
    }
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let limits = Limits::default();
    let mut vocab = Vocab::new();
    let mut table = TableBuilder::new(["ln p"]);
    for (source, target, p) in [
        ("quick", "fast", 0.6),
        ("quick", "rapid", 0.5),
        ("reply", "answer", 0.5),
        ("a quick reply", "a prompt answer", 0.05),
    ] {
        table.push_text(&mut vocab, source, target, &[f32::ln(p)])?;
    }
    let mut estimator = Estimator::new(EstimateParams::new(2))?;
    let text = "a prompt answer came\na rapid answer came\na fast car\na fast train\na fast horse";
    estimator.add_lines(Lines::from_text(text, &limits)?, &mut vocab, &())?;
    let language = FastModel::new(&estimator.finish(&vocab, &())?.0)?;
    let table = table.build(&vocab)?;
    let plan = Plan::new(limits.clone())
        .with_table("rules", &table)
        .with_identity(Identity::Always(LogProb::new(-1.0)?));
    let lexicon = Lexicon::new(Arc::new(vocab));
    let sentence = Sentence::from_words("a quick reply came".split(' '), lexicon, &limits)?;
    let lattice = plan.build(&sentence)?.lattice;
    let model = LogLinear::new(&language);
    let decoders: [(&str, &dyn Decoder<FastModel>); 2] =
        [("greedy", &Greedy), ("exact", &Exact::default())];
    for (name, decoder) in decoders {
        let found = decoder.decode(&lattice, &model, &Request::best(1))?;
        for item in &found.items {
            let text = lattice.lexicon().join(&item.words);
            println!(
                "{name:6}  {:8.3}  {text}  ({:?})",
                item.score.ln(),
                found.certificate
            );
        }
    }
    Ok(())
}
