//! METEOR's paraphrase tables: records of three lines, namely a probability, a phrase and its paraphrase.

use super::record::Outcome;
use super::record::{LoadReport, is_blank, number, placed, trim};
use super::table::{Loader, TableOptions};
use crate::error::{Error, Result};
use crate::input::Lines;
use crate::table::ParaphraseTable;
use crate::vocab::Vocab;

/// Reads a table with one feature, `p`: ln p(paraphrase | phrase).
///
/// # Errors
/// [`Error::Syntax`] for a probability that is no number and, lenient or not, for a file that ends
/// within a record; otherwise as [`moses::load`](super::moses::load).
pub fn load(
    lines: &mut Lines,
    vocab: &mut Vocab,
    options: &TableOptions,
) -> Result<(ParaphraseTable, LoadReport)> {
    let mut report = LoadReport::default();
    let mut loader = Loader::new(options, vocab);
    let mut record = Record::default();
    while record.begin(lines)? {
        let first = lines.number();
        record.complete(lines)?;
        report.read += 1;
        let outcome = match record.fault.take() {
            Some(error) => Err(error),
            None => number(trim(&record.fields[0]))
                .and_then(|p| loader.take(&record.fields[1], &record.fields[2], &[p]))
                .map_err(|error| placed(error, lines).at_line(first)),
        };
        match outcome {
            Ok(Outcome::Kept) => report.kept += 1,
            Ok(Outcome::Skipped(reason)) => report.skip(first, reason),
            Err(error) if options.lenient => report.skip(first, error),
            Err(error) => return Err(error),
        }
    }
    loader.finish(report)
}

/// Three lines, and what is wrong with one of them.
#[derive(Default)]
struct Record {
    fields: [String; 3],
    fault: Option<Error>,
}

impl Record {
    /// Reads the first line; false at the end. Blank lines before it are passed over.
    fn begin(&mut self, lines: &mut Lines) -> Result<bool> {
        while self.read(lines, 0)? {
            if self.fault.is_some() || !is_blank(&self.fields[0]) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn complete(&mut self, lines: &mut Lines) -> Result<()> {
        for at in 1..3 {
            let place = lines.place();
            if !self.read(lines, at)? {
                return Err(Error::syntax(
                    place,
                    "three lines a record",
                    "the end of the file",
                    "the file is cut off: fetch it again",
                ));
            }
        }
        Ok(())
    }

    /// Reads a line; a fault of the line alone spoils the record.
    fn read(&mut self, lines: &mut Lines, at: usize) -> Result<bool> {
        self.fields[at].clear();
        let fault = match lines.next_line() {
            Ok(None) => return Ok(false),
            Ok(Some((_, line))) => {
                self.fields[at].push_str(line);
                return Ok(true);
            }
            Err(fault) => fault,
        };
        if lines.is_over() {
            return Err(fault);
        }
        self.fault.get_or_insert(fault);
        Ok(true)
    }
}
