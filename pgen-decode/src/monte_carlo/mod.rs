//! Monte-Carlo paraphrase generation (MCPG; Chevelu et al. 2010, §4.1): UCT over sets of rules, for
//! scores that only a whole sentence has.

mod bandit;
mod episode;
mod moves;
mod tree;

use crate::chart::Chart;
use crate::decoder::Decoder;
use crate::error::Result;
use crate::grace::Grace;
use crate::loglinear::LogLinear;
use crate::order::compare_texts;
use crate::params::Request;
use crate::true_score::{edge_scores, finish, language_scores, marginal};
use episode::{Met, Reward, Search};
use moves::Moves;
use pgen_core::{
    Certificate, Error as CoreError, Hypothesis, LanguageModel, Lattice, Lexicon, NBest,
    SearchStats, WordId,
};

/// A reward for a whole sentence: syntax, a task's own measure, anything. Must depend on nothing but
/// the text. NaN counts as impossible. Closures implement it.
pub trait SentenceScore {
    /// How good the text is; more is better, −∞ is impossible.
    fn score(&self, text: &[WordId], words: &Lexicon) -> f64;
}

impl<F: Fn(&[WordId], &Lexicon) -> f64> SentenceScore for F {
    fn score(&self, text: &[WordId], words: &Lexicon) -> f64 {
        self(text, words)
    }
}

/// What a state and its reward are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Mode {
    /// A state is a text; any may be final; its reward is its true score.
    #[default]
    TrueScore,
    /// A state is a set of rules; it is final when every source word is used up, copies included; its
    /// reward is the score of these rules.
    Translator,
}

/// The Monte-Carlo generator.
///
/// | name | default | purpose |
/// |---|---|---|
/// | `mode` | true score | what is rewarded |
/// | `episodes` | 10,000 | episodes before an action is made final (the paper's ω: 100,000) |
/// | `rave_visits` | 1,000 | visits at which all-moves-as-first values count half; 0 turns them off |
/// | `seed` | 0 | the same seed gives the same list |
///
/// It works where every edge replaces one stretch of the source, reordering and collocations apart.
/// Any prefix of the run is an answer: `limits.pops` bounds the episodes, the deadline the time. The
/// source is taken from [`Request::source`] or, without it, from edges that copy single words.
#[derive(Clone, PartialEq, Debug)]
pub struct MonteCarlo {
    mode: Mode,
    episodes: u64,
    rave_visits: f64,
    seed: u64,
}

impl Default for MonteCarlo {
    fn default() -> Self {
        MonteCarlo {
            mode: Mode::TrueScore,
            episodes: 10_000,
            rave_visits: 1_000.0,
            seed: 0,
        }
    }
}

/// What a run found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// Texts with their rewards: best reward first, equal ones by spelling. Scores and derivations are
    /// those of the log-linear model; texts that it cannot derive are left out.
    pub items: Vec<(f64, Hypothesis)>,
    /// Episodes run.
    pub episodes: u64,
    /// Episodes and best reward so far, at each improvement.
    pub curve: Vec<(u64, f64)>,
    /// The text that final actions led to; `None` if the run was cut short. The best text seen may be
    /// better.
    pub committed: Option<Vec<WordId>>,
    /// Distinct final texts seen.
    pub texts: usize,
}

impl MonteCarlo {
    /// Sets what is rewarded.
    #[must_use]
    pub fn with_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Sets the number of episodes before each final action.
    ///
    /// # Errors
    /// `bad-parameter` for 0.
    pub fn with_episodes(mut self, episodes: u64) -> Result<Self> {
        if episodes == 0 {
            return Err(CoreError::parameter("episodes", 0, "1 or more").into());
        }
        self.episodes = episodes;
        Ok(self)
    }

    /// Sets the weight of all-moves-as-first values.
    ///
    /// # Errors
    /// `bad-parameter` unless finite and not negative.
    pub fn with_rave_visits(mut self, visits: f64) -> Result<Self> {
        if !visits.is_finite() || visits < 0.0 {
            return Err(CoreError::parameter("rave visits", visits, "0 or more").into());
        }
        self.rave_visits = visits;
        Ok(self)
    }

