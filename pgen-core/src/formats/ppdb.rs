//! PPDB, versions 1.0 and 2.0:
//! `LHS ||| phrase ||| paraphrase ||| name=value … ||| alignment [||| entailment]`.
//!
//! Names may begin with a minus (`-logp(e2|e1)`), which says that the value is a negative logarithm; the
//! unmarked names of version 1.0 (`p(e2|e1)`) are negative logarithms all the same. Rules with
//! non-terminals (`[NP,1]`) are no phrases and are left out, with a count.

use super::record::{BARS, LoadReport, Outcome, each_line, number, trim};
use super::table::{Loader, TableOptions};
use crate::error::{Error, Place, Result};
use crate::input::Lines;
use crate::table::{ParaphraseTable, words};
use crate::vocab::Vocab;

/// The feature that is read unless others are named: −ln p(paraphrase | phrase).
pub const PROBABILITY: &str = "p(e2|e1)";

/// A line of PPDB. All fields are as they stand.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Row<'a> {
    /// The syntactic label.
    pub label: &'a str,
    /// The phrase.
    pub source: &'a str,
    /// The paraphrase.
    pub target: &'a str,
    features: &'a str,
    /// The alignment.
    pub alignment: &'a str,
    /// How the two relate (version 2.0).
    pub entailment: Option<&'a str>,
}

impl<'a> Row<'a> {
    /// Splits a line. Separators are ` ||| ` with its spaces, as names hold single bars.
    ///
    /// # Errors
    /// [`Error::Syntax`] for fewer than four or more than six fields.
    pub fn parse(line: &'a str) -> Result<Self> {
        let mut fields = line.split(" ||| ");
        let mut next = || fields.next().map(trim);
        let row = (next(), next(), next(), next(), next(), next(), next());
        let (Some(label), Some(source), Some(target), Some(features), alignment, entailment, None) =
            row
        else {
            let expected = "LHS ||| phrase ||| paraphrase ||| features ||| alignment";
            return Err(Error::syntax(Place::default(), expected, line, ""));
        };
        let alignment = alignment.unwrap_or("").trim_end_matches(BARS).trim_end();
        Ok(Row {
            label,
            source,
            target,
            features,
            alignment,
            entailment,
        })
    }

    /// Names and values, as they stand.
    pub fn features(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        // A value holds no `=`; names hold none either, but may hold single bars and commas.
        words(self.features).filter_map(|feature| feature.rsplit_once('='))
    }

    /// The value of a feature, by its name with or without the mark `-` or `-log` before it.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&'a str> {
        let plain = |name: &'a str| {
            let unmarked = name.strip_prefix('-').unwrap_or(name);
            unmarked.strip_prefix("log").unwrap_or(unmarked)
        };
        self.features()
            .find(|(key, _)| *key == name || plain(key) == name)
            .map(|(_, value)| value)
    }

    /// True if a side holds a non-terminal such as `[NP/NP,1]`.
    #[must_use]
    pub fn is_syntactic(&self) -> bool {
        words(self.source)
            .chain(words(self.target))
            .any(super::moses::is_nonterminal)
    }
}

/// Reads a table whose features are the named ones, each the negative of what is in the file and hence
/// a natural logarithm; `&[PROBABILITY]` for the usual one.
///
/// # Errors
/// [`Error::BadTable`] for a line without a named feature or with the value `NA`; otherwise as
/// [`moses::load`](super::moses::load).
pub fn load(
    lines: &mut Lines,
    vocab: &mut Vocab,
    names: &[&str],
    options: &TableOptions,
) -> Result<(ParaphraseTable, LoadReport)> {
    let mut loader = Loader::new(options, vocab);
    let report = each_line(lines, options.lenient, |line| {
        let row = Row::parse(line)?;
        if row.is_syntactic() {
            return Ok(Outcome::Skipped("a rule with non-terminals"));
        }
        let logs = names
            .iter()
            .map(|name| logarithm(&row, name))
            .collect::<Result<Vec<_>>>()?;
        loader.take_logs(row.source, row.target, &logs)
    })?;
    loader.finish(report)
}

fn logarithm(row: &Row<'_>, name: &str) -> Result<f64> {
    match row.value(name) {
        None | Some("NA") => {
            let reason = format!("there is no value for {name}");
            Err(Error::table(Place::default(), reason))
        }
        Some(value) => Ok(-number(value)?),
    }
}
