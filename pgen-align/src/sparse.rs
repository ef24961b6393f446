//! Which words meet which: the sparse rows of a translation table before it has numbers.

use crate::corpus::{Corpus, Direction};
use crate::error::Result;
use crate::parallel;
use pgen_core::{Stop, WordId};
use std::ops::Range;

/// Row of NULL.
pub(crate) const NULL_ROW: usize = 0;

/// Row of a conditioning word.
#[inline]
pub(crate) fn row_of(word: WordId) -> usize {
    word.index() + 1
}

/// For every row (conditioning word), the pairs in which it stands, ascending, once for each
/// occurrence. NULL stands in every pair and is not listed.
#[derive(Debug)]
pub(crate) struct Occurrences {
    starts: Vec<usize>,
    pairs: Vec<u32>,
}

impl Occurrences {
    /// # Errors
    /// When told to stop.
    pub(crate) fn of(corpus: &Corpus, direction: Direction, stop: &Stop) -> Result<Self> {
        let mut ticker = stop.ticker();
        let mut starts = vec![0usize; corpus.id_bound() + 2];
        for index in 0..corpus.training_len() {
            ticker.tick()?;
            for &word in corpus.sides(index, direction).1 {
                starts[row_of(word) + 1] += 1;
            }
        }
        for row in 1..starts.len() {
            starts[row] += starts[row - 1];
        }
        let mut next = starts.clone();
        let mut pairs = vec![0u32; starts.last().copied().unwrap_or(0)];
        for index in 0..corpus.training_len() {
            ticker.tick()?;
            for &word in corpus.sides(index, direction).1 {
                let slot = &mut next[row_of(word)];
                pairs[*slot] = index as u32;
                *slot += 1;
            }
        }
        Ok(Occurrences { starts, pairs })
    }

    /// The pairs in which the word of this row stands.
    pub(crate) fn row(&self, row: usize) -> &[u32] {
        &self.pairs[self.starts[row]..self.starts[row + 1]]
    }

    /// Occurrences of each row, plus one.
    pub(crate) fn weights(&self) -> Vec<u64> {
        self.starts
            .windows(2)
            .map(|w| (w[1] - w[0]) as u64 + 1)
            .collect()
    }
}

/// Rows of generated words, each sorted ascending by id and without repetition.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rows {
    pub(crate) starts: Vec<usize>,
    pub(crate) words: Vec<WordId>,
}

impl Rows {
    /// All pairs of words that meet in a sentence pair; row 0 is NULL and meets every generated word.
    ///
    /// # Errors
    /// When told to stop.
    pub(crate) fn cooccurrences(
        corpus: &Corpus,
        direction: Direction,
        of: &Occurrences,
        stop: &Stop,
    ) -> Result<Self> {
        let parts = parallel::split_by_weight(&of.weights(), parallel::width() * 4);
        let built = parallel::map(parts, |rows: Range<usize>| -> Result<_> {
            let mut collector = Collector::new(corpus.id_bound());
            let (mut lengths, mut words) = (Vec::with_capacity(rows.len()), Vec::new());
            for row in rows {
                let before = words.len();
                stop.check()?;
                if row == NULL_ROW {
                    let pairs = 0..corpus.training_len();
                    collector.collect(pairs, corpus, direction, &mut words, stop)?;
                } else {
                    let pairs = of.row(row).iter().map(|&pair| pair as usize);
                    collector.collect(pairs, corpus, direction, &mut words, stop)?;
                }
                lengths.push(words.len() - before);
            }
            Ok((lengths, words))
        });
        let built = built.into_iter().collect::<Result<Vec<_>>>()?;
        let total = built.iter().map(|(_, words)| words.len()).sum();
        let mut rows = Rows {
            starts: vec![0],
            words: Vec::with_capacity(total),
        };
        for (lengths, words) in built {
            for length in lengths {
                rows.starts
                    .push(rows.starts[rows.starts.len() - 1] + length);
            }
            for words in words.chunks(parallel::STRETCH) {
                stop.check()?;
                rows.words.extend_from_slice(words);
            }
        }
        Ok(rows)
    }

    /// Number of words that meet the words of these rows.
    pub(crate) fn count(
        corpus: &Corpus,
        direction: Direction,
        of: &Occurrences,
        rows: Vec<usize>,
    ) -> u64 {
        let (mut collector, mut words) = (Collector::new(corpus.id_bound()), Vec::new());
        let mut total = 0;
        for row in rows {
            words.clear();
            let pairs = of.row(row).iter().map(|&pair| pair as usize);
            let never = Stop::never();
            let collected = collector.collect(pairs, corpus, direction, &mut words, &never);
            debug_assert!(collected.is_ok());
            total += words.len() as u64;
        }
        total
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    #[inline]
    pub(crate) fn range(&self, row: usize) -> Range<usize> {
        self.starts[row]..self.starts[row + 1]
    }

    /// The place of a word in a row, if it is there.
    #[inline]
    pub(crate) fn find(&self, row: usize, word: WordId) -> Option<usize> {
        if row + 1 >= self.starts.len() {
            return None;
        }
        let range = self.range(row);
        let found = self.words[range.clone()].binary_search(&word).ok()?;
        Some(range.start + found)
    }
}

/// Collects each word once by stamping it with the row's number.
struct Collector {
    stamps: Vec<u32>,
    stamp: u32,
}

impl Collector {
    fn new(id_bound: usize) -> Self {
        Collector {
            stamps: vec![0; id_bound],
            stamp: 0,
        }
    }

    fn collect(
        &mut self,
        pairs: impl Iterator<Item = usize>,
        corpus: &Corpus,
        direction: Direction,
        into: &mut Vec<WordId>,
        stop: &Stop,
    ) -> Result<()> {
        // One stamp a row: there are fewer rows than ids, and ids fit 32 bits.
        self.stamp += 1;
        let (start, mut previous) = (into.len(), usize::MAX);
        let mut ticker = stop.ticker();
        for pair in pairs {
            ticker.tick()?;
            if pair == previous {
                continue;
            }
            previous = pair;
            for &word in corpus.sides(pair, direction).0 {
                let stamp = &mut self.stamps[word.index()];
                if *stamp != self.stamp {
                    *stamp = self.stamp;
                    into.push(word);
                }
            }
        }
        into[start..].sort_unstable();
        Ok(())
    }
}
