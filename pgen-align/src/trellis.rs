//! Forward–backward and Viterbi over the HMM's states: one for each conditioning position and, for each
//! of them and for the start, a NULL state that remembers it (Vogel et al. 1996; Och & Ney 2003, §3.1).
//!
//! All sums over jumps are products with a Toeplitz matrix and run along contiguous slices.

use crate::jumps::{JumpCounts, Jumps, axpy, axpy4, correlate};

/// The fixed part of the transition model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Transition<'a> {
    pub(crate) jumps: &'a Jumps,
    /// Probability of a NULL state.
    pub(crate) null: f64,
    /// Share of the uniform jump.
    pub(crate) uniform: f64,
}

/// Scratch of one thread, reused from sentence to sentence.
#[derive(Debug, Default)]
pub(crate) struct Trellis {
    /// m × (n+1): mass with memory k after word j, scaled to sum to 1.
    memory: Vec<f64>,
    /// m × n: the part of it that came from a real state.
    real: Vec<f64>,
    scales: Vec<f64>,
    /// (1−p0)(1−α)/Z(k) for each memory k; 0 where Z is 0.
    factors: Vec<f64>,
    /// (1−p0)·(uniform share)/n for each memory k; all of it where Z is 0.
    spread: Vec<f64>,
    beta: Vec<f64>,
    next: Vec<f64>,
    reach: Vec<f64>,
    scaled: Vec<f64>,
    padded: Vec<f64>,
    /// Expected jumps out of each memory by the jump part.
    outgoing: Vec<f64>,
    back: Vec<u32>,
}

impl Trellis {
    fn prepare(&mut self, n: usize, model: Transition<'_>) {
        let Trellis {
            factors, spread, ..
        } = self;
        factors.clear();
        spread.clear();
        // Z(k+1) = Z(k) + c(−k) − c(n−k); summed anew for exactness.
        for k in 0..=n {
            let z: f64 = model.jumps.from(k, n).iter().sum();
            let move_on = 1.0 - model.null;
            let (factor, share) = if z > 0.0 {
                (move_on * (1.0 - model.uniform) / z, model.uniform)
            } else {
                (0.0, 1.0)
            };
            factors.push(factor);
            spread.push(move_on * share / n as f64);
        }
    }

    /// Real-state mass arriving at each position from `from` (mass by memory): into `self.reach`.
    fn arrive(&mut self, from: &[f64], n: usize, jumps: &Jumps) {
        self.reach.clear();
        let flat: f64 = from.iter().zip(&self.spread).map(|(a, s)| a * s).sum();
        self.reach.resize(n, flat);
        self.scaled.clear();
        self.scaled
            .extend(from.iter().zip(&self.factors).map(|(a, f)| a * f));
        let mut k = 0;
        while k + 3 < self.scaled.len() {
            let b = [
                self.scaled[k],
                self.scaled[k + 1],
                self.scaled[k + 2],
                self.scaled[k + 3],
            ];
            axpy4(
                &mut self.reach,
                b,
                [
                    jumps.from(k, n),
                    jumps.from(k + 1, n),
                    jumps.from(k + 2, n),
                    jumps.from(k + 3, n),
                ],
            );
            k += 4;
        }
        for (k, &b) in self.scaled.iter().enumerate().skip(k) {
            axpy(&mut self.reach, b, jumps.from(k, n));
        }
    }

    /// Forward–backward. `cells` holds t(s_j|t_i) at `i·m + j`, i = 0 being NULL, and receives the
    /// posteriors P(a_j = i). Returns the natural log-likelihood; if the sentence is impossible, −∞, and
    /// every posterior goes to NULL. O(m·n²).
    pub(crate) fn posteriors(
        &mut self,
        m: usize,
        n: usize,
        model: Transition<'_>,
        cells: &mut [f64],
        counts: Option<&mut JumpCounts>,
    ) -> f64 {
        self.prepare(n, model);
        let Some(log_likelihood) = self.forward(m, n, model, cells) else {
            cells[..m].fill(1.0);
            cells[m..].fill(0.0);
            return f64::NEG_INFINITY;
        };
        self.backward(m, n, model, cells, counts);
        log_likelihood
    }

