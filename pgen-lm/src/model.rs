//! The model that applications hold: one type for both layouts, and their files.

use crate::compact::{CompactModel, Precision};
use crate::error::Result;
use crate::estimate::Estimator;
use crate::fast::{FastModel, State};
use crate::ngrams::Ngrams;
use crate::params::EstimateParams;
use crate::store::Stored;
use pgen_core::codec::{Container, ContainerWriter, Packing, save, to_bytes};
use pgen_core::{Error, LanguageModel, Limits, Lines, LogProb, Progress, RowHit, Vocab, WordId};
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

const KIND: &str = "language-model";

/// How a model lies in memory and in its file. Scores are equal, to the last bit, for equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Layout {
    /// [`FastModel`]: about 20 bytes an n-gram in memory. In a file about 2 at 8 bits and 4 if exact, which
    /// are unpacked when it is opened.
    #[default]
    Fast,
    /// [`CompactModel`]: about 3 bytes an n-gram at 8 bits and 7 if exact, in memory as in the file, which
    /// therefore opens at once.
    Compact,
}

/// A language model in one of two layouts, with its file form. What is saved is what answers: a model
/// scores the same before and after.
///
/// Ids at or above [`NgramModel::vocabulary`] are `<unk>`; [`NgramModel::check_vocab`] tells whether a
/// vocabulary is the one that the model was made with, perhaps with words appended. Clones share
/// everything. Code that wants one layout without asking at each call takes [`FastModel`] or
/// [`CompactModel`] itself.
///
/// ```
/// use pgen_core::{LanguageModel, Limits, Lines, Vocab};
/// use pgen_core::codec::Packing;
/// use pgen_lm::{EstimateParams, Estimator, Layout, NgramModel, Precision};
///
/// let mut vocab = Vocab::new();
/// let mut estimator = Estimator::new(EstimateParams::new(3))?;
/// let text = Lines::from_text("a rose is a rose\na rose is red", &Limits::default())?;
/// estimator.add_lines(text, &mut vocab, &())?;
/// let (ngrams, _) = estimator.finish(&vocab, &())?;
/// let model = NgramModel::new(&ngrams, &vocab, Layout::Fast, Precision::Bits(8))?;
/// let bytes = model.to_bytes(&vocab, Packing::Plain)?;
///
/// let (again, vocab) = NgramModel::from_bytes(&bytes, &Limits::default())?;
/// let words = ["a", "rose"].map(|word| vocab.get(word).unwrap());
/// assert_eq!(model.sentence(&words), again.sentence(&words));
/// # Ok::<(), pgen_lm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NgramModel {
    inner: Inner,
    fingerprint: u64,
}

#[derive(Clone, Debug)]
enum Inner {
    /// With the bytes of its file form.
    Fast(Arc<FastModel>, Arc<Stored>),
    Compact(Arc<CompactModel>),
}

/// Calls a method of the layout.
macro_rules! each {
    ($self:ident, $model:ident => $call:expr) => {
        match &$self.inner {
            Inner::Fast($model, _) => $call,
            Inner::Compact($model) => $call,
        }
    };
}

impl NgramModel {
    /// A model in this layout and precision; `vocab` is the vocabulary of its word ids.
    ///
    /// # Errors
    /// [`pgen_core::Error::Mismatch`] if the vocabulary is shorter than the model's;
    /// [`pgen_core::Error::BadParameter`] for a precision that is neither exact nor 2 to 8 bits (fast) or
    /// 2 to 16 bits (compact); as [`FastModel::new`].
    pub fn new(
        ngrams: &Ngrams,
        vocab: &Vocab,
        layout: Layout,
        precision: Precision,
    ) -> Result<Self> {
        let fingerprint = fingerprint(vocab, ngrams.vocabulary())?;
        Ok(match layout {
            Layout::Fast => Self::unpacked(Stored::new(ngrams, precision)?, fingerprint)?,
            Layout::Compact => {
                let model = CompactModel::new(ngrams, precision)?;
                Self::compact(model, fingerprint)
            }
        })
    }

