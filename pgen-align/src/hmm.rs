//! The HMM aligner (Vogel et al. 1996) with NULL states (Och & Ney 2003): where a word comes from
//! depends on where the word before it came from.

use crate::corpus::{Corpus, Direction};
use crate::error::Result;
use crate::expectation::{PairModel, Pass};
use crate::jumps::{JumpCounts, Jumps};
use crate::model1::{Model1, best_by_table, check_corpus, links};
use crate::params::{HmmParams, JumpUpdate};
use crate::table::{TranslationTable, normalize};
use crate::trellis::{Transition, Trellis};
use pgen_core::{Alignment, Progress, Stop, WordId};

/// A trained HMM of one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Hmm {
    pub(crate) table: TranslationTable,
    pub(crate) direction: Direction,
    /// c(d) for d = −max_jump..=max_jump, summing to 1.
    pub(crate) jumps: Vec<f64>,
    pub(crate) params: HmmParams,
    pub(crate) log_likelihoods: Vec<f64>,
}

impl Hmm {
    /// Trains by EM from a Model 1 of the same corpus and direction, starting with uniform jumps.
    ///
    /// Time O(iterations · Σ m·n²); memory 20 bytes an entry of the (pruned) table and 64 MiB a thread.
    ///
    /// # Errors
    /// A parameter out of range; [`Error::EmptyCorpus`](crate::Error::EmptyCorpus).
    pub fn fit(
        corpus: &Corpus,
        start: Model1,
        params: &HmmParams,
        progress: &dyn Progress,
    ) -> Result<Self> {
        params.check()?;
        check_corpus(corpus)?;
        let stop = progress.stop();
        let width = 2 * params.max_jump + 1;
        let mut hmm = Hmm {
            table: start.table,
            direction: start.direction,
            jumps: vec![1.0 / width as f64; width],
            params: params.clone(),
            log_likelihoods: Vec::new(),
        };
        hmm.table.prune(params.prune, &stop);
        stop.check()?;
        progress.stage("HMM", Some(params.iterations as u64));
        for iteration in 0..params.iterations {
            let log_likelihood = hmm.iterate(corpus, &stop);
            stop.check()?;
            progress.note(&format!("log-likelihood {log_likelihood:.3}"));
            progress.done(iteration as u64 + 1);
            hmm.log_likelihoods.push(log_likelihood);
        }
        Ok(hmm)
    }

    fn iterate(&mut self, corpus: &Corpus, stop: &Stop) -> f64 {
        let reach = longest(corpus, self.params.max_length) + 1;
        let jumps = Jumps::clamped(reach, &self.jumps);
        let mut table = std::mem::take(&mut self.table);
        let model = Expectation {
            hmm: self,
            jumps: &jumps,
        };
        let mut counts = model.sums();
        let pass = Pass {
            corpus,
            direction: self.direction,
            max_length: self.params.max_length,
            floor: self.params.floor,
            alpha: self.params.alpha,
            stop,
        };
        let log_likelihood = pass.run(&model, &mut table, |sums| counts.add(&sums));
        update_jumps(
            &mut self.jumps,
            &counts,
            &jumps,
            self.params.jump_floor,
            self.params.update,
        );
        table.prune(self.params.prune, stop);
        self.table = table;
        log_likelihood
    }

    /// The translation table.
    #[must_use]
    pub fn table(&self) -> &TranslationTable {
        &self.table
    }

    /// The direction.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Weights of jumps from −max_jump to +max_jump, summing to 1.
    #[must_use]
    pub fn jumps(&self) -> &[f64] {
        &self.jumps
    }

    /// Natural log-likelihood of the corpus before each iteration.
    #[must_use]
    pub fn log_likelihoods(&self) -> &[f64] {
        &self.log_likelihoods
    }

    /// The Viterbi alignment. O(m·n²); sentences longer than `max_length` are aligned by the table
    /// alone in O(m·n).
    #[must_use]
    pub fn align(&self, source: &[WordId], target: &[WordId]) -> Alignment {
        let (generated, given) = crate::Pair { source, target }.sides(self.direction);
        if generated.is_empty() || given.is_empty() {
            return Alignment::new();
        }
        if generated.len().max(given.len()) > self.params.max_length {
            return links(best_by_table(&self.table, generated, given), self.direction);
        }
        let (path, _) = self.viterbi(generated, given);
        links(path.into_iter().map(|at| at.checked_sub(1)), self.direction)
    }

