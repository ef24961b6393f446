//! Labels of transitions: words by number, ascending with their texts.

use crate::error::{Error, Result};
use hashbrown::HashMap;
use std::sync::Arc;

/// A label of a transition within one [`Symbols`]. Order of labels is order of their texts; ε is
/// smallest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Label(u32);

impl Label {
    /// ε: no word.
    pub const EPSILON: Label = Label(0);

    /// The label of this number.
    #[inline]
    #[must_use]
    pub const fn new(raw: u32) -> Self {
        Label(raw)
    }

    /// The number; 0 for ε.
    #[inline]
    #[must_use]
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// The number as a position.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// True for ε.
    #[inline]
    #[must_use]
    pub const fn is_epsilon(self) -> bool {
        self.0 == 0
    }
}

/// Words, sorted by their bytes, ε first. Immutable and shared by automata.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbols {
    texts: Vec<Box<str>>,
}

impl Symbols {
    /// Symbols for these words, sorted and without repetition.
    ///
    /// # Errors
    /// [`Error::BadLabel`] for a word that is empty or holds white space.
    pub fn new<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> Result<Arc<Self>> {
        let mut texts: Vec<Box<str>> = vec!["".into()];
        for word in words {
            texts.push(check(word.as_ref())?.into());
        }
        texts.sort_unstable();
        texts.dedup();
        Ok(Arc::new(Symbols { texts }))
    }

    /// Number of labels, ε included.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // ε is always there
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// The word of a label; empty for ε and for a label that is none of these.
    #[must_use]
    pub fn text(&self, label: Label) -> &str {
        self.texts.get(label.index()).map_or("", |text| text)
    }

    /// The label of a word.
    #[must_use]
    pub fn label(&self, word: &str) -> Option<Label> {
        let at = self
            .texts
            .binary_search_by(|text| (**text).cmp(word))
            .ok()?;
        (at > 0).then_some(Label(at as u32))
    }

    /// The labels but ε, with their words.
    pub fn words(&self) -> impl Iterator<Item = (Label, &str)> {
        (1u32..)
            .zip(&self.texts[1..])
            .map(|(at, text)| (Label(at), &**text))
    }
}

fn check(word: &str) -> Result<&str> {
    if word.is_empty() || word.contains(char::is_whitespace) {
        return Err(Error::BadLabel {
            word: pgen_core::quote(word),
        });
    }
    Ok(word)
}

/// Collects words with provisional numbers; sorts them in the end.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    ids: HashMap<Arc<str>, u32>,
    words: Vec<Arc<str>>,
}

impl Interner {
    /// The provisional number of a word, from 1.
    pub(crate) fn intern(&mut self, word: &str) -> Result<u32> {
        if let Some(&known) = self.ids.get(word) {
            return Ok(known);
        }
        let word: Arc<str> = check(word)?.into();
        self.words.push(Arc::clone(&word));
        let id = self.words.len() as u32;
        self.ids.insert(word, id);
        Ok(id)
    }

    /// The provisional number of a word that is known.
    pub(crate) fn get(&self, word: &str) -> Option<u32> {
        self.ids.get(word).copied()
    }

    /// The word of a provisional number.
    pub(crate) fn text(&self, id: u32) -> Option<&str> {
        self.words
            .get((id as usize).checked_sub(1)?)
            .map(|word| &**word)
    }

    /// The symbols, and the final label of each provisional number (0 stays ε).
    pub(crate) fn finish(&self) -> (Arc<Symbols>, Vec<Label>) {
        let mut words: Vec<(&str, u32)> = (1u32..)
            .zip(&self.words)
            .map(|(id, word)| (&**word, id))
            .collect();
        words.sort_unstable();
        let mut labels = vec![Label::EPSILON; words.len() + 1];
        let mut texts: Vec<Box<str>> = Vec::with_capacity(words.len() + 1);
        texts.push("".into());
        for (word, id) in words {
            labels[id as usize] = Label(texts.len() as u32);
            texts.push(word.into());
        }
        (Arc::new(Symbols { texts }), labels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_ascend_with_their_words() {
        let symbols = Symbols::new(["b", "a", "b", "é"]).unwrap();
        assert_eq!(symbols.len(), 4);
        let labels: Vec<_> = ["a", "b", "é"]
            .map(|word| symbols.label(word).unwrap().raw())
            .into();
        assert_eq!(labels, [1, 2, 3]);
        assert_eq!((symbols.label(""), symbols.text(Label::new(9))), (None, ""));
        assert_eq!(Symbols::new(["a b"]).unwrap_err().code(), "bad-label");
    }
}
