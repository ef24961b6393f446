//! Settings of training.

use crate::error::Result;
use pgen_core::Error as CoreError;

/// Settings of [`train`](crate::train::train).
///
/// | field | default | meaning |
/// |---|---|---|
/// | `order` | 3 | order of the language model, 1–8 |
/// | `quantize_bits` | 0 | bits of a stored value, 4–8; 0 keeps 32-bit floats |
/// | `prune` | 0 | entropy threshold below which n-grams are dropped; 0 keeps all |
/// | `min_word_count` | 1 | words seen less often are unknown to the language model |
/// | `max_words` | 5 | longest phrase on either side |
/// | `max_sentence` | 60 | longer sentences are left out of alignment, in tokens |
/// | `model1_iterations` | 5 | EM iterations of Model 1 |
/// | `hmm_iterations` | 4 | EM iterations of the HMM |
/// | `tau` | 200 | pivot phrases with more translations are left out |
/// | `epsilon` | 1e-5 | rows below this probability are dropped |
/// | `kappa` | 20 | rows kept for each source |
/// | `min_count` | 1 | phrases seen less often are dropped |
/// | `min_probability` | 0 | rows below this probability in either direction are dropped |
/// | `english_filter` | true | apply the hard rules for English rows |
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct TrainParams {
    pub order: usize,
    pub quantize_bits: u8,
    pub prune: f64,
    pub min_word_count: u64,
    pub max_words: usize,
    pub max_sentence: usize,
    pub model1_iterations: usize,
    pub hmm_iterations: usize,
    pub tau: usize,
    pub epsilon: f64,
    pub kappa: usize,
    pub min_count: f64,
    pub min_probability: f64,
    pub english_filter: bool,
}

impl Default for TrainParams {
    fn default() -> Self {
        TrainParams {
            order: 3,
            quantize_bits: 0,
            prune: 0.0,
            min_word_count: 1,
            max_words: 5,
            max_sentence: 60,
            model1_iterations: 5,
            hmm_iterations: 4,
            tau: 200,
            epsilon: 1e-5,
            kappa: 20,
            min_count: 1.0,
            min_probability: 0.0,
            english_filter: true,
        }
    }
}

impl TrainParams {
    /// Checks every field.
    ///
    /// # Errors
    /// [`CoreError::BadParameter`] for the first that is out of range.
    pub fn check(&self) -> Result<()> {
        let bad = |name, value: &dyn std::fmt::Display, expected| {
            Err(CoreError::parameter(name, value, expected).into())
        };
        if !(1..=8).contains(&self.order) {
            return bad("order", &self.order, "1 to 8");
        }
        if !matches!(self.quantize_bits, 0 | 4..=8) {
            return bad("quantize_bits", &self.quantize_bits, "0, or 4 to 8");
        }
        let longest = pgen_core::Limits::default().phrase;
        if !(1..=longest).contains(&self.max_words) {
            return bad("max_words", &self.max_words, "1 to 64");
        }
        for (name, value) in [
            ("max_sentence", self.max_sentence),
            ("kappa", self.kappa),
            ("tau", self.tau),
            ("model1_iterations", self.model1_iterations),
            ("hmm_iterations", self.hmm_iterations),
        ] {
            if value == 0 {
                return bad(name, &value, "at least 1");
            }
        }
        if self.min_probability > 1.0 {
            return bad("min_probability", &self.min_probability, "0 to 1");
        }
        for (name, value) in [
            ("epsilon", self.epsilon),
            ("min_probability", self.min_probability),
            ("min_count", self.min_count),
            ("prune", self.prune),
        ] {
            if !value.is_finite() || value < 0.0 {
                return bad(name, &value, "a number not below 0");
            }
        }
        Ok(())
    }
}
