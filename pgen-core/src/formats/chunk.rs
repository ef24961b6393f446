//! Chunk columns: `word TAG chunk [trace]`, a blank line between sentences (CoNLL-2000, Chunklink).

use crate::chunk::Chunks;
use crate::error::{Error, Result};
use crate::input::Lines;
use crate::limits::Limits;
use std::io::{self, Write};

/// A sentence of chunk columns.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ChunkedSentence {
    /// The words.
    pub words: Vec<String>,
    /// Their part-of-speech tags.
    pub tags: Vec<String>,
    /// Their chunks and traces.
    pub chunks: Chunks,
}

/// Reads the next sentence; `None` at the end. Columns are separated by blanks or tabs; without a fourth
/// column the trace is the chunk tag alone. Lines of `-DOCSTART-` are passed over.
///
/// # Errors
/// [`Error::Syntax`] for a line with too few columns (the sentence is then read to its end, so that the
/// next call goes on behind it), [`Error::LimitExceeded`], and as [`Lines::next_line`].
pub fn read_chunks(lines: &mut Lines, limits: &Limits) -> Result<Option<ChunkedSentence>> {
    let mut sentence = ChunkedSentence::default();
    let mut failed = None;
    loop {
        let place = |number| crate::error::Place::line(number);
        let Some((number, line)) = lines.next_line()? else {
            break;
        };
        let mut columns = line.split_whitespace();
        let (word, tag, chunk, trace) = (
            columns.next(),
            columns.next(),
            columns.next(),
            columns.next(),
        );
        let Some(word) = word else {
            if sentence.words.is_empty() && failed.is_none() {
                continue;
            }
            break;
        };
        if word == "-DOCSTART-" || failed.is_some() {
            continue;
        }
        let (Some(tag), Some(chunk)) = (tag, chunk) else {
            let hint = "write word, tag and chunk separated by blanks";
            failed = Some(Error::syntax(place(number), "three columns", line, hint));
            continue;
        };
        let added = Limits::check("number of tokens", sentence.words.len() + 1, limits.tokens)
            .and_then(|()| sentence.chunks.push(chunk, trace.unwrap_or(chunk), limits));
        match added {
            Ok(()) => {
                sentence.words.push(word.to_owned());
                sentence.tags.push(tag.to_owned());
            }
            Err(error) => failed = Some(error.at_place(place(number))),
        }
    }
    match failed {
        Some(error) => Err(error.in_file(lines.input().name().clone())),
        None => Ok((!sentence.words.is_empty()).then_some(sentence)),
    }
}

/// Writes a sentence with four columns and a blank line.
///
/// # Errors
/// As the writer.
pub fn write_chunks(out: &mut dyn Write, sentence: &ChunkedSentence) -> io::Result<()> {
    for (token, (word, tag)) in sentence.words.iter().zip(&sentence.tags).enumerate() {
        let (chunk, trace) = (
            sentence.chunks.tag_text(token),
            sentence.chunks.trace_text(token),
        );
        writeln!(out, "{word} {tag} {chunk} {trace}")?;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_go_there_and_back() {
        let text = "I PRP B-NP I-S/B-NP\nran VBD B-VP I-S/B-VP\n. . O I-S\n\n\nHi UH O\n\n";
        let limits = Limits::default();
        let mut lines = Lines::from_text(text, &limits).unwrap();
        let first = read_chunks(&mut lines, &limits).unwrap().unwrap();
        assert_eq!(first.words, ["I", "ran", "."]);
        assert_eq!(first.chunks.trace_text(1), "I-S/B-VP");
        let mut out = Vec::new();
        write_chunks(&mut out, &first).unwrap();
        assert!(text.starts_with(std::str::from_utf8(&out).unwrap()));
        let second = read_chunks(&mut lines, &limits).unwrap().unwrap();
        assert_eq!(
            (second.chunks.tag_text(0).as_str(), second.words.len()),
            ("O", 1)
        );
        assert!(read_chunks(&mut lines, &limits).unwrap().is_none());
    }

    #[test]
    fn a_bad_line_costs_one_sentence() {
        let limits = Limits::default();
        let mut lines = Lines::from_text("a DT\nb NN B-NP\n\nc NN B-NP\n", &limits).unwrap();
        let error = read_chunks(&mut lines, &limits).unwrap_err();
        assert_eq!((error.code(), error.place().unwrap().line), ("syntax", 1));
        assert_eq!(
            read_chunks(&mut lines, &limits).unwrap().unwrap().words,
            ["c"]
        );
    }
}
