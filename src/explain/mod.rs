//! Why a paraphrase and not another: everything that took part in an answer, as data and as a page.

mod draw;
mod page;
mod segment;
mod style;
mod words;

pub use page::Page;
pub use segment::Segmentation;

use crate::answer::Answer;
use crate::error::Result;
use crate::options::Options;
use crate::paraphraser::{Paraphraser, Planned, Seams};
use crate::search::View;
use crate::values::Values;
use pgen_core::{ByteSpan, LanguageModel, LogProb, RuleId, Span, Unit, UnitPiece, WordId};

/// An answer with all that took part in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The answer.
    pub answer: Answer,
    /// Where the tokens of the source stand.
    pub tokens: Vec<ByteSpan>,
    /// Which of them must not change.
    pub protected: Vec<bool>,
    /// Every planned replacement, by place, better ones first.
    pub alternatives: Vec<Alternative>,
    /// For each paraphrase the ways to write it by rules of the tables, best first, and their number.
    pub segmentations: Vec<(Vec<Segmentation>, String)>,
    /// Weights by feature, `language` first.
    pub weights: Vec<(String, f64)>,
    /// ln P(source) under the language model.
    pub source_language: LogProb,
}

/// A replacement that could have been made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Alternative {
    /// The source tokens; of a collocation, from its first to its last part.
    pub span: Span,
    /// The replaced words.
    pub from: String,
    /// The new words.
    pub to: String,
    /// The table that the rule comes from.
    pub table: String,
    /// The rule within the table.
    pub rule: RuleId,
    /// All its feature values.
    pub features: Values,
    /// Its weighted score, without the language model.
    pub score: f64,
    /// What it adds to ln P(source), made alone; `None` for a collocation.
    pub language: Option<f64>,
    /// The listed paraphrases that use it, from 0.
    pub used_by: Vec<usize>,
}

impl Alternative {
    /// Weighted gain or loss of this replacement alone against leaving the source as it is.
    #[must_use]
    pub fn balance(&self, language_weight: f64) -> f64 {
        self.score + language_weight * self.language.unwrap_or(0.0)
    }
}

impl Paraphraser {
    /// As [`Paraphraser::answer`], with what took part in it: all replacements that could have been made
    /// and all ways to write each paraphrase. Several times the work of an answer.
    ///
    /// # Errors
    /// As [`Paraphraser::answer`].
    pub fn explain(&self, text: &str, options: &Options) -> Result<Explanation> {
        let planned = self.plan(text, options, Seams::default())?;
        let answer = View::new(self, &planned, options, None)?.search()?;
        let language = self.bundle().language.sentence(planned.sentence.words());
        let language_weight = planned.model.language_weight().get();
        let mut alternatives = self.alternatives(&planned, &answer, language);
        alternatives.sort_by(|a, b| {
            let place =
                |alternative: &Alternative| (alternative.span.start(), alternative.span.end());
            let balance = |one: &Alternative| one.balance(language_weight);
            let by_balance = balance(b).total_cmp(&balance(a));
            place(a)
                .cmp(&place(b))
                .then(by_balance)
                .then(a.to.cmp(&b.to))
        });
        let items = answer.items.iter();
        let segmentations = items
            .map(|item| segment::all(&planned, &item.words))
            .collect();
        let names = planned.lattice.feature_set().names().iter();
        let weight = |name: &String| {
            let known = self.bundle().weights.get(name);
            (name.clone(), known.map_or(1.0, |weight| weight.get()))
        };
        let first = ("language".to_owned(), language_weight);
        let tokens = planned.sentence.tokens();
        Ok(Explanation {
            answer,
            tokens: tokens.iter().map(|token| token.bytes).collect(),
            protected: tokens.iter().map(|token| token.protected).collect(),
            alternatives,
            segmentations,
            weights: [first].into_iter().chain(names.map(weight)).collect(),
            source_language: language,
        })
    }

    fn alternatives(
        &self,
        planned: &Planned<'_>,
        answer: &Answer,
        source_language: LogProb,
    ) -> Vec<Alternative> {
        let lattice = &planned.lattice;
        let mut found = Vec::new();
        for unit in lattice.units() {
            let spans = lattice.unit_spans(unit);
            let Some(span) = spans.iter().copied().reduce(Span::cover) else {
                continue;
            };
            let target = target_words(planned, unit);
            if spans.len() == 1 && planned.sentence.words_in(span) == target {
                continue;
            }
            let language = (spans.len() == 1).then(|| {
                let words = replaced(planned.sentence.words(), span, &target);
                self.bundle().language.sentence(&words).ln() - source_language.ln()
            });
            let features = lattice.unit_features(unit);
            let score = features
                .iter()
                .map(|&(feature, value)| planned.model.weight(feature).get() * f64::from(value));
            let table = self.table_name(unit.table.index()).to_owned();
            let bytes = planned.sentence.bytes_of(span);
            let uses = |item: &crate::Paraphrase| {
                item.edits.iter().any(|edit| {
                    edit.table == table && edit.rule == unit.rule && edit.source.overlaps(bytes)
                })
            };
            let ranks = (0..answer.items.len()).filter(|&at| uses(&answer.items[at]));
            let used_by = ranks.collect();
            found.push(Alternative {
                span,
                from: planned
                    .sentence
                    .text()
                    .get(bytes.range())
                    .unwrap_or("")
                    .to_owned(),
                to: lattice.lexicon().join(&target),
                rule: unit.rule,
                features: Values::new(lattice.feature_set(), features),
                score: score.sum(),
                language,
                used_by,
                table,
            });
        }
        found
    }
}

fn target_words(planned: &Planned<'_>, unit: &Unit) -> Vec<WordId> {
    let mut words = Vec::new();
    for piece in planned.lattice.unit_target(unit) {
        match *piece {
            UnitPiece::Word(word) => words.push(word),
            UnitPiece::Copy(span) => words.extend_from_slice(planned.sentence.words_in(span)),
        }
    }
    words
}

fn replaced(source: &[WordId], span: Span, target: &[WordId]) -> Vec<WordId> {
    let range = span.range();
    let mut words = source.get(..range.start).unwrap_or(&[]).to_vec();
    words.extend_from_slice(target);
    words.extend_from_slice(source.get(range.end..).unwrap_or(&[]));
    words
}
