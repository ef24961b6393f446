//! Progressive multiple alignment of a cluster into one automaton (Shen et al. 2006, §4).

use crate::error::{Error, Result};
use crate::fsa::{Fsa, StateId, Transition};
use crate::params::{Boundary, MsaParams};
use crate::profile::Profile;
use crate::symbols::Interner;
use crate::syntactic::{Aligned, Item, Items, is_match};
use pgen_core::{Limits, Stop};

/// A cluster aligned into an automaton.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MultipleAlignment {
    /// The automaton: a state for each aligned class of words.
    pub fsa: Fsa,
    /// Alignment scores of all pairs (a, b), a < b, in order.
    pub pair_scores: Vec<(usize, usize, i32)>,
    /// Sentences in order of their alignment, each with the one that it is most similar to of those before.
    pub order: Vec<(usize, Option<usize>)>,
    /// For each sentence the class of each word; classes are numbered in order of creation.
    pub columns: Vec<Vec<u32>>,
}

/// Aligns a cluster: the best pair first, then each sentence in order to the one, of those aligned
/// before, that it is most similar to. Matched words share a state. Since each sentence is aligned to one
/// other only, and in order, there are no cycles. With `params.lattice` it is aligned to whatever way
/// through the automaton of all those before suits it best (after Barzilay & Lee 2003).
///
/// O(n² · words²) time for n sentences; scores of all pairs are kept.
///
/// # Errors
/// [`Error::EmptyGroup`]; [`Error::EmptySentence`]; [`MissingSyntax`](pgen_core::Error::MissingSyntax)
/// for V4 and V5 without tags and chunks; [`Error::BadLabel`]; parameters as [`MsaParams::check`];
/// [`LimitExceeded`](pgen_core::Error::LimitExceeded) for clusters of more than `limits.edges` pairs;
/// what `stop` says.
///
/// ```
/// use pgen_core::{Limits, Stop};
/// use pgen_fsa::{Aligned, MsaParams, Version, align};
///
/// let cluster = ["the pilot sent a call", "the pilot sent out a call", "a pilot sent a call"];
/// let cluster = cluster.map(|text| Aligned {
///     words: text.split(' ').map(str::to_owned).collect(),
///     syntax: None,
/// });
/// let made = align(&cluster, &MsaParams::new(Version::V1), &Limits::default(), &Stop::never())?;
/// assert!(made.fsa.accepts(&["a", "pilot", "sent", "out", "a", "call"]));
/// # Ok::<(), pgen_fsa::Error>(())
/// ```
pub fn align(
    cluster: &[Aligned],
    params: &MsaParams,
    limits: &Limits,
    stop: &Stop,
) -> Result<MultipleAlignment> {
    params.check()?;
    check(cluster, params)?;
    Limits::check(
        "pairs of a cluster",
        cluster.len() * (cluster.len() - 1) / 2,
        limits.edges,
    )?;
    let mut words = Interner::default();
    let items = Items::new(cluster, &mut words, params)?;
    let scores = PairScores::new(&items, params, stop)?;
    let order = scores.order(&items, params);
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); cluster.len()];
    let mut profile = Profile::default();
    let mut classes = 0;
    for &(sentence, to) in &order {
        let items_here = &items.sentences[sentence];
        let mut column = vec![u32::MAX; items_here.len()];
        if let Some(to) = to {
            if params.lattice {
                stop.check()?;
                let aligned = profile.aligned(&items.sentences, items_here, params);
                aligned.into_iter().for_each(|(i, class)| column[i] = class);
            } else {
                let matrix = Matrix::new(items_here, &items.sentences[to], params);
                matrix
                    .aligned()
                    .into_iter()
                    .for_each(|(i, j)| column[i] = columns[to][j]);
            }
        }
        for class in column.iter_mut().filter(|class| **class == u32::MAX) {
            *class = classes;
            classes += 1;
        }
        if params.lattice {
            profile.add(sentence, &column);
        }
        columns[sentence] = column;
    }
    let fsa = automaton(&items, &columns, classes, &words, limits)?;
    Ok(MultipleAlignment {
        fsa,
        pair_scores: scores.list(),
        order,
        columns,
    })
}

fn check(cluster: &[Aligned], params: &MsaParams) -> Result<()> {
    if cluster.is_empty() {
        return Err(Error::EmptyGroup { group: "".into() });
    }
    for (sentence, aligned) in cluster.iter().enumerate() {
        let count = aligned.words.len();
        if count == 0 {
            return Err(Error::EmptySentence { sentence });
        }
        match &aligned.syntax {
            None if params.version.is_syntactic() => {
                let hint = "give CoNLL-U or trees, or use version v1, v2 or v3";
                return Err(pgen_core::Error::MissingSyntax {
                    needed: "tags and chunks",
                    hint,
                }
                .into());
            }
            Some((tags, chunks)) if tags.len() != count || chunks.len() != count => {
                let reason = format!(
                    "sentence {sentence} has {count} words, {} tags, {} chunks",
                    tags.len(),
                    chunks.len()
                );
                let what = "words and their syntax";
                return Err(pgen_core::Error::Mismatch {
                    what,
                    reason: reason.into(),
                }
                .into());
            }
            _ => {}
        }
    }
    Ok(())
}

/// A state for each class between start and ends; sentences are paths.
fn automaton(
    items: &Items,
    columns: &[Vec<u32>],
    classes: u32,
    words: &Interner,
    limits: &Limits,
) -> Result<Fsa> {
    Limits::check("number of states", classes as usize + 1, limits.nodes)?;
    let (symbols, labels) = words.finish();
    let mut transitions = Vec::new();
    let mut finals = vec![f32::NEG_INFINITY; classes as usize + 1];
    for (sentence, column) in items.sentences.iter().zip(columns) {
        let mut from = StateId::new(0);
        for (item, &class) in sentence.iter().zip(column) {
            let to = StateId::new(class + 1);
            let label = labels[item.word as usize];
            transitions.push(Transition {
                from,
                label,
                to,
                weight: 0.0,
            });
            from = to;
        }
        finals[from.index()] = 0.0;
    }
    Fsa::assemble(symbols, transitions, &finals, StateId::new(0))
}

