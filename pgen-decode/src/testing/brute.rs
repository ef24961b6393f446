//! The definition itself: enumerate all paths, keep the best of each text, sort.

use crate::error::{Error, Result};
use crate::loglinear::LogLinear;
use crate::order::compare_texts;
use crate::params::Request;
use crate::true_score::{edge_scores, feature_sums, language_scores};
use pgen_core::{
    Certificate, Count, EdgeId, Hypothesis, LanguageModel, Lattice, NBest, NodeId, Score,
    SearchStats, WordId,
};
use std::collections::BTreeMap;

/// What brute force can look at.
const MOST_PATHS: f64 = 1e6;

/// All texts of a lattice in order, cut to the request, by enumerating every path; number of
/// derivations and marginal included.
///
/// # Errors
/// `unsupported-lattice` above a million paths.
pub fn brute_force<L: LanguageModel>(
    lattice: &Lattice,
    model: &LogLinear<'_, L>,
    request: &Request,
) -> Result<NBest> {
    if lattice.path_count().to_f64() > MOST_PATHS {
        return Err(Error::Unsupported {
            decoder: "brute force",
            reason: "more than a million paths",
        });
    }
    let scores = edge_scores(lattice, model);
    let mut texts: BTreeMap<Vec<WordId>, Vec<(f64, Vec<EdgeId>)>> = BTreeMap::new();
    let mut open = vec![(lattice.start(), 0.0, Vec::new(), Vec::new())];
    while let Some((node, score, words, edges)) = open.pop() {
        if score == f64::NEG_INFINITY {
            continue;
        }
        if node == lattice.end() {
            texts.entry(words).or_default().push((score, edges));
            continue;
        }
        extend(lattice, node, &scores, (score, words, edges), &mut open);
    }
    let mut items: Vec<Hypothesis> = texts
        .into_iter()
        .filter(|(words, _)| request.passes(words))
        .map(|(words, derivations)| hypothesis(lattice, model, words, derivations))
        .filter(|item| !item.score.is_zero())
        .collect();
    items.sort_by(|a, b| {
        let by_text = || compare_texts(lattice.lexicon(), &a.words, &b.words);
        b.score.total_cmp(&a.score).then_with(by_text)
    });
    let certificate = if items.len() <= request.n {
        Certificate::Exhausted
    } else {
        Certificate::Exact
    };
    items.truncate(request.n);
    Ok(NBest::new(items, certificate, SearchStats::default()))
}

type Path = (NodeId, f64, Vec<WordId>, Vec<EdgeId>);

fn extend(
    lattice: &Lattice,
    node: NodeId,
    scores: &[f64],
    (score, words, edges): (f64, Vec<WordId>, Vec<EdgeId>),
    open: &mut Vec<Path>,
) {
    for (id, edge) in lattice.out(node) {
        let (mut words, mut edges) = (words.clone(), edges.clone());
        words.extend_from_slice(lattice.words(edge));
        edges.push(id);
        open.push((edge.to, score + scores[id.index()], words, edges));
    }
}

fn hypothesis<L: LanguageModel>(
    lattice: &Lattice,
    model: &LogLinear<'_, L>,
    words: Vec<WordId>,
    derivations: Vec<(f64, Vec<EdgeId>)>,
) -> Hypothesis {
    let (language, language_score) = language_scores(model, &words);
    let mut marginal = Score::ZERO;
    let mut best = (f64::NEG_INFINITY, Vec::new());
    let count = Count::from(derivations.len() as u64);
    for (score, edges) in derivations {
        marginal = marginal.log_add(Score::from_ln(score));
        if score > best.0 {
            best = (score, edges);
        }
    }
    let score = Score::from_ln(best.0) + language_score;
    let mut found = Hypothesis::new(words, score, language, best.1);
    found.features = feature_sums(lattice, &found.derivation);
    found.derivations = Some(count);
    found.marginal = Some(marginal + language_score);
    found
}
