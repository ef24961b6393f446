//! The exchange algorithm on counts of classes.

use super::table::{Logs, Rows};
use pgen_core::{Result, Stop};

/// A gain in mutual information (nats) below this is none.
const LEAST_GAIN: f64 = 1e-12;

/// Words, by rank, in classes, with the counts of pairs of classes.
///
/// With n ln n of pairs (c, d), of first and of second members, N · I = Σ f(n(c, d)) − Σ f(n(c, ·)) −
/// Σ f(n(·, d)) + f(N). Most cells are empty, so what a word gains in a class is looked for in the cells that
/// are not.
pub(super) struct Exchange {
    /// (following word, count) of each word, then (word before, count); pairs of a word with itself apart.
    after: Neighbours,
    before: Neighbours,
    own: Vec<u64>,
    class: Vec<u32>,
    /// n(c, d) by c, and by d.
    rows: Rows,
    columns: Rows,
    /// n(c, ·) and n(·, d).
    firsts: Vec<u64>,
    seconds: Vec<u64>,
    total: u64,
    logs: Logs,
}

/// Pairs of each word.
struct Neighbours {
    starts: Vec<usize>,
    cells: Vec<(u32, u32)>,
}

impl Neighbours {
    /// From pairs sorted by their first member.
    fn new(pairs: impl Iterator<Item = (u32, u32, u32)>, words: usize) -> Self {
        let mut starts = vec![0; words + 1];
        let mut cells = Vec::new();
        for (word, other, count) in pairs {
            starts[word as usize + 1] += 1;
            cells.push((other, count));
        }
        for word in 0..words {
            starts[word + 1] += starts[word];
        }
        Neighbours { starts, cells }
    }

    fn of(&self, word: usize) -> &[(u32, u32)] {
        &self.cells[self.starts[word]..self.starts[word + 1]]
    }
}

/// Pairs of a word with classes.
#[derive(Default)]
struct Around {
    /// (class, count) of what follows, ascending; of what is before.
    after: Vec<(u32, u64)>,
    before: Vec<(u32, u64)>,
    own: u64,
    /// Pairs that the word is first (second) of, with itself included.
    firsts: u64,
    seconds: u64,
}

impl Exchange {
    /// Pairs of ranks with counts, sorted; a word starts in the class of its rank modulo `classes`.
    pub(super) fn new(pairs: &[(u32, u32, u32)], words: usize, classes: usize) -> Self {
        let mut turned: Vec<_> = pairs.iter().map(|&(a, b, n)| (b, a, n)).collect();
        turned.sort_unstable();
        let apart = |&&(a, b, _): &&(u32, u32, u32)| a != b;
        let mut exchange = Exchange {
            after: Neighbours::new(pairs.iter().filter(apart).copied(), words),
            before: Neighbours::new(turned.iter().filter(apart).copied(), words),
            own: vec![0; words],
            class: (0..words as u32)
                .map(|rank| rank % classes as u32)
                .collect(),
            rows: Rows::new(classes),
            columns: Rows::new(classes),
            firsts: vec![0; classes],
            seconds: vec![0; classes],
            total: 0,
            logs: Logs::new(),
        };
        for &(a, b, count) in pairs {
            let (c, d, count) = (exchange.class_of(a), exchange.class_of(b), u64::from(count));
            exchange.add(c, d, count);
            exchange.firsts[c as usize] += count;
            exchange.seconds[d as usize] += count;
            exchange.total += count;
            if a == b {
                exchange.own[a as usize] += count;
            }
        }
        exchange
    }

    fn class_of(&self, word: u32) -> u32 {
        self.class[word as usize]
    }

    pub(super) fn classes(&self) -> impl Iterator<Item = u32> {
        self.class.iter().copied()
    }

    fn add(&mut self, c: u32, d: u32, count: u64) {
        self.rows.add(c, d, count);
        self.columns.add(d, c, count);
    }

    fn take(&mut self, c: u32, d: u32, count: u64) {
        self.rows.take(c, d, count);
        self.columns.take(d, c, count);
    }

