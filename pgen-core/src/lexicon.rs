//! The words of one request: a shared vocabulary plus the words that it lacks.

use crate::error::Result;
use crate::id::WordId;
use crate::vocab::Vocab;
use std::sync::Arc;

/// A vocabulary seen by one request. Words outside the vocabulary get ids from its length on; models
/// treat those as `<unk>`, but their spelling survives into the output. Cloning copies only the extra
/// words.
#[derive(Clone, Debug)]
pub struct Lexicon {
    base: Arc<Vocab>,
    /// Words outside the base. Its three control symbols stand for nothing and shift the ids by 3.
    extra: Vocab,
}

impl Lexicon {
    /// An overlay without extra words.
    #[must_use]
    pub fn new(base: Arc<Vocab>) -> Self {
        Lexicon {
            base,
            extra: Vocab::new(),
        }
    }

    /// The shared vocabulary.
    #[must_use]
    pub fn base(&self) -> &Arc<Vocab> {
        &self.base
    }

    fn offset(&self) -> u32 {
        // A vocabulary holds fewer than 2³² words.
        self.base.len() as u32 - 3
    }

    /// The id of a word, known or not; new words are added to the overlay.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`](crate::Error::LimitExceeded) when 2³² − 1 words are reached.
    pub fn intern(&mut self, word: &str) -> Result<WordId> {
        if let Some(id) = self.base.get(word) {
            return Ok(id);
        }
        let room = u32::MAX as usize - self.base.len();
        crate::Limits::check("number of words of a request", self.extra.len(), room)?;
        let id = self.extra.intern(word)?;
        Ok(WordId::new(id.raw() + self.offset()))
    }

    /// The id of a word if the vocabulary or the overlay has it.
    #[must_use]
    pub fn get(&self, word: &str) -> Option<WordId> {
        self.base.get(word).or_else(|| {
            Some(WordId::new(
                self.extra.get(word)?.raw().checked_add(self.offset())?,
            ))
        })
    }

    /// The spelling of an id; `<unk>` for an id of neither.
    #[must_use]
    pub fn word(&self, id: WordId) -> &str {
        let found = if id.index() < self.base.len() {
            self.base.word(id)
        } else {
            self.extra.word(WordId::new(id.raw() - self.offset()))
        };
        found.unwrap_or(crate::vocab::CONTROL[0])
    }

    /// True if the word is not of the shared vocabulary.
    #[must_use]
    pub fn is_extra(&self, id: WordId) -> bool {
        id.index() >= self.base.len()
    }

    /// Words joined by single spaces.
    #[must_use]
    pub fn join(&self, words: &[WordId]) -> String {
        let mut out = String::new();
        for (at, &word) in words.iter().enumerate() {
            if at > 0 {
                out.push(' ');
            }
            out.push_str(self.word(word));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_words_keep_their_spelling() {
        let mut vocab = Vocab::new();
        let dog = vocab.intern("dog").unwrap();
        let mut lexicon = Lexicon::new(Arc::new(vocab));
        let new = lexicon.intern("axolotl").unwrap();
        assert_eq!(lexicon.intern("dog").unwrap(), dog);
        assert_eq!(new.raw(), 4);
        assert!(lexicon.is_extra(new) && !lexicon.is_extra(dog));
        assert_eq!(lexicon.join(&[dog, new]), "dog axolotl");
        assert_eq!(lexicon.get("axolotl"), Some(new));
        assert_eq!(lexicon.word(WordId::new(99)), "<unk>");
    }

    #[test]
    fn typed_control_symbols_are_words() {
        let mut lexicon = Lexicon::new(Arc::new(Vocab::new()));
        let id = lexicon.intern("</s>").unwrap();
        assert!(!id.is_control());
        assert_eq!(lexicon.word(id), "</s>");
    }
}
