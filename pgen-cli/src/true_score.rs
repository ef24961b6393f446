//! `pgen true-score`: what given texts score over all their derivations.

use crate::Common;
use crate::decode::{Loaded, Models};
use crate::failure::{Failure, Result};
use crate::input::{self, LineWork};
use crate::output::Output;
use clap::Args;
use pgen::core::formats::nbest::{Entry, each_entry};
use pgen::core::{Lattice, Limits, Lines, WordId};
use pgen::decode::{LogLinear, Moments, Plan, RerankStudy, TrueScore};
use pgen::lm::FastModel;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Score lines `source TAB target`, or study a Moses n-best list.
///
/// The true score is the best over all derivations of the target; -inf if there is none. With --nbest
/// the answer is one JSON object: how many scores are below the true score, how many first answers are
/// not the best of their list, Kendall's tau by list length, and how ranks move.
#[derive(Debug, Args)]
pub(crate) struct TrueScoreVerb {
    /// Lines `source TAB target`; standard input without it.
    #[arg(conflicts_with = "nbest")]
    file: Option<PathBuf>,
    #[command(flatten)]
    models: Models,
    /// A Moses n-best list.
    #[arg(long, value_name = "FILE", requires = "source")]
    nbest: Option<PathBuf>,
    /// The sentences that the list belongs to, a line for each id.
    #[arg(long, value_name = "FILE")]
    source: Option<PathBuf>,
    /// Score differences up to this count as none (list files are rounded).
    #[arg(long, default_value_t = 1e-3, value_name = "X")]
    tolerance: f64,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Scored {
    score: Option<f64>,
    derivations: String,
    marginal: Option<f64>,
}

#[derive(Serialize)]
struct Study {
    lists: u64,
    items: u64,
    unreachable: u64,
    modified: f64,
    first_not_optimal: f64,
    tau: BTreeMap<String, f64>,
    tau_sd: BTreeMap<String, f64>,
    new_rank_of_old_first: Moments,
    new_rank_of_old_first_where_changed: Moments,
    old_rank_of_new_first: Moments,
    old_rank_of_new_first_where_changed: Moments,
    gap: Moments,
}

impl TrueScoreVerb {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let loaded = self.models.load()?;
        let plan = loaded.plan();
        let model = self.models.scorer(&loaded, &plan)?;
        if let (Some(nbest), Some(source)) = (&self.nbest, &self.source) {
            return self.study(&loaded, &plan, &model, nbest, source);
        }
        let work = LineWork {
            output: Output::new(),
            json: self.json,
            common,
        };
        let lines = input::open(self.file.as_ref(), &Limits::default())?;
        work.run(lines, |line, _, output| {
            let (source, target) = line.split_once('\t').ok_or_else(|| {
                Failure::input("syntax", "expected source TAB target on the line")
            })?;
            let lattice = loaded.lattice(&plan, source)?;
            let truth = TrueScore::new(&lattice, &model, &ids(&lattice, target))
                .map_err(pgen::Error::from)?;
            if !self.json {
                return output.line(&shortest(truth.score().ln()));
            }
            let found = truth.hypothesis(&lattice);
            output.json(&Scored {
                score: found.as_ref().map(|found| found.score.ln()),
                derivations: truth.derivations().to_string(),
                marginal: found
                    .and_then(|found| found.marginal)
                    .map(|score| score.ln()),
            })
        })
    }

    fn study(
        &self,
        loaded: &Loaded,
        plan: &Plan<'_>,
        model: &LogLinear<'_, FastModel>,
        nbest: &std::path::Path,
        source: &std::path::Path,
    ) -> Result<u64> {
        let limits = Limits::default();
        let mut lists: BTreeMap<u64, Vec<Entry>> = BTreeMap::new();
        each_entry(&mut Lines::open(nbest, &limits)?, false, |entry| {
            lists.entry(entry.id).or_default().push(entry);
            Ok(())
        })?;
        let mut study = RerankStudy::default();
        let mut unreachable = 0;
        let mut sources = Lines::open(source, &limits)?;
        let mut id = 0;
        while let Some((_, line)) = sources.next_line()? {
            let list = lists.remove(&id).unwrap_or_default();
            id += 1;
            let lattice = loaded.lattice(plan, line)?;
            let mut scores = Vec::with_capacity(list.len());
            for entry in &list {
                let (words, _) = entry.phrases()?;
                let truth = TrueScore::new(&lattice, model, &ids(&lattice, &words.join(" ")))
                    .map_err(pgen::Error::from)?;
                let score = truth.score();
                unreachable += u64::from(score.is_zero());
                scores.push((entry.total, score.ln()));
            }
            study.add(&scores, self.tolerance);
        }
        if let Some(extra) = lists.keys().next() {
            let (nbest, source) = (nbest.display(), source.display());
            let message = format!("{nbest} has id {extra}, but {source} has {id} lines, from 0");
            return Err(Failure::input("mismatch", message));
        }
        let mut output = Output::new();
        output.json(&report(&study, unreachable))?;
        output.flush()?;
        Ok(0)
    }
}

/// All digits that count, as a power of ten where they would be hundreds.
fn shortest(score: f64) -> String {
    if score.is_finite() && score.abs() >= 1e15 {
        return format!("{score:e}");
    }
    score.to_string()
}

fn ids(lattice: &Lattice, text: &str) -> Vec<WordId> {
    let words = text.split_whitespace();
    words
        .map(|word| lattice.lexicon().get(word).unwrap_or(WordId::UNK))
        .collect()
}

fn report(study: &RerankStudy, unreachable: u64) -> Study {
    let by_length = |value: fn(&Moments) -> f64| {
        let each = study.tau.iter();
        each.map(|(length, moments)| (length.to_string(), value(moments)))
            .collect()
    };
    Study {
        lists: study.lists,
        items: study.items,
        unreachable,
        modified: study.share_modified(),
        first_not_optimal: study.share_first_not_optimal(),
        tau: by_length(|moments| moments.mean),
        tau_sd: by_length(|moments| moments.sd),
        new_rank_of_old_first: study.new_rank_of_old_first[0],
        new_rank_of_old_first_where_changed: study.new_rank_of_old_first[1],
        old_rank_of_new_first: study.old_rank_of_new_first[0],
        old_rank_of_new_first_where_changed: study.old_rank_of_new_first[1],
        gap: study.gap,
    }
}
