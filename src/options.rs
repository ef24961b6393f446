//! What is asked of a paraphraser.

use pgen_core::{ByteSpan, Limits, Stop};

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

    /// Protects one more span.
    #[must_use]
    pub fn protecting(mut self, bytes: ByteSpan) -> Self {
        self.protect.push(bytes);
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
