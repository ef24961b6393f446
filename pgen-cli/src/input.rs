//! Line-by-line work: a bad line does not stop the run.

use crate::Common;
use crate::failure::{Failure, Result};
use crate::output::{self, ErrorLine, Output};
use pgen::core::{Limits, Lines};
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// Opens the given file, or standard input for none or `-`.
pub(crate) fn open(file: Option<&PathBuf>, limits: &Limits) -> Result<Lines> {
    Ok(Lines::open(
        file.map_or(Path::new("-"), PathBuf::as_path),
        limits,
    )?)
}

/// What a line of JSON says. It must be an object: serde would take the values of an array for its fields.
pub(crate) fn object<T: DeserializeOwned>(line: &str) -> Result<T> {
    if !line.trim_start().starts_with('{') {
        return Err(Failure::input("syntax", "expected a JSON object"));
    }
    serde_json::from_str(line).map_err(|error| {
        // The line that serde_json counts is always the first.
        let tail = format!(" at line {} column {}", error.line(), error.column());
        let text = error.to_string();
        match text.strip_suffix(&tail) {
            Some(what) => {
                Failure::input("syntax", format_args!("{what} at byte {}", error.column()))
            }
            None => Failure::input("syntax", text),
        }
    })
}

/// How to answer lines.
#[derive(Debug)]
pub(crate) struct LineWork<'a> {
    /// Where answers go.
    pub(crate) output: Output,
    /// One JSON object a line.
    pub(crate) json: bool,
    /// Options that every verb takes.
    pub(crate) common: &'a Common,
}

impl LineWork<'_> {
    /// Calls `answer` with each line, its number and where to write. A line that cannot be read or
    /// answered yields an error object (JSON) or an empty line, and a message with its number; the run
    /// goes on. Returns the number of such lines.
    pub(crate) fn run(
        mut self,
        mut lines: Lines,
        mut answer: impl FnMut(&str, u64, &mut Output) -> Result<()>,
    ) -> Result<u64> {
        let mut bad = 0;
        loop {
            let failure = match lines.next_line() {
                Ok(None) => break,
                Ok(Some((number, line))) => match answer(line, number, &mut self.output) {
                    Ok(()) => continue,
                    Err(Failure::Closed) => return Err(Failure::Closed),
                    Err(failure) => (failure, number),
                },
                Err(error) => (Failure::from(error), lines.number()),
            };
            bad += 1;
            self.report(&failure.0, failure.1)?;
        }
        self.output.flush()?;
        Ok(bad)
    }

    /// Answers a line that could not be answered, and says why.
    pub(crate) fn report(&mut self, failure: &Failure, line: u64) -> Result<()> {
        let message = failure.to_string();
        if self.json {
            self.output
                .json(&ErrorLine::new(failure.code(), &message))?;
        } else {
            self.output.line("")?;
        }
        if !self.common.quiet || !self.json {
            output::message(&format!(
                "pgen: line {line}: {message} [{}]",
                failure.code()
            ));
        }
        Ok(())
    }
}
