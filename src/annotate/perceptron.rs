//! The averaged perceptron in training (Collins 2002): sparse features, dense classes, whole numbers.

use std::collections::BTreeMap;

const EMPTY: u32 = u32::MAX;

/// Key → row, open addressing on the key's top bits. Rows are numbered in the order of arrival.
#[derive(Debug)]
struct Rows {
    slots: Vec<(u32, u32)>,
    shift: u32,
    keys: Vec<u32>,
}

impl Rows {
    fn new() -> Self {
        Rows {
            slots: vec![(0, EMPTY); 1 << 16],
            shift: 16,
            keys: Vec::new(),
        }
    }

    #[inline]
    fn slot(&self, key: u32) -> usize {
        let mut at = (key >> self.shift) as usize;
        loop {
            let (found, row) = self.slots[at];
            if row == EMPTY || found == key {
                return at;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    #[inline]
    fn get(&self, key: u32) -> Option<usize> {
        let row = self.slots[self.slot(key)].1;
        (row != EMPTY).then_some(row as usize)
    }

    fn insert(&mut self, key: u32) -> usize {
        if let Some(row) = self.get(key) {
            return row;
        }
        if (self.keys.len() + 1) * 2 > self.slots.len() && self.shift > 1 {
            self.grow();
        }
        let row = self.keys.len();
        let at = self.slot(key);
        self.slots[at] = (key, row as u32);
        self.keys.push(key);
        row
    }

    fn grow(&mut self) {
        self.shift -= 1;
        self.slots = vec![(0, EMPTY); self.slots.len() * 2];
        for row in 0..self.keys.len() {
            let at = self.slot(self.keys[row]);
            self.slots[at] = (self.keys[row], row as u32);
        }
    }
}

/// Averaged weights: for each key and class the sum of the weight over all steps. Sums of several runs
/// may be added, which is an ensemble of them.
pub(crate) type Averages = BTreeMap<u32, Vec<(u8, f64)>>;

/// A multi-class perceptron in training.
#[derive(Debug)]
pub(crate) struct Perceptron {
    classes: usize,
    rows: Rows,
    weights: Vec<i32>,
    /// Σ change × step, from which the average follows without touching every weight at every step.
    lags: Vec<i64>,
    step: i64,
}

impl Perceptron {
    /// All weights 0.
    pub(crate) fn new(classes: usize) -> Self {
        Perceptron {
            classes,
            rows: Rows::new(),
            weights: Vec::new(),
            lags: Vec::new(),
            step: 0,
        }
    }

    /// Adds the features' weights to `scores`, one a class.
    #[inline]
    pub(crate) fn score(&self, features: &[u32], scores: &mut [i32]) {
        for &key in features {
            if let Some(row) = self.rows.get(key) {
                let weights = &self.weights[row * self.classes..(row + 1) * self.classes];
                for (score, weight) in scores.iter_mut().zip(weights) {
                    *score += weight;
                }
            }
        }
    }

    /// Changes the weights of a class.
    pub(crate) fn update(&mut self, features: &[u32], class: usize, change: i32) {
        for &key in features {
            let row = self.rows.insert(key);
            let at = row * self.classes + class;
            let needed = (row + 1) * self.classes;
            if self.weights.len() < needed {
                self.weights.resize(needed, 0);
                self.lags.resize(needed, 0);
            }
            self.weights[at] += change;
            self.lags[at] += i64::from(change) * self.step;
        }
    }

    /// Ends a step of the average.
    pub(crate) fn tick(&mut self) {
        self.step += 1;
    }

    /// Adds this run's averages, each weight divided by the number of steps.
    pub(crate) fn average_into(&self, averages: &mut Averages) {
        let steps = self.step.max(1);
        for (row, &key) in self.rows.keys.iter().enumerate() {
            let sums = (0..self.classes).filter_map(|class| {
                let at = row * self.classes + class;
                let sum = i64::from(self.weights[at]) * steps - self.lags[at];
                (sum != 0).then_some((class as u8, sum as f64 / steps as f64))
            });
            let mut sums: Vec<_> = sums.collect();
            if sums.is_empty() {
                continue;
            }
            let entry = averages.entry(key).or_default();
            for (class, sum) in sums.drain(..) {
                match entry.binary_search_by_key(&class, |&(class, _)| class) {
                    Ok(at) => entry[at].1 += sum,
                    Err(at) => entry.insert(at, (class, sum)),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_average_is_the_mean_over_steps() {
        let mut model = Perceptron::new(2);
        model.tick();
        model.update(&[7], 1, 3); // stands for steps 2 and 3 of 4
        model.tick();
        model.tick();
        model.update(&[7], 1, -1); // 2 in step 4
        model.tick();
        let mut averages = Averages::new();
        model.average_into(&mut averages);
        assert_eq!(averages[&7], [(1, (0.0 + 3.0 + 3.0 + 2.0) / 4.0)]);
        let mut scores = [0; 2];
        model.score(&[7, 8], &mut scores);
        assert_eq!(scores, [0, 2]);
    }

    #[test]
    fn rows_survive_growth() {
        let mut model = Perceptron::new(1);
        let keys: Vec<u32> = (0..100_000u32)
            .map(|i| i.wrapping_mul(2_654_435_761))
            .collect();
        for &key in &keys {
            model.update(&[key], 0, (key & 255) as i32);
        }
        for &key in &keys {
            let mut score = [0];
            model.score(&[key], &mut score);
            assert_eq!(score[0], (key & 255) as i32);
        }
    }
}
