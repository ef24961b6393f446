//! Paraphrases by pivoting through another language: p(s'|s) = Σₑ p(e|s)·p(s'|e) (Bannard &
//! Callison-Burch 2005; Chevelu et al. 2010, §2.1), as a sparse self-join of a phrase table.

use crate::error::Result;
use crate::parallel;
use crate::params::{check_count, check_range};
use crate::phrase_table::PhraseTable;
use hashbrown::HashMap;
use pgen_core::{Progress, Stop, Vocab, WordId};
use std::cmp::Ordering;

/// The language of which paraphrases are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Side {
    /// Paraphrases of source phrases, with target phrases as pivots.
    #[default]
    Source,
    /// Paraphrases of target phrases, with source phrases as pivots.
    Target,
}

/// What ε is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum EpsilonOn {
    /// The sum over pivots.
    #[default]
    Sum,
    /// Each round trip through one pivot, before summing.
    RoundTrip,
}

/// Settings of the pivot, applied in this order.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `tau` | 200 | pivots with more phrases than this are dropped |
/// | `epsilon` | 1e-5 | less probable paraphrases are dropped |
/// | `epsilon_on` | sum | what ε is compared with |
/// | `kappa` | 20 | most paraphrases of a phrase, itself included |
/// | `identity` | true | whether a phrase is listed among its own paraphrases |
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct PivotParams {
    pub tau: usize,
    pub epsilon: f64,
    pub epsilon_on: EpsilonOn,
    pub kappa: usize,
    pub identity: bool,
}

impl Default for PivotParams {
    fn default() -> Self {
        PivotParams {
            tau: 200,
            epsilon: 1e-5,
            epsilon_on: EpsilonOn::default(),
            kappa: 20,
            identity: true,
        }
    }
}

impl PivotParams {
    /// Sets τ, ε and κ.
    #[must_use]
    pub fn with_pruning(mut self, tau: usize, epsilon: f64, kappa: usize) -> Self {
        (self.tau, self.epsilon, self.kappa) = (tau, epsilon, kappa);
        self
    }

    /// Sets whether a phrase is listed among its own paraphrases.
    #[must_use]
    pub fn with_identity(mut self, identity: bool) -> Self {
        self.identity = identity;
        self
    }

    /// Checks every field.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadParameter`] for the first that is out of range.
    pub fn check(&self) -> Result<()> {
        check_count("tau", self.tau.min(1_000_000), 0)?;
        check_range("epsilon", self.epsilon, 0.0, 1.0)?;
        check_count("kappa", self.kappa.min(1_000_000), 0)
    }
}

/// A paraphrase found by pivoting.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Paraphrase<'a> {
    /// Its words.
    pub words: &'a [WordId],
    /// p(s'|s).
    pub probability: f64,
    /// The same sum over lexical weights instead of relative frequencies.
    pub lexical: f64,
    /// Number of pivots that lead from s to s'.
    pub pivots: u32,
}

/// How many entries each pruning step left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PivotReport {
    /// Pivot phrases.
    pub pivots: u64,
    /// Pivots dropped by τ.
    pub dropped_pivots: u64,
    /// Round trips through the remaining pivots.
    pub round_trips: u64,
    /// Distinct pairs of phrases.
    pub pairs: u64,
    /// Pairs left by ε.
    pub after_epsilon: u64,
    /// Pairs left by κ.
    pub after_kappa: u64,
}

/// Sums are kept in units of 2⁻⁶⁰, whole numbers, so that no order of summation can show.
const UNIT: f64 = (1u64 << 60) as f64;
/// Phrases worked off at a time.
const CHUNK: usize = 4096;

/// A step s → e or e → s'.
#[derive(Clone, Copy)]
struct Step {
    to: u32,
    probability: f64,
    lexical: f32,
}

/// Compressed rows of steps.
struct Steps {
    starts: Vec<usize>,
    steps: Vec<Step>,
}

