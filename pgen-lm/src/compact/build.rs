//! From the plain form to the compact layout and back.

use super::{BitLevel, Codes, CompactModel, Degrees, Packed, Precision};
use crate::bounds::word_bounds;
use crate::error::Result;
use crate::fast::{bits, round};
use crate::ngrams::{Level, Ngrams, suffixes_of_level};
use pgen_core::{Error, WordId};

impl CompactModel {
    /// Builds the layout; time and memory linear in the model, and a sort of its numbers.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadParameter`] for a precision outside 2 to 16 bits.
    pub fn new(ngrams: &Ngrams, precision: Precision) -> Result<Self> {
        if let Precision::Bits(bits) = precision
            && !(2..=16).contains(&bits)
        {
            return Err(Error::parameter("precision", bits, "2 to 16 bits").into());
        }
        let codes = |values: &[f64]| match precision {
            Precision::Exact => Codes::exact(values),
            Precision::Bits(bits) => Codes::quantized(values, u32::from(bits)),
        };
        let mut levels = Vec::with_capacity(ngrams.order());
        for (depth, level) in ngrams.levels.iter().enumerate() {
            let highest = depth + 1 == ngrams.order();
            levels.push(BitLevel {
                keys: Packed::new(&keys(ngrams, depth)),
                log_probs: codes(&level.log_probs),
                backoffs: if highest {
                    Codes::default()
                } else {
                    codes(&level.backoffs)
                },
                children: if highest {
                    Degrees::default()
                } else {
                    Degrees::new(&level.children)
                },
                length: level.len(),
            });
        }
        let mut model = CompactModel {
            levels,
            listed: bits(&ngrams.listed),
            vocabulary: ngrams.vocabulary(),
            bounds: Vec::new(),
            offsets: Vec::new(),
            starts: false,
        };
        model.index();
        model.bounds = word_bounds(&model.to_ngrams()?, |ln| f64::from(round(ln)));
        Ok(model)
    }

    /// Fills what follows from the rest, except for bounds.
    pub(super) fn index(&mut self) {
        let mut offset = 1u32;
        self.offsets.clear();
        for level in &self.levels {
            self.offsets.push(offset);
            offset = offset.saturating_add(level.length as u32);
        }
        self.starts = self.is_context(0, WordId::BOS.index());
        if let Some(first) = self.levels.first_mut() {
            first.children = std::mem::take(&mut first.children).with_starts();
        }
    }

    /// The plain form, with the numbers as they are kept here: for other layouts, for pruning and writing.
    ///
    /// # Errors
    /// [`pgen_core::Error::Corrupt`] if the arrays contradict each other, which only a file that pgen did
    /// not write can cause.
    pub fn to_ngrams(&self) -> Result<Ngrams> {
        let corrupt = || Error::corrupt("language model", "n-grams contradict each other");
        let listed = (0..self.vocabulary).map(|word| self.lists(word)).collect();
        let mut ngrams = Ngrams {
            levels: Vec::new(),
            listed,
        };
        for (depth, bits) in self.levels.iter().enumerate() {
            let all = 0..bits.length;
            let number = |codes: &Codes, at: usize| f64::from(codes.get(at));
            let mut level = Level {
                log_probs: all.clone().map(|at| number(&bits.log_probs, at)).collect(),
                backoffs: vec![0.0; bits.length],
                ..Level::default()
            };
            if depth + 1 < self.levels.len() {
                level.backoffs = all.clone().map(|at| number(&bits.backoffs, at)).collect();
                let starts = all
                    .clone()
                    .map(|node| bits.children.children(node).0 as u32);
                level.children = starts.collect();
                level.children.push(self.levels[depth + 1].length as u32);
            }
            level.words = match depth {
                0 => (0..bits.length as u32).collect(),
                1 => all.map(|at| bits.keys.get(at)).collect(),
                _ => self.words(&ngrams, depth).ok_or_else(corrupt)?,
            };
            if depth > 0 && !ascend(&ngrams.levels[depth - 1], &level.words, self.vocabulary) {
                return Err(corrupt().into());
            }
            ngrams.levels.push(level);
            let (suffixes, absent) = match depth {
                0 => Default::default(),
                _ => suffixes_of_level(&ngrams, depth),
            };
            if !absent.is_empty() {
                return Err(corrupt().into());
            }
            ngrams.levels[depth].suffixes = suffixes;
        }
        Ok(ngrams)
    }

    /// The words of a level that stores places among the suffix context's words.
    fn words(&self, ngrams: &Ngrams, depth: usize) -> Option<Vec<u32>> {
        let above = ngrams.levels.get(depth - 1)?;
        let mut words = Vec::with_capacity(self.levels[depth].length);
        for context in 0..above.len() as u32 {
            let suffix = *above.suffixes.get(context as usize)?;
            let candidates = ngrams.levels[depth - 2].range(suffix);
            for node in above.range(context) {
                let at = candidates.start + self.levels[depth].keys.get(node) as usize;
                if at >= candidates.end {
                    return None;
                }
                words.push(*above.words.get(at)?);
            }
        }
        Some(words)
    }
}

/// What each n-gram of a level stores for its last word.
fn keys(ngrams: &Ngrams, depth: usize) -> Vec<u32> {
    let level = &ngrams.levels[depth];
    match depth {
        0 => Vec::new(),
        1 => level.words.clone(),
        _ => {
            let above = &ngrams.levels[depth - 1];
            let mut keys = Vec::with_capacity(level.len());
            for context in 0..above.len() as u32 {
                let suffix = above.suffixes[context as usize];
                let start = ngrams.levels[depth - 2].range(suffix).start as u32;
                keys.extend(
                    above
                        .range(context)
                        .map(|node| level.suffixes[node] - start),
                );
            }
            keys
        }
    }
}

/// True if every context's words ascend and belong to the vocabulary.
fn ascend(above: &Level, words: &[u32], vocabulary: usize) -> bool {
    (0..above.len() as u32).all(|context| {
        words.get(above.range(context)).is_some_and(|words| {
            words.is_sorted_by(|a, b| a < b)
                && words
                    .last()
                    .is_none_or(|&last| (last as usize) < vocabulary)
        })
    })
}
