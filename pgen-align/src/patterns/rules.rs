//! From counted pairs of patterns (or collocations) to scored paraphrase rules.

use crate::error::Result;
use crate::params::{check_count, check_range};
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use pgen_core::normalize_pattern;
use std::collections::BTreeMap;
use std::hash::BuildHasher;

/// Which rules are kept.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `min_count` | 2 | pairs seen less often are dropped before anything else |
/// | `min_probability` | 0.01 | less probable rules are dropped |
/// | `tau` | 200 | pivots with more sides than this are dropped |
/// | `kappa` | 20 | most rules of a source |
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct RuleParams {
    pub min_count: u64,
    pub min_probability: f64,
    pub tau: usize,
    pub kappa: usize,
}

impl Default for RuleParams {
    fn default() -> Self {
        RuleParams {
            min_count: 2,
            min_probability: 0.01,
            tau: 200,
            kappa: 20,
        }
    }
}

impl RuleParams {
    /// Checks every field.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadParameter`] for the first that is out of range.
    pub fn check(&self) -> Result<()> {
        check_count("min_count", self.min_count.min(1_000_000) as usize, 1)?;
        check_range("min_probability", self.min_probability, 0.0, 1.0)?;
        check_count("tau", self.tau.min(1_000_000), 1)?;
        check_count("kappa", self.kappa.min(1_000_000), 1)
    }
}

/// A paraphrase rule with its score.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct AcquiredRule {
    /// Source side.
    pub source: String,
    /// Target side, slots numbered by the source.
    pub target: String,
    /// p(target | source).
    pub probability: f64,
    /// Direct pairs: how often they were seen. Pivoting: through how many pivots the rule goes.
    pub count: u64,
}

/// Counts pairs of sides. A side is a pattern, with slots numbered by the first side of its pair, or a
/// collocation. Memory: each distinct side once, and 16 bytes a distinct pair.
#[derive(Clone, Debug, Default)]
pub struct RuleCounts {
    /// Places of sides, found by their spelling.
    places: HashTable<u32>,
    sides: Vec<Box<str>>,
    hasher: DefaultHashBuilder,
    pairs: HashMap<(u32, u32), u32>,
}

/// Between context and side.
const JOINT: char = '\t';

impl RuleCounts {
    /// Nothing counted.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of distinct pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// True if nothing was counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Counts a pair once.
    pub fn add(&mut self, first: &str, second: &str) {
        let pair = (self.place(first), self.place(second));
        let count = self.pairs.entry(pair).or_insert(0);
        *count = count.saturating_add(1);
    }

    /// Counts a pair once in a context: pivoting makes rules only between first sides of one context, for
    /// example whose heads have one tag, so that `makes [NN_1]` does not become `making [NN_1]`.
    pub fn add_in(&mut self, context: &str, first: &str, second: &str) {
        self.add(&format!("{context}{JOINT}{first}"), second);
    }

    fn place(&mut self, side: &str) -> u32 {
        let hash = self.hasher.hash_one(side);
        let sides = &self.sides;
        let same = |&place: &u32| &*sides[place as usize] == side;
        if let Some(&place) = self.places.find(hash, same) {
            return place;
        }
        // Fewer than 2³² sides fit into memory.
        let place = self.sides.len() as u32;
        self.sides.push(side.into());
        let (sides, hasher) = (&self.sides, &self.hasher);
        let rehash = |&place: &u32| hasher.hash_one(&*sides[place as usize]);
        self.places.insert_unique(hash, place, rehash);
        place
    }

    /// Pairs seen often enough in all their contexts together, as context, first and second side, by
    /// spelling.
    fn frequent(&self, least: u64) -> Vec<(&str, &str, &str, u64)> {
        let side = |place: u32| &*self.sides[place as usize];
        let mut pairs: Vec<_> = self
            .pairs
            .iter()
            .map(|(&(a, b), &count)| {
                let (context, first) = side(a).split_once(JOINT).unwrap_or(("", side(a)));
                (context, first, side(b), u64::from(count))
            })
            .collect();
        if least > 1 {
            let mut sums: HashMap<(&str, &str), u64> = HashMap::new();
            for &(_, first, second, count) in &pairs {
                *sums.entry((first, second)).or_insert(0) += count;
            }
            pairs.retain(|&(_, first, second, _)| sums[&(first, second)] >= least);
        }
        pairs.sort_unstable();
        pairs
    }