    /// Sets the seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Runs, rewarded by the model's own score.
    ///
    /// # Errors
    /// `unsupported-lattice` if edges are no phrases of the source or the source is not known.
    pub fn search<L: LanguageModel>(
        &self,
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        request: &Request,
    ) -> Result<Found> {
        self.run(lattice, model, request, Reward::Model(self.mode))
    }

    /// Runs, rewarded by any score of the whole sentence; states are texts.
    ///
    /// # Errors
    /// As [`MonteCarlo::search`].
    pub fn search_with<L: LanguageModel>(
        &self,
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        request: &Request,
        reward: &dyn SentenceScore,
    ) -> Result<Found> {
        self.run(lattice, model, request, Reward::Sentence(reward))
    }

    fn run<L: LanguageModel>(
        &self,
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        request: &Request,
        reward: Reward<'_>,
    ) -> Result<Found> {
        let copies = matches!(reward, Reward::Model(Mode::Translator));
        let moves = Moves::new(lattice, &request.source, copies)?;
        let scores = edge_scores(lattice, model);
        let by_model = matches!(reward, Reward::Model(_));
        let search = Search {
            settings: self,
            model,
            request,
            moves: &moves,
            edge_scores: &scores,
            reward,
        };
        let mut met = search.run();
        let mut texts: Vec<(Vec<WordId>, f64)> = std::mem::take(&mut met.texts)
            .into_iter()
            .filter(|(text, reward)| *reward > f64::NEG_INFINITY && request.passes(text))
            .collect();
        sort_texts(&mut texts, lattice.lexicon());
        if copies {
            let mut grace = Grace::new(&request.stop);
            // Rewards are scores of derivations; the list holds true scores, as far as there is time.
            let mut known = 0;
            for (text, reward) in texts.iter_mut().take_while(|_| !grace.is_over()) {
                *reward = search.true_score(text);
                known += 1;
            }
            texts.truncate(known);
            sort_texts(&mut texts, lattice.lexicon());
        }
        let n = request.n.min(request.limits.n_best);
        let answer = |(text, reward): &(Vec<WordId>, f64)| {
            let found = hypothesis(lattice, model, &scores, request, text)?;
            let reward = if by_model { found.score.ln() } else { *reward };
            Some((reward, found))
        };
        let mut grace = Grace::new(&request.stop);
        let in_time = texts.iter().take_while(|_| !grace.is_over());
        Ok(Found {
            texts: texts.len(),
            items: in_time.filter_map(answer).take(n).collect(),
            ..summary(met)
        })
    }
}

fn summary(met: Met) -> Found {
    Found {
        items: Vec::new(),
        episodes: met.episodes,
        curve: met.curve,
        committed: met.committed,
        texts: 0,
    }
}

/// Best first, equal ones by spelling.
fn sort_texts(texts: &mut [(Vec<WordId>, f64)], lexicon: &Lexicon) {
    texts.sort_by(|(a, a_reward), (b, b_reward)| {
        let by_reward = (b_reward + 0.0).total_cmp(&(a_reward + 0.0));
        by_reward.then_with(|| compare_texts(lexicon, a, b))
    });
}

fn hypothesis<L: LanguageModel>(
    lattice: &Lattice,
    model: &LogLinear<'_, L>,
    scores: &[f64],
    request: &Request,
    text: &[WordId],
) -> Option<Hypothesis> {
    let chart = Chart::new(lattice, scores, text, request.steps_of_text())?;
    let (language, language_score) = language_scores(model, text);
    let mut found = finish(lattice, &chart, text, language, language_score)?;
    found.derivations = request.counts.then(|| chart.count());
    found.marginal = request
        .marginals
        .then(|| marginal(&chart, scores, language_score));
    Some(found)
}

impl<L: LanguageModel> Decoder<L> for MonteCarlo {
    fn decode(
        &self,
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        request: &Request,
    ) -> Result<NBest> {
        let found = self.search(lattice, model, request)?;
        let mut stats = SearchStats::default();
        stats.states = found.texts as u64;
        stats.pops = found.episodes;
        let items = found.items.into_iter().map(|(_, item)| item).collect();
        Ok(NBest::new(items, Certificate::Heuristic, stats))
    }
}
