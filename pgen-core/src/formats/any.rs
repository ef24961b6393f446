//! Tables of any format, told apart by content.

use super::record::{LoadReport, is_blank, number, trim};
use super::table::TableOptions;
use super::{meteor, moses, ppdb, tsv};
use crate::codec::Container;
use crate::error::Result;
use crate::input::{Input, Lines};
use crate::limits::Limits;
use crate::table::ParaphraseTable;
use crate::vocab::Vocab;
use std::io::BufRead;
use std::path::Path;

/// The formats that a table may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TableFormat {
    /// `source ||| target ||| scores`.
    Moses,
    /// `LHS ||| phrase ||| paraphrase ||| name=value …`.
    Ppdb,
    /// Three lines a record.
    Meteor,
    /// Source, target, probability, separated by tabs.
    Tsv,
    /// pgen's own.
    Binary,
}

impl TableFormat {
    /// The format of the text that begins with this line, which is not blank.
    #[must_use]
    pub fn of_line(line: &str) -> Self {
        let fields: Vec<&str> = line.split(" ||| ").collect();
        let named = |field: &&str| field.contains("p(e2|e1)=") || field.contains("Score=");
        if fields.len() >= 4 && fields.get(3).is_some_and(named) {
            TableFormat::Ppdb
        } else if line.contains("|||") {
            TableFormat::Moses
        } else if line.contains('\t') {
            TableFormat::Tsv
        } else if number(trim(line)).is_ok() {
            TableFormat::Meteor
        } else {
            // The commonest format names what is wrong with the line best.
            TableFormat::Moses
        }
    }
}

/// Loads a table from a file of any format, with the usual settings of that format. New words join the
/// vocabulary. A binary table brings its own vocabulary and is made to fit this one; options other than
/// the limits mean nothing to it.
///
/// # Errors
/// What the reader of the format says.
pub fn load_table(
    path: &Path,
    vocab: &mut Vocab,
    options: &TableOptions,
) -> Result<(ParaphraseTable, LoadReport)> {
    let limits = &options.limits;
    let (format, input) = guess(Input::open(path, limits)?)?;
    if format == TableFormat::Binary {
        return load_binary(&Container::from_input(input, limits)?, vocab, limits);
    }
    let lines = &mut Lines::new(input, limits);
    match format {
        TableFormat::Ppdb => ppdb::load(lines, vocab, &[ppdb::PROBABILITY], options),
        TableFormat::Meteor => meteor::load(lines, vocab, options),
        TableFormat::Tsv => tsv::load(lines, vocab, &tsv::Columns::default(), options),
        _ => moses::load(lines, vocab, options),
    }
}

fn load_binary(
    container: &Container<'_>,
    vocab: &mut Vocab,
    limits: &Limits,
) -> Result<(ParaphraseTable, LoadReport)> {
    let (own, table) = ParaphraseTable::from_container(container, limits)?;
    let table = table.in_vocab(&own, vocab)?;
    let mut report = LoadReport::default();
    (report.read, report.kept) = (table.len() as u64, table.len() as u64);
    Ok((table, report))
}

/// Looks at what comes first without taking it.
fn guess(mut input: Input) -> Result<(TableFormat, Input)> {
    let first = match input.fill_buf() {
        Ok(first) => first,
        Err(error) => return Err(input.error(error)),
    };
    if Container::begins(first) {
        return Ok((TableFormat::Binary, input));
    }
    let text = String::from_utf8_lossy(first);
    let text = text.trim_start_matches('\u{feff}');
    let line = text.lines().find(|line| !is_blank(line));
    let format = line.map_or(TableFormat::Moses, TableFormat::of_line);
    Ok((format, input))
}
