//! The language-model seam.

use crate::id::WordId;
use crate::score::LogProb;
use std::hash::Hash;

/// A next word that a state lists itself, see [`LanguageModel::row`].
#[derive(Clone, PartialEq, Debug)]
pub struct RowHit<S> {
    /// Which of the asked words: its position in the slice.
    pub at: u32,
    /// The state after the word.
    pub next: S,
    /// Its probability.
    pub log_prob: LogProb,
}

/// A model of P(word | words before), as an automaton: all it knows of the words before is its state.
///
/// Required are [`start`](Self::start), [`null`](Self::null) and [`advance`](Self::advance). Decoders
/// make millions of calls, so they are generic over the model (static dispatch); the model is `&self`
/// and pure.
///
/// What if an implementation lies? If two states are equal but their futures differ, decoders return
/// lists that are not exact. If [`row`](Self::row) disagrees with `advance`, or a bound is below a real
/// value, the same. Nothing panics and nothing loops.
///
/// ```
/// use pgen_core::{LanguageModel, LogProb, WordId};
///
/// /// Every word has probability 1/10, whatever came before.
/// struct Uniform;
///
/// impl LanguageModel for Uniform {
///     type State = ();
///     fn start(&self) {}
///     fn null(&self) {}
///     fn advance(&self, (): &(), _word: WordId) -> ((), LogProb) {
///         ((), LogProb::from_ln(0.1f64.ln()))
///     }
/// }
///
/// // One word and the end of the sentence.
/// assert!((Uniform.sentence(&[WordId::new(7)]).probability() - 0.01).abs() < 1e-12);
/// ```
pub trait LanguageModel {
    /// What the model remembers. Equal states must have equal futures: decoders recombine on it.
    type State: Clone + Eq + Hash;

    /// The state after `<s>`.
    fn start(&self) -> Self::State;

    /// The state without any context, to score a phrase by itself.
    fn null(&self) -> Self::State;

    /// The state after one more word, and ln P(word | state). A word that the model does not know is
    /// scored as `<unk>`.
    fn advance(&self, state: &Self::State, word: WordId) -> (Self::State, LogProb);

    /// ln P(`</s>` | state).
    fn finish(&self, state: &Self::State) -> LogProb {
        self.advance(state, WordId::EOS).1
    }

    /// The state after a phrase, and the sum of its words' log probabilities, added left to right.
    fn phrase(&self, state: &Self::State, words: &[WordId]) -> (Self::State, LogProb) {
        let mut state = state.clone();
        let mut sum = LogProb::ONE;
        for &word in words {
            let (next, log_prob) = self.advance(&state, word);
            state = next;
            sum += log_prob;
        }
        (state, sum)
    }

    /// ln P of a whole sentence, `</s>` included.
    fn sentence(&self, words: &[WordId]) -> LogProb {
        let (state, sum) = self.phrase(&self.start(), words);
        sum + self.finish(&state)
    }

    /// ln P of a phrase by itself: without context before and without `</s>`.
    fn unit(&self, words: &[WordId]) -> LogProb {
        self.phrase(&self.null(), words).1
    }

    /// One row of the automaton: what follows `state` for each of `words`, as far as the state itself
    /// lists it, and the back-off for the others.
    ///
    /// For every word that the state lists, pushes a [`RowHit`] with what [`advance`](Self::advance)
    /// would return. If the result is `None`, all words were pushed. If it is `Some((shorter, weight))`,
    /// then for each word `w` not pushed, `advance(state, w)` equals `advance(&shorter, w)` with `weight`
    /// added to its log probability: the caller asks `shorter` for those, once for all longer contexts
    /// that share it. The default asks `advance` for each word.
    ///
    /// Words must be distinct and ascending by id.
    fn row(
        &self,
        state: &Self::State,
        words: &[WordId],
        hits: &mut Vec<RowHit<Self::State>>,
    ) -> Option<(Self::State, LogProb)> {
        for (at, &word) in (0u32..).zip(words) {
            let (next, log_prob) = self.advance(state, word);
            hits.push(RowHit { at, next, log_prob });
        }
        None
    }

    /// The state that answers what this one does not list, and what asking it costs: what
    /// [`row`](Self::row) returns, whatever it is asked.
    fn back_off(&self, state: &Self::State) -> Option<(Self::State, LogProb)> {
        self.row(state, &[], &mut Vec::new())
    }

    /// True if every word that a state lists itself is listed by its shorter state too, as in n-gram models
    /// that hold the suffixes of their n-grams. Then a caller of [`row`](Self::row) may ask the shorter
    /// state first and the longer one for those words only. False is always right.
    fn is_nested(&self) -> bool {
        false
    }

    /// A hint that [`row`](Self::row) will soon be called with these states and these words, or with no
    /// words. A model whose tables do not fit into caches may read what the rows will read, without
    /// depending on it: then the reads of many rows wait for memory together instead of one after the
    /// other. Nothing changes but time; the default does nothing.
    #[inline]
    fn prefetch(&self, _states: &[Self::State], _words: &[WordId]) {}

    /// A value that ln P(word | anything) never exceeds; 0 is always right for probabilities.
    fn upper_bound(&self, _word: WordId) -> LogProb {
        LogProb::ONE
    }

    /// A value that ln P(word | … previous) never exceeds; at least as sharp as
    /// [`upper_bound`](Self::upper_bound).
    fn upper_bound_after(&self, _previous: WordId, word: WordId) -> LogProb {
        self.upper_bound(word)
    }
}

impl<L: LanguageModel + ?Sized> LanguageModel for &L {
    type State = L::State;
    fn start(&self) -> Self::State {
        (**self).start()
    }
    fn null(&self) -> Self::State {
        (**self).null()
    }
    fn advance(&self, state: &Self::State, word: WordId) -> (Self::State, LogProb) {
        (**self).advance(state, word)
    }
    fn finish(&self, state: &Self::State) -> LogProb {
        (**self).finish(state)
    }
    fn phrase(&self, state: &Self::State, words: &[WordId]) -> (Self::State, LogProb) {
        (**self).phrase(state, words)
    }
    fn row(
        &self,
        state: &Self::State,
        words: &[WordId],
        hits: &mut Vec<RowHit<Self::State>>,
    ) -> Option<(Self::State, LogProb)> {
        (**self).row(state, words, hits)
    }
    #[inline]
    fn back_off(&self, state: &Self::State) -> Option<(Self::State, LogProb)> {
        (**self).back_off(state)
    }
    fn is_nested(&self) -> bool {
        (**self).is_nested()
    }
    #[inline]
    fn prefetch(&self, states: &[Self::State], words: &[WordId]) {
        (**self).prefetch(states, words);
    }
    fn upper_bound(&self, word: WordId) -> LogProb {
        (**self).upper_bound(word)
    }
    fn upper_bound_after(&self, previous: WordId, word: WordId) -> LogProb {
        (**self).upper_bound_after(previous, word)
    }
}
