//! Sentence compression: fewer bytes.

use pgen_core::{Part, Piece, Replacement, Sentence, Span, UsabilityModel};

/// Gain: bytes of the replaced words minus bytes of what replaces them, words joined by single spaces;
/// the filler of a slot counts as an empty word on both sides, the parts of a collocation by themselves.
/// Kept if at least one byte is gained (Zhao et al. 2009, §3.3.1; the printed formula lost its minus).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compression;

impl UsabilityModel for Compression {
    fn gain(&self, replacement: &Replacement<'_>) -> Option<f64> {
        let sentence = replacement.sentence;
        let parts = replacement.proposal.parts;
        let before: usize = parts.iter().map(|part| source_bytes(sentence, part)).sum();
        let after: usize = parts.iter().map(|part| target_bytes(sentence, part)).sum();
        (after < before).then(|| (before - after) as f64)
    }
}

/// Bytes of words joined by single spaces.
fn joined(words: impl Iterator<Item = usize>) -> usize {
    let (count, bytes) = words.fold((0usize, 0usize), |(count, sum), bytes| {
        (count + 1, sum + bytes)
    });
    bytes + count.saturating_sub(1)
}

fn target_bytes(sentence: &Sentence, part: &Part<'_>) -> usize {
    joined(part.target.pieces().map(|piece| match piece {
        Piece::Word(word) => sentence.lexicon().word(word).len(),
        Piece::Text(text) => text.len(),
        Piece::Copy(_) => 0,
    }))
}

fn source_bytes(sentence: &Sentence, part: &Part<'_>) -> usize {
    let filler_at = |at: u32| {
        part.target.pieces().find_map(|piece| match piece {
            Piece::Copy(span) if span.contains(Span::single(at)) => Some(span),
            _ => None,
        })
    };
    let mut words = Vec::new();
    let mut at = part.span.start();
    while at < part.span.end() {
        match filler_at(at) {
            Some(filler) => {
                words.push(0);
                at = filler.end();
            }
            None => {
                let word = sentence.words_in(Span::single(at)).first();
                words.push(word.map_or(0, |&word| sentence.lexicon().word(word).len()));
                at += 1;
            }
        }
    }
    joined(words.into_iter())
}
