//! Simplification: words that a language model finds easier.

use super::combined::push;
use pgen_core::{LanguageModel, LogProb, Replacement, Span, UsabilityModel};

/// Gain 1 if a language model gives the new words a higher probability by themselves than the replaced
/// ones, else the replacement is dropped (Zhao et al. 2009, §3.3.2). Patterns are judged with their
/// fillers, collocations with the words between their parts. The sum is not divided by length, as in
/// the paper, so shorter wins more often.
#[derive(Clone, Copy, Debug)]
pub struct Simplification<L> {
    language: L,
}

impl<L: LanguageModel> Simplification<L> {
    /// By this language model.
    #[must_use]
    pub fn by(language: L) -> Self {
        Simplification { language }
    }

    /// ln P of the source words and of the new words.
    fn scores(&self, replacement: &Replacement<'_>) -> Option<[LogProb; 2]> {
        let sentence = replacement.sentence;
        let parts = replacement.proposal.parts;
        let whole = parts.first()?.span.cover(parts.last()?.span);
        let mut target = Vec::new();
        let mut at = whole.start();
        for part in parts {
            target.extend_from_slice(sentence.words_in(between(at, part.span.start())));
            push(replacement, part, &mut target);
            at = part.span.end();
        }
        Some([
            self.language.unit(sentence.words_in(whole)),
            self.language.unit(&target),
        ])
    }
}

fn between(start: u32, end: u32) -> Span {
    Span::new(start, end).unwrap_or_default()
}

impl<L: LanguageModel> UsabilityModel for Simplification<L> {
    fn gain(&self, replacement: &Replacement<'_>) -> Option<f64> {
        let [before, after] = self.scores(replacement)?;
        (after.ln() > before.ln()).then_some(1.0)
    }
}
