//! Text for machines inside text for people: placeholders, variables, file paths, tags. None of it may
//! change inside.
//!
//! Scans ahead are bounded by a constant, so everything is linear in the text.

use super::entity::trim_address;

/// How far ahead the end of a placeholder or path is looked for.
const REACH: usize = 255;

/// Length of a placeholder at the start of `text`, which holds no white space.
pub(super) fn placeholder(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    match bytes.first()? {
        b'{' => bracketed(bytes, b'{', b'}'),
        b'$' if bytes.get(1) == Some(&b'{') => Some(1 + bracketed(&bytes[1..], b'{', b'}')?),
        b'[' => bracketed(bytes, b'[', b']'),
        b'<' => tag(bytes),
        b'%' => format_directive(bytes),
        _ => None,
    }
}

/// `{name}`, `{{ name }}` without the blanks, `[id]`: an identifier between brackets.
fn bracketed(bytes: &[u8], open: u8, close: u8) -> Option<usize> {
    let depth = bytes
        .iter()
        .take(3)
        .take_while(|&&byte| byte == open)
        .count();
    let inner = bytes.get(depth..)?;
    let length = inner
        .iter()
        .take(REACH)
        .take_while(|&&byte| byte.is_ascii_alphanumeric() || b"_.:-#/".contains(&byte))
        .count();
    let closed = inner
        .get(length..length + depth)?
        .iter()
        .all(|&byte| byte == close);
    (length > 0 && closed).then_some(length + 2 * depth)
}

/// `<x>`, `</x>`, `<br/>`.
fn tag(bytes: &[u8]) -> Option<usize> {
    let slash = usize::from(bytes.get(1) == Some(&b'/'));
    bytes
        .get(1 + slash)
        .filter(|byte| byte.is_ascii_alphabetic() || **byte == b'_')?;
    let length = bytes.iter().take(REACH).position(|&byte| byte == b'>')?;
    let clean = bytes
        .get(1..length)?
        .iter()
        .all(|byte| !b"<>".contains(byte));
    clean.then_some(length + 1)
}

/// `%s`, `%d`, `%1$s`, `%.2f`, `%(name)s`, `%@`.
fn format_directive(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    if bytes.get(1) == Some(&b'(') {
        at = 2 + bytes
            .get(2..)?
            .iter()
            .take(REACH)
            .position(|&byte| byte == b')')?;
        at += 1;
    } else {
        let plain = |byte: &&u8| byte.is_ascii_digit() || b".$".contains(byte);
        at += bytes.get(1..)?.iter().take(8).take_while(plain).count();
    }
    let known = bytes
        .get(at)
        .is_some_and(|byte| b"sdifuxXcgeE@".contains(byte));
    let ends = !bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
    (known && ends).then_some(at + 1)
}

/// `$name`, `:name:` and `\\name`: variables, emoji by name, commands.
pub(super) fn variable(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let sign = *bytes.first()?;
    let starts = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    bytes.get(1).filter(|byte| starts(byte))?;
    let inside = |byte: &&u8| {
        byte.is_ascii_alphanumeric() || **byte == b'_' || sign == b':' && b"+-".contains(byte)
    };
    let name = bytes
        .get(1..)?
        .iter()
        .take(REACH)
        .take_while(inside)
        .count();
    match sign {
        b'$' | b'\\' => Some(1 + name),
        b':' => (bytes.get(1 + name) == Some(&b':')).then_some(name + 2),
        _ => None,
    }
}

/// Endings by which a bare file name is known.
const EXTENSIONS: [&str; 48] = [
    "avi", "bak", "bat", "bmp", "cfg", "conf", "cpp", "css", "csv", "dll", "doc", "docx", "exe",
    "gif", "gz", "html", "htm", "ini", "java", "jpeg", "jpg", "js", "json", "jsonl", "log", "md",
    "mov", "mp3", "mp4", "odt", "pdf", "php", "png", "ppt", "pptx", "py", "rs", "sh", "svg", "tar",
    "toml", "ts", "tsv", "txt", "xls", "xlsx", "xml", "yaml",
];

/// Length of a file path or file name at the start of `text`: `/usr/bin/help`, `C:\help`, `~/a`,
/// `src/big/house.rs`, `big.txt`. Two words with one slash between (`and/or`) are none.
pub(super) fn path(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let first = *bytes.first()?;
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(b' ');
    let slash = |at: usize| matches!(byte(at), b'/' | b'\\');
    let opens = |byte: u8| byte.is_ascii_alphanumeric() || b"_.~".contains(&byte) || byte >= 0x80;
    let rooted = match first {
        b'/' => byte(1).is_ascii_alphabetic() || byte(1) == b'_' || byte(1) == b'.',
        b'\\' => byte(1) == b'\\' && opens(byte(2)),
        b'~' => byte(1) == b'/' && opens(byte(2)),
        b'.' => byte(1) == b'/' && opens(byte(2)) || byte(1) == b'.' && byte(2) == b'/',
        _ => first.is_ascii_alphabetic() && byte(1) == b':' && slash(2),
    };
    if !rooted && !first.is_ascii_alphanumeric() && first != b'_' {
        return None;
    }
    let plain = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let word = bytes.iter().take(REACH).take_while(plain).count();
    if !rooted && !matches!(byte(word), b'.' | b'/' | b'\\') {
        return None;
    }
    let stop = |c: char| c.is_whitespace() || "<>\"|*?()[]{},;“”".contains(c);
    let end = text.find(stop).unwrap_or(text.len());
    let end = trim_address(text, end);
    let whole = text.get(..end)?;
    (rooted || is_relative(whole))
        .then_some(end)
        .filter(|&end| end > 1)
}

