//! Phrase pairs of a corpus with their counts: the bilingual table, or Quirk's replacement database.

use crate::corpus::{Corpus, Direction};
use crate::error::{Error, Result};
use crate::extract::{ExtractParams, for_each_phrase_pair};
use crate::lexical::{lexical_table_until, running_weights};
use crate::parallel;
use crate::phrase_counts::{Builder, Entry, Found};
use crate::table::TranslationTable;
use pgen_core::{Alignment, Phrases, Progress, Stop, WordId};

/// A row of a [`PhraseTable`]: probabilities by relative frequency and lexical weights.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PhraseRow<'a> {
    /// Source words.
    pub source: &'a [WordId],
    /// Target words.
    pub target: &'a [WordId],
    /// How often the pair was extracted.
    pub count: f64,
    /// count / count of the target.
    pub source_given_target: f64,
    /// count / count of the source.
    pub target_given_source: f64,
    /// Natural log of the lexical weight of the source given the target.
    pub lexical_source: f64,
    /// Natural log of the lexical weight of the target given the source.
    pub lexical_target: f64,
}

/// Phrase pairs, each once, by source and target number. 20 bytes a pair plus the phrases.
#[derive(Clone, Debug, Default)]
pub struct PhraseTable {
    pub(crate) sources: Phrases,
    pub(crate) targets: Phrases,
    /// Ascending by (source, target).
    pub(crate) entries: Vec<Entry>,
    pub(crate) source_counts: Vec<f64>,
    pub(crate) target_counts: Vec<f64>,
    /// Probabilities (source given target, target given source) that came with the entries.
    pub(crate) given: Option<Vec<[f64; 2]>>,
}

/// Sentence pairs extracted at a time.
const CHUNK: usize = 2048;

impl PhraseTable {
    /// Extracts, counts and scores the phrase pairs of a corpus. `keep` may refuse pairs (source,
    /// target).
    ///
    /// Memory: 20 bytes a distinct pair, about twice that while runs are merged, and the phrases.
    ///
    /// # Errors
    /// A setting out of range; [`Error::LengthMismatch`] unless there is one alignment for each text
    /// pair; [`pgen_core::Error::BadSpan`] with its line for a link outside its sentences.
    pub fn extract(
        corpus: &Corpus,
        alignments: &[Alignment],
        params: &ExtractParams,
        keep: impl Fn(&[WordId], &[WordId]) -> bool + Sync + Send,
        progress: &dyn Progress,
    ) -> Result<Self> {
        params.check()?;
        if corpus.len() != alignments.len() {
            let (pairs, alignments) = (corpus.len(), alignments.len());
            return Err(Error::LengthMismatch { pairs, alignments });
        }
        progress.stage("phrase pairs", Some(corpus.len() as u64));
        let stop = &progress.stop();
        let lexical = |direction| lexical_table_until(corpus, alignments, direction, stop);
        let work = Work {
            corpus,
            alignments,
            params,
            lexical_source: lexical(Direction::SourceGivenTarget)?,
            lexical_target: lexical(Direction::TargetGivenSource)?,
            stop,
        };
        let mut builder = Builder::default();
        let starts: Vec<usize> = (0..corpus.len()).step_by(CHUNK).collect();
        for batch in starts.chunks(parallel::width()) {
            for part in parallel::map(batch.to_vec(), |start| work.extract(start, &keep)) {
                for (at, found) in part? {
                    stop.check()?;
                    builder.add(corpus.pair(at), &found, stop)?;
                }
            }
            progress.done((batch[batch.len() - 1] + CHUNK).min(corpus.len()) as u64);
        }
        builder.finish(stop)
    }

    /// Number of phrase pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True without phrase pairs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The rows in order of first appearance of source and target.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = PhraseRow<'_>> {
        (0..self.entries.len()).map(|at| self.row(at))
    }

    /// Probabilities (source given target, target given source) of an entry.
    pub(crate) fn probabilities(&self, at: usize) -> [f64; 2] {
        if let Some(given) = &self.given {
            return given[at];
        }
        let entry = &self.entries[at];
        let count = f64::from(entry.count);
        let of_target = self.target_counts[entry.target as usize];
        [
            count / of_target,
            count / self.source_counts[entry.source as usize],
        ]
    }

    pub(crate) fn row(&self, at: usize) -> PhraseRow<'_> {
        let entry = &self.entries[at];
        let [source_given_target, target_given_source] = self.probabilities(at);
        PhraseRow {
            source: self.sources.get(entry.source),
            target: self.targets.get(entry.target),
            count: f64::from(entry.count),
            source_given_target,
            target_given_source,
            lexical_source: f64::from(entry.lexical_source),
            lexical_target: f64::from(entry.lexical_target),
        }
    }

    /// Drops pairs seen less often than `least`; the counts of their phrases stay as they were, so that
    /// probabilities do not rise.
    pub fn prune_counts(&mut self, least: f64) {
        if let Some(given) = &mut self.given {
            let mut counts = self.entries.iter().map(|entry| f64::from(entry.count));
            given.retain(|_| counts.next().is_some_and(|count| count >= least));
        }
        self.entries.retain(|entry| f64::from(entry.count) >= least);
        self.entries.shrink_to_fit();
    }
}

