//! Language models in container files.

use super::{BitLevel, Codes, CompactModel, Degrees, Packed};
use crate::error::Result;
use pgen_core::codec::{Container, ContainerWriter, Cursor, Encoder, Packing, check_version};
use pgen_core::codec::{save, to_bytes};
use pgen_core::{Error, Limits, Vocab};
use std::path::Path;

const VERSION: u32 = 1;
const KIND: &str = "language-model";

impl CompactModel {
    /// Adds the model to a container, as the section `{prefix}model`, with the length and fingerprint of
    /// the vocabulary it belongs to.
    ///
    /// # Errors
    /// [`pgen_core::Error::Mismatch`] if `vocab` is shorter than the model's; as
    /// [`ContainerWriter::section`].
    pub fn write_to(
        &self,
        out: &mut ContainerWriter<'_>,
        prefix: &str,
        vocab: &Vocab,
        packing: Packing,
    ) -> pgen_core::Result<()> {
        let fingerprint = vocab
            .fingerprint(self.vocabulary)
            .ok_or_else(|| mismatch(self, vocab))?;
        let mut content = Encoder::new();
        content.u32(VERSION);
        content.u32(self.levels.len() as u32);
        content.u64(self.vocabulary as u64);
        content.u64(fingerprint);
        content.u64s(&self.listed);
        content.f32s(&self.bounds);
        for (depth, level) in self.levels.iter().enumerate() {
            content.u64(level.length as u64);
            level.keys.write(&mut content);
            level.log_probs.write(&mut content);
            if depth + 1 < self.levels.len() {
                level.backoffs.write(&mut content);
                level.children.write(&mut content);
            }
        }
        out.section(&format!("{prefix}model"), packing, &content)
    }

    /// Reads what [`CompactModel::write_to`] wrote.
    ///
    /// # Errors
    /// [`pgen_core::Error::Corrupt`], [`pgen_core::Error::UnsupportedVersion`];
    /// [`pgen_core::Error::Mismatch`] if the model was made for another vocabulary.
    pub fn read_from(
        container: &Container<'_>,
        prefix: &str,
        vocab: &Vocab,
    ) -> pgen_core::Result<Self> {
        let section = container.section(&format!("{prefix}model"))?;
        let mut cursor = section.cursor();
        check_version(container, "language model", cursor.u32()?, VERSION)?;
        let order = cursor.u32()? as usize;
        if !(1..=8).contains(&order) {
            return Err(cursor.error("the order is not 1 to 8"));
        }
        let vocabulary = usize::try_from(cursor.u64()?).unwrap_or(usize::MAX);
        let fingerprint = cursor.u64()?;
        let mut model = CompactModel {
            levels: Vec::new(),
            listed: cursor.u64s()?,
            vocabulary,
            bounds: cursor.f32s()?,
            offsets: Vec::new(),
            starts: false,
        };
        if vocab.fingerprint(vocabulary) != Some(fingerprint) {
            return Err(container.placed(mismatch(&model, vocab)));
        }
        if model.listed.len() != vocabulary.div_ceil(64) || model.bounds.len() != vocabulary {
            return Err(cursor.error("the words are not as many as the vocabulary's"));
        }
        if model
            .bounds
            .iter()
            .any(|bound| bound.is_nan() || *bound == f32::INFINITY)
        {
            return Err(cursor.error("a bound is no logarithm"));
        }
        for depth in 0..order {
            model
                .levels
                .push(read_level(&mut cursor, depth, order, vocabulary)?);
        }
        check_sizes(&model.levels, &cursor)?;
        cursor.finish()?;
        model.index();
        Ok(model)
    }

    /// Writes the model and its vocabulary to a file, whole or not at all.
    ///
    /// # Errors
    /// As [`CompactModel::write_to`]; [`pgen_core::Error::Io`].
    pub fn save(&self, path: &Path, vocab: &Vocab) -> Result<()> {
        Ok(save(path, KIND, |out| self.write_all(out, vocab))?)
    }

    /// As [`CompactModel::save`], to memory.
    ///
    /// # Errors
    /// As [`CompactModel::write_to`].
    pub fn to_bytes(&self, vocab: &Vocab) -> Result<Vec<u8>> {
        Ok(to_bytes(KIND, |out| self.write_all(out, vocab))?)
    }

    fn write_all(&self, out: &mut ContainerWriter<'_>, vocab: &Vocab) -> pgen_core::Result<()> {
        vocab.write_to(out, "", Packing::Plain)?;
        self.write_to(out, "", vocab, Packing::Plain)
    }

    /// Opens a file of [`CompactModel::save`].
    ///
    /// # Errors
    /// As [`Container::open`] and [`CompactModel::read_from`].
    pub fn open(path: &Path, limits: &Limits) -> Result<(Self, Vocab)> {
        Self::read_all(&Container::open(path, limits)?, limits)
    }

    /// As [`CompactModel::open`], from bytes in memory.
    ///
    /// # Errors
    /// As [`CompactModel::open`].
    pub fn from_bytes(bytes: &[u8], limits: &Limits) -> Result<(Self, Vocab)> {
        Self::read_all(&Container::from_bytes(bytes, limits)?, limits)
    }

    fn read_all(container: &Container<'_>, limits: &Limits) -> Result<(Self, Vocab)> {
        container.expect_kind(KIND)?;
        let vocab = Vocab::read_from(container, "", limits)?;
        Ok((Self::read_from(container, "", &vocab)?, vocab))
    }
}

fn mismatch(model: &CompactModel, vocab: &Vocab) -> Error {
    Error::Mismatch {
        what: "model and vocabulary",
        reason: format!(
            "the model was made with other words ({} of them; these are {})",
            model.vocabulary,
            vocab.len()
        )
        .into(),
    }
}

fn read_level(
    cursor: &mut Cursor<'_>,
    depth: usize,
    order: usize,
    vocabulary: usize,
) -> pgen_core::Result<BitLevel> {
    let length = usize::try_from(cursor.u64()?).unwrap_or(usize::MAX);
    if u32::try_from(length).is_err() || (depth == 0 && length != vocabulary) {
        return Err(cursor.error("a level has a wrong length"));
    }
    let mut level = BitLevel {
        keys: Packed::read(cursor)?,
        length,
        ..BitLevel::default()
    };
    level.log_probs = Codes::read(cursor, length)?;
    if depth + 1 < order {
        level.backoffs = Codes::read(cursor, length)?;
        level.children = Degrees::read(cursor)?;
    }
    let keys = if depth == 0 { 0 } else { length };
    if level.keys.len() != keys {
        return Err(cursor.error("there are not as many words as n-grams"));
    }
    Ok(level)
}

/// Every level has the children that the level before announces, and words of the vocabulary.
fn check_sizes(levels: &[BitLevel], cursor: &Cursor<'_>) -> pgen_core::Result<()> {
    for pair in levels.windows(2) {
        if pair[0].children.sizes() != (pair[0].length, pair[1].length) {
            return Err(cursor.error("n-grams and their children do not fit"));
        }
    }
    let words = levels.first().map_or(0, |level| level.length);
    if let Some(second) = levels.get(1)
        && (0..second.length).any(|at| second.keys.get(at) as usize >= words)
    {
        return Err(cursor.error("a word is outside the vocabulary"));
    }
    Ok(())
}
