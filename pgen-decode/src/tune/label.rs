//! Which unit replacements are correct.

use super::counts::Counts;
use pgen_core::{EdgeId, Lattice, Sentence, Span, UnitId, UnitPiece};

/// A unit replacement as a person would label it: what is replaced where, by what. Units of several
/// tables that say the same share it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LabelKey {
    /// The source stretches, in tokens.
    pub spans: Vec<Span>,
    /// Their words; stretches apart are joined by ` … `.
    pub from: String,
    /// What stands in their place, fillers of slots as they are in the source; in stretches apart likewise
    /// joined by ` … `.
    pub to: String,
}

/// The key of a unit; `None` if the unit writes what it replaces, which is no replacement.
#[must_use]
pub fn key_of(lattice: &Lattice, sentence: &Sentence, unit: UnitId) -> Option<LabelKey> {
    let unit = lattice.unit(unit)?;
    let spans = lattice.unit_spans(unit);
    let lexicon = lattice.lexicon();
    let source: Vec<String> = spans
        .iter()
        .map(|&span| lexicon.join(sentence.words_in(span)))
        .collect();
    let spell = |piece: &UnitPiece| match piece {
        UnitPiece::Word(word) => lexicon.word(*word).to_owned(),
        UnitPiece::Copy(span) => lexicon.join(sentence.words_in(*span)),
    };
    let parts: Vec<String> = lattice
        .unit_parts(unit)
        .map(|part| part.iter().map(spell).collect::<Vec<_>>().join(" "))
        .collect();
    let (from, to) = (source.join(" … "), parts.join(" … "));
    (from != to).then(|| LabelKey {
        spans: spans.to_vec(),
        from,
        to,
    })
}

/// Source words that a unit replaces itself: its spans without the fillers of its slots.
pub(super) fn words_of(lattice: &Lattice, unit: UnitId) -> u64 {
    let Some(unit) = lattice.unit(unit) else {
        return 0;
    };
    let whole: usize = lattice.unit_spans(unit).iter().map(|span| span.len()).sum();
    let filler = |piece: &UnitPiece| match piece {
        UnitPiece::Copy(span) => span.len(),
        UnitPiece::Word(_) => 0,
    };
    let fillers: usize = lattice.unit_target(unit).iter().map(filler).sum();
    whole.saturating_sub(fillers) as u64
}

/// The units of a derivation, each once, ascending.
#[must_use]
pub fn units_of(lattice: &Lattice, derivation: &[EdgeId]) -> Vec<UnitId> {
    let mut units: Vec<UnitId> = derivation
        .iter()
        .filter_map(|&id| lattice.edge(id)?.unit)
        .collect();
    units.sort_unstable();
    units.dedup();
    units
}

/// The counts of a derivation: `correct` tells of each unit whether it is a correct replacement, or
/// `None` if it is none at all.
pub fn counts_of(
    lattice: &Lattice,
    derivation: &[EdgeId],
    mut correct: impl FnMut(UnitId) -> Option<bool>,
) -> Counts {
    let mut counts = Counts::default();
    for unit in units_of(lattice, derivation) {
        if let Some(correct) = correct(unit) {
            counts.correct += u64::from(correct);
            counts.replacements += 1;
            counts.words += words_of(lattice, unit);
        }
    }
    counts
}
