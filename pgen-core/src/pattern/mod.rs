//! Pattern tables: rules with slots, matched on tags and dependencies.

mod fillers;
mod matching;
mod slot;

pub use slot::{Slot, normalize_pattern};

use crate::error::{Error, Place, Result};
use crate::id::WordId;
use crate::replacement::{Part, Piece, Proposal, ReplacementModel, Target};
use crate::sentence::Sentence;
use crate::span::Span;
use crate::table::ParaphraseTable;
use crate::vocab::Vocab;
use fillers::Fillers;
use matching::{Match, Matcher};
use std::collections::BTreeMap;

/// Which stretches may fill a slot `[X_i]` that starts at a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum SlotBound {
    /// Complete projections of heads tagged X; of all matches of a pattern at a start the longest (of
    /// equally long ones the one whose first slots are longer).
    #[default]
    Maximal,
    /// Complete projections of heads tagged X, every match.
    All,
    /// Single words tagged X. Also what the others do for a sentence without dependencies.
    Word,
}

/// How patterns are matched.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `bound` | maximal | what may fill a slot |
/// | `matches` | 64 | matches of one pattern at one start; more are counted as cut off |
/// | `steps` | 16,384 | steps of the search at one start; what is not reached counts as one cut off |
/// | `classes` | none | further tags that a slot takes: `("NN", "NNS")` lets `[NN_1]` take a plural |
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct MatchParams {
    pub bound: SlotBound,
    pub matches: usize,
    pub steps: usize,
    pub classes: Vec<(String, String)>,
}

impl Default for MatchParams {
    fn default() -> Self {
        MatchParams {
            bound: SlotBound::Maximal,
            matches: 64,
            steps: 1 << 14,
            classes: Vec::new(),
        }
    }
}

/// Paraphrase rules with slots, such as `a [JJ_1] proportion of [NN_1]` → `a [JJ_1] part of [NN_1]`
/// (Zhao et al. 2009, §3.1). A table of words in which some words are slots; what patterns say of
/// tables in text, binary form and quantised form holds as for [`ParaphraseTable`].
///
/// A slot's filler is copied, and is open to paraphrase itself. As a [`ReplacementModel`] it needs a
/// sentence with tags; without them it proposes nothing. Words of a sentence that look like slots match
/// nothing. O(tokens · `steps`) at worst; usually a few steps a token.
#[derive(Clone, Debug)]
pub struct PatternTable {
    table: ParaphraseTable,
    /// Slot words by tag: index − 1 → word.
    slots: BTreeMap<String, Vec<Option<WordId>>>,
    /// Slot words with their tag's place in `slots` and their index, ascending.
    words: Vec<(WordId, u32, u32)>,
    params: MatchParams,
}

/// The slots of a table of patterns by tag and index.
fn slots_of(table: &ParaphraseTable, vocab: &Vocab) -> Result<BTreeMap<(String, u32), WordId>> {
    table.check_vocab(vocab)?;
    let mut failure = None;
    let mut found: BTreeMap<(String, u32), WordId> = BTreeMap::new();
    table.for_each(|source, rule| {
        if failure.is_some() {
            return;
        }
        let join = |words: &[WordId]| {
            let words: Vec<&str> = words.iter().filter_map(|&word| vocab.word(word)).collect();
            words.join(" ")
        };
        let (from, to) = (join(source), join(rule.target));
        match normalize_pattern(&from, &to) {
            Ok(normal) if normal == (from, to) => {}
            Ok((from, to)) => {
                let reason = format!("a rule that should read {from} ||| {to}");
                failure = Some(Error::table(Place::default(), reason));
            }
            Err(error) => failure = Some(error),
        }
        for &word in source {
            if let Some(slot) = vocab.word(word).and_then(Slot::parse) {
                found.insert((slot.tag.to_owned(), slot.index), word);
            }
        }
    });
    match failure {
        Some(error) => Err(error),
        None => Ok(found),
    }
}

