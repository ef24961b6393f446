//! The true score of a given text: the best score over all its derivations (Chevelu et al. 2010,
//! Algorithm 1), with their number, their log-sum, and why a text is not the answer.

use crate::chart::Chart;
use crate::error::Result;
use crate::loglinear::LogLinear;
use pgen_core::{
    Count, EdgeId, Error as CoreError, Hypothesis, LanguageModel, Lattice, Limits, LogProb, NodeId,
    Place, Score, Span, WordId,
};

/// The derivations of one text over one lattice under one model.
///
/// Making it costs O(edges · words) time and memory at the most and one language-model pass over the text.
#[derive(Debug)]
pub struct TrueScore {
    words: Vec<WordId>,
    edge_scores: Vec<f64>,
    chart: Chart,
    language: LogProb,
    language_score: Score,
}

/// Why a text is not what a decoder answered.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum WhyNot {
    /// No derivation writes it.
    Missing {
        /// How many of its first words some path writes.
        words: usize,
        /// The source stretches that end where those paths stop; a rule that writes the next word from
        /// one of their ends on is missing. Empty spans where nodes are no source positions.
        reached: Vec<NodeId>,
        /// The source position behind the farthest of those paths, if edges carry spans.
        source: Option<Span>,
    },
    /// It can be derived, but scores lower than the text it is compared with, or the same.
    Worse {
        /// Its true score.
        score: Score,
        /// How much is lacking.
        gap: f64,
    },
    /// It scores higher than the text it is compared with: filters or a heuristic search left it out.
    Better {
        /// Its true score.
        score: Score,
    },
}

impl TrueScore {
    /// Looks at a text.
    ///
    /// # Errors
    /// As [`TrueScore::within`], with the default limits.
    pub fn new<L: LanguageModel>(
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        text: &[WordId],
    ) -> Result<Self> {
        Self::within(lattice, model, text, &Limits::default())
    }

    /// Looks at a text.
    ///
    /// # Errors
    /// `limit-exceeded` if the derivations, shared as far as they can be, take more than `limits.states`
    /// steps: words that repeat, under rules for runs of them.
    pub fn within<L: LanguageModel>(
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        text: &[WordId],
        limits: &Limits,
    ) -> Result<Self> {
        let edge_scores = edge_scores(lattice, model);
        let Some(chart) = Chart::new(lattice, &edge_scores, text, limits.states) else {
            return Err(CoreError::LimitExceeded {
                place: Place::default(),
                what: "steps of the derivations of one text",
                limit: limits.states as u64,
                found: (limits.states as u64).saturating_add(1),
            }
            .into());
        };
        let (language, language_score) = language_scores(model, text);
        Ok(TrueScore {
            words: text.to_vec(),
            edge_scores,
            chart,
            language,
            language_score,
        })
    }

    /// The best derivation as a hypothesis, its number of derivations and marginal included; `None` if
    /// the text is unreachable: no derivation writes it, or only impossible ones do.
    #[must_use]
    pub fn hypothesis(&self, lattice: &Lattice) -> Option<Hypothesis> {
        let chart = &self.chart;
        let mut found = finish(
            lattice,
            chart,
            &self.words,
            self.language,
            self.language_score,
        )?;
        found.derivations = Some(chart.count());
        found.marginal = Some(marginal(chart, &self.edge_scores, self.language_score));
        Some(found)
    }

    /// The true score; −∞ if the text is unreachable.
    #[must_use]
    pub fn score(&self) -> Score {
        let best = self.chart.best();
        best.map_or(Score::ZERO, |best| {
            Score::from_ln(best) + self.language_score
        })
    }

    /// All derivations with the true score, at most `limit`.
    #[must_use]
    pub fn argmax(&self, limit: usize) -> Vec<Vec<EdgeId>> {
        self.chart.argmax(&self.edge_scores, limit)
    }

    /// How many derivations write the text, impossible ones left out.
    #[must_use]
    pub fn derivations(&self) -> Count {
        self.chart.count()
    }

    /// Why the text is not the answer that has this score.
    #[must_use]
    pub fn why_not(&self, lattice: &Lattice, answer: Score) -> WhyNot {
        let chart = &self.chart;
        let Some(best) = chart.best() else {
            let (words, reached) = chart.farthest();
            let into = lattice
                .edges()
                .iter()
                .filter(|edge| reached.contains(&edge.to));
            let source = into
                .filter_map(|edge| edge.span)
                .max_by_key(|span| span.end());
            return WhyNot::Missing {
                words,
                reached,
                source: source.map(|span| Span::empty(span.end())),
            };
        };
        let score = Score::from_ln(best) + self.language_score;
        if score.total_cmp(&answer).is_gt() {
            WhyNot::Better { score }
        } else {
            let gap = answer - score;
            WhyNot::Worse { score, gap }
        }
    }
}

/// ln P of a text and what it counts in the model, word bonuses included.
pub(crate) fn language_scores<L: LanguageModel>(
    model: &LogLinear<'_, L>,
    text: &[WordId],
) -> (LogProb, Score) {
    let language = model.language();
    let (mut state, mut sum, mut score) = (language.start(), LogProb::ONE, Score::ONE);
    for &word in text {
        let (next, log_prob) = language.advance(&state, word);
        state = next;
        sum += log_prob;
        score += model.word_score(log_prob);
    }
    let last = language.finish(&state);
    (sum + last, score + model.finish_score(last))
}

/// The score of every edge, by id.
pub(crate) fn edge_scores<L>(lattice: &Lattice, model: &LogLinear<'_, L>) -> Vec<f64> {
    let score = |edge| model.edge_score(lattice, edge).ln();
    lattice.edges().iter().map(score).collect()
}

/// A hypothesis from the chart of its text; `None` if it cannot be derived.
pub(crate) fn finish(
    lattice: &Lattice,
    chart: &Chart,
    words: &[WordId],
    language: LogProb,
    language_score: Score,
) -> Option<Hypothesis> {
    let score = Score::from_ln(chart.best()?) + language_score;
    if score.is_zero() {
        return None;
    }
    let derivation = chart.derivation();
    let mut found = Hypothesis::new(words.to_vec(), score, language, derivation);
    found.features = feature_sums(lattice, &found.derivation);
    Some(found)
}

/// ln Σ over derivations, the language model included.
pub(crate) fn marginal(chart: &Chart, edge_scores: &[f64], language_score: Score) -> Score {
    Score::from_ln(chart.marginal(edge_scores).ln()) + language_score
}

/// Unweighted feature sums of a derivation, ascending by feature.
pub(crate) fn feature_sums(
    lattice: &Lattice,
    derivation: &[EdgeId],
) -> Vec<(pgen_core::FeatureId, LogProb)> {
    let mut sums: Vec<(pgen_core::FeatureId, LogProb)> = Vec::new();
    for edge in derivation.iter().filter_map(|&id| lattice.edge(id)) {
        // Most edges have the same features, in order.
        let mut at = 0;
        for &(feature, value) in lattice.features(edge) {
            let value = LogProb::from_ln(f64::from(value));
            if sums.get(at).is_none_or(|&(known, _)| known != feature) {
                at = sums.partition_point(|&(known, _)| known < feature);
            }
            match sums.get_mut(at) {
                Some((known, sum)) if *known == feature => *sum += value,
                _ => sums.insert(at, (feature, value)),
            }
            at += 1;
        }
    }
    sums
}
