//! Fewer distinct values: each within a known distance of the true one.

use super::{ParaphraseTable, Parts};
use crate::error::Result;

impl ParaphraseTable {
    /// The same rules with at most `levels` distinct values of each feature, and for each feature how far
    /// any value is from the true one at most. That distance is the least that is possible, up to
    /// rounding: intervals of equal width cover the values greedily from below, and each value becomes
    /// the middle of its interval. Order among the rules stays as it is. 256 levels save as a byte a
    /// value, 65,536 as two.
    ///
    /// # Errors
    /// None for a table that exists; the result is checked as any table is.
    pub fn quantized(&self, levels: usize) -> Result<(Self, Vec<f32>)> {
        let width = self.0.features.len();
        let mut values = self.0.values.clone();
        let mut errors = Vec::new();
        for feature in 0..width {
            let mut distinct: Vec<f32> = values
                .iter()
                .skip(feature)
                .step_by(width)
                .copied()
                .collect();
            distinct.sort_unstable_by(f32::total_cmp);
            distinct.dedup();
            let (starts, middles) = cover(&distinct, levels.max(1));
            let mut worst = 0f32;
            for value in values.iter_mut().skip(feature).step_by(width) {
                let at = starts.partition_point(|start| start <= value) - 1;
                worst = worst.max((*value - middles[at]).abs());
                *value = middles[at];
            }
            errors.push(worst);
        }
        let parts = Parts {
            values,
            ..self.0.clone()
        };
        Ok((ParaphraseTable::from_parts(parts)?, errors))
    }
}

/// The least values and the middles of at most `levels` intervals that cover sorted values.
fn cover(distinct: &[f32], levels: usize) -> (Vec<f32>, Vec<f32>) {
    let (Some(&first), Some(&last)) = (distinct.first(), distinct.last()) else {
        return (Vec::new(), Vec::new());
    };
    let mut narrow = 0f64;
    if intervals(distinct, narrow).len() > levels {
        // Bisect for the least width with few enough intervals; one interval of all, and a little for
        // rounding, is wide enough.
        let mut wide = (f64::from(last) - f64::from(first)) * (1.0 + 1e-9);
        for _ in 0..60 {
            let middle = (narrow + wide) / 2.0;
            match intervals(distinct, middle).len() > levels {
                true => narrow = middle,
                false => wide = middle,
            }
        }
        narrow = wide;
    }
    let bounds = intervals(distinct, narrow);
    let middle = |&(low, high): &(f32, f32)| ((f64::from(low) + f64::from(high)) / 2.0) as f32;
    (
        bounds.iter().map(|bounds| bounds.0).collect(),
        bounds.iter().map(middle).collect(),
    )
}

/// Least and greatest value of each interval.
fn intervals(distinct: &[f32], width: f64) -> Vec<(f32, f32)> {
    let mut bounds = Vec::new();
    let mut rest = distinct;
    while let Some(&low) = rest.first() {
        let reach = f64::from(low) + width;
        let count = rest
            .partition_point(|&value| f64::from(value) <= reach)
            .max(1);
        bounds.push((low, rest[count - 1]));
        rest = &rest[count..];
    }
    bounds
}