    fn forward(&mut self, m: usize, n: usize, model: Transition<'_>, cells: &[f64]) -> Option<f64> {
        self.memory.clear();
        self.memory.resize((m + 1) * (n + 1), 0.0);
        self.real.clear();
        self.real.resize(m * n, 0.0);
        self.scales.clear();
        self.memory[0] = 1.0;
        let mut log_likelihood = 0.0;
        for j in 0..m {
            let memory = std::mem::take(&mut self.memory);
            self.arrive(&memory[j * (n + 1)..(j + 1) * (n + 1)], n, model.jumps);
            self.memory = memory;
            let (before, after) = self.memory.split_at_mut((j + 1) * (n + 1));
            let (before, after) = (&before[j * (n + 1)..], &mut after[..n + 1]);
            let real = &mut self.real[j * n..(j + 1) * n];
            let mut sum = 0.0;
            for i in 0..n {
                real[i] = self.reach[i] * cells[(i + 1) * m + j];
                sum += real[i];
            }
            let stay = model.null * cells[j];
            for k in 0..=n {
                after[k] = stay * before[k];
                sum += after[k];
            }
            if !(sum > 0.0 && sum.is_finite()) {
                return None;
            }
            let scale = 1.0 / sum;
            real.iter_mut().for_each(|value| *value *= scale);
            after.iter_mut().for_each(|value| *value *= scale);
            for i in 0..n {
                after[i + 1] += real[i];
            }
            self.scales.push(scale);
            log_likelihood += sum.ln();
        }
        Some(log_likelihood)
    }

    fn backward(
        &mut self,
        m: usize,
        n: usize,
        model: Transition<'_>,
        cells: &mut [f64],
        mut counts: Option<&mut JumpCounts>,
    ) {
        // beta[k]: scaled probability of the words after j given memory k after j.
        self.beta.clear();
        self.beta.resize(n + 1, 1.0);
        self.outgoing.clear();
        self.outgoing.resize(n + 1, 0.0);
        for j in (0..m).rev() {
            let scale = self.scales[j];
            let stay = model.null * cells[j] * scale;
            // next[i]: probability of word j and what follows, if it comes from position i.
            self.next.clear();
            self.next
                .extend((0..n).map(|i| cells[(i + 1) * m + j] * self.beta[i + 1] * scale));
            let before = &self.memory[j * (n + 1)..(j + 1) * (n + 1)];
            let real = &self.real[j * n..(j + 1) * n];
            let null: f64 = before.iter().zip(&self.beta).map(|(a, b)| a * b).sum();
            cells[j] = null * stay;
            for i in 0..n {
                cells[(i + 1) * m + j] = real[i] * self.beta[i + 1];
            }
            let flat: f64 = self.next.iter().sum();
            self.leave(n, model.jumps);
            if let Some(counts) = counts.as_deref_mut() {
                let before = &self.memory[j * (n + 1)..(j + 1) * (n + 1)];
                self.scaled.clear();
                self.scaled
                    .extend(before.iter().zip(&self.factors).map(|(a, f)| a * f));
                self.padded.clear();
                self.padded.extend([0.0; 3]);
                self.padded.extend_from_slice(&self.next);
                self.padded.extend([0.0; 3]);
                correlate(
                    &mut counts.products,
                    model.jumps.reach,
                    &self.scaled,
                    &self.padded,
                );
                for k in 0..=n {
                    self.outgoing[k] += self.scaled[k] * self.reach[k];
                }
                if let Some(uniform) = &mut counts.uniform {
                    self.scaled.clear();
                    self.scaled
                        .extend(before.iter().zip(&self.spread).map(|(a, s)| a * s));
                    correlate(uniform, model.jumps.reach, &self.scaled, &self.padded);
                }
            }
            for k in 0..=n {
                self.beta[k] =
                    self.factors[k] * self.reach[k] + self.spread[k] * flat + stay * self.beta[k];
            }
        }
        if let Some(counts) = counts {
            for k in 0..=n {
                let z: f64 = model.jumps.from(k, n).iter().sum();
                let slope = if z > 0.0 { self.outgoing[k] / z } else { 0.0 };
                let start = model.jumps.reach + 1 - k;
                counts.slope[start..start + n]
                    .iter_mut()
                    .for_each(|value| *value += slope);
            }
        }
    }

