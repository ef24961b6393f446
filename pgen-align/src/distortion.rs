//! Distortion: where the words of a cept stand. Model 3 looks at absolute places, Model 4 at the place of
//! the cept before and at word classes.

use crate::fertility::Placement;
use crate::table::normalize;
use pgen_core::WordId;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Farther distances share a bin.
const REACH: i64 = 50;
const BINS: usize = 2 * REACH as usize + 1;

fn bin(distance: i64) -> usize {
    (distance.clamp(-REACH, REACH) + REACH) as usize
}

/// Classes of words for Model 4: a number for each id, 0 for words without one. They may come from any
/// clustering, such as exchange clustering by class bigrams; with one class for all, distortions do not
/// depend on words. At most 256 classes a side.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct WordClasses {
    of: Vec<u8>,
}

impl WordClasses {
    /// Classes by word id.
    #[must_use]
    pub fn new(of: Vec<u8>) -> Self {
        WordClasses { of }
    }

    /// The classes of a clustering; words outside it share a class with those of its class 0.
    ///
    /// # Errors
    /// [`pgen_core::Error::LimitExceeded`] for more than 256 classes.
    pub fn from_clusters(clusters: &pgen_core::WordClasses) -> crate::Result<Self> {
        pgen_core::Limits::check("number of word classes", clusters.len(), 256)?;
        let mut of = Vec::new();
        for class in 0..clusters.len() as u32 {
            for word in clusters.members(class) {
                if word.index() >= of.len() {
                    of.resize(word.index() + 1, 0);
                }
                of[word.index()] = class as u8;
            }
        }
        Ok(WordClasses { of })
    }

    /// The class of a word.
    #[must_use]
    pub fn of(&self, word: WordId) -> u8 {
        self.of.get(word.index()).copied().unwrap_or(0)
    }

    /// One more than the highest class in use.
    pub(crate) fn count(&self) -> usize {
        self.of
            .iter()
            .max()
            .map_or(1, |&most| usize::from(most) + 1)
    }

    pub(crate) fn of_all(&self, words: &[WordId]) -> Vec<u8> {
        words.iter().map(|&word| self.of(word)).collect()
    }

    /// Class numbers by word id.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.of
    }
}

/// d(j | i, m, n), by lengths at `(i−1)·m + j`, smoothed towards the distance from the diagonal.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Places {
    pub(crate) by_lengths: BTreeMap<(u32, u32), Vec<f64>>,
    pub(crate) diagonal: Vec<f64>,
}

/// Distance of word `j` (from 0) from where position `i` (from 1) falls if lengths scale.
fn from_diagonal(j: usize, i: u32, m: usize, n: usize) -> usize {
    let place = (f64::from(i) - 0.5) * m as f64 / n as f64 - 0.5;
    bin((j as f64 - place).round() as i64)
}

impl Places {
    pub(crate) fn zeros() -> Self {
        Places {
            by_lengths: BTreeMap::new(),
            diagonal: vec![0.0; BINS],
        }
    }

    pub(crate) fn add(&mut self, j: usize, i: u32, (m, n): (usize, usize), weight: f64) {
        let row = self
            .by_lengths
            .entry((m as u32, n as u32))
            .or_insert_with(|| vec![0.0; m * n]);
        row[(i as usize - 1) * m + j] += weight;
        self.diagonal[from_diagonal(j, i, m, n)] += weight;
    }

    pub(crate) fn merge(&mut self, other: Places) {
        for (lengths, values) in other.by_lengths {
            let row = self
                .by_lengths
                .entry(lengths)
                .or_insert_with(|| vec![0.0; values.len()]);
            row.iter_mut().zip(values).for_each(|(a, b)| *a += b);
        }
        self.diagonal
            .iter_mut()
            .zip(other.diagonal)
            .for_each(|(a, b)| *a += b);
    }

