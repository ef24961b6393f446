//! Log probabilities and back-off weights in files: exact f32, or codes of equal steps.

use super::has_children;
use crate::fast::round;
use crate::ngrams::Level;
use pgen_core::codec::{Cursor, Encoder};
use pgen_core::{Error, Result};

/// Values below this (ln) share a code: `<s>`'s −99 must not stretch the steps.
const LOWEST: f32 = -45.0;

/// How a plane is stored.
const EXACT: u8 = 0;
const CODES: u8 = 1;
/// As the two before, of nodes with next words only; the others' weights are 1.
const SPARSE: u8 = 2;

pub(super) fn write(level: &Level, highest: bool, bits: Option<u8>, out: &mut Encoder) {
    let log_probs: Vec<f32> = level.log_probs.iter().map(|&ln| round(ln)).collect();
    plane(&log_probs, 0, bits, out);
    if highest {
        return;
    }
    let back_offs = level.backoffs.iter().map(|&ln| round(ln)).enumerate();
    let sparse = back_offs
        .clone()
        .all(|(node, ln)| ln == 0.0 || has_children(level, node));
    let back_offs: Vec<f32> = back_offs
        .filter(|&(node, _)| !sparse || has_children(level, node))
        .map(|(_, ln)| ln)
        .collect();
    plane(&back_offs, if sparse { SPARSE } else { 0 }, bits, out);
}

/// Codes are steps of equal size, each standing for the mean of its values: what packing makes small.
fn plane(values: &[f32], sparse: u8, bits: Option<u8>, out: &mut Encoder) {
    let Some(bits) = bits else {
        out.u8(EXACT | sparse);
        out.f32s(values);
        return;
    };
    out.u8(CODES | sparse);
    let inner = || values.iter().copied().filter(|&v| v > LOWEST && v != 0.0);
    let least = inner().fold(f32::INFINITY, f32::min);
    let most = inner().fold(f32::NEG_INFINITY, f32::max);
    // Codes 0 and 1 are exactly 0 and what lies below the steps.
    let steps = (1u32 << bits) - 2;
    let width = ((most - least) / (steps - 1).max(1) as f32).max(f32::MIN_POSITIVE);
    let code = |value: f32| match value {
        0.0 => 0,
        v if v <= LOWEST => 1,
        v => 2 + (((v - least) / width).round() as u32).min(steps - 1),
    };
    let mut sums = vec![(0.0f64, 0u64); 1 << bits];
    for &value in values {
        let sum = &mut sums[code(value) as usize];
        *sum = (sum.0 + f64::from(value), sum.1 + 1);
    }
    let means = sums.iter().map(|&(sum, count)| match count {
        0 => 0.0,
        count => round(sum / count as f64),
    });
    out.f32s(&means.collect::<Vec<f32>>());
    out.u8s(
        &values
            .iter()
            .map(|&value| code(value) as u8)
            .collect::<Vec<u8>>(),
    );
}

/// The numbers of a level as read.
pub(super) struct Planes {
    log_probs: Vec<f64>,
    back_offs: Vec<f64>,
    sparse: bool,
}

impl Planes {
    /// Checks that there are as many numbers as n-grams, and that all are logarithms.
    pub(super) fn read(input: &mut Cursor<'_>, count: u64, highest: bool) -> Result<Self> {
        let (log_probs, sparse) = read_plane(input)?;
        if sparse || log_probs.len() as u64 != count {
            return Err(input.error("there are not as many probabilities as n-grams"));
        }
        let (back_offs, sparse) = match highest {
            true => (Vec::new(), true),
            false => read_plane(input)?,
        };
        if !sparse && back_offs.len() as u64 != count {
            return Err(input.error("there are not as many back-off weights as n-grams"));
        }
        Ok(Planes {
            log_probs,
            back_offs,
            sparse,
        })
    }

    /// Puts the numbers into their level, whose shape is known.
    pub(super) fn fill(self, level: &mut Level) -> Result<()> {
        level.log_probs = self.log_probs;
        if !self.sparse {
            level.backoffs = self.back_offs;
            return Ok(());
        }
        let mut given = self.back_offs.into_iter();
        let mut short = false;
        let weights = (0..level.len()).map(|node| match has_children(level, node) {
            false => 0.0,
            true => given.next().unwrap_or_else(|| {
                short = true;
                0.0
            }),
        });
        level.backoffs = weights.collect();
        if short || given.next().is_some() {
            let reason = "there are not as many back-off weights as contexts";
            return Err(Error::corrupt("lm.values", reason));
        }
        Ok(())
    }
}

fn read_plane(input: &mut Cursor<'_>) -> Result<(Vec<f64>, bool)> {
    let kind = input.u8()?;
    let legal = |value: &f32| !value.is_nan() && *value < 1e5;
    let values = match kind & !SPARSE {
        EXACT => {
            let values = input.f32s()?;
            if !values.iter().all(legal) {
                return Err(input.error("a value is no logarithm"));
            }
            values.into_iter().map(f64::from).collect()
        }
        CODES => {
            let mut means: Vec<f64> = input.f32s()?.iter().copied().map(f64::from).collect();
            if means.len() > 256 || !means.iter().all(|&mean| legal(&(mean as f32))) {
                return Err(input.error("the table of values is wrong"));
            }
            let known = means.len();
            means.resize(256, 0.0);
            let codes = input.u8s()?;
            if codes.iter().any(|&code| usize::from(code) >= known) {
                return Err(input.error("a code has no value"));
            }
            codes.iter().map(|&code| means[usize::from(code)]).collect()
        }
        _ => return Err(input.error("the values are of an unknown kind")),
    };
    Ok((values, kind & SPARSE != 0))
}
