//! Squeezing: states with the same label out of, or into, one state become one (Pang et al. 2003, §3.4).
//!
//! Unrestricted, the rule can close cycles; a merge of two states of which one reaches the other is
//! refused. Then the order of merges matters, and it is fixed: in Kahn's topological order (smallest
//! state first) the first state with a pair of targets to merge, labels and then pairs ascending; if there
//! is none, the last state with a pair of sources; the pair takes the smaller number; and again from the
//! start. This module does the same without starting again:
//!
//! * merging y into x makes no new pair at any state but x: elsewhere a pair (y, z) becomes (x, z), and a
//!   refused pair stays refused, since what reaches each other goes on doing so. So only states that
//!   were merged, or were never looked at, need a look;
//! * while one state's targets are merged, no state before it in the order gets a pair, so it stays the
//!   first.

use crate::error::{Error, Result};
use crate::fsa::Fsa;
use crate::graph::{BEGIN, END, Graph};
use crate::order::Kahn;
use crate::reach::Reach;
use crate::symbols::Label;
use pgen_core::Stop;

/// What squeezing did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SqueezeReport {
    /// Merges of two states.
    pub merges: usize,
    /// Pairs that are left because merging them would close a cycle.
    pub blocked: usize,
}

impl Fsa {
    /// Squeezes the automaton to a fixpoint. The language only grows; the result is acyclic and squeezing
    /// it again changes nothing. Weights are lost.
    ///
    /// With V states and E transitions: O(merges · (V + E)) at worst, and V²/4 bits for up to 8,192
    /// states.
    ///
    /// # Errors
    /// [`Error::NoSingleEnd`] unless there is one final state without transitions out of it;
    /// [`Error::Epsilon`]; what `stop` says.
    pub fn squeeze(&self, stop: &Stop) -> Result<(Fsa, SqueezeReport)> {
        if self.has_epsilon() {
            return Err(Error::Epsilon);
        }
        let finals: Vec<_> = self.finals().collect();
        let end = match *finals.as_slice() {
            [end] if self.out(end).is_empty() => end.raw(),
            _ => {
                return Err(Error::NoSingleEnd {
                    found: finals.len(),
                });
            }
        };
        // The end takes number 1 and the states from there on move up by one.
        let place = |state: u32| match state {
            _ if state == end && end > 0 => END,
            0 => BEGIN,
            _ => state + 1,
        };
        let arcs = self.transitions().iter();
        let arcs = arcs
            .map(|t| (place(t.from.raw()), t.label, place(t.to.raw())))
            .collect();
        let states = self.state_count() as u32 + 1;
        let (graph, report) =
            squeeze_graph(Graph::new(self.symbols().clone(), states, arcs), stop)?;
        if end == 0 {
            return Ok((self.clone(), report));
        }
        Ok((graph.into_fsa()?, report))
    }
}

/// Squeezes a graph between BEGIN and END.
pub(crate) fn squeeze_graph(graph: Graph, stop: &Stop) -> Result<(Graph, SqueezeReport)> {
    let mut squeezer = Squeezer::new(&graph, stop);
    while let Some((side, node)) = squeezer.next_site()? {
        while let Some((x, y)) = squeezer.first_pair(side, node)? {
            stop.check().map_err(Error::from)?;
            squeezer.merge(x, y);
            if side == Side::In {
                // Targets come first again.
                break;
            }
        }
    }
    let report = SqueezeReport {
        merges: squeezer.merges,
        blocked: squeezer.blocked(),
    };
    let arcs = squeezer.links[Side::Out as usize].iter().enumerate();
    let arcs =
        arcs.flat_map(|(from, out)| out.iter().map(move |&(label, to)| (from as u32, label, to)));
    let arcs = arcs.collect();
    Ok((Graph::new(graph.symbols, graph.states, arcs), report))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Out = 0,
    In = 1,
}

struct Squeezer<'a> {
    stop: &'a Stop,
    /// By side and state: label and state at the other end, sorted.
    links: [Vec<Vec<(Label, u32)>>; 2],
    /// States that may have a pair on a side.
    waiting: [Vec<u32>; 2],
    is_waiting: [Vec<bool>; 2],
    reach: Reach,
    alive: Vec<bool>,
    merges: usize,
    /// Ranks in Kahn's order, as long as they hold.
    ranks: Option<Vec<u32>>,
}

impl<'a> Squeezer<'a> {
    fn new(graph: &Graph, stop: &'a Stop) -> Self {
        let count = graph.states as usize;
        let mut links = [vec![Vec::new(); count], vec![Vec::new(); count]];
        for &(from, label, to) in &graph.arcs {
            links[0][from as usize].push((label, to));
            links[1][to as usize].push((label, from));
        }
        links
            .iter_mut()
            .flatten()
            .for_each(|list| list.sort_unstable());
        let mut squeezer = Squeezer {
            stop,
            reach: Reach::new(&links[0], &links[1]),
            links,
            waiting: [Vec::new(), Vec::new()],
            is_waiting: [vec![false; count], vec![false; count]],
            alive: vec![true; count],
            merges: 0,
            ranks: None,
        };
        for node in 0..graph.states {
            squeezer.look_at(node);
        }
        squeezer
    }

