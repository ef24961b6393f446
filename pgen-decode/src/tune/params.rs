//! Settings of tuning.

use pgen_core::Error as CoreError;

use crate::error::Result;

/// How weights are tuned.
///
/// | name | default | purpose |
/// |---|---|---|
/// | `n_best` | 100 | texts asked of the decoder in each round; their best derivations join the pool |
/// | `rounds` | 20 | rounds at most; fewer if no new derivation turns up |
/// | `restarts` | 8 | random starting points in each round, beside the current weights and the best ones |
/// | `random_directions` | 8 | directions beside the coordinates |
/// | `seed` | 0 | the same seed gives the same weights |
/// | `nonnegative` | true | no weight becomes negative |
/// | `fixed` | none | names of features whose weights stay as they are; `language` is the language model's |
///
/// The scale of all weights changes no order of texts: of fixed weights, only zeros and the ratios among
/// them bind the search. What it finds is scaled so that fixed weights have the values given.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct TuneParams {
    pub n_best: usize,
    pub rounds: usize,
    pub restarts: usize,
    pub random_directions: usize,
    pub seed: u64,
    pub nonnegative: bool,
    pub fixed: Vec<String>,
}

impl Default for TuneParams {
    fn default() -> Self {
        TuneParams {
            n_best: 100,
            rounds: 20,
            restarts: 8,
            random_directions: 8,
            seed: 0,
            nonnegative: true,
            fixed: Vec::new(),
        }
    }
}

impl TuneParams {
    /// Checks the settings.
    ///
    /// # Errors
    /// `bad-parameter` for no n-best or no rounds.
    pub(super) fn check(&self) -> Result<()> {
        for (name, value) in [("n_best", self.n_best), ("rounds", self.rounds)] {
            if value == 0 {
                return Err(CoreError::parameter(name, value, "at least 1").into());
            }
        }
        Ok(())
    }
}
