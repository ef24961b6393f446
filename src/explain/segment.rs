//! The ways in which rules write one text (the segmentations among which the true score chooses).

use crate::paraphraser::Planned;
use pgen_core::{Edge, EdgeId, NodeId, Score, WordId};
use pgen_decode::TrueScore;

/// One way to write a text.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Segmentation {
    /// Its weighted natural-log score, language model included.
    pub score: Score,
    /// Replaced and new words, piece by piece; unchanged words stand alone.
    pub pieces: Vec<(String, String)>,
}

/// How many are looked at, and how many are kept.
const LOOKED_AT: usize = 500;
const KEPT: usize = 8;

/// The best ways to write `words`, best first, and the number of all of them; nothing where they are more
/// than can be looked at.
pub(super) fn all(planned: &Planned<'_>, words: &[WordId]) -> (Vec<Segmentation>, String) {
    let Ok(truth) = TrueScore::new(&planned.lattice, &planned.model, words) else {
        return (Vec::new(), "not counted".to_owned());
    };
    let mut paths = truth.argmax(1);
    let sum = |path: &[EdgeId]| -> f64 {
        let edges = path.iter().filter_map(|&id| planned.lattice.edge(id));
        edges
            .map(|edge| planned.model.edge_score(&planned.lattice, edge).ln())
            .sum()
    };
    let Some(best) = paths.first().map(|path| sum(path)) else {
        return (Vec::new(), "0".to_owned());
    };
    let mut walk = Walk {
        planned,
        words,
        alive: alive(planned, words),
        path: Vec::new(),
        found: Vec::new(),
    };
    walk.from(planned.lattice.start(), 0);
    paths.extend(walk.found);
    let mut scored: Vec<(f64, Vec<EdgeId>)> =
        paths.into_iter().map(|path| (sum(&path), path)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    let true_score = truth.score().ln();
    let kept = scored
        .into_iter()
        .take(KEPT)
        .map(|(sum, path)| Segmentation {
            score: Score::from_ln(true_score - (best - sum)),
            pieces: path
                .iter()
                .filter_map(|&id| piece(planned, planned.lattice.edge(id)?))
                .collect(),
        });
    (kept.collect(), truth.derivations().to_string())
}

fn piece(planned: &Planned<'_>, edge: &Edge) -> Option<(String, String)> {
    let lexicon = planned.lattice.lexicon();
    let source = edge
        .span
        .map(|span| planned.sentence.words_in(span))
        .unwrap_or(&[]);
    let target = planned.lattice.words(edge);
    (!source.is_empty() || !target.is_empty()).then(|| (lexicon.join(source), lexicon.join(target)))
}

/// For each node, after how many written words the rest of the text can still be written.
fn alive(planned: &Planned<'_>, words: &[WordId]) -> Vec<Vec<bool>> {
    let lattice = &planned.lattice;
    let mut alive = vec![Vec::new(); lattice.node_count()];
    for at in (0..lattice.node_count()).rev() {
        let mut here = vec![false; words.len() + 1];
        if at + 1 == lattice.node_count() {
            here[words.len()] = true;
        }
        for (_, edge) in lattice.out(NodeId::new(at as u32)) {
            let written = lattice.words(edge);
            let ends: &Vec<bool> = &alive[edge.to.index()];
            for (start, open) in here.iter_mut().enumerate() {
                let fits = words
                    .get(start..)
                    .is_some_and(|rest| rest.starts_with(written));
                *open |= fits && ends.get(start + written.len()) == Some(&true);
            }
        }
        alive[at] = here;
    }
    alive
}

struct Walk<'a> {
    planned: &'a Planned<'a>,
    words: &'a [WordId],
    alive: Vec<Vec<bool>>,
    path: Vec<EdgeId>,
    found: Vec<Vec<EdgeId>>,
}

impl Walk<'_> {
    /// Depth first. No deeper than the sentence has tokens, which are limited.
    fn from(&mut self, node: NodeId, written: usize) {
        if self.found.len() >= LOOKED_AT {
            return;
        }
        let lattice = &self.planned.lattice;
        if node == lattice.end() {
            if written == self.words.len() {
                self.found.push(self.path.clone());
            }
            return;
        }
        for (id, edge) in lattice.out(node) {
            let words = lattice.words(edge);
            let fits = self
                .words
                .get(written..)
                .is_some_and(|rest| rest.starts_with(words));
            let next = written + words.len();
            let open = self
                .alive
                .get(edge.to.index())
                .and_then(|row| row.get(next));
            let possible = !self.planned.model.edge_score(lattice, edge).is_zero();
            if fits && possible && open == Some(&true) {
                self.path.push(id);
                self.from(edge.to, next);
                self.path.pop();
            }
        }
    }
}
