//! Where automata come from: groups to merge or align, or AT&T text.

use super::looks_like_att;
use crate::Common;
use crate::failure::{Failure, Result};
use crate::output::{ErrorLine, Output, message};
use clap::Args;
use pgen::core::{Limits, Lines, Stop};
use pgen::fsa::{
    Aligned, Forest, Fsa, Group, GroupOptions, GroupReader, Labels, Member, MergeParams, MsaParams,
    Version, align, read_att,
};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Input and how it becomes automata.
#[derive(Debug, Clone, Args)]
pub(crate) struct Source {
    /// Trees, CoNLL-U or AT&T text; standard input for none or `-`.
    pub(crate) file: Option<PathBuf>,
    /// Align with this version (v1 … v5) instead of merging parse trees.
    #[arg(long, value_name = "VERSION")]
    pub(crate) version: Option<Version>,
    /// Settings of the alignment, as `decay=0.4`, `position=1/3`, `boundary=gap` or `lattice=true`.
    #[arg(long, value_name = "NAME=VALUE", value_delimiter = ',')]
    set: Vec<String>,
    /// Align in the manner of Barzilay and Lee (2003): words alone, to the lattice of all before.
    #[arg(long, conflicts_with = "version")]
    barzilay_lee: bool,
    /// Keep only sentences with this word, as clusters are narrowed.
    #[arg(long, value_name = "WORD")]
    term: Option<String>,
    /// Put together the parts of a group that stand in several places, at its first.
    #[arg(long)]
    gather: bool,
    /// Use only members with these ids.
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    members: Vec<String>,
    /// Stop after so many groups.
    #[arg(long, value_name = "N")]
    groups: Option<usize>,
    /// Leave out groups of fewer sentences.
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_sentences: usize,
    /// Leave out groups whose sentences have more words on average.
    #[arg(long, value_name = "N")]
    max_mean_length: Option<f64>,
    /// Merge constituents whose keywords cross, too.
    #[arg(long)]
    no_keyword_check: bool,
    /// Leave automata as the trees make them.
    #[arg(long)]
    no_squeeze: bool,
    /// Give up on a group after this time.
    #[arg(long, value_name = "MS")]
    time_limit: Option<u64>,
    /// One JSON object for each group.
    #[arg(long)]
    pub(crate) json: bool,
}

/// A group with its automaton.
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) group: Option<Group>,
    /// Sentences of the group that `--members` left out.
    pub(crate) others: Vec<Member>,
    pub(crate) fsa: Fsa,
    pub(crate) stop: Stop,
}

impl Item {
    /// The normalised sentences; none for an automaton without a group.
    pub(crate) fn sentences(&self) -> Vec<Vec<String>> {
        self.group.as_ref().map_or_else(Vec::new, sentences)
    }
}

/// The normalised sentences of a group.
pub(crate) fn sentences(group: &Group) -> Vec<Vec<String>> {
    group
        .members
        .iter()
        .map(pgen::fsa::Member::normal_words)
        .collect()
}

/// All groups, those of one name put together; what cannot be read stays in its place.
fn gather(reader: &mut GroupReader) -> Vec<pgen::fsa::Result<Group>> {
    let mut all: Vec<pgen::fsa::Result<Group>> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    while let Some(read) = reader.next_group().transpose() {
        let Ok(mut group) = read else {
            let again = all
                .last()
                .is_some_and(|last| last.as_ref().is_err_and(|e| !is_of_one(e)));
            all.push(read);
            if again {
                break;
            }
            continue;
        };
        let place = *places.entry(group.name.clone()).or_insert(all.len());
        match all.get_mut(place) {
            Some(Ok(known)) => {
                known.members.append(&mut group.members);
                known.empty += group.empty;
            }
            _ => all.push(Ok(group)),
        }
    }
    all
}

/// Some verbs build automata of parts of a group.
pub(crate) fn needs_sentences() -> Failure {
    let error = pgen::core::Error::MissingSyntax {
        needed: "the sentences of each group",
        hint: "give trees or CoNLL-U; AT&T text holds automata alone",
    };
    Failure::input(error.code(), error)
}

