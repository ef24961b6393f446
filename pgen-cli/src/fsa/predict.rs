//! `pgen fsa distance`, `edgain` and `table6`: automata as references.

use super::source::{Source, sentences};
use super::stats::MeanAndDeviation;
use crate::Common;
use crate::failure::{Failure, Result};
use crate::output::{Output, message};
use clap::Args;
use pgen::core::SplitMix64;
use pgen::fsa::{Edgain as Gain, Fsa, GroupOptions, GroupReader, GrowthStep, word_distance};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Distance of sentences from the automaton of references: a metric for translations and paraphrases.
#[derive(Debug, Args)]
pub(crate) struct Distance {
    #[command(flatten)]
    source: Source,
    /// Sentences to measure (trees or CoNLL-U), matched by the name of their group; the members left out
    /// by --members unless given.
    #[arg(long, value_name = "FILE")]
    hypotheses: Option<PathBuf>,
    /// References: groups whose automata are measured against; FILE then holds the sentences.
    #[arg(long, value_name = "FILE", conflicts_with = "hypotheses")]
    reference_group: Option<PathBuf>,
}

/// The sentences of a group that are to be measured, with their ids.
#[derive(Default)]
struct Tested {
    /// True once its references were met.
    is_met: bool,
    sentences: Vec<(String, Vec<String>)>,
}

#[derive(Serialize)]
struct DistanceLine<'a> {
    group: &'a str,
    id: &'a str,
    words: usize,
    fsa: usize,
    /// To the nearest reference; none for an automaton that came without its sentences.
    input: Option<usize>,
    nearest: String,
}

impl Distance {
    pub(crate) fn run(mut self, common: &Common) -> Result<u64> {
        if let Some(references) = self.reference_group.take() {
            self.hypotheses = self.source.file.replace(references);
        }
        let is_standard = |path: Option<&PathBuf>| path.is_none_or(|path| path.as_os_str() == "-");
        if is_standard(self.source.file.as_ref())
            && self
                .hypotheses
                .as_ref()
                .is_none_or(|path| is_standard(Some(path)))
        {
            let reason =
                "references and sentences cannot both come from standard input; name a file";
            return Err(Failure::usage(reason));
        }
        let same_file = self.hypotheses.is_none();
        let mut tested = self.tested()?;
        let (mut measured, mut matched) = (0u64, 0usize);
        let bad = self.source.each(common, &mut Output::new(), |item, out| {
            self.source.doing("measuring distances");
            let references = item.sentences();
            let used: Vec<&str> = item
                .group
                .iter()
                .flat_map(|group| &group.members)
                .map(|member| member.id.as_str())
                .collect();
            let Some(tested) = tested.get_mut(&item.name) else {
                return Ok(());
            };
            matched += usize::from(!std::mem::replace(&mut tested.is_met, true));
            for (id, words) in &tested.sentences {
                if same_file && used.contains(&id.as_str()) {
                    continue;
                }
                let limits = self.source.limits();
                let Some(distance) = item.fsa.distance(words, &limits, &item.stop)? else {
                    continue;
                };
                let input = references
                    .iter()
                    .map(|reference| word_distance(reference, words))
                    .min();
                let line = DistanceLine {
                    group: &item.name,
                    id,
                    words: words.len(),
                    fsa: distance.edits,
                    input,
                    nearest: item.fsa.join_words(&distance.nearest),
                };
                measured += 1;
                line.write(self.source.json, out)?;
            }
            Ok(())
        })?;
        let unmatched = tested.len() - matched;
        if unmatched > 0 && !common.quiet {
            message(&format!(
                "pgen: {unmatched} of {} groups of sentences have no group of references of their name",
                tested.len()
            ));
        }
        if measured == 0 && bad == 0 && !tested.is_empty() {
            let reason =
                "no sentence was measured: none is in a group of references without being one";
            return Err(Failure::input("nothing-left", reason));
        }
        Ok(bad)
    }

    /// The sentences to measure, by group; none was met yet.
    fn tested(&self) -> Result<BTreeMap<String, Tested>> {
        let limits = self.source.limits();
        let path = self.hypotheses.as_ref().or(self.source.file.as_ref());
        let mut lines = crate::input::open(path, &limits)?;
        if super::looks_like_att(&mut lines) {
            return Err(super::source::needs_sentences());
        }
        let mut reader = GroupReader::new(lines, GroupOptions::default(), &limits);
        let mut tested: BTreeMap<String, Tested> = BTreeMap::new();
        while let Some(group) = reader.next_group()? {
            let members = group
                .members
                .iter()
                .map(|member| (member.id.clone(), member.normal_words()));
            let known = tested.entry(group.name.clone()).or_default();
            known.sentences.extend(members);
        }
        Ok(tested)
    }
}

