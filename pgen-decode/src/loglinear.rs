//! The log-linear model: what a derivation scores.
//!
//! score = Σ over edges Σ_k λ_k · h_k + λ_lm · ln P_lm(words, `</s>`) + λ_w · number of words
//! (Zhao et al. 2009, eq. 1–6; Quirk et al. 2004, §3.4; Chevelu et al. 2010, §2).
//!
//! Every term is rounded to a fixed grid, 2⁻³⁶ of the largest weight's power of two. Sums of grid
//! numbers are exact in `f64` up to 2¹⁷ times that power, so a score does not depend on the order of
//! its additions: equal scores are equal bits, ties are real ties, and every decoder reports the same
//! number for the same derivation.

use crate::error::Result;
use pgen_core::{Edge, Error as CoreError, FeatureId, FeatureSet, Lattice, LogProb, Score, Weight};

/// Weights together with a language model.
#[derive(Debug)]
pub struct LogLinear<'a, L> {
    language: &'a L,
    language_weight: Weight,
    weights: Vec<Weight>,
    word_bonus: Weight,
    grid: Grid,
}

impl<L> Clone for LogLinear<'_, L> {
    fn clone(&self) -> Self {
        LogLinear {
            language: self.language,
            weights: self.weights.clone(),
            ..*self
        }
    }
}

/// No weight may be larger: sums must stay finite.
const LARGEST_WEIGHT: f64 = 1e12;

impl<'a, L> LogLinear<'a, L> {
    /// A model with all weights 1 and no word bonus.
    #[must_use]
    pub fn new(language: &'a L) -> Self {
        LogLinear {
            language,
            language_weight: Weight::ONE,
            weights: Vec::new(),
            word_bonus: Weight::ZERO,
            grid: Grid::new(1.0),
        }
    }

    /// The weights of features 0, 1, …; features without an entry keep weight 1.
    ///
    /// # Errors
    /// `bad-parameter` for a weight above 10¹² in magnitude.
    pub fn with_weights(mut self, weights: Vec<Weight>) -> Result<Self> {
        self.weights = weights;
        self.checked()
    }

    /// The weight of one feature by its name.
    ///
    /// # Errors
    /// `bad-parameter` if the set has no such feature, or for a weight above 10¹² in magnitude.
    pub fn with_named_weight(
        mut self,
        features: &FeatureSet,
        name: &str,
        weight: Weight,
    ) -> Result<Self> {
        let found = features.find(name);
        let feature = found.ok_or_else(|| {
            CoreError::parameter("feature", name, "the name of a feature of the plan")
        })?;
        if self.weights.len() <= feature.index() {
            self.weights.resize(feature.index() + 1, Weight::ONE);
        }
        self.weights[feature.index()] = weight;
        self.checked()
    }

    /// The weight of the language model.
    ///
    /// # Errors
    /// `bad-parameter` for a weight above 10¹² in magnitude.
    pub fn with_language_weight(mut self, weight: Weight) -> Result<Self> {
        self.language_weight = weight;
        self.checked()
    }

    /// What each word adds (Chevelu's λ_W); `</s>` is none.
    ///
    /// # Errors
    /// `bad-parameter` for a bonus above 10¹² in magnitude.
    pub fn with_word_bonus(mut self, bonus: Weight) -> Result<Self> {
        self.word_bonus = bonus;
        self.checked()
    }

    fn checked(mut self) -> Result<Self> {
        let all = self
            .weights
            .iter()
            .chain([&self.language_weight, &self.word_bonus]);
        let largest = all.map(|weight| weight.get().abs()).fold(0.0, f64::max);
        if largest > LARGEST_WEIGHT {
            let expected = "at most 1e12 in magnitude";
            return Err(CoreError::parameter("weight", format!("{largest:e}"), expected).into());
        }
        // Features without an entry weigh 1; the grid follows the weights that are given, so that
        // scaling all of them by a power of two scales every score exactly.
        self.grid = Grid::new(if largest == 0.0 { 1.0 } else { largest });
        Ok(self)
    }

