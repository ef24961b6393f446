//! Beam search over derivations, the stand-in for what phrase-based decoders do: histogram pruning per
//! node, recombination on or off, and lists of derivations in which texts repeat (Chevelu et al. 2010,
//! §3.1). Kept to be compared with.

use crate::decoder::Decoder;
use crate::error::{Error, Result};
use crate::loglinear::LogLinear;
use crate::order::compare_texts;
use crate::params::{Request, room};
use crate::true_score::{feature_sums, language_scores};
use hashbrown::{HashMap, HashSet};
use pgen_core::{
    Certificate, Edge, EdgeId, Error as CoreError, Hypothesis, LanguageModel, Lattice, Limits,
    NBest, NodeId, Score, SearchStats, Stop, WordId,
};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A beam decoder. Its certificate is always `Heuristic`.
///
/// | name | default | purpose |
/// |---|---|---|
/// | `width` | 200 | hypotheses kept at each node |
/// | `recombine` | true | hypotheses with equal futures share the rest of the search |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beam {
    width: usize,
    recombine: bool,
}

impl Default for Beam {
    fn default() -> Self {
        Beam {
            width: 200,
            recombine: true,
        }
    }
}

/// A partial derivation, or several that have the same future.
struct Partial<S> {
    state: S,
    score: f64,
    arrivals: Vec<Arrival>,
}

#[derive(Clone, Copy)]
struct Arrival {
    from: u32,
    edge: EdgeId,
    /// What the edge adds, its words included.
    step: f64,
}

/// The end of a derivation, and the best score of a whole derivation with that end.
struct Tail {
    score: f64,
    /// Score of what is fixed.
    fixed: f64,
    partial: u32,
    /// The step that was fixed last, or [`NONE`].
    path: u32,
    sequence: u64,
}

/// No step.
const NONE: u32 = u32::MAX;

impl Ord for Tail {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = self.score.total_cmp(&other.score);
        by_score.then(other.sequence.cmp(&self.sequence))
    }
}

impl PartialOrd for Tail {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Tail {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Tail {}

/// The searched part of the derivations.
struct Graph {
    arrivals: Vec<Vec<Arrival>>,
    scores: Vec<f64>,
    ends: Vec<u32>,
    finishes: Vec<f64>,
}

impl Beam {
    /// A beam of this width.
    ///
    /// # Errors
    /// `bad-parameter` for width 0.
    pub fn new(width: usize) -> Result<Self> {
        if width == 0 {
            return Err(Error::Core(CoreError::parameter(
                "beam width",
                0,
                "1 or more",
            )));
        }
        Ok(Beam {
            width,
            ..Self::default()
        })
    }

    /// Sets whether equal futures are shared.
    #[must_use]
    pub fn with_recombination(mut self, recombine: bool) -> Self {
        self.recombine = recombine;
        self
    }

    /// The best `n` derivations that the beam holds, texts repeated: what a decoder without a true
    /// score lists. Each item's score is that of its derivation. Empty if `stop` fires early.
    ///
    /// # Errors
    /// `limit-exceeded` if the beam is so wide that it does not fit into memory (the default limits).
    pub fn derivations<L: LanguageModel>(
        &self,
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        n: usize,
        stop: &Stop,
    ) -> Result<Vec<Hypothesis>> {
        let mut found = Vec::new();
        let room = room(&Limits::default());
        if let Some(graph) = self.search(lattice, model, stop, room)? {
            graph.each_derivation(stop, room, |edges, score| {
                if found.len() < n {
                    found.push(hypothesis(lattice, model, edges, score));
                }
                found.len() < n
            });
        }
        Ok(found)
    }

    /// The pruned graph of derivations; `None` if `stop` fired. An error if it takes more bytes than `room`.
    fn search<L: LanguageModel>(
        &self,
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        stop: &Stop,
        room: usize,
    ) -> Result<Option<Graph>> {
        let most = room / size_of::<Arrival>();
        let mut arrivals = 0;
        let mut ticker = stop.ticker();
        let mut stacks: Vec<Vec<Partial<L::State>>> = Vec::new();
        stacks.resize_with(lattice.node_count(), Vec::new);
        let mut known: Vec<HashMap<L::State, usize>> = vec![HashMap::new(); lattice.node_count()];
        stacks[0].push(Partial {
            state: model.language().start(),
            score: 0.0,
            arrivals: Vec::new(),
        });
        let mut graph = Graph {
            arrivals: Vec::new(),
            scores: Vec::new(),
            ends: Vec::new(),
            finishes: Vec::new(),
        };
        for node in (0..lattice.node_count() as u32).map(NodeId::new) {
            let mut stack = std::mem::take(&mut stacks[node.index()]);
            // Stable: equal scores stay in the order in which they were made.
            stack.sort_by(|a, b| b.score.total_cmp(&a.score));
            stack.truncate(self.width);
            for partial in stack {
                let id = graph.scores.len() as u32;
                graph.scores.push(partial.score);
                graph.arrivals.push(partial.arrivals);
                if node == lattice.end() {
                    let last = model.language().finish(&partial.state);
                    graph.ends.push(id);
                    graph.finishes.push(model.finish_score(last).ln());
                }
                for (edge_id, edge) in lattice.out(node) {
                    if ticker.tick().is_err() {
                        return Ok(None);
                    }
                    let (state, step) = extend(lattice, model, edge, &partial.state);
                    let arrival = Arrival {
                        from: id,
                        edge: edge_id,
                        step,
                    };
                    if step > f64::NEG_INFINITY {
                        let to = edge.to.index();
                        let score = partial.score + step;
                        arrivals += 1;
                        Limits::check("steps in the beam", arrivals, most)?;
                        self.join(&mut stacks[to], &mut known[to], state, score, arrival);
                    }
                }
            }
        }
        Ok(Some(graph))
    }

