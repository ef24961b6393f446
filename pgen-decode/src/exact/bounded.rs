//! What is answered when the exact search cannot finish: a narrow beam, and a bound on everything else.

use crate::beam::Beam;
use crate::chart::Chart;
use crate::decoder::Decoder;
use crate::error::{Error, Result};
use crate::grace::GRACE;
use crate::loglinear::LogLinear;
use crate::order::compare_texts;
use crate::params::Request;
use crate::true_score::{edge_scores, finish, language_scores};
use pgen_core::{
    Certificate, Error as CoreError, Hypothesis, LanguageModel, Lattice, LogProb, NBest, NodeId,
    Score, SearchStats, Stop, WordId,
};

/// A few good texts with their true scores (that of the beam, which may be less, for a text with too many
/// derivations), and an upper bound of all others.
pub(super) fn bounded<L: LanguageModel>(
    lattice: &Lattice,
    model: &LogLinear<'_, L>,
    request: &Request,
    in_time: bool,
    mut stats: SearchStats,
) -> Result<NBest> {
    let stop = if in_time {
        request.stop.clone()
    } else {
        Stop::after(GRACE)
    };
    let upper_bound_of_rest = upper_bound(lattice, model, &stop);
    let width = if in_time { 16 } else { 1 };
    let quick = Request {
        stop,
        ..request.clone()
    };
    let mut list = match Beam::new(width)?.decode(lattice, model, &quick) {
        // A lattice too large even for a narrow beam has no list at all.
        Err(Error::Core(CoreError::LimitExceeded { .. })) => {
            NBest::new(Vec::new(), Certificate::Heuristic, SearchStats::default())
        }
        found => found?,
    };
    if in_time {
        give_true_scores(lattice, model, request, &mut list.items);
    }
    stats.states += list.stats.states;
    list.stats = stats;
    list.certificate = Certificate::Bounded {
        upper_bound_of_rest,
    };
    Ok(list)
}

/// Puts the best derivation of each text in place of the one the beam found, unless there are too many, and
/// sorts again.
fn give_true_scores<L: LanguageModel>(
    lattice: &Lattice,
    model: &LogLinear<'_, L>,
    request: &Request,
    items: &mut [Hypothesis],
) {
    let scores = edge_scores(lattice, model);
    for item in items.iter_mut() {
        let Some(chart) = Chart::new(lattice, &scores, &item.words, request.steps_of_text()) else {
            continue;
        };
        let (language, language_score) = language_scores(model, &item.words);
        if let Some(better) = finish(lattice, &chart, &item.words, language, language_score) {
            item.score = better.score;
            item.features = better.features;
            item.derivation = better.derivation;
        }
    }
    items.sort_by(|a, b| {
        let by_text = || compare_texts(lattice.lexicon(), &a.words, &b.words);
        b.score.total_cmp(&a.score).then_with(by_text)
    });
}

/// A score that no text exceeds: the best path where each word counts the most that the language model
/// can give it anywhere. The largest number if there is no such bound (a negative weight) or no time.
///
/// O(edges · words).
fn upper_bound<L: LanguageModel>(
    lattice: &Lattice,
    model: &LogLinear<'_, L>,
    stop: &Stop,
) -> Score {
    let unbounded = Score::from_ln(f64::MAX);
    if model.language_weight().get() < 0.0 {
        return unbounded;
    }
    let language = model.language();
    let mut best = vec![f64::NEG_INFINITY; lattice.node_count()];
    if let Some(end) = best.last_mut() {
        *end = model.finish_score(language.upper_bound(WordId::EOS)).ln();
    }
    let mut ticker = stop.ticker();
    for node in (0..lattice.node_count() as u32).rev().map(NodeId::new) {
        for (_, edge) in lattice.out(node) {
            if ticker.tick().is_err() {
                return unbounded;
            }
            let mut value = model.edge_score(lattice, edge).ln() + best[edge.to.index()];
            let mut previous = None;
            for &word in lattice.words(edge) {
                let bound: LogProb = match previous {
                    Some(previous) => language.upper_bound_after(previous, word),
                    None => language.upper_bound(word),
                };
                value += model.word_score(bound).ln();
                previous = Some(word);
            }
            let known = &mut best[node.index()];
            *known = known.max(value);
        }
    }
    Score::from_ln(best.first().copied().unwrap_or(f64::NEG_INFINITY))
}
