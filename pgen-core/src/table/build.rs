//! Building a table: rows in any order, then sorted, made unique and laid out.

use super::trie::Trie;
use super::{ParaphraseTable, Parts};
use crate::error::{Error, Place, Result};
use crate::id::WordId;
use crate::limits::Limits;
use crate::phrases::{Phrases, invert};
use crate::vocab::Vocab;
use std::cmp::Ordering;

/// What to do with rows of the same source and target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Duplicates {
    /// Keep the row whose first value is largest; of equal ones the one with the larger second value,
    /// and so on. A row is kept or left as a whole.
    #[default]
    Max,
    /// Keep all.
    Keep,
    /// Refuse the table.
    Refuse,
}

/// Collects rows for a [`ParaphraseTable`], in any order. The same rows in another order make the same
/// table.
///
/// Memory while building: distinct phrases once, 8 + 4k bytes a row, and 8 bytes a row to sort.
///
/// ```
/// use pgen_core::{TableBuilder, Vocab};
///
/// let mut vocab = Vocab::new();
/// let mut builder = TableBuilder::new(["p"]);
/// builder.push_text(&mut vocab, "a lot of", "many", &[-0.5])?;
/// builder.push_text(&mut vocab, "a lot of", "plenty of", &[-1.5])?;
/// let table = builder.build(&vocab)?;
///
/// let source: Vec<_> = ["a", "lot", "of"].map(|w| vocab.get(w).unwrap()).into();
/// let best = table.find(&source).next().unwrap();
/// assert_eq!((best.target, best.values), (&[vocab.get("many").unwrap()][..], &[-0.5][..]));
/// # Ok::<(), pgen_core::Error>(())
/// ```
#[derive(Debug)]
pub struct TableBuilder {
    features: Vec<String>,
    duplicates: Duplicates,
    deletions: bool,
    limits: Limits,
    sources: Phrases,
    targets: Phrases,
    rows: Vec<(u32, u32)>,
    values: Vec<f32>,
    /// The phrase being read.
    scratch: Vec<WordId>,
}

impl TableBuilder {
    /// A builder for rows with these features.
    pub fn new<S: Into<String>>(features: impl IntoIterator<Item = S>) -> Self {
        TableBuilder {
            features: features.into_iter().map(Into::into).collect(),
            duplicates: Duplicates::default(),
            deletions: false,
            limits: Limits::default(),
            sources: Phrases::new(),
            targets: Phrases::new(),
            rows: Vec::new(),
            values: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// What to do with rows of the same source and target; [`Duplicates::Max`] unless set.
    #[must_use]
    pub fn duplicates(mut self, duplicates: Duplicates) -> Self {
        self.duplicates = duplicates;
        self
    }

    /// Whether empty targets are allowed; not unless set.
    #[must_use]
    pub fn deletions(mut self, allowed: bool) -> Self {
        self.deletions = allowed;
        self
    }

    /// Bounds on rows, words of a phrase and bytes of a word.
    #[must_use]
    pub fn limits(mut self, limits: &Limits) -> Self {
        self.limits = limits.clone();
        self
    }

    /// Number of rows so far, duplicates included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True without rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a row with its feature values (natural logs).
    ///
    /// # Errors
    /// Leaves the builder as it was with [`Error::BadTable`] for an empty source, an empty target unless
    /// allowed, or a number of values that is not that of the features; [`Error::NotFinite`];
    /// [`Error::LimitExceeded`] for long phrases and too many rows.
    pub fn push(&mut self, source: &[WordId], target: &[WordId], values: &[f32]) -> Result<()> {
        self.check_row(source.len(), target.len(), values)?;
        let source = self.sources.intern(source)?;
        let target = self.targets.intern(target)?;
        self.rows.push((source, target));
        // 0 and −0 are one value.
        self.values.extend(values.iter().map(|value| value + 0.0));
        Ok(())
    }

    /// Adds a row whose words are separated by spaces or tabs; new words join the vocabulary.
    ///
    /// # Errors
    /// As [`TableBuilder::push`]; also [`Error::LimitExceeded`] for a long word.
    pub fn push_text(
        &mut self,
        vocab: &mut Vocab,
        source: &str,
        target: &str,
        values: &[f32],
    ) -> Result<()> {
        self.check_row(words(source).count(), words(target).count(), values)?;
        for word in words(source).chain(words(target)) {
            Limits::check(
                "length of a word in bytes",
                word.len(),
                self.limits.token_bytes,
            )?;
        }
        let mut phrase = std::mem::take(&mut self.scratch);
        let mut intern = |phrases: &mut Phrases, text: &str| {
            phrase.clear();
            for word in words(text) {
                phrase.push(vocab.intern(word)?);
            }
            phrases.intern(&phrase)
        };
        let row = (
            intern(&mut self.sources, source)?,
            intern(&mut self.targets, target)?,
        );
        self.scratch = phrase;
        self.rows.push(row);
        self.values.extend(values.iter().map(|value| value + 0.0));
        Ok(())
    }

    fn check_row(&self, source: usize, target: usize, values: &[f32]) -> Result<()> {
        let bad = |reason: &str| Err(Error::table(Place::default(), reason));
        if source == 0 {
            return bad("the source is empty");
        }
        if target == 0 && !self.deletions {
            return bad("the target is empty, and deletions are not allowed");
        }
        Limits::check(
            "number of words of a phrase",
            source.max(target),
            self.limits.phrase,
        )?;
        Limits::check("number of rows", self.rows.len() + 1, self.limits.rows)?;
        if values.len() != self.features.len() || values.is_empty() {
            let (found, needed) = (values.len(), self.features.len());
            return bad(&format!("{found} values for {needed} features"));
        }
        match values.iter().find(|value| !value.is_finite()) {
            Some(&value) => Err(Error::NotFinite {
                what: "feature value",
                value: value.into(),
            }),
            None => Ok(()),
        }
    }

    /// The table. The vocabulary must hold every word of the rows.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if it does not; [`Error::BadTable`] for duplicates that are refused, and for a
    /// table without features.
    pub fn build(self, vocab: &Vocab) -> Result<ParaphraseTable> {
        let used = self
            .sources
            .all_words()
            .iter()
            .chain(self.targets.all_words());
        if let Some(word) = used
            .copied()
            .find(|word| word.is_control() || word.index() >= vocab.len())
        {
            return Err(Error::Mismatch {
                what: "rows and vocabulary",
                reason: format!("{word:?} is no ordinary word of the vocabulary").into(),
            });
        }
        let order = self.order(vocab)?;
        let (trie, rule_start) = self.sources_of(&order)?;
        let (targets, target_start, words) = self.targets_of(&order);
        let values = order
            .iter()
            .flat_map(|&row| self.values_of(row))
            .copied()
            .collect();
        ParaphraseTable::from_parts(Parts {
            trie,
            rule_start,
            targets,
            target_start,
            words,
            values,
            vocab_length: vocab.len() as u32,
            fingerprint: vocab.fingerprint(vocab.len()).unwrap_or_default(),
            features: self.features,
        })
    }

    fn values_of(&self, row: u32) -> &[f32] {
        let width = self.features.len();
        &self.values[row as usize * width..(row as usize + 1) * width]
    }

    /// The rows that stay, in the order of the table.
    fn order(&self, vocab: &Vocab) -> Result<Vec<u32>> {
        let mut spellings: Vec<u32> = (0..vocab.len() as u32).collect();
        spellings.sort_unstable_by_key(|&word| vocab.word(WordId::new(word)));
        let words = invert(&spellings);
        let (sources, targets) = (self.sources.ranks(&words), self.targets.ranks(&words));
        let better = |a: u32, b: u32| larger_first(self.values_of(a), self.values_of(b));
        // Keys stand beside the rows they sort: 16 bytes a row while sorting, but no look-ups.
        let mut keys: Vec<(u64, u32, u32)> = (0u32..)
            .zip(&self.rows)
            .map(|(row, &(source, target))| {
                let source = u64::from(sources[source as usize]);
                (source << 32, targets[target as usize], row)
            })
            .collect();
        if self.duplicates != Duplicates::Keep {
            keys.sort_unstable_by(|a, b| {
                (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| better(a.2, b.2))
            });
            let before = keys.len();
            keys.dedup_by_key(|key| (key.0, key.1));
            if self.duplicates == Duplicates::Refuse && keys.len() < before {
                let reason = format!("{} rows repeat a source and target", before - keys.len());
                return Err(Error::table(Place::default(), reason));
            }
        }
        for key in &mut keys {
            key.0 |= u64::from(descending(self.values_of(key.2)[0]));
        }
        keys.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| better(a.2, b.2)));
        Ok(keys.into_iter().map(|key| key.2).collect())
    }

