//! Recursive enumeration of the best strings from each state.

use crate::determinize::Subsets;
use crate::error::Result;
use crate::fsa::{Fsa, StateId};
use crate::symbols::Label;
use pgen_core::{Limits, Stop};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A way on from a state; ε for stopping there. Ways ascend by label.
#[derive(Clone, Copy, Debug)]
struct Way {
    label: Label,
    next: StateId,
    /// The first state from there on with a choice, and the weight up to it.
    to: StateId,
    weight: f64,
    /// The weight of its first transition alone.
    first: f64,
    /// The best that can follow.
    ahead: f64,
}

/// A string from a state: first this way, then the string of this rank from where it leads.
#[derive(Clone, Copy, Debug)]
struct Rank {
    way: u32,
    rank: u32,
    weight: f64,
}

/// What is known of the strings from one state.
#[derive(Debug)]
struct Node {
    ways: Box<[Way]>,
    /// The best strings, in order.
    ranks: SmallVec<[Rank; 1]>,
    /// The next string of each other way; none before a second string was asked for.
    waiting: Option<BinaryHeap<Rank>>,
    /// True if there are no more.
    whole: bool,
}

const MISSING: u32 = u32::MAX;

/// Where the ways come from.
#[derive(Debug)]
enum Steps<'a> {
    Deterministic(Cow<'a, Fsa>),
    Subsets(Box<Subsets<'a>>),
}

/// The best strings from the start, by rank.
#[derive(Debug)]
pub(crate) struct Ranks<'a> {
    steps: Steps<'a>,
    /// By state of the automaton, the weight of the best way to an end.
    ahead: Vec<f64>,
    /// By state of a deterministic automaton, the first from it on where there is a choice, and the weight of
    /// the only way there. Empty for subsets.
    choices: Vec<(StateId, f64)>,
    nodes: Vec<Node>,
    /// By state, its place among the nodes; `MISSING` for one that was not looked at.
    places: Vec<u32>,
    /// Ways and ranks held.
    held: usize,
    limits: Limits,
    stop: Stop,
}

impl<'a> Ranks<'a> {
    /// Of an automaton without ε.
    pub(crate) fn new(fsa: Cow<'a, Fsa>, limits: &Limits, stop: &Stop) -> Self {
        let ahead = fsa.best_ahead();
        let mut choices = Vec::new();
        let steps = if fsa.is_deterministic() {
            choices = first_choices(&fsa);
            Steps::Deterministic(fsa)
        } else {
            Steps::Subsets(Box::new(Subsets::new(fsa, limits)))
        };
        Ranks {
            steps,
            ahead,
            choices,
            nodes: Vec::new(),
            places: Vec::new(),
            held: 0,
            limits: limits.clone(),
            stop: stop.clone(),
        }
    }

    /// The string of a rank with its weight, if there are so many.
    pub(crate) fn string(&mut self, rank: u32) -> Result<Option<(Vec<Label>, f64)>> {
        let start = self.choice(StateId::default()).0;
        if !self.find(start, rank)? {
            return Ok(None);
        }
        let stop = self.stop.clone();
        let mut ticker = stop.ticker();
        let (mut labels, mut weight) = (Vec::new(), 0.0);
        let (mut next, mut state, mut rank) = (StateId::default(), start, rank as usize);
        loop {
            ticker.tick()?;
            self.follow(next, state, &mut labels, &mut weight);
            let node = self.node(state)?;
            let Some(step) = node.ranks.get(rank).copied() else {
                return Ok(None);
            };
            let way = node.ways[step.way as usize];
            if way.label.is_epsilon() {
                return Ok(Some((labels, weight + way.weight)));
            }
            labels.push(way.label);
            weight += way.first;
            (next, state, rank) = (way.next, way.to, step.rank as usize);
        }
    }

    /// Where there is a choice next, and the weight of the way there.
    fn choice(&self, state: StateId) -> (StateId, f64) {
        let known = self.choices.get(state.index());
        known.copied().unwrap_or((state, 0.0))
    }

    /// Adds the only way from a state to another.
    fn follow(&self, mut from: StateId, to: StateId, labels: &mut Vec<Label>, weight: &mut f64) {
        let Steps::Deterministic(fsa) = &self.steps else {
            return;
        };
        while from != to
            && let Some(only) = fsa.out(from).first()
        {
            labels.push(only.label);
            *weight += f64::from(only.weight);
            from = only.to;
        }
    }

