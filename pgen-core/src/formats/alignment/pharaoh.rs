//! Pharaoh alignments: a line a sentence pair, links `i-j` from 0, source first; an empty line is a pair
//! without links.

use crate::alignment::{Alignment, GoldAlignment, Link};
use crate::error::{Error, Place, Result};
use crate::formats::record::{integer, syntax_at};
use crate::input::Lines;
use std::fmt::Write;

/// What a link says of itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sure,
    Possible,
}

/// The links of a line, all of them sure. Of `source ||| target ||| links` the last part is read.
///
/// # Errors
/// [`Error::Syntax`] for anything but links `i-j`, with its column; [`Error::BadSpan`] for a position
/// above 2³² − 1.
pub fn parse(line: &str) -> Result<Alignment> {
    let mut links = Vec::new();
    for_each_link(line, |at, text, link, kind| {
        if kind == Kind::Possible {
            let hint = "read the file as a gold alignment";
            return Err(syntax_at(at, "a sure link such as 0-1", text, hint));
        }
        links.push(link);
        Ok(())
    })?;
    Ok(links.into())
}

/// The links of a line, sure and possible ones.
///
/// # Errors
/// As [`parse`], save that possible links are read too.
pub fn parse_gold(line: &str) -> Result<GoldAlignment> {
    let (mut sure, mut possible) = (Vec::new(), Vec::new());
    for_each_link(line, |_, _, link, kind| {
        match kind {
            Kind::Sure => sure.push(link),
            Kind::Possible => possible.push(link),
        }
        Ok(())
    })?;
    Ok(GoldAlignment::new(sure.into(), possible.into()))
}

/// The next line of a file of sure links; `None` after the last.
///
/// # Errors
/// As [`parse`], with file and line; what [`Lines`] says of the input.
pub fn next(lines: &mut Lines) -> Result<Option<Alignment>> {
    let parsed = match lines.next_line()? {
        None => return Ok(None),
        Some((_, line)) => parse(line),
    };
    parsed
        .map(Some)
        .map_err(|error| crate::formats::record::placed(error, lines))
}

/// Links in order, separated by spaces.
#[must_use]
pub fn format(alignment: &Alignment) -> String {
    let mut out = String::new();
    for link in alignment.links() {
        push(&mut out, *link, '-');
    }
    out
}

/// Links in order, possible ones as `i?j`.
#[must_use]
pub fn format_gold(gold: &GoldAlignment) -> String {
    let mut out = String::new();
    for &link in gold.possible().links() {
        push(
            &mut out,
            link,
            if gold.sure().contains(link) { '-' } else { '?' },
        );
    }
    out
}

fn push(out: &mut String, link: Link, mark: char) {
    let space = if out.is_empty() { "" } else { " " };
    // Writing to a string cannot fail.
    let _ = write!(out, "{space}{}{mark}{}", link.source, link.target);
}

fn for_each_link(
    line: &str,
    mut take: impl FnMut(usize, &str, Link, Kind) -> Result<()>,
) -> Result<()> {
    let start = line.rfind("||| ").map_or(0, |bars| bars + 4);
    let start = if line.ends_with("|||") {
        line.len()
    } else {
        start
    };
    let mut at = start;
    for text in line[start..].split([' ', '\t']) {
        if !text.is_empty() {
            let (link, kind) = link(at, text, line)?;
            take(at, text, link, kind)?;
        }
        at += text.len() + 1;
    }
    Ok(())
}

fn link(at: usize, text: &str, line: &str) -> Result<(Link, Kind)> {
    // A mark before the link gives its type (`T:` for transliteration), which says nothing of sureness.
    let plain = text.strip_prefix("T:").unwrap_or(text);
    let parsed = plain.find(['-', '?', 'p']).and_then(|mark| {
        let kind = if plain[mark..].starts_with('-') {
            Kind::Sure
        } else {
            Kind::Possible
        };
        Some((integer(&plain[..mark])?, integer(&plain[mark + 1..])?, kind))
    });
    let Some((source, target, kind)) = parsed else {
        let hint = match super::naacl::is_line(line) {
            true => "this looks like the NAACL format",
            false => "",
        };
        return Err(syntax_at(at, "a link such as 0-1", text, hint));
    };
    let position = |what, at: u64| {
        u32::try_from(at).map_err(|_| Error::BadSpan {
            place: Place::default(),
            what,
            start: at,
            end: at.saturating_add(1),
            length: u32::MAX.into(),
        })
    };
    let link = Link::new(
        position("source position", source)?,
        position("target position", target)?,
    );
    Ok((link, kind))
}
