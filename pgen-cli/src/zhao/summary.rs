//! Totals over sentences: coverage, replacements by kind of table, what is achieved.

use super::labelled::words_in;
use super::resources::Loaded;
use pgen::core::{Hypothesis, LanguageModel, Sentence, UnitId, WordId};
use pgen::decode::Planned;
use pgen::decode::tune::{LabelKey, key_of, units_of};
use std::collections::{BTreeMap, BTreeSet};

/// What was seen of the best paraphrases.
#[derive(Debug, Default)]
pub(super) struct Summary {
    sentences: u64,
    /// Sentences with a replacement in their best paraphrase, or in any.
    covered: u64,
    with_units: u64,
    replacements: u64,
    replaced_words: u64,
    words: u64,
    kinds: [u64; 3],
    /// Possible unit replacements, and how many of them several tables have.
    units: u64,
    shared: u64,
    compressed: u64,
    simplified: u64,
    closer: u64,
    cut: u64,
    nodes: u64,
}

impl Summary {
    pub(super) fn add(
        &mut self,
        loaded: &Loaded,
        planned: &Planned,
        sentence: &Sentence,
        best: Option<&Hypothesis>,
        reference: &[String],
    ) {
        let lattice = &planned.lattice;
        self.sentences += 1;
        self.words += sentence.len() as u64;
        self.cut += u64::from(!planned.report.is_complete());
        self.nodes += lattice.node_count() as u64;
        let mut possible: BTreeMap<LabelKey, BTreeSet<u32>> = BTreeMap::new();
        for (id, unit) in (0u32..).zip(lattice.units()) {
            if let Some(key) = key_of(lattice, sentence, UnitId::new(id)) {
                possible.entry(key).or_default().insert(unit.table.raw());
            }
        }
        self.units += possible.len() as u64;
        self.shared += possible.values().filter(|tables| tables.len() > 1).count() as u64;
        self.with_units += u64::from(!possible.is_empty());
        let Some(best) = best else { return };
        let mut keys = Vec::new();
        for unit in units_of(lattice, &best.derivation) {
            let Some(key) = key_of(lattice, sentence, unit) else {
                continue;
            };
            let table = lattice.unit(unit).map_or(0, |unit| unit.table.index());
            if let Some(kind) = loaded.kind(table) {
                self.kinds[kind as usize] += 1;
            }
            self.replaced_words += words_in(&key.spans) as u64;
            keys.push(key);
        }
        self.replacements += keys.len() as u64;
        self.covered += u64::from(!keys.is_empty());
        if keys.is_empty() {
            return;
        }
        let source = sentence.lexicon().join(sentence.words());
        let text = lattice.lexicon().join(&best.words);
        self.compressed += u64::from(text.len() < source.len());
        self.closer += u64::from(overlap(&text, reference) > overlap(&source, reference));
        let easier = |key: &LabelKey| is_easier(loaded, sentence, key);
        self.simplified += u64::from(keys.iter().all(easier));
    }

    pub(super) fn totals(&self) -> serde_json::Value {
        let share = |part: u64, of: u64| part as f64 / of.max(1) as f64;
        let [phrases, patterns, collocations] = self.kinds;
        serde_json::json!({
            "sentences": self.sentences,
            "coverage": share(self.covered, self.sentences),
            "with_possible_replacements": share(self.with_units, self.sentences),
            "replacements": self.replacements,
            "replacements_per_paraphrased_sentence": share(self.replacements, self.covered),
            "replacements_per_sentence": share(self.replacements, self.sentences),
            "words_in_replaced_spans": share(self.replaced_words, self.words),
            "phrases": phrases, "patterns": patterns, "collocations": collocations,
            "possible_replacements": self.units,
            "share_in_several_tables": share(self.shared, self.units),
            "shorter": share(self.compressed, self.covered),
            "easier": share(self.simplified, self.covered),
            "closer": share(self.closer, self.covered),
            "incomplete_lattices": self.cut,
            "lattice_nodes_per_word": share(self.nodes, self.words),
        })
    }
}

/// Words in common with the reference, punctuation aside, each as often as the reference has it.
pub(super) fn overlap(text: &str, reference: &[String]) -> usize {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for word in reference
        .iter()
        .filter(|word| word.chars().any(char::is_alphanumeric))
    {
        *counts.entry(word).or_insert(0) += 1;
    }
    let mut common = 0;
    for word in text.split(' ') {
        if let Some(left) = counts.get_mut(word).filter(|left| **left > 0) {
            *left -= 1;
            common += 1;
        }
    }
    common
}

/// True if the language model gives the new words more than the old ones, the words between the parts of
/// a collocation included.
fn is_easier(loaded: &Loaded, sentence: &Sentence, key: &LabelKey) -> bool {
    let (Some(first), Some(last)) = (key.spans.first(), key.spans.last()) else {
        return false;
    };
    let whole = first.cover(*last);
    let id = |word: &str| loaded.vocab.get(word).unwrap_or(WordId::UNK);
    let mut target: Vec<WordId> = Vec::new();
    let mut at = whole.start();
    for (span, piece) in key.spans.iter().zip(key.to.split(" … ")) {
        target.extend(
            sentence
                .words()
                .iter()
                .take(span.start() as usize)
                .skip(at as usize),
        );
        target.extend(piece.split(' ').filter(|word| !word.is_empty()).map(id));
        at = span.end();
    }
    loaded.language.unit(&target).ln() > loaded.language.unit(sentence.words_in(whole)).ln()
}