    pub(crate) fn normalized(mut self, kappa: f64) -> Self {
        self.diagonal.iter_mut().for_each(|value| *value += 1e-3);
        normalize(&mut self.diagonal);
        let diagonal = self.diagonal.clone();
        for (&(m, n), values) in &mut self.by_lengths {
            let (m, n) = (m as usize, n as usize);
            for (i, row) in (1u32..).zip(values.chunks_exact_mut(m)) {
                let background = background(&diagonal, i, m, n);
                row.iter_mut()
                    .zip(background)
                    .for_each(|(value, b)| *value += kappa * b);
                normalize(row);
            }
        }
        self
    }

    /// ln d for a sentence pair, at `(i−1)·m + j`.
    pub(crate) fn logs(&self, m: usize, n: usize) -> Vec<f64> {
        let found = self.by_lengths.get(&(m as u32, n as u32)).cloned();
        let make = || {
            (1..=n as u32)
                .flat_map(|i| background(&self.diagonal, i, m, n))
                .collect()
        };
        let mut logs: Vec<f64> = found.unwrap_or_else(make);
        logs.iter_mut().for_each(|value| *value = value.ln());
        logs
    }
}

/// The diagonal's distribution over the places of one position.
fn background(diagonal: &[f64], i: u32, m: usize, n: usize) -> Vec<f64> {
    let mut row: Vec<f64> = (0..m)
        .map(|j| diagonal[from_diagonal(j, i, m, n)])
        .collect();
    normalize(&mut row);
    row
}

/// Model 3's placement of one sentence pair.
pub(crate) struct Place3<'a> {
    pub(crate) m: usize,
    pub(crate) logs: &'a [f64],
}

impl Place3<'_> {
    fn at(&self, j: usize, i: u32) -> f64 {
        if i == 0 {
            0.0
        } else {
            self.logs[(i as usize - 1) * self.m + j]
        }
    }
}

impl Placement for Place3<'_> {
    fn log(&self, a: &[u32]) -> f64 {
        a.iter().enumerate().map(|(j, &i)| self.at(j, i)).sum()
    }

    fn log_of_move(&self, a: &mut [u32], _: f64, j: usize, to: u32) -> f64 {
        self.at(j, to) - self.at(j, a[j])
    }

    fn log_of_swap(&self, a: &mut [u32], _: f64, j: usize, k: usize) -> f64 {
        self.at(j, a[k]) + self.at(k, a[j]) - self.at(j, a[j]) - self.at(k, a[k])
    }
}

/// Distances of heads from the centre of the cept before, and of other words from the word before in
/// their cept, by class; counts, or ln probabilities.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Distances {
    /// Number of classes of the generated side.
    classes: usize,
    /// By class of the cept before (0: none), then class of the word.
    pub(crate) heads: Vec<f64>,
    pub(crate) others: Vec<f64>,
    pub(crate) any_head: Vec<f64>,
    pub(crate) any_other: Vec<f64>,
}

impl Distances {
    /// For this many classes of the given and of the generated side.
    pub(crate) fn zeros(given: usize, classes: usize) -> Self {
        Distances {
            classes,
            heads: vec![0.0; (given + 1) * classes * BINS],
            others: vec![0.0; classes * BINS],
            any_head: vec![0.0; BINS],
            any_other: vec![0.0; BINS],
        }
    }

    pub(crate) fn rows(&self) -> [&Vec<f64>; 2] {
        [&self.heads, &self.others]
    }

    pub(crate) fn rows_mut(&mut self) -> [&mut Vec<f64>; 2] {
        [&mut self.heads, &mut self.others]
    }

    fn place(&self, step: Step) -> usize {
        match step {
            Step::Head {
                before,
                class,
                distance,
            } => (before * self.classes + class as usize) * BINS + bin(distance),
            Step::Other { class, distance } => class as usize * BINS + bin(distance),
        }
    }

    fn add(&mut self, step: Step, weight: f64) {
        let place = self.place(step);
        match step {
            Step::Head { distance, .. } => {
                self.heads[place] += weight;
                self.any_head[bin(distance)] += weight;
            }
            Step::Other { distance, .. } => {
                self.others[place] += weight;
                self.any_other[bin(distance)] += weight;
            }
        }
    }