    /// Σᵢ c(i−k)·next(i) for every memory k: into `self.reach`.
    fn leave(&mut self, n: usize, jumps: &Jumps) {
        self.reach.clear();
        self.reach.resize(n + 1, 0.0);
        let mut i = 0;
        while i + 3 < n {
            let u = [
                self.next[i],
                self.next[i + 1],
                self.next[i + 2],
                self.next[i + 3],
            ];
            let rows = [
                jumps.to(i + 1, n),
                jumps.to(i + 2, n),
                jumps.to(i + 3, n),
                jumps.to(i + 4, n),
            ];
            axpy4(&mut self.reach, u, rows);
            i += 4;
        }
        for (i, &u) in self.next.iter().enumerate().skip(i) {
            axpy(&mut self.reach, u, jumps.to(i + 1, n));
        }
    }

    /// The most probable state sequence: for each generated word its position from 1, 0 for NULL; and
    /// its natural log probability (−∞ and NULL throughout if there is none). Of equals the first state
    /// in the order real 1..n, NULL 0..n wins. O(m·n²).
    pub(crate) fn viterbi(
        &mut self,
        m: usize,
        n: usize,
        model: Transition<'_>,
        cells: &[f64],
    ) -> (Vec<u32>, f64) {
        self.prepare(n, model);
        self.back.clear();
        // Best score and state for each memory; states are numbered real 0..n, NULL n..=2n.
        let mut best = vec![(0.0f64, u32::MAX); n + 1];
        best[0].0 = 1.0;
        let (mut log, mut states) = (0.0, Vec::new());
        for j in 0..m {
            states = self.viterbi_step(j, m, n, model, cells, &best);
            let top = states.iter().copied().fold(0.0, f64::max);
            if !(top > 0.0 && top.is_finite()) {
                return (vec![0; m], f64::NEG_INFINITY);
            }
            // Powers of two keep products exact, hence ties tied.
            let shift = 2f64.powi(-(top.log2().floor() as i32));
            log -= shift.ln();
            states.iter_mut().for_each(|value| *value *= shift);
            for k in 0..=n {
                best[k] = (states[n + k], (n + k) as u32);
                if k > 0 && states[k - 1] >= states[n + k] {
                    best[k] = (states[k - 1], (k - 1) as u32);
                }
            }
        }
        let (mut at, mut top) = (0, f64::NEG_INFINITY);
        for (state, &value) in states.iter().enumerate() {
            if value > top {
                (at, top) = (state, value);
            }
        }
        let mut path = vec![0u32; m];
        for j in (0..m).rev() {
            path[j] = if at < n { at as u32 + 1 } else { 0 };
            at = self.back[j * (2 * n + 1) + at] as usize;
        }
        (path, log + top.ln())
    }

