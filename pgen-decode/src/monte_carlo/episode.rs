//! The search: episodes from the root, their rewards, and one action made final at a time.

use super::bandit::Range;
use super::moves::{Applied, Moves};
use super::tree::{Merge, STOP, Tree};
use super::{Mode, MonteCarlo, SentenceScore};
use crate::chart::Chart;
use crate::loglinear::LogLinear;
use crate::params::{Request, room};
use crate::true_score::language_scores;
use hashbrown::HashMap;
use pgen_core::{LanguageModel, SplitMix64, WordId};

/// What a text is worth.
pub(super) enum Reward<'a> {
    Model(Mode),
    Sentence(&'a dyn SentenceScore),
}

/// What the episodes met.
#[derive(Debug, Default)]
pub(super) struct Met {
    /// Final texts and their rewards.
    pub(super) texts: HashMap<Vec<WordId>, f64>,
    /// Bytes that they take, about.
    bytes: usize,
    pub(super) episodes: u64,
    /// Episodes so far and best reward, at each improvement.
    pub(super) curve: Vec<(u64, f64)>,
    /// The text that committing led to, if the search was not stopped before.
    pub(super) committed: Option<Vec<WordId>>,
}

pub(super) struct Search<'a, L> {
    pub(super) settings: &'a MonteCarlo,
    pub(super) model: &'a LogLinear<'a, L>,
    pub(super) request: &'a Request,
    pub(super) moves: &'a Moves<'a>,
    pub(super) edge_scores: &'a [f64],
    pub(super) reward: Reward<'a>,
}

/// The state of a run.
struct Run<'a> {
    tree: Tree<'a>,
    rng: SplitMix64,
    range: Range,
    met: Met,
    /// Scratch: nodes of an episode, and all its actions.
    path: Vec<u32>,
    actions: Vec<u32>,
}