    /// Puts a state on the waiting lists of the sides where it has two links with one label.
    fn look_at(&mut self, node: u32) {
        for side in [0, 1] {
            let list = &self.links[side][node as usize];
            let twice = list.windows(2).any(|pair| pair[0].0 == pair[1].0);
            if twice && !std::mem::replace(&mut self.is_waiting[side][node as usize], true) {
                self.waiting[side].push(node);
            }
        }
    }

    /// The state to merge at next. States without a pair leave the waiting lists.
    fn next_site(&mut self) -> Result<Option<(Side, u32)>> {
        for side in [Side::Out, Side::In] {
            loop {
                let waiting = &self.waiting[side as usize];
                let at = match waiting.len() {
                    0 => break,
                    1 => 0,
                    _ => {
                        if self.ranks.is_none() {
                            self.ranks = Some(self.kahn_ranks());
                        }
                        self.first_waiting(side)
                    }
                };
                let node = self.waiting[side as usize][at];
                if self.alive[node as usize] && self.first_pair(side, node)?.is_some() {
                    return Ok(Some((side, node)));
                }
                self.waiting[side as usize].swap_remove(at);
                self.is_waiting[side as usize][node as usize] = false;
            }
        }
        Ok(None)
    }

    /// The place of the first waiting state in the order of its side.
    fn first_waiting(&self, side: Side) -> usize {
        let rank = |node: u32| self.ranks.as_ref().map_or(0, |ranks| ranks[node as usize]);
        let places = self.waiting[side as usize].iter().enumerate();
        let best = match side {
            Side::Out => places.min_by_key(|(_, node)| rank(**node)),
            Side::In => places.max_by_key(|(_, node)| rank(**node)),
        };
        best.map_or(0, |(at, _)| at)
    }

    /// The first pair that may be merged: by label, then by both numbers.
    fn first_pair(&self, side: Side, node: u32) -> Result<Option<(u32, u32)>> {
        let list = &self.links[side as usize][node as usize];
        for alike in list.chunk_by(|a, b| a.0 == b.0) {
            for (at, x) in alike.iter().enumerate() {
                for y in &alike[at + 1..] {
                    // A search of the graph takes longer than a look at the clock.
                    if matches!(self.reach, Reach::Search) {
                        self.stop.check()?;
                    }
                    if !self.reach.comparable(x.1, y.1, &self.links[0]) {
                        return Ok(Some((x.1, y.1)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Merges y into x.
    fn merge(&mut self, x: u32, y: u32) {
        self.merges += 1;
        self.ranks = None;
        self.alive[y as usize] = false;
        for side in [0, 1] {
            let links = std::mem::take(&mut self.links[side][y as usize]);
            for (label, other) in links {
                let back = &mut self.links[1 - side][other as usize];
                if let Ok(place) = back.binary_search(&(label, y)) {
                    back.remove(place);
                }
                insert(back, (label, x));
                insert(&mut self.links[side][x as usize], (label, other));
            }
        }
        self.reach.merge(x, y, &self.alive);
        self.look_at(x);
    }

    fn kahn_ranks(&self) -> Vec<u32> {
        let count = self.alive.len();
        let mut left: Vec<u32> = self.links[1].iter().map(|list| list.len() as u32).collect();
        let mut kahn = Kahn::new(count);
        for node in (0..count).filter(|&node| self.alive[node] && left[node] == 0) {
            kahn.insert(node as u32);
        }
        let mut ranks = vec![u32::MAX; count];
        let mut rank = 0;
        while let Some(node) = kahn.pop() {
            ranks[node as usize] = rank;
            rank += 1;
            for &(_, to) in &self.links[0][node as usize] {
                left[to as usize] -= 1;
                if left[to as usize] == 0 {
                    kahn.insert(to);
                }
            }
        }
        ranks
    }

    /// Pairs that are left: all of them are refused.
    fn blocked(&self) -> usize {
        let pairs = |list: &Vec<(Label, u32)>| -> usize {
            let alike = list.chunk_by(|a, b| a.0 == b.0);
            alike.map(|alike| alike.len() * (alike.len() - 1) / 2).sum()
        };
        self.links.iter().flatten().map(pairs).sum()
    }
}

fn insert(list: &mut Vec<(Label, u32)>, link: (Label, u32)) {
    if let Err(place) = list.binary_search(&link) {
        list.insert(place, link);
    }
}

#[cfg(test)]
#[path = "squeeze_tests.rs"]
mod tests;
