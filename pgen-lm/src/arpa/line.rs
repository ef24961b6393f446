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

/// Logarithms (base 10) beyond this are damage, not values.
const LARGEST: f64 = 1e4;

/// Checks a line's numbers and turns them into natural logarithms. `odd` decides about what only lenient
/// reading accepts.
pub(super) fn check_numbers(
    gram: &GramLine<'_>,
    highest: bool,
    mut odd: impl FnMut(&'static str, &str) -> pgen_core::Result<()>,
) -> pgen_core::Result<(f64, f64)> {
    let not_a_number = |value: f64| Error::NotFinite {
        what: "logarithm",
        value,
    };
    let mut log10 = gram.log10;
    if log10.is_nan() || log10 == f64::INFINITY {
        return Err(not_a_number(log10));
    }
    if log10 > 0.0 {
        odd("a logarithm of at most 0", "taken as 0")?;
        log10 = 0.0;
    } else if log10 == f64::NEG_INFINITY {
        odd("a finite logarithm", "taken as impossible")?;
    } else if log10 < -LARGEST {
        odd("a logarithm above -10000", "taken as impossible")?;
        log10 = f64::NEG_INFINITY;
    }
    let mut backoff = gram.backoff.unwrap_or(0.0);
    let impossible = backoff == f64::NEG_INFINITY && !highest;
    if !backoff.is_finite() && !impossible {
        return Err(not_a_number(backoff));
    }
    if backoff.abs() > LARGEST {
        odd("a back-off weight within ±10000", "bounded")?;
        backoff = backoff.clamp(f64::NEG_INFINITY, LARGEST);
    }
    if highest && backoff != 0.0 {
        odd("no back-off weight at the highest order", "ignored")?;
        backoff = 0.0;
    }
    // −0.0 would make two equal models differ.
    let ln = |log10: f64| log10 * std::f64::consts::LN_10 + 0.0;
    Ok((ln(log10), ln(backoff)))
}
