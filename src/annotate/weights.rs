//! Trained weights: pruned to a number of features, and in tables of fixed buckets, 8 bits each.

use super::perceptron::Averages;
use super::presence::Presence;

/// Largest magnitude of a stored weight.
const FULL_SCALE: f64 = 2047.0;

/// Weights up to this say too little to be kept.
const FLOOR: u16 = 8;

/// Weights are rounded to this, which makes them bytes in memory: smaller tables miss fewer cache lines,
/// which is where the time goes, and the sums lose next to nothing.
pub(crate) const UNIT: i16 = 16;

/// A weight in units.
pub(crate) fn shrunk(weight: i16) -> i8 {
    let half = UNIT / 2 * weight.signum();
    (weight.saturating_add(half) / UNIT).clamp(-127, 127) as i8
}

/// Features that fall to one bucket of a table of so many: keys within 2¹⁶ of each other, so that their
/// lower halves tell them apart.
fn bucket_count(rows: &Rows, each: usize) -> u32 {
    (rows.len() / each).clamp(1 << 16, 1 << 28) as u32
}

#[inline]
fn bucket_of(key: u32, count: u32) -> usize {
    ((u64::from(key) * u64::from(count)) >> 32) as usize
}

/// Four features in half a cache line.
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

/// Weights of 0 for classes that no model has, each its own, so that adding them waits for nothing.
const NOTHING: [Small; BLOCK] = [(252, 0), (253, 0), (254, 0), (255, 0)];

/// Look-ups that are under way at a time.
const BATCH: usize = 32;

/// A class and its weight, as in the file and as in memory.
type Entry = (u8, i16);
type Small = (u8, i8);

/// Feature key → weights of a few classes. Where more than four features fall into one bucket, the
/// weakest are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    presence: Presence,
    buckets: Vec<Slots>,
    /// Entries of a feature, filled up with weights of 0; block 0 is for unknown features.
    blocks: Vec<[Small; BLOCK]>,
}

/// The rows of a table in the order of their keys: key and (class, weight) entries.
pub(crate) type Rows = Vec<(u32, Vec<(u8, i16)>)>;

impl Weights {
    /// The `features` features with the largest weights, ties by key, scaled to 12 bits and a sign and
    /// rounded to units.
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
            let telling = entries.filter(|entry: &Entry| entry.1.unsigned_abs() > FLOOR);
            let rounded = telling.map(|(class, weight)| (class, i16::from(shrunk(weight)) * UNIT));
            (key, rounded.collect())
        });
        rows.filter(|row: &(u32, Vec<_>)| !row.1.is_empty())
            .collect()
    }

    /// A table of rows with different keys.
    pub(crate) fn new(rows: &Rows) -> Self {
        let count = bucket_count(rows, 2);
        let mut table = Weights {
            presence: Presence::new(rows.len(), rows.iter().map(|row| row.0)),
            buckets: vec![Slots::default(); count as usize],
            blocks: vec![NOTHING],
        };
        for (key, row) in by_strength(rows) {
            let bucket = &mut table.buckets[bucket_of(*key, count)];
            let Some(free) = bucket.count.iter().position(|&count| count == 0) else {
                continue;
            };
            bucket.keys[free] = *key as u16;
            bucket.first[free] = table.blocks.len() as u32;
            for entries in row.chunks(BLOCK) {
                let mut block = NOTHING;
                for (small, &(class, weight)) in block.iter_mut().zip(entries) {
                    *small = (class, shrunk(weight));
                }
                table.blocks.push(block);
                bucket.count[free] += 1;
            }
        }
        table
    }

    /// Adds the features' weights to `scores`, which has a place for every number below 256. What
    /// `features` holds afterwards means nothing.
    ///
    /// Most of the time goes into waiting for memory, so look-ups come first, many at a time and without
    /// branches, then what they found.
    #[inline]
    pub(crate) fn score(&self, features: &mut [u32], scores: &mut Scores) {
        let known = self.presence.sift(features);
        for some in features[..known].chunks(BATCH) {
            let mut rows = [(0u32, 0u8); BATCH + 1];
            let mut found = 0;
            for &key in some {
                rows[found] = self.row(key);
                found += usize::from(rows[found].1 > 0);
            }
            let mut long = [(0u32, 0u8); BATCH + 1];
            let mut more = 0;
            for &(first, count) in &rows[..found] {
                self.add(first as usize, scores);
                long[more] = (first, count);
                more += usize::from(count > 1);
            }
            for &(first, count) in &long[..more] {
                for block in 1..usize::from(count) {
                    self.add(first as usize + block, scores);
                }
            }
        }
    }

    /// First block and number of blocks of a feature; 0 blocks for an unknown one.
    #[inline]
    fn row(&self, key: u32) -> (u32, u8) {
        let place = bucket_of(key, self.buckets.len() as u32);
        let Some(bucket) = self.buckets.get(place) else {
            return (0, 0);
        };
        let (slot, hit) = slot(bucket.keys, key);
        (bucket.first[slot], bucket.count[slot] & hit as u8)
    }

    #[inline]
    fn add(&self, block: usize, scores: &mut Scores) {
        if let Some(block) = self.blocks.get(block) {
            for &(class, weight) in block {
                scores[usize::from(class)] += i32::from(weight);
            }
        }
    }
}