    /// Rules between the two sides of pairs in one language, in both directions: p(t|s) is the share of
    /// pairs with t among those of s, pairs of equal sides included; these make no rules.
    ///
    /// # Errors
    /// A setting out of range.
    pub fn direct(&self, params: &RuleParams) -> Result<Vec<AcquiredRule>> {
        params.check()?;
        let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
        for (_, first, second, count) in self.frequent(1) {
            for (source, target) in [(first, second), (second, first)] {
                if let Ok(pair) = normalize_pattern(source, target) {
                    *counts.entry(pair).or_insert(0) += count;
                }
            }
        }
        let mut totals: BTreeMap<String, u64> = BTreeMap::new();
        for ((source, _), count) in &counts {
            *totals.entry(source.clone()).or_insert(0) += count;
        }
        let rule = |((source, target), count): ((String, String), u64)| {
            let probability = count as f64 / totals[&source] as f64;
            AcquiredRule {
                source,
                target,
                probability,
                count,
            }
        };
        let frequent = counts
            .into_iter()
            .filter(|(_, count)| *count >= params.min_count);
        Ok(select(frequent.map(rule).collect(), params))
    }

    /// Rules between first sides that share second sides: p(e₂|e₁) = Σ_f p(f|e₁)·p(e₂|f), by relative
    /// frequencies (Bannard & Callison-Burch 2005; Zhao et al. 2008, §3, without its lexical weights).
    /// Slots of e₁ and e₂ are the same where they are the same slot of f. f stands for a translation in a
    /// context ([`add_in`](Self::add_in)).
    ///
    /// # Errors
    /// A setting out of range.
    pub fn pivot(&self, params: &RuleParams) -> Result<Vec<AcquiredRule>> {
        params.check()?;
        // f in its own numbering and the context → first sides in the numbering of f.
        let mut pivots: BTreeMap<(String, &str), BTreeMap<String, u64>> = BTreeMap::new();
        let mut totals: BTreeMap<&str, u64> = BTreeMap::new();
        for (context, first, second, count) in self.frequent(params.min_count) {
            let Ok((f, e)) = normalize_pattern(second, first) else {
                continue;
            };
            let sides = pivots.entry((f, context)).or_default();
            *sides.entry(e).or_insert(0) += count;
            *totals.entry(first).or_insert(0) += count;
        }
        let mut sums: BTreeMap<(String, String), (f64, u64)> = BTreeMap::new();
        for sides in pivots.values().filter(|sides| sides.len() <= params.tau) {
            let all: u64 = sides.values().sum();
            for (e1, count1) in sides {
                let total = totals
                    .get(renumbered(e1).as_str())
                    .copied()
                    .unwrap_or(*count1);
                let there = *count1 as f64 / total as f64;
                for (e2, count2) in sides.iter().filter(|(e2, _)| *e2 != e1) {
                    let Ok(pair) = normalize_pattern(e1, e2) else {
                        continue;
                    };
                    let sum = sums.entry(pair).or_insert((0.0, 0));
                    *sum = (sum.0 + there * *count2 as f64 / all as f64, sum.1 + 1);
                }
            }
        }
        let rule = |((source, target), (probability, count)): ((String, String), (f64, u64))| {
            AcquiredRule {
                source,
                target,
                probability: probability.min(1.0),
                count,
            }
        };
        Ok(select(sums.into_iter().map(rule).collect(), params))
    }
}

/// A side with its slots numbered by itself.
fn renumbered(side: &str) -> String {
    normalize_pattern(side, side).map_or_else(|_| side.to_owned(), |pair| pair.0)
}

/// By source, best first; the best `kappa` of each.
fn select(mut rules: Vec<AcquiredRule>, params: &RuleParams) -> Vec<AcquiredRule> {
    rules.retain(|rule| rule.source != rule.target && rule.probability >= params.min_probability);
    rules.sort_by(|a, b| {
        let by_score = b.probability.total_cmp(&a.probability);
        a.source
            .cmp(&b.source)
            .then(by_score)
            .then_with(|| a.target.cmp(&b.target))
    });
    let mut kept: Vec<AcquiredRule> = Vec::new();
    let mut of_source = 0;
    for rule in rules {
        of_source = match kept.last() {
            Some(last) if last.source == rule.source => of_source + 1,
            _ => 1,
        };
        if of_source <= params.kappa {
            kept.push(rule);
        }
    }
    kept
}
