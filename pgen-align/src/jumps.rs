//! Jump weights of the HMM, their expected counts, and sums along their diagonals.

/// Jump weights c(d), d = position − remembered position, where position counts from 1 and the start is
/// remembered as 0. Unnormalised.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Jumps {
    /// Weights of d from −reach to +reach.
    weights: Vec<f64>,
    reversed: Vec<f64>,
    pub(crate) reach: usize,
}

impl Jumps {
    /// Weights from a function of the width, for sentences of up to `reach` words.
    pub(crate) fn new(reach: usize, weight: impl Fn(i64) -> f64) -> Self {
        let bound = reach as i64;
        let weights: Vec<f64> = (-bound..=bound).map(weight).collect();
        let reversed = weights.iter().rev().copied().collect();
        Jumps {
            weights,
            reversed,
            reach,
        }
    }

    /// Weights from −max_jump to +max_jump, for sentences of up to `reach` words; wider jumps share the
    /// weight of the widest.
    pub(crate) fn clamped(reach: usize, weights: &[f64]) -> Self {
        let bound = (weights.len() / 2) as i64;
        Jumps::new(reach, |d| {
            weights[(d.clamp(-bound, bound) + bound) as usize]
        })
    }

    pub(crate) fn reach(&self) -> usize {
        self.reach
    }

    /// c(1−k), …, c(n−k): jumps from memory k to positions 1..=n.
    #[inline]
    pub(crate) fn from(&self, memory: usize, n: usize) -> &[f64] {
        let start = self.reach + 1 - memory;
        &self.weights[start..start + n]
    }

    /// c(i−0), …, c(i−n): jumps to position i from memories 0..=n.
    #[inline]
    pub(crate) fn to(&self, position: usize, n: usize) -> &[f64] {
        let start = self.reach - position;
        &self.reversed[start..start + n + 1]
    }
}

/// Sums over one or many sentences from which expected jump counts follow.
#[derive(Clone, Debug)]
pub(crate) struct JumpCounts {
    /// For each width d, Σ (mass that can jump) · (what follows): times c(d), the expected number of
    /// jumps made by the jump part of the mixture.
    pub(crate) products: Vec<f64>,
    /// For each width, expected jumps made by the uniform part, if wanted.
    pub(crate) uniform: Option<Vec<f64>>,
    /// For each width, Σ over sentences and memories k that allow it of (expected jumps out of k by the
    /// jump part) / Z(k, n): the slope of the normalisers.
    pub(crate) slope: Vec<f64>,
}

impl JumpCounts {
    pub(crate) fn new(reach: usize, with_uniform: bool) -> Self {
        let zeros = vec![0.0; 2 * reach + 1];
        let uniform = with_uniform.then(|| zeros.clone());
        JumpCounts {
            products: zeros.clone(),
            uniform,
            slope: zeros,
        }
    }

    pub(crate) fn add(&mut self, other: &JumpCounts) {
        let add = |mine: &mut [f64], theirs: &[f64]| axpy(mine, 1.0, theirs);
        add(&mut self.products, &other.products);
        add(&mut self.slope, &other.slope);
        if let (Some(mine), Some(theirs)) = (&mut self.uniform, &other.uniform) {
            add(mine, theirs);
        }
    }

    /// Expected number of jumps of each width, −reach..=reach: those of the jump part, and those of the
    /// uniform part too if they were counted.
    pub(crate) fn expected(&self, jumps: &Jumps) -> Vec<f64> {
        let made = self
            .products
            .iter()
            .zip(&jumps.weights)
            .map(|(sum, c)| sum * c);
        match &self.uniform {
            Some(uniform) => made.zip(uniform).map(|(a, b)| a + b).collect(),
            None => made.collect(),
        }
    }
}

/// Adds Σₖ mass(k)·next(i) to the width i−k, for all k and i. `padded` is `next` between three zeros on
/// either side.
pub(crate) fn correlate(into: &mut [f64], reach: usize, mass: &[f64], padded: &[f64]) {
    let n = padded.len() - 6;
    let mut k = 0;
    while k + 3 < mass.len() {
        // Widths of the four memories start one below the other.
        let start = reach + 1 - (k + 3);
        let rows = [0, 1, 2, 3].map(|shift| &padded[shift..shift + n + 3]);
        axpy4(
            &mut into[start..start + n + 3],
            [mass[k], mass[k + 1], mass[k + 2], mass[k + 3]],
            rows,
        );
        k += 4;
    }
    for (k, &mass) in mass.iter().enumerate().skip(k) {
        let start = reach + 1 - k;
        axpy(&mut into[start..start + n], mass, &padded[3..n + 3]);
    }
}

#[inline]
pub(crate) fn axpy(into: &mut [f64], factor: f64, row: &[f64]) {
    for (value, r) in into.iter_mut().zip(row) {
        *value += factor * r;
    }
}

/// Four rows at once: a quarter of the loads and stores of the result.
#[inline]
pub(crate) fn axpy4(into: &mut [f64], f: [f64; 4], rows: [&[f64]; 4]) {
    let length = into.len();
    let [a, b, c, d] = rows.map(|row| &row[..length]);
    for i in 0..length {
        into[i] += (f[0] * a[i] + f[1] * b[i]) + (f[2] * c[i] + f[3] * d[i]);
    }
}
