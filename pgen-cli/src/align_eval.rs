//! `pgen align-eval`: precision, recall and alignment error rate.

use crate::failure::{Failure, Result};
use crate::input;
use crate::output::Output;
use clap::Args;
use pgen::align::{Evaluation, LinkCounts, PairReader, tokens};
use pgen::core::formats::alignment::{gold, pharaoh};
use pgen::core::{Alignment, Limits};
use serde::Serialize;
use std::path::PathBuf;

/// Compare alignments with hand-made ones.
///
/// The gold file is a table (id, two sentences, sure links, possible links), lines of links `0-1` with
/// possible ones as `0?1` or `0p1`, or NAACL lines, told apart by content. Links of identical and of
/// different words are counted apart where the words are known: from a table, or from --pairs.
#[derive(Debug, Args)]
pub(crate) struct AlignEval {
    /// The hand-made links.
    #[arg(long, value_name = "FILE")]
    gold: PathBuf,
    /// The links to judge: a line `i-j …` for each pair.
    #[arg(long, value_name = "FILE")]
    hyp: PathBuf,
    /// The sentence pairs, where the gold file lacks them.
    #[arg(long, value_name = "TSV")]
    pairs: Option<PathBuf>,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    pairs: u64,
    all: Block,
    identical: Option<Block>,
    different: Option<Block>,
}

#[derive(Serialize)]
struct Block {
    aer: f64,
    precision: Option<f64>,
    recall: Option<f64>,
    proposed: u64,
    sure: u64,
    possible: u64,
}

impl From<&LinkCounts> for Block {
    fn from(counts: &LinkCounts) -> Self {
        Block {
            aer: counts.error_rate(),
            precision: counts.precision(),
            recall: counts.recall(),
            proposed: counts.proposed,
            sure: counts.sure,
            possible: counts.possible,
        }
    }
}

impl AlignEval {
    /// Runs the verb.
    pub(crate) fn run(self) -> Result<u64> {
        let limits = Limits::default();
        let records = gold::read(&mut input::open(Some(&self.gold), &limits)?, None)?;
        let mut lines = input::open(Some(&self.hyp), &limits)?;
        let mut proposed = Vec::new();
        while let Some(alignment) = pharaoh::next(&mut lines)? {
            proposed.push(alignment);
        }
        let words = self.words(&limits)?;
        let (mut sum, mut pairs, mut known) = (Evaluation::default(), 0, true);
        for record in &records {
            let at = usize::try_from(record.index).unwrap_or(usize::MAX);
            let Some(alignment) = proposed.get(at) else {
                return Err(too_few(at, proposed.len()));
            };
            pairs += 1;
            match record.sentences.as_ref().or_else(|| words.get(at)) {
                Some((source, target)) => {
                    let (source, target): (Vec<_>, Vec<_>) =
                        (tokens(source).collect(), tokens(target).collect());
                    sum.add(&source, &target, alignment, &record.gold)
                        .map_err(|error| Failure::from(error.at_line(at as u64 + 1)))?;
                }
                None => {
                    known = false;
                    sum.add_links(alignment, &record.gold);
                }
            }
        }
        self.warn(records.len(), &proposed);
        self.print(&Report {
            pairs,
            all: (&sum.all).into(),
            identical: known.then(|| (&sum.identical).into()),
            different: known.then(|| (&sum.different).into()),
        })
    }

    fn words(&self, limits: &Limits) -> Result<Vec<(String, String)>> {
        let Some(path) = &self.pairs else {
            return Ok(Vec::new());
        };
        let pairs = PairReader::new(input::open(Some(path), limits)?);
        pairs
            .map(|pair| Ok(pair.map(|pair| (pair.source, pair.target))?))
            .collect()
    }

    fn warn(&self, gold: usize, proposed: &[Alignment]) {
        if proposed.len() > gold {
            let more = proposed.len() - gold;
            crate::output::message(&format!(
                "pgen: {more} lines of --hyp have no gold and are not counted"
            ));
        }
    }

    fn print(&self, report: &Report) -> Result<u64> {
        let mut out = Output::new();
        if self.json {
            out.json(report)?;
        } else {
            out.line("links\taer\tprecision\trecall\tproposed\tsure\tpossible")?;
            for (name, block) in [
                ("all", Some(&report.all)),
                ("identical", report.identical.as_ref()),
                ("different", report.different.as_ref()),
            ] {
                if let Some(block) = block {
                    out.line(&row(name, block))?;
                }
            }
        }
        out.flush()?;
        Ok(0)
    }
}

fn row(name: &str, block: &Block) -> String {
    let share = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
    let (precision, recall) = (share(block.precision), share(block.recall));
    let Block {
        aer,
        proposed,
        sure,
        possible,
        ..
    } = block;
    format!("{name}\t{aer:.4}\t{precision}\t{recall}\t{proposed}\t{sure}\t{possible}")
}

fn too_few(at: usize, lines: usize) -> Failure {
    let message = format!(
        "gold pair {} has no line in --hyp, which ends after {lines}",
        at + 1
    );
    Failure::input("length-mismatch", message)
}
