//! Inputs, written down briefly.
//!
//! `\n \t \r \\ \xHH \u{HEX}` are what they are elsewhere; `${N*TEXT}` repeats, nested ones too;
//! `@NAME` at the beginning stands for a good file, followed by changes ` | OLD => NEW`.

const ARPA: &str = "\\data\\\nngram 1=5\nngram 2=4\nngram 3=2\n\n\\1-grams:\n-1.0\t<unk>\n-99\t<s>\t-0.4\n-1.1\t</s>\n-0.7\ta\t-0.3\n-0.9\tb\t-0.2\n\n\\2-grams:\n-0.3\t<s> a\t-0.1\n-0.4\ta b\t-0.2\n-0.5\tb a\t-0.1\n-0.6\tb </s>\n\n\\3-grams:\n-0.2\t<s> a b\n-0.25\ta b </s>\n\n\\end\\\n";
const TABLE: &str = "a ||| b ||| 0.5\nb c ||| d e f ||| 0.25 ||| 0-0 1-2 ||| 3 2 1\n";
const CONLL: &str = "1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n2\tcat\tcat\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n3\tsat\tsit\tVERB\tVBD\t_\t0\troot\t_\t_\n\n";
const GIZA: &str = "# Sentence pair (1) source length 2 target length 3 alignment score : 0.5\nx y z\nNULL ({ 2 }) a ({ 1 }) b ({ 3 })\n";

/// The bytes that a recipe stands for.
pub(crate) fn bytes(recipe: &str) -> Vec<u8> {
    let Some(rest) = recipe.strip_prefix('@') else {
        return plain(recipe);
    };
    let mut parts = rest.split(" | ");
    let mut text = match parts.next().unwrap_or_default() {
        "arpa" => ARPA,
        "table" => TABLE,
        "conll" => CONLL,
        "giza" => GIZA,
        other => panic!("there is no good file {other}"),
    }
    .as_bytes()
    .to_vec();
    for part in parts {
        let (old, new) = part.split_once(" =>").expect("a change has two sides");
        let (old, new) = (plain(old), plain(new.strip_prefix(' ').unwrap_or(new)));
        text = replace(&text, &old, &new);
    }
    text
}

fn replace(text: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = text.windows(old.len()).position(|window| window == old);
    let at = at.unwrap_or_else(|| panic!("nothing to change: {}", String::from_utf8_lossy(old)));
    [&text[..at], new, &text[at + old.len()..]].concat()
}

fn plain(recipe: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = recipe;
    while let Some(c) = rest.chars().next() {
        let mut used = c.len_utf8();
        if rest.starts_with("${") {
            let end = matching(rest);
            let (count, text) = rest[2..end].split_once('*').expect("${N*TEXT}");
            let count: usize = count.parse().expect("a number of times");
            out.extend_from_slice(&plain(text).repeat(count));
            used = end + 1;
        } else if c == '\\' {
            used = escape(rest, &mut out);
        } else {
            out.extend_from_slice(&rest.as_bytes()[..used]);
        }
        rest = &rest[used..];
    }
    out
}

/// Where the bracket that opens at byte 1 closes.
fn matching(text: &str) -> usize {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' if at > 0 && matches!(text.as_bytes()[at - 1], b'$' | b'u') => depth += 1,
            b'}' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return at;
        }
    }
    panic!("a bracket is not closed: {text}");
}

fn escape(text: &str, out: &mut Vec<u8>) -> usize {
    let rest = &text[1..];
    match rest.as_bytes().first() {
        Some(b'n') => out.push(b'\n'),
        Some(b't') => out.push(b'\t'),
        Some(b'r') => out.push(b'\r'),
        Some(b'x') => {
            out.push(u8::from_str_radix(&rest[1..3], 16).expect("two digits"));
            return 4;
        }
        Some(b'u') => {
            let end = rest.find('}').expect("a bracket");
            let code = u32::from_str_radix(&rest[2..end], 16).expect("digits");
            let c = char::from_u32(code).expect("a character");
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            return 2 + end;
        }
        Some(b'\\') => out.push(b'\\'),
        other => panic!("no such escape: {other:?}"),
    }
    2
}
