//! Paraphrase pairs: two ways between the same two states (Pang et al. 2003, §4.1).

use crate::dominate::PostDominators;
use crate::error::Result;
use crate::fsa::{Fsa, StateId};
use crate::symbols::Label;
use hashbrown::HashMap;
use pgen_core::{Limits, Stop, Ticker};
use std::collections::{BTreeMap, BTreeSet};

/// Which pairs are looked for.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `words` | 6 | longest side |
/// | `walks` | 50,000 | ways followed from one state; those beyond are left out and reported |
/// | `pairs` | 1,000,000 | pairs of one automaton, likewise |
/// | `steps` | 50,000,000 | ways followed and compared in one automaton, likewise |
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct PairParams {
    pub words: usize,
    pub walks: usize,
    pub pairs: usize,
    pub steps: usize,
}

impl Default for PairParams {
    fn default() -> Self {
        PairParams {
            words: 6,
            walks: 50_000,
            pairs: 1_000_000,
            steps: 50_000_000,
        }
    }
}

/// The pairs of one automaton.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Pairs {
    /// Pairs of different phrases, each once with the smaller text first, sorted.
    pub pairs: BTreeSet<(String, String)>,
    /// True if a bound cut the search.
    pub truncated: bool,
}

/// A way from one state: its last state, its words, the states between.
struct Way {
    end: StateId,
    words: Vec<Label>,
    between: Vec<StateId>,
    /// Which transition it began with.
    first: usize,
}

impl Fsa {
    /// All pairs of different phrases between two states whose paths share no state in between. Longer
    /// parallels are concatenations of these and of shared stretches. ε is removed first.
    ///
    /// # Errors
    /// As [`Fsa::remove_epsilon`]; what `stop` says.
    pub fn pairs(&self, params: &PairParams, limits: &Limits, stop: &Stop) -> Result<Pairs> {
        let fsa = self.without_epsilon(limits, stop)?;
        let mut search = Search {
            fsa: &fsa,
            shared: PostDominators::new(&fsa),
            params,
            found: Pairs::default(),
            steps: 0,
            ticker: stop.ticker(),
        };
        for state in fsa.states().filter(|&state| fsa.out(state).len() > 1) {
            let by_end = search.ways(state)?;
            for ways in by_end.values() {
                search.join(ways)?;
            }
            if search.is_over() {
                search.found.truncated = true;
                break;
            }
        }
        Ok(search.found)
    }

    /// Words of these labels with spaces between.
    #[must_use]
    pub fn join_words(&self, labels: &[Label]) -> String {
        let words: Vec<_> = labels.iter().map(|&label| self.text(label)).collect();
        words.join(" ")
    }
}

/// The search for the pairs of one automaton.
struct Search<'a> {
    fsa: &'a Fsa,
    shared: PostDominators,
    params: &'a PairParams,
    found: Pairs,
    steps: usize,
    ticker: Ticker<'a>,
}