    pub(crate) fn merge(&mut self, other: &Distances) {
        for (mine, theirs) in [
            (&mut self.heads, &other.heads),
            (&mut self.others, &other.others),
            (&mut self.any_head, &other.any_head),
            (&mut self.any_other, &other.any_other),
        ] {
            mine.iter_mut().zip(theirs).for_each(|(a, b)| *a += b);
        }
    }

    /// ln of the counts' relative frequencies, each class smoothed towards all.
    pub(crate) fn into_logs(mut self, kappa: f64) -> Self {
        let finish = |rows: &mut [f64], all: &mut [f64]| {
            all.iter_mut().for_each(|value| *value += 1e-3);
            normalize(all);
            for row in rows.chunks_exact_mut(BINS) {
                row.iter_mut()
                    .zip(&*all)
                    .for_each(|(value, b)| *value += kappa * b);
                normalize(row);
                row.iter_mut().for_each(|value| *value = value.ln());
            }
        };
        finish(&mut self.heads, &mut self.any_head);
        finish(&mut self.others, &mut self.any_other);
        // Of no use any more; zeros make a loaded model equal to the saved one.
        self.any_head.fill(0.0);
        self.any_other.fill(0.0);
        self
    }

    fn log(&self, step: Step) -> f64 {
        match step {
            Step::Head { .. } => self.heads[self.place(step)],
            Step::Other { .. } => self.others[self.place(step)],
        }
    }
}

/// One placement decision of Model 4.
#[derive(Clone, Copy)]
enum Step {
    Head {
        before: usize,
        class: u8,
        distance: i64,
    },
    Other {
        class: u8,
        distance: i64,
    },
}

/// Model 4's placement of one sentence pair.
pub(crate) struct Place4<'a> {
    pub(crate) n: usize,
    /// Classes of the generated words.
    pub(crate) generated: &'a [u8],
    /// Classes of the conditioning words.
    pub(crate) given: &'a [u8],
    pub(crate) distances: &'a Distances,
    /// Room for the cepts of an alignment.
    pub(crate) scratch: RefCell<Vec<Cept>>,
}

/// A cept while its words are met: first and last word, sum of places, number.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cept {
    first: usize,
    last: usize,
    sum: usize,
    words: usize,
}

impl Place4<'_> {
    fn steps(&self, a: &[u32], mut visit: impl FnMut(Step)) {
        let mut cepts = self.scratch.borrow_mut();
        cepts.clear();
        cepts.resize(self.n + 1, Cept::default());
        for (j, &i) in a.iter().enumerate().filter(|&(_, &i)| i > 0) {
            let cept = &mut cepts[i as usize];
            if cept.words == 0 {
                cept.first = j;
            } else {
                let distance = (j - cept.last) as i64;
                visit(Step::Other {
                    class: self.generated[j],
                    distance,
                });
            }
            (cept.last, cept.sum, cept.words) = (j, cept.sum + j + 1, cept.words + 1);
        }
        let (mut before, mut centre) = (0, 0);
        for (i, cept) in cepts.iter().enumerate().filter(|(_, cept)| cept.words > 0) {
            let distance = cept.first as i64 + 1 - centre;
            visit(Step::Head {
                before,
                class: self.generated[cept.first],
                distance,
            });
            (before, centre) = (
                usize::from(self.given[i - 1]) + 1,
                cept.sum.div_ceil(cept.words) as i64,
            );
        }
    }

    pub(crate) fn count(&self, a: &[u32], weight: f64, into: &mut Distances) {
        self.steps(a, |step| into.add(step, weight));
    }
}

impl Placement for Place4<'_> {
    fn log(&self, a: &[u32]) -> f64 {
        let mut sum = 0.0;
        self.steps(a, |step| sum += self.distances.log(step));
        sum
    }
}
