//! Borders between sentences.

use super::tokenize::{RawToken, is_abbreviation, tokenize};
use crate::error::Result;
use crate::limits::Limits;
use crate::sentence::TokenKind;
use crate::span::ByteSpan;

/// Splits a text into sentences: after `.`, `!`, `?` or `…` with the quotes and brackets that close
/// there, where white space follows and then anything but a lower-case letter; and at blank lines. A
/// single line break is white space. A point that belongs to an abbreviation ends a sentence only
/// before a word that likes to start one.
///
/// Linear. Spans leave out white space around sentences.
///
/// # Errors
/// As [`tokenize`], but a text may hold any number of tokens.
///
/// ```
/// use pgen_core::{Limits, text::split_sentences};
///
/// let text = "Mr. X left. \"Why?\" he asked. It was 5.30 p.m. The end";
/// let sentences: Vec<_> = split_sentences(text, &Limits::default())?
///     .iter()
///     .map(|span| &text[span.range()])
///     .collect();
/// assert_eq!(sentences, ["Mr. X left.", "\"Why?\" he asked.", "It was 5.30 p.m.", "The end"]);
/// # Ok::<(), pgen_core::Error>(())
/// ```
pub fn split_sentences(text: &str, limits: &Limits) -> Result<Vec<ByteSpan>> {
    let mut unlimited = limits.clone();
    unlimited.tokens = usize::MAX;
    let tokens = tokenize(text, &unlimited)?;
    let mut sentences: Vec<ByteSpan> = Vec::new();
    let mut first = 0;
    for at in 1..=tokens.len() {
        if at == tokens.len() || is_border(text, &tokens[first..at], tokens[at], &tokens[at..]) {
            if let (Some(start), Some(last)) = (tokens.get(first), tokens.get(at - 1)) {
                sentences.push(start.bytes.cover(last.bytes));
            }
            first = at;
        }
    }
    Ok(sentences)
}

/// Is there a border between the tokens `before` of one sentence so far and `next`?
fn is_border(text: &str, before: &[RawToken], next: RawToken, rest: &[RawToken]) -> bool {
    let Some(last) = before.last() else {
        return false;
    };
    let gap = text
        .get(last.bytes.end() as usize..next.bytes.start() as usize)
        .unwrap_or("");
    if gap.is_empty() {
        return false;
    }
    if gap.matches('\n').count() > 1 {
        return true;
    }
    let surface = |token: &RawToken| text.get(token.bytes.range()).unwrap_or("");
    let mut closing = before
        .iter()
        .rev()
        .take(4)
        .skip_while(|token| closes(surface(token)));
    let Some(end) = closing.next() else {
        return false;
    };
    let start = rest
        .iter()
        .take(4)
        .map(surface)
        .find(|word| !opens(word))
        .unwrap_or("");
    let lower = start.chars().next().is_some_and(char::is_lowercase);
    match surface(end) {
        "." | "!" | "?" | "…" | "..." | "。" | "！" | "？" => !lower,
        word if end.kind != TokenKind::Address && word.ends_with('.') => {
            let stem = word.trim_end_matches('.');
            (stem.contains('.') || ends_sentences(stem)) && STARTERS.contains(&start)
        }
        _ => false,
    }
}

fn closes(token: &str) -> bool {
    matches!(token, "\"" | "''" | "'" | "”" | "’" | "»" | ")" | "]" | "}")
}

fn opens(token: &str) -> bool {
    matches!(
        token,
        "\"" | "``" | "'" | "“" | "‘" | "«" | "(" | "[" | "-" | "–" | "—"
    )
}

/// Abbreviations that may end a sentence; titles never do.
fn ends_sentences(stem: &str) -> bool {
    is_abbreviation(stem)
        && [
            "etc", "inc", "ltd", "corp", "co", "jr", "sr", "al", "bros", "ave", "blvd",
        ]
        .iter()
        .any(|known| stem.eq_ignore_ascii_case(known))
}

/// Words that, with a capital, start a sentence far more often than they continue a name.
const STARTERS: [&str; 40] = [
    "A", "After", "Although", "An", "And", "As", "At", "But", "By", "For", "He", "Her", "His",
    "How", "However", "I", "If", "In", "It", "Its", "My", "No", "Now", "On", "Our", "She", "Since",
    "So", "That", "The", "Their", "There", "These", "They", "This", "Those", "We", "What", "When",
    "You",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        let spans = split_sentences(text, &Limits::default()).unwrap();
        spans.iter().map(|span| &text[span.range()]).collect()
    }

    #[test]
    fn abbreviations_and_numbers_do_not_split() {
        assert_eq!(split("Dr. Who met J. Smith. no split").len(), 1);
        assert_eq!(split("It cost 5.50 in the U.S. last year.").len(), 1);
        assert_eq!(
            split("He lives in the U.S. The end."),
            ["He lives in the U.S.", "The end."]
        );
        assert_eq!(
            split("See No. 5. Then go! (Now.) Yes"),
            ["See No. 5.", "Then go!", "(Now.)", "Yes"]
        );
    }

    #[test]
    fn blank_lines_split() {
        assert_eq!(
            split("Title\n\nText goes\non here"),
            ["Title", "Text goes\non here"]
        );
        assert!(split(" \n ").is_empty());
    }
}
