//! Tables in files: the trie in preorder, targets where they first occur, values by feature.
//!
//! | section | what |
//! |---|---|
//! | `{prefix}table` | version, vocabulary, counts, names of features |
//! | `{prefix}trie` | for each node but the root: how far up its parent is, how many rules it has, its word |
//! | `{prefix}targets` | for each rule: 0 and a new target, or how many targets back its own is |
//! | `{prefix}values` | for each feature: the distinct values if there are at most 2¹⁶, and a code or value a rule |
//!
//! Numbers are of variable length, so small ids take less: a vocabulary by descending frequency makes
//! the smallest file.

use super::trie::Trie;
use super::{ParaphraseTable, Parts};
use crate::codec::{Container, ContainerWriter, Cursor, Encoder, Packing, check_version, save};
use crate::error::{Error, Result};
use crate::id::WordId;
use crate::limits::Limits;
use crate::vocab::Vocab;
use std::path::Path;

const KIND: &str = "table";
const VERSION: u32 = 1;
/// The largest number of half a byte: more follows.
const MORE: u64 = 15;

impl ParaphraseTable {
    /// Saves the table with its vocabulary in one file; whole or not at all.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if the vocabulary is not that of the table; [`Error::Io`].
    pub fn save(&self, path: &Path, vocab: &Vocab, packing: Packing) -> Result<()> {
        self.check_vocab(vocab)?;
        save(path, KIND, |out| {
            vocab.write_to(out, "", packing)?;
            self.write_to(out, "", packing)
        })
    }

    /// Loads what [`ParaphraseTable::save`] saved.
    ///
    /// # Errors
    /// As [`Container::open`] and [`ParaphraseTable::read_from`]; [`Error::Mismatch`] if the file's
    /// vocabulary is not that of its table.
    pub fn load(path: &Path, limits: &Limits) -> Result<(Vocab, Self)> {
        Self::from_container(&Container::open(path, limits)?, limits)
    }

    /// As [`ParaphraseTable::load`], from a container that is open already.
    ///
    /// # Errors
    /// As [`ParaphraseTable::load`].
    pub fn from_container(container: &Container<'_>, limits: &Limits) -> Result<(Vocab, Self)> {
        container.expect_kind(KIND)?;
        let vocab = Vocab::read_from(container, "", limits)?;
        let table = Self::read_from(container, "", limits)?;
        table.check_vocab(&vocab)?;
        Ok((vocab, table))
    }

    /// Adds the table to a container, without its vocabulary. Nothing is lost: see
    /// [`ParaphraseTable::quantized`] for smaller files.
    ///
    /// # Errors
    /// As [`ContainerWriter::section`].
    pub fn write_to(
        &self,
        out: &mut ContainerWriter<'_>,
        prefix: &str,
        packing: Packing,
    ) -> Result<()> {
        let parts = &self.0;
        let mut head = Encoder::new();
        head.u32(VERSION);
        head.u32(parts.vocab_length);
        head.u64(parts.fingerprint);
        head.u64(parts.trie.len() as u64 - 1);
        head.u64(parts.targets.len() as u64);
        head.u32(parts.features.len() as u32);
        for name in &parts.features {
            head.str(name);
        }
        out.section(&format!("{prefix}table"), Packing::Plain, &head)?;
        out.section(&format!("{prefix}trie"), packing, &encode_trie(parts))?;
        out.section(&format!("{prefix}targets"), packing, &encode_targets(parts))?;
        out.section(&format!("{prefix}values"), packing, &encode_values(parts))
    }

