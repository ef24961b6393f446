//! Reading training data: pairs, groups and bitext as tab-separated text, plain or compressed.

use pgen_core::{Error, Limits, Lines, Place, Result};
use std::path::Path;

/// What reading a file gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Read {
    /// Lines with content.
    pub rows: u64,
    /// Sentence pairs handed on.
    pub pairs: u64,
    /// Rows that a label marks as no paraphrase.
    pub labelled_off: u64,
    /// Rows with an empty or missing side.
    pub incomplete: u64,
}

impl Read {
    /// Adds the counts of another file.
    pub fn add(&mut self, other: Read) {
        self.rows += other.rows;
        self.pairs += other.pairs;
        self.labelled_off += other.labelled_off;
        self.incomplete += other.incomplete;
    }
}

/// Calls `visit` with each sentence pair of a table whose last two columns are the sentences. If there
/// are three columns, the first is a label and rows labelled `0` are skipped (so MSRPC-like files can be
/// read as they are).
///
/// # Errors
/// Those of [`Lines`], [`Error::Syntax`] for a row with a single column, and what `visit` returns.
pub fn pairs(
    path: &Path,
    limits: &Limits,
    mut visit: impl FnMut(&str, &str) -> Result<()>,
) -> Result<Read> {
    let mut read = Read::default();
    each_row(path, limits, |place, fields, line| {
        let [.., first, second] = fields else {
            return Err(Error::syntax(
                place,
                "two sentences separated by a tab",
                line,
                "",
            ));
        };
        read.rows += 1;
        if fields.len() == 3 && fields[0].trim() == "0" {
            read.labelled_off += 1;
        } else if first.trim().is_empty() || second.trim().is_empty() {
            read.incomplete += 1;
        } else {
            read.pairs += 1;
            visit(first, second)?;
        }
        Ok(())
    })?;
    Ok(read)
}

/// Calls `visit` with every pair of different sentences of each group: an id, then sentences, in one
/// row. Lines that start with `#` are headers; empty cells are skipped.
///
/// # Errors
/// As [`pairs`].
pub fn groups(
    path: &Path,
    limits: &Limits,
    mut visit: impl FnMut(&str, &str) -> Result<()>,
) -> Result<Read> {
    let mut read = Read::default();
    each_row(path, limits, |place, fields, line| {
        if line.starts_with('#') {
            return Ok(());
        }
        let [_, sentences @ ..] = fields else {
            return Ok(());
        };
        if sentences.is_empty() {
            return Err(Error::syntax(
                place,
                "an id and sentences separated by tabs",
                line,
                "",
            ));
        }
        read.rows += 1;
        let sentences: Vec<&str> = sentences
            .iter()
            .copied()
            .filter(|sentence| !sentence.trim().is_empty())
            .collect();
        read.incomplete += u64::from(sentences.len() < 2);
        for (at, first) in sentences.iter().enumerate() {
            for second in sentences[at + 1..].iter().filter(|second| *second != first) {
                read.pairs += 1;
                visit(first, second)?;
            }
        }
        Ok(())
    })?;
    Ok(read)
}

/// Calls `visit` with each line that holds text.
///
/// # Errors
/// Those of [`Lines`] and what `visit` returns.
pub fn text(
    path: &Path,
    limits: &Limits,
    mut visit: impl FnMut(&str) -> Result<()>,
) -> Result<u64> {
    let mut count = 0;
    each_row(path, limits, |_, _, line| {
        count += 1;
        visit(line)
    })?;
    Ok(count)
}

/// Calls `visit` with the place and the fields of each line that is not blank, and the line.
///
/// # Errors
/// Those of [`Lines`] and what `visit` returns.
pub(super) fn each_row(
    path: &Path,
    limits: &Limits,
    mut visit: impl FnMut(Place, &[&str], &str) -> Result<()>,
) -> Result<()> {
    let mut lines = Lines::open(path, limits)?;
    let whole = lines.place();
    while let Some((number, line)) = lines.next_line()? {
        if line.trim().is_empty() {
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        visit(whole.clone().at_line(number), &fields, line)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    #[test]
    fn labels_are_respected() {
        let file = file("1\ta\tb\n0\tc\td\nx\ty\n\n1\te\t\n");
        let mut seen = Vec::new();
        let read = pairs(file.path(), &Limits::default(), |a, b| {
            seen.push(format!("{a}|{b}"));
            Ok(())
        });
        assert_eq!(seen, ["a|b", "x|y"]);
        let expected = Read {
            rows: 4,
            pairs: 2,
            labelled_off: 1,
            incomplete: 1,
        };
        assert_eq!(read.unwrap(), expected);
    }

    #[test]
    fn groups_give_every_pair() {
        let file = file("#id\tA\tB\tC\ng1\ta\tb\tc\ng2\ta\t\ta\ng3\tx\n");
        let mut seen = Vec::new();
        let read = groups(file.path(), &Limits::default(), |a, b| {
            seen.push(format!("{a}|{b}"));
            Ok(())
        });
        assert_eq!(seen, ["a|b", "a|c", "b|c"]);
        assert_eq!(read.unwrap().incomplete, 1);
    }

    #[test]
    fn a_single_column_is_an_error_with_its_line() {
        let file = file("a\tb\nonly one\n");
        let error = pairs(file.path(), &Limits::default(), |_, _| Ok(())).unwrap_err();
        assert_eq!(
            (error.code(), error.place().map(|place| place.line)),
            ("syntax", Some(2))
        );
    }
}
