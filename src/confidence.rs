//! How sure one can be of a paraphrase: evidence as numbers, and a logistic model over them.

use crate::values::Values;
use pgen_core::Weight;
use std::collections::BTreeMap;

/// What speaks for and against a paraphrase.
///
/// | name | meaning |
/// |---|---|
/// | `edits` | number of replacements |
/// | `changed` | words inserted plus words deleted |
/// | `log-prob` | ln p of the least probable rule used (first feature of its table) |
/// | `language` | ln P(text) − ln P(source) under the language model |
/// | `worst-edit` | the least that any single edit adds to ln P(text), the others in place |
/// | `in-context` | `language` less the same difference under single-word probabilities |
/// | `margin` | its score less the best listed score; 0 for the first |
/// | `derivations` | ln of the number of its derivations; 0 unless `Options::details` asked for it |
/// | `TABLE.FEATURE` | the smallest value among the edits, for each feature of a table |
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct Evidence {
    pub edits: f64,
    pub changed: f64,
    pub log_prob: f64,
    pub language: f64,
    pub worst_edit: f64,
    pub in_context: f64,
    pub margin: f64,
    pub derivations: f64,
    /// Smallest values among the edits of the tables' features.
    pub tables: Values,
}

impl Evidence {
    /// Names and values in a fixed order; the tables' features last.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        let fixed = [
            ("edits", self.edits),
            ("changed", self.changed),
            ("log-prob", self.log_prob),
            ("language", self.language),
            ("worst-edit", self.worst_edit),
            ("in-context", self.in_context),
            ("margin", self.margin),
            ("derivations", self.derivations),
        ];
        fixed.into_iter().chain(self.tables.iter())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Evidence {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// A logistic model: the probability that a paraphrase is right is 1 / (1 + e^−(b + Σ w·x)) over its
/// [`Evidence`]. Evidence without a weight counts nothing.
///
/// A model file brings its own as the weights `confidence` (the constant b) and `confidence.NAME`.
/// Without them [`Confidence::default`] is used: chosen by hand, not fitted to judgements. It orders
/// paraphrases sensibly, but its numbers are no observed frequencies.
///
/// ```
/// use pgen::{Confidence, Evidence};
///
/// let fitted = Confidence::new(1.0, [("language".to_owned(), 0.5)]);
/// let mut evidence = Evidence::default();
/// evidence.language = -2.0;
/// assert_eq!(fitted.probability(&evidence), 0.5);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Confidence {
    constant: f64,
    weights: BTreeMap<String, f64>,
}

const NAME: &str = "confidence";

impl Default for Confidence {
    fn default() -> Self {
        let weights = [
            ("edits", -0.4),
            ("log-prob", 0.15),
            ("language", 0.1),
            ("worst-edit", 0.1),
            ("phrases.thesaurus", 0.7),
            ("phrases.synonyms", 0.4),
        ];
        Confidence::new(1.5, weights.map(|(name, value)| (name.to_owned(), value)))
    }
}

impl Confidence {
    /// A model from its constant and weights by name. Weights that are no finite number count as 0.
    pub fn new(constant: f64, weights: impl IntoIterator<Item = (String, f64)>) -> Self {
        let weights = weights.into_iter().filter(|(_, value)| value.is_finite());
        Confidence {
            constant: if constant.is_finite() { constant } else { 0.0 },
            weights: weights.collect(),
        }
    }

    /// The model that a bundle's weights hold, if they hold one.
    #[must_use]
    pub fn from_weights(weights: &BTreeMap<String, Weight>) -> Option<Self> {
        let constant = weights.get(NAME)?.get();
        let own = weights.iter().filter_map(|(name, weight)| {
            let name = name.strip_prefix(NAME)?.strip_prefix('.')?;
            Some((name.to_owned(), weight.get()))
        });
        Some(Self::new(constant, own))
    }

    /// The weights under the names that a bundle keeps them by.
    #[must_use]
    pub fn to_weights(&self) -> BTreeMap<String, Weight> {
        let own = self.weights.iter();
        own.map(|(name, &value)| (format!("{NAME}.{name}"), value))
            .chain([(NAME.to_owned(), self.constant)])
            .map(|(name, value)| (name, Weight::new(value).unwrap_or_default()))
            .collect()
    }

    /// The probability that a paraphrase with this evidence is right.
    #[must_use]
    pub fn probability(&self, evidence: &Evidence) -> f64 {
        let mut sum = self.constant;
        for (name, value) in evidence.iter() {
            if let Some(weight) = self.weights.get(name) {
                // −∞ occurs where a table gives probability 0.
                sum += weight * value.clamp(-1e6, 1e6);
            }
        }
        1.0 / (1.0 + (-sum).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_go_there_and_back() {
        let model = Confidence::default();
        assert_eq!(Confidence::from_weights(&model.to_weights()), Some(model));
        assert_eq!(Confidence::from_weights(&BTreeMap::new()), None);
    }

    #[test]
    fn impossible_evidence_is_a_low_probability_and_no_nan() {
        let evidence = Evidence {
            log_prob: f64::NEG_INFINITY,
            ..Evidence::default()
        };
        let found = Confidence::default().probability(&evidence);
        assert!((0.0..1e-9).contains(&found), "{found}");
    }
}
