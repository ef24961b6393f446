//! Several applications at once, and an application whose replacements must suit their place.

use pgen_core::{LanguageModel, Part, Piece, Replacement, Span, UsabilityModel, WordId};
use std::fmt;

/// A usability model of any type, shared between threads.
type Shared = Box<dyn UsabilityModel + Send + Sync>;

/// Which replacements several applications keep together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// Those of use for every one.
    #[default]
    All,
    /// Those of use for at least one; the others gain nothing.
    Any,
}

/// The weighted sum of several applications' gains.
#[derive(Default)]
pub struct Combined {
    models: Vec<(f64, Shared)>,
    keep: Keep,
}

impl fmt::Debug for Combined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights: Vec<f64> = self.models.iter().map(|model| model.0).collect();
        f.debug_struct("Combined")
            .field("weights", &weights)
            .field("keep", &self.keep)
            .finish_non_exhaustive()
    }
}

impl Combined {
    /// Nothing yet, which keeps everything.
    #[must_use]
    pub fn new(keep: Keep) -> Self {
        Combined {
            models: Vec::new(),
            keep,
        }
    }

    /// Adds an application and what a unit of its gain counts.
    #[must_use]
    pub fn with(mut self, weight: f64, model: impl UsabilityModel + Send + Sync + 'static) -> Self {
        self.models.push((weight, Box::new(model)));
        self
    }
}

impl UsabilityModel for Combined {
    fn gain(&self, replacement: &Replacement<'_>) -> Option<f64> {
        let mut sum = None;
        for (weight, model) in &self.models {
            match (model.gain(replacement), self.keep) {
                (Some(gain), _) => *sum.get_or_insert(0.0) += weight * gain,
                (None, Keep::All) => return None,
                (None, Keep::Any) => {}
            }
        }
        match self.models[..] {
            [] => Some(0.0),
            _ => sum,
        }
    }
}

/// Words on either side that a replacement is read with.
const NEIGHBOURS: u32 = 2;

/// An application's replacements, without those that a language model finds much less likely in their
/// place than what they replace: a reference may hold a word without its suiting here (`because of` →
/// `due of`).
///
/// Replacements are read with two words on either side, fillers of slots as they stand in the source, and
/// everything between the parts of a collocation.
#[derive(Clone, Copy, Debug)]
pub struct InContext<U, L> {
    model: U,
    language: L,
    most_lost: f64,
}

impl<U: UsabilityModel, L: LanguageModel> InContext<U, L> {
    /// Drops what costs more than `most_lost` (natural log) in the words around.
    #[must_use]
    pub fn new(model: U, language: L, most_lost: f64) -> Self {
        InContext {
            model,
            language,
            most_lost,
        }
    }

    /// ln P of the stretch before and after the replacement.
    fn change(&self, replacement: &Replacement<'_>) -> Option<f64> {
        let sentence = replacement.sentence;
        let parts = replacement.proposal.parts;
        let span = parts.first()?.span.cover(parts.last()?.span);
        let end = (sentence.len() as u32).min(span.end().saturating_add(NEIGHBOURS));
        let whole = Span::new(span.start().saturating_sub(NEIGHBOURS), end).ok()?;
        let mut target = Vec::new();
        let mut at = whole.start();
        for part in parts {
            target.extend_from_slice(words(replacement, at, part.span.start()));
            push(replacement, part, &mut target);
            at = part.span.end();
        }
        target.extend_from_slice(words(replacement, at, whole.end()));
        let source = sentence.words_in(whole);
        Some(self.language.unit(&target).ln() - self.language.unit(source).ln())
    }
}

fn words<'a>(replacement: &Replacement<'a>, start: u32, end: u32) -> &'a [WordId] {
    let span = Span::new(start, end).unwrap_or_default();
    replacement.sentence.words_in(span)
}

/// Adds the words that a part writes.
pub(super) fn push(replacement: &Replacement<'_>, part: &Part<'_>, words: &mut Vec<WordId>) {
    let sentence = replacement.sentence;
    for piece in part.target.pieces() {
        match piece {
            Piece::Word(word) => words.push(word),
            Piece::Text(text) => words.push(sentence.lexicon().get(text).unwrap_or(WordId::UNK)),
            Piece::Copy(span) => words.extend_from_slice(sentence.words_in(span)),
        }
    }
}

impl<U: UsabilityModel, L: LanguageModel> UsabilityModel for InContext<U, L> {
    fn gain(&self, replacement: &Replacement<'_>) -> Option<f64> {
        let gain = self.model.gain(replacement)?;
        (self.change(replacement)? >= -self.most_lost).then_some(gain)
    }
}
