//! How ARPA files are read, and what was odd in them.

use pgen_core::{Limits, LogProb};

/// How an ARPA file is read.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `lenient` | false | accept and report what other tools let pass: other header text, wrong counts, duplicates (the first counts), positive logarithms (as 0), −∞, text after the end, no `<s>` or `</s>`, back-off weights at the highest order (ignored) |
/// | `unknown` | ln 10⁻¹⁰ | probability of an unknown word if the file has no `<unk>` |
/// | `limits` | defaults | bounds on order, rows, words and lines |
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct ArpaOptions {
    pub lenient: bool,
    pub unknown: LogProb,
    pub limits: Limits,
}

impl Default for ArpaOptions {
    fn default() -> Self {
        ArpaOptions {
            lenient: false,
            unknown: LogProb::from_ln(-10.0 * std::f64::consts::LN_10),
            limits: Limits::default(),
        }
    }
}

impl ArpaOptions {
    /// The defaults, but lenient.
    #[must_use]
    pub fn lenient() -> Self {
        ArpaOptions {
            lenient: true,
            ..Self::default()
        }
    }

    /// Sets the probability of unknown words of files that have no `<unk>`.
    #[must_use]
    pub fn with_unknown(mut self, unknown: LogProb) -> Self {
        self.unknown = unknown;
        self
    }
}

/// Something odd in a file that was accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArpaWarning {
    /// The line; 0 for the file as a whole.
    pub line: u64,
    /// What is odd and what was done.
    pub text: Box<str>,
}

/// What the reader accepted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ArpaReport {
    /// N-grams of each order that were kept.
    pub counts: Vec<u64>,
    /// N-grams inserted because longer ones need them.
    pub inserted: u64,
    /// Oddities: the first [`ArpaReport::SHOWN`].
    pub warnings: Vec<ArpaWarning>,
    /// Number of all oddities.
    pub warned: u64,
}

impl ArpaReport {
    /// How many warnings are kept.
    pub const SHOWN: usize = 100;

    pub(super) fn warn(&mut self, line: u64, text: impl Into<Box<str>>) {
        self.warned += 1;
        if self.warnings.len() < Self::SHOWN {
            let text = text.into();
            self.warnings.push(ArpaWarning { line, text });
        }
    }
}