    /// A model from text in one call: one sentence a line, tokens separated by blanks; exact, in the fast
    /// layout, with its vocabulary. [`Estimator`] takes more than one text and tells how it went.
    ///
    /// ```
    /// use pgen_core::{LanguageModel, Limits, Lines};
    /// use pgen_lm::{EstimateParams, NgramModel};
    ///
    /// let lines = Lines::from_text("a rose is a rose\na rose is red", &Limits::default())?;
    /// let (model, vocab) = NgramModel::from_lines(lines, EstimateParams::new(3), &())?;
    /// let words = ["a", "rose"].map(|word| vocab.get(word).unwrap());
    /// assert!(model.sentence(&words).ln() < 0.0);
    /// # Ok::<(), pgen_lm::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Estimator::new`], [`Estimator::add_lines`] and [`Estimator::finish`].
    pub fn from_lines(
        lines: Lines,
        params: EstimateParams,
        progress: &dyn Progress,
    ) -> Result<(Self, Vocab)> {
        let mut vocab = Vocab::new();
        let mut estimator = Estimator::new(params)?;
        estimator.add_lines(lines, &mut vocab, progress)?;
        let (ngrams, _) = estimator.finish(&vocab, progress)?;
        let model = Self::new(&ngrams, &vocab, Layout::Fast, Precision::Exact)?;
        Ok((model, vocab))
    }

    fn unpacked(stored: Stored, fingerprint: u64) -> Result<Self> {
        let fast = Arc::new(FastModel::new(&stored.unpack()?)?);
        let inner = Inner::Fast(fast, Arc::new(stored));
        Ok(NgramModel { inner, fingerprint })
    }

    fn compact(model: CompactModel, fingerprint: u64) -> Self {
        let inner = Inner::Compact(Arc::new(model));
        NgramModel { inner, fingerprint }
    }

    /// The layout.
    #[must_use]
    pub fn layout(&self) -> Layout {
        match &self.inner {
            Inner::Fast(..) => Layout::Fast,
            Inner::Compact(_) => Layout::Compact,
        }
    }

    /// The same numbers in another layout.
    ///
    /// # Errors
    /// As [`FastModel::new`].
    pub fn with_layout(&self, layout: Layout) -> Result<Self> {
        if layout == self.layout() {
            return Ok(self.clone());
        }
        let ngrams = self.ngrams()?;
        Ok(match layout {
            Layout::Fast => {
                Self::unpacked(Stored::new(&ngrams, Precision::Exact)?, self.fingerprint)?
            }
            Layout::Compact => {
                let model = CompactModel::new(&ngrams, Precision::Exact)?;
                Self::compact(model, self.fingerprint)
            }
        })
    }

    /// The n-grams with their numbers as this model has them.
    ///
    /// # Errors
    /// None that a model which could be made can have.
    pub fn ngrams(&self) -> Result<Ngrams> {
        match &self.inner {
            Inner::Fast(_, stored) => stored.unpack(),
            Inner::Compact(model) => model.to_ngrams(),
        }
    }

    /// The fast layout itself, if it is that.
    #[must_use]
    pub fn as_fast(&self) -> Option<&FastModel> {
        match &self.inner {
            Inner::Fast(model, _) => Some(model),
            Inner::Compact(_) => None,
        }
    }

    /// The fast layout by itself: what it is made of, or the same numbers.
    ///
    /// # Errors
    /// As [`FastModel::new`].
    pub fn into_fast(self) -> Result<FastModel> {
        match self.inner {
            Inner::Fast(model, _) => Ok(Arc::unwrap_or_clone(model)),
            Inner::Compact(model) => FastModel::new(&model.to_ngrams()?),
        }
    }

    /// The compact layout itself, if it is that.
    #[must_use]
    pub fn as_compact(&self) -> Option<&CompactModel> {
        match &self.inner {
            Inner::Fast(..) => None,
            Inner::Compact(model) => Some(model),
        }
    }

