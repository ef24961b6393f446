//! What Models 3 and 4 (Brown et al. 1993, §4.4–4.5) share: fertilities, NULL insertion, and the search
//! for good alignments by moves and swaps.

use pgen_core::{Stop, WordId};

/// Largest fertility with a probability of its own.
pub(crate) const MAX_FERTILITY: usize = 10;
/// ln of the price of each word beyond the largest fertility, and of each NULL word too many: such
/// alignments are impossible, but the search must be able to leave them.
const FORBIDDEN: f64 = -50.0;
/// Most steps of a climb.
const MAX_STEPS: usize = 200;
/// Differences of ln P that are taken for none.
const ROUNDING: f64 = 1e-9;

/// Fertility probabilities of one word.
pub(crate) type Fertilities = [f64; MAX_FERTILITY + 1];

/// Where the words of each cept may stand: the part in which Models 3 and 4 differ.
pub(crate) trait Placement {
    /// ln of all distortion probabilities of an alignment (`a[j]` = 0 is NULL).
    fn log(&self, a: &[u32]) -> f64;

    /// Change of [`Self::log`] when word `j` goes from its place to `to`.
    fn log_of_move(&self, a: &mut [u32], before: f64, j: usize, to: u32) -> f64 {
        let from = std::mem::replace(&mut a[j], to);
        let change = self.log(a) - before;
        a[j] = from;
        change
    }

    /// Change of [`Self::log`] when words `j` and `k` exchange their places.
    fn log_of_swap(&self, a: &mut [u32], before: f64, j: usize, k: usize) -> f64 {
        a.swap(j, k);
        let change = self.log(a) - before;
        a.swap(j, k);
        change
    }
}

/// One sentence pair with everything but the placement.
pub(crate) struct FertilityScore<'a> {
    pub(crate) m: usize,
    pub(crate) n: usize,
    /// ln t(s_j|t_i) at `i·m + j`.
    pub(crate) translation: &'a [f64],
    /// ln n(φ|t_i) for i = 1..=n, and for Model 3 plus ln φ!.
    pub(crate) fertility: &'a [Fertilities],
    /// Probability of inserting a NULL word after a word.
    pub(crate) p1: f64,
    /// Moves and swaps to positions whose ln t is not above this are not tried.
    pub(crate) least: f64,
    /// Once this says so, changes are left untried.
    pub(crate) stop: &'a Stop,
}

impl FertilityScore<'_> {
    /// ln of the NULL term: C(m−φ₀, φ₀) p₁^φ₀ p₀^(m−2φ₀).
    pub(crate) fn null(&self, fertility: usize) -> f64 {
        if self.m < 2 * fertility {
            return FORBIDDEN * (2 * fertility - self.m) as f64;
        }
        let choose = (1..=fertility).map(|k| ((self.m - 2 * fertility + k) as f64 / k as f64).ln());
        let p0 = 1.0 - self.p1;
        choose.sum::<f64>()
            + fertility as f64 * self.p1.ln()
            + (self.m - 2 * fertility) as f64 * p0.ln()
    }

    /// ln of the fertility factor of position `i` (from 0; 0 is NULL).
    fn of(&self, i: u32, fertility: usize) -> f64 {
        if i == 0 {
            return self.null(fertility);
        }
        let row = &self.fertility[i as usize - 1];
        match row.get(fertility) {
            Some(value) => *value,
            None => row[MAX_FERTILITY] + FORBIDDEN * (fertility - MAX_FERTILITY) as f64,
        }
    }

    /// True if a move of word `j` to `to` is worth trying.
    fn open(&self, j: usize, to: u32) -> bool {
        to == 0 || self.translation[to as usize * self.m + j] > self.least
    }

    pub(crate) fn counts(&self, a: &[u32]) -> Vec<usize> {
        let mut counts = vec![0; self.n + 1];
        a.iter().for_each(|&i| counts[i as usize] += 1);
        counts
    }

    /// ln P(s, a | t).
    pub(crate) fn log(&self, a: &[u32], placement: &impl Placement) -> f64 {
        let counts = self.counts(a);
        let fertility: f64 = (0u32..)
            .zip(&counts)
            .map(|(i, &count)| self.of(i, count))
            .sum();
        let translation: f64 = a
            .iter()
            .enumerate()
            .map(|(j, &i)| self.translation[i as usize * self.m + j])
            .sum();
        fertility + translation + placement.log(a)
    }

    /// Change of everything but placement when word `j` goes to `to`.
    fn move_change(&self, a: &[u32], counts: &[usize], j: usize, to: u32) -> f64 {
        let from = a[j];
        let (less, more) = (counts[from as usize], counts[to as usize]);
        self.of(from, less - 1) - self.of(from, less) + self.of(to, more + 1) - self.of(to, more)
            + self.translation[to as usize * self.m + j]
            - self.translation[from as usize * self.m + j]
    }

    fn swap_change(&self, a: &[u32], j: usize, k: usize) -> f64 {
        let at = |i: u32, j: usize| self.translation[i as usize * self.m + j];
        at(a[k], j) - at(a[j], j) + at(a[j], k) - at(a[k], k)
    }
}

