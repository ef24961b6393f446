//! How likely a replacement is to be right: a logistic model of judged rows, and for each row what its
//! own judgements add.

use super::judgement::Verdicts;

/// Steps of Newton's method; it stands still after about six.
const STEPS: usize = 25;

/// Precision of the normal prior on each weight, for features of unit variance.
const RIDGE: f64 = 1.0;

/// Least and greatest probability: no evidence makes a row certain.
const RANGE: (f64, f64) = (0.01, 0.99);

/// A logistic model p(right | features of a row), fitted to judged rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Reliability {
    /// Of each feature: mean, standard deviation, weight.
    features: Vec<[f64; 3]>,
    bias: f64,
    strength: f64,
    rows: usize,
}

impl Reliability {
    /// Fits the model by penalised maximum likelihood. Deterministic; O(rows · features²) a step.
    ///
    /// `strength` is how many judgements the model's own opinion is worth beside those on the row itself.
    #[must_use]
    pub fn fit(rows: &[(Vec<f64>, Verdicts)], strength: f64) -> Self {
        let width = rows.first().map_or(0, |(values, _)| values.len());
        let mut features: Vec<[f64; 3]> = (0..width)
            .map(|at| {
                let [mean, deviation] = moments(rows, at);
                [mean, deviation, 0.0]
            })
            .collect();
        let scaled: Vec<Vec<f64>> = rows
            .iter()
            .map(|(values, _)| scale(&features, values))
            .collect();
        let mut weights = vec![0.0; width + 1];
        for _ in 0..STEPS {
            let step = newton_step(rows, &scaled, &weights);
            for (weight, change) in weights.iter_mut().zip(step) {
                *weight += change;
            }
        }
        for (feature, weight) in features.iter_mut().zip(&weights[1..]) {
            feature[2] = *weight;
        }
        Reliability {
            features,
            bias: weights[0],
            strength,
            rows: rows.len(),
        }
    }

    /// Number of rows that it was fitted to.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// p(right) of a row by its features alone.
    #[must_use]
    pub fn prior(&self, values: &[f64]) -> f64 {
        let scaled = scale(&self.features, values);
        let weights = self.features.iter().map(|feature| feature[2]);
        let sum: f64 = scaled.iter().skip(1).zip(weights).map(|(x, w)| x * w).sum();
        logistic(self.bias + sum)
    }

    /// p(right) of a row by its features and its own judgements: the mean of the Beta distribution with
    /// the model's opinion as pseudo-counts.
    #[must_use]
    pub fn probability(&self, values: &[f64], verdicts: Verdicts) -> f64 {
        let [accepted, rejected] = [verdicts.accepted, verdicts.rejected].map(f64::from);
        let prior = self.prior(values);
        let mean = (self.strength * prior + accepted) / (self.strength + accepted + rejected);
        mean.clamp(RANGE.0, RANGE.1)
    }

