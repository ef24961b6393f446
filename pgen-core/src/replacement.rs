//! The replacement seam: where paraphrases of pieces come from.

use crate::id::{RuleId, WordId};
use crate::sentence::Sentence;
use crate::span::Span;

/// One piece of a replacement's target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece<'a> {
    /// A word of the vocabulary.
    Word(WordId),
    /// A word outside the vocabulary: an inflected form, a user's own rule.
    Text(&'a str),
    /// The source words of a span, themselves open to paraphrase: the filler of a slot.
    Copy(Span),
}

/// What stands in place of a piece of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target<'a> {
    /// Words of the vocabulary only: the common case.
    Words(&'a [WordId]),
    /// Any pieces in any order; each slot's filler at most once.
    Pieces(&'a [Piece<'a>]),
}

impl<'a> Target<'a> {
    /// The pieces in order.
    pub fn pieces(self) -> impl Iterator<Item = Piece<'a>> {
        let (words, pieces) = match self {
            Target::Words(words) => (words, &[][..]),
            Target::Pieces(pieces) => (&[][..], pieces),
        };
        words
            .iter()
            .map(|&word| Piece::Word(word))
            .chain(pieces.iter().copied())
    }

    /// True for a deletion.
    #[must_use]
    pub fn is_empty(self) -> bool {
        match self {
            Target::Words(words) => words.is_empty(),
            Target::Pieces(pieces) => pieces.is_empty(),
        }
    }
}

/// One contiguous stretch of the source and what replaces it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part<'a> {
    /// The stretch; never empty.
    pub span: Span,
    /// Its replacement.
    pub target: Target<'a>,
}

/// A possible replacement of one or more stretches of a sentence, decided as a whole.
///
/// A phrase has one part made of words. A pattern has one part whose target copies its fillers. A
/// collocation has two or more parts that stand or fall together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Proposal<'a> {
    /// The stretches replaced: ascending, not overlapping.
    pub parts: &'a [Part<'a>],
    /// Feature values (natural logs), one for each of [`ReplacementModel::features`].
    pub values: &'a [f32],
    /// The rule within its table.
    pub rule: RuleId,
}

/// A source of replacements: a paraphrase table, a thesaurus, word classes, a user's own rules.
///
/// Called once per sentence. It must push proposals in an order that depends on nothing but the model
/// and the sentence; values must not be NaN or +∞, and there must be as many as features. A proposal
/// that breaks these rules or names a span outside the sentence is dropped by the planner and counted.
pub trait ReplacementModel {
    /// Names of the features, in the order of [`Proposal::values`].
    fn features(&self) -> &[String];

    /// Pushes every replacement that the model knows for pieces of the sentence.
    fn propose(&self, sentence: &Sentence, emit: &mut dyn FnMut(&Proposal<'_>));

    /// As [`ReplacementModel::propose`]; the answer says how many matches, at least, a bound of the
    /// model cut off. What planners call. 0 unless overridden.
    fn propose_bounded(&self, sentence: &Sentence, emit: &mut dyn FnMut(&Proposal<'_>)) -> u64 {
        self.propose(sentence, emit);
        0
    }
}

/// A proposal seen in its sentence: what a [`UsabilityModel`](crate::UsabilityModel) judges.
#[derive(Clone, Copy, Debug)]
pub struct Replacement<'a> {
    /// The sentence.
    pub sentence: &'a Sentence,
    /// The replacement.
    pub proposal: &'a Proposal<'a>,
    /// Name of the table that it came from.
    pub table: &'a str,
}

impl Replacement<'_> {
    /// Calls `visit` with each target word's spelling, part by part. Fillers of slots appear as they
    /// stand in the source if `fillers` is set, and not at all otherwise.
    pub fn for_each_target_word(&self, fillers: bool, mut visit: impl FnMut(&str)) {
        let lexicon = self.sentence.lexicon();
        for piece in self
            .proposal
            .parts
            .iter()
            .flat_map(|part| part.target.pieces())
        {
            match piece {
                Piece::Word(word) => visit(lexicon.word(word)),
                Piece::Text(text) => visit(text),
                Piece::Copy(span) if fillers => {
                    self.sentence
                        .words_in(span)
                        .iter()
                        .for_each(|&word| visit(lexicon.word(word)));
                }
                Piece::Copy(_) => {}
            }
        }
    }

    /// Calls `visit` with the spelling of each source word that is replaced, part by part. Fillers as
    /// in [`Self::for_each_target_word`].
    pub fn for_each_source_word(&self, fillers: bool, mut visit: impl FnMut(&str)) {
        let lexicon = self.sentence.lexicon();
        for part in self.proposal.parts {
            let start = part.span.start();
            for (at, &word) in (start..).zip(self.sentence.words_in(part.span)) {
                let in_filler = part.target.pieces().any(
                    |piece| matches!(piece, Piece::Copy(span) if span.contains(Span::single(at))),
                );
                if fillers || !in_filler {
                    visit(lexicon.word(word));
                }
            }
        }
    }
}