/// Similarity of all pairs.
struct PairScores {
    count: usize,
    scores: Vec<i32>,
}

impl PairScores {
    fn new(items: &Items, params: &MsaParams, stop: &Stop) -> Result<Self> {
        let count = items.sentences.len();
        let mut scores = vec![0; count * count];
        let mut row = Vec::new();
        for a in 0..count {
            for b in a + 1..count {
                stop.check()?;
                let score = similarity(&items.sentences[a], &items.sentences[b], params, &mut row);
                scores[a * count + b] = score;
                scores[b * count + a] = score;
            }
        }
        Ok(PairScores { count, scores })
    }

    fn list(&self) -> Vec<(usize, usize, i32)> {
        let pairs = (0..self.count).flat_map(|a| (a + 1..self.count).map(move |b| (a, b)));
        pairs
            .map(|(a, b)| (a, b, self.scores[a * self.count + b]))
            .collect()
    }

    /// The best pair, then every sentence with the best of those before it; earlier ones win ties.
    fn order(&self, items: &Items, params: &MsaParams) -> Vec<(usize, Option<usize>)> {
        let value = |a: usize, b: usize| {
            let score = f64::from(self.scores[a * self.count + b]);
            let length = items.sentences[a].len() + items.sentences[b].len();
            if params.by_length {
                score / length as f64
            } else {
                score
            }
        };
        let mut best: Option<(usize, usize)> = None;
        for (a, b, _) in self.list() {
            if best.is_none_or(|(x, y)| value(a, b) > value(x, y)) {
                best = Some((a, b));
            }
        }
        let Some((first, second)) = best else {
            return vec![(0, None)];
        };
        let mut order = vec![(first, None), (second, Some(first))];
        let mut pool = vec![first, second];
        for sentence in (0..self.count).filter(|&sentence| sentence != first && sentence != second)
        {
            pool.sort_unstable();
            let mut to = pool[0];
            for &other in &pool {
                if value(sentence, other) > value(sentence, to) {
                    to = other;
                }
            }
            order.push((sentence, Some(to)));
            pool.push(sentence);
        }
        order
    }
}

/// The score of the best alignment alone, in memory of one row.
fn similarity(a: &[Item], b: &[Item], params: &MsaParams, row: &mut Vec<i32>) -> i32 {
    let border = |at: usize| border(at, params);
    row.clear();
    row.extend((0..=b.len()).map(border));
    for i in 0..a.len() {
        let mut diagonal = std::mem::replace(&mut row[0], border(i + 1));
        for j in 0..b.len() {
            let step = if is_match((a, i), (b, j), params) {
                params.matched
            } else {
                params.mismatched
            };
            let best = (diagonal + step)
                .max(row[j + 1] + params.gap)
                .max(row[j] + params.gap);
            diagonal = std::mem::replace(&mut row[j + 1], best);
        }
    }
    row[b.len()]
}

pub(crate) fn border(at: usize, params: &MsaParams) -> i32 {
    match params.boundary {
        Boundary::Free => 0,
        Boundary::Gap => params
            .gap
            .saturating_mul(i32::try_from(at).unwrap_or(i32::MAX)),
    }
}

/// The whole table of one alignment.
pub(crate) struct Matrix<'a> {
    a: &'a [Item],
    b: &'a [Item],
    params: &'a MsaParams,
    cells: Vec<i32>,
}

impl<'a> Matrix<'a> {
    pub(crate) fn new(a: &'a [Item], b: &'a [Item], params: &'a MsaParams) -> Self {
        let width = b.len() + 1;
        let mut cells = vec![0; (a.len() + 1) * width];
        for (j, cell) in cells[..width].iter_mut().enumerate() {
            *cell = border(j, params);
        }
        for i in 1..=a.len() {
            cells[i * width] = border(i, params);
            for j in 1..width {
                let matched = is_match((a, i - 1), (b, j - 1), params);
                let step = if matched {
                    params.matched
                } else {
                    params.mismatched
                };
                cells[i * width + j] = (cells[(i - 1) * width + j - 1] + step)
                    .max(cells[(i - 1) * width + j] + params.gap)
                    .max(cells[i * width + j - 1] + params.gap);
            }
        }
        Matrix {
            a,
            b,
            params,
            cells,
        }
    }

    pub(crate) fn at(&self, i: usize, j: usize) -> i32 {
        self.cells[i * (self.b.len() + 1) + j]
    }

    /// Matched words of the best alignment in order; of equal ones the one that goes back diagonally, then
    /// in the second sentence, then in the first.
    pub(crate) fn aligned(&self) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let (mut i, mut j) = (self.a.len(), self.b.len());
        while i > 0 && j > 0 {
            let matched = is_match((self.a, i - 1), (self.b, j - 1), self.params);
            let step = if matched {
                self.params.matched
            } else {
                self.params.mismatched
            };
            if self.at(i, j) == self.at(i - 1, j - 1) + step {
                if matched {
                    found.push((i - 1, j - 1));
                }
                (i, j) = (i - 1, j - 1);
            } else if self.at(i, j) == self.at(i, j - 1) + self.params.gap {
                j -= 1;
            } else {
                i -= 1;
            }
        }
        found.reverse();
        found
    }
}

#[cfg(test)]
#[path = "msa_tests.rs"]
mod tests;
