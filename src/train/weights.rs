//! Weights that a fresh model starts with.

use pgen_core::Weight;
use std::collections::BTreeMap;

/// Default weights: the language model at 0.4, probabilities in both directions, votes of thesaurus and
/// synonym lists worth several nats, and a price on each change, so that careful paraphrases come first.
#[must_use]
pub fn defaults() -> BTreeMap<String, Weight> {
    let weights = [
        ("language", 0.4),
        ("phrases.pivot", 0.35),
        ("phrases.pivot-inverse", 0.25),
        ("phrases.pairs", 0.1),
        ("phrases.pairs-inverse", 0.05),
        ("phrases.thesaurus", 1.6),
        ("phrases.synonyms", 0.8),
        ("phrases.change", -4.0),
    ];
    let finite = |value: f64| Weight::new(value).unwrap_or_default();
    weights
        .into_iter()
        .map(|(name, value)| (name.to_owned(), finite(value)))
        .collect()
}
