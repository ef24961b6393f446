//! `pgen fsa stats`: paths, repetition, entropy (tables 3 and 4, §4.2.2).

use super::BUCKETS;
use super::Model;
use super::source::{Item, Source};
use crate::Common;
use crate::failure::Result;
use crate::output::Output;
use clap::Args;
use pgen::core::{Count, Limits, SplitMix64, WordId};
use pgen::fsa::{Entropy, PathSummary, Repetition, RepetitionSummary};
use serde::Serialize;
use std::path::PathBuf;

/// Measure automata: paths by sentence length, repeated words, entropy under a language model.
#[derive(Debug, Args)]
pub(crate) struct Stats {
    #[command(flatten)]
    source: Source,
    /// An ARPA language model for entropies: of the automaton, of the sentences that --members left out
    /// (the paper's machine translations) and of shuffled words, less that of the sentences.
    #[arg(long, value_name = "FILE")]
    lm: Option<PathBuf>,
}

#[derive(Serialize)]
struct Line<'a> {
    group: &'a str,
    sentences: usize,
    mean_length: f64,
    states: usize,
    arcs: usize,
    paths: &'a Count,
    repetition: RepetitionSummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    entropy: Option<Entropies>,
}

#[derive(Serialize, Clone, Copy)]
struct Entropies {
    /// Mean bits per word over all paths.
    fsa: f64,
    /// The same over the sentences.
    sentences: f64,
    /// The same over the group's sentences that --members left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    others: Option<f64>,
    /// The same over the sentences with their words in random order.
    shuffled: f64,
}

#[derive(Serialize)]
struct Last {
    summary: Vec<Bucket>,
    repetition: RepetitionSummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    entropy_difference: Option<MeanAndDeviation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    others_difference: Option<MeanAndDeviation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shuffled_difference: Option<MeanAndDeviation>,
}

#[derive(Serialize)]
struct Bucket {
    length: &'static str,
    paths: PathSummary,
}

/// Mean and standard deviation.
#[derive(Serialize, Clone, Copy, Debug)]
pub(crate) struct MeanAndDeviation {
    pub(crate) count: usize,
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
}

impl MeanAndDeviation {
    /// Of a sample; the deviation divides by n − 1.
    pub(crate) fn new(values: &[f64]) -> Option<Self> {
        let count = values.len();
        let mean = (count > 0).then(|| values.iter().sum::<f64>() / count as f64)?;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = if count > 1 {
            (squares / (count - 1) as f64).sqrt()
        } else {
            0.0
        };
        Some(MeanAndDeviation {
            count,
            mean,
            deviation,
        })
    }
}

#[derive(Default)]
struct Totals {
    paths: Vec<(f64, Count)>,
    repetitions: Vec<Repetition>,
    entropies: Vec<Entropies>,
}

impl Stats {
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let model = self.lm.as_deref().map(Model::open).transpose()?;
        let mut totals = Totals::default();
        let mut out = Output::new();
        let bad = self.source.each(common, &mut out, |item, out| {
            let sentences = item.sentences();
            let words: usize = sentences.iter().map(Vec::len).sum();
            let mean_length = words as f64 / sentences.len().max(1) as f64;
            self.source.doing("counting paths that repeat words");
            let repetition = item.fsa.repetition(&sentences, &item.stop)?;
            let entropy = match &model {
                Some(model) => {
                    let mut rng = SplitMix64::stream(common.seed, totals.paths.len() as u64);
                    self.source.doing("computing the entropy");
                    entropies(model, &item, &sentences, &mut rng, &self.source.limits())?
                }
                None => None,
            };
            self.source.doing("counting paths");
            let paths = item.fsa.count_paths(&item.stop)?;
            let line = Line {
                group: &item.name,
                sentences: sentences.len(),
                mean_length,
                states: item.fsa.state_count(),
                arcs: item.fsa.transitions().len(),
                paths: &paths,
                repetition: RepetitionSummary::new([&repetition]),
                entropy,
            };
            if self.source.json {
                out.json(&line)?;
            }
            totals.entropies.extend(entropy);
            totals.repetitions.push(repetition);
            totals.paths.push((mean_length, paths));
            Ok(())
        })?;
        let last = totals.summary();
        if self.source.json {
            out.json(&last)?;
        } else {
            print(&last, &mut out)?;
        }
        out.flush()?;
        Ok(bad)
    }
}

