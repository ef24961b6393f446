//! Settings of estimation: plain fields, checked once before work begins.

use crate::error::Result;
use pgen_core::Error;
use std::path::PathBuf;

/// How probability is moved from what was seen to what was not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Smoothing {
    /// Interpolated Kneser-Ney with one discount an order: n₁ / (n₁ + 2 n₂) (Kneser and Ney 1995).
    KneserNey,
    /// Interpolated Kneser-Ney with discounts for counts 1, 2 and 3 or more (Chen and Goodman 1998); what
    /// KenLM's lmplz estimates.
    #[default]
    ModifiedKneserNey,
    /// Good-Turing discounts for counts up to 7 and back-off (Katz 1987); the default of SRILM and of the
    /// CMU toolkit. A context all of whose counts are higher keeps the share of one more token for words
    /// that it has not seen, as there.
    Katz,
    /// Interpolated Witten-Bell (Bell, Witten and Cleary 1990).
    WittenBell,
}

/// Settings of [`Estimator`](crate::Estimator).
///
/// | field | default | meaning |
/// |---|---|---|
/// | `order` | 3 | words of the longest n-grams, 1 to 8 |
/// | `smoothing` | modified Kneser-Ney | see [`Smoothing`] |
/// | `fallback` | true | use the discounts 0.5 (one) or 0.5, 1, 1.5 where counts define none, and report it; otherwise an error |
/// | `cutoffs` | none | for orders 1, 2, …: n-grams with counts up to this are left out; the last holds for the rest; must be 0 for order 1 |
/// | `max_words` | none | only so many of the most frequent words are kept (ties by spelling), others become `<unk>` |
/// | `memory` | 4 GiB (1 GiB on 32-bit platforms) | bytes for counting; beyond it sorted runs go to disk. The model is then made in memory |
/// | `folder` | the system's | where runs go |
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct EstimateParams {
    pub order: usize,
    pub smoothing: Smoothing,
    pub fallback: bool,
    pub cutoffs: Vec<u64>,
    pub max_words: Option<usize>,
    pub memory: usize,
    pub folder: Option<PathBuf>,
}

impl Default for EstimateParams {
    fn default() -> Self {
        EstimateParams {
            order: 3,
            smoothing: Smoothing::default(),
            fallback: true,
            cutoffs: Vec::new(),
            max_words: None,
            // A quarter of that where words have 32 bits.
            memory: usize::try_from(4u64 << 30).unwrap_or(1 << 30),
            folder: None,
        }
    }
}

impl EstimateParams {
    /// The highest order.
    pub const MAX_ORDER: usize = 8;

    /// The defaults with this order.
    #[must_use]
    pub fn new(order: usize) -> Self {
        EstimateParams {
            order,
            ..Self::default()
        }
    }

    /// Sets the smoothing.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }

    /// Allows or forbids fallback discounts.
    #[must_use]
    pub fn with_fallback(mut self, fallback: bool) -> Self {
        self.fallback = fallback;
        self
    }

    /// Sets the count cut-offs.
    #[must_use]
    pub fn with_cutoffs(mut self, cutoffs: impl Into<Vec<u64>>) -> Self {
        self.cutoffs = cutoffs.into();
        self
    }

    /// Keeps only the most frequent words.
    #[must_use]
    pub fn with_max_words(mut self, max_words: usize) -> Self {
        self.max_words = Some(max_words);
        self
    }

    /// Sets the memory for counting, in bytes.
    #[must_use]
    pub fn with_memory(mut self, memory: usize) -> Self {
        self.memory = memory;
        self
    }

    /// Sets the folder of temporary files.
    #[must_use]
    pub fn with_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// The cut-off of an order.
    #[must_use]
    pub fn cutoff(&self, order: usize) -> u64 {
        let at = order.min(self.cutoffs.len());
        at.checked_sub(1).map_or(0, |at| self.cutoffs[at])
    }

    /// Checks every field.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadParameter`] for the first that is out of range.
    pub fn check(&self) -> Result<()> {
        if !(1..=Self::MAX_ORDER).contains(&self.order) {
            return Err(Error::parameter("order", self.order, "1 to 8").into());
        }
        if self.cutoffs.first().is_some_and(|&cutoff| cutoff > 0) {
            let expected = "0 for order 1: limit words by max_words instead";
            return Err(Error::parameter("cutoffs", self.cutoffs[0], expected).into());
        }
        if self.cutoffs.windows(2).any(|pair| pair[0] > pair[1]) {
            let value = format!("{:?}", self.cutoffs);
            return Err(Error::parameter("cutoffs", value, "numbers that do not fall").into());
        }
        if self.max_words == Some(0) {
            return Err(Error::parameter("max_words", 0, "at least 1").into());
        }
        Ok(())
    }
}
