//! Measures of agreement and of success: Spearman's rank correlation, kappa, Wilson's interval.
//! Kendall's τ is [`kendall`](crate::kendall).

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
