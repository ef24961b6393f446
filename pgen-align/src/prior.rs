//! A translation table under a Dirichlet prior: what two words of one language are expected to do before
//! any text is seen.

use crate::corpus::{Corpus, Direction};
use crate::error::Result;
use crate::params::ConsensusParams;
use crate::similarity::similarity;
use crate::sparse::{NULL_ROW, Occurrences, Rows, row_of};
use crate::store::{Stored, number, weights};
use crate::table::TranslationTable;
use pgen_core::codec::{Cursor, Encoder};
use pgen_core::{Stop, WordId};

/// Looks up how likely a lexicon holds two spellings for translations of each other, 0..=1. A lexicon
/// may be a thesaurus or a paraphrase table; `&|_, _| 0.0` is none.
pub type LexiconWeight<'a> = &'a (dyn Fn(&str, &str) -> f64 + Sync);

/// What the prior of all pairs is made of.
pub(crate) struct Prior<'a> {
    pub(crate) params: &'a ConsensusParams,
    pub(crate) lexicon: LexiconWeight<'a>,
    pub(crate) words: &'a [String],
}

impl Prior<'_> {
    /// Pseudo-count of a pair beyond the background.
    fn bonus(&self, given: usize, generated: WordId) -> f64 {
        let (Some(a), Some(b)) = (self.words.get(given), self.words.get(generated.index())) else {
            return 0.0;
        };
        let likeness = similarity(a, b);
        if likeness >= 0.95 {
            return self.params.identity * likeness;
        }
        let known = if self.params.lexicon > 0.0 {
            (self.lexicon)(a, b)
        } else {
            0.0
        };
        self.params.likeness * likeness + self.params.lexicon * known.clamp(0.0, 1.0)
    }
}

/// t(s|t) as posterior means: (count + prior) / (total + total prior). Pairs without an entry have what
/// the background alone gives, so that entries without counts can be dropped without a trace.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PriorTable {
    pub(crate) table: TranslationTable,
    /// Places of entries with a pseudo-count beyond the background, ascending, and that count.
    bonus: Vec<(usize, f64)>,
    /// For each row, background / (total + total prior).
    rest: Vec<f64>,
    unigrams: Vec<f64>,
    background: f64,
    /// Probability of the word itself where the row is not known.
    identity: f64,
}

impl PriorTable {
    /// The table of the prior alone, over all pairs that meet in the corpus.
    ///
    /// # Errors
    /// When told to stop.
    pub(crate) fn new(
        corpus: &Corpus,
        direction: Direction,
        prior: &Prior<'_>,
        stop: &Stop,
    ) -> Result<Self> {
        let occurrences = Occurrences::of(corpus, direction, stop)?;
        let rows = Rows::cooccurrences(corpus, direction, &occurrences, stop)?;
        let mut ticker = stop.ticker();
        let mut bonus = Vec::new();
        for row in NULL_ROW + 1..rows.len() {
            for at in rows.range(row) {
                ticker.tick()?;
                let value = prior.bonus(row - 1, rows.words[at]);
                if value > 0.0 {
                    bonus.push((at, value));
                }
            }
        }
        let (background, identity) = (prior.params.background, prior.params.identity);
        let mut table = PriorTable {
            rest: vec![0.0; rows.len()],
            table: TranslationTable {
                probabilities: vec![0.0; rows.words.len()],
                rows,
            },
            bonus,
            unigrams: unigrams(corpus, direction),
            background,
            identity: identity / (identity + background),
        };
        table.maximize(&vec![0.0; table.table.len()], stop);
        stop.check()?;
        Ok(table)
    }

    /// The entry of a pair.
    pub(crate) fn find(&self, row: usize, word: WordId) -> Option<usize> {
        self.table.rows.find(row, word)
    }

    /// t(word | row), given the entry if there is one.
    pub(crate) fn probability(&self, row: usize, word: WordId, entry: Option<usize>) -> f64 {
        let known = |entry: usize| self.table.probabilities[entry];
        entry.map_or_else(|| self.absent(row, word), known)
    }

