//! The model that applications hold: fast to ask, small in a file.

use crate::compact::Precision;
use crate::error::Result;
use crate::fast::{FastModel, State};
use crate::ngrams::Ngrams;
use crate::store::Stored;
use pgen_core::codec::{Container, ContainerWriter, Packing, save, to_bytes};
use pgen_core::{LanguageModel, Limits, LogProb, RowHit, Vocab, WordId};
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

const KIND: &str = "language-model";

/// A language model with its file form: it answers from a [`FastModel`] and is saved in about two bytes
/// an n-gram (at [`Precision::Bits`] up to 8, packed). What is saved is what answers: a model scores the
/// same before and after.
///
/// Ids at or above [`NgramModel::vocab_len`] are `<unk>`; [`NgramModel::check_vocab`] tells whether a
/// vocabulary is the one that the model was made with, perhaps with words appended. Clones share
/// everything.
///
/// ```
/// use pgen_core::{LanguageModel, Limits, Lines, Vocab};
/// use pgen_core::codec::Packing;
/// use pgen_lm::{EstimateParams, Estimator, NgramModel, Precision};
///
/// let mut vocab = Vocab::new();
/// let mut estimator = Estimator::new(EstimateParams::new(3))?;
/// let text = Lines::from_text("a rose is a rose\na rose is red", &Limits::default())?;
/// estimator.add_lines(text, &mut vocab, &())?;
/// let (ngrams, _) = estimator.finish(&vocab, &())?;
/// let model = NgramModel::new(&ngrams, &vocab, Precision::Bits(8))?;
/// let bytes = model.to_bytes(&vocab, Packing::Plain)?;
///
/// let (again, vocab) = NgramModel::from_bytes(&bytes, &Limits::default())?;
/// let words = ["a", "rose"].map(|word| vocab.get(word).unwrap());
/// assert_eq!(model.sentence(&words), again.sentence(&words));
/// # Ok::<(), pgen_lm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NgramModel {
    fast: Arc<FastModel>,
    stored: Arc<Stored>,
}

impl NgramModel {
    /// A model of this precision; `vocab` is the vocabulary of its word ids.
    ///
    /// # Errors
    /// [`pgen_core::Error::Mismatch`] if the vocabulary is shorter than the model's;
    /// [`pgen_core::Error::BadParameter`] for a precision of more than 8 bits that is not exact; as
    /// [`FastModel::new`].
    pub fn new(ngrams: &Ngrams, vocab: &Vocab, precision: Precision) -> Result<Self> {
        Self::unpacked(Stored::new(ngrams, vocab, precision)?)
    }

    fn unpacked(stored: Stored) -> Result<Self> {
        Ok(NgramModel {
            fast: Arc::new(FastModel::new(&stored.unpack()?)?),
            stored: Arc::new(stored),
        })
    }

    /// The n-grams with their numbers as this model has them.
    ///
    /// # Errors
    /// None that a model which could be made can have.
    pub fn ngrams(&self) -> Result<Ngrams> {
        self.stored.unpack()
    }

    /// The layout that answers.
    #[must_use]
    pub fn fast(&self) -> &FastModel {
        &self.fast
    }

    /// Length of the vocabulary that the model was made with.
    #[must_use]
    pub fn vocab_len(&self) -> usize {
        self.stored.vocab_len()
    }

    /// Bytes of the file form before packing.
    #[must_use]
    pub fn stored_bytes(&self) -> usize {
        self.stored.bytes()
    }

    /// Checks that the model was made with this vocabulary or a beginning of it.
    ///
    /// # Errors
    /// [`pgen_core::Error::Mismatch`].
    pub fn check_vocab(&self, vocab: &Vocab) -> Result<()> {
        Ok(self.stored.check_vocab(vocab)?)
    }

    /// Adds the model to a container, without its vocabulary.
    ///
    /// # Errors
    /// As [`ContainerWriter::section`].
    pub fn write_to(
        &self,
        out: &mut ContainerWriter<'_>,
        prefix: &str,
        packing: Packing,
    ) -> pgen_core::Result<()> {
        self.stored.write_to(out, prefix, packing)
    }

    /// Reads what [`NgramModel::write_to`] wrote. Everything is checked; memory is in proportion to the
    /// bytes of the file.
    ///
    /// # Errors
    /// [`pgen_core::Error::Corrupt`], [`pgen_core::Error::UnsupportedVersion`],
    /// [`pgen_core::Error::LimitExceeded`].
    pub fn read_from(container: &Container<'_>, prefix: &str, limits: &Limits) -> Result<Self> {
        Self::unpacked(Stored::read_from(container, prefix, limits)?)
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
    /// As [`Container::open`] and [`NgramModel::read_from`]; [`pgen_core::Error::Mismatch`] if model and
    /// vocabulary of the file do not belong together.
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

    fn read(container: &Container<'_>, limits: &Limits) -> Result<(Self, Vocab)> {
        container.expect_kind(KIND)?;
        let vocab = Vocab::read_from(container, "", limits)?;
        let model = Self::read_from(container, "", limits)?;
        model.check_vocab(&vocab)?;
        Ok((model, vocab))
    }
}

impl LanguageModel for NgramModel {
    type State = State;

    #[inline]
    fn start(&self) -> State {
        self.fast.start()
    }

    #[inline]
    fn null(&self) -> State {
        self.fast.null()
    }

    #[inline]
    fn advance(&self, state: &State, word: WordId) -> (State, LogProb) {
        self.fast.advance(state, word)
    }

    fn row(
        &self,
        state: &State,
        words: &[WordId],
        hits: &mut Vec<RowHit<State>>,
    ) -> Option<(State, LogProb)> {
        self.fast.row(state, words, hits)
    }

    fn upper_bound(&self, word: WordId) -> LogProb {
        self.fast.upper_bound(word)
    }

    fn upper_bound_after(&self, previous: WordId, word: WordId) -> LogProb {
        self.fast.upper_bound_after(previous, word)
    }
}