    fn join<S: Clone + Eq + std::hash::Hash>(
        &self,
        stack: &mut Vec<Partial<S>>,
        known: &mut HashMap<S, usize>,
        state: S,
        score: f64,
        arrival: Arrival,
    ) {
        if self.recombine {
            if let Some(&at) = known.get(&state) {
                let partial = &mut stack[at];
                partial.arrivals.push(arrival);
                partial.score = partial.score.max(score);
                return;
            }
            known.insert(state.clone(), stack.len());
        }
        stack.push(Partial {
            state,
            score,
            arrivals: vec![arrival],
        });
    }
}

impl Graph {
    /// Visits derivations, best first, until `visit` or the clock says stop or what waits takes more bytes
    /// than `room`.
    fn each_derivation(
        &self,
        stop: &Stop,
        room: usize,
        mut visit: impl FnMut(Vec<EdgeId>, f64) -> bool,
    ) {
        let mut queue = BinaryHeap::new();
        // Steps with those that follow them: ends of derivations are shared.
        let mut steps: Vec<(EdgeId, u32)> = Vec::new();
        let mut sequence = 0;
        for (&end, &finish) in self.ends.iter().zip(&self.finishes) {
            queue.push(Tail {
                score: self.scores[end as usize] + finish,
                fixed: finish,
                partial: end,
                path: NONE,
                sequence,
            });
            sequence += 1;
        }
        while let Some(tail) = queue.pop() {
            let bytes = queue.len() * size_of::<Tail>() + steps.len() * size_of::<(EdgeId, u32)>();
            if tail.score == f64::NEG_INFINITY || bytes > room || stop.check().is_err() {
                return;
            }
            let arrivals = &self.arrivals[tail.partial as usize];
            if arrivals.is_empty() {
                if !visit(path_of(&steps, tail.path), tail.score) {
                    return;
                }
                continue;
            }
            for arrival in arrivals {
                let path = steps.len() as u32;
                if path == NONE {
                    return;
                }
                steps.push((arrival.edge, tail.path));
                let fixed = tail.fixed + arrival.step;
                queue.push(Tail {
                    score: fixed + self.scores[arrival.from as usize],
                    fixed,
                    partial: arrival.from,
                    path,
                    sequence,
                });
                sequence += 1;
            }
        }
    }
}

/// The edges from a step to the end.
fn path_of(steps: &[(EdgeId, u32)], first: u32) -> Vec<EdgeId> {
    let step = |at: u32| steps.get(at as usize);
    let path = std::iter::successors(step(first), |&&(_, next)| step(next));
    path.map(|&(edge, _)| edge).collect()
}

fn extend<L: LanguageModel>(
    lattice: &Lattice,
    model: &LogLinear<'_, L>,
    edge: &Edge,
    state: &L::State,
) -> (L::State, f64) {
    let (mut state, mut step) = (state.clone(), model.edge_score(lattice, edge).ln());
    for &word in lattice.words(edge) {
        let (next, log_prob) = model.language().advance(&state, word);
        state = next;
        step += model.word_score(log_prob).ln();
    }
    (state, step)
}

fn words_of(lattice: &Lattice, edges: &[EdgeId]) -> Vec<WordId> {
    let edges = edges.iter().filter_map(|&id| lattice.edge(id));
    edges
        .flat_map(|edge| lattice.words(edge))
        .copied()
        .collect()
}

fn hypothesis<L: LanguageModel>(
    lattice: &Lattice,
    model: &LogLinear<'_, L>,
    edges: Vec<EdgeId>,
    score: f64,
) -> Hypothesis {
    let words = words_of(lattice, &edges);
    let (language, _) = language_scores(model, &words);
    let mut found = Hypothesis::new(words, Score::from_ln(score), language, edges);
    found.features = feature_sums(lattice, &found.derivation);
    found
}

impl<L: LanguageModel> Decoder<L> for Beam {
    fn decode(
        &self,
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        request: &Request,
    ) -> Result<NBest> {
        let n = request.n.min(request.limits.n_best);
        let mut items = Vec::new();
        let mut stats = SearchStats::default();
        let room = room(&request.limits);
        let graph = self.search(lattice, model, &request.stop, room)?;
        if let Some(graph) = graph.filter(|_| n > 0) {
            stats.states = graph.scores.len() as u64;
            let mut seen = HashSet::new();
            graph.each_derivation(&request.stop, room, |edges, score| {
                stats.pops += 1;
                let words = words_of(lattice, &edges);
                if request.passes(&words) && seen.insert(words) {
                    items.push(hypothesis(lattice, model, edges, score));
                }
                let pops_left = stats.pops < request.limits.pops as u64;
                items.len() < n && pops_left
            });
        }
        items.sort_by(|a, b| {
            let by_text = || compare_texts(lattice.lexicon(), &a.words, &b.words);
            b.score.total_cmp(&a.score).then_with(by_text)
        });
        crate::exact::details(lattice, model, request, &mut items);
        Ok(NBest::new(items, Certificate::Heuristic, stats))
    }
}
