//! What is asked of a decoder.

use pgen_core::{Limits, Stop, WordId};

/// How many answers, which ones, and how long they may take.
///
/// | name | default | purpose |
/// |---|---|---|
/// | `n` | 1 | how many distinct texts; at most `limits.n_best` |
/// | `limits` | see [`Limits`] | states and steps before the certificate becomes `Bounded` |
/// | `stop` | never | deadline and cancel token |
/// | `exclude` | none | texts that must not appear |
/// | `source`, `min_edit` | empty, 0 | fewest words inserted, deleted or exchanged against the source |
/// | `min_words`, `max_words` | 0, no limit | length of a text |
/// | `counts` | off | number of derivations of each text |
/// | `marginals` | off | log-sum over the derivations of each text |
///
/// A text whose derivations take more than `limits.states` steps (65,536 at the least) gets neither number nor
/// log-sum.
///
/// Every decoder keeps each of its stores within about 128 bytes for each state allowed by `limits.states` (2.6 GB
/// by default, 8 MiB at the least), however few states it has. Beyond, the exact and the Monte-Carlo decoder answer
/// with what they found; a beam whose steps do not fit refuses with `limit-exceeded`.
///
/// Filters work on what is emitted, not on the lattice: the list is the best of what passes.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct Request {
    pub n: usize,
    pub limits: Limits,
    pub stop: Stop,
    pub exclude: Vec<Vec<WordId>>,
    pub source: Vec<WordId>,
    pub min_edit: usize,
    pub min_words: usize,
    pub max_words: usize,
    pub counts: bool,
    pub marginals: bool,
}

impl Default for Request {
    fn default() -> Self {
        Request {
            n: 1,
            limits: Limits::default(),
            stop: Stop::never(),
            exclude: Vec::new(),
            source: Vec::new(),
            min_edit: 0,
            min_words: 0,
            max_words: usize::MAX,
            counts: false,
            marginals: false,
        }
    }
}

/// What is allowed in any case: states and steps.
const FEWEST: usize = 1 << 16;

/// How many bytes a search may take: 128 for each state that it may have.
pub(crate) fn room(limits: &Limits) -> usize {
    limits.states.max(FEWEST).saturating_mul(128)
}

impl Request {
    /// The best `n` texts, without filters or details.
    #[must_use]
    pub fn best(n: usize) -> Self {
        Request {
            n,
            ..Self::default()
        }
    }

    /// Sets the limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets when to stop.
    #[must_use]
    pub fn with_stop(mut self, stop: Stop) -> Self {
        self.stop = stop;
        self
    }

    /// Leaves out one more text.
    #[must_use]
    pub fn excluding(mut self, words: Vec<WordId>) -> Self {
        self.exclude.push(words);
        self
    }

    /// Says what the source is; Monte-Carlo generation starts from it.
    #[must_use]
    pub fn with_source(mut self, source: Vec<WordId>) -> Self {
        self.source = source;
        self
    }

    /// Asks for at least this many word edits against a source. One edit leaves out the source itself.
    #[must_use]
    pub fn with_min_edit(mut self, source: Vec<WordId>, edits: usize) -> Self {
        self.source = source;
        self.min_edit = edits;
        self
    }

    /// Sets the fewest and the most words of a text.
    #[must_use]
    pub fn with_length(mut self, fewest: usize, most: usize) -> Self {
        (self.min_words, self.max_words) = (fewest, most);
        self
    }

    /// Asks for the number of derivations and the marginal of each text.
    #[must_use]
    pub fn with_details(mut self) -> Self {
        (self.counts, self.marginals) = (true, true);
        self
    }

    /// How many steps the derivations of one text may take.
    pub(crate) fn steps_of_text(&self) -> usize {
        self.limits.states.max(FEWEST)
    }

    /// True if a text may be answered.
    pub(crate) fn passes(&self, words: &[WordId]) -> bool {
        (self.min_words..=self.max_words).contains(&words.len())
            && !self.exclude.iter().any(|text| text == words)
            && (self.min_edit == 0 || edit_distance_reaches(&self.source, words, self.min_edit))
    }

    /// How many texts the filters can take away at most; `None` if that is unknown.
    pub(crate) fn filtered_at_most(&self) -> Option<usize> {
        let by_length = self.min_words > 0 || self.max_words < usize::MAX;
        match (by_length, self.min_edit) {
            (false, 0) => Some(self.exclude.len()),
            (false, 1) => Some(self.exclude.len() + 1),
            _ => None,
        }
    }
}

/// True if the Levenshtein distance of two texts is at least `least`. O(product of the lengths).
fn edit_distance_reaches(a: &[WordId], b: &[WordId], least: usize) -> bool {
    if least <= 1 || a.len().abs_diff(b.len()) >= least {
        return least == 0 || a != b;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let exchange = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = exchange.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()] >= least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(ids: &[u32]) -> Vec<WordId> {
        ids.iter().map(|&id| WordId::new(id)).collect()
    }

    #[test]
    fn filters_look_at_the_text() {
        let request = Request::best(1).with_min_edit(words(&[3, 4, 5]), 2);
        assert!(!request.passes(&words(&[3, 4, 5])) && !request.passes(&words(&[3, 9, 5])));
        assert!(request.passes(&words(&[9, 9, 5])) && request.passes(&words(&[3])));
        assert!(!request.passes(&words(&[3, 4])));
        let request = Request::best(1).excluding(words(&[7])).with_length(1, 2);
        assert!(!request.passes(&words(&[7])) && !request.passes(&[]));
        assert!(request.passes(&words(&[7, 7])) && !request.passes(&words(&[7, 7, 7])));
    }
}