impl DistanceLine<'_> {
    fn write(&self, json: bool, out: &mut Output) -> Result<()> {
        if json {
            return out.json(self);
        }
        let DistanceLine {
            group,
            id,
            words,
            fsa,
            input,
            nearest,
        } = self;
        let input = input.map_or_else(|| "-".to_owned(), |input| input.to_string());
        out.line(&format!(
            "{group}\t{id}\t{words}\t{fsa}\t{input}\t{nearest}"
        ))
    }
}

/// Leave each sentence out once: how much nearer is the automaton of the others than they are?
#[derive(Debug, Args)]
pub(crate) struct Edgain {
    #[command(flatten)]
    source: Source,
}

#[derive(Serialize)]
struct EdgainLine<'a> {
    group: &'a str,
    edgain: f64,
}

impl Edgain {
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let mut gains = Vec::new();
        let mut out = Output::new();
        let bad = self.source.each_group(common, &mut out, |group, _, out| {
            let stop = self.source.stop();
            self.source
                .doing("building automata and measuring distances");
            let build = |members: &[usize]| self.source.build(&group, members, &stop);
            let (sentences, limits) = (sentences(&group), self.source.limits());
            let gain = Gain::leave_one_out(&sentences, &limits, &stop, build)?;
            let Some(edgain) = gain.mean() else {
                return Ok(());
            };
            gains.push(edgain);
            if self.source.json {
                return out.json(&EdgainLine {
                    group: &group.name,
                    edgain,
                });
            }
            out.line(&format!("{}\t{edgain}", group.name))
        })?;
        if !self.source.json {
            self.print(&gains, &mut out)?;
        }
        out.flush()?;
        Ok(bad)
    }

    fn print(&self, gains: &[f64], out: &mut Output) -> Result<()> {
        let Some(MeanAndDeviation {
            count,
            mean,
            deviation,
        }) = MeanAndDeviation::new(gains)
        else {
            return Ok(());
        };
        out.line(&format!(
            "mean\t{mean:.4}\tstd. dev.\t{deviation:.4}\tgroups\t{count}"
        ))?;
        let most = gains.iter().copied().fold(0.0, f64::max) as usize;
        (0..=most).try_for_each(|low| {
            let inside = gains.iter().filter(|&&gain| gain as usize == low).count();
            out.line(&format!("[{low}, {})\t{inside}", low + 1))
        })
    }
}

/// Automata of 1, 2 … sentences of each group, in random order, against its last (table 6).
#[derive(Debug, Args)]
pub(crate) struct Table6 {
    #[command(flatten)]
    source: Source,
}

#[derive(Serialize)]
struct CurveLine<'a> {
    group: &'a str,
    steps: &'a [GrowthStep],
}

impl Table6 {
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let mut curves: Vec<Vec<GrowthStep>> = Vec::new();
        let mut out = Output::new();
        let bad = self.source.each_group(common, &mut out, |group, _, out| {
            let stop = self.source.stop();
            self.source
                .doing("building automata and measuring distances");
            let build = |members: &[usize]| -> pgen::fsa::Result<Fsa> {
                self.source.build(&group, members, &stop)
            };
            let seed = SplitMix64::stream(common.seed, curves.len() as u64).next_u64();
            let (sentences, limits) = (sentences(&group), self.source.limits());
            let steps = GrowthStep::curve(&sentences, Some(seed), &limits, &stop, build)?;
            if self.source.json {
                out.json(&CurveLine {
                    group: &group.name,
                    steps: &steps,
                })?;
            }
            curves.push(steps);
            Ok(())
        })?;
        if !self.source.json {
            out.line("n\ted(FSA_n)-ed(FSA_last)\tstd. dev.\ted(input_n)-ed(FSA_n)\tstd. dev.")?;
            let longest = curves.iter().map(Vec::len).max().unwrap_or(0);
            for at in 0..longest {
                let steps = || {
                    curves
                        .iter()
                        .filter_map(|curve| Some((curve.get(at)?, curve.last()?)))
                };
                let less = |a: usize, b: usize| a as f64 - b as f64;
                let left: Vec<f64> = steps()
                    .map(|(step, last)| less(step.fsa, last.fsa))
                    .collect();
                let right: Vec<f64> = steps()
                    .map(|(step, _)| less(step.input, step.fsa))
                    .collect();
                if let (Some(a), Some(b)) =
                    (MeanAndDeviation::new(&left), MeanAndDeviation::new(&right))
                {
                    let (x, y, z, w) = (a.mean, a.deviation, b.mean, b.deviation);
                    out.line(&format!("{}\t{x:.2}\t{y:.2}\t{z:.2}\t{w:.2}", at + 1))?;
                }
            }
        }
        out.flush()?;
        Ok(bad)
    }
}
