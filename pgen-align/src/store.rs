//! Models as bytes: every number as it is, so that a loaded model aligns exactly like the saved one.
//! What is read is checked: sizes, order, finite numbers.

use crate::corpus::Direction;
use crate::distortion::{Distances, Places, WordClasses};
use crate::fertility::{Fertilities, FertilityTable, MAX_FERTILITY};
use crate::hmm::Hmm;
use crate::model1::Model1;
use crate::model2::Model2;
use crate::model34::{BothClasses, Model34};
use crate::params::{HmmParams, Model2Params, Model34Params};
use crate::sparse::Rows;
use crate::table::TranslationTable;
use pgen_core::codec::{Cursor, Encoder};
use pgen_core::{Error, WordId};
use std::collections::BTreeMap;

/// Results of reading.
type Result<T> = std::result::Result<T, Error>;

/// Something that can be written and read back.
pub(crate) trait Stored: Sized {
    fn write(&self, out: &mut Encoder);
    fn read(from: &mut Cursor<'_>) -> Result<Self>;
}

/// Numbers that must be finite and not negative.
pub(crate) fn weights(from: &mut Cursor<'_>) -> Result<Vec<f64>> {
    let values = from.f64s()?;
    if values
        .iter()
        .all(|value| value.is_finite() && *value >= 0.0)
    {
        return Ok(values);
    }
    Err(from.error("a weight is negative or not finite"))
}

/// A number within a range.
pub(crate) fn number(from: &mut Cursor<'_>, low: f64, high: f64) -> Result<f64> {
    let value = from.f64()?;
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    Err(from.error("a number is out of its range"))
}

pub(crate) fn size(from: &mut Cursor<'_>) -> Result<usize> {
    usize::try_from(from.u64()?).map_err(|_| from.error("a size does not fit this machine"))
}

/// Start offsets: from 0, never falling, the last being `total`.
fn starts(from: &mut Cursor<'_>, total: usize) -> Result<Vec<usize>> {
    let raw = from.u64s()?;
    let sound = raw.first() == Some(&0)
        && raw.windows(2).all(|pair| pair[0] <= pair[1])
        && raw.last() == Some(&(total as u64));
    if !sound {
        return Err(from.error("row starts are out of order"));
    }
    Ok(raw.into_iter().map(|start| start as usize).collect())
}

impl Stored for Direction {
    fn write(&self, out: &mut Encoder) {
        out.u8(u8::from(*self == Direction::TargetGivenSource));
    }

    fn read(from: &mut Cursor<'_>) -> Result<Self> {
        match from.u8()? {
            0 => Ok(Direction::SourceGivenTarget),
            1 => Ok(Direction::TargetGivenSource),
            _ => Err(from.error("no such direction")),
        }
    }
}

impl Stored for TranslationTable {
    fn write(&self, out: &mut Encoder) {
        out.u32s(
            &self
                .rows
                .words
                .iter()
                .map(|word| word.raw())
                .collect::<Vec<_>>(),
        );
        out.f64s(&self.probabilities);
        out.u64s(
            &self
                .rows
                .starts
                .iter()
                .map(|&start| start as u64)
                .collect::<Vec<_>>(),
        );
    }

    fn read(from: &mut Cursor<'_>) -> Result<Self> {
        let words: Vec<WordId> = from.u32s()?.into_iter().map(WordId::new).collect();
        let probabilities = weights(from)?;
        if probabilities.len() != words.len() {
            return Err(from.error("words and probabilities differ in number"));
        }
        let rows = Rows {
            starts: starts(from, words.len())?,
            words,
        };
        let sorted = |row: usize| {
            rows.words[rows.range(row)]
                .windows(2)
                .all(|pair| pair[0] < pair[1])
        };
        if !(0..rows.len()).all(sorted) {
            return Err(from.error("the words of a row are out of order"));
        }
        Ok(TranslationTable {
            rows,
            probabilities,
        })
    }
}

impl Stored for Model1 {
    fn write(&self, out: &mut Encoder) {
        self.direction.write(out);
        self.table.write(out);
        out.f64s(&self.log_likelihoods);
    }

    fn read(from: &mut Cursor<'_>) -> Result<Self> {
        Ok(Model1 {
            direction: Direction::read(from)?,
            table: TranslationTable::read(from)?,
            log_likelihoods: from.f64s()?,
        })
    }
}

impl Stored for Model2 {
    fn write(&self, out: &mut Encoder) {
        self.direction.write(out);
        self.table.write(out);
        write_by_lengths(&self.positions, out);
        out.f64(self.params.floor);
        out.u64(self.params.max_length as u64);
        out.f64s(&self.log_likelihoods);
    }

    fn read(from: &mut Cursor<'_>) -> Result<Self> {
        let (direction, table) = (Direction::read(from)?, TranslationTable::read(from)?);
        let positions = read_by_lengths(from, |m, n| m.checked_mul(n + 1))?;
        let (floor, max_length) = (number(from, 0.0, 1.0)?, size(from)?);
        let params = Model2Params {
            floor,
            max_length,
            ..Model2Params::default()
        };
        let log_likelihoods = from.f64s()?;
        Ok(Model2 {
            table,
            direction,
            positions,
            params,
            log_likelihoods,
        })
    }
}

fn write_by_lengths(rows: &BTreeMap<(u32, u32), Vec<f64>>, out: &mut Encoder) {
    out.u64(rows.len() as u64);
    for ((m, n), row) in rows {
        out.u32(*m);
        out.u32(*n);
        out.f64s(row);
    }
}

fn read_by_lengths(
    from: &mut Cursor<'_>,
    expected: impl Fn(usize, usize) -> Option<usize>,
) -> Result<BTreeMap<(u32, u32), Vec<f64>>> {
    let mut rows = BTreeMap::new();
    for _ in 0..from.u64()? {
        let (m, n) = (from.u32()?, from.u32()?);
        let row = weights(from)?;
        if m == 0 || n == 0 || expected(m as usize, n as usize) != Some(row.len()) {
            return Err(from.error("a table by lengths has the wrong size"));
        }
        rows.insert((m, n), row);
    }
    Ok(rows)
}

impl Stored for Hmm {
    fn write(&self, out: &mut Encoder) {
        self.direction.write(out);
        self.table.write(out);
        out.f64s(&self.jumps);
        out.f64(self.params.null);
        out.f64(self.params.uniform);
        out.f64(self.params.floor);
        out.u64(self.params.max_length as u64);
        out.f64s(&self.log_likelihoods);
    }