/// True if the next automaton can be read in spite of this error.
fn is_of_one(error: &pgen::fsa::Error) -> bool {
    !matches!(
        error.code(),
        "io" | "encoding" | "line-too-long" | "limit-exceeded" | "corrupt"
    )
}

impl Source {
    pub(crate) fn limits() -> Limits {
        Limits::default()
    }

    pub(crate) fn stop(&self) -> Stop {
        self.time_limit
            .map_or_else(Stop::never, |ms| Stop::after(Duration::from_millis(ms)))
    }

    /// Calls `answer` for each automaton. A group that cannot be read or answered is reported, and the run
    /// goes on; the number of those is returned.
    pub(crate) fn each(
        &self,
        common: &Common,
        out: &mut Output,
        mut answer: impl FnMut(Item, &mut Output) -> Result<()>,
    ) -> Result<u64> {
        let mut lines = crate::input::open(self.file.as_ref(), &Self::limits())?;
        if !looks_like_att(&mut lines) {
            return self.groups_of(lines, common, out, |group, others, out| {
                let stop = self.stop();
                let indices: Vec<usize> = (0..group.members.len()).collect();
                let fsa = self.build(&group, &indices, &stop)?;
                answer(
                    Item {
                        name: group.name.clone(),
                        group: Some(group),
                        others,
                        fsa,
                        stop,
                    },
                    out,
                )
            });
        }
        self.each_att(lines, common, out, answer)
    }

    fn each_att(
        &self,
        mut lines: Lines,
        common: &Common,
        out: &mut Output,
        mut answer: impl FnMut(Item, &mut Output) -> Result<()>,
    ) -> Result<u64> {
        let (mut bad, mut number) = (0, 0);
        while self.groups.is_none_or(|most| number < most) {
            let read = read_att(&mut lines, &Labels::Words, &Self::limits());
            let answered = match read {
                Ok(None) => break,
                Ok(Some(fsa)) => {
                    number += 1;
                    let item = Item {
                        name: number.to_string(),
                        group: None,
                        others: Vec::new(),
                        fsa,
                        stop: self.stop(),
                    };
                    answer(item, out)
                }
                // An error of the file itself, not of one automaton in it, would come again.
                Err(error) if !is_of_one(&error) => return Err(error.into()),
                Err(error) => {
                    number += 1;
                    Err(error.into())
                }
            };
            match answered {
                Ok(()) => {}
                Err(Failure::Closed) => return Err(Failure::Closed),
                Err(failure) => {
                    bad += 1;
                    self.report(number, &failure, common, out)?;
                }
            }
        }
        out.flush()?;
        Ok(bad)
    }

    fn report(
        &self,
        number: usize,
        failure: &Failure,
        common: &Common,
        out: &mut Output,
    ) -> Result<()> {
        if self.json {
            out.json(&ErrorLine::new(failure.code(), &failure.to_string()))?;
        }
        if !common.quiet || !self.json {
            let code = failure.code();
            message(&format!("pgen: group {number}: {failure} [{code}]"));
        }
        Ok(())
    }

    /// As [`Source::each`], for groups before any automaton is made.
    pub(crate) fn each_group(
        &self,
        common: &Common,
        out: &mut Output,
        answer: impl FnMut(Group, Vec<Member>, &mut Output) -> Result<()>,
    ) -> Result<u64> {
        let mut lines = crate::input::open(self.file.as_ref(), &Self::limits())?;
        if looks_like_att(&mut lines) {
            return Err(needs_sentences());
        }
        self.groups_of(lines, common, out, answer)
    }