    /// The trie over the sources of rows that are sorted by source, and where each node's rules start.
    fn sources_of(&self, order: &[u32]) -> Result<(Trie, Vec<u32>)> {
        let mut links: Vec<(u32, WordId)> = Vec::new();
        let mut rule_start = vec![0u32];
        // The nodes along the source before, root first, and that source.
        let mut nodes = vec![0u32];
        let mut before: &[WordId] = &[];
        for (rule, &row) in (0u32..).zip(order) {
            let source = self.sources.get(self.rows[row as usize].0);
            let shared = before
                .iter()
                .zip(source)
                .take_while(|(a, b)| a == b)
                .count();
            nodes.truncate(shared + 1);
            for &word in &source[shared..] {
                links.push((nodes[nodes.len() - 1], word));
                nodes.push(links.len() as u32);
                rule_start.push(rule);
            }
            before = source;
        }
        rule_start.push(order.len() as u32);
        Ok((Trie::new(&links)?, rule_start))
    }

    /// The target of each rule as a place among the distinct ones, their starts, and their words.
    fn targets_of(&self, order: &[u32]) -> (Vec<u32>, Vec<u32>, Vec<WordId>) {
        const NONE: u32 = u32::MAX;
        let mut number = vec![NONE; self.targets.len()];
        let (mut targets, mut start, mut words) = (Vec::new(), vec![0u32], Vec::new());
        for &row in order {
            let target = self.rows[row as usize].1;
            let number = &mut number[target as usize];
            if *number == NONE {
                *number = start.len() as u32 - 1;
                words.extend_from_slice(self.targets.get(target));
                start.push(words.len() as u32);
            }
            targets.push(*number);
        }
        (targets, start, words)
    }
}

/// The words of a phrase: what spaces and tabs separate, and nothing else does.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\t']).filter(|word| !word.is_empty())
}

/// Larger for smaller values.
fn descending(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits >> 31 == 1 {
        bits
    } else {
        !bits ^ 1 << 31
    }
}

fn larger_first(a: &[f32], b: &[f32]) -> Ordering {
    let pairs = b.iter().zip(a);
    pairs
        .map(|(b, a)| b.total_cmp(a))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}
