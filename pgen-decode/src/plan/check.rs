//! Which proposals may be planned, and what they gain.

use super::Plan;
use super::build::Block;
use pgen_core::{Part, Piece, Proposal, Replacement, Sentence, Span, Target};

/// Parts of one replacement that can be kept track of.
pub(super) const MOST_PARTS: usize = 8;

/// Why a proposal was dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Drop {
    Useless,
    Protected,
    Invalid,
    Unsupported,
}

/// The gain of a proposal that may be planned.
pub(super) fn check(
    plan: &Plan<'_>,
    sentence: &Sentence,
    proposal: &Proposal<'_>,
    block: &Block<'_>,
) -> Result<f64, Drop> {
    let bad = |value: &f32| value.is_nan() || *value == f32::INFINITY;
    if proposal.values.len() != block.width || proposal.values.iter().any(bad) {
        return Err(Drop::Invalid);
    }
    if proposal.parts.is_empty() {
        return Err(Drop::Invalid);
    }
    let mut behind = 0;
    for part in proposal.parts {
        let span = part.span;
        if span.is_empty() || span.start() < behind || span.end() as usize > sentence.len() {
            return Err(Drop::Invalid);
        }
        behind = span.end();
        if check_target(part)? && proposal.parts.len() > 1 {
            return Err(Drop::Unsupported);
        }
        if touches_protected(sentence, part) {
            return Err(Drop::Protected);
        }
    }
    if proposal.parts.len() > MOST_PARTS {
        return Err(Drop::Unsupported);
    }
    gain(plan, sentence, proposal, block)
}

/// True if the target copies fillers, which must be proper parts of the span, each copied once.
fn check_target(part: &Part<'_>) -> Result<bool, Drop> {
    if let Target::Words(words) = part.target {
        let control = words.iter().any(|word| word.is_control());
        return if control {
            Err(Drop::Invalid)
        } else {
            Ok(false)
        };
    }
    let mut fillers: Vec<Span> = Vec::new();
    for piece in part.target.pieces() {
        match piece {
            Piece::Word(word) if word.is_control() => return Err(Drop::Invalid),
            Piece::Copy(span) => fillers.push(span),
            Piece::Word(_) | Piece::Text(_) => {}
        }
    }
    fillers.sort_unstable();
    let apart = fillers
        .windows(2)
        .all(|pair| pair[0].end() <= pair[1].start());
    let inside = |span: &Span| part.span.contains(*span) && *span != part.span && !span.is_empty();
    if apart && fillers.iter().all(inside) {
        Ok(!fillers.is_empty())
    } else {
        Err(Drop::Invalid)
    }
}

/// True if a protected token would be replaced; fillers are copied or replaced by units of their own.
fn touches_protected(sentence: &Sentence, part: &Part<'_>) -> bool {
    if !sentence.is_protected(part.span) {
        return false;
    }
    let in_filler = |at: u32| {
        let single = Span::single(at);
        let copies = |piece| matches!(piece, Piece::Copy(span) if span.contains(single));
        part.target.pieces().any(copies)
    };
    (part.span.start()..part.span.end())
        .any(|at| sentence.is_protected(Span::single(at)) && !in_filler(at))
}

/// What the application gains; copies of the source are no replacements and gain nothing.
fn gain(
    plan: &Plan<'_>,
    sentence: &Sentence,
    proposal: &Proposal<'_>,
    block: &Block<'_>,
) -> Result<f64, Drop> {
    let Some(usability) = plan.usability else {
        return Ok(0.0);
    };
    let copies = |part: &Part<'_>| matches!(part.target, Target::Words(words) if words == sentence.words_in(part.span));
    if proposal.parts.iter().all(copies) {
        return Ok(0.0);
    }
    let replacement = Replacement {
        sentence,
        proposal,
        table: block.name,
    };
    match usability.gain(&replacement) {
        None => Err(Drop::Useless),
        Some(gain) if !(gain as f32).is_finite() => Err(Drop::Invalid),
        Some(gain) => Ok(gain),
    }
}