/// The first slot that has the lower half of a key, 0 if none has; and a mask that is all ones if there
/// is one, else 0. Slots are filled from the first, so that empty ones come after.
#[inline]
fn slot<const SLOTS: usize>(keys: [u16; SLOTS], key: u32) -> (usize, i32) {
    let mut hits = 0u32;
    for (at, slot) in keys.into_iter().enumerate() {
        hits |= u32::from(slot == key as u16) << at;
    }
    let none = u32::from(hits == 0);
    // Without a hit the lowest bit is set: slot 0.
    ((hits | none).trailing_zeros() as usize, none as i32 - 1)
}

/// A score for every class that a byte can name.
pub(crate) type Scores = [i32; 256];

/// The strongest features first, ties by key.
fn by_strength(rows: &Rows) -> impl Iterator<Item = &(u32, Vec<Entry>)> {
    let strength = |row: &[Entry]| row.iter().map(|w| w.1.unsigned_abs()).max();
    let mut order: Vec<&(u32, Vec<Entry>)> = rows.iter().collect();
    order.sort_by_key(|row| (std::cmp::Reverse(strength(&row.1)), row.0));
    order.into_iter()
}

/// Six features in half a cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Bucket {
    keys: [u16; 6],
    weights: [[i8; MOVES]; 6],
}

const MOVES: usize = 3;

/// The parser's weights of its three moves. Buckets are looked up without branches; where more than six
/// features fall into one bucket, the weakest are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct MoveWeights {
    presence: Presence,
    buckets: Vec<Bucket>,
}

impl MoveWeights {
    /// A table of rows.
    pub(crate) fn new(rows: &Rows) -> Self {
        let count = bucket_count(rows, 3);
        let mut table = MoveWeights {
            presence: Presence::new(rows.len(), rows.iter().map(|row| row.0)),
            buckets: vec![Bucket::default(); count as usize],
        };
        for (key, row) in by_strength(rows) {
            let bucket = &mut table.buckets[bucket_of(*key, count)];
            let free = (bucket.weights.iter()).position(|weights| *weights == [0; MOVES]);
            let Some(free) = free else { continue };
            bucket.keys[free] = *key as u16;
            for &(class, weight) in row {
                if let Some(slot) = bucket.weights[free].get_mut(usize::from(class)) {
                    *slot = shrunk(weight);
                }
            }
        }
        table
    }

    /// Adds the features' weights to the scores. What `features` holds afterwards means nothing.
    #[inline]
    pub(crate) fn score(&self, features: &mut [u32], scores: &mut [i32; MOVES]) {
        let known = self.presence.sift(features);
        let mut sum = [0; MOVES];
        for &key in features.iter().take(known) {
            let place = bucket_of(key, self.buckets.len() as u32);
            let Some(bucket) = self.buckets.get(place) else {
                continue;
            };
            let (slot, hit) = slot(bucket.keys, key);
            for (sum, weight) in sum.iter_mut().zip(bucket.weights[slot]) {
                *sum += i32::from(weight) & hit;
            }
        }
        for (score, sum) in scores.iter_mut().zip(sum) {
            *score += sum;
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
                row.iter().for_each(|w| expected[usize::from(w.0)] = shrunk(w.1).into());
                table.score(&mut [*key], &mut scores);
                prop_assert_eq!(scores, expected);
            }
            let mut scores = [0; 256];
            if !averages.contains_key(&absent) {
                table.score(&mut [absent], &mut scores);
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
                row.iter().for_each(|w| expected[usize::from(w.0)] = shrunk(w.1).into());
                table.score(&mut [*key], &mut scores);
                prop_assert_eq!(scores, expected);
            }
            let mut scores = [0; 3];
            if !averages.contains_key(&absent) {
                table.score(&mut [absent], &mut scores);
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
        assert_eq!(rows[2].1, [(0, 127 * UNIT)]);
        assert!(Weights::freeze(&Averages::new(), 3).is_empty());
    }
}
