//! Line-by-line work on all threads: lines in chunks, answers in order, memory that does not grow.

use crate::failure::{Failure, Result};
use crate::input::LineWork;
use crate::progress::Bar;
use pgen::core::{Lines, Progress};
use rayon::prelude::*;

/// Lines and bytes of a chunk, whichever is reached first.
const LINES: usize = 1024;
const BYTES: usize = 1 << 20;

/// A line that waits for its answer.
struct Waiting<T> {
    number: u64,
    /// The line with what `prepare` made of it.
    line: Result<(String, T)>,
}

impl LineWork<'_> {
    /// As [`LineWork::run`], but lines are answered on all threads. `prepare` is called in order,
    /// whatever becomes of the line; `answer` gives the bytes to write. Memory is bounded by the chunk.
    pub(crate) fn run_batch<T: Send>(
        mut self,
        mut lines: Lines,
        mut prepare: impl FnMut() -> Result<T>,
        answer: impl Fn(&str, T) -> Result<Vec<u8>> + Sync,
    ) -> Result<u64> {
        let bar = Bar::new(self.common.is_quiet());
        bar.stage("lines", None);
        let (mut bad, mut done) = (0, 0);
        loop {
            let chunk = read_chunk(&mut lines, &mut prepare);
            if chunk.is_empty() {
                break;
            }
            let answers: Vec<(u64, Result<Vec<u8>>)> = chunk
                .into_par_iter()
                .map(|waiting| {
                    let answer = |(line, more): (String, T)| answer(&line, more);
                    (waiting.number, waiting.line.and_then(answer))
                })
                .collect();
            for (number, answer) in answers {
                match answer {
                    Ok(bytes) => self.output.bytes(&bytes)?,
                    Err(Failure::Closed) => return Err(Failure::Closed),
                    Err(failure) => {
                        bad += 1;
                        self.report(&failure, number)?;
                    }
                }
                done += 1;
            }
            self.output.flush()?;
            bar.done(done);
        }
        bar.finish();
        self.output.flush()?;
        Ok(bad)
    }
}

fn read_chunk<T>(lines: &mut Lines, prepare: &mut impl FnMut() -> Result<T>) -> Vec<Waiting<T>> {
    let (mut chunk, mut bytes) = (Vec::new(), 0);
    while chunk.len() < LINES && bytes < BYTES {
        let line = match lines.next_line() {
            Ok(None) => break,
            Ok(Some((_, line))) => Ok(line.to_owned()),
            Err(error) => Err(Failure::from(error)),
        };
        let number = lines.number();
        bytes += line.as_ref().map_or(0, String::len);
        // What goes with the line is read even if the line is bad, so that both stay in step.
        let more = prepare();
        let line = line.and_then(|line| Ok((line, more?)));
        chunk.push(Waiting { number, line });
    }
    chunk
}
