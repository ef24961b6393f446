//! Language models in container files.

use super::{BitLevel, Codes, CompactModel, Degrees, Packed};
use pgen_core::codec::{Container, ContainerWriter, Cursor, Encoder, Packing, check_version};

const VERSION: u32 = 1;

impl CompactModel {
    /// Adds the model to a container, as the section `{prefix}model`, with the length and fingerprint of
    /// the vocabulary it belongs to.
    pub(crate) fn write_to(
        &self,
        out: &mut ContainerWriter<'_>,
        prefix: &str,
        fingerprint: u64,
        packing: Packing,
    ) -> pgen_core::Result<()> {
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

    /// Reads what [`CompactModel::write_to`] wrote, with the fingerprint of its vocabulary.
    pub(crate) fn read_from(
        container: &Container<'_>,
        prefix: &str,
    ) -> pgen_core::Result<(Self, u64)> {
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
        Ok((model, fingerprint))
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