/// A change of an alignment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Change {
    /// Word `j` goes to position `to`.
    Move(usize, u32),
    /// Two words exchange positions.
    Swap(usize, usize),
}

impl Change {
    pub(crate) fn apply(self, a: &mut [u32]) {
        match self {
            Change::Move(j, to) => a[j] = to,
            Change::Swap(j, k) => a.swap(j, k),
        }
    }
}

/// Calls `visit` with each move and swap and the change of ln P(s, a | t), in a fixed order.
pub(crate) fn for_each_change(
    score: &FertilityScore<'_>,
    placement: &impl Placement,
    a: &mut [u32],
    mut visit: impl FnMut(Change, f64),
) {
    let counts = score.counts(a);
    let before = placement.log(a);
    for j in 0..score.m {
        if score.stop.check().is_err() {
            return;
        }
        for to in 0..=score.n as u32 {
            if to != a[j] && score.open(j, to) {
                let change = score.move_change(a, &counts, j, to);
                visit(
                    Change::Move(j, to),
                    change + placement.log_of_move(a, before, j, to),
                );
            }
        }
    }
    for j in 0..score.m {
        if score.stop.check().is_err() {
            return;
        }
        for k in j + 1..score.m {
            if a[j] != a[k] && score.open(j, a[k]) && score.open(k, a[j]) {
                let change = score.swap_change(a, j, k);
                visit(
                    Change::Swap(j, k),
                    change + placement.log_of_swap(a, before, j, k),
                );
            }
        }
    }
}

/// Climbs from an alignment by its best change, the first of equals, until none improves.
pub(crate) fn climb(score: &FertilityScore<'_>, placement: &impl Placement, a: &mut [u32]) {
    for _ in 0..MAX_STEPS {
        if score.stop.check().is_err() {
            return;
        }
        // Of changes that are equal but for rounding the first: the last bits of logarithms differ between
        // platforms, and decide nothing.
        let (mut best, mut gain) = (None, ROUNDING);
        for_each_change(score, placement, a, |change, value| {
            if value > gain {
                (best, gain) = (Some(change), value + ROUNDING);
            }
        });
        match best {
            Some(change) => change.apply(a),
            None => return,
        }
    }
}

/// ln φ!.
pub(crate) fn log_factorial(fertility: usize) -> f64 {
    (2..=fertility).map(|k| (k as f64).ln()).sum()
}

/// A table of fertilities by word: expected counts, then probabilities smoothed towards all words'.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct FertilityTable {
    pub(crate) rows: Vec<Fertilities>,
    pub(crate) all: Fertilities,
}

impl FertilityTable {
    pub(crate) fn zeros(id_bound: usize) -> Self {
        let none = [0.0; MAX_FERTILITY + 1];
        FertilityTable {
            rows: vec![none; id_bound],
            all: none,
        }
    }

    pub(crate) fn add(&mut self, word: WordId, fertility: usize, weight: f64) {
        let fertility = fertility.min(MAX_FERTILITY);
        if let Some(row) = self.rows.get_mut(word.index()) {
            row[fertility] += weight;
        }
        self.all[fertility] += weight;
    }

    pub(crate) fn merge(&mut self, other: &FertilityTable) {
        let mine = self.rows.iter_mut().chain([&mut self.all]);
        for (mine, theirs) in mine.zip(other.rows.iter().chain([&other.all])) {
            mine.iter_mut().zip(theirs).for_each(|(a, b)| *a += b);
        }
    }

    /// (count + κ·n₀(φ)) / (total + κ), n₀ being the fertilities of all words.
    pub(crate) fn normalized(mut self, kappa: f64) -> Self {
        let total: f64 = self.all.iter().sum();
        let floor = 1e-6;
        self.all
            .iter_mut()
            .for_each(|value| *value = (*value + floor) / (total + floor * 11.0));
        for row in &mut self.rows {
            let total: f64 = row.iter().sum();
            for (value, all) in row.iter_mut().zip(&self.all) {
                *value = (*value + kappa * all) / (total + kappa);
            }
        }
        self
    }

