//! Trained weights: pruned to a number of features, 16 bits each, in an open-addressing table.

use super::perceptron::Averages;

/// Largest magnitude of a stored weight.
const FULL_SCALE: f64 = 2047.0;

/// Weights up to this say too little to be kept.
const FLOOR: u16 = 8;

/// Four features in half a cache line. The index of the bucket is the key's upper half or more, so its
/// lower half tells the features of a bucket apart.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Slots {
    keys: [u16; 4],
    /// First block of entries, from 1, and number of blocks.
    first: [u32; 4],
    count: [u8; 4],
}

/// Entries that are added at a time.
const BLOCK: usize = 4;

/// A class and its weight.
type Entry = (u8, i16);

/// Feature key → weights of a few classes. Where more than four features fall into one bucket, the
/// weakest are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    buckets: Vec<Slots>,
    shift: u32,
    /// Entries of a feature, filled up with weights of 0; block 0 is for unknown features.
    blocks: Vec<[Entry; BLOCK]>,
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
            (
                key,
                entries
                    .filter(|entry: &Entry| entry.1.unsigned_abs() > FLOOR)
                    .collect(),
            )
        });
        rows.filter(|row: &(u32, Vec<_>)| !row.1.is_empty())
            .collect()
    }

    /// A table of rows with different keys.
    pub(crate) fn new(rows: &Rows) -> Self {
        let bits = index_bits(rows);
        let mut table = Weights {
            buckets: vec![Slots::default(); 1 << bits],
            shift: 32 - bits,
            blocks: vec![[(0, 0); BLOCK]],
        };
        for (key, row) in by_strength(rows) {
            let bucket = &mut table.buckets[(key >> table.shift) as usize];
            let Some(free) = bucket.count.iter().position(|&count| count == 0) else {
                continue;
            };
            bucket.keys[free] = *key as u16;
            bucket.first[free] = table.blocks.len() as u32;
            for entries in row.chunks(BLOCK) {
                let mut block = [(0, 0); BLOCK];
                block[..entries.len()].copy_from_slice(entries);
                table.blocks.push(block);
                bucket.count[free] += 1;
            }
        }
        table
    }

    /// Adds the features' weights to `scores`, which has a place for every number below 256.
    #[inline]
    pub(crate) fn score(&self, features: &[u32], scores: &mut Scores) {
        for &key in features {
            let Some(bucket) = self.buckets.get((key >> self.shift) as usize) else {
                continue;
            };
            let (mut first, mut count) = (0, 0);
            for i in 0..4 {
                let hit = (bucket.keys[i] == key as u16 && bucket.count[i] > 0) as u32;
                first |= bucket.first[i] & hit.wrapping_neg();
                count |= bucket.count[i] & (hit as u8).wrapping_neg();
            }
            let (first, count) = (first as usize, usize::from(count));
            // The first block without a branch on whether the feature is known.
            let Some(block) = self.blocks.get(first) else {
                continue;
            };
            for &(class, weight) in block {
                scores[usize::from(class)] += i32::from(weight);
            }
            for block in self.blocks.get(first + 1..first + count).unwrap_or(&[]) {
                for &(class, weight) in block {
                    scores[usize::from(class)] += i32::from(weight);
                }
            }
        }
    }
}

/// A score for every class that a byte can name.
pub(crate) type Scores = [i32; 256];

/// As many buckets as give each two features or fewer, as a power of two.
fn index_bits(rows: &Rows) -> u32 {
    (rows.len() / 2)
        .next_power_of_two()
        .trailing_zeros()
        .max(INDEX_BITS)
}

/// The strongest features first, ties by key.
fn by_strength(rows: &Rows) -> impl Iterator<Item = &(u32, Vec<Entry>)> {
    let strength = |row: &[Entry]| row.iter().map(|w| w.1.unsigned_abs()).max();
    let mut order: Vec<&(u32, Vec<Entry>)> = rows.iter().collect();
    order.sort_by_key(|row| (std::cmp::Reverse(strength(&row.1)), row.0));
    order.into_iter()
}

/// Four features in half a cache line, told apart as in [`Slots`].
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
        let bits = index_bits(rows);
        let mut table = MoveWeights {
            buckets: vec![Bucket::default(); 1 << bits],
            shift: 32 - bits,
        };
        for (key, row) in by_strength(rows) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn averages() -> impl Strategy<Value = Averages> {
        let row = proptest::collection::btree_map(0u8..9, -50.0..50.0f64, 1..9);
        let row = row.prop_map(|row| row.into_iter().collect::<Vec<_>>());
        proptest::collection::btree_map(any::<u32>(), row, 1..60)
    }

    proptest! {
        #[test]
        fn tables_say_what_their_rows_say(averages in averages(), absent: u32) {
            let rows = Weights::freeze(&averages, 1000);
            let table = Weights::new(&rows);
            for (key, row) in &rows {
                let (mut expected, mut scores) = ([0; 256], [0; 256]);
                row.iter().for_each(|w| expected[usize::from(w.0)] = i32::from(w.1));
                table.score(&[*key], &mut scores);
                prop_assert_eq!(scores, expected);
            }
            let mut scores = [0; 256];
            if !averages.contains_key(&absent) {
                table.score(&[absent], &mut scores);
            }
            prop_assert_eq!(scores, [0; 256]);
        }

        #[test]
        fn move_tables_say_what_their_rows_say(averages in averages(), absent: u32) {
            let mut rows = Weights::freeze(&averages, 1000);
            rows.iter_mut().for_each(|row| row.1.retain(|w| w.0 < 3));
            rows.retain(|row| !row.1.is_empty());
            let table = MoveWeights::new(&rows);
            for (key, row) in &rows {
                let (mut expected, mut scores) = ([0; 3], [0; 3]);
                row.iter().for_each(|w| expected[usize::from(w.0)] = i32::from(w.1));
                table.score(&[*key], &mut scores);
                prop_assert_eq!(scores, expected);
            }
            let mut scores = [0; 3];
            if !averages.contains_key(&absent) {
                table.score(&[absent], &mut scores);
            }
            prop_assert_eq!(scores, [0; 3]);
        }
    }

    #[test]
    fn the_strongest_features_stay() {
        let averages: Averages = (0..10u32)
            .map(|key| (key, vec![(0, f64::from(key) + 1.0)]))
            .collect();
        let rows = Weights::freeze(&averages, 3);
        assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), [7, 8, 9]);
        assert_eq!(rows[2].1, [(0, FULL_SCALE as i16)]);
        assert!(Weights::freeze(&Averages::new(), 3).is_empty());
    }
}
