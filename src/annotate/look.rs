//! What the models see of a token by itself: spelling, affixes, shape, word classes.

use super::classes::WordClasses;
use super::feature::spelling;
use pgen_core::TokenKind;
use pgen_core::text::normalize;

/// Longest suffix and prefix seen, in characters.
pub(crate) const SUFFIXES: usize = 5;
pub(crate) const PREFIXES: usize = 4;

/// A token's own properties, hashed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Look {
    /// The spelling with digits folded.
    pub(crate) form: u32,
    /// The same in lower case.
    pub(crate) lower: u32,
    /// Suffixes of 1, 2, … characters of the lower-cased spelling.
    pub(crate) suffixes: [u32; SUFFIXES],
    /// Prefixes of 1, 2, … characters.
    pub(crate) prefixes: [u32; PREFIXES],
    /// The pattern of upper case, lower case, digits and signs.
    pub(crate) shape: u32,
    /// Fine and coarse word class; 0 for a word without one.
    pub(crate) fine: u32,
    pub(crate) coarse: u32,
}

impl Look {
    /// The look of a spelling. Linear in its length.
    pub(crate) fn new(surface: &str, classes: &WordClasses) -> Self {
        let form = fold(&normalize(surface, TokenKind::Word, false));
        let lower = fold(&normalize(surface, TokenKind::Word, true));
        let hash = spelling(&lower);
        let (fine, coarse) = classes.get(hash);
        let mut look = Look {
            form: spelling(&form),
            lower: hash,
            shape: shape(&form),
            fine,
            coarse,
            ..Look::default()
        };
        let ends = lower.char_indices().rev();
        for (slot, (at, _)) in look.suffixes.iter_mut().zip(ends) {
            *slot = spelling(&lower[at..]);
        }
        let ends = lower.char_indices().map(|(at, c)| at + c.len_utf8());
        for (slot, end) in look.prefixes.iter_mut().zip(ends) {
            *slot = spelling(&lower[..end]);
        }
        look
    }
}

/// The spelling with every digit as 0, so that numbers of a form are one word.
fn fold(text: &str) -> String {
    let zero = |c: char| if c.is_ascii_digit() { '0' } else { c };
    text.chars().map(zero).collect()
}

/// The lower-cased, folded spelling that word classes are kept for.
pub(crate) fn class_form(surface: &str) -> String {
    fold(&normalize(surface, TokenKind::Word, true))
}

/// Upper case `X`, lower case `x`, digits `0`, signs as they are; runs are cut to two.
fn shape(form: &str) -> u32 {
    let mut shape = String::new();
    let (mut last, mut run) = ('\0', 0);
    for c in form.chars() {
        let kind = match c {
            c if c.is_uppercase() => 'X',
            c if c.is_alphabetic() => 'x',
            c if c.is_numeric() => '0',
            c => c,
        };
        run = if kind == last { run + 1 } else { 0 };
        last = kind;
        if run < 2 {
            shape.push(kind);
        }
    }
    spelling(&shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_form_and_cases_of_a_word_meet() {
        let classes = WordClasses::default();
        let look = |word: &str| Look::new(word, &classes);
        assert_eq!(look("1984").form, look("2001").form);
        assert_eq!(look("House").lower, look("house").lower);
        assert_ne!(look("House").form, look("house").form);
        assert_eq!(look("Berlin").shape, look("Mary").shape);
        assert_eq!(look("walked").suffixes[1], look("talked").suffixes[1]);
        assert_eq!(look("é").suffixes[0], look("É").prefixes[0]);
        assert_eq!(look("").suffixes, [0; SUFFIXES]);
    }
}
