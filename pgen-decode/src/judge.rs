//! Measures of agreement and of success: Kendall's and Spearman's rank correlations, kappa, Wilson's
//! interval.

/// Pairs of a sequence whose order another ranking keeps or turns round (Kendall 1938).
///
/// ```
/// use pgen_decode::judge::Kendall;
///
/// let kendall = Kendall::of(&[1, 5, 2, 3, 4]);
/// assert_eq!((kendall.preserved, kendall.inverted), (7, 3));
/// assert_eq!(kendall.tau(), Some(0.4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Kendall {
    /// Pairs in the same order.
    pub preserved: u64,
    /// Pairs in opposite order.
    pub inverted: u64,
    /// All pairs, those that are equal in the second ranking included.
    pub pairs: u64,
}

impl Kendall {
    /// Compares the order of a slice with the order of its values. O(n log n).
    #[must_use]
    pub fn of<T: Ord + Clone>(values: &[T]) -> Self {
        let n = values.len() as u64;
        let mut sorted = values.to_vec();
        let inverted = sort_counting(&mut sorted);
        let runs = sorted.chunk_by(|a, b| a == b).map(|run| run.len() as u64);
        let equal: u64 = runs.map(|run| run * (run - 1) / 2).sum();
        let pairs = n * n.saturating_sub(1) / 2;
        Kendall {
            preserved: pairs - inverted - equal,
            inverted,
            pairs,
        }
    }

    /// τ_A = (preserved − inverted) / pairs, from −1 to 1 (Chevelu et al. 2010, §3.2); `None` without
    /// a pair.
    #[must_use]
    pub fn tau(&self) -> Option<f64> {
        let difference = self.preserved as f64 - self.inverted as f64;
        (self.pairs > 0).then(|| difference / self.pairs as f64)
    }
}

/// Sorts, and counts the pairs that stood the wrong way round. Bottom-up merges, no recursion.
fn sort_counting<T: Ord + Clone>(values: &mut [T]) -> u64 {
    let mut inverted = 0;
    let mut width = 1;
    while width < values.len() {
        for block in values.chunks_mut(2 * width) {
            if block.len() > width {
                inverted += merge_counting(block, width);
            }
        }
        width *= 2;
    }
    inverted
}

fn merge_counting<T: Ord + Clone>(block: &mut [T], middle: usize) -> u64 {
    let left = block[..middle].to_vec();
    let right = block[middle..].to_vec();
    let (mut i, mut j, mut inverted) = (0, 0, 0);
    for slot in block {
        let from_right = match (left.get(i), right.get(j)) {
            (Some(a), Some(b)) => b < a,
            (None, _) => true,
            (_, None) => false,
        };
        if from_right {
            inverted += (left.len() - i) as u64;
            slot.clone_from(&right[j]);
            j += 1;
        } else {
            slot.clone_from(&left[i]);
            i += 1;
        }
    }
    inverted
}

/// Spearman's rank correlation; equal values share their mean rank. `None` if the lengths differ, for
/// fewer than two pairs, for NaN, or if one side is constant. O(n log n).
#[must_use]
pub fn spearman(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() != b.len() || a.len() < 2 || a.iter().chain(b).any(|value| value.is_nan()) {
        return None;
    }
    let (a, b) = (mean_ranks(a), mean_ranks(b));
    let mean = (a.len() as f64 + 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| -> f64 {
        let pairs = x.iter().zip(y);
        pairs.map(|(x, y)| (x - mean) * (y - mean)).sum()
    };
    let norm = (product(&a, &a) * product(&b, &b)).sqrt();
    (norm > 0.0).then(|| product(&a, &b) / norm)
}

fn mean_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for run in order.chunk_by(|&i, &j| values[i] == values[j]) {
        let rank = first as f64 + (run.len() as f64 + 1.0) / 2.0;
        run.iter().for_each(|&i| ranks[i] = rank);
        first += run.len();
    }
    ranks
}

/// What agreement by chance is taken to be.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Chance {
    /// Every label is equally likely: 1 / number of labels (Zhao et al. 2009, §4.2).
    Uniform(usize),
    /// From how often each rater gives each label (Cohen 1960).
    Cohen,
}