    /// Finds the strings from a state up to a rank; false if there are fewer.
    fn find(&mut self, state: StateId, rank: u32) -> Result<bool> {
        let stop = self.stop.clone();
        let mut ticker = stop.ticker();
        let mut open = vec![(state, rank)];
        let mut enough = false;
        while let Some(&(state, rank)) = open.last() {
            ticker.tick()?;
            let node = self.node(state)?;
            enough = node.ranks.len() > rank as usize;
            if enough || node.whole {
                open.pop();
                continue;
            }
            let built = node.prepare();
            // Behind the last string found comes the next of its way.
            let last = node.ranks.last().copied();
            let last = last.and_then(|last| {
                let way = node.ways[last.way as usize];
                (!way.label.is_epsilon()).then_some((last, way))
            });
            self.hold(built)?;
            let mut fresh = None;
            if let Some((last, way)) = last {
                let behind = self.node(way.to)?;
                match behind.ranks.get(last.rank as usize + 1) {
                    Some(next) => {
                        let weight = way.weight + next.weight;
                        let rank = last.rank + 1;
                        fresh = Some(Rank {
                            weight,
                            rank,
                            ..last
                        });
                    }
                    None if behind.whole => {}
                    None => {
                        open.push((way.to, last.rank + 1));
                        continue;
                    }
                }
            }
            self.hold(1)?;
            self.node(state)?.advance(fresh);
        }
        Ok(enough)
    }

    fn hold(&mut self, more: usize) -> Result<()> {
        self.held += more;
        let (what, limit) = ("steps kept of the search", self.limits.states);
        Ok(Limits::check(what, self.held, limit)?)
    }

    /// What is known of a state, with its best string at least if it has any.
    fn node(&mut self, state: StateId) -> Result<&mut Node> {
        if self.places.len() <= state.index() {
            self.places.resize(state.index() + 1, MISSING);
        }
        let mut place = self.places[state.index()] as usize;
        if place >= self.nodes.len() {
            let node = Node::new(self.ways(state)?);
            self.hold(node.ways.len() + 1)?;
            place = self.nodes.len();
            self.nodes.push(node);
            self.places[state.index()] = place as u32;
        }
        Ok(&mut self.nodes[place])
    }

    fn ways(&mut self, state: StateId) -> Result<Box<[Way]>> {
        let Ranks {
            steps,
            ahead,
            choices,
            ..
        } = self;
        let stops = |weight: f64| Way {
            label: Label::EPSILON,
            next: state,
            to: state,
            weight,
            first: weight,
            ahead: 0.0,
        };
        let mut ways: Vec<Way> = Vec::new();
        match steps {
            Steps::Deterministic(fsa) => {
                ways.reserve_exact(fsa.out(state).len() + 1);
                ways.extend(fsa.final_weight(state).map(|last| stops(last.into())));
                ways.extend(fsa.out(state).iter().map(|t| {
                    let (to, more) = choices[t.to.index()];
                    Way {
                        label: t.label,
                        next: t.to,
                        to,
                        weight: f64::from(t.weight) + more,
                        first: t.weight.into(),
                        ahead: ahead[to.index()],
                    }
                }));
            }
            Steps::Subsets(subsets) => {
                let last = subsets.last(state);
                ways.extend((last > f64::NEG_INFINITY).then(|| stops(last)));
                subsets.expand(state, &mut self.stop.ticker(), |label, to, weight| {
                    ways.push(Way {
                        label,
                        next: to,
                        to,
                        weight: weight.into(),
                        first: weight.into(),
                        ahead: 0.0,
                    });
                })?;
                for way in ways.iter_mut().filter(|way| !way.label.is_epsilon()) {
                    way.ahead = subsets.best(way.to, |state| ahead[state]);
                }
            }
        }
        Ok(ways.into())
    }
}

impl Node {
    fn new(ways: Box<[Way]>) -> Self {
        let firsts = (0u32..).zip(&ways).map(first);
        Node {
            ranks: firsts.max().into_iter().collect(),
            // Where strings end and nothing else, there is one.
            whole: ways.iter().all(|way| way.label.is_epsilon()),
            ways,
            waiting: None,
        }
    }

    /// Lets the other ways wait; the number of them if they did not yet.
    fn prepare(&mut self) -> usize {
        if self.waiting.is_some() {
            return 0;
        }
        let taken = self.ranks.first().map(|rank| rank.way);
        let firsts = (0u32..).zip(&self.ways).map(first);
        let others = firsts.filter(|rank| Some(rank.way) != taken);
        self.waiting.insert(others.collect()).len()
    }

    /// Takes the best of what waits.
    fn advance(&mut self, fresh: Option<Rank>) {
        let waiting = self.waiting.get_or_insert_default();
        waiting.extend(fresh);
        match waiting.pop() {
            Some(next) => self.ranks.push(next),
            None => self.whole = true,
        }
    }
}

/// For each state the first from it on where paths may end or part, with the weight of the way there.
fn first_choices(fsa: &Fsa) -> Vec<(StateId, f64)> {
    let mut choices: Vec<_> = fsa.states().map(|state| (state, 0.0)).collect();
    for state in fsa.states().rev() {
        if let [only] = fsa.out(state)
            && !fsa.is_final(state)
        {
            let (to, weight) = choices[only.to.index()];
            choices[state.index()] = (to, weight + f64::from(only.weight));
        }
    }
    choices
}

/// The best string of a way.
fn first((way, to): (u32, &Way)) -> Rank {
    Rank {
        way,
        rank: 0,
        weight: to.weight + to.ahead,
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        // Of one state. Earlier words are greater; ways ascend by them.
        self.weight
            .total_cmp(&other.weight)
            .then_with(|| other.way.cmp(&self.way))
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rank {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Rank {}
