//! Queries on the plain form, by the definition of back-off.

use super::Ngrams;
use pgen_core::{LanguageModel, LogProb, WordId};
use smallvec::SmallVec;

/// The last words that can still matter.
pub type History = SmallVec<[u32; 8]>;

impl Ngrams {
    /// The word as the model sees it.
    pub(crate) fn canonical(&self, word: WordId) -> u32 {
        if self.knows(word) {
            word.raw()
        } else {
            WordId::UNK.raw()
        }
    }

    /// The longest end of a history that is a context of the model.
    fn shorten(&self, words: &[u32]) -> History {
        let longest = self.order().saturating_sub(1).min(words.len());
        for length in (1..=longest).rev() {
            let end = &words[words.len() - length..];
            if let Some(node) = self.node(end)
                && self.levels[length - 1].is_context(node as usize)
            {
                return end.into();
            }
        }
        History::new()
    }
}

impl LanguageModel for Ngrams {
    type State = History;

    fn start(&self) -> History {
        self.shorten(&[WordId::BOS.raw()])
    }

    fn null(&self) -> History {
        History::new()
    }

    fn advance(&self, state: &History, word: WordId) -> (History, LogProb) {
        if self.listed.is_empty() {
            return (History::new(), LogProb::ZERO);
        }
        let mut words = state.clone();
        words.push(self.canonical(word));
        let mut backoff = 0.0;
        for start in 0..words.len() {
            let gram = &words[start..];
            if let Some(node) = self.node(gram) {
                let log_prob = self.levels[gram.len() - 1].log_probs[node as usize];
                return (self.shorten(&words), LogProb::from_ln(log_prob + backoff));
            }
            let context = &gram[..gram.len() - 1];
            if let Some(node) = self.node(context) {
                backoff += self.levels[context.len() - 1].backoffs[node as usize];
            }
        }
        (History::new(), LogProb::ZERO) // not reached: every word is a unigram
    }
}