    /// Reads what [`ParaphraseTable::write_to`] wrote. Checks all that a builder checks.
    ///
    /// # Errors
    /// [`Error::Corrupt`], [`Error::UnsupportedVersion`]; [`Error::LimitExceeded`] for more rules or longer
    /// phrases than allowed.
    pub fn read_from(container: &Container<'_>, prefix: &str, limits: &Limits) -> Result<Self> {
        let section = container.section(&format!("{prefix}table"))?;
        let mut cursor = section.cursor();
        check_version(container, "paraphrase table", cursor.u32()?, VERSION)?;
        let (vocab_length, fingerprint) = (cursor.u32()?, cursor.u64()?);
        let (nodes, rules) = (cursor.u64()?, cursor.u64()?);
        let limit = |what, found: u64, limit| {
            let found = usize::try_from(found).unwrap_or(usize::MAX);
            Limits::check(what, found, limit).map_err(|error| container.placed(error))
        };
        limit("number of rows", rules, limits.rows.min(u32::MAX as usize))?;
        let mut features = Vec::new();
        for _ in 0..cursor.u32()? {
            features.push(cursor.str()?.to_owned());
        }
        cursor.clone().finish()?;
        let (trie, rule_start) = {
            let section = container.section(&format!("{prefix}trie"))?;
            decode_trie(section.cursor(), nodes, rules)?
        };
        let (targets, target_start, words) = {
            let section = container.section(&format!("{prefix}targets"))?;
            decode_targets(section.cursor(), rules)?
        };
        let longest = target_start.windows(2).map(|ends| ends[1] - ends[0]).max();
        let longest = (trie.depth() as u64).max(longest.unwrap_or(0).into());
        limit("number of words of a phrase", longest, limits.phrase)?;
        let values = {
            let section = container.section(&format!("{prefix}values"))?;
            decode_values(section.cursor(), rules as usize, features.len())?
        };
        let parts = Parts {
            features,
            trie,
            rule_start,
            targets,
            target_start,
            words,
            values,
            vocab_length,
            fingerprint,
        };
        ParaphraseTable::from_parts(parts).map_err(|error| structural(&cursor, error))
    }
}

/// What a builder calls a bad table is a damaged file here.
fn structural(cursor: &Cursor<'_>, error: Error) -> Error {
    match error {
        Error::BadTable { reason, .. } => cursor.error(&reason),
        other => other,
    }
}

fn encode_trie(parts: &Parts) -> Encoder {
    let mut out = Encoder::new();
    let mut ancestors = vec![0u32];
    for (node, (parent, word)) in (1u32..).zip(parts.trie.links()) {
        let depth = ancestors.iter().rposition(|&known| known == parent);
        let kept = depth.map_or(1, |depth| depth + 1);
        let up = (ancestors.len() - kept) as u64;
        ancestors.truncate(kept);
        ancestors.push(node);
        let at = node as usize;
        let rules = u64::from(parts.rule_start[at + 1] - parts.rule_start[at]);
        out.u8((up.min(MORE) | rules.min(MORE) << 4) as u8);
        for number in [up, rules] {
            if number >= MORE {
                out.varint(number - MORE);
            }
        }
        out.varint(word.raw().into());
    }
    out
}

fn decode_trie(mut cursor: Cursor<'_>, nodes: u64, rules: u64) -> Result<(Trie, Vec<u32>)> {
    // A node takes two bytes at least, so no count beyond that is met.
    let most = usize::try_from(nodes).unwrap_or(usize::MAX);
    let mut links = Vec::with_capacity(most.min(cursor.remaining() / 2));
    let mut rule_start = vec![0u32];
    let mut ancestors = vec![0u32];
    let mut total = 0u64;
    for node in 1..=nodes {
        let byte = u64::from(cursor.u8()?);
        let mut numbers = [byte & MORE, byte >> 4];
        for number in &mut numbers {
            if *number == MORE {
                *number = number.saturating_add(cursor.varint()?);
            }
        }
        let word = WordId::new(cursor.varint32()?);
        let depth = usize::try_from(numbers[0])
            .ok()
            .and_then(|up| ancestors.len().checked_sub(up))
            .filter(|depth| *depth > 0)
            .ok_or_else(|| cursor.error("a node has no parent"))?;
        ancestors.truncate(depth);
        links.push((ancestors[depth - 1], word));
        ancestors.push(u32::try_from(node).map_err(|_| cursor.error("too many nodes"))?);
        rule_start.push(total as u32);
        total = total.saturating_add(numbers[1]);
        if total > rules {
            return Err(cursor.error("the sources have more rules than there are"));
        }
    }
    rule_start.push(total as u32);
    cursor.clone().finish()?;
    let trie = Trie::new(&links).map_err(|error| structural(&cursor, error))?;
    Ok((trie, rule_start))
}

