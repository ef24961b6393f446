//! `pgen comparable`: sentence pairs from clusters of comparable texts.

use crate::Common;
use crate::failure::Result;
use crate::input;
use crate::output::{self, Output};
use clap::{Args, ValueEnum};
use pgen::align::{ComparableParams, Metric, PairFinder};
use pgen::core::{Limits, Lines};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Find sentence pairs that probably say the same in clusters of texts about the same events.
///
/// Input: a table whose first column is the cluster and whose last is a sentence (tokens separated by
/// spaces), clusters in one piece; or JSON lines {"cluster": id, "docs": [["sentence", …], …]}. Output:
/// cluster, number of edits, both sentences. What each filter decided goes to standard error.
#[derive(Debug, Args)]
pub(crate) struct Comparable {
    /// The clusters; - is standard input.
    clusters: PathBuf,
    /// Most edits between two sentences.
    #[arg(long, default_value_t = 12, value_name = "N")]
    max_distance: usize,
    /// What counts as an edit.
    #[arg(long, value_enum, default_value_t = Edits::InsDel)]
    metric: Edits,
    /// Least number of common words that are no punctuation.
    #[arg(long, default_value_t = 0, value_name = "N")]
    min_common: usize,
    /// One JSON object a pair, then one with the counts.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Edits {
    /// Insertions and deletions.
    InsDel,
    /// Substitutions too.
    Levenshtein,
}

#[derive(Deserialize)]
struct Cluster {
    cluster: serde_json::Value,
    docs: Vec<Vec<String>>,
}

#[derive(Serialize)]
struct PairLine<'a> {
    cluster: &'a str,
    distance: usize,
    first: &'a str,
    second: &'a str,
}

#[derive(Serialize)]
struct Counts {
    pairs: u64,
    identical: u64,
    punctuation_only: u64,
    length_ratio: u64,
    distance: u64,
    duplicate: u64,
    kept: u64,
    mean_distance: Option<f64>,
    mean_length: Option<f64>,
}

impl Comparable {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let metric = match self.metric {
            Edits::InsDel => Metric::InsDel,
            Edits::Levenshtein => Metric::Levenshtein,
        };
        let params = ComparableParams::default()
            .with_distance(self.max_distance, metric)
            .with_min_common(self.min_common);
        let mut work = Work {
            finder: PairFinder::new(&params)?,
            out: Output::new(),
            json: self.json,
        };
        let bad = work.read(&mut input::open(Some(&self.clusters), &Limits::default())?)?;
        work.finish(common.quiet)?;
        Ok(bad)
    }
}

struct Work {
    finder: PairFinder,
    out: Output,
    json: bool,
}

impl Work {
    /// Reads clusters of either format; the number of lines that are of neither.
    fn read(&mut self, lines: &mut Lines) -> Result<u64> {
        let (mut name, mut sentences, mut bad) = (String::new(), Vec::new(), 0);
        loop {
            let (number, line) = match lines.next_line() {
                Ok(None) => break,
                Ok(Some(line)) => line,
                Err(error) => {
                    output::message(&format!("pgen: {error} [{}]", error.code()));
                    bad += 1;
                    continue;
                }
            };
            if line.starts_with('{') {
                match serde_json::from_str::<Cluster>(line) {
                    Ok(Cluster { cluster, docs }) => {
                        let id = cluster
                            .as_str()
                            .map_or_else(|| cluster.to_string(), str::to_owned);
                        self.cluster(&id, &docs.concat())?;
                    }
                    Err(error) => {
                        output::message(&format!("pgen: line {number}: {error} [syntax]"));
                        bad += 1;
                    }
                }
            } else if let Some((cluster, rest)) = line.split_once('\t') {
                if cluster != name {
                    self.cluster(&name, &std::mem::take(&mut sentences))?;
                    cluster.clone_into(&mut name);
                }
                let sentence = rest.rsplit('\t').next().unwrap_or(rest);
                sentences.push(sentence.to_owned());
            } else if !line.trim().is_empty() {
                output::message(&format!(
                    "pgen: line {number}: no cluster and sentence separated by TAB [syntax]"
                ));
                bad += 1;
            }
        }
        self.cluster(&name, &sentences)?;
        Ok(bad)
    }

    fn cluster(&mut self, name: &str, sentences: &[String]) -> Result<()> {
        for pair in self.finder.cluster(sentences) {
            let (first, second) = (&sentences[pair.first], &sentences[pair.second]);
            let line = PairLine {
                cluster: name,
                distance: pair.distance,
                first,
                second,
            };
            if self.json {
                self.out.json(&line)?;
            } else {
                let text = [name, &pair.distance.to_string(), first, second].join("\t");
                self.out.line(&text)?;
            }
        }
        Ok(())
    }

    fn finish(&mut self, quiet: bool) -> Result<()> {
        let verdicts = self.finder.verdicts();
        let counts = Counts {
            pairs: verdicts.total(),
            identical: verdicts.identical,
            punctuation_only: verdicts.punctuation_only,
            length_ratio: verdicts.length_ratio,
            distance: verdicts.distance,
            duplicate: verdicts.duplicate,
            kept: verdicts.kept,
            mean_distance: verdicts.mean_distance(),
            mean_length: verdicts.mean_length(),
        };
        if self.json {
            self.out.json(&counts)?;
        } else if !quiet {
            output::message(&serde_json::to_string(&counts)?);
        }
        self.out.flush()
    }
}