    /// The weight of each feature, per standard deviation.
    #[must_use]
    pub fn weights(&self) -> Vec<f64> {
        self.features.iter().map(|feature| feature[2]).collect()
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Mean and standard deviation of a feature; 1 for a feature that never varies.
fn moments(rows: &[(Vec<f64>, Verdicts)], at: usize) -> [f64; 2] {
    let count = rows.len().max(1) as f64;
    let mean = rows.iter().map(|(values, _)| values[at]).sum::<f64>() / count;
    let spread = |(values, _): &(Vec<f64>, Verdicts)| (values[at] - mean).powi(2);
    let deviation = (rows.iter().map(spread).sum::<f64>() / count).sqrt();
    [mean, if deviation > 1e-9 { deviation } else { 1.0 }]
}

/// The values in units of their deviation, with a leading 1 for the bias.
fn scale(features: &[[f64; 3]], values: &[f64]) -> Vec<f64> {
    let of = |(value, [mean, deviation, _]): (&f64, &[f64; 3])| (value - mean) / deviation;
    std::iter::once(1.0)
        .chain(values.iter().zip(features).map(of))
        .collect()
}

/// The step that Newton's method takes from `weights`.
fn newton_step(rows: &[(Vec<f64>, Verdicts)], scaled: &[Vec<f64>], weights: &[f64]) -> Vec<f64> {
    let width = weights.len();
    let mut gradient: Vec<f64> = weights.iter().map(|weight| -RIDGE * weight).collect();
    let mut curvature = vec![vec![0.0; width]; width];
    for (at, row) in curvature.iter_mut().enumerate() {
        row[at] = RIDGE;
    }
    // The bias has no prior.
    gradient[0] = 0.0;
    curvature[0][0] = 1e-9;
    for ((_, verdicts), values) in rows.iter().zip(scaled) {
        let [accepted, rejected] = [verdicts.accepted, verdicts.rejected].map(f64::from);
        let sum: f64 = values.iter().zip(weights).map(|(x, w)| x * w).sum();
        let p = logistic(sum);
        let slope = accepted * (1.0 - p) - rejected * p;
        let weight = (accepted + rejected) * p * (1.0 - p);
        for i in 0..width {
            gradient[i] += slope * values[i];
            for j in 0..width {
                curvature[i][j] += weight * values[i] * values[j];
            }
        }
    }
    solve(curvature, gradient)
}

/// Solves a symmetric positive definite system by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let width = right.len();
    for at in 0..width {
        let (above, below) = matrix.split_at_mut(at + 1);
        let pivot = &above[at];
        for (offset, row) in below.iter_mut().enumerate() {
            let factor = row[at] / pivot[at];
            for (x, p) in row.iter_mut().zip(pivot).skip(at) {
                *x -= factor * p;
            }
            right[at + 1 + offset] -= factor * right[at];
        }
    }
    for at in (0..width).rev() {
        let known: f64 = (at + 1..width).map(|j| matrix[at][j] * right[j]).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(accepted: u32, rejected: u32) -> Verdicts {
        Verdicts { accepted, rejected }
    }

    #[test]
    fn a_feature_that_tells_gets_its_weight() {
        // At x = 1, 80 of 100 are right; at x = 0, 30 of 100; the second feature tells nothing.
        let rows: Vec<(Vec<f64>, Verdicts)> = vec![
            (vec![1.0, 5.0], verdicts(40, 10)),
            (vec![1.0, 6.0], verdicts(40, 10)),
            (vec![0.0, 5.0], verdicts(15, 35)),
            (vec![0.0, 6.0], verdicts(15, 35)),
        ];
        let model = Reliability::fit(&rows, 2.0);
        assert!((model.prior(&[1.0, 5.0]) - 0.8).abs() < 0.01);
        assert!((model.prior(&[0.0, 6.0]) - 0.3).abs() < 0.01);
        assert!(model.weights()[1].abs() < 1e-9);
    }

    #[test]
    fn own_judgements_outweigh_the_model_as_they_grow() {
        let rows = vec![(vec![1.0], verdicts(5, 5)), (vec![0.0], verdicts(5, 5))];
        let model = Reliability::fit(&rows, 2.0);
        let p = |accepted, rejected| model.probability(&[1.0], verdicts(accepted, rejected));
        assert!((p(0, 0) - 0.5).abs() < 1e-9);
        assert!((p(2, 0) - 0.75).abs() < 1e-9);
        assert!((p(0, 6) - 0.125).abs() < 1e-9);
        assert_eq!(p(100_000, 0), 0.99);
    }

    #[test]
    fn separable_rows_stay_finite() {
        let rows = vec![(vec![1.0], verdicts(9, 0)), (vec![0.0], verdicts(0, 9))];
        let model = Reliability::fit(&rows, 1.0);
        assert!(model.prior(&[1.0]) > 0.8 && model.prior(&[0.0]) < 0.2);
    }
}
