//! Columns separated by tabs: source, target and, if there is one, a probability. Nothing is quoted.

use super::record::{LoadReport, each_line, number};
use super::table::{Loader, TableOptions};
use crate::error::{Error, Place, Result};
use crate::input::Lines;
use crate::table::ParaphraseTable;
use crate::vocab::Vocab;

/// What the numbers of a column are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Unit {
    /// Probabilities, 0..=1.
    #[default]
    Probability,
    /// Natural logarithms.
    Ln,
    /// Base-10 logarithms.
    Log10,
}

/// Which column holds what, counted from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Columns {
    /// The source; 0 by default.
    pub source: usize,
    /// The target; 1 by default.
    pub target: usize,
    /// The value; 2 by default. With `None` every value is ln 1.
    pub value: Option<usize>,
    /// What the value is; a probability by default.
    pub unit: Unit,
    /// True to pass over the first line; not by default.
    pub header: bool,
}

impl Default for Columns {
    fn default() -> Self {
        Columns {
            source: 0,
            target: 1,
            value: Some(2),
            unit: Unit::Probability,
            header: false,
        }
    }
}

/// Reads a table with one feature, `p`. Further columns are passed over.
///
/// # Errors
/// [`Error::Syntax`] for a line with too few columns; otherwise as
/// [`moses::load`](super::moses::load).
pub fn load(
    lines: &mut Lines,
    vocab: &mut Vocab,
    columns: &Columns,
    options: &TableOptions,
) -> Result<(ParaphraseTable, LoadReport)> {
    if columns.header {
        lines.next_line()?;
    }
    let mut loader = Loader::new(options, vocab);
    let report = each_line(lines, options.lenient, |line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |at: usize| {
            fields.get(at).copied().ok_or_else(|| {
                Error::syntax(
                    Place::default(),
                    "a source, a target and a value, separated by tabs",
                    line,
                    "name the columns",
                )
            })
        };
        let (source, target) = (field(columns.source)?, field(columns.target)?);
        let value = columns.value.map(|at| number(field(at)?.trim_matches(' ')));
        let value = value.transpose()?;
        match (value, columns.unit) {
            (Some(p), Unit::Probability) => loader.take(source, target, &[p]),
            (Some(ln), Unit::Ln) => loader.take_logs(source, target, &[ln]),
            (Some(log10), Unit::Log10) => {
                loader.take_logs(source, target, &[log10 * std::f64::consts::LN_10])
            }
            (None, _) => loader.take_logs(source, target, &[0.0]),
        }
    })?;
    loader.finish(report)
}
