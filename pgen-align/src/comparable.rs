//! Sentence pairs from clusters of comparable texts: Quirk et al. 2004, §3.1, with every filter's count.
//!
//! Pairs are found by a prefix-filter join, exact and far below quadratic; the counts of pairs that no
//! one looked at follow from group sizes and lengths.

use crate::distance::Metric;
use crate::error::Result;
use crate::join::close_pairs;
use crate::params::check_count;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Settings of [`PairFinder`].
///
/// | field | default | meaning |
/// |---|---|---|
/// | `max_distance` | 12 | most edits between two sentences |
/// | `metric` | ins-del | what counts as an edit |
/// | `min_common` | 0 | least number of common words that are no punctuation |
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct ComparableParams {
    pub max_distance: usize,
    pub metric: Metric,
    pub min_common: usize,
}

impl Default for ComparableParams {
    fn default() -> Self {
        ComparableParams {
            max_distance: 12,
            metric: Metric::default(),
            min_common: 0,
        }
    }
}

impl ComparableParams {
    /// Sets the most edits and what counts as one.
    #[must_use]
    pub fn with_distance(mut self, most: usize, metric: Metric) -> Self {
        (self.max_distance, self.metric) = (most, metric);
        self
    }

    /// Sets the least number of common words.
    #[must_use]
    pub fn with_min_common(mut self, least: usize) -> Self {
        self.min_common = least;
        self
    }

    /// Checks every field.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadParameter`] for the first that is out of range.
    pub fn check(&self) -> Result<()> {
        check_count("max_distance", self.max_distance, 0)?;
        check_count("min_common", self.min_common, 0)
    }
}

/// How many pairs each rule decided; the first rule that applies decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Verdicts {
    /// Equal but for case.
    pub identical: u64,
    /// Equal but for case and punctuation.
    pub punctuation_only: u64,
    /// One less than two thirds as long as the other.
    pub length_ratio: u64,
    /// Too many edits, or too few common words where some are asked for.
    pub distance: u64,
    /// The same pair was kept before, anywhere in the corpus.
    pub duplicate: u64,
    /// Kept.
    pub kept: u64,
    /// Σ of the kept pairs' distances.
    pub kept_distance: u64,
    /// Σ of the kept pairs' words, both sentences.
    pub kept_words: u64,
}

impl Verdicts {
    /// Mean distance of the kept pairs.
    #[must_use]
    pub fn mean_distance(&self) -> Option<f64> {
        (self.kept > 0).then(|| self.kept_distance as f64 / self.kept as f64)
    }

    /// Mean length of the kept sentences in words.
    #[must_use]
    pub fn mean_length(&self) -> Option<f64> {
        (self.kept > 0).then(|| self.kept_words as f64 / (2 * self.kept) as f64)
    }

    /// All pairs looked at.
    #[must_use]
    pub fn total(&self) -> u64 {
        let rejected = self.identical + self.punctuation_only + self.length_ratio;
        rejected + self.distance + self.duplicate + self.kept
    }
}

/// A kept pair: places in its cluster, first < second.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FoundPair {
    /// Place of the earlier sentence.
    pub first: usize,
    /// Place of the later sentence.
    pub second: usize,
    /// Edits between them.
    pub distance: usize,
}

/// Finds pairs cluster by cluster and remembers what it kept.
#[derive(Debug)]
pub struct PairFinder {
    params: ComparableParams,
    /// Words of the corpus so far, normalised.
    words: HashMap<Box<str>, Word>,
    /// Sentences of kept pairs so far, and the pairs.
    sentences: HashMap<Box<[u32]>, u32>,
    kept: HashSet<(u32, u32)>,
    verdicts: Verdicts,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    id: u32,
    punctuation: bool,
}

/// Sentences of a cluster that are equal after normalisation.
struct Group {
    words: Vec<u32>,
    plain: Vec<u32>,
    first: usize,
    count: u64,
}

impl PairFinder {
    /// A finder that has kept nothing yet.
    ///
    /// # Errors
    /// A setting out of range.
    pub fn new(params: &ComparableParams) -> Result<Self> {
        params.check()?;
        Ok(PairFinder {
            params: params.clone(),
            words: HashMap::new(),
            sentences: HashMap::new(),
            kept: HashSet::new(),
            verdicts: Verdicts::default(),
        })
    }

    /// Counts of all clusters so far.
    #[must_use]
    pub fn verdicts(&self) -> &Verdicts {
        &self.verdicts
    }

    /// The pairs of one cluster that are kept, in the order of their sentences. Sentences are
    /// blank-separated tokens; empty ones take no part.
    pub fn cluster<S: AsRef<str>>(&mut self, sentences: &[S]) -> Vec<FoundPair> {
        let groups = self.groups(sentences);
        let counted: u64 = groups.iter().map(|group| group.count).sum();
        let all = counted * counted.saturating_sub(1) / 2;
        let (same, same_but_short) = punctuation_pairs(&groups);
        let mut verdicts = Verdicts {
            identical: groups.iter().map(|g| g.count * (g.count - 1) / 2).sum(),
            punctuation_only: same,
            length_ratio: ratio_pairs(&groups) - same_but_short,
            ..Verdicts::default()
        };
        let found = self.close(&groups, &mut verdicts);
        let decided = verdicts.identical + verdicts.punctuation_only + verdicts.length_ratio;
        verdicts.distance = all - decided - verdicts.kept - verdicts.duplicate;
        self.verdicts.add(&verdicts);
        found
    }