    /// Scores of all 2n+1 states at word j; their predecessors go to `self.back`.
    fn viterbi_step(
        &mut self,
        j: usize,
        m: usize,
        n: usize,
        model: Transition<'_>,
        cells: &[f64],
        best: &[(f64, u32)],
    ) -> Vec<f64> {
        let mut states = vec![0.0; 2 * n + 1];
        let mut back = vec![u32::MAX; 2 * n + 1];
        // Memories in the order of their best states, so that a strict comparison keeps the first.
        let mut order: Vec<usize> = (0..=n).filter(|&k| best[k].0 > 0.0).collect();
        order.sort_by_key(|&k| best[k].1);
        for k in order {
            let (score, state) = best[k];
            let (factor, flat) = (score * self.factors[k], score * self.spread[k]);
            let row = model.jumps.from(k, n);
            for i in 0..n {
                let value = factor * row[i] + flat;
                if value > states[i] {
                    (states[i], back[i]) = (value, state);
                }
            }
            states[n + k] = score * model.null;
            back[n + k] = state;
        }
        for i in 0..n {
            states[i] *= cells[(i + 1) * m + j];
        }
        states[n..].iter_mut().for_each(|value| *value *= cells[j]);
        self.back.extend_from_slice(&back);
        states
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::collections::BTreeMap;

    fn golden(name: &str) -> Value {
        let path = format!("{}/tests/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    fn strings(value: &Value) -> Vec<String> {
        value
            .as_array()
            .unwrap()
            .iter()
            .map(|w| w.as_str().unwrap().to_owned())
            .collect()
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * b.abs().max(1e-300) || (a - b).abs() < 1e-15
    }

    #[test]
    fn golden_q04() {
        let (q04, q02) = (golden("q04_hmm"), golden("q02_model1"));
        let weights: BTreeMap<i64, f64> = q04["jump"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(d, w)| (d.parse().unwrap(), w.as_f64().unwrap()))
            .collect();
        let jumps = Jumps::new(9, |d| weights.get(&d).copied().unwrap_or(0.0));
        let model = Transition {
            jumps: &jumps,
            null: 0.2,
            uniform: 0.2,
        };
        for case in q04["cases"].as_array().unwrap() {
            let (s, t) = (strings(&case["s"]), strings(&case["t"]));
            let mut cells = Vec::new();
            for from in std::iter::once("NULL").chain(t.iter().map(String::as_str)) {
                for word in &s {
                    cells.push(q02["t"][format!("{word}|{from}")].as_f64().unwrap_or(0.0));
                }
            }
            let mut trellis = Trellis::default();
            let (path, log) = trellis.viterbi(s.len(), t.len(), model, &cells);
            let expected: Vec<u32> = case["viterbi"]
                .as_array()
                .unwrap()
                .iter()
                .map(|i| i.as_u64().unwrap() as u32)
                .collect();
            assert_eq!(path, expected);
            assert!(close(log, case["viterbi_logp"].as_f64().unwrap()));
            let mut counts = JumpCounts::new(jumps.reach(), true);
            let value = trellis.posteriors(s.len(), t.len(), model, &mut cells, Some(&mut counts));
            assert!(close(value.exp(), case["likelihood"].as_f64().unwrap()));
            for (j, row) in case["posterior_j_i"].as_array().unwrap().iter().enumerate() {
                for (i, p) in row.as_array().unwrap().iter().enumerate() {
                    assert!(close(cells[i * s.len() + j], p.as_f64().unwrap()));
                }
            }
            for (d, count) in (-9i64..=9).zip(counts.expected(&jumps)) {
                let expected = case["jump_counts"][d.to_string()].as_f64().unwrap_or(0.0);
                assert!(close(count, expected), "d={d}: {count} {expected}");
            }
        }
    }

    #[test]
    fn long_sentences_of_tiny_probabilities_stay_finite() {
        let jumps = Jumps::new(257, |d| 1.0 / (1 + d.abs()) as f64);
        let model = Transition {
            jumps: &jumps,
            null: 0.2,
            uniform: 0.2,
        };
        let mut cells = vec![1e-7; 256 * 257];
        let mut trellis = Trellis::default();
        assert!(trellis.viterbi(256, 256, model, &cells).1.is_finite());
        assert!(
            trellis
                .posteriors(256, 256, model, &mut cells, None)
                .is_finite()
        );
        for j in 0..256 {
            let sum: f64 = (0..=256).map(|i| cells[i * 256 + j]).sum();
            assert!((sum - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn an_impossible_sentence_goes_to_null() {
        let jumps = Jumps::new(4, |_| 1.0);
        let model = Transition {
            jumps: &jumps,
            null: 0.2,
            uniform: 0.2,
        };
        let mut cells = vec![0.0; 2 * 4];
        let mut trellis = Trellis::default();
        assert_eq!(
            trellis.viterbi(2, 3, model, &cells),
            (vec![0, 0], f64::NEG_INFINITY)
        );
        assert_eq!(
            trellis.posteriors(2, 3, model, &mut cells, None),
            f64::NEG_INFINITY
        );
        assert_eq!(cells, [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }
}
