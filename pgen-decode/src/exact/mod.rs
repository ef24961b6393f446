//! The exact engine: distinct n-best in the order of the true score.
//!
//! 1. Options become one trie of words per node (`network`).
//! 2. Forward: product states (position, language-model state) and their shorter contexts; each is asked
//!    once for a whole row of next words, all contexts of a length in one wave, and what it does not list
//!    is left to its shorter context (`product`, `rows`).
//! 3. Backward: exact potentials from the same rows, without asking the model again (`potential`).
//! 4. Lazily determinised, cached states with children sorted by loss; n-best by deviations (`subset`,
//!    `search`).
//!
//! Scores lie on a grid ([`LogLinear`]), so all sums are exact and ties are real ties: they come out
//! ordered by text without being enumerated.

mod bounded;
mod network;
mod potential;
mod product;
mod queue;
mod rows;
mod search;
mod subset;
mod table;

use crate::chart::Chart;
use crate::decoder::Decoder;
use crate::error::Result;
use crate::grace::Grace;
use crate::loglinear::LogLinear;
use crate::params::{Request, room};
use crate::true_score::{edge_scores, feature_sums, marginal};
use bounded::bounded;
use network::Network;
use pgen_core::{
    Certificate, EdgeId, Hypothesis, LanguageModel, Lattice, LogProb, NBest, Score, SearchStats,
};
use potential::{Rows, Scale, find_potentials};
use product::Products;
use rows::{Asking, Forward, Halt};
use search::{End, Goal, Search};
use std::sync::{Mutex, PoisonError};
use subset::{Subsets, World};

/// The exact decoder.
///
/// Every answer is distinct, carries its true score (the best over all its derivations), and comes in
/// exact order; equal scores are ordered by text. The list is as long as asked or proved exhausted. If
/// states, steps or time run out, the certificate is `Bounded`.
///
/// Time is linear in the number of product states and of their next words; more answers cost little. Scratch
/// memory is kept from call to call and shared by no two calls. `limits.states` bounds it: product states,
/// the rows of a position, the sets of states of the search for texts and what waits in it take up to 128 bytes
/// each for each state allowed (2.6 GB by default); a sentence that needs more gets a `Bounded` certificate.
#[derive(Debug, Default)]
pub struct Exact {
    scratch: Mutex<Vec<Scratch>>,
}

impl Clone for Exact {
    fn clone(&self) -> Self {
        Exact::default()
    }
}

#[derive(Debug, Default)]
struct Scratch {
    network: Network,
    products: Products,
    asking: Asking,
    rows: Rows,
    subsets: Subsets,
    search: Search,
}

impl Exact {
    /// An exact decoder.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn take(&self) -> Scratch {
        let mut pool = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        pool.pop().unwrap_or_default()
    }

    fn give_back(&self, scratch: Scratch) {
        // What a giant request needed is not kept.
        if scratch.products.size() < 1 << 22 {
            let mut pool = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
            pool.push(scratch);
        }
    }
}

impl<L: LanguageModel> Decoder<L> for Exact {
    fn decode(
        &self,
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        request: &Request,
    ) -> Result<NBest> {
        let mut scratch = self.take();
        let answer = scratch.decode(lattice, model, request);
        self.give_back(scratch);
        answer
    }
}

impl Scratch {
    fn decode<L: LanguageModel>(
        &mut self,
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        request: &Request,
    ) -> Result<NBest> {
        self.network.build(lattice, model);
        let zero_kills = model.language_weight().get() != 0.0;
        let mut forward = Forward::new(
            &self.network,
            model.language(),
            (&mut self.products, &mut self.asking),
            &request.limits,
            zero_kills,
        );
        let halted = (forward.run(&request.stop))
            .and_then(|()| find_potentials(&mut forward, model, &mut self.rows, &request.stop))
            .err();
        let states = forward.states;
        let mut stats = SearchStats::default();
        stats.language_queries = self.products.rows;
        stats.states = states.len() as u64;
        if let Some(halt) = halted {
            let in_time = matches!(halt, Halt::States);
            return bounded(lattice, model, request, in_time, stats);
        }
        let world = World {
            network: &self.network,
            products: &self.products,
            lexicon: lattice.lexicon(),
            scale: Scale::of(model),
            end: self.network.end(),
        };
        let best = self.products.potential[self.products.start as usize];
        self.subsets.clear(states.len());
        self.subsets.room = room(&request.limits);
        if best == f64::NEG_INFINITY {
            return Ok(NBest::new(Vec::new(), Certificate::Exhausted, stats));
        }
        let n = request.n.min(request.limits.n_best);
        let (found, certificate) = list(world, &mut self.subsets, &mut self.search, request, n);
        if n > 0 && found.is_empty() && matches!(certificate, Verdict::Bounded(_)) {
            // Not even the best text was written down.
            let in_time = request.stop.check().is_ok();
            let mut list = bounded(lattice, model, request, in_time, stats)?;
            list.certificate = Certificate::Bounded {
                upper_bound_of_rest: Score::from_ln(best),
            };
            return Ok(list);
        }
        let mut certificate = match certificate {
            Verdict::Known(certificate) => certificate,
            Verdict::Bounded(loss) => Certificate::Bounded {
                upper_bound_of_rest: Score::from_ln(best - loss),
            },
        };
        stats.states += self.subsets.len() as u64;
        stats.pops = self.search.pops;
        let finish = |product: u32| model.language().finish(&states[product as usize]);
        let writer = Writer {
            world,
            subsets: &self.subsets,
            search: &self.search,
            lattice,
            best,
        };
        let mut items: Vec<Hypothesis> = Vec::with_capacity(found.len().min(n));
        let mut edges = Vec::new();
        let mut grace = Grace::new(&request.stop);
        for &text in found.iter().take(n) {
            if grace.is_over() {
                // The texts are in order: none that is left out exceeds this one.
                certificate = Certificate::Bounded {
                    upper_bound_of_rest: Score::from_ln(best - self.search.text(text).loss),
                };
                break;
            }
            items.push(writer.write(text, &mut edges, &finish));
        }
        details(lattice, model, request, &mut items);
        Ok(NBest::new(items, certificate, stats))
    }
}