impl<L: LanguageModel> Search<'_, L> {
    fn merge(&self) -> Merge {
        match self.reward {
            Reward::Model(Mode::Translator) => Merge::Rules,
            _ => Merge::Text,
        }
    }

    /// Runs until the root is final or the request's limits end it.
    pub(super) fn run(&self) -> Met {
        let mut run = Run {
            tree: Tree::new(self.moves, self.merge()),
            rng: SplitMix64::new(self.settings.seed),
            range: Range::EMPTY,
            met: Met::default(),
            path: Vec::new(),
            actions: Vec::new(),
        };
        let mut root = 0;
        // Each final action uses up a word at least.
        for _ in 0..=self.moves.source.len() {
            for _ in 0..self.settings.episodes {
                let limits = &self.request.limits;
                let spent = run.met.episodes >= limits.pops as u64
                    || run.tree.nodes.len() >= limits.states.min(STOP as usize)
                    || run.tree.bytes() + run.met.bytes > room(limits);
                if spent || self.request.stop.check().is_err() {
                    return run.met;
                }
                self.episode(&mut run, root);
            }
            let Some(arm) = run.tree.best_arm(root) else {
                break;
            };
            if run.tree.nodes[root as usize].arms[arm].action == STOP {
                break;
            }
            root = run.tree.follow(root, arm);
            if self.is_final(&run.tree, root) {
                break;
            }
        }
        let applied = &run.tree.nodes[root as usize].variants[0];
        run.met.committed = Some(self.moves.text(applied));
        run.met
    }

    /// True if nothing can be done at a node but stop.
    fn is_final(&self, tree: &Tree<'_>, node: u32) -> bool {
        let variants = &tree.nodes[node as usize].variants;
        let mut actions = 0..self.moves.actions.len() as u32;
        !actions.any(|action| variants.iter().any(|v| self.moves.is_free(&v.mask, action)))
    }

    /// One episode: down the explored nodes, one node more, then at random to a final text.
    fn episode(&self, run: &mut Run<'_>, root: u32) {
        run.path.clear();
        run.actions.clear();
        let mut node = root;
        let mut last = None;
        // Merged states may lead back up; a text takes no more rules than the source has words.
        while run.path.len() <= self.moves.source.len() {
            let new = run.tree.nodes[node as usize].arms.is_empty();
            if new {
                run.tree.open(node);
            }
            let range = run.range;
            let settings = self.settings;
            let arm = run
                .tree
                .choose(node, range, settings.rave_visits, &mut run.rng);
            let Some(arm) = arm else { break };
            let action = run.tree.nodes[node as usize].arms[arm].action;
            run.path.push(node);
            run.actions.push(action);
            if action == STOP {
                break;
            }
            node = run.tree.follow(node, arm);
            if new {
                last = Some(());
                break;
            }
        }
        let mut applied = run.tree.nodes[node as usize].variants[0].clone();
        if last.is_some() && !self.roll_out(run, &mut applied) {
            return;
        }
        let reward = self.reward(run, &applied);
        self.enter(run, reward);
    }

    /// Random actions to the end; stopping is one of them where states are texts. False if time ran out.
    fn roll_out(&self, run: &mut Run<'_>, applied: &mut Applied) -> bool {
        let mut free: Vec<u32> = (0..self.moves.actions.len() as u32).collect();
        let stop = usize::from(self.merge() == Merge::Text);
        loop {
            free.retain(|&action| self.moves.is_free(&applied.mask, action));
            if free.is_empty() {
                return true;
            }
            if self.request.stop.check().is_err() {
                return false;
            }
            let pick = run.rng.index(free.len() + stop).unwrap_or(0);
            let Some(&action) = free.get(pick) else {
                run.actions.push(STOP);
                return true;
            };
            run.actions.push(action);
            *applied = self.moves.apply(applied, action);
        }
    }

    fn reward(&self, run: &mut Run<'_>, applied: &Applied) -> f64 {
        let text = self.moves.text(applied);
        let reward = match self.reward {
            Reward::Model(Mode::Translator) => self.derivation_score(applied, &text),
            Reward::Model(Mode::TrueScore) => match run.met.texts.get(&text) {
                Some(&known) => known,
                None => self.true_score(&text),
            },
            Reward::Sentence(score) => score.score(&text, self.moves.lattice.lexicon()),
        };
        let reward = if reward.is_nan() {
            f64::NEG_INFINITY
        } else {
            reward
        };
        let words = text.len();
        let known = run.met.texts.entry(text).or_insert_with(|| {
            run.met.bytes += 2 * size_of::<(Vec<WordId>, f64)>() + words * size_of::<WordId>();
            reward
        });
        *known = known.max(reward);
        reward
    }

    /// The best score of all derivations of a text; impossible if there are too many.
    pub(super) fn true_score(&self, text: &[WordId]) -> f64 {
        let limit = self.request.steps_of_text();
        let chart = Chart::new(self.moves.lattice, self.edge_scores, text, limit);
        match chart.and_then(|chart| chart.best()) {
            Some(best) => best + language_scores(self.model, text).1.ln(),
            None => f64::NEG_INFINITY,
        }
    }

    /// The score of the rules applied; impossible unless they cover the source.
    fn derivation_score(&self, applied: &Applied, text: &[WordId]) -> f64 {
        if !self.moves.is_complete(applied) {
            return f64::NEG_INFINITY;
        }
        let edges = applied.actions.iter();
        let score =
            |&action: &u32| self.edge_scores[self.moves.actions[action as usize].edge.index()];
        edges.map(score).sum::<f64>() + language_scores(self.model, text).1.ln()
    }

    /// Enters the reward at the nodes of the episode.
    fn enter(&self, run: &mut Run<'_>, reward: f64) {
        run.met.episodes += 1;
        if run.met.curve.last().is_none_or(|&(_, best)| reward > best) {
            run.met.curve.push((run.met.episodes, reward));
        }
        run.range.include(reward);
        for (depth, &node) in run.path.iter().enumerate() {
            let later = &run.actions[depth..];
            run.tree.update(node, run.actions[depth], later, reward);
        }
    }
}
