//! What must not change although no table knows it: names and quoted words.

use crate::words::is_function_word;
use pgen_core::{ByteSpan, Sentence, TokenKind};

/// The longest quotation, in tokens, whose words are protected. Longer ones are direct speech.
const QUOTED: usize = 5;

/// Bytes of the names in a sentence: words with a capital that do not start a sentence. In a headline,
/// which has more of them than small words, no small verb and no other small word of content but very
/// short ones, the capital tells nothing: then words of capitals alone are names, unless all words are.
#[must_use]
pub fn names(sentence: &Sentence) -> Vec<ByteSpan> {
    let Capitals {
        inside,
        acronyms,
        headline,
    } = capitals(sentence);
    match headline {
        true if acronyms.len() < inside.len() => acronyms,
        true => Vec::new(),
        false => inside,
    }
}

/// Words with a capital.
pub(crate) struct Capitals {
    /// Bytes of those that do not start a sentence.
    pub(crate) inside: Vec<ByteSpan>,
    /// Bytes of those of capitals alone.
    acronyms: Vec<ByteSpan>,
    /// True if the sentence looks like a headline.
    headline: bool,
}

/// Looks at the capitals of a sentence.
pub(crate) fn capitals(sentence: &Sentence) -> Capitals {
    let mut after_stop = true;
    let mut inside = Vec::new();
    let mut acronyms = Vec::new();
    let mut small = 0usize;
    let mut content = false;
    for (at, token) in sentence.tokens().iter().enumerate() {
        let surface = sentence.surface(at);
        if token.kind == TokenKind::Punctuation {
            after_stop |= matches!(
                surface,
                "." | "!" | "?" | ":" | "\"" | "“" | "``" | "(" | "…"
            );
            continue;
        }
        let starts = std::mem::take(&mut after_stop);
        let capital = surface.chars().next().is_some_and(char::is_uppercase);
        let several = surface
            .chars()
            .filter(|letter| letter.is_uppercase())
            .count()
            > 1;
        if surface.chars().next().is_some_and(char::is_lowercase) {
            small += 1;
            content |=
                surface.chars().count() > 4 && !is_function_word(surface) || is_verb(surface);
        }
        if several && !surface.contains(char::is_lowercase) {
            acronyms.push(token.bytes);
        }
        if capital && (!starts || several) && surface != "I" {
            inside.push(token.bytes);
        }
    }
    Capitals {
        headline: inside.len() > small && !content,
        inside,
        acronyms,
    }
}

/// Verbs that headlines write with a capital or leave out.
fn is_verb(word: &str) -> bool {
    matches!(
        word,
        "is" | "was"
            | "are"
            | "were"
            | "has"
            | "had"
            | "have"
            | "be"
            | "been"
            | "will"
            | "can"
            | "said"
    )
}

/// Bytes of short quotations: titles, terms, words that are talked about.
#[must_use]
pub fn quotations(sentence: &Sentence) -> Vec<ByteSpan> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    for at in 0..sentence.len() {
        if !matches!(
            sentence.surface(at),
            "\"" | "“" | "”" | "„" | "``" | "''" | "«" | "»"
        ) {
            continue;
        }
        open = match open {
            Some(start) if at > start + 1 && at - start - 1 <= QUOTED => {
                let inside = &sentence.tokens()[start + 1..at];
                found.extend(inside.iter().map(|token| token.bytes));
                None
            }
            Some(_) | None => Some(at),
        };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::text::TextOptions;
    use pgen_core::{Limits, Vocab};
    use std::sync::Arc;

    fn texts(text: &str, find: impl Fn(&Sentence) -> Vec<ByteSpan>) -> Vec<String> {
        let vocab = Arc::new(Vocab::new());
        let sentence =
            Sentence::tokenize(text, &vocab, &TextOptions::default(), &Limits::default()).unwrap();
        find(&sentence)
            .iter()
            .map(|span| text[span.range()].to_owned())
            .collect()
    }

    #[test]
    fn capitals_inside_a_sentence_are_names() {
        assert_eq!(
            texts("Yesterday I met Rice in Paris. She left.", names),
            ["Rice", "Paris"]
        );
        assert_eq!(texts("NATO met.", names), ["NATO"]);
        assert_eq!(texts("All Words Have Capitals Here", names), [""; 0]);
        assert_eq!(texts("ALL WORDS HAVE CAPITALS", names), [""; 0]);
        assert_eq!(texts("Singer Wears a MAGA Hat After Show", names), ["MAGA"]);
        assert_eq!(
            texts("Turin is a World Heritage Site in Italy", names),
            ["World", "Heritage", "Site", "Italy"]
        );
        assert_eq!(
            texts("At Main Event, Rey Mysterio won a match", names),
            ["Main", "Event", "Rey", "Mysterio"]
        );
    }

    #[test]
    fn short_quotations_are_found() {
        assert_eq!(
            texts("The word \"big lie\" was used.", quotations),
            ["big", "lie"]
        );
        assert_eq!(
            texts(
                "He said: \"we will go there and see what we can do\".",
                quotations
            ),
            [""; 0]
        );
    }
}
