//! IBM Models 3 and 4 (Brown et al. 1993, §4.4–4.5): each word chooses how many words it generates and
//! where they stand. Expected counts are sums over the neighbourhood of the best alignment that climbing
//! from the HMM's finds.

use crate::corpus::{Corpus, Direction};
use crate::distortion::{Distances, Place3, Place4, Places, WordClasses};
use crate::error::Result;
use crate::expectation::{PairModel, Pass};
use crate::fertility::{
    Fertilities, FertilityScore, FertilityTable, Placement, climb, for_each_change, log_factorial,
};
use crate::hmm::{Hmm, cells};
use crate::jumps::Jumps;
use crate::model1::{check_corpus, links};
use crate::params::Model34Params;
use crate::table::TranslationTable;
use crate::trellis::Trellis;
use pgen_core::{Alignment, Progress, Stop, WordId};
use std::cell::RefCell;

/// Neighbours whose weight is below this share of the best alignment's are left out of the sums.
const LEAST_WEIGHT: f64 = 1e-3;

/// Classes of the words of both languages, for Model 4.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct BothClasses {
    /// Of source words.
    pub source: WordClasses,
    /// Of target words.
    pub target: WordClasses,
}

/// A trained Model 3 or 4 of one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Model34 {
    pub(crate) hmm: Hmm,
    pub(crate) table: TranslationTable,
    pub(crate) fertility: FertilityTable,
    pub(crate) places: Places,
    /// ln probabilities of Model 4; none while it is a Model 3.
    pub(crate) distances: Option<Distances>,
    pub(crate) classes: BothClasses,
    pub(crate) null: f64,
    pub(crate) params: Model34Params,
    pub(crate) log_likelihoods: Vec<f64>,
}

impl Model34 {
    /// Trains from an HMM of the same corpus: first statistics of its Viterbi alignments, then Model 3,
    /// then Model 4.
    ///
    /// Time O(iterations · climbing steps · Σ m·(m+n)·(m+n)); memory that of the HMM twice, and 100 bytes
    /// a word.
    ///
    /// # Errors
    /// A parameter out of range; [`Error::EmptyCorpus`](crate::Error::EmptyCorpus).
    pub fn fit(
        corpus: &Corpus,
        start: Hmm,
        classes: &BothClasses,
        params: &Model34Params,
        progress: &dyn Progress,
    ) -> Result<Self> {
        params.check()?;
        check_corpus(corpus)?;
        let stop = progress.stop();
        let mut model = Model34 {
            table: start.table.clone(),
            hmm: start,
            fertility: FertilityTable::default(),
            places: Places::zeros(),
            distances: None,
            classes: classes.clone(),
            null: params.null,
            params: params.clone(),
            log_likelihoods: Vec::new(),
        };
        let total = 1 + params.model3_iterations + params.model4_iterations;
        progress.stage("Models 3 and 4", Some(total as u64));
        for iteration in 0..total {
            let log_likelihood = model.iterate(corpus, iteration, &stop);
            stop.check()?;
            progress.note(&format!("log-probability {log_likelihood:.3}"));
            progress.done(iteration as u64 + 1);
            model.log_likelihoods.push(log_likelihood);
        }
        Ok(model)
    }

    /// Iteration 0 counts the HMM's alignments; the others climb.
    fn iterate(&mut self, corpus: &Corpus, iteration: usize, stop: &Stop) -> f64 {
        let mut table = std::mem::take(&mut self.table);
        let mut sums = Sums::new(self, corpus);
        let pass = Pass {
            corpus,
            direction: self.hmm.direction,
            max_length: self.params.max_length,
            floor: self.params.floor,
            alpha: 0.0,
            stop,
        };
        let model = Expectation {
            model: self,
            corpus,
            climbing: iteration > 0,
            stop,
        };
        let log_likelihood = pass.run(&model, &mut table, |block| sums.merge(block));
        table.prune(self.params.prune, stop);
        self.table = table;
        if stop.check().is_err() {
            return log_likelihood;
        }
        let kappa = self.params.smoothing;
        self.fertility = sums.fertility.normalized(kappa);
        self.places = sums.places.normalized(kappa);
        let next_is_four =
            iteration >= self.params.model3_iterations && self.params.model4_iterations > 0;
        if next_is_four {
            self.distances = Some(sums.distances.into_logs(kappa));
        }
        if sums.words > 0.0 {
            // Each NULL word was inserted after one of the m − φ₀ others.
            let inserted = sums.null_words / (sums.words - sums.null_words).max(1.0);
            self.null = inserted.clamp(1e-4, 0.3);
        }
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
        self.hmm.direction
    }