    /// Mutual information in nats.
    pub(super) fn information(&self) -> f64 {
        let f = |n: u64| self.logs.of(n);
        let classes = 0..self.firsts.len() as u32;
        let cells = classes.map(|c| self.rows.row(c).iter().map(|cell| f(cell.1)).sum::<f64>());
        let margins = self.firsts.iter().chain(&self.seconds).map(|&n| f(n));
        (cells.sum::<f64>() - margins.sum::<f64>() + f(self.total)) / self.total as f64
    }

    /// Each word once; the number of words moved.
    pub(super) fn sweep(&mut self, stop: &Stop) -> Result<u64> {
        let mut moves = 0;
        let mut gains = vec![0.0; self.firsts.len()];
        let mut around = Around::default();
        for word in 0..self.class.len() {
            stop.check()?;
            self.look_around(word, &mut around, &mut gains);
            let from = self.class[word];
            self.place(&around, from, false);
            let to = self.best(&around, from, &mut gains);
            self.place(&around, to, true);
            self.class[word] = to;
            moves += u64::from(to != from);
        }
        Ok(moves)
    }

    /// `scratch` is as long as there are classes.
    fn look_around(&self, word: usize, around: &mut Around, scratch: &mut [f64]) {
        let gather =
            |neighbours: &[(u32, u32)], cells: &mut Vec<(u32, u64)>, scratch: &mut [f64]| {
                cells.clear();
                // Counts below 2⁵³ are exact in f64.
                for &(other, count) in neighbours {
                    let class = self.class_of(other);
                    if scratch[class as usize] == 0.0 {
                        cells.push((class, 0));
                    }
                    scratch[class as usize] += f64::from(count);
                }
                cells.sort_unstable();
                for (class, count) in cells.iter_mut() {
                    *count = std::mem::take(&mut scratch[*class as usize]) as u64;
                }
            };
        scratch.fill(0.0);
        gather(self.after.of(word), &mut around.after, scratch);
        gather(self.before.of(word), &mut around.before, scratch);
        around.own = self.own[word];
        let sum = |cells: &[(u32, u64)]| cells.iter().map(|cell| cell.1).sum::<u64>();
        around.firsts = sum(&around.after) + around.own;
        around.seconds = sum(&around.before) + around.own;
    }

    /// Puts a word into a class, or takes it out.
    fn place(&mut self, around: &Around, class: u32, into: bool) {
        let put = if into { Self::add } else { Self::take };
        for &(other, count) in &around.after {
            put(self, class, other, count);
        }
        for &(other, count) in &around.before {
            put(self, other, class, count);
        }
        if around.own > 0 {
            put(self, class, class, around.own);
        }
        let (first, second) = (
            &mut self.firsts[class as usize],
            &mut self.seconds[class as usize],
        );
        if into {
            *first += around.firsts;
            *second += around.seconds;
        } else {
            *first -= around.firsts;
            *second -= around.seconds;
        }
    }

    /// The class where a word in none gains most, the lowest of equals; `from` unless another is better.
    fn best(&self, around: &Around, from: u32, gains: &mut [f64]) -> u32 {
        self.gains(around, gains);
        let least = LEAST_GAIN * self.total as f64;
        let mut best = (from, gains[from as usize] + least);
        for (class, &gain) in (0u32..).zip(gains.iter()) {
            if gain > best.1 {
                best = (class, gain);
            }
        }
        best.0
    }