    /// Most probable positions (from 1, 0 for NULL) of the generated words, and their natural log
    /// probability.
    fn viterbi(&self, generated: &[WordId], given: &[WordId]) -> (Vec<u32>, f64) {
        let cells = cells(&self.table, generated, given, self.params.floor);
        let jumps = Jumps::clamped(given.len() + 1, &self.jumps);
        Trellis::default().viterbi(
            generated.len(),
            given.len(),
            self.transition(&jumps),
            &cells,
        )
    }

    /// Posterior probabilities P(a_j = i): a row for each generated word, of which place 0 is NULL and
    /// place i the i-th conditioning word. O(m·n²); empty for an empty side or above `max_length`.
    #[must_use]
    pub fn posteriors(&self, source: &[WordId], target: &[WordId]) -> Vec<Vec<f64>> {
        let (generated, given) = crate::Pair { source, target }.sides(self.direction);
        let (m, n) = (generated.len(), given.len());
        if m == 0 || n == 0 || m.max(n) > self.params.max_length {
            return Vec::new();
        }
        let mut cells = cells(&self.table, generated, given, self.params.floor);
        let jumps = Jumps::clamped(n + 1, &self.jumps);
        Trellis::default().posteriors(m, n, self.transition(&jumps), &mut cells, None);
        (0..m)
            .map(|j| (0..=n).map(|i| cells[i * m + j]).collect())
            .collect()
    }

    pub(crate) fn transition<'a>(&self, jumps: &'a Jumps) -> Transition<'a> {
        Transition {
            jumps,
            null: self.params.null,
            uniform: self.params.uniform,
        }
    }
}

/// M-step of jump weights from −max_jump to +max_jump; wider jumps are counted with the widest.
pub(crate) fn update_jumps(
    weights: &mut [f64],
    counts: &JumpCounts,
    jumps: &Jumps,
    floor: f64,
    update: JumpUpdate,
) {
    let (bound, reach) = ((weights.len() / 2) as i64, jumps.reach() as i64);
    let expected = counts.expected(jumps);
    let mut bins = vec![(0.0, 0.0); weights.len()];
    for (d, (count, slope)) in (-reach..=reach).zip(expected.iter().zip(&counts.slope)) {
        let bin = &mut bins[(d.clamp(-bound, bound) + bound) as usize];
        bin.0 += count;
        bin.1 += slope;
    }
    for (weight, (count, slope)) in weights.iter_mut().zip(bins) {
        let count = count + floor;
        match update {
            JumpUpdate::Counts => *weight = count,
            JumpUpdate::Likelihood if slope > 0.0 => *weight = count / slope,
            // Widths that no sentence allows keep their weight.
            JumpUpdate::Likelihood => {}
        }
    }
    normalize(weights);
}

/// t(s_j|t_i) at `i·m + j`, i = 0 being NULL, not below `floor`.
pub(crate) fn cells(
    table: &TranslationTable,
    generated: &[WordId],
    given: &[WordId],
    floor: f64,
) -> Vec<f64> {
    let positions = std::iter::once(None).chain(given.iter().copied().map(Some));
    positions
        .flat_map(|from| {
            generated
                .iter()
                .map(move |&word| table.probability(word, from).max(floor))
        })
        .collect()
}

/// Longest sentence of the corpus that trainers look at.
pub(crate) fn longest(corpus: &Corpus, max_length: usize) -> usize {
    let lengths = corpus
        .pairs()
        .map(|pair| pair.source.len().max(pair.target.len()));
    lengths
        .filter(|&length| length <= max_length)
        .max()
        .unwrap_or(1)
}

struct Expectation<'a> {
    hmm: &'a Hmm,
    jumps: &'a Jumps,
}

impl PairModel for Expectation<'_> {
    type Scratch = Trellis;
    type Sums = JumpCounts;

    fn sums(&self) -> JumpCounts {
        let with_uniform = self.hmm.params.update == JumpUpdate::Counts;
        JumpCounts::new(self.jumps.reach(), with_uniform)
    }

    fn expect(
        &self,
        generated: &[WordId],
        given: &[WordId],
        cells: &mut [f64],
        scratch: &mut Trellis,
        sums: &mut JumpCounts,
    ) -> f64 {
        let transition = self.hmm.transition(self.jumps);
        scratch.posteriors(generated.len(), given.len(), transition, cells, Some(sums))
    }
}
