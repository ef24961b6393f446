//! How much memory training will take, before it begins.

use crate::corpus::{Corpus, Direction};
use crate::parallel;
use crate::sparse::{NULL_ROW, Occurrences, Rows};
use crate::trained::Method;
use pgen_core::Stop;

/// The rows that are counted in full; of the rest, in the order of their frequency, one in [`STEP`].
const HEAD: usize = 256;
const STEP: usize = 16;
/// Cells and needs of a block of sentence pairs, of each thread.
const BLOCK: u64 = 48 << 20;
/// The program itself, its vocabulary and what is too small to count.
const BASE: u64 = 16 << 20;

/// What training needs, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryEstimate {
    /// Pairs of words that meet in a sentence pair, of the direction that has more.
    pub cooccurrences: u64,
    /// The most memory at one time, the corpus included.
    pub bytes: u64,
}

impl MemoryEstimate {
    /// Estimates for this method. Meeting words are counted for the most frequent words and for one in 16
    /// of the others; the estimate is meant to be right to a fifth, for large corpora rather too high.
    /// Time: about a tenth of an iteration.
    #[must_use]
    pub fn of(corpus: &Corpus, method: Method) -> Self {
        let directions = [Direction::SourceGivenTarget, Direction::TargetGivenSource];
        let entries = directions.map(|direction| cooccurrences(corpus, direction));
        let words = corpus.word_count() as u64;
        let text = 4 * words + 16 * corpus.training_len() as u64;
        let most = entries[0].max(entries[1]);
        let threads = parallel::width() as u64;
        // Table: 12 bytes an entry. While it is laid out, its words stand twice. Model 1 holds a number
        // for each word of one side and an occurrence of each of the other; the HMM a count for each entry
        // that pruning left.
        let first = 16 * most + 6 * words + 8 * corpus.id_bound() as u64 * threads;
        let kept = most / 2;
        let bytes = match method {
            Method::Model1 => first + 12 * kept,
            Method::Model2 | Method::Hmm => (first + 12 * kept).max(32 * kept + threads * BLOCK),
            Method::Model3 | Method::Model4 => {
                (first + 24 * kept).max(56 * kept + threads * BLOCK + 100 * words)
            }
            // Two directions at a time, with priors, counts and places of bonuses.
            Method::Best => 26 * (entries[0] + entries[1]) + 8 * words + threads * BLOCK,
        };
        MemoryEstimate {
            cooccurrences: most,
            bytes: BASE + text + bytes,
        }
    }
}

fn cooccurrences(corpus: &Corpus, direction: Direction) -> u64 {
    let never = Stop::never();
    let Ok(of) = Occurrences::of(corpus, direction, &never) else {
        return 0;
    };
    let weights = of.weights();
    let mut order: Vec<usize> = (NULL_ROW + 1..weights.len())
        .filter(|&row| weights[row] > 1)
        .collect();
    order.sort_by_key(|&row| (std::cmp::Reverse(weights[row]), row));
    let head = order.len().min(HEAD);
    let counted = |rows: Vec<usize>| Rows::count(corpus, direction, &of, rows);
    let tail: Vec<usize> = order[head..].iter().copied().step_by(STEP).collect();
    let rest = order.len() - head;
    let scale = rest as f64 / tail.len().max(1) as f64;
    let null = corpus.id_bound() as u64;
    null + counted(order[..head].to_vec()) + (counted(tail) as f64 * scale) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::{SplitMix64, WordId};

    /// Text whose words are as unevenly frequent as those of a language.
    fn corpus(pairs: usize) -> Corpus {
        let mut chance = SplitMix64::new(7);
        let mut corpus = Corpus::new();
        for _ in 0..pairs {
            let mut side = || -> Vec<WordId> {
                let length = 5 + chance.below(20);
                (0..length)
                    .map(|_| {
                        let u = (chance.below(1 << 20) + 1) as f64 / (1 << 20) as f64;
                        WordId::new(3 + (5_000.0f64.powf(u) as u32))
                    })
                    .collect()
            };
            let (source, target) = (side(), side());
            corpus.push(&source, &target).unwrap();
        }
        corpus
    }

    #[test]
    fn words_that_meet_are_estimated_to_a_tenth() {
        let corpus = corpus(2_000);
        for direction in [Direction::SourceGivenTarget, Direction::TargetGivenSource] {
            let of = Occurrences::of(&corpus, direction, &Stop::never()).unwrap();
            let rows = Rows::cooccurrences(&corpus, direction, &of, &Stop::never()).unwrap();
            let exact = rows.words.len() as f64;
            let estimated = cooccurrences(&corpus, direction) as f64;
            assert!((estimated / exact - 1.0).abs() < 0.1, "{estimated} {exact}");
        }
    }

    #[test]
    fn more_text_and_larger_models_need_more() {
        let (small, large) = (corpus(200), corpus(400));
        let bytes = |corpus, method| MemoryEstimate::of(corpus, method).bytes;
        for (_, method) in Method::ALL {
            assert!(bytes(&small, method) < bytes(&large, method));
            assert!(bytes(&small, Method::Model1) <= bytes(&small, method));
        }
        assert_eq!(
            MemoryEstimate::of(&Corpus::new(), Method::Hmm).cooccurrences,
            0
        );
    }
}
