//! `pgen judge`: tables of judgements with intervals, and agreement of raters; or, without readers, the
//! automatic evaluation.

use super::automatic::AutomaticArgs;
use crate::Common;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::Output;
use clap::Args;
use pgen::core::{Error, Limits};
use pgen::decode::judge::{Chance, kappa, wilson};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Two-sided 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// Tabulate judgements: shares of each label with 95 % intervals, and kappa of each pair of raters.
///
/// Input: tab-separated rows `item, criterion, rater, label`; labels are whole numbers, such as 1, 2, 3 for
/// adequacy, fluency and usability; `#` begins a comment.
///
/// With --auto, no reader is needed. Input: JSON lines with `source` and `paraphrases` (objects with
/// `text`), as `pgen paraphrase --json` writes them. Output: how much changed; the share of the replaced
/// runs of words that each independent source lists (name sources that the system did not learn from);
/// perplexity under an independent language model; and paraphrases with changed numbers, negation or
/// names, broken articles or agreement, doubled words, duplicates.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  printf '1\\tadequacy\\tanna\\t3\\n1\\tadequacy\\tbob\\t2\\n' | pgen judge --labels 3
  pgen paraphrase --json < text | pgen judge --auto --list paraphrases.tsv --lm other.arpa")]
pub(crate) struct Judge {
    /// How many labels there are (from 1): what chance agreement is taken from, as in Zhao et al.
    #[arg(long, value_name = "N", default_value_t = 3)]
    labels: usize,
    /// One JSON object a criterion.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    automatic: AutomaticArgs,
    /// The judgements, or with --auto the paraphrases [default: standard input].
    file: Option<PathBuf>,
}

/// More would be no labels that people can tell apart; each takes a column of every table.
const MOST_LABELS: usize = 1000;

/// Criterion → rater → item → label.
type Judgements = BTreeMap<String, BTreeMap<String, BTreeMap<String, u32>>>;

impl Judge {
    /// Runs the verb.
    pub(crate) fn run(&self, common: &Common) -> Result<u64> {
        if self.automatic.auto {
            return self.automatic.run(self.file.as_ref(), self.json, common);
        }
        if !(2..=MOST_LABELS).contains(&self.labels) {
            let message = format_args!("--labels must be from 2 to {MOST_LABELS}");
            return Err(Failure::usage(message));
        }
        let judgements = self.read()?;
        let mut output = Output::new();
        for (criterion, raters) in &judgements {
            if self.json {
                output.json(&self.object(criterion, raters))?;
            } else {
                self.table(criterion, raters, &mut output)?;
            }
        }
        output.flush()?;
        Ok(0)
    }

    fn read(&self) -> Result<Judgements> {
        let mut lines = input::open(self.file.as_ref(), &Limits::default())?;
        let place = lines.place();
        let mut judgements = Judgements::new();
        while let Some((number, line)) = lines.next_line()? {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let bad = |expected: &'static str| {
                let place = place.clone().at_line(number);
                Failure::from(Error::syntax(place, expected, line, ""))
            };
            let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
            let &[item, criterion, rater, label] = &fields[..] else {
                return Err(bad("item, criterion, rater and label, separated by tabs"));
            };
            let expected = "a whole number from 1 to --labels in the last column";
            let label: u32 = label.parse().map_err(|_| bad(expected))?;
            if label == 0 || label as usize > self.labels {
                return Err(bad(expected));
            }
            let of_rater = judgements
                .entry(criterion.to_owned())
                .or_default()
                .entry(rater.to_owned())
                .or_default();
            if of_rater.insert(item.to_owned(), label).is_some() {
                return Err(bad("one judgement of each item by a rater"));
            }
        }
        Ok(judgements)
    }

    fn counts(&self, items: &BTreeMap<String, u32>) -> Vec<u64> {
        let count = |label: u32| items.values().filter(|&&known| known == label).count() as u64;
        (1..=self.labels as u32).map(count).collect()
    }

    fn table(
        &self,
        criterion: &str,
        raters: &BTreeMap<String, BTreeMap<String, u32>>,
        output: &mut Output,
    ) -> Result<()> {
        for (rater, items) in raters {
            let total = items.len() as u64;
            let mut line = format!("{criterion}\t{rater}\tn={total}");
            for (label, count) in (1..).zip(self.counts(items)) {
                let (low, high) = wilson(count, total, Z);
                let share = 100.0 * count as f64 / total.max(1) as f64;
                let (low, high) = (100.0 * low, 100.0 * high);
                line.push_str(&format!("\t{label}: {share:.2} % ({low:.1}–{high:.1})"));
            }
            output.line(&line)?;
        }
        for (a, b, pairs) in agreements(raters) {
            let show =
                |kappa: Option<f64>| kappa.map_or("undefined".to_owned(), |k| format!("{k:.4}"));
            output.line(&format!(
                "{criterion}\t{a}, {b}\tn={}\tkappa (chance 1/{}) {}\tkappa (Cohen) {}",
                pairs.len(),
                self.labels,
                show(kappa(&pairs, Chance::Uniform(self.labels))),
                show(kappa(&pairs, Chance::Cohen)),
            ))?;
        }
        Ok(())
    }

    fn object(
        &self,
        criterion: &str,
        raters: &BTreeMap<String, BTreeMap<String, u32>>,
    ) -> serde_json::Value {
        let of_rater = |(rater, items): (&String, &BTreeMap<String, u32>)| {
            let total = items.len() as u64;
            let counts = self.counts(items);
            let intervals: Vec<_> = counts
                .iter()
                .map(|&count| wilson(count, total, Z))
                .collect();
            serde_json::json!({
                "rater": rater, "n": total, "counts": counts, "intervals": intervals,
            })
        };
        let agreement = |(a, b, pairs): (&String, &String, Vec<(u32, u32)>)| {
            serde_json::json!({
                "raters": [a, b], "n": pairs.len(),
                "kappa": kappa(&pairs, Chance::Uniform(self.labels)),
                "cohen": kappa(&pairs, Chance::Cohen),
            })
        };
        serde_json::json!({
            "criterion": criterion,
            "raters": raters.iter().map(of_rater).collect::<Vec<_>>(),
            "agreement": agreements(raters).into_iter().map(agreement).collect::<Vec<_>>(),
        })
    }
}

/// For each two raters the labels of what both judged.
#[allow(clippy::type_complexity)]
fn agreements(
    raters: &BTreeMap<String, BTreeMap<String, u32>>,
) -> Vec<(&String, &String, Vec<(u32, u32)>)> {
    let mut found = Vec::new();
    let all: Vec<_> = raters.iter().collect();
    for (at, (a, first)) in all.iter().enumerate() {
        for (b, second) in &all[at + 1..] {
            let both = first
                .iter()
                .filter_map(|(item, label)| Some((*label, *second.get(item)?)));
            found.push((*a, *b, both.collect()));
        }
    }
    found
}