    /// Verified pairs of groups: kept ones, with counts of kept and duplicate pairs.
    fn close(&mut self, groups: &[Group], verdicts: &mut Verdicts) -> Vec<FoundPair> {
        let words: Vec<&[u32]> = groups.iter().map(|group| &group.words[..]).collect();
        let mut found = Vec::new();
        let close = close_pairs(
            &words,
            self.params.max_distance,
            self.params.metric,
            long_enough,
        );
        for (a, b, distance) in close {
            let (a, b) = (&groups[a], &groups[b]);
            if a.plain == b.plain || common(&a.plain, &b.plain) < self.params.min_common {
                continue;
            }
            let many = a.count * b.count;
            let new = self.remember(&a.words, &b.words);
            verdicts.duplicate += many - u64::from(new);
            if new {
                verdicts.kept += 1;
                verdicts.kept_distance += distance as u64;
                verdicts.kept_words += (a.words.len() + b.words.len()) as u64;
                let (first, second) = (a.first.min(b.first), a.first.max(b.first));
                found.push(FoundPair {
                    first,
                    second,
                    distance,
                });
            }
        }
        found.sort_unstable();
        found
    }

    /// True if the unordered pair is new.
    fn remember(&mut self, a: &[u32], b: &[u32]) -> bool {
        let [a, b] = [a, b].map(|words| {
            let next = self.sentences.len() as u32;
            *self.sentences.entry_ref(words).or_insert(next)
        });
        self.kept.insert((a.min(b), a.max(b)))
    }

    fn groups<S: AsRef<str>>(&mut self, sentences: &[S]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut known: HashMap<Vec<u32>, usize> = HashMap::new();
        for (first, sentence) in sentences.iter().enumerate() {
            let words: Vec<Word> = pgen_core::text::tokens(sentence.as_ref())
                .map(|t| self.word(t))
                .collect();
            let ids: Vec<u32> = words.iter().map(|word| word.id).collect();
            if ids.is_empty() {
                continue;
            }
            let at = *known.entry(ids.clone()).or_insert(groups.len());
            if at == groups.len() {
                let plain = words
                    .iter()
                    .filter(|word| !word.punctuation)
                    .map(|word| word.id);
                groups.push(Group {
                    words: ids,
                    plain: plain.collect(),
                    first,
                    count: 0,
                });
            }
            groups[at].count += 1;
        }
        groups
    }

    fn word(&mut self, token: &str) -> Word {
        let normal: String = token.nfc().flat_map(char::to_lowercase).collect();
        let id = self.words.len() as u32;
        let punctuation = || normal.chars().all(is_punctuation);
        *self.words.entry_ref(&normal[..]).or_insert_with(|| Word {
            id,
            punctuation: punctuation(),
        })
    }
}

impl Verdicts {
    fn add(&mut self, other: &Verdicts) {
        self.identical += other.identical;
        self.punctuation_only += other.punctuation_only;
        self.length_ratio += other.length_ratio;
        self.distance += other.distance;
        self.duplicate += other.duplicate;
        self.kept += other.kept;
        self.kept_distance += other.kept_distance;
        self.kept_words += other.kept_words;
    }
}

/// Punctuation by Unicode, but for the signs that carry meaning ("rose 5 %" is not "rose 5").
fn is_punctuation(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Punctuation
        && !matches!(c, '%' | '‰' | '&' | '#' | '@' | '§')
}

/// The length rule: the shorter sentence has at least two thirds of the longer one's words.
fn long_enough(a: usize, b: usize) -> bool {
    3 * a.min(b) >= 2 * a.max(b)
}

/// Number of common words, with multiplicity.
fn common(a: &[u32], b: &[u32]) -> usize {
    let sorted = |words: &[u32]| {
        let mut words = words.to_vec();
        words.sort_unstable();
        words
    };
    let (a, b) = (sorted(a), sorted(b));
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, count) = (i + 1, j + 1, count + 1),
        }
    }
    count
}

/// Pairs that differ in punctuation alone, and those among them that break the length rule.
fn punctuation_pairs(groups: &[Group]) -> (u64, u64) {
    let mut by_plain: HashMap<&[u32], BTreeMap<usize, u64>> = HashMap::new();
    let mut same = 0;
    let mut seen: HashMap<&[u32], u64> = HashMap::new();
    for group in groups {
        let before = seen.entry(&group.plain).or_default();
        same += *before * group.count;
        *before += group.count;
        *by_plain
            .entry(&group.plain)
            .or_default()
            .entry(group.words.len())
            .or_default() += group.count;
    }
    // Sums of whole numbers: the order of the map does not show.
    let short = by_plain.values().map(broken_ratios).sum();
    (same, short)
}

/// Pairs that break the length rule.
fn ratio_pairs(groups: &[Group]) -> u64 {
    let mut lengths: BTreeMap<usize, u64> = BTreeMap::new();
    for group in groups {
        *lengths.entry(group.words.len()).or_default() += group.count;
    }
    broken_ratios(&lengths)
}

fn broken_ratios(lengths: &BTreeMap<usize, u64>) -> u64 {
    let pairs = lengths
        .iter()
        .flat_map(|a| lengths.range(a.0 + 1..).map(move |b| (a, b)));
    pairs
        .filter(|((a, _), (b, _))| !long_enough(**a, **b))
        .map(|((_, m), (_, n))| m * n)
        .sum()
}
