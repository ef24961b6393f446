//! What decoders return: scored texts, how they came about, and how far the list can be trusted.

use crate::count::Count;
use crate::id::{EdgeId, FeatureId, RuleId, TableId, UnitId, WordId};
use crate::lattice::Lattice;
use crate::score::{LogProb, Score};
use crate::sentence::Sentence;
use crate::span::Span;

/// One text with its score and the best derivation of it.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Hypothesis {
    /// The text, as words of the lattice's lexicon.
    pub words: Vec<WordId>,
    /// The weighted score of the best derivation, language model included.
    pub score: Score,
    /// Unweighted feature sums of the best derivation, ascending by feature.
    pub features: Vec<(FeatureId, LogProb)>,
    /// ln P of the text under the language model, `</s>` included; unweighted.
    pub language: LogProb,
    /// The edges of the best derivation from start to end.
    pub derivation: Vec<EdgeId>,
    /// How many derivations write this text, if asked for.
    pub derivations: Option<Count>,
    /// ln of the sum of e^score over all derivations of this text, if asked for.
    pub marginal: Option<Score>,
    /// Probability that the paraphrase is right, where a calibrated model was at hand.
    pub confidence: Option<f64>,
}

impl Hypothesis {
    /// A hypothesis with its required parts.
    #[must_use]
    pub fn new(
        words: Vec<WordId>,
        score: Score,
        language: LogProb,
        derivation: Vec<EdgeId>,
    ) -> Self {
        Hypothesis {
            words,
            score,
            features: Vec::new(),
            language,
            derivation,
            derivations: None,
            marginal: None,
            confidence: None,
        }
    }

    /// What the best derivation replaced by what, ascending by target position. Edges that copy the
    /// source are no edits.
    #[must_use]
    pub fn edits(&self, lattice: &Lattice, sentence: &Sentence) -> Vec<Edit> {
        let mut edits: Vec<Edit> = Vec::new();
        let mut written = 0u32;
        for edge in self.derivation.iter().filter_map(|&id| lattice.edge(id)) {
            let words = lattice.words(edge);
            let end = written + words.len() as u32;
            let target = Span::empty(written).cover(Span::empty(end));
            written = end;
            let Some(unit_id) = edge.unit else { continue };
            let Some(unit) = lattice.unit(unit_id) else {
                continue;
            };
            let copies = edge
                .span
                .is_some_and(|span| sentence.words_in(span) == words)
                && lattice.unit_spans(unit) == [edge.span.unwrap_or_default()];
            if copies {
                continue;
            }
            let earlier = edits.iter_mut().find(|edit| {
                edit.unit == unit_id && (edge.span.is_none() || edge.span == Some(edit.source))
            });
            match earlier {
                // A later edge of a pattern: the edit reaches up to here.
                Some(edit) => edit.target = edit.target.cover(target),
                None => edits.push(Edit {
                    source: edge
                        .span
                        .or_else(|| lattice.unit_spans(unit).first().copied())
                        .unwrap_or_default(),
                    target,
                    unit: unit_id,
                    table: unit.table,
                    rule: unit.rule,
                }),
            }
        }
        edits
    }
}

/// One replacement in a hypothesis, in token positions. The parts of a collocation are one edit each
/// and share their unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The source tokens replaced.
    pub source: Span,
    /// The target tokens in their place; for a pattern, its fillers included.
    pub target: Span,
    /// The unit.
    pub unit: UnitId,
    /// The table that it comes from.
    pub table: TableId,
    /// The rule within the table.
    pub rule: RuleId,
}

/// What a list of answers is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Certificate {
    /// The list holds the best distinct texts under the true score, in order; there are more.
    Exact,
    /// As `Exact`, and there are no more: every text of the lattice that passes the request is here.
    Exhausted,
    /// A budget or deadline ended the search. What is here is in true order and best among what was
    /// seen; nothing that is missing scores above the bound.
    Bounded {
        /// No text outside the list scores higher.
        upper_bound_of_rest: Score,
    },
    /// The list comes from a search that may miss better texts.
    Heuristic,
}

/// How much work a search did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SearchStats {
    /// Search states made.
    pub states: u64,
    /// Items taken from the queue.
    pub pops: u64,
    /// Rows or single queries asked of the language model.
    pub language_queries: u64,
}

/// A list of distinct texts, best first; equal scores are ordered by text.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct NBest {
    /// The answers.
    pub items: Vec<Hypothesis>,
    /// What the list is worth.
    pub certificate: Certificate,
    /// How much work it was.
    pub stats: SearchStats,
}

impl NBest {
    /// A list with its certificate.
    #[must_use]
    pub fn new(items: Vec<Hypothesis>, certificate: Certificate, stats: SearchStats) -> Self {
        NBest {
            items,
            certificate,
            stats,
        }
    }
}