    /// The order: words of the longest n-grams.
    #[must_use]
    pub fn order(&self) -> usize {
        each!(self, model => model.order())
    }

    /// Number of n-grams of each order.
    #[must_use]
    pub fn counts(&self) -> Vec<u64> {
        each!(self, model => model.counts().to_vec())
    }

    /// Length of the vocabulary that the model was made with.
    #[must_use]
    pub fn vocabulary(&self) -> usize {
        each!(self, model => model.vocabulary())
    }

    /// True if the word is a unigram of the model.
    #[must_use]
    pub fn knows(&self, word: WordId) -> bool {
        each!(self, model => model.knows(word))
    }

    /// Bytes of memory that answering takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        each!(self, model => model.bytes())
    }

    /// Bytes of the file form before packing, without the vocabulary.
    #[must_use]
    pub fn stored_bytes(&self) -> usize {
        match &self.inner {
            Inner::Fast(_, stored) => stored.bytes(),
            Inner::Compact(model) => model.bytes(),
        }
    }

    /// ln P of each sentence, `</s>` included: as [`LanguageModel::sentence`], bit for bit, and faster.
    #[must_use]
    pub fn sentences<S: AsRef<[WordId]>>(&self, sentences: &[S]) -> Vec<LogProb> {
        each!(self, model => model.sentences(sentences))
    }

    /// Checks that the model was made with this vocabulary or a beginning of it.
    ///
    /// # Errors
    /// [`pgen_core::Error::Mismatch`].
    pub fn check_vocab(&self, vocab: &Vocab) -> Result<()> {
        Ok(check(vocab, self.vocabulary(), self.fingerprint)?)
    }

    /// Adds the model to a container, without its vocabulary: `{prefix}lm`, `{prefix}lm.shape` and
    /// `{prefix}lm.values` for the fast layout, `{prefix}model` for the compact one.
    ///
    /// # Errors
    /// As [`ContainerWriter::section`].
    pub fn write_to(
        &self,
        out: &mut ContainerWriter<'_>,
        prefix: &str,
        packing: Packing,
    ) -> pgen_core::Result<()> {
        match &self.inner {
            Inner::Fast(_, stored) => stored.write_to(out, prefix, self.fingerprint, packing),
            Inner::Compact(model) => model.write_to(out, prefix, self.fingerprint, packing),
        }
    }

    /// Reads what [`NgramModel::write_to`] wrote, in the layout that it was written in. Everything is
    /// checked; memory is in proportion to the bytes of the file.
    ///
    /// # Errors
    /// [`pgen_core::Error::Corrupt`], [`pgen_core::Error::UnsupportedVersion`],
    /// [`pgen_core::Error::LimitExceeded`]; [`pgen_core::Error::Mismatch`] if the model was made with
    /// another vocabulary.
    pub fn read_from(
        container: &Container<'_>,
        prefix: &str,
        vocab: &Vocab,
        limits: &Limits,
    ) -> Result<Self> {
        let placed = |error| container.placed(error);
        if container.has(&format!("{prefix}lm")) {
            let (stored, fingerprint) = Stored::read_from(container, prefix, limits)?;
            check(vocab, stored.vocabulary(), fingerprint).map_err(placed)?;
            return Self::unpacked(stored, fingerprint);
        }
        let (model, fingerprint) = CompactModel::read_from(container, prefix)?;
        check(vocab, model.vocabulary(), fingerprint).map_err(placed)?;
        Ok(Self::compact(model, fingerprint))
    }

    /// Saves the model with its vocabulary, whole or not at all.
    ///
    /// # Errors
    /// [`pgen_core::Error::Mismatch`] for another vocabulary; [`pgen_core::Error::Io`].
    pub fn save(&self, path: &Path, vocab: &Vocab, packing: Packing) -> Result<()> {
        self.check_vocab(vocab)?;
        Ok(save(path, KIND, |out| {
            vocab.write_to(out, "", packing)?;
            self.write_to(out, "", packing)
        })?)
    }

    /// As [`NgramModel::save`], to memory.
    ///
    /// # Errors
    /// As [`NgramModel::save`].
    pub fn to_bytes(&self, vocab: &Vocab, packing: Packing) -> Result<Vec<u8>> {
        self.check_vocab(vocab)?;
        Ok(to_bytes(KIND, |out| {
            vocab.write_to(out, "", packing)?;
            self.write_to(out, "", packing)
        })?)
    }

    /// Opens what [`NgramModel::save`] saved.
    ///
    /// # Errors
    /// As [`Container::open`] and [`NgramModel::read_from`].
    pub fn open(path: &Path, limits: &Limits) -> Result<(Self, Vocab)> {
        Self::read(&Container::open(path, limits)?, limits)
    }

    /// As [`NgramModel::open`], from bytes in memory.
    ///
    /// # Errors
    /// As [`NgramModel::open`].
    pub fn from_bytes<'a>(
        bytes: impl Into<Cow<'a, [u8]>>,
        limits: &Limits,
    ) -> Result<(Self, Vocab)> {
        Self::read(&Container::from_bytes(bytes, limits)?, limits)
    }

    /// Reads model and vocabulary from a container of the kind `language-model`.
    ///
    /// # Errors
    /// As [`NgramModel::open`].
    pub fn read(container: &Container<'_>, limits: &Limits) -> Result<(Self, Vocab)> {
        container.expect_kind(KIND)?;
        let vocab = Vocab::read_from(container, "", limits)?;
        let model = Self::read_from(container, "", &vocab, limits)?;
        Ok((model, vocab))
    }
}

