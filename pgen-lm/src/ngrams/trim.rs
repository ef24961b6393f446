//! A shorter vocabulary for a model that leaves its last words unlisted.

use super::Ngrams;

impl Ngrams {
    /// The same model without the words behind the last one that is listed; they are `<unk>` as before.
    /// Where words are numbered by frequency and only the most frequent ones are estimated
    /// ([`EstimateParams::max_words`](crate::EstimateParams)), this leaves the vocabulary that matters.
    #[must_use]
    pub fn trimmed(mut self) -> Self {
        let length = self
            .listed
            .iter()
            .rposition(|&listed| listed)
            .map_or(0, |last| last + 1);
        // The control symbols stay whatever is listed.
        let length = length.max(3).min(self.listed.len());
        self.listed.truncate(length);
        if let Some(words) = self.levels.first_mut() {
            words.words.truncate(length);
            words.log_probs.truncate(length);
            words.backoffs.truncate(length);
            if !words.children.is_empty() {
                words.children.truncate(length + 1);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use crate::{EstimateParams, Estimator};
    use pgen_core::{LanguageModel, Vocab, WordId};

    #[test]
    fn rare_words_go_and_scores_stay() {
        let mut vocab = Vocab::new();
        let ids: Vec<WordId> = ["a", "b", "c", "d"]
            .iter()
            .map(|word| vocab.intern(word).unwrap())
            .collect();
        let mut estimator = Estimator::new(EstimateParams::new(2).with_max_words(2)).unwrap();
        for sentence in [[0, 1, 0], [1, 0, 2], [0, 1, 3]] {
            let words: Vec<WordId> = sentence.iter().map(|&at: &usize| ids[at]).collect();
            estimator.add(&words).unwrap();
        }
        let (model, _) = estimator.finish(&vocab, &()).unwrap();
        let trimmed = model.clone().trimmed();
        assert_eq!((model.vocabulary(), trimmed.vocabulary()), (7, 5));
        for text in [&ids[..2], &ids[1..], &ids[2..]] {
            assert_eq!(model.sentence(text), trimmed.sentence(text));
        }
    }
}
