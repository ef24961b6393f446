//! Cases that are programs: calls of the library in an order, with values that no file can hold.

mod aligners;
mod alignments;
mod automata;
mod files;
mod saves;
mod sentences;
mod settings;
mod trees;

use crate::probes::{Result, broken};
use pgen::core::{Lexicon, Limits, LogProb, Sentence, TableBuilder, Vocab, Weight};
use pgen::decode::{Decoder, Exact, Identity, LogLinear, Plan, Request, testing};
use std::sync::Arc;

pub(crate) fn run(name: &str) -> Result {
    [
        sentences::run,
        alignments::run,
        aligners::run,
        trees::run,
        automata::run,
        settings::run,
        files::run,
        saves::run,
    ]
    .into_iter()
    .find_map(|room| room(name))
    .unwrap_or_else(|| Err(broken(format!("there is no case {name}"))))
}

/// A law, or what broke it.
pub(crate) fn must(holds: bool, law: &str) -> Result<()> {
    if holds { Ok(()) } else { Err(broken(law)) }
}

/// Decodes words with rows of a table under a uniform language model; the best texts and the steps.
pub(crate) fn decode(
    words: &[&str],
    rows: &[(&str, &str, f32)],
    request: &Request,
) -> Result<Decoded> {
    let mut vocab = Vocab::new();
    let mut table = TableBuilder::new(["p"]);
    for (source, target, value) in rows {
        table.push_text(&mut vocab, source, target, &[*value])?;
    }
    let table = table.build(&vocab)?;
    let vocab = Arc::new(vocab);
    let limits = request.limits.clone();
    let lexicon = Lexicon::new(Arc::clone(&vocab));
    let sentence = Sentence::from_words(words, lexicon, &limits)?;
    let plan = Plan::new(limits)
        .with_table("tm", &table)
        .with_identity(Identity::Always(LogProb::ONE));
    let planned = plan.build(&sentence)?;
    let language = testing::BackoffModel::uniform(LogProb::from_ln(-1.0));
    let model = LogLinear::new(&language).with_language_weight(Weight::new(0.5)?)?;
    let list = Exact::new().decode(&planned.lattice, &model, request)?;
    let texts = list.items.iter();
    let texts = texts.map(|item| planned.lattice.lexicon().join(&item.words));
    Ok(Decoded {
        texts: texts.collect(),
        states: list.stats.states,
        certificate: format!("{:?}", list.certificate),
        edges: planned.lattice.edge_count(),
    })
}

pub(crate) struct Decoded {
    pub(crate) texts: Vec<String>,
    pub(crate) states: u64,
    pub(crate) certificate: String,
    pub(crate) edges: usize,
}

pub(crate) fn unlimited() -> Limits {
    let mut limits = Limits::default();
    (limits.line_bytes, limits.tokens) = (1 << 30, 1 << 30);
    limits
}