fn encode_targets(parts: &Parts) -> Encoder {
    let mut out = Encoder::new();
    let mut new = 0u32;
    for &target in &parts.targets {
        if target < new {
            out.varint(u64::from(new - target));
            continue;
        }
        let at = target as usize;
        let words = parts.target_start[at] as usize..parts.target_start[at + 1] as usize;
        out.varint(0);
        out.varint(words.len() as u64);
        for word in &parts.words[words] {
            out.varint(word.raw().into());
        }
        new += 1;
    }
    out
}

type Targets = (Vec<u32>, Vec<u32>, Vec<WordId>);

fn decode_targets(mut cursor: Cursor<'_>, rules: u64) -> Result<Targets> {
    // A rule takes a byte at least, so no count beyond that is met.
    let most = usize::try_from(rules).unwrap_or(usize::MAX);
    let mut targets = Vec::with_capacity(most.min(cursor.remaining()));
    let (mut start, mut words) = (vec![0u32], Vec::new());
    for _ in 0..rules {
        let new = start.len() as u32 - 1;
        let back = cursor.varint32()?;
        let target = new.checked_sub(back);
        targets.push(target.ok_or_else(|| cursor.error("a target lies before the first"))?);
        if back > 0 {
            continue;
        }
        for _ in 0..cursor.varint()? {
            words.push(WordId::new(cursor.varint32()?));
        }
        let end = u32::try_from(words.len());
        start.push(end.map_err(|_| cursor.error("too many words"))?);
    }
    cursor.finish()?;
    Ok((targets, start, words))
}

fn encode_values(parts: &Parts) -> Encoder {
    let mut out = Encoder::new();
    let width = parts.features.len();
    for feature in 0..width {
        let column = || parts.values.iter().skip(feature).step_by(width).copied();
        let mut distinct: Vec<f32> = column().collect();
        distinct.sort_unstable_by(f32::total_cmp);
        distinct.dedup();
        let code = |value: f32| distinct.partition_point(|known| *known < value);
        let bytes = match distinct.len() {
            0..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 4,
        };
        out.u8(bytes);
        if bytes < 4 {
            out.f32s(&distinct);
        }
        for value in column() {
            match bytes {
                1 => out.u8(code(value) as u8),
                2 => out.u16(code(value) as u16),
                _ => out.f32(value),
            }
        }
    }
    out
}

fn decode_values(mut cursor: Cursor<'_>, rules: usize, width: usize) -> Result<Vec<f32>> {
    // Every value takes a byte at least.
    let fits = rules.checked_mul(width);
    let count = fits.filter(|count| *count <= cursor.remaining());
    let count = count.ok_or_else(|| cursor.error("there are fewer values than rules"))?;
    let mut values = vec![0f32; count];
    for feature in 0..width {
        let bytes = cursor.u8()?;
        let book = match bytes {
            1 | 2 => cursor.f32s()?,
            4 => Vec::new(),
            _ => return Err(cursor.error("a coding of values is not known")),
        };
        for value in values.iter_mut().skip(feature).step_by(width) {
            let code = match bytes {
                1 => usize::from(cursor.u8()?),
                2 => usize::from(cursor.u16()?),
                _ => {
                    *value = cursor.f32()?;
                    continue;
                }
            };
            let known = book.get(code).copied();
            *value = known.ok_or_else(|| cursor.error("a code has no value"))?;
        }
    }
    cursor.finish()?;
    Ok(values)
}
