//! From the records of any format to a table.

use super::record::{LoadReport, Outcome};
use crate::error::{Error, Place, Result};
use crate::limits::Limits;
use crate::score::LogProb;
use crate::table::{Duplicates, ParaphraseTable, TableBuilder, words};
use crate::vocab::Vocab;

/// Which numbers of a record become features, in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum ValueColumns {
    /// The first.
    #[default]
    First,
    /// All.
    All,
    /// These, counted from 0.
    These(Vec<usize>),
}

/// How a table is read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TableOptions {
    /// Leave bad records out and report them, instead of stopping at the first; off by default.
    pub lenient: bool,
    /// Which numbers become features; the first by default.
    pub values: ValueColumns,
    /// The least logarithm: what ln 0 and all below it become; −100 by default.
    pub floor: f32,
    /// Take scores above 1 as they are, so that their logarithms are above 0, as Moses does; they are
    /// counted in the report. Off by default: such a score is an error.
    pub above_one: bool,
    /// Turn the escapes of Moses (`&#124;` …) back; off by default.
    pub unescape: bool,
    /// Allow empty targets; off by default.
    pub deletions: bool,
    /// Leave out records whose target is their source; off by default.
    pub drop_identity: bool,
    /// What to do with records of the same source and target.
    pub duplicates: Duplicates,
    /// Bounds on rows, phrases and words.
    pub limits: Limits,
}

impl Default for TableOptions {
    fn default() -> Self {
        TableOptions {
            lenient: false,
            values: ValueColumns::First,
            floor: -100.0,
            above_one: false,
            unescape: false,
            deletions: false,
            drop_identity: false,
            duplicates: Duplicates::default(),
            limits: Limits::default(),
        }
    }
}

/// Takes records to a builder that is made once the number of features is known.
pub(super) struct Loader<'a> {
    options: &'a TableOptions,
    vocab: &'a mut Vocab,
    builder: Option<TableBuilder>,
    values: Vec<f32>,
    above_one: u64,
}

impl<'a> Loader<'a> {
    pub(super) fn new(options: &'a TableOptions, vocab: &'a mut Vocab) -> Self {
        Loader {
            options,
            vocab,
            builder: None,
            values: Vec::new(),
            above_one: 0,
        }
    }

    /// Takes a record with its probabilities, of which the options choose.
    pub(super) fn take(
        &mut self,
        source: &str,
        target: &str,
        probabilities: &[f64],
    ) -> Result<Outcome> {
        self.values.clear();
        let floor = self.options.floor;
        for &probability in chosen(&self.options.values, probabilities)? {
            let ln = logarithm(probability, self.options.above_one)? as f32;
            // Compared in the table's own width, so that the floor is met exactly.
            self.values.push(ln.max(floor));
        }
        let above = self.values.iter().any(|&ln| ln > 0.0);
        let outcome = self.row(source, target)?;
        self.above_one += u64::from(above);
        Ok(outcome)
    }

    /// Takes a record with values that are logarithms already.
    pub(super) fn take_logs(
        &mut self,
        source: &str,
        target: &str,
        logs: &[f64],
    ) -> Result<Outcome> {
        self.values.clear();
        for &ln in logs {
            LogProb::new(ln)?;
            self.values.push((ln as f32).max(self.options.floor));
        }
        self.row(source, target)
    }

    fn row(&mut self, source: &str, target: &str) -> Result<Outcome> {
        if self.options.drop_identity && words(source).eq(words(target)) {
            return Ok(Outcome::Skipped("the target is the source"));
        }
        let width = self.values.len();
        let builder = self
            .builder
            .get_or_insert_with(|| builder(self.options, width));
        builder.push_text(self.vocab, source, target, &self.values)?;
        Ok(Outcome::Kept)
    }

    pub(super) fn finish(self, mut report: LoadReport) -> Result<(ParaphraseTable, LoadReport)> {
        report.above_one = self.above_one;
        let builder = self.builder.unwrap_or_else(|| builder(self.options, 1));
        let table = builder.build(self.vocab)?;
        report.overfull_sources = overfull(&table);
        Ok((table, report))
    }
}

/// ln of a score; above ln 1 only where that is allowed.
pub(super) fn logarithm(score: f64, above_one: bool) -> Result<f64> {
    let scored = LogProb::from_probability(score);
    match scored {
        Err(Error::ProbabilityOutOfRange { value }) if above_one && value > 1.0 => Ok(value.ln()),
        scored => Ok(scored?.ln()),
    }
}

fn builder(options: &TableOptions, width: usize) -> TableBuilder {
    let names = (1..=width).map(|at| {
        if width == 1 {
            "p".into()
        } else {
            format!("p{at}")
        }
    });
    TableBuilder::new(names)
        .duplicates(options.duplicates)
        .deletions(options.deletions)
        .limits(&options.limits)
}

/// The chosen ones of a record's numbers.
fn chosen<'p>(columns: &ValueColumns, all: &'p [f64]) -> Result<Vec<&'p f64>> {
    let pick = |&at: &usize| {
        all.get(at).ok_or_else(|| {
            let reason = format!("value {} is asked for, but there are {}", at + 1, all.len());
            Error::table(Place::default(), reason)
        })
    };
    match columns {
        ValueColumns::First => Ok(vec![pick(&0)?]),
        ValueColumns::All => Ok(all.iter().collect()),
        ValueColumns::These(places) => places.iter().map(pick).collect(),
    }
}

fn overfull(table: &ParaphraseTable) -> u64 {
    let (mut count, mut sum) = (0, 0.0);
    let mut before: Vec<crate::id::WordId> = Vec::new();
    table.for_each(|source, rule| {
        if source != before {
            count += u64::from(sum > 1.0 + 1e-6);
            sum = 0.0;
            before.clear();
            before.extend_from_slice(source);
        }
        sum += f64::from(rule.values[0]).exp();
    });
    count + u64::from(sum > 1.0 + 1e-6)
}