fn fingerprint(vocab: &Vocab, length: usize) -> Result<u64, Error> {
    let found = vocab.fingerprint(length);
    found.ok_or_else(|| mismatch(length, vocab))
}

fn check(vocab: &Vocab, length: usize, expected: u64) -> Result<(), Error> {
    if vocab.fingerprint(length) == Some(expected) {
        return Ok(());
    }
    Err(mismatch(length, vocab))
}

fn mismatch(length: usize, vocab: &Vocab) -> Error {
    let reason = format!(
        "the model was made with another vocabulary, of {length} words; this one has {}",
        vocab.len()
    );
    Error::Mismatch {
        what: "language model and vocabulary",
        reason: reason.into(),
    }
}

impl LanguageModel for NgramModel {
    type State = State;

    #[inline]
    fn start(&self) -> State {
        each!(self, model => model.start())
    }

    #[inline]
    fn null(&self) -> State {
        each!(self, model => model.null())
    }

    #[inline]
    fn advance(&self, state: &State, word: WordId) -> (State, LogProb) {
        each!(self, model => model.advance(state, word))
    }

    fn phrase(&self, state: &State, words: &[WordId]) -> (State, LogProb) {
        each!(self, model => model.phrase(state, words))
    }

    fn sentence(&self, words: &[WordId]) -> LogProb {
        each!(self, model => model.sentence(words))
    }

    fn row(
        &self,
        state: &State,
        words: &[WordId],
        hits: &mut Vec<RowHit<State>>,
    ) -> Option<(State, LogProb)> {
        each!(self, model => model.row(state, words, hits))
    }

    #[inline]
    fn back_off(&self, state: &State) -> Option<(State, LogProb)> {
        each!(self, model => model.back_off(state))
    }

    fn is_nested(&self) -> bool {
        each!(self, model => model.is_nested())
    }

    #[inline]
    fn prefetch(&self, states: &[State], words: &[WordId]) {
        each!(self, model => model.prefetch(states, words));
    }

    fn upper_bound(&self, word: WordId) -> LogProb {
        each!(self, model => model.upper_bound(word))
    }

    fn upper_bound_after(&self, previous: WordId, word: WordId) -> LogProb {
        each!(self, model => model.upper_bound_after(previous, word))
    }
}
