//! Which n-grams a model lists, in bits.
//!
//! The next words of a context (a b) are among those of its suffix (b), so each is written as the
//! distance of its place there from the one before: log₂ of the thinning is what it costs
//! (Pibiri & Venturini 2017, "Efficient data structures for massive n-gram datasets", context-based
//! remapping; here with Golomb-Rice codes). Reading yields the suffix links without any search.

use crate::bits::{BitReader, BitWriter};
use crate::ngrams::{Level, Ngrams};
use pgen_core::{Error, Result};

/// Bits that the distances of `many` places among `among` take, beside their unary part.
fn low_bits(many: u32, among: u32) -> u32 {
    let skipped = (among - many) / many.max(1);
    skipped.checked_ilog2().unwrap_or(0)
}

pub(super) fn write(ngrams: &Ngrams) -> Vec<u8> {
    let mut out = BitWriter::default();
    for &listed in &ngrams.listed {
        out.bits(u32::from(listed), 1);
    }
    for depth in 1..ngrams.order() {
        let (above, level) = (&ngrams.levels[depth - 1], &ngrams.levels[depth]);
        for context in 0..above.len() as u32 {
            let nodes = above.range(context);
            let suffixes = suffix_words(&ngrams.levels, depth, context);
            out.gamma(nodes.len() as u32);
            let low = low_bits(nodes.len() as u32, suffixes.len() as u32);
            if nodes.len() == suffixes.len() {
                continue; // all of them
            }
            let mut next = suffixes.start as u32;
            for &place in &level.suffixes[nodes] {
                out.rice(place - next, low);
                next = place + 1;
            }
        }
    }
    out.finish()
}

/// Where the words that follow a context's suffix stand in the level of the context.
fn suffix_words(levels: &[Level], depth: usize, context: u32) -> std::ops::Range<usize> {
    let above = &levels[depth - 1];
    match depth {
        1 => 0..above.len(),
        _ => levels[depth - 2].range(above.suffixes[context as usize]),
    }
}

/// The inverse of [`write`]; probabilities and weights are left empty. `counts` must be backed by
/// data elsewhere.
pub(super) fn read(bytes: &[u8], vocab_len: u32, counts: &[u64]) -> Result<Ngrams> {
    let mut input = BitReader::new(bytes);
    let listed = (0..vocab_len).map(|_| input.bits(1) == 1).collect();
    let mut levels = vec![Level {
        words: (0..vocab_len).collect(),
        ..Level::default()
    }];
    for (depth, &count) in (1..).zip(&counts[1..]) {
        let (children, level) = read_level(&mut input, &levels, depth, count as usize)?;
        levels[depth - 1].children = children;
        levels.push(level);
    }
    if !input.is_finished() {
        return Err(Error::corrupt("lm.shape", "its length does not fit"));
    }
    Ok(Ngrams { levels, listed })
}

fn read_level(
    input: &mut BitReader<'_>,
    levels: &[Level],
    depth: usize,
    count: usize,
) -> Result<(Vec<u32>, Level)> {
    let above = &levels[depth - 1];
    let wrong = |reason: &str| Error::corrupt("lm.shape", reason);
    let mut children = Vec::with_capacity(above.len() + 1);
    let mut suffixes = Vec::with_capacity(count);
    let mut words = Vec::with_capacity(count);
    children.push(0);
    for context in 0..above.len() as u32 {
        let among = suffix_words(levels, depth, context);
        let many = input.gamma();
        if many as usize > among.len() || many as usize > count - words.len() {
            return Err(wrong("a context has more next words than there can be"));
        }
        if many as usize == among.len() {
            words.extend_from_slice(&above.words[among.clone()]);
            suffixes.extend(among.start as u32..among.end as u32);
        } else {
            let low = low_bits(many, among.len() as u32);
            let mut next = among.start as u32;
            for _ in 0..many {
                let place = next.saturating_add(input.rice(low));
                let Some(&word) = above.words[..among.end].get(place as usize) else {
                    return Err(wrong("a word is not among those of its suffix"));
                };
                words.push(word);
                suffixes.push(place);
                next = place + 1;
            }
        }
        children.push(words.len() as u32);
    }
    if !input.is_sound() || words.len() != count {
        return Err(wrong("the number of n-grams does not fit"));
    }
    let level = Level {
        words,
        suffixes,
        ..Level::default()
    };
    Ok((children, level))
}
