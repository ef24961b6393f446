//! Running text for the language model: tokens in memory, words numbered by frequency.

use super::casing::Casing;
use super::corpora::prepare;
use crate::error::Result;
use pgen_core::text::{split_sentences, tokenize};
use pgen_core::{Limits, Vocab, WordId};

/// Sentences as one stream of word ids, 4 bytes a token.
#[derive(Debug, Default)]
pub struct TextStream {
    words: Vocab,
    tokens: Vec<WordId>,
    ends: Vec<usize>,
}

impl TextStream {
    /// No text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a line, sentence by sentence, and counts its capitals. Lines that break a limit are left
    /// out.
    ///
    /// # Errors
    /// Too many words.
    pub fn add(&mut self, line: &str, casing: &mut Casing, limits: &Limits) -> Result<()> {
        for span in split_sentences(line, limits).unwrap_or_default() {
            let sentence = line.get(span.range()).unwrap_or("");
            if let Ok(tokens) = tokenize(sentence, limits) {
                casing.count(tokens.iter().map(|token| &sentence[token.bytes.range()]));
            }
            if let Some(words) = prepare(sentence, &mut self.words, limits.tokens, limits)? {
                self.tokens.extend(words);
                self.ends.push(self.tokens.len());
            }
        }
        Ok(())
    }

    /// Number of tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// True without tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Renumbers the words by frequency, descending, ties by spelling. Returns the vocabulary and how many
    /// of its words were seen at least `least` times.
    ///
    /// # Errors
    /// None for a stream that exists: its words fit.
    pub fn renumber(&mut self, least: u64) -> Result<(Vocab, usize)> {
        let mut counts = vec![0u64; self.words.len()];
        for token in &self.tokens {
            counts[token.index()] += 1;
        }
        let mut order: Vec<(WordId, &str)> = self
            .words
            .words()
            .filter(|(id, _)| counts[id.index()] > 0)
            .collect();
        order.sort_unstable_by(|a, b| {
            counts[b.0.index()]
                .cmp(&counts[a.0.index()])
                .then(a.1.cmp(b.1))
        });
        let frequent = order.partition_point(|(id, _)| counts[id.index()] >= least);
        let mut vocab = Vocab::new();
        let mut renumbered = vec![WordId::UNK; counts.len()];
        for (id, word) in order {
            renumbered[id.index()] = vocab.intern(word)?;
        }
        for token in &mut self.tokens {
            *token = renumbered[token.index()];
        }
        self.words = Vocab::new();
        Ok((vocab, frequent))
    }

    /// The sentences in order.
    pub fn sentences(&self) -> impl ExactSizeIterator<Item = &[WordId]> {
        (0..self.ends.len()).map(|at| {
            let start = if at == 0 { 0 } else { self.ends[at - 1] };
            &self.tokens[start..self.ends[at]]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_words_come_first() {
        let (mut stream, mut casing) = (TextStream::new(), Casing::default());
        for line in ["the dog. The dog ran.", "the cat"] {
            stream.add(line, &mut casing, &Limits::default()).unwrap();
        }
        let (vocab, frequent) = stream.renumber(2).unwrap();
        let words: Vec<&str> = vocab.words().skip(3).map(|(_, word)| word).collect();
        assert_eq!(
            (words, frequent),
            (vec!["the", ".", "dog", "cat", "ran"], 3)
        );
        let last: Vec<_> = stream
            .sentences()
            .last()
            .unwrap()
            .iter()
            .map(|id| id.raw())
            .collect();
        assert_eq!(last, [3, 6]);
    }
}
