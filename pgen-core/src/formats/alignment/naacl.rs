//! NAACL (WPT 2003) alignments: a line a link, `sentence source target [S|P] [confidence]`, all numbers
//! from 1; source or target 0 is NULL, which links nothing.

use crate::alignment::{Alignment, GoldAlignment, Link};
use crate::error::{Error, Place, Result};
use crate::formats::record::{integer, is_blank, number, placed};
use crate::input::Lines;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Reads a whole file: sentence number, from 1, to links. Sentences without links are not in the file.
///
/// # Errors
/// [`Error::Syntax`] with file and line; what [`Lines`] says of the input.
pub fn read(lines: &mut Lines) -> Result<BTreeMap<u64, GoldAlignment>> {
    let mut links = Links::default();
    loop {
        let taken = match lines.next_line()? {
            None => return Ok(links.finish()),
            Some((_, line)) => links.take(line),
        };
        taken.map_err(|error| placed(error, lines))?;
    }
}

/// True if a line could be of this format.
pub(super) fn is_line(line: &str) -> bool {
    Links::default().take(line).is_ok() && !is_blank(line)
}

/// Links collected line by line.
#[derive(Default)]
pub(super) struct Links(BTreeMap<u64, (Vec<Link>, Vec<Link>)>);

impl Links {
    pub(super) fn take(&mut self, line: &str) -> Result<()> {
        if is_blank(line) {
            return Ok(());
        }
        let bad = || {
            let expected = "sentence, source and target numbers, and S or P";
            Error::syntax(Place::default(), expected, line, "")
        };
        let mut fields = line.split_ascii_whitespace();
        let mut next = || fields.next().and_then(integer);
        let (Some(sentence), Some(source), Some(target)) = (next(), next(), next()) else {
            return Err(bad());
        };
        let rest: Vec<&str> = fields.collect();
        let (possible, confidence) = match rest[..] {
            [] | ["S"] => (false, None),
            ["P"] => (true, None),
            ["S", confidence] => (false, Some(confidence)),
            ["P", confidence] => (true, Some(confidence)),
            [confidence] => (false, Some(confidence)),
            _ => return Err(bad()),
        };
        confidence.map(number).transpose()?;
        let place = |at: u64| u32::try_from(at).map_err(|_| bad());
        let (source, target) = (place(source)?, place(target)?);
        if sentence == 0 {
            return Err(bad());
        }
        let (sure_links, possible_links) = self.0.entry(sentence).or_default();
        if let (Some(source), Some(target)) = (source.checked_sub(1), target.checked_sub(1)) {
            let links = if possible { possible_links } else { sure_links };
            links.push(Link::new(source, target));
        }
        Ok(())
    }

    pub(super) fn finish(self) -> BTreeMap<u64, GoldAlignment> {
        let gold = |(sure, possible): (Vec<Link>, Vec<Link>)| {
            GoldAlignment::new(Alignment::from(sure), Alignment::from(possible))
        };
        self.0
            .into_iter()
            .map(|(sentence, links)| (sentence, gold(links)))
            .collect()
    }
}

/// The lines of one sentence pair.
#[must_use]
pub fn format(sentence: u64, gold: &GoldAlignment) -> String {
    let mut out = String::new();
    for &link in gold.possible().links() {
        let kind = if gold.sure().contains(link) { 'S' } else { 'P' };
        let (source, target) = (u64::from(link.source) + 1, u64::from(link.target) + 1);
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{sentence} {source} {target} {kind}");
    }
    out
}
