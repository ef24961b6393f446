//! What a thesaurus says of lexical pairs: the share that it knows, and how many of those it knows in a
//! group are found (table 2).

use super::BUCKETS;
use super::source::sentences;
use crate::failure::Result;
use pgen::core::Limits;
use pgen::core::thesaurus::Thesaurus;
use pgen::fsa::{Group, Pairs};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Counts against a thesaurus.
pub(crate) struct Judge {
    thesaurus: Thesaurus,
    /// By bucket of mean length: pairs recovered, pairs present.
    recall: [(usize, usize); 5],
}

impl Judge {
    /// Reads the two tables of a thesaurus.
    pub(crate) fn open(
        synsets: &PathBuf,
        exceptions: Option<&PathBuf>,
        limits: &Limits,
    ) -> Result<Self> {
        let exceptions = exceptions.map(|path| crate::input::open(Some(path), limits));
        let sets = crate::input::open(Some(synsets), limits)?;
        Ok(Judge {
            thesaurus: Thesaurus::read(sets, exceptions.transpose()?)?,
            recall: [(0, 0); 5],
        })
    }

    /// True for different words of one class that share a set of synonyms in some reading.
    pub(crate) fn are_synonyms(&self, a: &str, b: &str) -> bool {
        let (x, y) = (self.thesaurus.analyses(a), self.thesaurus.analyses(b));
        x.iter().any(|(class, lemma, _)| {
            y.iter().any(|(other_class, other, _)| {
                class == other_class
                    && lemma != other
                    && self.thesaurus.are_synonyms(lemma, other, *class)
            })
        })
    }

    /// Counts the synonyms that stand in different sentences of a group, and those that were found.
    pub(crate) fn count(&mut self, group: &Group, pairs: &Pairs) {
        let sentences: Vec<BTreeSet<String>> = sentences(group)
            .into_iter()
            .map(|words| words.into_iter().collect())
            .collect();
        let words: usize = group
            .members
            .iter()
            .map(|member| member.tree.leaf_count())
            .sum();
        let mean = words as f64 / group.members.len().max(1) as f64;
        let vocabulary: BTreeSet<&String> = sentences.iter().flatten().collect();
        let vocabulary: Vec<&String> = vocabulary.into_iter().collect();
        let together = |a: &String, b: &String| {
            let with = |word: &String| -> Vec<usize> {
                (0..sentences.len())
                    .filter(|&at| sentences[at].contains(word))
                    .collect()
            };
            let (x, y) = (with(a), with(b));
            x.iter().any(|at| y.iter().any(|other| at != other))
        };
        let (mut found, mut present) = (0, 0);
        for (at, &a) in vocabulary.iter().enumerate() {
            for &b in &vocabulary[at + 1..] {
                if self.are_synonyms(a, b) && together(a, b) {
                    present += 1;
                    found += usize::from(pairs.pairs.contains(&(a.clone(), b.clone())));
                }
            }
        }
        let at = BUCKETS
            .iter()
            .position(|bucket| mean <= bucket.1)
            .unwrap_or(4);
        self.recall[at].0 += found;
        self.recall[at].1 += present;
    }

    /// Lines of the report: the share of these lexical pairs that are synonyms, recall by length.
    pub(crate) fn report<'a>(
        &self,
        pairs: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Vec<String> {
        let (mut lexical, mut known) = (0usize, 0usize);
        for (a, b) in pairs {
            lexical += 1;
            known += usize::from(self.are_synonyms(a, b));
        }
        let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        let mut lines = vec![format!(
            "{known} of {lexical} lexical pairs are synonyms: {:.1} %",
            percent(known, lexical)
        )];
        for ((length, _), (found, present)) in BUCKETS.iter().zip(self.recall) {
            if present > 0 {
                let share = percent(found, present);
                lines.push(format!(
                    "length {length}: {found} of {present} synonyms found: {share:.1} %"
                ));
            }
        }
        lines
    }
}