    /// t(word | row) of a pair that never met. A word that was never seen counts like the rarest ones.
    fn absent(&self, row: usize, word: WordId) -> f64 {
        let unseen = 1.0 / (self.unigrams.len() + 1) as f64;
        let unigram = self
            .unigrams
            .get(word.index())
            .copied()
            .filter(|&p| p > 0.0);
        let rest = self.rest.get(row).copied().unwrap_or(1.0);
        let background = rest * unigram.unwrap_or(unseen * unseen);
        let own = row == row_of(word) && word != WordId::UNK;
        if own {
            self.identity.max(background)
        } else {
            background
        }
    }

    /// Replaces the probabilities by those of these expected counts, one for each entry, until told to
    /// stop.
    pub(crate) fn maximize(&mut self, counts: &[f64], stop: &Stop) {
        let mut bonus = self.bonus.iter().peekable();
        for row in 0..self.table.rows.len() {
            if stop.check().is_err() {
                return;
            }
            let range = self.table.rows.range(row);
            let mut total = self.background;
            for at in range.clone() {
                let more = bonus
                    .next_if(|(place, _)| *place == at)
                    .map_or(0.0, |(_, value)| *value);
                total += counts[at] + more;
                let flat = self.background * self.unigrams[self.table.rows.words[at].index()];
                self.table.probabilities[at] = counts[at] + more + flat;
            }
            let scale = 1.0 / total;
            self.table.probabilities[range]
                .iter_mut()
                .for_each(|p| *p *= scale);
            self.rest[row] = self.background * scale;
        }
    }

    /// Forgets what only training needs.
    pub(crate) fn finish(&mut self) {
        self.bonus = Vec::new();
    }

    /// Drops entries whose expected count is below `least` and that have no prior of their own.
    /// Left undone once told to stop: the table is then of no use.
    pub(crate) fn prune(&mut self, counts: &[f64], least: f64, stop: &Stop) {
        let mut bonus = std::mem::take(&mut self.bonus).into_iter().peekable();
        let (rows, probabilities) = (&mut self.table.rows, &mut self.table.probabilities);
        let mut kept = 0;
        for row in 0..rows.len() {
            if stop.check().is_err() {
                return;
            }
            let range = rows.starts[row]..rows.starts[row + 1];
            rows.starts[row] = kept;
            for at in range {
                let own = bonus.next_if(|(place, _)| *place == at);
                if own.is_none() && counts[at] < least && row != NULL_ROW {
                    continue;
                }
                if let Some((_, value)) = own {
                    self.bonus.push((kept, value));
                }
                rows.words[kept] = rows.words[at];
                probabilities[kept] = probabilities[at];
                kept += 1;
            }
        }
        if let Some(end) = rows.starts.last_mut() {
            *end = kept;
        }
        rows.words.truncate(kept);
        probabilities.truncate(kept);
    }
}

/// Relative frequencies of the words on the generated side.
fn unigrams(corpus: &Corpus, direction: Direction) -> Vec<f64> {
    let (mut counts, mut total) = (vec![0.0; corpus.id_bound()], 0.0);
    for pair in corpus.pairs() {
        for word in pair.sides(direction).0 {
            counts[word.index()] += 1.0;
            total += 1.0;
        }
    }
    counts.iter_mut().for_each(|count| *count /= total);
    counts
}

impl Stored for PriorTable {
    /// A trained table; what only training needs is left out.
    fn write(&self, out: &mut Encoder) {
        self.table.write(out);
        out.f64s(&self.rest);
        out.f64s(&self.unigrams);
        out.f64(self.background);
        out.f64(self.identity);
    }

    fn read(from: &mut Cursor<'_>) -> std::result::Result<Self, pgen_core::Error> {
        let (table, rest, unigrams) = (
            TranslationTable::read(from)?,
            weights(from)?,
            weights(from)?,
        );
        if rest.len() != table.rows.len() {
            return Err(from.error("rows and their rests differ in number"));
        }
        let (background, identity) = (number(from, 0.0, 1e6)?, number(from, 0.0, 1.0)?);
        Ok(PriorTable {
            table,
            bonus: Vec::new(),
            rest,
            unigrams,
            background,
            identity,
        })
    }
}
