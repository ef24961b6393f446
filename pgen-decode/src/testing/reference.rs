//! Exact distinct n-best in the plainest way: potentials over all product states, then A* over texts
//! (weighted subset construction, word by word). The fast engine must equal it.

use crate::chart::Chart;
use crate::decoder::Decoder;
use crate::error::Result;
use crate::loglinear::LogLinear;
use crate::order::compare_texts;
use crate::params::Request;
use crate::true_score::{edge_scores, finish, language_scores, marginal};
use hashbrown::{HashMap, HashSet};
use pgen_core::{
    Certificate, Hypothesis, LanguageModel, Lattice, Lexicon, NBest, NodeId, SearchStats, WordId,
};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::BinaryHeap;

/// The plain exact decoder. It keeps no limits and no deadline: for tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

/// A place between words: behind the first `written` words of an edge, or at a node.
type Place = (NodeId, Option<(u32, u32)>);

struct Search<'a, L: LanguageModel> {
    lattice: &'a Lattice,
    model: &'a LogLinear<'a, L>,
    edge_scores: Vec<f64>,
    potentials: HashMap<(NodeId, L::State), f64>,
}

struct Item<'a, S> {
    value: f64,
    words: Vec<WordId>,
    places: BTreeMap<Place, f64>,
    written_score: f64,
    state: S,
    complete: bool,
    lexicon: &'a Lexicon,
}

impl<S> Ord for Item<'_, S> {
    fn cmp(&self, other: &Self) -> Ordering {
        // The heap gives the greatest first: highest value, then first text, then the complete one.
        let by_text = || compare_texts(self.lexicon, &other.words, &self.words);
        let by_value = (self.value + 0.0).total_cmp(&(other.value + 0.0));
        by_value
            .then_with(by_text)
            .then(self.complete.cmp(&other.complete))
    }
}

impl<S> PartialOrd for Item<'_, S> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<S> PartialEq for Item<'_, S> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<S> Eq for Item<'_, S> {}

impl<L: LanguageModel> Decoder<L> for Reference {
    fn decode(
        &self,
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        request: &Request,
    ) -> Result<NBest> {
        let mut search = Search {
            lattice,
            model,
            edge_scores: edge_scores(lattice, model),
            potentials: HashMap::new(),
        };
        search.find_potentials();
        Ok(search.best_texts(request))
    }
}

impl<'a, L: LanguageModel> Search<'a, L> {
    /// The best completion from every reachable (node, state), `</s>` included.
    fn find_potentials(&mut self) {
        let mut states: Vec<HashSet<L::State>> = vec![HashSet::new(); self.lattice.node_count()];
        states[0].insert(self.model.language().start());
        for edge in self.lattice.edges() {
            for state in states[edge.from.index()].clone() {
                let words = self.lattice.words(edge);
                states[edge.to.index()].insert(self.model.language().phrase(&state, words).0);
            }
        }
        for node in (0..self.lattice.node_count() as u32).rev().map(NodeId::new) {
            for state in std::mem::take(&mut states[node.index()]) {
                let value = self.completion(node, &state);
                self.potentials.insert((node, state), value);
            }
        }
    }

    fn completion(&self, node: NodeId, state: &L::State) -> f64 {
        if node == self.lattice.end() {
            let last = self.model.language().finish(state);
            return self.model.finish_score(last).ln();
        }
        let mut best = f64::NEG_INFINITY;
        for (id, edge) in self.lattice.out(node) {
            let (next, words) = self.words_score(state, self.lattice.words(edge));
            let rest = self.potentials[&(edge.to, next)];
            best = best.max(self.edge_scores[id.index()] + words + rest);
        }
        best
    }

    fn words_score(&self, state: &L::State, words: &[WordId]) -> (L::State, f64) {
        let (mut state, mut sum) = (state.clone(), 0.0);
        for &word in words {
            let (next, log_prob) = self.model.language().advance(&state, word);
            state = next;
            sum += self.model.word_score(log_prob).ln();
        }
        (state, sum)
    }

    fn rest(&self, place: Place) -> &[WordId] {
        let edge = place
            .1
            .and_then(|(edge, _)| self.lattice.edges().get(edge as usize));
        match (edge, place.1) {
            (Some(edge), Some((_, written))) => &self.lattice.words(edge)[written as usize..],
            _ => &[],
        }
    }

    /// The best value of a text that goes on from these places.
    fn value(&self, places: &BTreeMap<Place, f64>, written: f64, state: &L::State) -> f64 {
        let mut best = f64::NEG_INFINITY;
        for (&place, &score) in places {
            let (next, words) = self.words_score(state, self.rest(place));
            let rest = self.potentials.get(&(place.0, next));
            best = best.max(score + written + words + rest.copied().unwrap_or(f64::NEG_INFINITY));
        }
        best
    }