/// κ = (observed − chance) / (1 − chance) of two raters. `None` without items or if chance agreement
/// is 1.
#[must_use]
pub fn kappa<T: Ord>(labels: &[(T, T)], chance: Chance) -> Option<f64> {
    let n = labels.len() as f64;
    let observed = labels.iter().filter(|(a, b)| a == b).count() as f64 / n;
    let expected = match chance {
        Chance::Uniform(count) => 1.0 / count as f64,
        Chance::Cohen => {
            let mut all: Vec<&T> = labels.iter().flat_map(|(a, b)| [a, b]).collect();
            all.sort();
            all.dedup();
            let of = |label: &T| {
                let first = labels.iter().filter(|(a, _)| a == label).count() as f64;
                let second = labels.iter().filter(|(_, b)| b == label).count() as f64;
                first * second / (n * n)
            };
            all.into_iter().map(of).sum()
        }
    };
    let kappa = (observed - expected) / (1.0 - expected);
    kappa.is_finite().then_some(kappa)
}

/// Wilson's score interval of a share: the range of true shares that make what was seen no surprise.
/// `z` is 1.96 for 95 %. The whole of 0..=1 without trials.
#[must_use]
pub fn wilson(successes: u64, trials: u64, z: f64) -> (f64, f64) {
    if trials == 0 || !z.is_finite() {
        return (0.0, 1.0);
    }
    let n = trials as f64;
    let share = successes.min(trials) as f64 / n;
    let scale = 1.0 + z * z / n;
    let middle = (share + z * z / (2.0 * n)) / scale;
    let half = z / scale * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    (
        (middle - half.abs()).max(0.0),
        (middle + half.abs()).min(1.0),
    )
}

/// Mean, standard deviation (of the population) and extremes of some numbers.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Summary {
    /// How many.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
    /// The smallest.
    pub least: f64,
    /// The largest.
    pub most: f64,
}

impl Summary {
    /// Summarises numbers; `None` without any.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len();
        if count == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Summary {
            count,
            mean,
            deviation: (squares / count as f64).sqrt(),
            least: values.iter().copied().fold(f64::INFINITY, f64::min),
            most: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn too_short_lists_have_no_tau() {
        assert_eq!(Kendall::of::<u32>(&[]).tau(), None);
        assert_eq!(Kendall::of(&[3]).tau(), None);
        assert_eq!(Kendall::of(&[3, 3]).tau(), Some(0.0));
    }

    #[test]
    fn wilson_at_the_edges() {
        assert_eq!(wilson(0, 0, 1.96), (0.0, 1.0));
        let (low, high) = wilson(0, 10, 1.96);
        assert!(low == 0.0 && (high - 0.277_533).abs() < 1e-5, "{high}");
        let (low, high) = wilson(10, 10, 1.96);
        assert!(
            high > 1.0 - 1e-12 && (low - 0.722_467).abs() < 1e-5,
            "{low}"
        );
    }

    #[test]
    fn spearman_shares_ranks() {
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[10.0, 20.0, 90.0]), Some(1.0));
        let tied = spearman(&[1.0, 2.0, 2.0, 3.0], &[1.0, 3.0, 2.0, 4.0]).unwrap();
        assert!((tied - 0.948_683_298).abs() < 1e-9);
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), None);
    }

    #[test]
    fn cohen_by_hand() {
        // Observed 0.7; yes-yes by chance 0.6 · 0.5, no-no 0.4 · 0.5: 0.5 expected.
        let labels = [(1, 1); 4]
            .into_iter()
            .chain([(1, 0); 2])
            .chain([(0, 1); 1])
            .chain([(0, 0); 3]);
        let labels: Vec<_> = labels.collect();
        assert!((kappa(&labels, Chance::Cohen).unwrap() - 0.4).abs() < 1e-12);
        assert_eq!(kappa::<u8>(&[], Chance::Cohen), None);
        assert_eq!(kappa(&[(1, 1)], Chance::Uniform(1)), None);
    }

    proptest! {
        #[test]
        fn kendall_equals_the_double_loop(values in prop::collection::vec(0u8..20, 0..40)) {
            let (mut preserved, mut inverted) = (0, 0);
            for (i, a) in values.iter().enumerate() {
                for b in &values[i + 1..] {
                    preserved += u64::from(a < b);
                    inverted += u64::from(a > b);
                }
            }
            let found = Kendall::of(&values);
            prop_assert_eq!((found.preserved, found.inverted), (preserved, inverted));
        }
    }
}