    /// The language model.
    #[must_use]
    pub fn language(&self) -> &'a L {
        self.language
    }

    /// The weight of the language model.
    #[must_use]
    pub fn language_weight(&self) -> Weight {
        self.language_weight
    }

    /// The weight of a feature.
    #[must_use]
    pub fn weight(&self, feature: FeatureId) -> Weight {
        self.weights
            .get(feature.index())
            .copied()
            .unwrap_or(Weight::ONE)
    }

    /// What each word adds.
    #[must_use]
    pub fn word_bonus(&self) -> Weight {
        self.word_bonus
    }

    /// What an edge adds without the language model: Σ_k λ_k · h_k, rounded to the grid. Impossible if
    /// a feature with a weight is.
    #[inline]
    #[must_use]
    pub fn edge_score(&self, lattice: &Lattice, edge: &Edge) -> Score {
        let mut sum = 0.0;
        for &(feature, value) in lattice.features(edge) {
            sum += (self.weight(feature) * LogProb::from_ln(f64::from(value))).ln();
        }
        Score::from_ln(self.grid.round(sum))
    }

    /// What a word adds that the language model gives this log probability, rounded to the grid.
    #[inline]
    #[must_use]
    pub fn word_score(&self, log_prob: LogProb) -> Score {
        Score::from_ln(self.finish_score(log_prob).ln() + self.bonus())
    }

    /// What `</s>` adds, rounded to the grid.
    #[inline]
    #[must_use]
    pub fn finish_score(&self, log_prob: LogProb) -> Score {
        Score::from_ln(self.grid.round((self.language_weight * log_prob).ln()))
    }

    /// The word bonus on the grid.
    #[inline]
    pub(crate) fn bonus(&self) -> f64 {
        self.grid.round(self.word_bonus.get())
    }

    pub(crate) fn grid(&self) -> Grid {
        self.grid
    }
}

/// Rounds to multiples of one power of two.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Grid {
    /// Adding and taking away a number this large leaves a multiple of the step.
    shift: f64,
}

impl Grid {
    fn new(largest: f64) -> Self {
        let exponent = ((largest.to_bits() >> 52) & 0x7ff) as i32 - 1023;
        Grid {
            shift: 1.5 * 2f64.powi(52 - 36 + exponent.max(-500)),
        }
    }

    #[inline]
    pub(crate) fn round(self, value: f64) -> f64 {
        (value + self.shift) - self.shift
    }

    /// The constant to add and take away, for loops over many values.
    #[inline]
    pub(crate) fn shift(self) -> f64 {
        self.shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grid_sums_do_not_depend_on_order() {
        let grid = Grid::new(1.0);
        let values: Vec<f64> = (1..200).map(|i| grid.round(-f64::from(i).ln())).collect();
        let forward: f64 = values.iter().sum();
        let backward: f64 = values.iter().rev().sum();
        assert_eq!(forward.to_bits(), backward.to_bits());
        assert!((grid.round(-1.234_567_890_123) + 1.234_567_890_123).abs() < 1e-11);
        assert_eq!(grid.round(f64::NEG_INFINITY), f64::NEG_INFINITY);
    }

    #[test]
    fn powers_of_two_scale_exactly() {
        let (one, eight) = (Grid::new(1.3), Grid::new(8.0 * 1.3));
        for i in 1..100 {
            let value = -f64::from(i).sqrt();
            assert_eq!(8.0 * one.round(value), eight.round(8.0 * value));
        }
    }

    #[test]
    fn bad_weights_are_refused() {
        let model = LogLinear::new(&());
        let error = model.with_weights(vec![Weight::new(1e13).unwrap()]);
        assert_eq!(error.unwrap_err().code(), "bad-parameter");
        let set = FeatureSet::new(vec!["tm".into()]);
        let error = LogLinear::new(&()).with_named_weight(&set, "lm2", Weight::ONE);
        assert_eq!(error.unwrap_err().code(), "bad-parameter");
    }
}
