//! The tokeniser: one pass from left to right over each stretch without white space.

use super::{entity, machine};
use crate::error::{Error, Place, Result};
use crate::limits::Limits;
use crate::sentence::TokenKind;
use crate::span::ByteSpan;
use unicode_segmentation::UnicodeSegmentation;

/// A token before its word is known to any vocabulary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawToken {
    /// Where it stands in the text.
    pub bytes: ByteSpan,
    /// What it is.
    pub kind: TokenKind,
}

/// Cuts a text into tokens; the convention stands in the [module](super)'s documentation.
///
/// Linear in the length of the text. What lies between tokens is white space, zero-width spaces and
/// byte-order marks only.
///
/// # Errors
/// [`Error::LimitExceeded`] for more than `limits.tokens` tokens, a token of more than
/// `limits.token_bytes` bytes, or a text of 2³² bytes.
///
/// ```
/// use pgen_core::{Limits, text::tokenize};
///
/// let text = "Don't pay Mr. X $1,000!";
/// let tokens = tokenize(text, &Limits::default())?;
/// let words: Vec<_> = tokens.iter().map(|token| &text[token.bytes.range()]).collect();
/// assert_eq!(words, ["Do", "n't", "pay", "Mr.", "X", "$1,000", "!"]);
/// # Ok::<(), pgen_core::Error>(())
/// ```
pub fn tokenize(text: &str, limits: &Limits) -> Result<Vec<RawToken>> {
    Limits::check("bytes of a text", text.len(), u32::MAX as usize)?;
    let mut scanner = Scanner {
        text,
        tokens: Vec::new(),
        limits,
    };
    let mut from = 0;
    for (start, end) in machine::spaced(text) {
        scanner.stretch(from, start)?;
        scanner.push(start, end, TokenKind::Placeholder)?;
        from = end;
    }
    scanner.stretch(from, text.len())?;
    Ok(scanner.tokens)
}

/// True for what lies between tokens.
fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200B}' | '\u{FEFF}')
}

/// Stretches without gaps.
fn fields(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.find(|c| !is_gap(c))?;
        let length = text.get(start..)?.find(is_gap);
        at = length.map_or(text.len(), |length| start + length);
        Some((start, at))
    })
}

struct Scanner<'a> {
    text: &'a str,
    tokens: Vec<RawToken>,
    limits: &'a Limits,
}

