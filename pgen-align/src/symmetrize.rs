//! Two one-directional alignments made one (Och & Ney 2003, §4.4; Koehn et al. 2003), in the order that
//! the usual tools walk, on which the growing heuristics depend.

use crate::error::Result;
use crate::names::Named;
use pgen_core::{Alignment, Link};
use std::collections::BTreeSet;

/// How two directions are combined. F and B are the two inputs, each a set of links.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Heuristic {
    /// Links of both.
    Intersection,
    /// Links of either.
    Union,
    /// The intersection, grown by links of the union beside it, above or below.
    Grow,
    /// The same with diagonal neighbours.
    #[default]
    GrowDiag,
    /// Then leftover links of which at least one word is free.
    GrowDiagFinal,
    /// Then leftover links of which both words are free.
    GrowDiagFinalAnd,
    /// Och & Ney's refined method: a link of the union is added to the intersection if both of its
    /// words are free, or if it has a neighbour in its row or in its column but no link of the result
    /// would then have both a horizontal and a vertical neighbour.
    Och,
}

impl Heuristic {
    /// All heuristics with their names.
    pub const ALL: [(&'static str, Heuristic); 7] = [
        ("intersection", Heuristic::Intersection),
        ("union", Heuristic::Union),
        ("grow", Heuristic::Grow),
        ("grow-diag", Heuristic::GrowDiag),
        ("grow-diag-final", Heuristic::GrowDiagFinal),
        ("grow-diag-final-and", Heuristic::GrowDiagFinalAnd),
        ("och", Heuristic::Och),
    ];

    /// The name in the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.of()
    }
}

impl Named for Heuristic {
    const WHAT: &'static str = "symmetrize";
    const EXPECTED: &'static str =
        "intersection, union, grow, grow-diag, grow-diag-final, grow-diag-final-and or och";

    fn all() -> &'static [(&'static str, Self)] {
        &Self::ALL
    }
}

impl std::str::FromStr for Heuristic {
    type Err = pgen_core::Error;

    fn from_str(name: &str) -> Result<Self, pgen_core::Error> {
        Named::find(name)
    }
}

const NEIGHBOURS: [(i64, i64); 8] = [
    (-1, 0),
    (0, -1),
    (1, 0),
    (0, 1),
    (-1, -1),
    (-1, 1),
    (1, -1),
    (1, 1),
];

/// Combines `backward` (at most one target for each source word: the Viterbi links of P(s|t)) and
/// `forward` (at most one source for each target word) for sentences of `m` and `n` words.
///
/// Every result lies between intersection and union. Passes run until nothing is added, at most once
/// for each link of the union.
///
/// # Errors
/// [`pgen_core::Error::BadSpan`] for a link outside the sentences.
pub fn symmetrize(
    forward: &Alignment,
    backward: &Alignment,
    (m, n): (usize, usize),
    heuristic: Heuristic,
) -> Result<Alignment> {
    forward.check(m, n)?;
    backward.check(m, n)?;
    let growing = match heuristic {
        Heuristic::Intersection => return Ok(forward.intersection(backward)),
        Heuristic::Union => return Ok(forward.union(backward)),
        Heuristic::Och => return Ok(och(forward, backward)),
        _ => heuristic,
    };
    let mut state = Growth::new(forward, backward, m, n);
    let neighbours = if growing == Heuristic::Grow {
        &NEIGHBOURS[..4]
    } else {
        &NEIGHBOURS[..]
    };
    state.grow(&forward.union(backward), neighbours);
    if matches!(
        growing,
        Heuristic::GrowDiagFinal | Heuristic::GrowDiagFinalAnd
    ) {
        let both = growing == Heuristic::GrowDiagFinalAnd;
        state.finish(backward, forward, both);
        state.finish(forward, backward, both);
    }
    Ok(state.links.into_iter().collect())
}

struct Growth {
    links: BTreeSet<Link>,
    source: Vec<bool>,
    target: Vec<bool>,
}

impl Growth {
    fn new(forward: &Alignment, backward: &Alignment, m: usize, n: usize) -> Self {
        let mut growth = Growth {
            links: BTreeSet::new(),
            source: vec![false; m],
            target: vec![false; n],
        };
        for &link in forward.intersection(backward).links() {
            growth.add(link);
        }
        growth
    }

    fn add(&mut self, link: Link) {
        self.links.insert(link);
        self.source[link.source as usize] = true;
        self.target[link.target as usize] = true;
    }

    fn free(&self, link: Link) -> (bool, bool) {
        (
            !self.source[link.source as usize],
            !self.target[link.target as usize],
        )
    }

    /// Walks the links in ascending order, seeing those inserted ahead of it, until a pass adds none.
    fn grow(&mut self, union: &Alignment, neighbours: &[(i64, i64)]) {
        loop {
            let before = self.links.len();
            let mut cursor = self.links.first().copied();
            while let Some(at) = cursor {
                for &(down, right) in neighbours {
                    let source = u32::try_from(i64::from(at.source) + down);
                    let target = u32::try_from(i64::from(at.target) + right);
                    let (Ok(source), Ok(target)) = (source, target) else {
                        continue;
                    };
                    let link = Link::new(source, target);
                    if union.contains(link)
                        && !self.links.contains(&link)
                        && self.free(link) != (false, false)
                    {
                        self.add(link);
                    }
                }
                use std::ops::Bound::{Excluded, Unbounded};
                cursor = self.links.range((Excluded(at), Unbounded)).next().copied();
            }
            if self.links.len() == before {
                return;
            }
        }
    }

    /// Adds links that only one input has, if one or both of their words are free.
    fn finish(&mut self, from: &Alignment, other: &Alignment, both: bool) {
        for &link in from.links() {
            if other.contains(link) || self.links.contains(&link) {
                continue;
            }
            let (source, target) = self.free(link);
            if if both {
                source && target
            } else {
                source || target
            } {
                self.add(link);
            }
        }
    }
}

/// Och & Ney's refined method; links are tried ascending, passes repeat until nothing is added.
fn och(forward: &Alignment, backward: &Alignment) -> Alignment {
    let mut links: BTreeSet<Link> = forward
        .intersection(backward)
        .links()
        .iter()
        .copied()
        .collect();
    let union = forward.union(backward);
    loop {
        let before = links.len();
        for &link in union.links() {
            if links.contains(&link) {
                continue;
            }
            let free = !links
                .iter()
                .any(|l| l.source == link.source || l.target == link.target);
            if free || fits(&links, link) {
                links.insert(link);
            }
        }
        if links.len() == before {
            return links.into_iter().collect();
        }
    }
}

fn horizontal(links: &BTreeSet<Link>, at: Link) -> bool {
    let left = at
        .target
        .checked_sub(1)
        .map(|target| Link::new(at.source, target));
    let right = Link::new(at.source, at.target.saturating_add(1));
    left.is_some_and(|link| links.contains(&link)) || links.contains(&right)
}

fn vertical(links: &BTreeSet<Link>, at: Link) -> bool {
    let up = at
        .source
        .checked_sub(1)
        .map(|source| Link::new(source, at.target));
    let down = Link::new(at.source.saturating_add(1), at.target);
    up.is_some_and(|link| links.contains(&link)) || links.contains(&down)
}

/// True if the link has a neighbour in its row or column and leaves no link with both kinds.
fn fits(links: &BTreeSet<Link>, link: Link) -> bool {
    let (row, column) = (horizontal(links, link), vertical(links, link));
    if row == column {
        return false;
    }
    let mut with = links.clone();
    with.insert(link);
    !with
        .iter()
        .any(|&at| horizontal(&with, at) && vertical(&with, at))
}
