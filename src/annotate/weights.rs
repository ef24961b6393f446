//! Trained weights: pruned to a number of features, 16 bits each, in an open-addressing table.

use super::perceptron::Averages;
use pgen_core::{Error, Result};

/// Largest magnitude of a stored weight.
const FULL_SCALE: f64 = 2047.0;

#[derive(Clone, Copy, Default, Debug)]
struct Slot {
    key: u32,
    /// `first entry << 8 | number of entries`; 0 is an empty slot.
    at: u32,
}

/// Feature key → weights of a few classes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    slots: Vec<Slot>,
    shift: u32,
    /// `class << 16 | weight as u16`
    entries: Vec<u32>,
}

/// The rows of a table in the order of their keys: key and (class, weight) entries.
pub(crate) type Rows = Vec<(u32, Vec<(u8, i16)>)>;

impl Weights {
    /// The `features` features with the largest weights, ties by key, scaled to 12 bits and a sign.
    pub(crate) fn freeze(averages: &Averages, features: usize) -> Rows {
        let peak = |row: &[(u8, f64)]| row.iter().fold(0.0f64, |m, w| m.max(w.1.abs()));
        let mut order: Vec<(f64, u32)> = averages.iter().map(|(&k, r)| (peak(r), k)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.truncate(features);
        let scale = order.first().map_or(1.0, |top| FULL_SCALE / top.0);
        let mut keys: Vec<u32> = order.into_iter().map(|(_, key)| key).collect();
        keys.sort_unstable();
        let rows = keys.into_iter().map(|key| {
            let entries = averages[&key].iter();
            let entries = entries.map(|&(class, weight)| (class, (weight * scale).round() as i16));
            (key, entries.filter(|entry| entry.1 != 0).collect())
        });
        rows.filter(|row: &(u32, Vec<_>)| !row.1.is_empty())
            .collect()
    }

    /// A table of rows with ascending keys and at most 255 entries each.
    ///
    /// # Errors
    /// [`Error::Corrupt`] otherwise.
    pub(crate) fn new(rows: &Rows) -> Result<Self> {
        let entries = rows.iter().map(|row| row.1.len()).sum::<usize>();
        let ascending = rows.windows(2).all(|w| w[0].0 < w[1].0);
        let fit = rows.iter().all(|row| (1..256).contains(&row.1.len()));
        if !ascending || !fit || entries >= 1 << 24 {
            return Err(Error::corrupt("weights", "rows out of order or too many"));
        }
        let capacity = (rows.len() * 5 / 3).next_power_of_two().max(2);
        let mut table = Weights {
            slots: vec![Slot::default(); capacity],
            shift: 32 - capacity.trailing_zeros(),
            entries: Vec::with_capacity(entries),
        };
        for (key, row) in rows {
            let at = ((table.entries.len() as u32) << 8) | row.len() as u32;
            table.place(Slot { key: *key, at });
            let packed = row
                .iter()
                .map(|&(class, weight)| (u32::from(class) << 16) | u32::from(weight as u16));
            table.entries.extend(packed);
        }
        Ok(table)
    }

    fn place(&mut self, slot: Slot) {
        let mut at = (slot.key >> self.shift) as usize;
        while self.slots[at].at != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = slot;
    }

    /// Adds the features' weights to `scores`, one a class.
    #[inline]
    pub(crate) fn score(&self, features: &[u32], scores: &mut [i32]) {
        for &key in features {
            let mut at = (key >> self.shift) as usize;
            loop {
                let Some(slot) = self.slots.get(at) else {
                    break;
                };
                if slot.at == 0 {
                    break;
                }
                if slot.key == key {
                    let first = (slot.at >> 8) as usize;
                    let last = first + (slot.at & 255) as usize;
                    for &entry in self.entries.get(first..last).unwrap_or(&[]) {
                        if let Some(score) = scores.get_mut((entry >> 16) as usize) {
                            *score += i32::from(entry as u16 as i16);
                        }
                    }
                    break;
                }
                at = (at + 1) & (self.slots.len() - 1);
            }
        }
    }
}

/// Four features in half a cache line. The index of the bucket is the key's upper half or more, so its
/// lower half tells the features of a bucket apart.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Bucket {
    keys: [u16; 4],
    weights: [[i16; 4]; MOVES],
}

const MOVES: usize = 3;

/// Fewest buckets, as a power of two: the upper half of a key.
const INDEX_BITS: u32 = 16;

/// The parser's weights of its three moves. Buckets are looked up without branches; where more than four
/// features fall into one bucket, the weakest are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct MoveWeights {
    buckets: Vec<Bucket>,
    shift: u32,
}

impl MoveWeights {
    /// A table of rows.
    pub(crate) fn new(rows: &Rows) -> Self {
        let bits = (rows.len() / 2)
            .next_power_of_two()
            .trailing_zeros()
            .max(INDEX_BITS);
        let mut table = MoveWeights {
            buckets: vec![Bucket::default(); 1 << bits],
            shift: 32 - bits,
        };
        let strength = |row: &[(u8, i16)]| row.iter().map(|w| w.1.unsigned_abs()).max();
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&at| (std::cmp::Reverse(strength(&rows[at].1)), at));
        for (key, row) in order.into_iter().map(|at| &rows[at]) {
            let bucket = &mut table.buckets[(key >> table.shift) as usize];
            let free = (0..4).find(|&i| bucket.weights.iter().all(|weights| weights[i] == 0));
            let Some(free) = free else { continue };
            bucket.keys[free] = *key as u16;
            for &(class, weight) in row {
                if let Some(weights) = bucket.weights.get_mut(usize::from(class)) {
                    weights[free] = weight;
                }
            }
        }
        table
    }

    /// Adds the features' weights to the scores.
    #[inline]
    pub(crate) fn score(&self, features: &[u32], scores: &mut [i32; MOVES]) {
        for &key in features {
            let Some(bucket) = self.buckets.get((key >> self.shift) as usize) else {
                continue;
            };
            for i in 0..4 {
                let hit = -i32::from(bucket.keys[i] == key as u16);
                for (score, weights) in scores.iter_mut().zip(&bucket.weights) {
                    *score += i32::from(weights[i]) & hit;
                }
            }
        }
    }
}
