//! The recommended aligner for pairs in one language. No gold link trains, tunes or seeds it.
//!
//! Two pairs of HMMs, one trained independently and one by agreement, share a prior that expects words
//! to translate into themselves, into words that look like them and into those that a lexicon names. A
//! link's probability is the mean over the two pairs of the geometric mean of both directions'
//! posteriors; links above the threshold are the alignment.

use crate::agreement::{TwoChains, has_words};
use crate::aligner::WordAligner;
use crate::corpus::{Corpus, Direction, Pair};
use crate::error::Result;
use crate::model1::{check_corpus, links};
use crate::params::ConsensusParams;
use crate::prior::{LexiconWeight, Prior};
use crate::symmetrize::{Heuristic, symmetrize};
use pgen_core::{Alignment, Link, Progress, Vocab, WordId};

/// The trained aligner.
#[derive(Clone, Debug, PartialEq)]
pub struct Consensus {
    /// The independent and the agreeing pair of chains.
    members: [TwoChains; 2],
    threshold: f64,
    log_likelihoods: [Vec<f64>; 2],
}

impl Consensus {
    /// Trains on the text pairs of the corpus, whose ids `vocab` spells.
    ///
    /// `lexicon` weighs pairs of spellings, 0..=1; see [`LexiconWeight`]. Time O(iterations · Σ m·n·(m+n)),
    /// four chains; memory about 60 bytes for each pair of words that meet during the first iterations.
    ///
    /// # Errors
    /// A parameter out of range; [`Error::EmptyCorpus`](crate::Error::EmptyCorpus).
    pub fn fit(
        corpus: &Corpus,
        vocab: &Vocab,
        lexicon: LexiconWeight<'_>,
        params: &ConsensusParams,
        progress: &dyn Progress,
    ) -> Result<Self> {
        params.check()?;
        check_corpus(corpus)?;
        let spell = |raw| {
            WordId::from_index(raw)
                .and_then(|word| vocab.word(word))
                .unwrap_or("")
        };
        let words: Vec<String> = (0..corpus.id_bound())
            .map(|raw| spell(raw).to_owned())
            .collect();
        let prior = Prior {
            params,
            lexicon,
            words: &words,
        };
        let (independent, first) = TwoChains::fit(corpus, &prior, false, progress)?;
        let (agreeing, second) = TwoChains::fit(corpus, &prior, true, progress)?;
        Ok(Consensus {
            members: [independent, agreeing],
            threshold: params.threshold,
            log_likelihoods: [first, second],
        })
    }

    /// The least probability of a link.
    #[must_use]
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Natural log-likelihoods before each iteration, both directions together: of the independent and
    /// of the agreeing chains.
    #[must_use]
    pub fn log_likelihoods(&self) -> &[Vec<f64>; 2] {
        &self.log_likelihoods
    }

    pub(crate) fn members(&self) -> &[TwoChains; 2] {
        &self.members
    }

    pub(crate) fn from_parts(
        members: [TwoChains; 2],
        threshold: f64,
        log_likelihoods: [Vec<f64>; 2],
    ) -> Self {
        Consensus {
            members,
            threshold,
            log_likelihoods,
        }
    }

    /// Link probabilities, a row for each source word; empty if a side is. O(m·n·(m+n)), or O(m·n) for
    /// sentences beyond `max_length`.
    #[must_use]
    pub fn probabilities(&self, source: &[WordId], target: &[WordId]) -> Vec<Vec<f64>> {
        if !has_words(source, target) {
            return Vec::new();
        }
        let flat = self.flat(Pair { source, target });
        flat.chunks_exact(target.len())
            .map(<[f64]>::to_vec)
            .collect()
    }

    fn flat(&self, pair: Pair<'_>) -> Vec<f64> {
        let mut sum = vec![0.0; pair.source.len() * pair.target.len()];
        for member in &self.members {
            let [backward, forward] = member.link_posteriors(pair);
            for (sum, (a, b)) in sum.iter_mut().zip(backward.iter().zip(&forward)) {
                *sum += (a * b).sqrt() / self.members.len() as f64;
            }
        }
        sum
    }

    /// The alignment by a heuristic: each word of either direction goes to its most probable partner,
    /// unless having none is more probable.
    #[must_use]
    pub fn align_by(
        &self,
        source: &[WordId],
        target: &[WordId],
        heuristic: Heuristic,
    ) -> Alignment {
        if !has_words(source, target) {
            return Alignment::new();
        }
        let (m, n) = (source.len(), target.len());
        let mut sums = [vec![0.0; m * n], vec![0.0; m * n]];
        for member in &self.members {
            for (sum, values) in sums
                .iter_mut()
                .zip(member.link_posteriors(Pair { source, target }))
            {
                sum.iter_mut()
                    .zip(values)
                    .for_each(|(a, b)| *a += b / self.members.len() as f64);
            }
        }
        let [by_source, by_target] = &sums;
        let sources = (0..m).map(|j| best((0..n).map(|i| by_source[j * n + i])));
        let targets = (0..n).map(|i| best((0..m).map(|j| by_target[j * n + i])));
        let backward = links(sources, Direction::SourceGivenTarget);
        let forward = links(targets, Direction::TargetGivenSource);
        symmetrize(&forward, &backward, (m, n), heuristic).unwrap_or_default()
    }
}

/// The place of the largest value, the first of equals, unless what is missing to 1 is larger.
fn best(values: impl Iterator<Item = f64>) -> Option<u32> {
    let (mut at, mut most, mut sum) = (None, 0.0, 0.0);
    for (place, value) in (0u32..).zip(values) {
        sum += value;
        if value > most {
            (at, most) = (Some(place), value);
        }
    }
    at.filter(|_| most >= 1.0 - sum)
}

impl WordAligner for Consensus {
    fn align(&self, source: &[WordId], target: &[WordId]) -> Alignment {
        if !has_words(source, target) {
            return Alignment::new();
        }
        let n = target.len();
        let flat = self.flat(Pair { source, target });
        let kept = flat
            .iter()
            .enumerate()
            .filter(|(_, p)| **p > self.threshold);
        kept.map(|(at, _)| Link::new((at / n) as u32, (at % n) as u32))
            .collect()
    }
}