    fn read(from: &mut Cursor<'_>) -> Result<Self> {
        let (direction, table, jumps) = (
            Direction::read(from)?,
            TranslationTable::read(from)?,
            weights(from)?,
        );
        if jumps.len() % 2 == 0 {
            return Err(from.error("jump weights have no middle"));
        }
        let params = HmmParams {
            max_jump: jumps.len() / 2,
            null: number(from, 0.0, 1.0)?,
            uniform: number(from, 0.0, 1.0)?,
            floor: number(from, 0.0, 1.0)?,
            max_length: size(from)?,
            ..HmmParams::default()
        };
        let log_likelihoods = from.f64s()?;
        Ok(Hmm {
            table,
            direction,
            jumps,
            params,
            log_likelihoods,
        })
    }
}

fn write_fertilities(row: &Fertilities, out: &mut Encoder) {
    row.iter().for_each(|&value| out.f64(value));
}

fn read_fertilities(from: &mut Cursor<'_>) -> Result<Fertilities> {
    let mut row = [0.0; MAX_FERTILITY + 1];
    for value in &mut row {
        *value = number(from, 0.0, 1.0)?;
    }
    Ok(row)
}

impl Stored for FertilityTable {
    fn write(&self, out: &mut Encoder) {
        write_fertilities(&self.all, out);
        out.u64(self.rows.len() as u64);
        self.rows.iter().for_each(|row| write_fertilities(row, out));
    }

    fn read(from: &mut Cursor<'_>) -> Result<Self> {
        let all = read_fertilities(from)?;
        let mut rows = Vec::new();
        for _ in 0..from.u64()? {
            rows.push(read_fertilities(from)?);
        }
        Ok(FertilityTable { rows, all })
    }
}

impl Stored for Places {
    fn write(&self, out: &mut Encoder) {
        out.f64s(&self.diagonal);
        write_by_lengths(&self.by_lengths, out);
    }

    fn read(from: &mut Cursor<'_>) -> Result<Self> {
        let diagonal = weights(from)?;
        if diagonal.len() != Places::zeros().diagonal.len() {
            return Err(from.error("the diagonal has the wrong size"));
        }
        Ok(Places {
            by_lengths: read_by_lengths(from, usize::checked_mul)?,
            diagonal,
        })
    }
}

impl Stored for WordClasses {
    fn write(&self, out: &mut Encoder) {
        out.u8s(self.as_slice());
    }

    fn read(from: &mut Cursor<'_>) -> Result<Self> {
        Ok(WordClasses::new(from.u8s()?))
    }
}

impl Stored for Model34 {
    fn write(&self, out: &mut Encoder) {
        self.hmm.write(out);
        self.table.write(out);
        self.fertility.write(out);
        self.places.write(out);
        self.classes.source.write(out);
        self.classes.target.write(out);
        out.u8(u8::from(self.distances.is_some()));
        if let Some(distances) = &self.distances {
            for row in distances.rows() {
                out.f64s(row);
            }
        }
        out.f64(self.null);
        out.f64(self.params.floor);
        out.u64(self.params.max_length as u64);
        out.f64s(&self.log_likelihoods);
    }

    fn read(from: &mut Cursor<'_>) -> Result<Self> {
        let (hmm, table) = (Hmm::read(from)?, TranslationTable::read(from)?);
        let (fertility, places) = (FertilityTable::read(from)?, Places::read(from)?);
        let classes = BothClasses {
            source: WordClasses::read(from)?,
            target: WordClasses::read(from)?,
        };
        let four = from.u8()? != 0;
        let distances = if four {
            Some(read_distances(from, &hmm, &classes)?)
        } else {
            None
        };
        let null = number(from, 0.0, 1.0)?;
        let (floor, max_length) = (number(from, 0.0, 1.0)?, size(from)?);
        let params = Model34Params {
            floor,
            max_length,
            ..Model34Params::default()
        };
        let log_likelihoods = from.f64s()?;
        Ok(Model34 {
            hmm,
            table,
            fertility,
            places,
            distances,
            classes,
            null,
            params,
            log_likelihoods,
        })
    }
}

fn read_distances(from: &mut Cursor<'_>, hmm: &Hmm, classes: &BothClasses) -> Result<Distances> {
    let (own, other) = match hmm.direction {
        Direction::SourceGivenTarget => (&classes.source, &classes.target),
        Direction::TargetGivenSource => (&classes.target, &classes.source),
    };
    let mut distances = Distances::zeros(other.count(), own.count());
    for row in distances.rows_mut() {
        let values = from.f64s()?;
        if values.len() != row.len() || values.iter().any(|value| value.is_nan() || *value > 0.0) {
            return Err(from.error("distances have the wrong size or are no logarithms"));
        }
        *row = values;
    }
    Ok(distances)
}
