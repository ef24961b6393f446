//! How many pairs two extractors share (Pang et al. 2003, §4.1.1).

use super::source::Source;
use crate::failure::Result;
use pgen::fsa::PairTable;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Another extractor's pairs, each with the number of groups that support it.
pub(crate) struct Other(BTreeMap<(String, String), u32>);

impl Other {
    /// Reads `first ||| second [||| support]`; the order of the two, pairs of the same phrase and further
    /// columns count for nothing. A pair that stands there twice has the sum.
    pub(crate) fn open(path: &PathBuf) -> Result<Self> {
        let mut lines = crate::input::open(Some(path), &Source::limits())?;
        let mut pairs: BTreeMap<(String, String), u32> = BTreeMap::new();
        while let Some((_, line)) = lines.next_line()? {
            let mut fields = line.split("|||").map(str::trim);
            let (Some(a), Some(b)) = (fields.next(), fields.next()) else {
                continue;
            };
            if a != b {
                let support = fields.next().and_then(|field| field.parse().ok());
                let pair = if a < b { (a, b) } else { (b, a) };
                let known = pairs.entry((pair.0.to_owned(), pair.1.to_owned()));
                let known = known.or_default();
                *known = known.saturating_add(support.unwrap_or(1));
            }
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