impl Steps {
    fn new(
        rows: usize,
        items: impl Iterator<Item = (u32, Step)> + Clone,
        stop: &Stop,
    ) -> Result<Self> {
        let (mut starts, mut ticker) = (vec![0usize; rows + 1], stop.ticker());
        for (from, _) in items.clone() {
            ticker.tick()?;
            starts[from as usize + 1] += 1;
        }
        for row in 1..starts.len() {
            starts[row] += starts[row - 1];
        }
        let empty = Step {
            to: 0,
            probability: 0.0,
            lexical: 0.0,
        };
        let (mut next, mut steps) = (starts.clone(), Vec::with_capacity(starts[rows]));
        while steps.len() < starts[rows] {
            stop.check()?;
            steps.resize(starts[rows].min(steps.len() + parallel::STRETCH), empty);
        }
        for (from, step) in items {
            ticker.tick()?;
            steps[next[from as usize]] = step;
            next[from as usize] += 1;
        }
        Ok(Steps { starts, steps })
    }

    fn row(&self, row: u32) -> &[Step] {
        &self.steps[self.starts[row as usize]..self.starts[row as usize + 1]]
    }
}

#[derive(Clone, Copy, Default)]
struct Sum {
    probability: u64,
    lexical: u64,
    pivots: u32,
}

/// The join, ready to be asked for one phrase after another.
struct Join<'a> {
    table: &'a PhraseTable,
    side: Side,
    params: &'a PivotParams,
    out: Steps,
    back: Steps,
}

/// One phrase's paraphrases before they are handed out, and what pruning did.
type Row = (Vec<(u32, Sum)>, PivotReport);

