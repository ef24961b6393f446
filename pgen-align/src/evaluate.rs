//! How good an alignment is: precision, recall and alignment error rate (Och & Ney 2003, §6), for all
//! links and for links of identical and of different words (Quirk et al. 2004, Table 1).

use crate::error::{Error, Result};
use pgen_core::{Alignment, GoldAlignment, Link};

/// Sizes of the sets that the measures are made of; counts of several sentences add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LinkCounts {
    /// |A|: proposed links.
    pub proposed: u64,
    /// |S|: sure links.
    pub sure: u64,
    /// |P|: possible links, sure ones included.
    pub possible: u64,
    /// |A ∩ S|.
    pub proposed_sure: u64,
    /// |A ∩ P|.
    pub proposed_possible: u64,
}

impl LinkCounts {
    /// Counts links for which `keep` holds.
    fn of(proposed: &Alignment, gold: &GoldAlignment, keep: impl Fn(Link) -> bool) -> Self {
        let count = |set: &Alignment, within: Option<&Alignment>| {
            let inside = |&&link: &&Link| keep(link) && within.is_none_or(|set| set.contains(link));
            set.links().iter().filter(inside).count() as u64
        };
        LinkCounts {
            proposed: count(proposed, None),
            sure: count(gold.sure(), None),
            possible: count(gold.possible(), None),
            proposed_sure: count(proposed, Some(gold.sure())),
            proposed_possible: count(proposed, Some(gold.possible())),
        }
    }

    /// |A∩P| / |A|; `None` without proposed links.
    #[must_use]
    pub fn precision(&self) -> Option<f64> {
        (self.proposed > 0).then(|| self.proposed_possible as f64 / self.proposed as f64)
    }

    /// |A∩S| / |S|; `None` without sure links.
    #[must_use]
    pub fn recall(&self) -> Option<f64> {
        (self.sure > 0).then(|| self.proposed_sure as f64 / self.sure as f64)
    }

    /// 1 − (|A∩S| + |A∩P|) / (|A| + |S|); 0 if both sets are empty. (Quirk et al. print it without
    /// "1 −"; their numbers include it.)
    #[must_use]
    pub fn error_rate(&self) -> f64 {
        match self.proposed + self.sure {
            0 => 0.0,
            all => 1.0 - (self.proposed_sure + self.proposed_possible) as f64 / all as f64,
        }
    }

    fn add(&mut self, other: &LinkCounts) {
        self.proposed += other.proposed;
        self.sure += other.sure;
        self.possible += other.possible;
        self.proposed_sure += other.proposed_sure;
        self.proposed_possible += other.proposed_possible;
    }
}

/// The measures of a corpus: sums over its sentences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Evaluation {
    /// All links.
    pub all: LinkCounts,
    /// Links of words that are equal after lower-casing.
    pub identical: LinkCounts,
    /// The other links.
    pub different: LinkCounts,
}

impl Evaluation {
    /// Adds a sentence pair: its words, the proposed links and the gold.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadSpan`] for a link outside the sentences.
    pub fn add(
        &mut self,
        source: &[&str],
        target: &[&str],
        proposed: &Alignment,
        gold: &GoldAlignment,
    ) -> Result<()> {
        proposed.check(source.len(), target.len())?;
        gold.possible().check(source.len(), target.len())?;
        let lower = |words: &[&str]| words.iter().map(|w| w.to_lowercase()).collect::<Vec<_>>();
        let (source, target) = (lower(source), lower(target));
        let same = |link: Link| source[link.source as usize] == target[link.target as usize];
        self.all.add(&LinkCounts::of(proposed, gold, |_| true));
        self.identical.add(&LinkCounts::of(proposed, gold, same));
        self.different
            .add(&LinkCounts::of(proposed, gold, |link| !same(link)));
        Ok(())
    }

    /// Adds a sentence pair of which the words are not known: only [`Self::all`] is counted.
    pub fn add_links(&mut self, proposed: &Alignment, gold: &GoldAlignment) {
        self.all.add(&LinkCounts::of(proposed, gold, |_| true));
    }
}

/// Agreement of two annotators (Quirk et al. 2004, §3.2): 1 − ½(AER(P₁ against S₂, P₂) + AER(P₂ against
/// S₁, P₁)).
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Agreement {
    /// Error rate of the first annotator's links against the second's.
    pub first_against_second: f64,
    /// Error rate of the second annotator's links against the first's.
    pub second_against_first: f64,
}

impl Agreement {
    /// The agreement of two annotators of the same sentence pairs.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if they did not annotate equally many.
    pub fn between(first: &[GoldAlignment], second: &[GoldAlignment]) -> Result<Self> {
        if first.len() != second.len() {
            return Err(Error::LengthMismatch {
                pairs: first.len(),
                alignments: second.len(),
            });
        }
        let rate = |proposed: &[GoldAlignment], gold: &[GoldAlignment]| {
            let mut sum = Evaluation::default();
            proposed
                .iter()
                .zip(gold)
                .for_each(|(a, g)| sum.add_links(a.possible(), g));
            sum.all.error_rate()
        };
        Ok(Agreement {
            first_against_second: rate(first, second),
            second_against_first: rate(second, first),
        })
    }

    /// The agreement, 1 for equal annotations.
    #[must_use]
    pub fn value(&self) -> f64 {
        1.0 - (self.first_against_second + self.second_against_first) / 2.0
    }

    /// How far the two directions are apart.
    #[must_use]
    pub fn directional_difference(&self) -> f64 {
        (self.first_against_second - self.second_against_first).abs()
    }
}