/// A path without a root: with a backslash or two slashes inside, or a known ending.
fn is_relative(text: &str) -> bool {
    let letters = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let slashes = text.matches('/').count();
    let name = text.rsplit(['/', '\\']).next().unwrap_or("");
    let known = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        let lower = ending.to_ascii_lowercase();
        !stem.is_empty() && EXTENSIONS.contains(&lower.as_str())
    });
    let numbers = text.bytes().all(|byte| !byte.is_ascii_alphabetic());
    !numbers && (known || letters && (slashes > 1 || text.contains('\\')))
}

/// Placeholders with blanks inside, which white space would cut: `{{ name }}`, `{% if x %}`, `{ name }`,
/// `<a href="x y">`, `` `some code` ``. Ascending, not overlapping.
pub(super) fn spaced(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = text.get(at..).and_then(|rest| rest.find(['{', '<', '`'])) {
        let start = at + offset;
        let rest = text.get(start..).unwrap_or("");
        let length = spaced_here(rest).filter(|&length| {
            let inside = rest.get(..length).unwrap_or("");
            inside.contains([' ', '\t', '\u{a0}'])
        });
        if let Some(length) = length {
            found.push((start, start + length));
        }
        // Runs of one sign are one opening.
        let sign = rest.as_bytes().first().copied();
        let run = rest.bytes().take_while(|&byte| Some(byte) == sign).count();
        at = start + length.unwrap_or(run.max(1));
    }
    found
}

fn spaced_here(rest: &str) -> Option<usize> {
    let end = rest.find('\n').unwrap_or(rest.len());
    let reach = rest.as_bytes().get(..end.min(REACH))?;
    let close = |open: usize, close: &[u8]| {
        let inner = reach.get(open..)?;
        let at = inner.windows(close.len()).position(|part| part == close)?;
        Some((inner.get(..at)?, open + at + close.len()))
    };
    let braces = |inner: &[u8]| inner.iter().any(|byte| b"{}".contains(byte));
    if reach.starts_with(b"{{{") {
        return close(3, b"}}}")
            .filter(|(inner, _)| !braces(inner))
            .map(|(_, end)| end);
    }
    if reach.starts_with(b"{{") {
        return close(2, b"}}")
            .filter(|(inner, _)| !braces(inner))
            .map(|(_, end)| end);
    }
    if reach.starts_with(b"{%") {
        return close(2, b"%}").map(|(_, end)| end);
    }
    if reach.starts_with(b"<!--") {
        return close(4, b"-->").map(|(_, end)| end);
    }
    match reach.first()? {
        b'{' => {
            let (inner, end) = close(1, b"}")?;
            let name = inner.trim_ascii();
            let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(byte);
            (!name.is_empty() && name.iter().all(plain)).then_some(end)
        }
        b'<' => {
            let (inner, end) = close(1, b">")?;
            let named = inner.first().is_some_and(u8::is_ascii_alphabetic);
            (named && inner.contains(&b'=') && !inner.contains(&b'<')).then_some(end)
        }
        b'`' if reach.get(1) != Some(&b'`') => {
            let (inner, end) = close(1, b"`")?;
            let code = !inner.is_empty() && !inner.contains(&b'\'');
            (code && reach.get(end) != Some(&b'`')).then_some(end)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_end_where_they_close() {
        let cases = [
            ("{name}!", Some(6)),
            ("{{x}},", Some(5)),
            ("${a.b}", Some(6)),
            ("[id]", Some(4)),
            ("[...]", Some(5)),
            ("</b>x", Some(4)),
            ("<br/>", Some(5)),
            ("%s,", Some(2)),
            ("%1$s", Some(4)),
            ("%(n)d", Some(5)),
            ("%sale", None),
            ("< b", None),
            ("{a", None),
        ];
        for (text, length) in cases {
            assert_eq!(placeholder(text), length, "{text}");
        }
    }

    #[test]
    fn variables_and_paths_are_found_whole() {
        let cases = [
            ("$big.", Some(4)),
            ("$5", None),
            (":help: me", Some(6)),
            (":-)", None),
            ("\\big{x}", Some(4)),
        ];
        for (text, length) in cases {
            assert_eq!(variable(text), length, "{text}");
        }
        let cases = [
            ("/usr/bin/help.", Some(13)),
            ("C:\\help\\me, then", Some(10)),
            ("~/big/house", Some(11)),
            ("../help", Some(7)),
            ("\\\\server\\help", Some(13)),
            ("src/big/house.rs)", Some(16)),
            ("big.txt.", Some(7)),
            ("dir\\help", Some(8)),
            ("and/or", None),
            ("big.The", None),
            ("1/2/03", None),
            ("help", None),
            ("/", None),
        ];
        for (text, length) in cases {
            assert_eq!(path(text), length, "{text}");
        }
    }

    #[test]
    fn placeholders_may_hold_blanks() {
        let texts = |text: &str| -> Vec<String> {
            let found = spaced(text).into_iter();
            found
                .map(|(start, end)| text[start..end].to_owned())
                .collect()
        };
        assert_eq!(
            texts("a {{ big }} {{x}} { name }"),
            ["{{ big }}", "{ name }"]
        );
        assert_eq!(texts("{% if big %}x{{ a }}"), ["{% if big %}", "{{ a }}"]);
        assert_eq!(texts("<a href=\"big house\">"), ["<a href=\"big house\">"]);
        assert_eq!(texts("use `big help` or ``big help''"), ["`big help`"]);
        assert_eq!(texts("{a big house} x < y and y > z {{ open"), [""; 0]);
    }
}