    /// Follows edges without words.
    fn close(&self, places: &mut BTreeMap<Place, f64>) {
        let mut open: Vec<(NodeId, f64)> = places
            .iter()
            .filter(|((_, within), _)| within.is_none())
            .map(|(&(node, _), &score)| (node, score))
            .collect();
        while let Some((node, score)) = open.pop() {
            for (id, edge) in self.lattice.out(node) {
                let longer = score + self.edge_scores[id.index()];
                if self.lattice.words(edge).is_empty() && keep(places, (edge.to, None), longer) {
                    open.push((edge.to, longer));
                }
            }
        }
    }

    fn children(&self, places: &BTreeMap<Place, f64>) -> BTreeMap<WordId, BTreeMap<Place, f64>> {
        let mut next: BTreeMap<WordId, BTreeMap<Place, f64>> = BTreeMap::new();
        for (&place, &score) in places {
            if let (node, Some((edge, written))) = place {
                let rest = self.rest(place);
                let within = (rest.len() > 1).then_some((edge, written + 1));
                keep(next.entry(rest[0]).or_default(), (node, within), score);
                continue;
            }
            for (id, edge) in self.lattice.out(place.0) {
                let words = self.lattice.words(edge);
                if let Some(&first) = words.first() {
                    let within = (words.len() > 1).then_some((id.raw(), 1));
                    let longer = score + self.edge_scores[id.index()];
                    keep(next.entry(first).or_default(), (edge.to, within), longer);
                }
            }
        }
        next
    }

    fn best_texts(&self, request: &Request) -> NBest {
        let (mut items, mut stats) = (Vec::new(), SearchStats::default());
        let mut queue = BinaryHeap::new();
        let mut start = BTreeMap::from([((self.lattice.start(), None), 0.0)]);
        self.close(&mut start);
        self.push(
            &mut queue,
            Vec::new(),
            start,
            0.0,
            self.model.language().start(),
        );
        let mut certificate = Certificate::Exhausted;
        while let Some(item) = queue.pop() {
            stats.pops += 1;
            if !item.complete {
                self.expand(&item, &mut queue);
            } else if request.passes(&item.words) {
                if items.len() == request.n.min(request.limits.n_best) {
                    certificate = Certificate::Exact;
                    break;
                }
                items.extend(self.hypothesis(&item.words, request));
            }
        }
        stats.states = self.potentials.len() as u64;
        NBest::new(items, certificate, stats)
    }

    fn push(
        &self,
        queue: &mut BinaryHeap<Item<'a, L::State>>,
        words: Vec<WordId>,
        places: BTreeMap<Place, f64>,
        written_score: f64,
        state: L::State,
    ) {
        let value = self.value(&places, written_score, &state);
        if value > f64::NEG_INFINITY {
            queue.push(Item {
                value,
                words,
                places,
                written_score,
                state,
                complete: false,
                lexicon: self.lattice.lexicon(),
            });
        }
    }

    fn expand(&self, item: &Item<'a, L::State>, queue: &mut BinaryHeap<Item<'a, L::State>>) {
        if let Some(&score) = item.places.get(&(self.lattice.end(), None)) {
            let last = self.model.language().finish(&item.state);
            let value = score + item.written_score + self.model.finish_score(last).ln();
            if value > f64::NEG_INFINITY {
                queue.push(Item {
                    value,
                    words: item.words.clone(),
                    places: BTreeMap::new(),
                    written_score: 0.0,
                    state: item.state.clone(),
                    complete: true,
                    lexicon: item.lexicon,
                });
            }
        }
        for (word, mut places) in self.children(&item.places) {
            self.close(&mut places);
            let (state, score) = self.words_score(&item.state, &[word]);
            let mut words = item.words.clone();
            words.push(word);
            self.push(queue, words, places, item.written_score + score, state);
        }
    }

    fn hypothesis(&self, words: &[WordId], request: &Request) -> Option<Hypothesis> {
        let chart = Chart::new(
            self.lattice,
            &self.edge_scores,
            words,
            request.steps_of_text(),
        )?;
        let (language, language_score) = language_scores(self.model, words);
        let mut found = finish(self.lattice, &chart, words, language, language_score)?;
        found.derivations = request.counts.then(|| chart.count());
        found.marginal = request
            .marginals
            .then(|| marginal(&chart, &self.edge_scores, language_score));
        Some(found)
    }
}

/// Keeps the larger score of a place; true if it grew.
fn keep(places: &mut BTreeMap<Place, f64>, place: Place, score: f64) -> bool {
    let known = places.entry(place).or_insert(f64::NEG_INFINITY);
    let better = score > *known;
    if better {
        *known = score;
    }
    better
}
