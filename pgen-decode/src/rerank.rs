//! What a decoder's list is worth: its texts ordered anew by their true score (Chevelu et al. 2010,
//! §3.2–3.3).

use crate::judge::{Kendall, Summary};
use pgen_core::{Error as CoreError, Score};

/// A list of distinct texts in a decoder's order, ordered anew by true score.
#[derive(Clone, PartialEq, Debug)]
pub struct Reranking {
    /// For each place of the old order its new rank, from 0.
    new_ranks: Vec<usize>,
    modified: Vec<bool>,
    gap: f64,
}

impl Reranking {
    /// Orders texts by true score, descending; equal ones stay in the old order. A score is modified if
    /// the true one is more than `tolerance` above it (32-bit scores in files are rounded).
    ///
    /// O(n log n).
    ///
    /// # Errors
    /// `mismatch` if the lengths differ.
    pub fn new(
        decoder: &[Score],
        true_scores: &[Score],
        tolerance: f64,
    ) -> Result<Self, CoreError> {
        if decoder.len() != true_scores.len() {
            return Err(CoreError::Mismatch {
                what: "decoder scores and true scores",
                reason: format!("{} and {}", decoder.len(), true_scores.len()).into(),
            });
        }
        let mut order: Vec<usize> = (0..decoder.len()).collect();
        order.sort_by(|&i, &j| true_scores[j].total_cmp(&true_scores[i]));
        let mut new_ranks = vec![0; order.len()];
        for (rank, &old) in order.iter().enumerate() {
            new_ranks[old] = rank;
        }
        let pairs = decoder.iter().zip(true_scores);
        let gap = match (order.first(), order.last()) {
            (Some(&first), Some(&last)) => true_scores[first] - true_scores[last],
            _ => 0.0,
        };
        Ok(Reranking {
            new_ranks,
            modified: pairs.map(|(old, new)| *new - *old > tolerance).collect(),
            gap,
        })
    }

    /// For each place of the old order its new rank, from 0.
    #[must_use]
    pub fn new_ranks(&self) -> &[usize] {
        &self.new_ranks
    }

    /// Pairs kept and turned round among the first `size` of the old order.
    #[must_use]
    pub fn kendall(&self, size: usize) -> Kendall {
        Kendall::of(&self.new_ranks[..size.min(self.new_ranks.len())])
    }

    /// Share of texts whose score was too low; 0 for an empty list.
    #[must_use]
    pub fn share_modified(&self) -> f64 {
        let modified = self.modified.iter().filter(|&&modified| modified).count();
        modified as f64 / self.modified.len().max(1) as f64
    }

    /// The new rank of the old first text.
    #[must_use]
    pub fn new_rank_of_old_first(&self) -> Option<usize> {
        self.new_ranks.first().copied()
    }

    /// The old rank of the new first text.
    #[must_use]
    pub fn old_rank_of_new_first(&self) -> Option<usize> {
        self.new_ranks.iter().position(|&rank| rank == 0)
    }
}

/// Collects the rerankings of many sentences.
#[derive(Clone, Debug, Default)]
pub struct RerankStudy {
    lists: Vec<Reranking>,
}

/// What a [`RerankStudy`] found.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RerankReport {
    /// Lists studied.
    pub lists: usize,
    /// Texts in them.
    pub texts: usize,
    /// Share of texts whose score was too low.
    pub modified: f64,
    /// Share of lists whose first text is not the first by true score.
    pub first_moved: f64,
    /// τ_A by list length, of the lists that are long enough.
    pub tau: Vec<(usize, Summary)>,
    /// New rank of the old first text, from 1: of all lists, and of those where it moved.
    pub new_rank_of_old_first: (Option<Summary>, Option<Summary>),
    /// Old rank of the new first text, likewise.
    pub old_rank_of_new_first: (Option<Summary>, Option<Summary>),
    /// True score of the new first text minus that of the new last one.
    pub gap: Option<Summary>,
}

impl RerankStudy {
    /// Adds a sentence's list; an empty one is left out.
    pub fn add(&mut self, list: Reranking) {
        if !list.new_ranks.is_empty() {
            self.lists.push(list);
        }
    }

    /// What was found, τ_A at these list lengths.
    #[must_use]
    pub fn report(&self, lengths: &[usize]) -> RerankReport {
        let texts = self.lists.iter().map(|list| list.new_ranks.len()).sum();
        let modified = self.lists.iter().flat_map(|list| &list.modified);
        let modified = modified.filter(|&&modified| modified).count();
        let ranks = |of: fn(&Reranking) -> Option<usize>| {
            let all = self.lists.iter().filter_map(of);
            let all: Vec<f64> = all.map(|rank| rank as f64 + 1.0).collect();
            let moved: Vec<f64> = all.iter().copied().filter(|&rank| rank > 1.0).collect();
            (Summary::of(&all), Summary::of(&moved))
        };
        let new_rank_of_old_first = ranks(Reranking::new_rank_of_old_first);
        let moved = new_rank_of_old_first.1.map_or(0, |moved| moved.count);
        let gaps: Vec<f64> = self.lists.iter().map(|list| list.gap).collect();
        let tau = lengths.iter().filter_map(|&length| {
            let long = self
                .lists
                .iter()
                .filter(|list| list.new_ranks.len() >= length);
            let taus: Vec<f64> = long.filter_map(|list| list.kendall(length).tau()).collect();
            Some((length, Summary::of(&taus)?))
        });
        RerankReport {
            lists: self.lists.len(),
            texts,
            modified: modified as f64 / texts.max(1) as f64,
            first_moved: moved as f64 / self.lists.len().max(1) as f64,
            tau: tau.collect(),
            new_rank_of_old_first,
            old_rank_of_new_first: ranks(Reranking::old_rank_of_new_first),
            gap: Summary::of(&gaps),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(values: &[f64]) -> Vec<Score> {
        values.iter().map(|&value| Score::from_ln(value)).collect()
    }

    #[test]
    fn ties_stay_in_the_old_order() {
        let old = scores(&[-1.0, -2.0, -3.0]);
        let list = Reranking::new(&old, &scores(&[-1.0, -0.5, -0.5]), 1e-6).unwrap();
        assert_eq!(list.new_ranks(), [2, 0, 1]);
        assert_eq!(list.old_rank_of_new_first(), Some(1));
        assert!((list.share_modified() - 2.0 / 3.0).abs() < 1e-12);
        let error = Reranking::new(&old, &old[..1], 0.0).unwrap_err();
        assert_eq!(error.code(), "mismatch");
    }

    #[test]
    fn a_study_of_nothing_is_empty() {
        let mut study = RerankStudy::default();
        study.add(Reranking::new(&[], &[], 0.0).unwrap());
        let report = study.report(&[5]);
        assert_eq!((report.lists, report.gap), (0, None));
        assert!(report.tau.is_empty());
    }
}
