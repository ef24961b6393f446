//! `pgen tune`: weights from labelled replacements.

use super::goal::{GoalArgs, GoalMaker};
use super::labelled::Labelled;
use super::resources::{Loaded, Resources};
use crate::Common;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::Output;
use crate::progress::Bar;
use clap::Args;
use pgen::core::{Limits, Lines};
use pgen::decode::tune::{
    LabelKey, Rates, TuneCase, TuneParams, Tuned, evaluate, tune, tune_shrunk,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Tune weights for an application on labelled replacements: highest replacement f-measure.
///
/// Input is what `pgen plan --json` wrote for the same application, with `correct` filled in. Output: one
/// object with the weights, which --weights of `plan` and `tune` take.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  pgen plan --model en.pgen --patterns p.txt --grouped --label --json --first 200 groups.conllu > dev.jsonl
  pgen tune --model en.pgen --patterns p.txt --dev dev.jsonl --application none > weights.json")]
pub(crate) struct Tune {
    #[command(flatten)]
    resources: Resources,
    /// Labelled sentences.
    #[arg(long, value_name = "JSONL")]
    dev: PathBuf,
    /// Labelled sentences to report on, not to tune with.
    #[arg(long, value_name = "JSONL")]
    test: Option<PathBuf>,
    #[command(flatten)]
    goal: GoalArgs,
    /// Count replacements without a label as incorrect, instead of refusing them.
    #[arg(long)]
    unlabelled_incorrect: bool,
    /// Texts asked of the decoder in each round.
    #[arg(short, long, value_name = "N", default_value_t = 50)]
    n: usize,
    /// Rounds at most.
    #[arg(long, value_name = "N", default_value_t = 6)]
    rounds: usize,
    /// Random starting points in each round.
    #[arg(long, value_name = "N", default_value_t = 3)]
    restarts: usize,
    /// Parts of the labelled sentences to be left out in turn: what is found without them says how far the
    /// weights go from those given to those found. 0 or 1: all the way.
    #[arg(long, value_name = "N", default_value_t = 5)]
    folds: usize,
    /// Leave this weight as it is; may be given several times. All weights together may be scaled without
    /// any effect, so only ratios among those left as they are, and zeros, bind.
    #[arg(long, value_name = "NAME")]
    fix: Vec<String>,
    /// Let weights become negative.
    #[arg(long)]
    allow_negative: bool,
}

impl Tune {
    /// Runs the verb.
    pub(crate) fn run(&self, common: &Common) -> Result<u64> {
        let loaded = self.resources.load()?;
        let maker = self.goal.load()?;
        let (cases, names) = self.cases(&loaded, &maker, &self.dev)?;
        if let Some(name) = self.fix.iter().find(|&name| !names.contains(name)) {
            return Err(Failure::usage(format_args!(
                "--fix: there is no `{name}`; known are {}",
                names.join(", ")
            )));
        }
        let start: Vec<f64> = names
            .iter()
            .map(|name| loaded.weights.get(name).copied().unwrap_or(1.0))
            .collect();
        let bar = Bar::new(common.quiet);
        let (tuned, unseen) = self.tuned(&cases, &loaded, &start, common.seed, &bar)?;
        bar.finish();
        let weights: BTreeMap<&String, f64> = tuned
            .names
            .iter()
            .zip(tuned.weights.iter().copied())
            .collect();
        let mut report = serde_json::json!({
            "weights": weights, "sentences": cases.len(), "rounds": tuned.rounds, "pool": tuned.pool,
            "dev": {"before": tuned.before, "after": tuned.after},
        });
        if let Some(unseen) = unseen {
            report["unseen_folds"] = unseen;
        }
        if let Some(test) = &self.test {
            let (cases, _) = self.cases(&loaded, &maker, test)?;
            let rates = |weights: &[f64]| -> Result<Rates> {
                Ok(evaluate(&cases, &loaded.language, weights).map_err(pgen::Error::from)?)
            };
            report["test"] = serde_json::json!({
                "before": rates(&start)?, "after": rates(&tuned.weights)?, "sentences": cases.len(),
            });
        }
        let mut output = Output::new();
        output.json(&report)?;
        output.flush()?;
        Ok(0)
    }

    /// What tuning finds, and what sentences left out say of it.
    fn tuned(
        &self,
        cases: &[TuneCase],
        loaded: &Loaded,
        start: &[f64],
        seed: u64,
        bar: &Bar,
    ) -> Result<(Tuned, Option<serde_json::Value>)> {
        let mut params = TuneParams::default();
        params.n_best = self.n;
        params.rounds = self.rounds;
        params.restarts = self.restarts;
        params.seed = seed;
        params.nonnegative = !self.allow_negative;
        params.fixed.clone_from(&self.fix);
        let language = &loaded.language;
        let folds = self.folds.min(cases.len());
        if folds < 2 {
            let tuned = tune(cases, language, start, &params, bar).map_err(pgen::Error::from)?;
            return Ok((tuned, None));
        }
        let shrunk =
            tune_shrunk(cases, language, start, &params, folds, bar).map_err(pgen::Error::from)?;
        let unseen = serde_json::json!({
            "before": shrunk.unseen_before, "after": shrunk.unseen_after, "share": shrunk.share,
        });
        Ok((shrunk.tuned, Some(unseen)))
    }

    /// The labelled sentences, planned again; and the names of the weights.
    fn cases(
        &self,
        loaded: &Loaded,
        maker: &GoalMaker,
        path: &Path,
    ) -> Result<(Vec<TuneCase>, Vec<String>)> {
        let mut lines = Lines::open(path, &Limits::default())?;
        let mut cases = Vec::new();
        let mut names = Vec::new();
        while let Some((_, line)) = lines.next_line()? {
            if line.trim().is_empty() {
                continue;
            }
            let case = self.case(loaded, maker, line, &mut names);
            cases.push(case.map_err(|failure| failure.at(lines.place()))?);
        }
        if cases.is_empty() {
            return Err(Failure::input(
                "empty",
                format_args!("{}: no sentences", path.display()),
            ));
        }
        Ok((cases, names))
    }

    /// A labelled sentence, planned again; the first one gives the names of the weights.
    fn case(
        &self,
        loaded: &Loaded,
        maker: &GoalMaker,
        line: &str,
        names: &mut Vec<String>,
    ) -> Result<TuneCase> {
        let labelled: Labelled = input::object(line)?;
        let sentence = loaded.sentence(&labelled.annotated()?)?;
        let goal = maker.goal(loaded, &labelled.reference)?;
        let plan = loaded.plan(goal.usability());
        let lattice = plan.build(&sentence).map_err(pgen::Error::from)?.lattice;
        if names.is_empty() {
            *names = plan.features().names().to_vec();
            names.push("language".to_owned());
        }
        let labels: BTreeMap<&LabelKey, bool> = labelled
            .units
            .iter()
            .filter_map(|unit| Some((&unit.key, unit.correct?)))
            .collect();
        let label = |key: &LabelKey| match labels.get(key) {
            Some(&correct) => Ok(correct),
            None if self.unlabelled_incorrect => Ok(false),
            None => Err(Failure::input(
                "unlabelled",
                format_args!("no label for `{}` → `{}`", key.from, key.to),
            )),
        };
        TuneCase::new(lattice, &sentence, label)
    }
}