enum Verdict {
    Known(Certificate),
    Bounded(f64),
}

/// The numbers of the texts that pass, and what is known of the rest.
fn list(
    world: World<'_>,
    subsets: &mut Subsets,
    search: &mut Search,
    request: &Request,
    n: usize,
) -> (Vec<u32>, Verdict) {
    // Without filters, whatever is left over proves that there is more. With filters, one text more
    // has to be found.
    let filtered = request.filtered_at_most();
    let look_ahead = n == 0 || filtered != Some(0);
    let wanted = n.saturating_add(usize::from(look_ahead));
    let needed = filtered.map_or(usize::MAX, |most| wanted.saturating_add(most));
    let goal = Goal {
        wanted,
        needed,
        passes: |words: &[pgen_core::WordId]| request.passes(words),
        pops: request.limits.pops as u64,
        stop: &request.stop,
    };
    let mut found = Vec::new();
    let end = search.run(world, subsets, &goal, &mut found);
    let verdict = match end {
        End::Stopped { loss } => Verdict::Bounded(loss),
        End::Empty => Verdict::Known(Certificate::Exhausted),
        End::Enough if look_ahead => Verdict::Known(Certificate::Exact),
        End::Enough => {
            let more = search.next_loss().is_some() || search.dropped || subsets.more;
            if !more && subsets.cut {
                return look_again(world, subsets, search, request, n);
            }
            let more = [Certificate::Exhausted, Certificate::Exact][usize::from(more)];
            Verdict::Known(more)
        }
    };
    (found, verdict)
}

/// Something was cut off that may or may not be another text: looks for one text more.
fn look_again(
    world: World<'_>,
    subsets: &mut Subsets,
    search: &mut Search,
    request: &Request,
    n: usize,
) -> (Vec<u32>, Verdict) {
    subsets.clear(world.products.potential.len());
    let goal = Goal {
        wanted: n.saturating_add(1),
        needed: usize::MAX,
        passes: |_: &[pgen_core::WordId]| true,
        pops: request.limits.pops as u64,
        stop: &request.stop,
    };
    let mut found = Vec::new();
    let end = search.run(world, subsets, &goal, &mut found);
    let verdict = match end {
        End::Enough => Verdict::Known(Certificate::Exact),
        End::Empty => Verdict::Known(Certificate::Exhausted),
        End::Stopped { loss } => Verdict::Bounded(loss),
    };
    (found, verdict)
}

/// Turns texts into hypotheses.
struct Writer<'a> {
    world: World<'a>,
    subsets: &'a Subsets,
    search: &'a Search,
    lattice: &'a Lattice,
    best: f64,
}

impl Writer<'_> {
    fn write(
        &self,
        text: u32,
        edges: &mut Vec<EdgeId>,
        finish: &impl Fn(u32) -> LogProb,
    ) -> Hypothesis {
        let (last, log_prob) = self.search.trace(self.world, self.subsets, text, edges);
        let score = Score::from_ln(self.best - self.search.text(text).loss);
        let language = LogProb::from_ln(log_prob) + finish(last);
        let words = self.search.words_of(text).to_vec();
        let mut found = Hypothesis::new(words, score, language, edges.clone());
        found.features = feature_sums(self.lattice, &found.derivation);
        found
    }
}

/// Numbers of derivations and marginals, if asked for; none for a text with too many.
pub(crate) fn details<L: LanguageModel>(
    lattice: &Lattice,
    model: &LogLinear<'_, L>,
    request: &Request,
    items: &mut [Hypothesis],
) {
    if model.language_weight().get() == 0.0 {
        // Impossible words cost nothing then, but they are impossible all the same.
        for item in items.iter_mut() {
            item.language = model.language().sentence(&item.words);
        }
    }
    if !request.counts && !request.marginals {
        return;
    }
    let scores = edge_scores(lattice, model);
    for item in items {
        let Some(chart) = Chart::new(lattice, &scores, &item.words, request.steps_of_text()) else {
            continue;
        };
        let rest = item.score - Score::from_ln(chart.best().unwrap_or(f64::NEG_INFINITY));
        item.derivations = request.counts.then(|| chart.count());
        item.marginal = request
            .marginals
            .then(|| marginal(&chart, &scores, Score::from_ln(rest)));
    }
}
