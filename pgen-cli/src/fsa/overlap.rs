//! How many pairs two extractors share (Pang et al. 2003, §4.1.1).

use crate::failure::Result;
use pgen::core::{Error, Limits, Place};
use pgen::fsa::PairTable;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Another extractor's pairs, each with the number of groups that support it.
pub(crate) struct Other(BTreeMap<(String, String), u32>);

impl Other {
    /// Reads `first ||| second [||| support or scores …]`; the order of the two, pairs of the same phrase and
    /// columns behind the third count for nothing. A pair that stands there twice has the sum; scores are
    /// not support, and count as 1.
    pub(crate) fn open(path: &PathBuf, limits: &Limits) -> Result<Self> {
        let mut lines = crate::input::open(Some(path), limits)?;
        let mut pairs: BTreeMap<(String, String), u32> = BTreeMap::new();
        let whole = lines.place();
        while let Some((number, line)) = lines.next_line()? {
            if line.trim().is_empty() {
                continue;
            }
            let Some((a, b, support)) = read(line) else {
                let place = whole.at_line(number);
                let hint = "give the output of another extractor, or a phrase table";
                let expected = "`first ||| second [||| numbers]`";
                return Err(Error::syntax(place, expected, line, hint).into());
            };
            if a != b {
                let pair = if a < b { (a, b) } else { (b, a) };
                let known = pairs.entry((pair.0.to_owned(), pair.1.to_owned()));
                let known = known.or_default();
                *known = known.saturating_add(support);
            }
        }
        if pairs.is_empty() {
            let place = Place::file(path);
            return Err(Error::syntax(place, "pairs of phrases", "nothing", "").into());
        }
        Ok(Other(pairs))
    }

    /// Of the pairs of `support` groups or more of each, how many the other has at all.
    pub(crate) fn report(&self, table: &PairTable, support: u32) -> Vec<String> {
        let ours = table.sorted();
        let known = |a: &str, b: &str| self.0.contains_key(&(a.to_owned(), b.to_owned()));
        let strong = ours.iter().filter(|pair| pair.2 >= support);
        let shared = strong.clone().filter(|(a, b, _)| known(a, b)).count();
        let theirs = self.0.iter().filter(|(_, count)| **count >= support);
        let also = theirs
            .clone()
            .filter(|((a, b), _)| table.support(a, b) > 0)
            .count();
        let line = |part: usize, whole: usize, of: &str, by: &str| {
            let percent = 100.0 * part as f64 / whole.max(1) as f64;
            format!(
                "{part} of {whole} pairs of {of} from {support} groups or more are also {by}: {percent:.1} %"
            )
        };
        vec![
            line(shared, strong.count(), "the automata", "in the other table"),
            line(also, theirs.count(), "the other table", "in the automata"),
        ]
    }
}

/// A pair and its support.
fn read(line: &str) -> Option<(&str, &str, u32)> {
    let mut fields = line.split("|||").map(str::trim);
    let (a, b) = (fields.next()?, fields.next()?);
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let Some(third) = fields.next().filter(|third| !third.is_empty()) else {
        return Some((a, b, 1));
    };
    if let Ok(support) = third.parse() {
        return Some((a, b, support));
    }
    let number = |score: &str| {
        let value = score.rsplit('=').next().unwrap_or(score);
        value.parse::<f64>().is_ok_and(|value| !value.is_nan())
    };
    third.split_whitespace().all(number).then_some((a, b, 1))
}
