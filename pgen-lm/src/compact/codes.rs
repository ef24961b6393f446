//! Numbers as codes: exact, or the nearest of a few values.

use super::bits::Packed;
use crate::fast::round;
use pgen_core::Result;
use pgen_core::codec::{Cursor, Encoder};

/// Values as codes into a table, or their own bits where a table would not pay.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Codes {
    codes: Packed,
    /// Empty: codes are the bits of f32 values.
    table: Vec<f32>,
}

impl Codes {
    /// Keeps every value as f32.
    pub(crate) fn exact(values: &[f64]) -> Self {
        let bits: Vec<u32> = values.iter().map(|&value| round(value).to_bits()).collect();
        let mut table = bits.clone();
        table.sort_unstable();
        table.dedup();
        let code_bits = 32 - (table.len() as u32).leading_zeros() as usize;
        if 32 * table.len() + code_bits * bits.len() >= 32 * bits.len() {
            return Codes {
                codes: Packed::new(&bits),
                table: Vec::new(),
            };
        }
        let codes: Vec<u32> = bits
            .iter()
            .map(|bits| table.partition_point(|known| known < bits) as u32)
            .collect();
        Codes {
            codes: Packed::new(&codes),
            table: table.into_iter().map(f32::from_bits).collect(),
        }
    }

    /// The nearest of 2^bits values chosen to make the squared error small (Lloyd 1982). 0 and −∞ stay as
    /// they are.
    pub(crate) fn quantized(values: &[f64], bits: u32) -> Self {
        let mut sorted: Vec<f64> = values
            .iter()
            .copied()
            .filter(|&v| v.is_finite() && v != 0.0)
            .collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let mut table: Vec<f32> = Vec::new();
        if values.contains(&f64::NEG_INFINITY) {
            table.push(f32::NEG_INFINITY);
        }
        if values.contains(&0.0) {
            table.push(0.0);
        }
        let room = (1usize << bits).saturating_sub(table.len()).max(1);
        table.extend(centers(&sorted, room).into_iter().map(round));
        table.sort_unstable_by(f32::total_cmp);
        table.dedup();
        let codes: Vec<u32> = values.iter().map(|&value| nearest(&table, value)).collect();
        Codes {
            codes: Packed::new(&codes),
            table,
        }
    }

    /// Asks for the code at a position.
    #[inline]
    pub(crate) fn ask(&self, at: usize) {
        self.codes.ask(at);
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> f32 {
        let code = self.codes.get(at);
        if self.table.is_empty() {
            return f32::from_bits(code);
        }
        self.table.get(code as usize).copied().unwrap_or(0.0)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.codes.bytes() + 4 * self.table.len()
    }

    pub(crate) fn write(&self, out: &mut Encoder) {
        self.codes.write(out);
        out.f32s(&self.table);
    }

    pub(crate) fn read(cursor: &mut Cursor<'_>, length: usize) -> Result<Self> {
        let codes = Packed::read(cursor)?;
        let table = cursor.f32s()?;
        if codes.len() != length {
            return Err(cursor.error("there are not as many values as n-grams"));
        }
        let read = Codes { codes, table };
        let legal = |value: f32| !value.is_nan() && value < 1e5;
        let known =
            |at: usize| read.table.is_empty() || (read.codes.get(at) as usize) < read.table.len();
        if !(0..length).all(|at| known(at) && legal(read.get(at))) {
            return Err(cursor.error("a value is no logarithm"));
        }
        Ok(read)
    }
}

fn nearest(table: &[f32], value: f64) -> u32 {
    let above = table.partition_point(|&known| f64::from(known) < value);
    let distance = |at: usize| {
        table
            .get(at)
            .map_or(f64::INFINITY, |&known| (f64::from(known) - value).abs())
    };
    let exact = table
        .get(above)
        .is_some_and(|&known| f64::from(known) == value);
    if exact || above == 0 || distance(above) < distance(above - 1) {
        above.min(table.len() - 1) as u32
    } else {
        above as u32 - 1
    }
}

/// Means of up to `many` groups of ascending values: at first of equal size, then each value joins the
/// nearest mean.
fn centers(sorted: &[f64], many: usize) -> Vec<f64> {
    const ROUNDS: usize = 20;
    let mut distinct = sorted.to_vec();
    distinct.dedup();
    if distinct.len() <= many {
        return distinct;
    }
    let mut sums = vec![0.0];
    for value in sorted {
        sums.push(sums[sums.len() - 1] + value);
    }
    let mut bounds: Vec<usize> = (0..=many).map(|at| at * sorted.len() / many).collect();
    let mean = |from: usize, to: usize| (sums[to] - sums[from]) / (to - from) as f64;
    let mut centers: Vec<f64> = Vec::new();
    for _ in 0..ROUNDS {
        let groups = bounds.windows(2).filter(|pair| pair[0] < pair[1]);
        centers = groups.map(|pair| mean(pair[0], pair[1])).collect();
        let middles = centers
            .windows(2)
            .map(|pair| f64::midpoint(pair[0], pair[1]));
        bounds = std::iter::once(0)
            .chain(middles.map(|middle| sorted.partition_point(|&value| value < middle)))
            .chain([sorted.len()])
            .collect();
    }
    centers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantized_values_are_near_and_exact_ones_equal() {
        let values: Vec<f64> = (0..5000)
            .map(|at| {
                if at % 50 == 0 {
                    0.0
                } else {
                    -f64::from(at).sqrt() / 7.0
                }
            })
            .chain([f64::NEG_INFINITY])
            .collect();
        let coarse = Codes::quantized(&values, 8);
        let exact = Codes::exact(&values);
        for (at, &value) in values.iter().enumerate() {
            assert_eq!(exact.get(at), round(value));
            let got = f64::from(coarse.get(at));
            assert!(got == value || (got - value).abs() < 0.15, "{got} {value}");
            assert!(value != 0.0 || got == 0.0);
        }
        assert!(coarse.bytes() < exact.bytes());
    }

    #[test]
    fn few_values_are_kept_as_they_are() {
        let values = [-1.5, -0.25, -1.5, 0.0];
        let codes = Codes::quantized(&values, 4);
        for (at, &value) in values.iter().enumerate() {
            assert_eq!(f64::from(codes.get(at)), value);
        }
    }
}
