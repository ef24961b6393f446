//! `pgen fsa merge` and `pgen fsa msa`: groups into automata.

use super::source::{Item, Source};
use crate::Common;
use crate::failure::Result;
use crate::output::Output;
use clap::Args;
use pgen::core::{Count, write_atomically};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Merge the parse trees of each group into an automaton (Pang et al. 2003).
#[derive(Debug, Args)]
pub(crate) struct Merge {
    #[command(flatten)]
    source: Source,
    /// Write the automata as AT&T text to PREFIX.GROUP.att; a second group of a name gets GROUP-2.
    #[arg(long, value_name = "PREFIX")]
    att: Option<PathBuf>,
}

/// Align each group into an automaton (Shen et al. 2006); v4 unless --version says otherwise.
#[derive(Debug, Args)]
pub(crate) struct Msa {
    #[command(flatten)]
    source: Source,
    /// Write the automata as AT&T text to PREFIX.GROUP.att; a second group of a name gets GROUP-2.
    #[arg(long, value_name = "PREFIX")]
    att: Option<PathBuf>,
}

#[derive(Serialize)]
struct Line<'a> {
    group: &'a str,
    sentences: usize,
    states: usize,
    arcs: usize,
    paths: &'a Count,
    strings: Option<&'a Count>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<usize>,
}

impl Merge {
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        describe(&self.source, self.att.as_deref(), common)
    }
}

impl Msa {
    pub(crate) fn run(mut self, common: &Common) -> Result<u64> {
        self.source.align_by_default();
        describe(&self.source, self.att.as_deref(), common)
    }
}

fn describe(source: &Source, att: Option<&Path>, common: &Common) -> Result<u64> {
    let mut written = BTreeSet::new();
    source.each(common, &mut Output::new(), |item, out| {
        if let Some(prefix) = att {
            write_att(&item, prefix, &mut written)?;
        }
        let limits = source.limits();
        source.doing("counting paths and strings");
        let statistics = item.fsa.statistics(&limits, &item.stop)?;
        let sentences = item.group.as_ref().map_or(0, |group| group.members.len());
        if !source.json {
            let strings = statistics.strings.map_or("more than the limit".to_owned(), |n| n.to_string());
            let (states, arcs) = (statistics.states, statistics.arcs);
            return out.line(&format!(
                "{}\t{sentences} sentences\t{states} states\t{arcs} arcs\t{} paths\t{strings} strings",
                item.name, statistics.paths
            ));
        }
        out.json(&Line {
            group: &item.name,
            sentences,
            states: statistics.states,
            arcs: statistics.arcs,
            paths: &statistics.paths,
            strings: statistics.strings.as_ref(),
            budget: statistics.strings.is_none().then_some(limits.nodes),
        })
    })
}

/// Writes an automaton to a file that none before it was `written` to.
fn write_att(item: &Item, prefix: &Path, written: &mut BTreeSet<String>) -> Result<()> {
    // A group's name is text of the input: only plain characters go into a file name.
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "-_.".contains(c) {
            c
        } else {
            '_'
        }
    };
    let name: String = item.name.chars().map(plain).collect();
    let mut file = name.clone();
    let mut same = 1;
    while !written.insert(file.clone()) {
        same += 1;
        file = format!("{name}-{same}");
    }
    let path = PathBuf::from(format!("{}.{file}.att", prefix.display()));
    Ok(write_atomically(&path, |out| {
        item.fsa.write_att(out, false)
    })?)
}
