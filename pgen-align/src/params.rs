//! Settings of the trainers: plain fields, checked once before work begins.

use crate::error::Result;

/// Settings of [`Model1`](crate::Model1).
///
/// | field | default | meaning |
/// |---|---|---|
/// | `iterations` | 5 | EM iterations, at least 1 |
/// | `prune` | 1e-7 | entries below this probability leave the table after each iteration; 0 keeps all |
/// | `alpha` | 0 | above 0 rows are estimated by variational Bayes with this pseudo-count; such rows sum to less than 1 |
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct Model1Params {
    pub iterations: usize,
    pub prune: f64,
    pub alpha: f64,
}

impl Default for Model1Params {
    fn default() -> Self {
        Model1Params {
            iterations: 5,
            prune: 1e-7,
            alpha: 0.0,
        }
    }
}

impl Model1Params {
    /// Sets the number of iterations.
    #[must_use]
    pub fn with_iterations(mut self, iterations: usize) -> Self {
        self.iterations = iterations;
        self
    }

    /// Sets the pseudo-count of variational Bayes.
    #[must_use]
    pub fn with_alpha(mut self, alpha: f64) -> Self {
        self.alpha = alpha;
        self
    }

    /// Sets the pruning threshold.
    #[must_use]
    pub fn with_prune(mut self, prune: f64) -> Self {
        self.prune = prune;
        self
    }

    /// Checks every field.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadParameter`] for the first that is out of range.
    pub fn check(&self) -> Result<()> {
        check_count("iterations", self.iterations, 1)?;
        check_range("prune", self.prune, 0.0, 0.5)?;
        check_range("alpha", self.alpha, 0.0, 1e3)
    }
}

/// Settings of [`Model2`](crate::Model2).
///
/// | field | default | meaning |
/// |---|---|---|
/// | `iterations` | 5 | EM iterations, at least 1 |
/// | `prune` | 1e-7 | entries below this probability leave the table after each iteration |
/// | `floor` | 0 | smallest translation probability |
/// | `max_length` | 256 | longer sentences are left out of training and aligned by the table alone |
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct Model2Params {
    pub iterations: usize,
    pub prune: f64,
    pub floor: f64,
    pub max_length: usize,
}

impl Default for Model2Params {
    fn default() -> Self {
        Model2Params {
            iterations: 5,
            prune: 1e-7,
            floor: 0.0,
            max_length: 256,
        }
    }
}

impl Model2Params {
    /// Sets the number of iterations.
    #[must_use]
    pub fn with_iterations(mut self, iterations: usize) -> Self {
        self.iterations = iterations;
        self
    }

    /// Sets the pruning threshold.
    #[must_use]
    pub fn with_prune(mut self, prune: f64) -> Self {
        self.prune = prune;
        self
    }

    /// Checks every field.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadParameter`] for the first that is out of range.
    pub fn check(&self) -> Result<()> {
        check_count("iterations", self.iterations, 1)?;
        check_range("prune", self.prune, 0.0, 0.5)?;
        check_range("floor", self.floor, 0.0, 0.1)?;
        check_count("max_length", self.max_length, 1)
    }
}

/// Settings of [`Model34`](crate::Model34).
///
/// | field | default | meaning |
/// |---|---|---|
/// | `model3_iterations` | 5 | iterations of Model 3, at least 1 |
/// | `model4_iterations` | 5 | iterations of Model 4; 0 makes it a Model 3 |
/// | `null` | 0.02 | probability of a NULL word after a word |
/// | `smoothing` | 2 | pseudo-count of a word's fertilities and of a distortion's background |
/// | `prune` | 1e-6 | entries below this probability leave the table after each iteration |
/// | `floor` | 1e-7 | smallest translation probability |
/// | `max_length` | 100 | longer sentences are left out of training and aligned by the HMM |
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct Model34Params {
    pub model3_iterations: usize,
    pub model4_iterations: usize,
    pub null: f64,
    pub smoothing: f64,
    pub prune: f64,
    pub floor: f64,
    pub max_length: usize,
}

