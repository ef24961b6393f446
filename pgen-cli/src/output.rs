//! Standard output for results, standard error for messages.

use crate::failure::Result;
use pgen::core::AtomicFile;
use serde::Serialize;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::Path;

/// Buffered standard output.
#[derive(Debug)]
pub(crate) struct Output {
    to: BufWriter<Stdout>,
}

impl Output {
    /// Standard output.
    pub(crate) fn new() -> Self {
        Output {
            to: BufWriter::with_capacity(1 << 16, io::stdout()),
        }
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, text: &str) -> Result<()> {
        self.to.write_all(text.as_bytes())?;
        self.to.write_all(b"\n")?;
        Ok(())
    }

    /// Writes bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        Ok(self.to.write_all(bytes)?)
    }

    /// Writes an object as one line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut self.to, value)?;
        self.to.write_all(b"\n")?;
        Ok(())
    }

    /// Sends what is buffered, so that a waiting reader sees it.
    pub(crate) fn flush(&mut self) -> Result<()> {
        Ok(self.to.flush()?)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Adds to each paraphrase of an answer in JSON what its confidence rests on.
pub(crate) fn add_evidence(value: &mut serde_json::Value, answer: &pgen::Answer) {
    let items = value
        .get_mut("paraphrases")
        .and_then(serde_json::Value::as_array_mut);
    for (to, item) in items.into_iter().flatten().zip(&answer.items) {
        let evidence = serde_json::to_value(&item.evidence);
        if let (Some(to), Ok(evidence)) = (to.as_object_mut(), evidence) {
            to.insert("evidence".to_owned(), evidence);
        }
    }
}

/// The object that stands in place of an answer that could not be given.
#[derive(Debug, Serialize)]
pub(crate) struct ErrorLine<'a> {
    error: ErrorBody<'a>,
}

#[derive(Debug, Serialize)]
struct ErrorBody<'a> {
    code: &'a str,
    message: &'a str,
}

impl<'a> ErrorLine<'a> {
    /// An error with its stable code.
    pub(crate) fn new(code: &'a str, message: &'a str) -> Self {
        ErrorLine {
            error: ErrorBody { code, message },
        }
    }
}

/// A message for people on standard error. A closed standard error is nobody's fault.
pub(crate) fn message(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Finds out before long work whether its result can be written there, by beginning to and giving up.
/// Devices and pipes are left alone.
pub(crate) fn check_writable(path: &Path) -> Result<()> {
    let special = std::fs::metadata(path).is_ok_and(|file| !file.is_file() && !file.is_dir());
    if !special {
        drop(AtomicFile::create(path)?);
    }
    Ok(())
}
