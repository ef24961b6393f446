//! `pgen fsa pairs` and `pgen fsa sample`: what automata teach.

use super::Model;
use super::overlap::Other;
use super::source::Source;
use super::wordnet::Judge;
use crate::Common;
use crate::failure::Result;
use crate::output::Output;
use clap::{Args, ValueEnum};
use pgen::core::SplitMix64;
use pgen::fsa::{PairParams, PairTable, Sampling};
use serde::Serialize;
use std::path::PathBuf;

/// Extract paraphrase pairs: phrases on parallel paths, with the number of groups that support them.
#[derive(Debug, Args)]
pub(crate) struct Pairs {
    #[command(flatten)]
    source: Source,
    /// Longest phrase in words.
    #[arg(long, value_name = "N", default_value_t = 6)]
    max_words: usize,
    /// Only pairs of this many groups or more.
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_support: u32,
    /// Only pairs of single words.
    #[arg(long)]
    lexical: bool,
    /// Tell what a thesaurus says of the lexical pairs (table 2): its sets of synonyms.
    #[arg(long, value_name = "FILE")]
    thesaurus: Option<PathBuf>,
    /// Its irregular forms.
    #[arg(long, value_name = "FILE", requires = "thesaurus")]
    exceptions: Option<PathBuf>,
    /// Tell how many pairs another extractor found too: lines `first ||| second ||| support`.
    #[arg(long, value_name = "FILE")]
    overlap: Option<PathBuf>,
    /// Write both directions as a phrase table, `source ||| target ||| probability`.
    #[arg(long)]
    table: bool,
}

#[derive(Serialize)]
struct PairLine<'a> {
    first: &'a str,
    second: &'a str,
    support: u32,
}

impl Pairs {
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let mut table = PairTable::new();
        let mut out = Output::new();
        let mut params = PairParams::default();
        params.words = self.max_words;
        let judge = self
            .thesaurus
            .as_ref()
            .map(|file| Judge::open(file, self.exceptions.as_ref(), &self.source.limits()));
        let mut judge = judge.transpose()?;
        let other = self.overlap.as_ref();
        let other = other.map(|file| Other::open(file, &self.source.limits()));
        let other = other.transpose()?;
        let bad = self.source.each(common, &mut out, |item, _| {
            self.source.doing("looking for pairs");
            let limits = self.source.limits();
            let pairs = item.fsa.pairs(&params, &limits, &item.stop)?;
            if let (Some(judge), Some(group)) = (&mut judge, &item.group) {
                judge.count(group, &pairs);
            }
            table.add(pairs);
            Ok(())
        })?;
        let lexical = table.sorted().into_iter().map(|(a, b, _)| (a, b));
        let lexical = lexical.filter(|(a, b)| single(a) && single(b));
        for line in judge.iter().flat_map(|judge| judge.report(lexical.clone())) {
            crate::output::message(&line);
        }
        for line in other
            .iter()
            .flat_map(|other| other.report(&table, self.min_support))
        {
            crate::output::message(&line);
        }
        self.write(&table, &mut out)?;
        out.flush()?;
        if !common.quiet {
            crate::output::message(&format!(
                "{} pairs from {} groups ({} cut short)",
                table.len(),
                table.groups(),
                table.truncated()
            ));
        }
        Ok(bad)
    }

    fn write(&self, table: &PairTable, out: &mut Output) -> Result<()> {
        if self.table {
            for (source, target, probability) in table.rules() {
                out.line(&format!("{source} ||| {target} ||| {probability}"))?;
            }
        } else {
            for (first, second, support) in table.sorted() {
                if support < self.min_support
                    || (self.lexical && !(single(first) && single(second)))
                {
                    continue;
                }
                if self.source.json {
                    out.json(&PairLine {
                        first,
                        second,
                        support,
                    })?;
                } else {
                    out.line(&format!("{support}\t{first}\t{second}"))?;
                }
            }
        }
        Ok(())
    }
}

fn single(text: &str) -> bool {
    !text.contains(' ')
}

/// How strings are drawn.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum How {
    Walk,
    Path,
    String,
}

/// Draw sentences that the group does not hold.
#[derive(Debug, Args)]
pub(crate) struct Sample {
    #[command(flatten)]
    source: Source,
    /// A random walk, each path alike, or each string alike.
    #[arg(long, value_enum, default_value_t = How::Walk)]
    how: How,
    /// Strings drawn from each automaton, at most a million.
    #[arg(long, value_name = "N", default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    draws: u32,
    /// Novel sentences kept of them.
    #[arg(short, value_name = "N", default_value_t = 10)]
    n: usize,
    /// An ARPA language model to score them with.
    #[arg(long, value_name = "FILE")]
    lm: Option<PathBuf>,
}

#[derive(Serialize)]
struct SampleLine<'a> {
    group: &'a str,
    novel: Vec<Novel>,
}

#[derive(Serialize)]
struct Novel {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    bits_per_word: Option<f64>,
}

impl Sample {
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let model = self.lm.as_deref().map(Model::open).transpose()?;
        let how = match self.how {
            How::Walk => Sampling::Walk,
            How::Path => Sampling::UniformPath,
            How::String => Sampling::UniformString,
        };
        let mut number = 0;
        self.source.each(common, &mut Output::new(), |item, out| {
            let mut rng = SplitMix64::stream(common.seed, number);
            number += 1;
            self.source.doing("making the sampler");
            let limits = self.source.limits();
            let sampler = item.fsa.sampler(how, &limits, &item.stop)?;
            self.source.doing("drawing strings");
            let (known, draws) = (item.sentences(), self.draws as usize);
            let novel = sampler.novel(&known, draws, self.n, &mut rng, &item.stop)?;
            let novel = novel.into_iter();
            let novel = novel.map(|labels| {
                let words: Vec<String> = labels
                    .iter()
                    .map(|&label| item.fsa.text(label).to_owned())
                    .collect();
                let bits_per_word = model.as_ref().map(|model| model.bits_per_word(&words));
                Novel {
                    text: words.join(" "),
                    bits_per_word,
                }
            });
            let novel: Vec<Novel> = novel.collect();
            if self.source.json {
                return out.json(&SampleLine {
                    group: &item.name,
                    novel,
                });
            }
            novel.iter().try_for_each(|novel| {
                let bits = novel
                    .bits_per_word
                    .map_or_else(String::new, |bits| format!("{bits:.3}\t"));
                out.line(&format!("{}\t{bits}{}", item.name, novel.text))
            })
        })
    }
}
