//! Lines of text, one at a time, each checked.

use super::source::Input;
use crate::error::{Error, Place, Result};
use crate::limits::Limits;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::Arc;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// A streaming reader of lines: UTF-8, LF or CRLF, the last line end optional, one byte-order mark at
/// the start skipped, gzip unpacked ([`Input`]). Memory is one line and fixed buffers.
///
/// A line that is no UTF-8 or longer than [`Limits::line_bytes`] is an error of that line alone: the
/// next call goes on with the line after it. What ends the input for good (the system, a limit on the
/// whole input, damaged gzip data, UTF-16) is reported once; then there are no more lines. So a loop
/// may report each error and go on, and it ends.
///
/// Only LF ends a line; a lone CR, U+0085, U+2028 and U+2029 are text.
///
/// ```
/// use pgen_core::{Limits, Lines};
///
/// let mut lines = Lines::from_reader(&b"one\r\n\xff\nthree"[..], "example", &Limits::default())?;
/// assert_eq!(lines.next_line()?, Some((1, "one")));
/// assert_eq!(lines.next_line().unwrap_err().code(), "encoding");
/// assert_eq!(lines.next_line()?, Some((3, "three")));
/// assert_eq!(lines.next_line()?, None);
/// # Ok::<(), pgen_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Lines {
    input: Input,
    line: Vec<u8>,
    number: u64,
    limit: usize,
    state: State,
    /// What went wrong while looking ahead.
    pending: Option<io::Error>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Reading,
    /// The rest of an overlong line is still to be passed over.
    InLongLine,
    Ended,
}

impl Lines {
    /// Lines of a file; `-` is standard input.
    ///
    /// # Errors
    /// As [`Input::open`].
    pub fn open(path: &Path, limits: &Limits) -> Result<Self> {
        Ok(Self::new(Input::open(path, limits)?, limits))
    }

    /// Lines of any reader; `name` stands for it in messages.
    ///
    /// # Errors
    /// As [`Input::from_reader`].
    pub fn from_reader(
        reader: impl Read + Send + 'static,
        name: impl Into<Arc<str>>,
        limits: &Limits,
    ) -> Result<Self> {
        Ok(Self::new(Input::from_reader(reader, name, limits)?, limits))
    }

    /// Lines of text in memory, which is copied.
    ///
    /// # Errors
    /// As [`Input::from_reader`].
    pub fn from_text(text: &str, limits: &Limits) -> Result<Self> {
        let bytes = io::Cursor::new(text.as_bytes().to_vec());
        Self::from_reader(bytes, "input", limits)
    }

    /// Lines of an opened input.
    #[must_use]
    pub fn new(input: Input, limits: &Limits) -> Self {
        Lines {
            input,
            line: Vec::new(),
            number: 0,
            limit: limits.line_bytes,
            state: State::Reading,
            pending: None,
        }
    }

    /// The next line with its number, from 1, without its end; `None` after the last.
    ///
    /// # Errors
    /// [`Error::Encoding`] and [`Error::LimitExceeded`] for this line only; [`Error::Io`],
    /// [`Error::Corrupt`] and limits on the whole input for good.
    pub fn next_line(&mut self) -> Result<Option<(u64, &str)>> {
        if !self.read_line()? {
            return Ok(None);
        }
        match std::str::from_utf8(&self.line) {
            Ok(text) => Ok(Some((self.number, text))),
            Err(bad) if self.number == 1 && is_utf16(&self.line) => {
                self.state = State::Ended;
                Err(Error::Encoding {
                    place: self.place(),
                    byte: bad.valid_up_to(),
                    hint: "this is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8",
                })
            }
            Err(bad) => Err(Error::encoding(self.place(), bad.valid_up_to())),
        }
    }

    /// Bytes that come next, as far as they are buffered, without reading them; empty at the end and
    /// for an input that fails, which [`Lines::next_line`] then reports.
    pub fn peek(&mut self) -> &[u8] {
        // A reader need not fail twice, so what went wrong is kept for the next line.
        if self.pending.is_none()
            && let Err(error) = self.input.fill_buf()
        {
            self.pending = Some(error);
        }
        if self.pending.is_some() {
            return &[];
        }
        self.input.fill_buf().unwrap_or_default()
    }

    /// True once there are no more lines, be it for an error.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.state == State::Ended
    }

    /// The line last read, for messages.
    #[must_use]
    pub fn place(&self) -> Place {
        Place::line(self.number).in_file(Arc::clone(self.input.name()))
    }

    /// Number of the line last read; 0 before the first.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The input; for its name and for progress.
    #[must_use]
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// Reads the bytes of the next line into `self.line`; false at the end.
    fn read_line(&mut self) -> Result<bool> {
        self.pass_long_line()?;
        if self.state == State::Ended {
            return Ok(false);
        }
        self.line.clear();
        // Room for a mark, a carriage return, the line feed and one byte too many.
        let room = self.limit.saturating_add(BOM.len() + 3);
        let read = self.read_until_end(room)?;
        if read == 0 {
            self.state = State::Ended;
            return Ok(false);
        }
        self.number += 1;
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
            self.line.pop_if(|byte| *byte == b'\r');
        } else if read >= room {
            self.state = State::InLongLine;
        }
        if self.number == 1 && self.line.starts_with(BOM) {
            self.line.drain(..BOM.len());
        }
        if self.line.len() > self.limit {
            return Err(Error::LimitExceeded {
                place: self.place(),
                what: "length of the line in bytes",
                limit: self.limit as u64,
                found: self.line.len() as u64,
            });
        }
        Ok(true)
    }

    /// Passes over what is left of an overlong line, with a fixed amount of memory.
    fn pass_long_line(&mut self) -> Result<()> {
        while self.state == State::InLongLine {
            self.line.clear();
            let read = self.read_until_end(1 << 16)?;
            if read == 0 || self.line.last() == Some(&b'\n') {
                self.state = State::Reading;
            }
        }
        Ok(())
    }

    fn read_until_end(&mut self, room: usize) -> Result<usize> {
        let mut bounded = (&mut self.input).take(room as u64);
        let read = match self.pending.take() {
            Some(error) => Err(error),
            None => bounded.read_until(b'\n', &mut self.line),
        };
        read.map_err(|source| {
            self.state = State::Ended;
            self.number += 1;
            let error = self.input.error(source);
            match error {
                // The line is known, and tells how far the input is sound.
                Error::Io { .. } | Error::Corrupt { .. } => error.at_line(self.number),
                other => other,
            }
        })
    }
}

/// A UTF-16 mark, and the zero bytes that Latin letters have there.
fn is_utf16(line: &[u8]) -> bool {
    (line.starts_with(b"\xff\xfe") || line.starts_with(b"\xfe\xff")) && line.contains(&0)
}
