//! Where automata come from: groups to merge or align, or AT&T text.

use super::gather::{Watch, gather};
use super::limits::Bounds;
use super::looks_like_att;
use crate::Common;
use crate::failure::{Failure, Result};
use crate::output::{ErrorLine, Output, message};
use clap::Args;
use pgen::core::{Limits, Lines, Place, Stop};
use pgen::fsa::{Fsa, Group, GroupOptions, GroupReader, Labels, Member, Version, read_att};
use std::cell::Cell;
use std::path::PathBuf;

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
    pub(crate) set: Vec<String>,
    /// Align in the manner of Barzilay and Lee (2003): words alone, to the lattice of all before.
    #[arg(long, conflicts_with = "version")]
    pub(crate) barzilay_lee: bool,
    /// Keep only sentences with this word, as clusters are narrowed; it is an error if none is left.
    #[arg(long, value_name = "WORD")]
    term: Option<String>,
    /// Put together the parts of a group that stand in several places, at its first.
    #[arg(long)]
    gather: bool,
    /// Use only members with these ids; it is an error if no group has any.
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    pub(crate) members: Vec<String>,
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
    pub(crate) no_keyword_check: bool,
    /// Leave automata as the trees make them.
    #[arg(long)]
    pub(crate) no_squeeze: bool,
    #[command(flatten)]
    pub(crate) bounds: Bounds,
    /// One JSON object for each group.
    #[arg(long)]
    pub(crate) json: bool,
    /// What is being done, for messages.
    #[arg(skip)]
    doing: Cell<&'static str>,
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

/// Some verbs build automata of parts of a group.
pub(crate) fn needs_sentences() -> Failure {
    let error = pgen::core::Error::MissingSyntax {
        needed: "the sentences of each group",
        hint: "give trees or CoNLL-U; AT&T text holds automata alone",
    };
    Failure::input(error.code(), error)
}

/// True if the next automaton can be read in spite of this error.
pub(crate) fn is_of_one(error: &pgen::fsa::Error) -> bool {
    let placed = matches!(error, pgen::fsa::Error::At { .. });
    placed
        || !matches!(
            error.code(),
            "io" | "encoding" | "line-too-long" | "limit-exceeded" | "corrupt"
        )
}

impl Source {
    pub(crate) fn limits(&self) -> Limits {
        self.bounds.limits()
    }

    pub(crate) fn stop(&self) -> Stop {
        self.bounds.stop()
    }

    /// Says what is done next, for the message when time is over.
    pub(crate) fn doing(&self, what: &'static str) {
        self.doing.set(what);
    }

    /// The input's name, for messages.
    pub(crate) fn name(&self) -> String {
        match &self.file {
            Some(file) if file.as_os_str() != "-" => Place::file(file).to_string(),
            _ => "standard input".to_owned(),
        }
    }

    /// The options that leave groups out.
    pub(crate) fn narrowed_by(&self) -> String {
        let options = [
            (self.term.is_some(), "--term"),
            (!self.members.is_empty(), "--members"),
            (self.min_sentences > 1, "--min-sentences"),
            (self.max_mean_length.is_some(), "--max-mean-length"),
        ];
        let given = options.iter().filter(|option| option.0);
        given.map(|option| option.1).collect::<Vec<_>>().join(", ")
    }

    /// Calls `answer` for each automaton. A group that cannot be read or answered is reported, and the run
    /// goes on; the number of those is returned.
    pub(crate) fn each(
        &self,
        common: &Common,
        out: &mut Output,
        mut answer: impl FnMut(Item, &mut Output) -> Result<()>,
    ) -> Result<u64> {
        let mut lines = crate::input::open(self.file.as_ref(), &self.limits())?;
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
            let next = lines.number() + 1;
            let place = lines.place().at_line(next);
            let read = read_att(&mut lines, &Labels::Words, &self.limits());
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
                    self.doing("reading it");
                    answer(item, out).map_err(|failure| (failure, Some(&place)))
                }
                // An error of the file itself, not of one automaton in it, would come again.
                Err(error) if !is_of_one(&error) => return Err(error.into()),
                Err(error) => {
                    number += 1;
                    Err((error.into(), None))
                }
            };
            match answered {
                Ok(()) => {}
                Err((Failure::Closed, _)) => return Err(Failure::Closed),
                Err((failure, place)) => {
                    bad += 1;
                    let name = number.to_string();
                    self.report(&name, place, failure, common, out)?;
                }
            }
        }
        if number == 0 && !common.quiet {
            message(&format!("pgen: there is no automaton in {}", self.name()));
        }
        out.flush()?;
        Ok(bad)
    }

    /// Reports a group that could not be answered; `place` where the failure itself has none.
    fn report(
        &self,
        name: &str,
        place: Option<&Place>,
        failure: Failure,
        common: &Common,
        out: &mut Output,
    ) -> Result<()> {
        let code = failure.code();
        let place = place.map_or_else(String::new, |place| format!(" ({place})"));
        let mut text = format!("group {name}{place}: {failure}");
        if code == "deadline-exceeded" {
            let (limit, doing) = (self.bounds.time_limit.unwrap_or(0), self.doing.get());
            let passed = format!("the time limit of {limit} ms passed while {doing}");
            text = text.replacen("the deadline passed", &passed, 1);
        }
        if self.json {
            out.json(&ErrorLine::new(code, &text))?;
        }
        if !common.quiet || !self.json {
            message(&format!("pgen: {text} [{code}]"));
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
        let mut lines = crate::input::open(self.file.as_ref(), &self.limits())?;
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
        let mut reader = GroupReader::new(lines, GroupOptions::default(), &self.limits());
        let mut gathered = self.gather.then(|| gather(&mut reader)).map(Vec::into_iter);
        let mut next_group = || match &mut gathered {
            Some(groups) => groups.next().transpose(),
            None => reader.next_group(),
        };
        let (mut bad, mut done) = (0, 0);
        let mut watch = Watch::default();
        while self.groups.is_none_or(|most| done < most) {
            let failure = match next_group() {
                Ok(None) => break,
                Ok(Some(mut group)) => {
                    watch.see(&group, self);
                    let others = self.narrow(&mut group);
                    if !self.wants(&group) {
                        continue;
                    }
                    watch.keep();
                    let (name, place) = (group.name.clone(), group.place.clone());
                    self.doing("building the automaton");
                    match answer(group, others, out) {
                        Ok(()) => None,
                        Err(Failure::Closed) => return Err(Failure::Closed),
                        Err(failure) => Some((name, Some(place), failure)),
                    }
                }
                Err(error) => {
                    let number = (done + 1).to_string();
                    watch.keep();
                    Some((number, None, Failure::from(error)))
                }
            };
            done += 1;
            if let Some((name, place, failure)) = failure {
                bad += 1;
                self.report(&name, place.as_ref(), failure, common, out)?;
            }
        }
        if !common.quiet {
            watch.remark(self);
        }
        watch.check(self)?;
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
        // A group that an option emptied is passed over; one that was empty is an error of its own.
        let narrowed = self.term.is_some() || !self.members.is_empty();
        let least = match self.min_sentences {
            0 | 1 => usize::from(narrowed),
            more => more,
        };
        let enough = group.members.len() >= least;
        enough && self.max_mean_length.is_none_or(|most| mean <= most)
    }
}