    fn groups_of(
        &self,
        lines: Lines,
        common: &Common,
        out: &mut Output,
        mut answer: impl FnMut(Group, Vec<Member>, &mut Output) -> Result<()>,
    ) -> Result<u64> {
        // Settings are the command line's fault, not that of each group.
        self.alignment()?.map_or(Ok(()), |params| params.check())?;
        let mut reader = GroupReader::new(lines, GroupOptions::default(), &Self::limits());
        let mut gathered = self.gather.then(|| gather(&mut reader)).map(Vec::into_iter);
        let mut next_group = || match &mut gathered {
            Some(groups) => groups.next().transpose(),
            None => reader.next_group(),
        };
        let (mut bad, mut done) = (0, 0);
        while self.groups.is_none_or(|most| done < most) {
            let failure = match next_group() {
                Ok(None) => break,
                Ok(Some(mut group)) => {
                    let others = self.narrow(&mut group);
                    if !self.wants(&group) {
                        continue;
                    }
                    match answer(group, others, out) {
                        Ok(()) => None,
                        Err(Failure::Closed) => return Err(Failure::Closed),
                        Err(failure) => Some(failure),
                    }
                }
                Err(error) => Some(Failure::from(error)),
            };
            done += 1;
            if let Some(failure) = failure {
                bad += 1;
                self.report(done, &failure, common, out)?;
            }
        }
        out.flush()?;
        Ok(bad)
    }

    /// Keeps the sentences asked for; returns those that `--members` leaves out.
    fn narrow(&self, group: &mut Group) -> Vec<Member> {
        if let Some(term) = &self.term {
            let term = term.to_lowercase();
            group
                .members
                .retain(|member| member.normal_words().contains(&term));
        }
        if !self.members.is_empty() {
            let members = std::mem::take(&mut group.members).into_iter();
            let (kept, others) = members.partition(|member| self.members.contains(&member.id));
            group.members = kept;
            return others;
        }
        Vec::new()
    }

    fn wants(&self, group: &Group) -> bool {
        let words: usize = group
            .members
            .iter()
            .map(|member| member.tree.leaf_count())
            .sum();
        let mean = words as f64 / group.members.len().max(1) as f64;
        // A group that --term emptied is passed over; one that was empty is an error of its own.
        let narrowed = self.term.is_some() || !self.members.is_empty();
        let enough = group.members.len() >= self.min_sentences.max(usize::from(narrowed));
        enough && self.max_mean_length.is_none_or(|most| mean <= most)
    }

    /// Aligns with V4 unless told otherwise.
    pub(crate) fn align_by_default(&mut self) {
        if !self.barzilay_lee {
            self.version.get_or_insert(Version::V4);
        }
    }

    /// Settings of an alignment; none if trees are merged.
    fn alignment(&self) -> pgen::core::Result<Option<MsaParams>> {
        let mut params = match self.version {
            Some(version) => MsaParams::new(version),
            None if self.barzilay_lee => MsaParams::barzilay_lee(),
            None if self.set.is_empty() => return Ok(None),
            None => MsaParams::default(),
        };
        for setting in &self.set {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            params.set(name, value)?;
        }
        Ok(Some(params))
    }

    /// The automaton of some of a group's members.
    pub(crate) fn build(
        &self,
        group: &Group,
        members: &[usize],
        stop: &Stop,
    ) -> pgen::fsa::Result<Fsa> {
        if members.is_empty() {
            return Err(pgen::fsa::Error::EmptyGroup {
                group: group.name.as_str().into(),
            });
        }
        let limits = Self::limits();
        let chosen = members.iter().filter_map(|&at| group.members.get(at));
        let Some(msa) = self.alignment()? else {
            let mut params = MergeParams::default();
            params.keyword_check = !self.no_keyword_check;
            params.squeeze = !self.no_squeeze;
            let mut forest = Forest::new(params, &limits);
            chosen
                .into_iter()
                .try_for_each(|member| forest.merge(&member.tree))?;
            return Ok(forest.to_fsa(stop)?.0);
        };
        let cluster: Vec<Aligned> = chosen
            .map(|member| {
                let tags = member
                    .tree
                    .leaves()
                    .map(|leaf| leaf.label().to_owned())
                    .collect();
                let chunks = msa
                    .version
                    .is_syntactic()
                    .then(|| member.chunks(&limits))
                    .transpose()?;
                Ok(Aligned {
                    words: member.normal_words(),
                    syntax: chunks.map(|chunks| (tags, chunks)),
                })
            })
            .collect::<pgen::fsa::Result<_>>()?;
        Ok(align(&cluster, &msa, &limits, stop)?.fsa)
    }
}