impl Default for Model34Params {
    fn default() -> Self {
        Model34Params {
            model3_iterations: 5,
            model4_iterations: 5,
            null: 0.02,
            smoothing: 2.0,
            prune: 1e-6,
            floor: 1e-7,
            max_length: 100,
        }
    }
}

impl Model34Params {
    /// Sets the numbers of iterations of Model 3 and of Model 4.
    #[must_use]
    pub fn with_iterations(mut self, model3: usize, model4: usize) -> Self {
        (self.model3_iterations, self.model4_iterations) = (model3, model4);
        self
    }

    /// Checks every field.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadParameter`] for the first that is out of range.
    pub fn check(&self) -> Result<()> {
        check_count("model3_iterations", self.model3_iterations, 1)?;
        check_count("model4_iterations", self.model4_iterations, 0)?;
        check_range("null", self.null, 1e-6, 0.5)?;
        check_range("smoothing", self.smoothing, 1e-3, 1e6)?;
        check_range("prune", self.prune, 0.0, 0.5)?;
        check_range("floor", self.floor, 1e-30, 0.1)?;
        check_count("max_length", self.max_length, 1)
    }
}

/// How the jump distribution of an HMM is re-estimated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum JumpUpdate {
    /// c(d) becomes the expected number of jumps of width d, whether the jump or the uniform part made
    /// them: the usual rule, which is not quite a maximum-likelihood step.
    Counts,
    /// A minorise-maximise step that accounts for the uniform part and for jumps that the sentence's
    /// ends forbid: the likelihood never falls.
    #[default]
    Likelihood,
}

/// Settings of [`Hmm`](crate::Hmm).
///
/// | field | default | meaning |
/// |---|---|---|
/// | `iterations` | 5 | EM iterations, at least 1 |
/// | `null` | 0.2 | probability of a NULL state, below 1 |
/// | `uniform` | 0.2 | share of the uniform jump |
/// | `max_jump` | 100 | wider jumps share the weight of this one |
/// | `jump_floor` | 1e-6 | added to each expected jump count |
/// | `update` | likelihood | how jumps are re-estimated |
/// | `prune` | 1e-6 | entries below this probability leave the table after each iteration |
/// | `floor` | 1e-7 | smallest emission probability |
/// | `alpha` | 0 | as in [`Model1Params`] |
/// | `max_length` | 256 | longer sentences are left out of training and aligned by the table alone |
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct HmmParams {
    pub iterations: usize,
    pub null: f64,
    pub uniform: f64,
    pub max_jump: usize,
    pub jump_floor: f64,
    pub update: JumpUpdate,
    pub prune: f64,
    pub floor: f64,
    pub alpha: f64,
    pub max_length: usize,
}

impl Default for HmmParams {
    fn default() -> Self {
        HmmParams {
            iterations: 5,
            null: 0.2,
            uniform: 0.2,
            max_jump: 100,
            jump_floor: 1e-6,
            update: JumpUpdate::default(),
            prune: 1e-6,
            floor: 1e-7,
            alpha: 0.0,
            max_length: 256,
        }
    }
}

impl HmmParams {
    /// Sets the number of iterations.
    #[must_use]
    pub fn with_iterations(mut self, iterations: usize) -> Self {
        self.iterations = iterations;
        self
    }

    /// Sets the probability of NULL states.
    #[must_use]
    pub fn with_null(mut self, null: f64) -> Self {
        self.null = null;
        self
    }

    /// Sets the pseudo-count of variational Bayes.
    #[must_use]
    pub fn with_alpha(mut self, alpha: f64) -> Self {
        self.alpha = alpha;
        self
    }

    /// Neither cut-offs nor floors: plain EM.
    #[must_use]
    pub fn without_cutoffs(mut self) -> Self {
        (self.prune, self.floor, self.jump_floor) = (0.0, 0.0, 0.0);
        self
    }

