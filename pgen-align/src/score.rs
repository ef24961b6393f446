//! Model 1 probability of a whole phrase (Quirk et al. 2004, §3.3): the sum over all alignments, which
//! factors into a product of sums.

use crate::table::TranslationTable;
use pgen_core::WordId;

/// How P(S|T) is normalised. The paper's printed product exchanges S and T; these are the correct forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum PhraseScore {
    /// (n+1)^−m · ∏ⱼ Σᵢ₌₀ t(sⱼ|tᵢ), with NULL at i = 0.
    #[default]
    Full,
    /// n^−m · ∏ⱼ Σᵢ₌₁ t(sⱼ|tᵢ).
    NoNull,
    /// ∏ⱼ Σᵢ₌₀ t(sⱼ|tᵢ): favours long targets and may exceed 1.
    NoLengthNorm,
}

impl PhraseScore {
    /// Natural log of P(generated | given) with `table` = t(generated|given); each word's sum is not
    /// taken below `floor`. −∞ if a word is impossible, or if `given` is empty without NULL. O(m·n).
    #[must_use]
    pub fn ln(
        self,
        table: &TranslationTable,
        generated: &[WordId],
        given: &[WordId],
        floor: f64,
    ) -> f64 {
        let null = self != PhraseScore::NoNull;
        let positions = match self {
            PhraseScore::Full => given.len() + 1,
            PhraseScore::NoNull => given.len(),
            PhraseScore::NoLengthNorm => 1,
        };
        let word = |&word: &WordId| {
            let from_null = if null {
                table.probability(word, None)
            } else {
                0.0
            };
            let sum: f64 = given
                .iter()
                .map(|&from| table.probability(word, Some(from)))
                .sum();
            ((from_null + sum) / positions.max(1) as f64)
                .max(floor)
                .ln()
        };
        generated.iter().map(word).sum()
    }
}
