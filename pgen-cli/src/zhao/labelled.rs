//! A sentence with its possible replacements, labelled or to be labelled, as one line of JSON.

use super::resources::Loaded;
use crate::failure::{Failure, Result};
use pgen::core::formats::conll::{ConllSentence, ConllWord};
use pgen::core::{Dependencies, Lattice, Sentence, Span, UnitId};
use pgen::decode::tune::{LabelKey, key_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What `pgen plan --json` writes and `pgen tune` reads.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Labelled {
    /// The sentence as it was given.
    pub(super) source: String,
    tokens: Vec<String>,
    tags: Vec<String>,
    heads: Vec<Option<u32>>,
    relations: Vec<String>,
    /// Words of the reference for similarity.
    #[serde(default)]
    pub(super) reference: Vec<String>,
    pub(super) units: Vec<LabelledUnit>,
}

/// A unit replacement; `correct` is for people, or for references, to fill in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LabelledUnit {
    #[serde(flatten)]
    pub(super) key: LabelKey,
    pub(super) tables: Vec<String>,
    pub(super) log_prob: f64,
    pub(super) gain: f64,
    #[serde(default)]
    pub(super) correct: Option<bool>,
}

impl Labelled {
    pub(super) fn new(
        annotated: &ConllSentence,
        sentence: &Sentence,
        reference: Vec<String>,
    ) -> Self {
        let count = annotated.words.len();
        let dependencies = &annotated.dependencies;
        Labelled {
            source: sentence.text().to_owned(),
            tokens: annotated
                .words
                .iter()
                .map(|word| word.form.clone())
                .collect(),
            tags: annotated.tags(),
            heads: (0..count).map(|at| dependencies.head(at)).collect(),
            relations: (0..count)
                .map(|at| dependencies.relation(at).to_owned())
                .collect(),
            reference,
            units: Vec::new(),
        }
    }

    /// The annotated sentence again.
    pub(super) fn annotated(&self) -> Result<ConllSentence> {
        let count = self.tokens.len();
        if [self.tags.len(), self.heads.len(), self.relations.len()] != [count; 3] {
            let message = "tokens, tags, heads and relations differ in length";
            return Err(Failure::input("mismatch", message));
        }
        let mut sentence = ConllSentence::default();
        sentence.text = Some(self.source.clone());
        for (form, tag) in self.tokens.iter().zip(&self.tags) {
            let (form, xpos) = (form.clone(), tag.clone());
            sentence.words.push(ConllWord {
                form,
                xpos,
                ..ConllWord::default()
            });
        }
        let arcs: Vec<_> = self.heads.iter().copied().zip(&self.relations).collect();
        sentence.dependencies = Dependencies::new(&arcs)?;
        Ok(sentence)
    }

    /// Adds the units of a lattice, those of several tables once.
    pub(super) fn add_units(&mut self, lattice: &Lattice, sentence: &Sentence, loaded: &Loaded) {
        let mut units: BTreeMap<LabelKey, LabelledUnit> = BTreeMap::new();
        let usability = lattice.feature_set().find("usability");
        for (id, unit) in (0u32..).zip(lattice.units()) {
            let Some(key) = key_of(lattice, sentence, UnitId::new(id)) else {
                continue;
            };
            let value = |wanted: bool| -> f64 {
                let values = lattice.unit_features(unit).iter();
                values
                    .filter(|value| (Some(value.0) == usability) == wanted)
                    .fold(0.0, |sum, value| sum + f64::from(value.1))
            };
            let (log_prob, gain) = (value(false), value(true));
            let name = loaded
                .tables
                .get(unit.table.index())
                .map_or("", |table| &table.0);
            let entry = units.entry(key.clone()).or_insert_with(|| LabelledUnit {
                key,
                tables: Vec::new(),
                log_prob,
                gain,
                correct: None,
            });
            entry.log_prob = entry.log_prob.max(log_prob);
            if !entry.tables.iter().any(|known| known == name) {
                entry.tables.push(name.to_owned());
            }
        }
        self.units.extend(units.into_values());
    }

    /// Labels by references: a replacement is correct if some reference has the new words, in one piece
    /// where the replacement is, and does not have what they replace.
    pub(super) fn label(&mut self, references: &[Vec<String>], sentence: &Sentence) {
        let references: Vec<String> = references
            .iter()
            .map(|words| format!(" {} ", words.join(" ")))
            .collect();
        let source = format!(" {} ", sentence.lexicon().join(sentence.words()));
        for unit in &mut self.units {
            unit.correct = Some(confirmed(&unit.key, &source, &references));
        }
    }
}

fn confirmed(key: &LabelKey, source: &str, references: &[String]) -> bool {
    let pieces = |text: &str| -> Vec<String> {
        text.split(" … ")
            .map(|piece| format!(" {piece} "))
            .collect()
    };
    let (old, new) = (pieces(&key.from), pieces(&key.to));
    let within =
        |pieces: &[String], text: &str| pieces.iter().all(|piece| text.contains(piece.as_str()));
    // What the source has anyway confirms nothing.
    let news = !within(&new, source) || key.from.contains(&key.to);
    let confirms = |reference: &String| within(&new, reference) && !within(&old, reference);
    news && references.iter().any(confirms)
}

/// Spans as pairs, for summaries.
pub(super) fn words_in(spans: &[Span]) -> usize {
    spans.iter().map(|span| span.len()).sum()
}