    /// Checks every field.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadParameter`] for the first that is out of range.
    pub fn check(&self) -> Result<()> {
        check_count("iterations", self.iterations, 1)?;
        check_range("null", self.null, 0.0, 0.999)?;
        check_range("uniform", self.uniform, 0.0, 1.0)?;
        check_count("max_jump", self.max_jump, 1)?;
        check_range("jump_floor", self.jump_floor, 0.0, 1.0)?;
        check_range("prune", self.prune, 0.0, 0.5)?;
        check_range("floor", self.floor, 0.0, 0.1)?;
        check_range("alpha", self.alpha, 0.0, 1e3)?;
        check_count("max_length", self.max_length, 1)
    }
}

/// Settings of [`Consensus`](crate::Consensus): round numbers, none of them fitted to gold links.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `bag_iterations` | 3 | EM iterations without positions, at least 1 |
/// | `iterations` | 5 | EM iterations with jumps, at least 1 |
/// | `null` | 0.2 | first guess of the share of words without a partner; learned from then on |
/// | `uniform` | 0.1 | share of the uniform jump |
/// | `identity` | 10 | pseudo-count of a word translated into itself |
/// | `likeness` | 1 | pseudo-count of words that look alike, times their [`similarity`](crate::similarity) |
/// | `lexicon` | 1 | pseudo-count of a pair in the lexicon, times its weight |
/// | `background` | 1 | pseudo-count spread over all words like unigrams |
/// | `threshold` | 0.5 | least probability of a link |
/// | `max_length` | 256 | longer sentences are left out of training and aligned without positions |
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct ConsensusParams {
    pub bag_iterations: usize,
    pub iterations: usize,
    pub null: f64,
    pub uniform: f64,
    pub identity: f64,
    pub likeness: f64,
    pub lexicon: f64,
    pub background: f64,
    pub threshold: f64,
    pub max_length: usize,
}

impl Default for ConsensusParams {
    fn default() -> Self {
        ConsensusParams {
            bag_iterations: 3,
            iterations: 5,
            null: 0.2,
            uniform: 0.1,
            identity: 10.0,
            likeness: 1.0,
            lexicon: 1.0,
            background: 1.0,
            threshold: 0.5,
            max_length: 256,
        }
    }
}

impl ConsensusParams {
    /// Sets the pseudo-counts of identical words, of words that look alike and of lexicon pairs; all 0
    /// for pairs in two languages without a lexicon.
    #[must_use]
    pub fn with_priors(mut self, identity: f64, likeness: f64, lexicon: f64) -> Self {
        (self.identity, self.likeness, self.lexicon) = (identity, likeness, lexicon);
        self
    }

    /// Sets the least probability of a link.
    #[must_use]
    pub fn with_threshold(mut self, threshold: f64) -> Self {
        self.threshold = threshold;
        self
    }

    /// Checks every field.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadParameter`] for the first that is out of range.
    pub fn check(&self) -> Result<()> {
        check_count("bag_iterations", self.bag_iterations, 1)?;
        check_count("iterations", self.iterations, 1)?;
        check_range("null", self.null, 0.01, 0.99)?;
        check_range("uniform", self.uniform, 0.0, 1.0)?;
        check_range("identity", self.identity, 0.0, 1e6)?;
        check_range("likeness", self.likeness, 0.0, 1e6)?;
        check_range("lexicon", self.lexicon, 0.0, 1e6)?;
        check_range("background", self.background, 1e-6, 1e6)?;
        check_range("threshold", self.threshold, 0.0, 1.0)?;
        check_count("max_length", self.max_length, 1)
    }
}

/// A count that must reach a minimum and stay below a million.
pub(crate) fn check_count(name: &'static str, value: usize, least: usize) -> Result<()> {
    if (least..=1_000_000).contains(&value) {
        return Ok(());
    }
    let expected = if least == 0 {
        "at most a million"
    } else {
        "from 1 to a million"
    };
    Err(pgen_core::Error::parameter(name, value, expected).into())
}

/// A number that must lie in a closed range; NaN does not.
pub(crate) fn check_range(name: &'static str, value: f64, low: f64, high: f64) -> Result<()> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(pgen_core::Error::parameter(name, value, "within the range that its table names").into())
}
