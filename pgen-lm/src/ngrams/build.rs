//! From lists of n-grams in any order to the closed trie.

use super::{Level, Ngrams};
use crate::error::Result;

/// N-grams of one order as they are read: `order` word ids for each, and two natural logarithms.
#[derive(Clone, Debug, Default)]
pub(crate) struct GramList {
    pub(crate) order: usize,
    pub(crate) words: Vec<u32>,
    pub(crate) log_probs: Vec<f64>,
    pub(crate) backoffs: Vec<f64>,
}

/// What [`from_levels`] tells of the input.
#[derive(Debug, Default)]
pub(crate) struct Closure {
    /// N-grams inserted because a longer one needs them.
    pub(crate) inserted: u64,
}

impl GramList {
    pub(crate) fn new(order: usize) -> Self {
        GramList {
            order,
            ..Self::default()
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.log_probs.len()
    }

    pub(crate) fn push(&mut self, words: &[u32], log_prob: f64, backoff: f64) {
        self.words.extend_from_slice(words);
        self.log_probs.push(log_prob);
        self.backoffs.push(backoff);
    }

    pub(crate) fn gram(&self, at: usize) -> &[u32] {
        &self.words[at * self.order..(at + 1) * self.order]
    }

    /// The positions of the n-grams in ascending order of their words; of equal ones the first read first.
    pub(crate) fn sorted(&self) -> Vec<u32> {
        if self.is_sorted() {
            return (0..self.len() as u32).collect();
        }
        let bits = 32 - self.words.iter().max().unwrap_or(&0).leading_zeros();
        if bits as usize * self.order <= 96 {
            // The words and the position in one number: several times as fast as comparing slices.
            let mut keys: Vec<u128> = (0..self.len())
                .map(|at| {
                    let pack = |key: u128, &word: &u32| key << bits | u128::from(word);
                    self.gram(at).iter().fold(0, pack) << 32 | at as u128
                })
                .collect();
            keys.sort_unstable();
            return keys.into_iter().map(|key| key as u32).collect();
        }
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_by(|&a, &b| self.gram(a as usize).cmp(self.gram(b as usize)));
        order
    }

    fn is_sorted(&self) -> bool {
        (1..self.len()).all(|at| self.gram(at - 1) <= self.gram(at))
    }

    /// The same list in ascending order.
    fn into_sorted(self) -> Self {
        if self.is_sorted() {
            return self;
        }
        let order = self.sorted();
        let mut list = GramList::new(self.order);
        list.words.reserve_exact(self.words.len());
        for at in order {
            let at = at as usize;
            list.push(self.gram(at), self.log_probs[at], self.backoffs[at]);
        }
        list
    }

    /// Adds n-grams that are not there yet, with probability NaN: "to be found by backing off".
    fn insert(self, mut missing: Vec<Vec<u32>>) -> Self {
        missing.sort_unstable();
        missing.dedup();
        let mut list = self;
        for gram in &missing {
            list.push(gram, f64::NAN, 0.0);
        }
        list.into_sorted()
    }
}

/// Builds the trie from unigrams (by word id, `None` if absent) and the longer n-grams of each order, which
/// hold no duplicates and only words below `unigrams.len()`.
pub(crate) fn from_levels(
    unigrams: &[Option<(f64, f64)>],
    longer: Vec<GramList>,
) -> Result<(Ngrams, Closure)> {
    let mut lists: Vec<GramList> = longer.into_iter().map(GramList::into_sorted).collect();
    let mut closure = Closure::default();
    loop {
        let missing = close_prefixes(&mut lists);
        closure.inserted += missing;
        let mut ngrams = link(unigrams, &lists);
        let absent = find_suffixes(&mut ngrams);
        if absent.iter().all(Vec::is_empty) {
            fill_blanks(&mut ngrams);
            return Ok((ngrams, closure));
        }
        for (list, missing) in lists.iter_mut().zip(absent) {
            let before = list.len();
            *list = std::mem::take(list).insert(missing);
            closure.inserted += (list.len() - before) as u64;
        }
    }
}

/// Inserts prefixes that longer n-grams need, from the highest order down.
fn close_prefixes(lists: &mut [GramList]) -> u64 {
    let mut inserted = 0;
    for high in (1..lists.len()).rev() {
        let missing = missing_prefixes(&lists[high], &lists[high - 1]);
        if !missing.is_empty() {
            inserted += missing.len() as u64;
            let low = &mut lists[high - 1];
            *low = std::mem::take(low).insert(missing);
        }
    }
    inserted
}

fn missing_prefixes(high: &GramList, low: &GramList) -> Vec<Vec<u32>> {
    let mut missing: Vec<Vec<u32>> = Vec::new();
    let mut at = 0;
    for gram in (0..high.len()).map(|g| &high.gram(g)[..low.order]) {
        while at < low.len() && low.gram(at) < gram {
            at += 1;
        }
        let found = at < low.len() && low.gram(at) == gram;
        if !found && missing.last().is_none_or(|last| last != gram) {
            missing.push(gram.to_vec());
        }
    }
    missing
}

/// The trie of prefix-closed, sorted lists.
fn link(unigrams: &[Option<(f64, f64)>], lists: &[GramList]) -> Ngrams {
    let unknown = unigrams
        .first()
        .copied()
        .flatten()
        .unwrap_or((f64::NEG_INFINITY, 0.0));
    let mut first = Level::default();
    for (word, numbers) in (0u32..).zip(unigrams) {
        let (log_prob, backoff) = numbers.unwrap_or((unknown.0, 0.0));
        first.words.push(word);
        first.log_probs.push(log_prob);
        first.backoffs.push(backoff);
    }
    let mut levels = vec![first];
    for (depth, list) in lists.iter().enumerate() {
        let parents = levels[depth].len();
        let mut level = Level {
            log_probs: list.log_probs.clone(),
            backoffs: list.backoffs.clone(),
            ..Level::default()
        };
        let mut children = Vec::with_capacity(parents + 1);
        children.push(0);
        let mut parent = 0;
        for (at, gram) in (0..list.len()).map(|at| (at as u32, list.gram(at))) {
            while !is_parent(lists, depth, parent, &gram[..gram.len() - 1]) {
                children.push(at);
                parent += 1;
            }
            level.words.extend(gram.last());
        }
        children.resize(parents + 1, list.len() as u32);
        levels[depth].children = children;
        levels.push(level);
    }
    Ngrams {
        levels,
        listed: unigrams.iter().map(Option::is_some).collect(),
    }
}

fn is_parent(lists: &[GramList], depth: usize, node: usize, prefix: &[u32]) -> bool {
    match depth {
        0 => prefix[0] as usize == node,
        _ => lists[depth - 1].gram(node) == prefix,
    }
}

/// Finds the suffix of every n-gram; returns those that are missing, by list.
fn find_suffixes(ngrams: &mut Ngrams) -> Vec<Vec<Vec<u32>>> {
    let orders = ngrams.order();
    let mut missing = vec![Vec::new(); orders.saturating_sub(1)];
    for depth in 1..orders {
        let (suffixes, absent) = suffixes_of_level(ngrams, depth);
        for node in absent {
            let words = words_of(ngrams, depth, node);
            missing[depth - 2].push(words[1..].to_vec());
        }
        ngrams.levels[depth].suffixes = suffixes;
        if !missing[depth.saturating_sub(2)].is_empty() {
            break; // deeper suffixes would be found through these
        }
    }
    missing
}

/// Suffixes of the nodes at a depth, whose parents' suffixes are known: a suffix is the child of the
/// parent's suffix by the same word. Also the nodes whose suffix is missing.
pub(crate) fn suffixes_of_level(ngrams: &Ngrams, depth: usize) -> (Vec<u32>, Vec<u32>) {
    let level = &ngrams.levels[depth];
    if depth == 1 {
        return (level.words.clone(), Vec::new());
    }
    let above = &ngrams.levels[depth - 1];
    let mut suffixes = Vec::with_capacity(level.len());
    let mut absent = Vec::new();
    for parent in 0..above.len() as u32 {
        let short = ngrams.levels[depth - 2].range(above.suffixes[parent as usize]);
        let candidates = &above.words[short.clone()];
        let mut from = 0;
        for node in above.range(parent) {
            let word = level.words[node];
            // Both lists ascend, so the search goes on from where the last one stopped.
            match search_from(candidates, from, word) {
                Ok(at) => {
                    from = at + 1;
                    suffixes.push((short.start + at) as u32);
                }
                Err(at) => {
                    from = at;
                    suffixes.push(0);
                    absent.push(node as u32);
                }
            }
        }
    }
    (suffixes, absent)
}

/// Binary search that gallops from a position.
fn search_from(words: &[u32], from: usize, word: u32) -> Result<usize, usize> {
    let rest = &words[from..];
    let mut step = 1;
    while step < rest.len() && rest[step - 1] < word {
        step *= 2;
    }
    let low = if step == 1 { 0 } else { step / 2 };
    let high = step.min(rest.len());
    match rest[low..high].binary_search(&word) {
        Ok(at) => Ok(from + low + at),
        Err(at) => Err(from + low + at),
    }
}

/// The words of a node, found from the root.
pub(crate) fn words_of(ngrams: &Ngrams, depth: usize, node: u32) -> Vec<u32> {
    let mut words = vec![0; depth + 1];
    let mut node = node;
    for depth in (1..=depth).rev() {
        words[depth] = ngrams.levels[depth].words[node as usize];
        let starts = &ngrams.levels[depth - 1].children;
        // The parent is the last node that starts at or before the child.
        node = (starts.partition_point(|&start| start <= node) - 1) as u32;
    }
    words[0] = node;
    words
}

/// Gives inserted n-grams the probability that backing off gives.
fn fill_blanks(ngrams: &mut Ngrams) {
    for depth in 1..ngrams.order() {
        let (shorter, longer) = ngrams.levels.split_at_mut(depth);
        let (above, level) = (&shorter[depth - 1], &mut longer[0]);
        for parent in 0..above.len() {
            for node in above.range(parent as u32) {
                if level.log_probs[node].is_nan() {
                    let suffix = level.suffixes[node] as usize;
                    level.log_probs[node] = above.backoffs[parent] + above.log_probs[suffix];
                }
            }
        }
    }
}