impl PatternTable {
    /// Takes a table whose slots are words written `[TAG_n]`.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if the vocabulary is not that of the table; [`Error::BadTable`] naming a rule
    /// that is no pattern in normal form ([`normalize_pattern`]).
    pub fn new(table: ParaphraseTable, vocab: &Vocab) -> Result<Self> {
        Self::new_or_table(table, vocab).map_err(|(_, error)| error)
    }

    /// As [`new`](Self::new), but gives back a table that is none of patterns, beside the error.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    #[allow(clippy::result_large_err)] // the table is the point
    pub fn new_or_table(
        table: ParaphraseTable,
        vocab: &Vocab,
    ) -> std::result::Result<Self, (ParaphraseTable, Error)> {
        match slots_of(&table, vocab) {
            Ok(found) => Ok(Self::with_slots(table, &found)),
            Err(error) => Err((table, error)),
        }
    }

    fn with_slots(table: ParaphraseTable, found: &BTreeMap<(String, u32), WordId>) -> Self {
        let mut slots: BTreeMap<String, Vec<Option<WordId>>> = BTreeMap::new();
        for ((tag, index), &word) in found {
            // Indexes of a normal form are at most the words of a phrase.
            let words = slots.entry(tag.clone()).or_default();
            let at = *index as usize;
            words.resize(words.len().max(at), None);
            words[at - 1] = Some(word);
        }
        let mut words = Vec::new();
        for (tag, indexes) in (0u32..).zip(slots.values()) {
            for (index, word) in (1u32..).zip(indexes) {
                words.extend(word.map(|word| (word, tag, index)));
            }
        }
        words.sort_unstable();
        PatternTable {
            table,
            slots,
            words,
            params: MatchParams::default(),
        }
    }

    /// Sets how patterns are matched.
    #[must_use]
    pub fn with_params(mut self, params: MatchParams) -> Self {
        self.params = params;
        self
    }

    /// The rules, slots as words.
    #[must_use]
    pub fn table(&self) -> &ParaphraseTable {
        &self.table
    }

    /// The tags that slots ask for, ascending.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.slots.keys().map(String::as_str)
    }

    /// Tag number and index of a slot word.
    fn slot(&self, word: WordId) -> Option<(u32, u32)> {
        let at = self.words.binary_search_by_key(&word, |slot| slot.0).ok()?;
        self.words.get(at).map(|slot| (slot.1, slot.2))
    }

    /// The target of a rule with its fillers in place.
    fn target<'a>(
        &self,
        target: &[WordId],
        fillers: &[(u32, u32, Span)],
        out: &mut Vec<Piece<'a>>,
    ) {
        out.clear();
        for &word in target {
            let filler = self.slot(word).and_then(|(tag, index)| {
                let found = fillers
                    .iter()
                    .find(|filler| (filler.0, filler.1) == (tag, index));
                found.map(|filler| filler.2)
            });
            out.push(filler.map_or(Piece::Word(word), Piece::Copy));
        }
    }
}

impl ReplacementModel for PatternTable {
    fn features(&self) -> &[String] {
        self.table.features()
    }

    fn propose(&self, sentence: &Sentence, emit: &mut dyn FnMut(&Proposal<'_>)) {
        self.propose_bounded(sentence, emit);
    }

    fn propose_bounded(&self, sentence: &Sentence, emit: &mut dyn FnMut(&Proposal<'_>)) -> u64 {
        let fillers = Fillers::of(sentence, self);
        let mut matcher = Matcher::new(self, sentence, &fillers);
        let mut pieces = Vec::new();
        for start in 0..sentence.len() as u32 {
            for Match { node, end, fillers } in matcher.at(start) {
                let span = Span::single(start).cover(Span::single(end - 1));
                for rule in self.table.entries(node) {
                    self.target(rule.target, &fillers, &mut pieces);
                    let part = Part {
                        span,
                        target: Target::Pieces(&pieces),
                    };
                    emit(&Proposal {
                        parts: &[part],
                        values: rule.values,
                        rule: rule.id,
                    });
                }
            }
        }
        matcher.cut()
    }
}

#[cfg(test)]
mod tests;
