//! What a token is by its form alone: numbers, amounts, dates, addresses, placeholders.
//!
//! Everything is scanned by hand in time linear in the token; scans ahead are bounded by constants.

/// Classes of tokens that a model may see as one symbol (Quirk, Brockett & Dolan 2004, §3.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum EntityClass {
    /// `https://…`, `www.…`
    Url,
    /// `x@y.com`
    Email,
    /// `$5`, `€1,200.50`
    Money,
    /// `5%`
    Percent,
    /// `5:50`, `12:30:15`
    Time,
    /// `2002-04-18`, `1/2/03`
    Date,
    /// `3rd`
    Ordinal,
    /// `5,000`, `-3.5`
    Number,
}

impl EntityClass {
    /// All classes in the order in which they are tried.
    pub const ALL: [EntityClass; 8] = [
        EntityClass::Url,
        EntityClass::Email,
        EntityClass::Money,
        EntityClass::Percent,
        EntityClass::Time,
        EntityClass::Date,
        EntityClass::Ordinal,
        EntityClass::Number,
    ];

    /// The symbol that stands for the class, `__NUM__` for instance.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            EntityClass::Url => "__URL__",
            EntityClass::Email => "__EMAIL__",
            EntityClass::Money => "__MONEY__",
            EntityClass::Percent => "__PCT__",
            EntityClass::Time => "__TIME__",
            EntityClass::Date => "__DATE__",
            EntityClass::Ordinal => "__ORD__",
            EntityClass::Number => "__NUM__",
        }
    }

    /// The class of a symbol.
    #[must_use]
    pub fn of_symbol(symbol: &str) -> Option<EntityClass> {
        EntityClass::ALL
            .into_iter()
            .find(|class| class.symbol() == symbol)
    }

    /// The class of a whole token: the first in [`EntityClass::ALL`] whose form it has.
    #[must_use]
    pub fn of_token(token: &str) -> Option<EntityClass> {
        EntityClass::ALL
            .into_iter()
            .find(|class| class.matches(token))
    }

    fn matches(self, token: &str) -> bool {
        match self {
            EntityClass::Url => is_url(token),
            EntityClass::Email => is_email(token),
            EntityClass::Money => token.strip_prefix(is_currency).is_some_and(is_amount),
            EntityClass::Percent => token.strip_suffix('%').is_some_and(is_amount),
            EntityClass::Time => is_fields(token, &[':'], &[1..=2, 2..=2, 2..=2], 2),
            EntityClass::Date => is_fields(token, &['-', '/'], &[1..=4, 1..=2, 1..=4], 3),
            EntityClass::Ordinal => ["st", "nd", "rd", "th"]
                .iter()
                .filter_map(|suffix| token.strip_suffix(suffix))
                .any(|digits| !digits.is_empty() && all_digits(digits)),
            EntityClass::Number => is_amount(token.strip_prefix(['+', '-']).unwrap_or(token)),
        }
    }
}

pub(super) fn is_currency(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥')
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `\d[\d,]*(\.\d+)?`
fn is_amount(text: &str) -> bool {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    whole.starts_with(|c: char| c.is_ascii_digit())
        && whole
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b',')
        && fraction.is_none_or(|digits| !digits.is_empty() && all_digits(digits))
}

/// Digit fields of given lengths between separators; at least `least` of them.
fn is_fields(
    text: &str,
    separators: &[char],
    lengths: &[std::ops::RangeInclusive<usize>],
    least: usize,
) -> bool {
    let mut count = 0;
    for field in text.split(separators) {
        let fits = lengths
            .get(count)
            .is_some_and(|length| length.contains(&field.len()));
        if !fits || !all_digits(field) {
            return false;
        }
        count += 1;
    }
    count >= least
}

pub(super) fn is_url(text: &str) -> bool {
    url_prefix(text).is_some_and(|prefix| text.len() > prefix)
}

