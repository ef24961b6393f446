//! One line of an ARPA section.

use pgen_core::{Error, Place};

/// What was expected, and what to do.
type Problem = (&'static str, &'static str);

/// The parts of an n-gram line.
#[derive(Debug)]
pub(super) struct GramLine<'a> {
    pub(super) log10: f64,
    pub(super) words: Vec<&'a str>,
    pub(super) backoff: Option<f64>,
}

/// Splits a line of a section of order `order`: a number, `order` words, perhaps another number; between
/// them one tab or spaces. Only space and tab separate: other blanks are parts of words.
///
/// An error is what was expected and a hint.
pub(super) fn parse_gram(line: &str, order: usize) -> Result<GramLine<'_>, Problem> {
    let wrong = |expected, hint| (expected, hint);
    let line = line.trim_end_matches([' ', '\t']);
    if line.contains("\t\t") || line.contains('\0') {
        return Err(wrong(
            "a probability, the words and perhaps a back-off weight",
            "a word is empty or has a NUL byte; repair the line",
        ));
    }
    let mut fields = line.split([' ', '\t']).filter(|field| !field.is_empty());
    let first = fields.next().unwrap_or("");
    let log10 = parse_log10(first)
        .ok_or_else(|| wrong("a base-10 logarithm first", "write it as in -1.25"))?;
    let mut words: Vec<&str> = fields.collect();
    let mut backoff = None;
    if words.len() == order + 1
        && let Some(number) = words.last().and_then(|last| parse_log10(last))
    {
        backoff = Some(number);
        words.pop();
    }
    if words.len() != order {
        return Err(wrong(
            "as many words as the section's order, then at most one number",
            "a word is missing or superfluous; the back-off weight must be a number",
        ));
    }
    Ok(GramLine {
        log10,
        words,
        backoff,
    })
}

/// A decimal number; `-inf` and such are passed on, to be judged by the caller.
fn parse_log10(text: &str) -> Option<f64> {
    text.parse().ok()
}

/// The count line `ngram N=COUNT`, with blanks as SRILM and IRSTLM pad them.
pub(super) fn parse_count(line: &str, place: &Place) -> pgen_core::Result<(usize, u64)> {
    let wrong = || {
        let hint = "write one such line for each order, in decimal digits";
        Error::syntax(place.clone(), "ngram ORDER=COUNT", line, hint)
    };
    let (order, count) = line
        .strip_prefix("ngram")
        .and_then(|rest| rest.split_once('='))
        .ok_or_else(wrong)?;
    let number = |text: &str| {
        let text = text.trim_matches([' ', '\t']);
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse::<u64>().ok()).flatten()
    };
    let order = number(order).ok_or_else(wrong)?;
    let count = number(count).ok_or_else(wrong)?;
    Ok((usize::try_from(order).map_err(|_| wrong())?, count))
}
