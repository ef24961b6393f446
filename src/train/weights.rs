//! Weights that a fresh model starts with.

use pgen_core::Weight;
use std::collections::BTreeMap;

/// Default weights.
///
/// With judged rows: their reliability, the logarithm of the odds of being right, at 1; a little of the
/// language model; and a price on each change, the odds that a further one must exceed. Votes and
/// probabilities are in the reliability already. Without judged rows: the language model at 0.4,
/// probabilities in both directions, votes of thesaurus and synonym lists worth several nats, and a price
/// on each change that keeps paraphrases careful.
#[must_use]
pub fn defaults(judged: bool) -> BTreeMap<String, Weight> {
    let plain = [
        ("language", 0.4),
        ("phrases.pivot", 0.35),
        ("phrases.pivot-inverse", 0.25),
        ("phrases.pairs", 0.1),
        ("phrases.pairs-inverse", 0.05),
        ("phrases.thesaurus", 1.6),
        ("phrases.synonyms", 0.8),
        ("phrases.lexicon", 2.4),
        ("phrases.reliability", 0.0),
        ("phrases.change", -4.0),
    ];
    let by_judgement = [
        ("language", 0.1),
        ("phrases.pivot", 0.0),
        ("phrases.pivot-inverse", 0.0),
        ("phrases.pairs", 0.0),
        ("phrases.pairs-inverse", 0.0),
        ("phrases.thesaurus", 0.0),
        ("phrases.synonyms", 0.0),
        ("phrases.lexicon", 0.0),
        ("phrases.reliability", 1.0),
        ("phrases.change", -3.2),
        // Fitted to the first answers of such a model, judged in whole sentences.
        ("confidence", 0.0),
        ("confidence.phrases.reliability", 0.81),
        ("confidence.language", 0.08),
        ("confidence.edits", -0.24),
    ];
    let weights: &[(&str, f64)] = if judged { &by_judgement } else { &plain };
    let finite = |value: f64| Weight::new(value).unwrap_or_default();
    weights
        .iter()
        .map(|&(name, value)| (name.to_owned(), finite(value)))
        .collect()
}
