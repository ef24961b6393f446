//! Judgements of rows by readers: what the reliability of a row is learned from.

use pgen_core::{Error, Limits, Lines, Result};
use std::collections::BTreeMap;
use std::path::Path;

/// How often readers accepted and rejected a replacement, each time in some sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verdicts {
    /// Times accepted.
    pub accepted: u32,
    /// Times rejected.
    pub rejected: u32,
}

impl Verdicts {
    /// True if at least two readers accepted the row, and four times as many as rejected it.
    #[must_use]
    pub fn approve(self) -> bool {
        self.accepted > 1 && self.accepted / 4 >= self.rejected
    }
}

/// Judged rows, in the manner of the labelled unit replacements of Zhao et al. 2009, §3.5.
///
/// A file has a row a line: source phrase, target phrase, times accepted, times rejected, separated by
/// tabs, phrases in lower case with tokens separated by spaces. Lines that begin with `#` are comments.
/// Counts of a row that comes twice add up.
#[derive(Clone, Debug, Default)]
pub struct Judgements {
    /// By source and target.
    rows: BTreeMap<(String, String), Verdicts>,
}

impl Judgements {
    /// No judgements.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of judged rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Source and target of the rows that readers approve ([`Verdicts::approve`]), by spelling.
    pub fn approved(&self) -> impl Iterator<Item = (&str, &str)> {
        let approved = self.iter().filter(|(.., verdicts)| verdicts.approve());
        approved.map(|(source, target, _)| (source, target))
    }

    /// True without judgements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The judged rows, source, target and verdicts, by spelling.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, Verdicts)> {
        let rows = self.rows.iter();
        rows.map(|((source, target), &verdicts)| (source.as_str(), target.as_str(), verdicts))
    }

    /// Adds verdicts on a row.
    pub fn add(&mut self, source: &str, target: &str, verdicts: Verdicts) {
        let key = (source.to_owned(), target.to_owned());
        let row = self.rows.entry(key).or_default();
        row.accepted = row.accepted.saturating_add(verdicts.accepted);
        row.rejected = row.rejected.saturating_add(verdicts.rejected);
    }

    /// Adds the rows of a file.
    ///
    /// # Errors
    /// Those of [`Lines`]; [`Error::Syntax`] for a line without the four fields.
    pub fn read(&mut self, path: &Path, limits: &Limits) -> Result<()> {
        let mut lines = Lines::open(path, limits)?;
        let whole = lines.place();
        while let Some((number, line)) = lines.next_line()? {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let Some((source, target, verdicts)) = parse(line) else {
                let expected =
                    "source, target, times accepted and times rejected, separated by tabs";
                return Err(Error::syntax(whole.at_line(number), expected, line, ""));
            };
            self.add(source, target, verdicts);
        }
        Ok(())
    }
}

fn parse(line: &str) -> Option<(&str, &str, Verdicts)> {
    let mut fields = line.trim_end_matches('\r').split('\t');
    let (source, target) = (fields.next()?, fields.next()?);
    let accepted = fields.next()?.parse().ok()?;
    let rejected = fields.next()?.parse().ok()?;
    let filled = !source.is_empty() && !target.is_empty() && fields.next().is_none();
    filled.then_some((source, target, Verdicts { accepted, rejected }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_four_fields() {
        let verdicts = Verdicts {
            accepted: 2,
            rejected: 1,
        };
        assert_eq!(parse("a b\tc\t2\t1"), Some(("a b", "c", verdicts)));
        for bad in [
            "",
            "a\tb\t1",
            "a\tb\t1\tx",
            "\tb\t1\t2",
            "a\tb\t1\t2\t3",
            "a\tb\t-1\t2",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn verdicts_add_up() {
        let mut judgements = Judgements::new();
        let once = Verdicts {
            accepted: 1,
            rejected: 0,
        };
        judgements.add("big", "large", once);
        judgements.add("big", "large", once);
        let twice = Verdicts {
            accepted: 2,
            rejected: 0,
        };
        assert_eq!(judgements.iter().next(), Some(("big", "large", twice)));
        assert_eq!(judgements.len(), 1);
        judgements.add("a", "b", once);
        judgements.add(
            "a",
            "an",
            Verdicts {
                accepted: 8,
                rejected: 2,
            },
        );
        judgements.add(
            "a",
            "c",
            Verdicts {
                accepted: 8,
                rejected: 3,
            },
        );
        let approved: Vec<_> = judgements.approved().collect();
        assert_eq!(approved, [("a", "an"), ("big", "large")]);
        assert_eq!(judgements.len(), 4);
    }
}
