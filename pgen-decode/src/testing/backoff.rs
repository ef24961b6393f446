//! A small back-off language model in hash maps, read from ARPA text: slow, plain, for tests.

use crate::error::Result;
use hashbrown::HashMap;
use pgen_core::{Error as CoreError, LanguageModel, LogProb, Place, RowHit, Vocab, WordId};

/// A back-off model of any order.
#[derive(Clone, Debug, Default)]
pub struct BackoffModel {
    /// ln P(last word | words before) and ln of the back-off weight, by n-gram.
    entries: HashMap<Vec<WordId>, (f64, f64)>,
    order: usize,
    words: usize,
    unknown: f64,
}

impl BackoffModel {
    /// A model without n-grams: every word has this probability.
    #[must_use]
    pub fn uniform(log_prob: LogProb) -> Self {
        BackoffModel {
            unknown: log_prob.ln(),
            order: 1,
            ..Self::default()
        }
    }

    /// Adds an n-gram with the natural logs of its probability and its back-off weight.
    pub fn insert(&mut self, ngram: &[WordId], log_prob: f64, backoff: f64) {
        self.order = self.order.max(ngram.len());
        let largest = ngram.iter().map(|word| word.index() + 1).max();
        self.words = self.words.max(largest.unwrap_or(0));
        if ngram == [WordId::UNK] {
            self.unknown = log_prob;
        }
        self.entries.insert(ngram.to_vec(), (log_prob, backoff));
    }

    /// Reads ARPA text; words join the vocabulary.
    ///
    /// # Errors
    /// A syntax error with the line for a line that is no n-gram.
    pub fn from_arpa(text: &str, vocab: &mut Vocab) -> Result<Self> {
        let mut model = BackoffModel {
            unknown: -100.0,
            ..Self::default()
        };
        let mut length = 0usize;
        for (line, text) in (1u64..).zip(text.lines()) {
            let text = text.trim();
            if let Some(section) = text.strip_suffix("-grams:") {
                length = section.trim_start_matches('\\').parse().unwrap_or(0);
            } else if length > 0 && !text.is_empty() && !text.starts_with('\\') {
                model
                    .read_ngram(text, length, vocab)
                    .map_err(|e| e.at_line(line))?;
            }
        }
        Ok(model)
    }

    fn read_ngram(
        &mut self,
        text: &str,
        length: usize,
        vocab: &mut Vocab,
    ) -> pgen_core::Result<()> {
        let syntax = || CoreError::syntax(Place::default(), "an n-gram", text, "");
        let fields: Vec<&str> = text.split_whitespace().collect();
        let number = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
        let words = fields.get(1..=length).ok_or_else(syntax)?;
        let log10 = number(0).ok_or_else(syntax)?;
        let backoff = number(length + 1).unwrap_or(0.0);
        let mut ngram = Vec::with_capacity(length);
        for word in words {
            ngram.push(match *word {
                "<s>" => WordId::BOS,
                "</s>" => WordId::EOS,
                "<unk>" => WordId::UNK,
                word => vocab.intern(word)?,
            });
        }
        let ln = std::f64::consts::LN_10;
        self.insert(&ngram, log10 * ln, backoff * ln);
        Ok(())
    }

    fn known(&self, word: WordId) -> WordId {
        if word.index() < self.words && self.entries.contains_key([word].as_slice()) {
            word
        } else {
            WordId::UNK
        }
    }

    /// The longest end of a context that the model can look at.
    fn shorten(&self, context: &[WordId]) -> Vec<WordId> {
        let from = context.len().saturating_sub(self.order.saturating_sub(1));
        let mut rest = &context[from..];
        while !rest.is_empty() && !self.entries.contains_key(rest) {
            rest = &rest[1..];
        }
        rest.to_vec()
    }

    fn next_state(&self, context: &[WordId], word: WordId) -> Vec<WordId> {
        let mut longer = context.to_vec();
        longer.push(self.known(word));
        self.shorten(&longer)
    }
}

impl LanguageModel for BackoffModel {
    type State = Vec<WordId>;

    fn start(&self) -> Self::State {
        self.shorten(&[WordId::BOS])
    }

    fn null(&self) -> Self::State {
        Vec::new()
    }

    fn advance(&self, state: &Self::State, word: WordId) -> (Self::State, LogProb) {
        let (mut context, mut backoff) = (state.as_slice(), 0.0);
        let known = self.known(word);
        loop {
            let mut ngram = context.to_vec();
            ngram.push(known);
            if let Some(&(log_prob, _)) = self.entries.get(&ngram) {
                let next = self.next_state(context, word);
                return (next, LogProb::from_ln(backoff + log_prob));
            }
            if context.is_empty() {
                let next = self.next_state(context, word);
                return (next, LogProb::from_ln(backoff + self.unknown));
            }
            backoff += self.entries.get(context).map_or(0.0, |entry| entry.1);
            context = &context[1..];
        }
    }

    fn row(
        &self,
        state: &Self::State,
        words: &[WordId],
        hits: &mut Vec<RowHit<Self::State>>,
    ) -> Option<(Self::State, LogProb)> {
        for (at, &word) in (0u32..).zip(words) {
            let mut ngram = state.clone();
            ngram.push(self.known(word));
            let found = self.entries.get(&ngram).map(|entry| entry.0);
            let unknown = state.is_empty().then_some(self.unknown);
            if let Some(log_prob) = found.or(unknown) {
                hits.push(RowHit {
                    at,
                    next: self.next_state(state, word),
                    log_prob: LogProb::from_ln(log_prob),
                });
            }
        }
        let shorter = state.get(1..)?;
        let weight = self.entries.get(state).map_or(0.0, |entry| entry.1);
        // The shorter context may be one that the model does not list: it then passes on for nothing.
        Some((shorter.to_vec(), LogProb::from_ln(weight)))
    }
}