/// Entropies of an automaton, its sentences, the others, and the sentences shuffled.
fn entropies(
    model: &Model,
    item: &Item,
    sentences: &[Vec<String>],
    rng: &mut SplitMix64,
    limits: &Limits,
) -> Result<Option<Entropies>> {
    let words = model.words_of(item.fsa.symbols());
    let of_fsa = item.fsa.entropy(&model.model, &words, limits, &item.stop)?;
    let mean = |sentences: &[Vec<WordId>]| {
        Entropy::of_sentences(&model.model, sentences).map(|entropy| entropy.mean)
    };
    let mut sentences: Vec<_> = sentences.iter().map(|words| model.words(words)).collect();
    let others = item
        .others
        .iter()
        .map(|other| model.words(&other.normal_words()));
    let others = mean(&others.collect::<Vec<_>>());
    let of_sentences = mean(&sentences);
    sentences.iter_mut().for_each(|words| rng.shuffle(words));
    let made = of_fsa.zip(of_sentences).zip(mean(&sentences));
    Ok(made.map(|((fsa, sentences), shuffled)| Entropies {
        fsa: fsa.mean,
        sentences,
        others,
        shuffled,
    }))
}

impl Totals {
    /// Mean of an entropy less that of the sentences.
    fn difference(&self, of: impl Fn(&Entropies) -> Option<f64>) -> Option<MeanAndDeviation> {
        let entropies = self.entropies.iter();
        let less = entropies.filter_map(|entropy| Some(of(entropy)? - entropy.sentences));
        MeanAndDeviation::new(&less.collect::<Vec<_>>())
    }

    fn summary(&self) -> Last {
        let mut low = 0.0;
        let mut summary = Vec::new();
        for (length, high) in BUCKETS {
            let inside = self
                .paths
                .iter()
                .filter(|group| group.0 > low && group.0 <= high);
            let paths = PathSummary::new(inside.map(|group| &group.1));
            low = high;
            if paths.groups > 0 {
                summary.push(Bucket { length, paths });
            }
        }
        summary.push(Bucket {
            length: "all",
            paths: PathSummary::new(self.paths.iter().map(|group| &group.1)),
        });
        Last {
            summary,
            repetition: RepetitionSummary::new(&self.repetitions),
            entropy_difference: self.difference(|entropy| Some(entropy.fsa)),
            others_difference: self.difference(|entropy| entropy.others),
            shuffled_difference: self.difference(|entropy| Some(entropy.shuffled)),
        }
    }
}

fn print(last: &Last, out: &mut Output) -> Result<()> {
    out.line("length\tgroups\tmax paths\tmean paths\tmax ln\tmean ln")?;
    for Bucket { length, paths } in &last.summary {
        let PathSummary {
            groups,
            max,
            mean,
            max_ln,
            mean_ln,
            ..
        } = paths;
        out.line(&format!(
            "{length}\t{groups}\t{max}\t{mean:.0}\t{max_ln:.1}\t{mean_ln:.1}"
        ))?;
    }
    let RepetitionSummary {
        words,
        mean,
        nonzero,
        mean_nonzero,
        ..
    } = last.repetition;
    out.line(&format!(
        "repetition ratio\t{mean:.6} over {words} words; {:.2} % above 0, those {mean_nonzero:.6}",
        nonzero * 100.0
    ))?;
    let differences = [
        ("FSA", last.entropy_difference),
        ("others", last.others_difference),
        ("shuffled", last.shuffled_difference),
    ];
    for (of, difference) in differences {
        if let Some(difference) = difference {
            let (mean, deviation) = (difference.mean, difference.deviation);
            out.line(&format!(
                "ent({of}) - ent(SG)\t{mean:.5} (std. dev. {deviation:.5})"
            ))?;
        }
    }
    Ok(())
}