struct Work<'a> {
    corpus: &'a Corpus,
    alignments: &'a [Alignment],
    params: &'a ExtractParams,
    lexical_source: TranslationTable,
    lexical_target: TranslationTable,
    stop: &'a Stop,
}

impl Work<'_> {
    /// Phrase pairs of a chunk of the corpus.
    fn extract(
        &self,
        start: usize,
        keep: &(impl Fn(&[WordId], &[WordId]) -> bool + Sync),
    ) -> Result<Vec<(usize, Vec<Found>)>> {
        let end = self.corpus.len().min(start + CHUNK);
        (start..end)
            .map(|at| Ok((at, self.extract_one(at, keep)?)))
            .collect()
    }

    fn extract_one(
        &self,
        at: usize,
        keep: &(impl Fn(&[WordId], &[WordId]) -> bool + Sync),
    ) -> Result<Vec<Found>> {
        self.stop.check()?;
        let (pair, alignment) = (self.corpus.pair(at), &self.alignments[at]);
        let weights = |direction, table| {
            let (generated, given) = pair.sides(direction);
            running_weights(generated, given, alignment, direction, table)
        };
        let sizes = (pair.source.len(), pair.target.len());
        alignment
            .check(sizes.0, sizes.1)
            .map_err(|error| error.at_line(at as u64 + 1))?;
        let by_source = weights(Direction::SourceGivenTarget, &self.lexical_source);
        let by_target = weights(Direction::TargetGivenSource, &self.lexical_target);
        let mut found = Vec::new();
        for_each_phrase_pair(sizes, alignment, self.params, |spans| {
            let (source, target) = (spans.source.range(), spans.target.range());
            if keep(&pair.source[source.clone()], &pair.target[target.clone()]) {
                found.push(Found {
                    spans,
                    lexical_source: (by_source[source.end] - by_source[source.start]) as f32,
                    lexical_target: (by_target[target.end] - by_target[target.start]) as f32,
                });
            }
        })?;
        Ok(found)
    }
}

/// Scores of a phrase pair that come from elsewhere, such as a Moses table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PhraseScores {
    /// p(source | target).
    pub source_given_target: f64,
    /// p(target | source).
    pub target_given_source: f64,
    /// Lexical weight of the source given the target.
    pub lexical_source: f64,
    /// Lexical weight of the target given the source.
    pub lexical_target: f64,
}

impl PhraseScores {
    /// Two probabilities, with lexical weights of 1.
    #[must_use]
    pub fn new(source_given_target: f64, target_given_source: f64) -> Self {
        PhraseScores {
            source_given_target,
            target_given_source,
            lexical_source: 1.0,
            lexical_target: 1.0,
        }
    }
}

/// Collects rows with their scores for a [`PhraseTable`], in any order.
#[derive(Debug, Default)]
pub struct PhraseTableBuilder {
    table: PhraseTable,
    given: Vec<[f64; 2]>,
}

impl PhraseTableBuilder {
    /// Adds a row, with count 1.
    ///
    /// # Errors
    /// [`pgen_core::Error::ProbabilityOutOfRange`] for a score that is no probability (up to 1e-9 above 1
    /// counts as 1); [`pgen_core::Error::LimitExceeded`] for too many phrases.
    pub fn push(
        &mut self,
        source: &[WordId],
        target: &[WordId],
        scores: PhraseScores,
    ) -> Result<()> {
        let check = |value: f64| {
            if (0.0..=1.0 + 1e-9).contains(&value) {
                Ok(value.min(1.0))
            } else {
                Err(Error::Core(pgen_core::Error::ProbabilityOutOfRange {
                    value,
                }))
            }
        };
        let given = [
            check(scores.source_given_target)?,
            check(scores.target_given_source)?,
        ];
        let entry = Entry {
            lexical_source: check(scores.lexical_source)?.ln() as f32,
            lexical_target: check(scores.lexical_target)?.ln() as f32,
            count: 1.0,
            source: self.table.sources.intern(source)?,
            target: self.table.targets.intern(target)?,
        };
        self.table.entries.push(entry);
        self.given.push(given);
        Ok(())
    }

    /// The table. Of several rows of the same pair the one with the larger p(target | source) stays, of
    /// equals the one with the larger p(source | target).
    #[must_use]
    pub fn build(self) -> PhraseTable {
        let PhraseTableBuilder { mut table, given } = self;
        let mut rows: Vec<(Entry, [f64; 2])> = table.entries.drain(..).zip(given).collect();
        rows.sort_by(|a, b| {
            let better = b.1[1].total_cmp(&a.1[1]).then(b.1[0].total_cmp(&a.1[0]));
            a.0.key().cmp(&b.0.key()).then(better)
        });
        rows.dedup_by_key(|row| row.0.key());
        table.source_counts = vec![0.0; table.sources.len()];
        table.target_counts = vec![0.0; table.targets.len()];
        for (entry, _) in &rows {
            table.source_counts[entry.source as usize] += 1.0;
            table.target_counts[entry.target as usize] += 1.0;
        }
        let (entries, given) = rows.into_iter().unzip();
        (table.entries, table.given) = (entries, Some(given));
        table
    }
}