    /// Natural log of the probability mass found before each iteration: a lower bound of the
    /// likelihood. The first is the HMM's.
    #[must_use]
    pub fn log_likelihoods(&self) -> &[f64] {
        &self.log_likelihoods
    }

    /// Probability that a word generates this many words; those above 10 count as 10.
    #[must_use]
    pub fn fertility(&self, word: WordId, count: usize) -> f64 {
        self.fertility.of(word)[count.min(crate::fertility::MAX_FERTILITY)]
    }

    /// The alignment at the end of the climb from the HMM's; that of the HMM beyond `max_length`.
    #[must_use]
    pub fn align(&self, source: &[WordId], target: &[WordId]) -> Alignment {
        let (generated, given) = crate::Pair { source, target }.sides(self.hmm.direction);
        let (m, n) = (generated.len(), given.len());
        if m == 0 || n == 0 || m.max(n) > self.params.max_length {
            return self.hmm.align(source, target);
        }
        let mut cells = cells(&self.table, generated, given, self.params.floor);
        cells.iter_mut().for_each(|value| *value = value.ln());
        let mut a = self.start(generated, given, &mut Trellis::default());
        let fertility = self.fertilities(given);
        let score = FertilityScore {
            m,
            n,
            translation: &cells,
            fertility: &fertility,
            p1: self.null,
            least: self.params.floor.ln(),
            stop: &Stop::never(),
        };
        let classes = self.classes_of(generated, given);
        self.with_placement(m, n, &classes, |place| match place {
            Either::Three(place) => climb(&score, *place, &mut a),
            Either::Four(place) => climb(&score, *place, &mut a),
        });
        links(a.into_iter().map(|i| i.checked_sub(1)), self.hmm.direction)
    }

    /// The HMM's Viterbi alignment.
    fn start(&self, generated: &[WordId], given: &[WordId], trellis: &mut Trellis) -> Vec<u32> {
        let (m, n) = (generated.len(), given.len());
        let cells = cells(&self.hmm.table, generated, given, self.hmm.params.floor);
        let jumps = Jumps::clamped(n + 1, &self.hmm.jumps);
        trellis.viterbi(m, n, self.hmm.transition(&jumps), &cells).0
    }

    /// ln n(φ|t) of each conditioning word, with ln φ! for Model 3.
    fn fertilities(&self, given: &[WordId]) -> Vec<Fertilities> {
        let three = self.distances.is_none();
        let row = |&word: &WordId| {
            let mut row = *self.fertility.of(word);
            for (count, value) in row.iter_mut().enumerate() {
                *value = value.ln() + if three { log_factorial(count) } else { 0.0 };
            }
            row
        };
        given.iter().map(row).collect()
    }

    /// Classes of the generated and of the conditioning words.
    fn classes_of(&self, generated: &[WordId], given: &[WordId]) -> [Vec<u8>; 2] {
        let (own, other) = self.both_classes();
        [own.of_all(generated), other.of_all(given)]
    }

    /// Classes of the generated and of the conditioning side.
    fn both_classes(&self) -> (&WordClasses, &WordClasses) {
        match self.hmm.direction {
            Direction::SourceGivenTarget => (&self.classes.source, &self.classes.target),
            Direction::TargetGivenSource => (&self.classes.target, &self.classes.source),
        }
    }

    fn with_placement<R>(
        &self,
        m: usize,
        n: usize,
        classes: &[Vec<u8>; 2],
        work: impl FnOnce(&Either<'_>) -> R,
    ) -> R {
        match &self.distances {
            None => work(&Either::Three(&Place3 {
                m,
                logs: &self.places.logs(m, n),
            })),
            Some(distances) => {
                let [generated, given] = classes;
                work(&Either::Four(&Place4 {
                    n,
                    generated,
                    given,
                    distances,
                    scratch: RefCell::default(),
                }))
            }
        }
    }
}

/// The placement in force.
enum Either<'a> {
    Three(&'a Place3<'a>),
    Four(&'a Place4<'a>),
}

