//! What is asked of a paraphraser.

use crate::diversity::Diversity;
use crate::register::Register;
use pgen_core::{ByteSpan, Limits, Stop};
use std::ops::Range;

/// What paraphrases are for (Zhao et al. 2009, §3.3).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Application {
    /// Nothing in particular.
    #[default]
    None,
    /// Fewer bytes.
    Compression,
    /// Replacements that the language model finds easier.
    Simplification,
    /// More words in common with a reference.
    Similarity {
        /// The reference.
        reference: String,
    },
}

/// How a sentence is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Search {
    /// The exact, distinct n-best list.
    #[default]
    Exact,
    /// A beam of the usual kind, for comparison: it may miss better texts.
    Beam,
    /// Monte-Carlo generation (Chevelu et al. 2010, §4), rewarded by the true score.
    MonteCarlo {
        /// The same seed gives the same list.
        seed: u64,
    },
}

/// Settings of one request.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `n` | 5 | how many paraphrases |
/// | `application` | none | what they are for |
/// | `search` | exact | which decoder |
/// | `include_source` | false | may the sentence itself be listed |
/// | `protect` | none | bytes that must not change |
/// | `protect_names` | true | words with a capital inside a sentence must not change |
/// | `protect_quotations` | true | words in short quotations must not change |
/// | `pretokenized` | false | tokens are separated by space, TAB, CR and LF only, and kept |
/// | `diversity` | none | how much changes, and how different the listed ones are |
/// | `forbid` | none | phrases that no replacement may bring in |
/// | `register` | any | how formal the words may be that replacements bring in |
/// | `force` | none | phrases that every paraphrase must have |
/// | `change` | none | bytes that every paraphrase must change |
/// | `min_confidence` | 0 | abstain from paraphrases that are less sure |
/// | `details` | false | count the derivations of each text, for [`Evidence`](crate::Evidence) |
/// | `limits` | see [`Limits`] | bounds on sentence and search |
/// | `stop` | never | deadline and cancel token |
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct Options {
    pub n: usize,
    pub application: Application,
    pub search: Search,
    pub include_source: bool,
    pub protect: Vec<ByteSpan>,
    pub protect_names: bool,
    pub protect_quotations: bool,
    pub pretokenized: bool,
    pub diversity: Diversity,
    pub forbid: Vec<String>,
    pub register: Register,
    pub force: Vec<String>,
    pub change: Vec<ByteSpan>,
    pub min_confidence: f64,
    pub details: bool,
    pub limits: Limits,
    pub stop: Stop,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            n: 5,
            application: Application::None,
            search: Search::Exact,
            include_source: false,
            protect: Vec::new(),
            protect_names: true,
            protect_quotations: true,
            pretokenized: false,
            diversity: Diversity::default(),
            forbid: Vec::new(),
            register: Register::Any,
            force: Vec::new(),
            change: Vec::new(),
            min_confidence: 0.0,
            details: false,
            limits: Limits::default(),
            stop: Stop::never(),
        }
    }
}

impl Options {
    /// The best `n` paraphrases.
    #[must_use]
    pub fn best(n: usize) -> Self {
        Options {
            n,
            ..Self::default()
        }
    }

    /// Sets what the paraphrases are for.
    #[must_use]
    pub fn with_application(mut self, application: Application) -> Self {
        self.application = application;
        self
    }

    /// Sets how to search.
    #[must_use]
    pub fn with_search(mut self, search: Search) -> Self {
        self.search = search;
        self
    }

    /// Sets how formal the new words may be.
    #[must_use]
    pub fn with_register(mut self, register: Register) -> Self {
        self.register = register;
        self
    }

    /// Protects one more span.
    #[must_use]
    pub fn protecting(mut self, bytes: ByteSpan) -> Self {
        self.protect.push(bytes);
        self
    }

    /// Protects several spans, such as the matches of a regular expression:
    /// `.protecting_all(regex.find_iter(text).map(|found| found.range()))`. Empty ranges and ranges
    /// beyond 2³² bytes protect nothing.
    #[must_use]
    pub fn protecting_all(mut self, ranges: impl IntoIterator<Item = Range<usize>>) -> Self {
        self.protect.extend(ranges.into_iter().filter_map(to_span));
        self
    }

    /// Demands that every paraphrase changes something in these bytes.
    #[must_use]
    pub fn changing(mut self, bytes: ByteSpan) -> Self {
        self.change.push(bytes);
        self
    }

    /// Forbids replacements to bring in a phrase.
    #[must_use]
    pub fn forbidding(mut self, phrase: impl Into<String>) -> Self {
        self.forbid.push(phrase.into());
        self
    }

    /// Demands a phrase in every paraphrase.
    #[must_use]
    pub fn forcing(mut self, phrase: impl Into<String>) -> Self {
        self.force.push(phrase.into());
        self
    }

    /// Sets how much changes and how different the listed ones are.
    #[must_use]
    pub fn with_diversity(mut self, diversity: Diversity) -> Self {
        self.diversity = diversity;
        self
    }

    /// Abstains from paraphrases whose confidence is lower.
    #[must_use]
    pub fn with_min_confidence(mut self, confidence: f64) -> Self {
        self.min_confidence = confidence;
        self
    }

    /// Counts derivations too.
    #[must_use]
    pub fn with_details(mut self) -> Self {
        self.details = true;
        self
    }

    /// Sets when to stop.
    #[must_use]
    pub fn with_stop(mut self, stop: Stop) -> Self {
        self.stop = stop;
        self
    }

    /// Allows the sentence itself in the list.
    #[must_use]
    pub fn including_source(mut self) -> Self {
        self.include_source = true;
        self
    }
}

fn to_span(range: Range<usize>) -> Option<ByteSpan> {
    let (start, end) = (u32::try_from(range.start), u32::try_from(range.end));
    ByteSpan::new(start.ok()?, end.ok()?)
        .ok()
        .filter(|span| !span.is_empty())
}
