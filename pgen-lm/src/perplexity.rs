//! Perplexity, with and without unknown words.

use pgen_core::{LanguageModel, WordId};

/// Scores of sentences, summed: what `lm query` prints.
///
/// Tokens count `</s>` once a sentence and never `<s>`, as KenLM does. A word is out of vocabulary (OOV)
/// if the caller says so; it is scored as the model scores it (`<unk>`) and enters
/// [`perplexity`](Self::perplexity), while
/// [`perplexity_without_oov`](Self::perplexity_without_oov) leaves OOVs out of sum and count.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Perplexity {
    /// Sentences, empty ones included.
    pub sentences: u64,
    /// Words, and one `</s>` a sentence.
    pub tokens: u64,
    /// Words that the model does not know.
    pub oov: u64,
    /// ln P of the known words and of `</s>`.
    pub known_ln: f64,
    /// ln P of the OOVs; −∞ if the model gives them none.
    pub oov_ln: f64,
}

impl Perplexity {
    /// The score of a sentence without `<s>` and `</s>`; `is_oov` tells unknown words.
    ///
    /// ```
    /// use pgen_core::{LanguageModel, LogProb, WordId};
    /// use pgen_lm::Perplexity;
    ///
    /// struct Uniform;
    /// impl LanguageModel for Uniform {
    ///     type State = ();
    ///     fn start(&self) {}
    ///     fn null(&self) {}
    ///     fn advance(&self, (): &(), _: WordId) -> ((), LogProb) {
    ///         ((), LogProb::from_ln(0.1f64.ln()))
    ///     }
    /// }
    ///
    /// let score = Perplexity::of(&Uniform, &[WordId::new(7), WordId::UNK], |w| w == WordId::UNK);
    /// assert_eq!((score.tokens, score.oov), (3, 1));
    /// assert!((score.perplexity() - 10.0).abs() < 1e-9);
    /// ```
    pub fn of<L: LanguageModel>(
        model: &L,
        sentence: &[WordId],
        is_oov: impl Fn(WordId) -> bool,
    ) -> Self {
        let mut score = Perplexity {
            sentences: 1,
            tokens: sentence.len() as u64 + 1,
            ..Self::default()
        };
        let mut state = model.start();
        for &word in sentence {
            let (next, log_prob) = model.advance(&state, word);
            state = next;
            if is_oov(word) {
                score.oov += 1;
                score.oov_ln += log_prob.ln();
            } else {
                score.known_ln += log_prob.ln();
            }
        }
        score.known_ln += model.finish(&state).ln();
        score
    }

    /// Adds another score.
    pub fn add(&mut self, other: &Self) {
        self.sentences += other.sentences;
        self.tokens += other.tokens;
        self.oov += other.oov;
        self.known_ln += other.known_ln;
        self.oov_ln += other.oov_ln;
    }

    /// log10 P of everything.
    #[must_use]
    pub fn log10(&self) -> f64 {
        (self.known_ln + self.oov_ln) / std::f64::consts::LN_10
    }

    /// e to the mean of −ln P a token; 1 for no tokens.
    #[must_use]
    pub fn perplexity(&self) -> f64 {
        mean(self.known_ln + self.oov_ln, self.tokens)
    }

    /// The same with OOVs taken out of sum and count.
    #[must_use]
    pub fn perplexity_without_oov(&self) -> f64 {
        mean(self.known_ln, self.tokens - self.oov)
    }
}

fn mean(ln: f64, tokens: u64) -> f64 {
    match tokens {
        0 => 1.0,
        tokens => (-ln / tokens as f64).exp(),
    }
}