/// Expected counts of a block.
struct Sums {
    fertility: FertilityTable,
    places: Places,
    distances: Distances,
    words: f64,
    null_words: f64,
}

impl Sums {
    fn new(model: &Model34, corpus: &Corpus) -> Self {
        let (own, other) = model.both_classes();
        Sums {
            fertility: FertilityTable::zeros(corpus.id_bound()),
            places: Places::zeros(),
            distances: Distances::zeros(other.count(), own.count()),
            words: 0.0,
            null_words: 0.0,
        }
    }

    fn merge(&mut self, other: Sums) {
        self.fertility.merge(&other.fertility);
        self.places.merge(other.places);
        self.distances.merge(&other.distances);
        self.words += other.words;
        self.null_words += other.null_words;
    }

    /// Counts one alignment.
    fn add(&mut self, a: &[u32], given: &[WordId], place: &Place4<'_>, weight: f64) {
        let n = given.len();
        let mut counts = vec![0; n + 1];
        for (j, &i) in a.iter().enumerate() {
            counts[i as usize] += 1;
            if i > 0 {
                self.places.add(j, i, (a.len(), n), weight);
            }
        }
        for (&word, &count) in given.iter().zip(&counts[1..]) {
            self.fertility.add(word, count, weight);
        }
        self.words += weight * a.len() as f64;
        self.null_words += weight * counts[0] as f64;
        place.count(a, weight, &mut self.distances);
    }
}

struct Expectation<'a> {
    model: &'a Model34,
    corpus: &'a Corpus,
    climbing: bool,
    stop: &'a Stop,
}

impl PairModel for Expectation<'_> {
    type Scratch = Trellis;
    type Sums = Sums;

    fn sums(&self) -> Sums {
        Sums::new(self.model, self.corpus)
    }

    fn expect(
        &self,
        generated: &[WordId],
        given: &[WordId],
        cells: &mut [f64],
        trellis: &mut Trellis,
        sums: &mut Sums,
    ) -> f64 {
        let (m, n) = (generated.len(), given.len());
        let mut a = self.model.start(generated, given, trellis);
        let classes = self.model.classes_of(generated, given);
        let none = Distances::default();
        let counter = Place4 {
            n,
            generated: &classes[0],
            given: &classes[1],
            distances: &none,
            scratch: RefCell::default(),
        };
        if !self.climbing {
            let log = a
                .iter()
                .enumerate()
                .map(|(j, &i)| cells[i as usize * m + j].ln())
                .sum();
            cells.fill(0.0);
            a.iter()
                .enumerate()
                .for_each(|(j, &i)| cells[i as usize * m + j] = 1.0);
            sums.add(&a, given, &counter, 1.0);
            return log;
        }
        cells.iter_mut().for_each(|value| *value = value.ln());
        let fertility = self.model.fertilities(given);
        let (neighbours, log) = {
            let score = FertilityScore {
                m,
                n,
                translation: cells,
                fertility: &fertility,
                p1: self.model.null,
                least: self.model.params.floor.ln(),
                stop: self.stop,
            };
            self.model
                .with_placement(m, n, &classes, |place| match place {
                    Either::Three(place) => neighbourhood(&score, *place, &mut a),
                    Either::Four(place) => neighbourhood(&score, *place, &mut a),
                })
        };
        cells.fill(0.0);
        for (alignment, weight) in neighbours {
            alignment
                .iter()
                .enumerate()
                .for_each(|(j, &i)| cells[i as usize * m + j] += weight);
            sums.add(&alignment, given, &counter, weight);
        }
        log
    }
}

/// Climbs, then lists the top and its neighbours with their shares of the mass; and ln of that mass.
fn neighbourhood(
    score: &FertilityScore<'_>,
    place: &impl Placement,
    a: &mut [u32],
) -> (Vec<(Vec<u32>, f64)>, f64) {
    climb(score, place, a);
    let top = a.to_vec();
    let mut found = vec![(top.clone(), 1.0)];
    for_each_change(score, place, a, |change, value| {
        let weight = value.exp();
        if weight >= LEAST_WEIGHT {
            let mut neighbour = top.clone();
            change.apply(&mut neighbour);
            found.push((neighbour, weight));
        }
    });
    let total: f64 = found.iter().map(|(_, weight)| weight).sum();
    found.iter_mut().for_each(|(_, weight)| *weight /= total);
    (found, score.log(&top, place) + total.ln())
}