    /// N times the gain of each class, up to what is the same for all.
    fn gains(&self, around: &Around, gains: &mut [f64]) {
        let f = |n: u64| self.logs.of(n);
        for (class, gain) in gains.iter_mut().enumerate() {
            let (first, second) = (self.firsts[class], self.seconds[class]);
            *gain = f(first) - f(first + around.firsts) + f(second) - f(second + around.seconds);
        }
        // A cell with n grows by m: f(n + m) − f(n); f(m) if n = 0, the same for all classes.
        let mut add = |cells: &[(u32, u64)], table: &Rows| {
            for &(other, more) in cells {
                let empty = f(more);
                for &(class, count) in table.row(other) {
                    gains[class as usize] += f(count + more) - f(count) - empty;
                }
            }
        };
        add(&around.after, &self.columns);
        add(&around.before, &self.rows);
        // In its own class's diagonal cell the three kinds of pairs meet.
        let mut diagonal = |class: u32, after: u64, before: u64| {
            let n = self.rows.get(class, class);
            let apart = f(n + after) - f(n) + f(n + before) - f(n);
            let together = f(n + after + before + around.own) - f(n);
            gains[class as usize] += together - apart;
        };
        let (mut after, mut before) = (
            around.after.iter().peekable(),
            around.before.iter().peekable(),
        );
        for class in 0..self.firsts.len() as u32 {
            let a = after
                .next_if(|cell| cell.0 == class)
                .map_or(0, |cell| cell.1);
            let b = before
                .next_if(|cell| cell.0 == class)
                .map_or(0, |cell| cell.1);
            if around.own > 0 || (a > 0 && b > 0) {
                diagonal(class, a, b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::SplitMix64;

    /// Σ over cells, from the pairs themselves.
    fn direct(pairs: &[(u32, u32, u32)], class: &[u32], classes: usize) -> f64 {
        let (mut cells, mut first, mut second) = (
            vec![0.0; classes * classes],
            vec![0.0; classes],
            vec![0.0; classes],
        );
        let mut total = 0.0;
        for &(a, b, count) in pairs {
            let (c, d) = (class[a as usize] as usize, class[b as usize] as usize);
            cells[c * classes + d] += f64::from(count);
            first[c] += f64::from(count);
            second[d] += f64::from(count);
            total += f64::from(count);
        }
        let cell = |at: usize| {
            let n: f64 = cells[at];
            let margins = first[at / classes] * second[at % classes];
            if n > 0.0 {
                n / total * (n * total / margins).ln()
            } else {
                0.0
            }
        };
        (0..cells.len()).map(cell).sum()
    }

    #[test]
    fn every_gain_is_what_a_move_brings() {
        let mut rng = SplitMix64::new(11);
        for round in 0..60 {
            let (words, classes) = (2 + rng.below(9) as usize, 1 + rng.below(4) as usize);
            let classes = classes.min(words);
            let mut pairs: Vec<_> = (0..3 * words)
                .map(|_| {
                    (
                        rng.below(words as u64) as u32,
                        rng.below(words as u64) as u32,
                        1 + rng.below(5) as u32,
                    )
                })
                .collect();
            pairs.sort_unstable();
            pairs.dedup_by_key(|pair| (pair.0, pair.1));
            let mut exchange = Exchange::new(&pairs, words, classes);
            let value = |exchange: &Exchange| direct(&pairs, &exchange.class, classes);
            assert!((exchange.information() - value(&exchange)).abs() < 1e-9);
            let (mut around, mut gains) = (Around::default(), vec![0.0; classes]);
            for word in 0..words {
                exchange.look_around(word, &mut around, &mut gains);
                let from = exchange.class[word];
                exchange.place(&around, from, false);
                exchange.gains(&around, &mut gains);
                let mut values = Vec::new();
                for to in 0..classes as u32 {
                    exchange.class[word] = to;
                    values.push(value(&exchange) * exchange.total as f64);
                }
                for (gain, value) in gains.iter().zip(&values) {
                    let difference = (gain - gains[0]) - (value - values[0]);
                    assert!(
                        difference.abs() < 1e-8,
                        "round {round}: {gains:?} {values:?}"
                    );
                }
                exchange.class[word] = from;
                exchange.place(&around, from, true);
            }
            let before = exchange.information();
            exchange.sweep(&Stop::never()).unwrap();
            assert!(exchange.information() >= before - 1e-12);
            assert!((exchange.information() - value(&exchange)).abs() < 1e-9);
        }
    }
}
