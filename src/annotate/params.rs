//! How an annotator is trained.

use pgen_core::{Error, Result};

/// Settings of training. Check them, then [`fit`](CheckedAnnotatorParams::fit).
///
/// | field | default | range | meaning |
/// |---|---|---|---|
/// | `seed` | 1 | any | the order in which sentences are seen |
/// | `tagger_epochs` | 10 | 1..=100 | passes of the tagger over the data |
/// | `parser_epochs` | 10 | 1..=100 | passes of the parser over the data |
/// | `folds` | 5 | 2..=50 | taggers that tag the parser's training data, each without its own part |
/// | `beam` | 6 | 1..=64 | parser states kept at a time, in training and later |
/// | `margin` | 6,000 | 1.. | parser states further behind the best are dropped; 2,047 is the largest weight of a feature |
/// | `tagger_ensemble` | 3 | 1..=10 | taggers, trained in different order of sentences, whose weights are added |
/// | `parser_ensemble` | 1 | 1..=10 | the same for the parser |
/// | `tagger_features` | 140,000 | 1..=1,000,000 | features kept by the tagger |
/// | `parser_features` | 350,000 | 1..=1,000,000 | features kept by the parser |
/// | `label_features` | 110,000 | 1..=1,000,000 | features kept for relations |
/// | `dictionary` | 3 | 1.. | occurrences from which a word's tags count as known |
/// | `notice` | empty | text | origin and licence of the data, kept in the model |
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct AnnotatorParams {
    pub seed: u64,
    pub tagger_epochs: usize,
    pub parser_epochs: usize,
    pub folds: usize,
    pub beam: usize,
    pub margin: u32,
    pub tagger_ensemble: usize,
    pub parser_ensemble: usize,
    pub tagger_features: usize,
    pub parser_features: usize,
    pub label_features: usize,
    pub dictionary: u32,
    pub notice: String,
}

impl Default for AnnotatorParams {
    fn default() -> Self {
        AnnotatorParams {
            seed: 1,
            tagger_epochs: 10,
            parser_epochs: 10,
            folds: 5,
            beam: 6,
            margin: 6_000,
            tagger_ensemble: 3,
            parser_ensemble: 1,
            tagger_features: 140_000,
            parser_features: 350_000,
            label_features: 110_000,
            dictionary: 3,
            notice: String::new(),
        }
    }
}

/// Settings known to be sound.
#[derive(Clone, Debug)]
pub struct CheckedAnnotatorParams(pub(crate) AnnotatorParams);

impl AnnotatorParams {
    /// Checks the settings.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for one outside its range.
    pub fn check(self) -> Result<CheckedAnnotatorParams> {
        let range = |name, value: usize, low: usize, high: usize, expected| {
            if (low..=high).contains(&value) {
                Ok(())
            } else {
                Err(Error::parameter(name, value, expected))
            }
        };
        let million = "between 1 and 1,000,000";
        range(
            "tagger_epochs",
            self.tagger_epochs,
            1,
            100,
            "between 1 and 100",
        )?;
        range(
            "parser_epochs",
            self.parser_epochs,
            1,
            100,
            "between 1 and 100",
        )?;
        range("folds", self.folds, 2, 50, "between 2 and 50")?;
        range("beam", self.beam, 1, 64, "between 1 and 64")?;
        range(
            "tagger_ensemble",
            self.tagger_ensemble,
            1,
            10,
            "between 1 and 10",
        )?;
        range(
            "parser_ensemble",
            self.parser_ensemble,
            1,
            10,
            "between 1 and 10",
        )?;
        range(
            "tagger_features",
            self.tagger_features,
            1,
            1_000_000,
            million,
        )?;
        range(
            "parser_features",
            self.parser_features,
            1,
            1_000_000,
            million,
        )?;
        range("label_features", self.label_features, 1, 1_000_000, million)?;
        Ok(CheckedAnnotatorParams(self))
    }
}