impl Scanner<'_> {
    fn push(&mut self, start: usize, end: usize, kind: TokenKind) -> Result<()> {
        Limits::check(
            "number of tokens",
            self.tokens.len() + 1,
            self.limits.tokens,
        )?;
        if end - start > self.limits.token_bytes {
            return Err(Error::LimitExceeded {
                place: Place::default().at_column(start + 1),
                what: "bytes of a token",
                limit: self.limits.token_bytes as u64,
                found: (end - start) as u64,
            });
        }
        // The whole text is below 2³² bytes.
        let bytes = ByteSpan::new(start as u32, end as u32)?;
        self.tokens.push(RawToken { bytes, kind });
        Ok(())
    }

    /// Takes all fields between two positions.
    fn stretch(&mut self, start: usize, end: usize) -> Result<()> {
        for (from, to) in fields(self.text.get(start..end).unwrap_or("")) {
            self.field(start + from, start + to)?;
        }
        Ok(())
    }

    fn field(&mut self, start: usize, end: usize) -> Result<()> {
        let mut at = start;
        let mut mail = self.next_mail(start, end);
        while at < end {
            let fresh = at == start || !self.ends_in_word(at);
            let url = if fresh { self.url(at, end) } else { None };
            let address = url.or_else(|| mail.filter(|mail| mail.0 == at).map(|mail| mail.1));
            if let Some(stop) = address {
                self.push(at, stop, TokenKind::Address)?;
                at = stop;
                mail = self.next_mail(at, end);
            } else {
                let border = mail.map_or(end, |mail| mail.0);
                at = self.token(at, fresh, border)?;
            }
        }
        Ok(())
    }

    /// The next e-mail address of a field that starts at or behind `from`.
    fn next_mail(&self, from: usize, end: usize) -> Option<(usize, usize)> {
        let field = self.text.get(..end)?;
        let mut search = from;
        while let Some(offset) = field.get(search..)?.find('@') {
            let sign = search + offset;
            if let Some(mail) = entity::email_around(field, search, sign) {
                return Some(mail);
            }
            search = sign + 1;
        }
        None
    }

    /// Where the URL that starts here ends.
    fn url(&self, at: usize, end: usize) -> Option<usize> {
        let rest = self.text.get(at..end)?;
        let prefix = entity::url_prefix(rest)?;
        let length = rest.find(['<', '>', '"']).unwrap_or(rest.len());
        let length = entity::trim_address(rest, length);
        (length > prefix).then_some(at + length)
    }

    /// Takes one token (a word may give two) from `at` and returns where the next begins.
    fn token(&mut self, at: usize, fresh: bool, end: usize) -> Result<usize> {
        let Some(rest) = self.text.get(at..end) else {
            return Ok(end);
        };
        let Some(first) = rest.chars().next() else {
            return Ok(end);
        };
        if let Some(length) = machine::placeholder(rest).filter(|_| fresh || first != '%') {
            self.push(at, at + length, TokenKind::Placeholder)?;
            return Ok(at + length);
        }
        if fresh && let Some((length, kind)) = special(rest, first) {
            self.push(at, at + length, kind)?;
            return Ok(at + length);
        }
        let prefix = number_prefix(rest, fresh);
        if prefix > 0 || is_word_start(first) {
            return self.word(at, at + prefix, end);
        }
        self.sign(at, rest, first)
    }

    fn ends_in_word(&self, at: usize) -> bool {
        self.text
            .get(..at)
            .and_then(|before| before.chars().next_back())
            .is_some_and(is_word_start)
    }

    /// Punctuation and other signs: some runs as one, else one grapheme.
    fn sign(&mut self, at: usize, rest: &str, first: char) -> Result<usize> {
        let run = rest.chars().take_while(|&c| c == first).count();
        let length = match first {
            '.' | '-' | '*' | '=' | '~' | '#' if run > 1 => run,
            '\'' | '`' if run > 1 => 2,
            _ => rest
                .graphemes(true)
                .next()
                .map_or(first.len_utf8(), str::len),
        };
        self.push(at, at + length, TokenKind::Punctuation)?;
        Ok(at + length)
    }

    /// A word or number that starts at `at`; what lies before `body` is a sign or currency.
    fn word(&mut self, at: usize, body: usize, end: usize) -> Result<usize> {
        let rest = self.text.get(body..end).unwrap_or("");
        let behind = self.text.get(end..).unwrap_or("");
        let length = word_length(rest, behind);
        let word = rest.get(..length).unwrap_or("");
        let stop = body + length;
        let digits = word.starts_with(char::is_numeric);
        let letters = word.chars().any(char::is_alphabetic);
        let whole = self.text.get(at..stop).unwrap_or("");
        if whole.bytes().all(|byte| byte == b'_') {
            self.push(at, stop, TokenKind::Punctuation)?;
            return Ok(stop);
        }
        if digits && (!letters || entity::EntityClass::of_token(whole).is_some()) {
            self.push(at, stop, TokenKind::Number)?;
            return Ok(stop);
        }
        if let Some(cut) = clitic(word) {
            let stem = word.get(..cut).unwrap_or("");
            let number = digits && !stem.chars().any(char::is_alphabetic);
            let kind = if number {
                TokenKind::Number
            } else {
                TokenKind::Word
            };
            self.push(at, body + cut, kind)?;
            self.push(body + cut, stop, TokenKind::Word)?;
        } else if word.chars().any(writes_without_spaces) {
            let mut start = at;
            let mut stop = body;
            for part in word.split_word_bounds() {
                stop += part.len();
                self.push(start, stop, TokenKind::Word)?;
                start = stop;
            }
        } else {
            self.push(at, stop, TokenKind::Word)?;
        }
        Ok(stop)
    }
}

