//! Gold alignments in any of the formats, told apart by content.

use super::{giza, naacl, pharaoh};
use crate::alignment::{Alignment, GoldAlignment};
use crate::error::{Error, Place, Result};
use crate::formats::record::{is_blank, placed};
use crate::input::Lines;

/// The formats of gold alignments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GoldFormat {
    /// Tab-separated: id, source, target, sure links, possible links (optional).
    Columns,
    /// Links `0-1`, possible ones `0?1` or `0p1`, a line a pair.
    Pharaoh,
    /// As `Pharaoh`, with positions from 1. Never guessed.
    PharaohFromOne,
    /// A line a link.
    Naacl,
    /// Three lines a pair; all links are sure.
    Giza,
}

/// A sentence pair's gold alignment.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct GoldRecord {
    /// Which pair of the corpus, from 0. In NAACL files pairs without links are missing.
    pub index: u64,
    /// The id, in [`GoldFormat::Columns`].
    pub id: Option<String>,
    /// Source and target as they stand, tokens separated by spaces, where the format has them.
    pub sentences: Option<(String, String)>,
    /// The links.
    pub gold: GoldAlignment,
}

/// Which format a line that is not blank belongs to.
#[must_use]
pub fn guess(line: &str) -> GoldFormat {
    if giza::is_header(line) {
        GoldFormat::Giza
    } else if line.matches('\t').count() >= 3 && parse_columns(line).is_ok() {
        GoldFormat::Columns
    } else if naacl::is_line(line) {
        GoldFormat::Naacl
    } else if line.contains('\t') && pharaoh::parse_gold(line).is_err() {
        GoldFormat::Columns
    } else {
        GoldFormat::Pharaoh
    }
}

/// Reads a whole file; the format is that of its first line that is not blank, unless given.
///
/// # Errors
/// What the format's own reader says, with file and line.
pub fn read(lines: &mut Lines, format: Option<GoldFormat>) -> Result<Vec<GoldRecord>> {
    // Blank lines before the first link are pairs without links in one of the formats.
    let mut blank = 0;
    let first = loop {
        match lines.next_line()? {
            None => return Ok((0..blank).map(GoldRecord::empty).collect()),
            Some((_, line)) if is_blank(line) => blank += 1,
            Some((_, line)) => break line.to_owned(),
        }
    };
    let format = format.unwrap_or_else(|| guess(&first));
    match format {
        GoldFormat::Naacl => read_naacl(lines, &first),
        GoldFormat::Giza => read_giza(lines, first),
        _ => read_by_line(lines, &first, format, blank),
    }
}

impl GoldRecord {
    fn empty(index: u64) -> Self {
        GoldRecord::plain(index, GoldAlignment::default())
    }

    fn plain(index: u64, gold: GoldAlignment) -> Self {
        GoldRecord {
            index,
            id: None,
            sentences: None,
            gold,
        }
    }
}

fn read_by_line(
    lines: &mut Lines,
    first: &str,
    format: GoldFormat,
    blank: u64,
) -> Result<Vec<GoldRecord>> {
    let columns = format == GoldFormat::Columns;
    let parse = |line: &str| match format {
        GoldFormat::Columns => parse_columns(line),
        GoldFormat::PharaohFromOne => {
            Ok(GoldRecord::plain(0, from_one(&pharaoh::parse_gold(line)?)?))
        }
        _ => Ok(GoldRecord::plain(0, pharaoh::parse_gold(line)?)),
    };
    let mut records: Vec<_> = (0..if columns { 0 } else { blank })
        .map(GoldRecord::empty)
        .collect();
    let mut parsed = parse(first);
    loop {
        let record = parsed.map_err(|error| placed(error, lines))?;
        let index = records.len() as u64;
        records.push(GoldRecord { index, ..record });
        parsed = loop {
            match lines.next_line()? {
                None => return Ok(records),
                Some((_, line)) if columns && is_blank(line) => {}
                Some((_, line)) => break parse(line),
            }
        };
    }
}

/// Reads id, source, target, sure and possible links.
fn parse_columns(line: &str) -> Result<GoldRecord> {
    let columns: Vec<&str> = line.split('\t').collect();
    let (sure, possible) = match columns[..] {
        [_, _, _, sure] => (sure, ""),
        [_, _, _, sure, possible] => (sure, possible),
        _ => {
            let expected = "id, two sentences, sure links and possible links, separated by tabs";
            return Err(Error::syntax(Place::default(), expected, line, ""));
        }
    };
    let gold = GoldAlignment::new(pharaoh::parse(sure)?, pharaoh::parse(possible)?);
    let length = |text: &str| crate::table::words(text).count();
    gold.possible()
        .check(length(columns[1]), length(columns[2]))?;
    Ok(GoldRecord {
        index: 0,
        id: Some(columns[0].to_owned()),
        sentences: Some((columns[1].to_owned(), columns[2].to_owned())),
        gold,
    })
}

fn from_one(gold: &GoldAlignment) -> Result<GoldAlignment> {
    let shift = |alignment: &Alignment| -> Result<Alignment> {
        let shifted = alignment.links().iter().map(|link| {
            let (source, target) = (link.source.checked_sub(1), link.target.checked_sub(1));
            source
                .zip(target)
                .map(|(source, target)| crate::alignment::Link::new(source, target))
        });
        let links: Option<Vec<_>> = shifted.collect();
        links.map(Into::into).ok_or_else(|| {
            let expected = "positions from 1";
            Error::syntax(Place::default(), expected, "0", "read the file as 0-based")
        })
    };
    Ok(GoldAlignment::new(
        shift(gold.sure())?,
        shift(gold.possible())?,
    ))
}

fn read_naacl(lines: &mut Lines, first: &str) -> Result<Vec<GoldRecord>> {
    let mut links = naacl::Links::default();
    links.take(first).map_err(|error| placed(error, lines))?;
    loop {
        let taken = match lines.next_line()? {
            None => break,
            Some((_, line)) => links.take(line),
        };
        taken.map_err(|error| placed(error, lines))?;
    }
    let sentences = links.finish().into_iter();
    Ok(sentences
        .map(|(sentence, gold)| GoldRecord::plain(sentence - 1, gold))
        .collect())
}

fn read_giza(lines: &mut Lines, first: String) -> Result<Vec<GoldRecord>> {
    let mut header = Some(first);
    let mut records = Vec::new();
    while let Some(record) = giza::next_after(lines, header.take())? {
        records.push(GoldRecord {
            index: record.number.saturating_sub(1),
            id: None,
            sentences: Some((record.source.join(" "), record.target.join(" "))),
            gold: GoldAlignment::new(record.alignment, Alignment::new()),
        });
    }
    records.sort_by_key(|record| record.index);
    Ok(records)
}