impl Search<'_> {
    fn step(&mut self) -> Result<()> {
        self.steps += 1;
        Ok(self.ticker.tick()?)
    }

    /// True if a bound on the whole was met.
    fn is_over(&self) -> bool {
        self.steps > self.params.steps || self.found.pairs.len() >= self.params.pairs
    }

    /// The ways from a state by where they end. None goes beyond the state that all share: behind it there
    /// are no two without a state in common.
    fn ways(&mut self, state: StateId) -> Result<BTreeMap<StateId, Vec<Way>>> {
        let (fsa, params) = (self.fsa, self.params);
        let last = StateId::new(self.shared.of(state.raw()));
        let mut by_end: BTreeMap<StateId, Vec<Way>> = BTreeMap::new();
        let begin = |first| Way {
            end: state,
            words: Vec::new(),
            between: Vec::new(),
            first,
        };
        let mut open: Vec<Way> = Vec::new();
        let mut firsts = 0..fsa.out(state).len();
        let mut walks = 0;
        while let Some(way) = open.pop().or_else(|| firsts.next().map(begin)) {
            self.step()?;
            walks += 1;
            if walks > params.walks || self.steps > params.steps {
                self.found.truncated = true;
                break;
            }
            let out = match way.end {
                end if end == state => &fsa.out(state)[way.first..=way.first],
                end if end == last => &[],
                end => fsa.out(end),
            };
            if way.words.len() < params.words {
                let more = out.iter().rev();
                open.extend(more.map(|transition| way.extended(state, transition)));
            }
            if way.end != state {
                by_end.entry(way.end).or_default().push(way);
            }
        }
        Ok(by_end)
    }

    fn join(&mut self, ways: &[Way]) -> Result<()> {
        for (at, a) in ways.iter().enumerate() {
            for b in &ways[at + 1..] {
                if self.is_over() {
                    return Ok(());
                }
                self.step()?;
                let apart = || !a.between.iter().any(|state| b.between.contains(state));
                if a.first == b.first || a.words == b.words || !apart() {
                    continue;
                }
                let (x, y) = (self.fsa.join_words(&a.words), self.fsa.join_words(&b.words));
                self.found.pairs.insert(if x < y { (x, y) } else { (y, x) });
            }
        }
        Ok(())
    }
}

impl Way {
    fn extended(&self, start: StateId, transition: &crate::Transition) -> Way {
        let mut between = self.between.clone();
        if self.end != start {
            between.push(self.end);
        }
        let mut words = self.words.clone();
        words.push(transition.label);
        Way {
            end: transition.to,
            words,
            between,
            first: self.first,
        }
    }
}

/// Pairs of many groups with their support.
#[derive(Clone, Debug, Default)]
pub struct PairTable {
    groups: usize,
    truncated: usize,
    support: HashMap<(String, String), u32>,
}

impl PairTable {
    /// No pairs yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts a group's pairs.
    pub fn add(&mut self, pairs: Pairs) {
        self.groups += 1;
        self.truncated += usize::from(pairs.truncated);
        for pair in pairs.pairs {
            *self.support.entry(pair).or_default() += 1;
        }
    }

    /// Number of pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.support.len()
    }

    /// True without pairs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.support.is_empty()
    }

    /// Groups counted.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// Groups of which a bound cut the search.
    #[must_use]
    pub fn truncated(&self) -> usize {
        self.truncated
    }

    /// In how many groups two phrases, in either order, are a pair.
    #[must_use]
    pub fn support(&self, a: &str, b: &str) -> u32 {
        let pair = if a < b { (a, b) } else { (b, a) };
        let pair = (pair.0.to_owned(), pair.1.to_owned());
        self.support.get(&pair).copied().unwrap_or(0)
    }

    /// Pairs with the number of groups they come from: most first, then by text.
    #[must_use]
    pub fn sorted(&self) -> Vec<(&str, &str, u32)> {
        let pairs = self.support.iter();
        let mut list: Vec<_> = pairs
            .map(|((a, b), &support)| (a.as_str(), b.as_str(), support))
            .collect();
        list.sort_unstable_by(|a, b| b.2.cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
        list
    }

    /// Both directions of every pair with P(target | source), estimated by support: how often the source
    /// stands beside this target among all times it stands beside any. Sorted by source and target; what
    /// a paraphrase table is made of.
    #[must_use]
    pub fn rules(&self) -> Vec<(&str, &str, f64)> {
        let mut totals: HashMap<&str, u64> = HashMap::new();
        let sorted = self.sorted();
        for &(a, b, support) in &sorted {
            *totals.entry(a).or_default() += u64::from(support);
            *totals.entry(b).or_default() += u64::from(support);
        }
        let both = sorted
            .iter()
            .flat_map(|&(a, b, support)| [(a, b, support), (b, a, support)]);
        let share = |source: &str, support: u32| f64::from(support) / totals[source] as f64;
        let mut rules: Vec<_> = both
            .map(|(source, target, support)| (source, target, share(source, support)))
            .collect();
        rules.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
        rules
    }
}