fn is_word_start(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Letters, digits, marks and joiners: what a word is made of.
fn is_word_part(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
    c.is_alphanumeric()
        || matches!(c, '\u{200C}' | '\u{200D}' | '\u{AD}' | '·')
        || c.general_category_group() == GeneralCategoryGroup::Mark
}

/// Han, Hiragana, Katakana: UAX #29 knows borders there without a dictionary.
fn writes_without_spaces(c: char) -> bool {
    matches!(u32::from(c), 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF
        | 0x2_0000..=0x3_FFFF)
}

/// What is special at the start of a token: a bare host, a path, a variable, a name, a clitic that
/// stands alone.
fn special(rest: &str, first: char) -> Option<(usize, TokenKind)> {
    match first {
        '@' | '#' => Some((name_after_sign(rest)?, TokenKind::Address)),
        '\'' | '’' => {
            let length = name_after_sign(rest)?;
            let clitic = is_clitic(rest.get(first.len_utf8()..length)?);
            clitic.then_some((length, TokenKind::Word))
        }
        _ => {
            let address = || machine::path(rest).or_else(|| entity::host_name(rest));
            match machine::variable(rest) {
                Some(length) if !rest.starts_with("\\\\") => Some((length, TokenKind::Placeholder)),
                _ => Some((address()?, TokenKind::Address)),
            }
        }
    }
}

/// `@name`, `#tag`.
fn name_after_sign(rest: &str) -> Option<usize> {
    let sign = rest.chars().next()?.len_utf8();
    let body = rest.get(sign..)?;
    let length = body.find(|c: char| !is_word_part(c)).unwrap_or(body.len());
    (length > 0).then_some(sign + length)
}

/// Length of a sign, currency or leading point before a number.
fn number_prefix(rest: &str, fresh: bool) -> usize {
    let mut chars = rest.chars().peekable();
    let mut length = 0;
    if fresh && let Some(sign) = chars.next_if(|&c| c == '+' || c == '-') {
        length += sign.len_utf8();
    }
    if let Some(currency) = chars.next_if(|&c| entity::is_currency(c)) {
        length += currency.len_utf8();
    }
    if fresh && chars.next_if_eq(&'.').is_some() {
        length += 1;
    }
    if chars.peek().is_some_and(char::is_ascii_digit) {
        length
    } else {
        0
    }
}

/// Length of the word at the start of `rest`, its own points included; `behind` is what comes later.
fn word_length(rest: &str, behind_rest: &str) -> usize {
    let mut at = 0;
    let mut previous = '\0';
    // Start of the current stretch between points.
    let mut piece = 0;
    while let Some(c) = rest.get(at..).and_then(|rest| rest.chars().next()) {
        let behind = at + c.len_utf8();
        let next = rest.get(behind..).and_then(|rest| rest.chars().next());
        let joins = |wanted: fn(char) -> bool| wanted(previous) && next.is_some_and(wanted);
        let digit: fn(char) -> bool = |c| c.is_ascii_digit();
        let taken = match c {
            c if is_word_part(c) => true,
            '\'' | '’' | '-' | '\u{2010}' | '\u{2011}' | '&' => at > 0 && joins(is_word_part),
            ',' | ':' | '/' => joins(digit),
            '.' if joins(digit) => true,
            '.' => match point(rest, behind_rest, piece, at) {
                Point::Within => {
                    piece = behind;
                    true
                }
                Point::Last => return behind,
                Point::Outside => false,
            },
            '%' if digit(previous) => {
                return if next.is_some_and(is_word_start) {
                    at
                } else {
                    behind
                };
            }
            c if entity::is_currency(c) && digit(previous) => {
                return if next.is_some_and(digit) { at } else { behind };
            }
            _ => false,
        };
        if !taken {
            break;
        }
        previous = c;
        at = behind;
    }
    at
}

enum Point {
    /// Within the word: `U.S`, `Ph.D`.
    Within,
    /// The last byte of the word: `Mr.`, `U.S.`
    Last,
    /// The end of a sentence.
    Outside,
}

/// What the point at `at` is to the word before it; `piece` starts behind the word's last point.
fn point(rest: &str, behind: &str, piece: usize, at: usize) -> Point {
    let last = rest.get(piece..at).unwrap_or("");
    let single = last.chars().count() == 1 && last.chars().all(char::is_alphabetic);
    let word = rest.get(..at).unwrap_or("");
    let mut after = rest.get(at + 1..).unwrap_or("").chars();
    let next = after.next();
    if next.is_some_and(char::is_alphabetic) {
        let initial = after.next().is_none_or(|c| !c.is_alphanumeric());
        return if (single || last == "Ph") && initial {
            Point::Within
        } else if single || is_abbreviation(word) {
            Point::Last
        } else {
            Point::Outside
        };
    }
    let number_follows = || {
        let next = next.or_else(|| behind.trim_start().chars().next());
        next.is_some_and(char::is_numeric)
    };
    let initial = single && last.chars().all(char::is_uppercase) && word != "I";
    if piece > 0 || initial || is_abbreviation(word) || (number_follows() && before_number(word)) {
        Point::Last
    } else {
        Point::Outside
    }
}

/// Abbreviations that keep their point wherever they stand.
const ABBREVIATIONS: [&str; 50] = [
    "adm", "al", "apr", "assn", "aug", "ave", "blvd", "bros", "capt", "cf", "co", "col", "corp",
    "cpl", "dec", "dept", "dr", "eds", "esp", "est", "etc", "feb", "gen", "gov", "hon", "inc",
    "jan", "jr", "lt", "ltd", "maj", "messrs", "mr", "mrs", "ms", "mt", "nov", "oct", "prof",
    "rep", "rev", "sen", "sept", "sgt", "sr", "st", "univ", "viz", "vs", "approx",
];

/// Abbreviations before a number only; elsewhere they are words at the end of a sentence.
const BEFORE_NUMBER: [&str; 12] = [
    "art", "fig", "no", "nos", "p", "para", "paras", "pp", "sec", "vol", "vols", "arts",
];

pub(super) fn is_abbreviation(word: &str) -> bool {
    word.len() <= 7
        && ABBREVIATIONS
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
}

pub(super) fn before_number(word: &str) -> bool {
    word.len() <= 5
        && BEFORE_NUMBER
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
}

/// What may follow the apostrophe of a clitic.
fn is_clitic(tail: &str) -> bool {
    ["s", "re", "ve", "ll", "d", "m"]
        .iter()
        .any(|clitic| tail.eq_ignore_ascii_case(clitic))
}

/// Where a clitic begins: `do|n't`, `they|'re`. `None` if there is none, or nothing before it.
fn clitic(word: &str) -> Option<usize> {
    let sign = word.rfind(['\'', '’'])?;
    let tail = word.get(sign..)?.strip_prefix(['\'', '’'])?;
    if is_clitic(tail) {
        return (sign > 0).then_some(sign);
    }
    let n = sign.checked_sub(1)?;
    let negated = tail.eq_ignore_ascii_case("t") && word.get(n..sign)?.eq_ignore_ascii_case("n");
    (negated && n > 0).then_some(n)
}
