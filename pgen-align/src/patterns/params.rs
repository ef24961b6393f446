//! Settings of extraction.

use crate::error::Result;
use crate::params::check_count;

/// Which patterns are taken.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `max_span` | 14 | words of a stretch, fillers included |
/// | `max_words` | 4 | words beside the slots, on either side |
/// | `max_slots` | 2 | slots, 1 to 2 |
/// | `tags` | nouns, adjectives, base verbs, participles, adverbs, numbers, pronouns | heads that make slots |
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct PatternParams {
    pub max_span: usize,
    pub max_words: usize,
    pub max_slots: usize,
    pub tags: Vec<String>,
}

impl Default for PatternParams {
    fn default() -> Self {
        let tags = "NN NNS NNP NNPS JJ VB VBG VBN RB CD PRP";
        PatternParams {
            max_span: 14,
            max_words: 4,
            max_slots: 2,
            tags: tags.split(' ').map(str::to_owned).collect(),
        }
    }
}

impl PatternParams {
    /// Checks every field.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadParameter`] for the first that is out of range.
    pub fn check(&self) -> Result<()> {
        check_count("max_span", self.max_span.min(100), 2)?;
        check_count("max_words", self.max_words.min(100), 1)?;
        check_count("max_slots", self.max_slots, 1)?;
        if self.max_slots > 2 {
            let expected = "1 or 2";
            return Err(pgen_core::Error::parameter("max_slots", self.max_slots, expected).into());
        }
        Ok(())
    }
}