/// Calls `visit` with each phrase and its paraphrases, best first, ties by spelling. Phrases come in the
/// table's order; those without paraphrases are left out.
///
/// Time is that of the round trips, at most τ for each entry of the table; memory two copies of its
/// entries at 16 bytes. Sums are exact to 2⁻⁶⁰.
///
/// # Errors
/// A setting out of range, and what `visit` returns.
pub fn pivot(
    table: &PhraseTable,
    side: Side,
    params: &PivotParams,
    vocab: &Vocab,
    progress: &dyn Progress,
    mut visit: impl FnMut(&[WordId], &[Paraphrase<'_>]) -> Result<()>,
) -> Result<PivotReport> {
    params.check()?;
    let stop = &progress.stop();
    let join = Join::new(table, side, params, stop)?;
    let mut report = join.count_pivots();
    let phrases = join.phrases();
    progress.stage("pivot", Some(phrases as u64));
    let starts: Vec<usize> = (0..phrases).step_by(CHUNK).collect();
    for batch in starts.chunks(parallel::width()) {
        let parts = parallel::map(batch.to_vec(), |start| {
            let rows = start..phrases.min(start + CHUNK);
            rows.map(|row| {
                stop.check()?;
                Ok(join.row(row as u32, vocab))
            })
            .collect::<Result<Vec<Row>>>()
        });
        let parts = parts.into_iter().collect::<Result<Vec<_>>>()?;
        for (row, (found, counts)) in (batch[0] as u32..).zip(parts.into_iter().flatten()) {
            stop.check()?;
            report.add(&counts);
            if !found.is_empty() {
                let paraphrases: Vec<_> = found
                    .iter()
                    .map(|(to, sum)| join.paraphrase(*to, *sum))
                    .collect();
                visit(join.words(row), &paraphrases)?;
            }
        }
        progress.done((batch[batch.len() - 1] + CHUNK).min(phrases) as u64);
    }
    Ok(report)
}

impl PivotReport {
    fn add(&mut self, other: &PivotReport) {
        self.round_trips += other.round_trips;
        self.pairs += other.pairs;
        self.after_epsilon += other.after_epsilon;
        self.after_kappa += other.after_kappa;
    }
}

impl<'a> Join<'a> {
    fn new(
        table: &'a PhraseTable,
        side: Side,
        params: &'a PivotParams,
        stop: &Stop,
    ) -> Result<Self> {
        let (sources, targets) = (table.sources.len(), table.targets.len());
        let rows = 0..table.entries.len();
        let to_target = rows.clone().map(|at| {
            let (entry, [_, probability]) = (&table.entries[at], table.probabilities(at));
            let lexical = entry.lexical_target.exp();
            (
                entry.source,
                Step {
                    to: entry.target,
                    probability,
                    lexical,
                },
            )
        });
        let to_source = rows.map(|at| {
            let (entry, [probability, _]) = (&table.entries[at], table.probabilities(at));
            let lexical = entry.lexical_source.exp();
            (
                entry.target,
                Step {
                    to: entry.source,
                    probability,
                    lexical,
                },
            )
        });
        let (to_target, to_source) = (
            Steps::new(sources, to_target, stop)?,
            Steps::new(targets, to_source, stop)?,
        );
        let (out, back) = match side {
            Side::Source => (to_target, to_source),
            Side::Target => (to_source, to_target),
        };
        Ok(Join {
            table,
            side,
            params,
            out,
            back,
        })
    }

    fn phrases(&self) -> usize {
        self.out.starts.len() - 1
    }

    fn words(&self, phrase: u32) -> &'a [WordId] {
        match self.side {
            Side::Source => self.table.sources.get(phrase),
            Side::Target => self.table.targets.get(phrase),
        }
    }

    fn count_pivots(&self) -> PivotReport {
        let sizes = self.back.starts.windows(2).map(|w| w[1] - w[0]);
        let dropped = sizes.filter(|&size| size > self.params.tau).count();
        let pivots = self.back.starts.len() as u64 - 1;
        PivotReport {
            pivots,
            dropped_pivots: dropped as u64,
            ..PivotReport::default()
        }
    }

    fn paraphrase(&self, to: u32, sum: Sum) -> Paraphrase<'a> {
        Paraphrase {
            words: self.words(to),
            probability: (sum.probability as f64 / UNIT).min(1.0),
            lexical: sum.lexical as f64 / UNIT,
            pivots: sum.pivots,
        }
    }

    fn row(&self, phrase: u32, vocab: &Vocab) -> Row {
        let mut report = PivotReport::default();
        let mut sums: HashMap<u32, Sum> = HashMap::new();
        for out in self.out.row(phrase) {
            let back = self.back.row(out.to);
            if back.len() > self.params.tau {
                continue;
            }
            report.round_trips += back.len() as u64;
            for step in back {
                let probability = out.probability * step.probability;
                if self.params.epsilon_on == EpsilonOn::RoundTrip
                    && probability < self.params.epsilon
                {
                    continue;
                }
                let sum = sums.entry(step.to).or_default();
                sum.probability += (probability * UNIT) as u64;
                let lexical = f64::from(out.lexical) * f64::from(step.lexical);
                sum.lexical = sum.lexical.saturating_add((lexical * UNIT) as u64);
                sum.pivots += 1;
            }
        }
        report.pairs = sums.len() as u64;
        let mut found: Vec<(u32, Sum)> = sums.into_iter().collect();
        if self.params.epsilon_on == EpsilonOn::Sum {
            let least = self.params.epsilon;
            found.retain(|(_, sum)| sum.probability as f64 / UNIT >= least);
        }
        report.after_epsilon = found.len() as u64;
        found.sort_unstable_by(|a, b| self.compare(*a, *b, vocab));
        found.truncate(self.params.kappa);
        report.after_kappa = found.len() as u64;
        if !self.params.identity {
            found.retain(|(to, _)| *to != phrase);
        }
        (found, report)
    }

    fn compare(&self, a: (u32, Sum), b: (u32, Sum), vocab: &Vocab) -> Ordering {
        let spelling = |phrase: u32| self.words(phrase).iter().map(|&word| vocab.word(word));
        let by_probability = b.1.probability.cmp(&a.1.probability);
        by_probability.then_with(|| spelling(a.0).cmp(spelling(b.0)))
    }
}