/// Length of `http://`, `https://`, `ftp://` or `www.` at the start.
pub(super) fn url_prefix(text: &str) -> Option<usize> {
    ["http://", "https://", "ftp://", "www."]
        .iter()
        .find(|prefix| {
            text.get(..prefix.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        })
        .map(|prefix| prefix.len())
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else {
        return false;
    };
    let Some((host, top)) = domain.rsplit_once('.') else {
        return false;
    };
    !local.is_empty()
        && !host.is_empty()
        && !domain.contains('@')
        && top.len() >= 2
        && top.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The e-mail address around the `@` at byte `at` of a field without white space, not reaching before
/// `from`. Scans the local part backwards and the domain forwards.
pub(super) fn email_around(field: &str, from: usize, at: usize) -> Option<(usize, usize)> {
    let bytes = field.as_bytes();
    let local = |byte: u8| byte.is_ascii_alphanumeric() || b"._%+-".contains(&byte);
    let host = |byte: u8| byte.is_ascii_alphanumeric() || b".-".contains(&byte);
    let before = bytes.get(from..at)?;
    let mut start = at - before.iter().rev().take_while(|&&byte| local(byte)).count();
    while start < at && matches!(bytes.get(start), Some(b'.' | b'%' | b'+' | b'-')) {
        start += 1;
    }
    let behind = bytes.get(at + 1..)?;
    let mut end = at + 1 + behind.iter().take_while(|&&byte| host(byte)).count();
    while end > at && matches!(bytes.get(end - 1), Some(b'.' | b'-')) {
        end -= 1;
    }
    let domain = field.get(at + 1..end)?;
    let top = domain.rsplit_once('.')?.1;
    let alphabetic = top.len() >= 2 && top.bytes().all(|byte| byte.is_ascii_alphabetic());
    (start < at && alphabetic).then_some((start, end))
}

/// How far ahead a bare host name is looked for.
const REACH: usize = 255;

/// Top-level domains under which a bare `name.top` is taken for an address.
const TOP_LEVEL: [&str; 24] = [
    "com", "org", "net", "edu", "gov", "int", "eu", "uk", "de", "fr", "ie", "nl", "be", "io",
    "info", "biz", "tv", "ca", "au", "ch", "dk", "ru", "jp", "dev",
];

/// Length of a bare host name, with its path, at the start of `text`: `example.co.uk/page`.
pub(super) fn host_name(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let allowed = |byte: &&u8| byte.is_ascii_alphanumeric() || b".-".contains(byte);
    let mut end = bytes.iter().take(REACH).take_while(allowed).count();
    while end > 0 && matches!(bytes.get(end - 1), Some(b'.' | b'-')) {
        end -= 1;
    }
    let (host, top) = text.get(..end)?.rsplit_once('.')?;
    let longest_label = host.split('.').map(str::len).max().unwrap_or(0);
    if longest_label < 2 || host.split('.').any(str::is_empty) || !TOP_LEVEL.contains(&top) {
        return None;
    }
    let path = bytes.get(end) == Some(&b'/');
    let behind = text.get(end..)?.chars().next();
    if path {
        Some(trim_address(text, text.len()))
    } else {
        behind.is_none_or(|c| !c.is_alphanumeric()).then_some(end)
    }
}

/// Cuts punctuation that belongs to the sentence off the end of an address.
pub(super) fn trim_address(text: &str, end: usize) -> usize {
    let address = text.get(..end).unwrap_or(text);
    let [round, square, curly] = ['(', '[', '{'].map(|open| address.contains(open));
    let trimmed = address.trim_end_matches(|c: char| match c {
        ')' => !round,
        ']' => !square,
        '}' => !curly,
        _ => matches!(
            c,
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '"' | '>' | '’' | '”' | '»'
        ),
    });
    trimmed.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_words_have_their_classes() {
        let golden: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/golden/q12_ne.json")).unwrap();
        let words = golden["words"].as_object().unwrap();
        assert!(words.len() > 10);
        for (word, class) in words {
            let found = EntityClass::of_token(word).map(EntityClass::symbol);
            assert_eq!(found, class.as_str(), "{word}");
        }
    }

    #[test]
    fn hosts_need_a_known_top() {
        assert_eq!(host_name("example.co.uk,"), Some(13));
        assert_eq!(host_name("a.org/x."), None);
        assert_eq!(host_name("ab.org/x."), Some(8));
        assert_eq!(host_name("end.The"), None);
    }
}
