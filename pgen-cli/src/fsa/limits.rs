//! Bounds on size and time, and which option raises each.

use crate::failure::{Failure, Result};
use clap::Args;
use pgen::core::{Error as CoreError, Limits, Place, Stop};
use std::time::Duration;

/// Bounds on what a group may cost.
#[derive(Debug, Clone, Args)]
pub(crate) struct Bounds {
    /// Give up on a group after this time.
    #[arg(long, value_name = "MS")]
    pub(crate) time_limit: Option<u64>,
    /// Raise or lower limits: `nodes` (states; also of a deterministic automaton, and places of a picture;
    /// 2,000,000), `edges` (arcs; 10,000,000), `states` (what a search keeps; 20,000,000), `pops` (steps, and
    /// cells of a table of distances; 50,000,000), `n_best` (strings under a model; 1,000,000), `tokens` (of
    /// a sentence; 4,096), `token_bytes`, `line_bytes` (1,048,576), `depth` (of a tree), `file_bytes`.
    #[arg(long, value_name = "NAME=N", value_delimiter = ',', value_parser = named)]
    limit: Vec<(String, u64)>,
}

/// A limit with its name.
fn named(text: &str) -> std::result::Result<(String, u64), String> {
    let (name, value) = text.split_once('=').ok_or("no `=`")?;
    let value = value.parse().map_err(|_| "no whole number")?;
    let known = Limits::default().set(name, value);
    known.map_err(|error| error.to_string())?;
    Ok((name.to_owned(), value))
}

impl Bounds {
    /// The limits as asked for.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.nodes = 2_000_000;
        for (name, value) in &self.limit {
            // Names were checked when they were read.
            let _ = limits.set(name, *value);
        }
        limits
    }

    /// The deadline of what begins now.
    pub(crate) fn stop(&self) -> Stop {
        self.time_limit
            .map_or_else(Stop::never, |ms| Stop::after(Duration::from_millis(ms)))
    }
}

/// The limit that a message is about.
fn limit_of(what: &str) -> Option<&'static str> {
    Some(match what {
        "number of states"
        | "states of the deterministic automaton"
        | "nodes of a forest"
        | "places of the picture"
        | "number of lattice nodes" => "nodes",
        "number of transitions"
        | "transitions of the deterministic automaton"
        | "keywords of a forest"
        | "pairs of a cluster"
        | "length of all traces"
        | "number of lattice edges" => "edges",
        "entries of subsets of states"
        | "steps kept of the search"
        | "combinations of states of the entropy"
        | "words of all strings"
        | "words of all strings drawn" => "states",
        "steps of the removal of ε" | "cells of the table of distances" => "pops",
        "number of strings asked for" => "n_best",
        "number of tokens" => "tokens",
        "bytes of a token" | "bytes of a label or word of a tree" => "token_bytes",
        "length of the line in bytes" => "line_bytes",
        "depth of a tree" => "depth",
        _ => return None,
    })
}

/// The error within, if it is one of the nouns.
fn core(error: &pgen::fsa::Error) -> Option<&CoreError> {
    match error {
        pgen::fsa::Error::At { source, .. } => core(source),
        pgen::fsa::Error::Core(error) => Some(error),
        _ => None,
    }
}

/// An error of an automaton, with the option that helps where there is one.
impl From<pgen::fsa::Error> for Failure {
    fn from(error: pgen::fsa::Error) -> Self {
        let code = error.code();
        let mut message = error.to_string();
        if let Some(CoreError::LimitExceeded { place, what, .. }) = core(&error) {
            // The caller knows the place.
            if *place == Place::default() {
                message = message.replacen("input: ", "", 1);
            }
            let advice = match limit_of(what) {
                Some(name) => format!("if this is meant, raise it with --limit {name}=N"),
                None => "that is beyond what this program is made for".to_owned(),
            };
            message = message.replace("raise the limit if this is meant", &advice);
        }
        Failure::input(code, message)
    }
}

/// An error with what had been reached.
pub(crate) fn reached(failure: Failure, reached: &str) -> Failure {
    match failure {
        Failure::Input { code, message } => Failure::input(code, format!("{message}; {reached}")),
        other => other,
    }
}

/// A limit that an option's value exceeds.
pub(crate) fn check(what: &'static str, found: usize, limit: usize) -> Result<()> {
    Ok(Limits::check(what, found, limit).map_err(pgen::fsa::Error::from)?)
}