    pub(crate) fn of(&self, word: WordId) -> &Fertilities {
        self.rows.get(word.index()).unwrap_or(&self.all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::SplitMix64;
    use serde_json::Value;

    struct Toy;
    impl Placement for Toy {
        fn log(&self, a: &[u32]) -> f64 {
            let d = |j: usize, i: u32| {
                [0.5, 0.3, 0.2][(j as i64 + 1 - i64::from(i)).unsigned_abs() as usize % 3]
            };
            a.iter()
                .enumerate()
                .filter(|&(_, &i)| i > 0)
                .map(|(j, &i)| f64::ln(d(j, i)))
                .sum()
        }
    }

    #[test]
    fn golden_q05() {
        let path = format!(
            "{}/tests/golden/q05_model3.json",
            env!("CARGO_MANIFEST_DIR")
        );
        let q05: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let mut translation = Vec::new();
        for given in ["NULL", "x", "y"] {
            for word in ["a", "b", "c"] {
                translation.push(q05["t"][format!("{word}|{given}")].as_f64().unwrap().ln());
            }
        }
        let mut row = [f64::NEG_INFINITY; MAX_FERTILITY + 1];
        for (k, p) in q05["n"].as_object().unwrap() {
            let k: usize = k.parse().unwrap();
            row[k] = p.as_f64().unwrap().ln() + log_factorial(k);
        }
        let fertility = [row, row];
        let score = FertilityScore {
            m: 3,
            n: 2,
            translation: &translation,
            fertility: &fertility,
            p1: 0.2,
            least: f64::NEG_INFINITY,
            stop: &Stop::never(),
        };
        let mut sum = 0.0;
        for case in q05["alignments"].as_array().unwrap() {
            let a: Vec<u32> = case["a"]
                .as_array()
                .unwrap()
                .iter()
                .map(|i| i.as_u64().unwrap() as u32)
                .collect();
            let expected = case["p"].as_f64().unwrap();
            let p = score.log(&a, &Toy).exp();
            // Impossible alignments keep a price, so that the search can leave them.
            let allowed = if expected == 0.0 {
                1e-20
            } else {
                1e-9 * expected
            };
            assert!((p - expected).abs() <= allowed, "{a:?} {p} {expected}");
            sum += expected;
            let mut b = a.clone();
            for_each_change(&score, &Toy, &mut b, |change, value| {
                let mut c = a.clone();
                change.apply(&mut c);
                let direct = score.log(&c, &Toy) - score.log(&a, &Toy);
                assert!((direct - value).abs() < 1e-9 || !direct.is_finite());
            });
        }
        assert!((sum - q05["sum"].as_f64().unwrap()).abs() < 1e-12);
    }

    /// Distortions whose last bits differ, as those of two platforms do.
    struct Noisy(u64);

    impl Placement for Noisy {
        fn log(&self, a: &[u32]) -> f64 {
            let seed = a.iter().fold(self.0, |seed, &i| seed * 31 + u64::from(i));
            let places: f64 = (1u32..)
                .zip(a)
                .map(|(j, &i)| -f64::from(i.abs_diff(j)))
                .sum();
            let noise = SplitMix64::new(seed).below(1000) as f64 * 1e-15;
            if self.0 == 0 { places } else { places + noise }
        }
    }

    #[test]
    fn the_last_bits_decide_nothing() {
        let mut rng = SplitMix64::new(3);
        let mut moved = 0;
        for _ in 0..300 {
            let (m, n) = (2 + rng.below(5) as usize, 2 + rng.below(5) as usize);
            // Few values: many changes are equal.
            let levels = [0.5f64, 0.25, 0.125].map(f64::ln);
            let translation: Vec<f64> = (0..m * (n + 1))
                .map(|_| levels[rng.below(3) as usize])
                .collect();
            let fertility = vec![[-1.0; MAX_FERTILITY + 1]; n];
            let score = FertilityScore {
                m,
                n,
                translation: &translation,
                fertility: &fertility,
                p1: 0.2,
                least: f64::NEG_INFINITY,
                stop: &Stop::never(),
            };
            let start: Vec<u32> = (0..m).map(|_| rng.below(n as u64 + 1) as u32).collect();
            let climbed = |noise: u64| {
                let mut a = start.clone();
                climb(&score, &Noisy(noise), &mut a);
                a
            };
            let plain = climbed(0);
            moved += u32::from(plain != start);
            for noise in 1..6 {
                assert_eq!(climbed(noise), plain, "{start:?} {translation:?}");
            }
        }
        assert!(moved > 200, "{moved}");
    }
}
