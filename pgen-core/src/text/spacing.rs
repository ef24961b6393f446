//! Where English puts a space between two tokens.

/// How a token binds to its neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Binding {
    /// No space before it.
    pub(super) left: bool,
    /// No space behind it.
    pub(super) right: bool,
}

/// The binding of a token; `open` says for `"` and `'` whether a quotation is open at this place.
pub(super) fn binding(token: &str, open: bool) -> Binding {
    let (left, right) = match token {
        "," | "." | ";" | ":" | "!" | "?" | "..." | "…" | "%" | ")" | "]" | "}" | "''" | "”"
        | "’" | "»" | "°" | "™" | "®" => (true, false),
        "(" | "[" | "{" | "``" | "“" | "‘" | "«" | "$" | "€" | "£" | "¥" | "#" | "¿" | "¡" => {
            (false, true)
        }
        "/" | "\\" => (true, true),
        "\"" | "'" => (open, !open),
        clitic => (is_clitic(clitic), false),
    };
    Binding { left, right }
}

/// `n't`, `'s`, `'re` …: written onto the word before.
pub(super) fn is_clitic(token: &str) -> bool {
    let tail = |sign: char| token.strip_prefix(sign);
    let after_sign = tail('\'').or_else(|| tail('’'));
    match after_sign {
        Some(tail) => ["s", "re", "ve", "ll", "d", "m"]
            .iter()
            .any(|clitic| tail.eq_ignore_ascii_case(clitic)),
        None => token.eq_ignore_ascii_case("n't") || token.eq_ignore_ascii_case("n’t"),
    }
}

/// Keeps count of straight quotation marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Quotes {
    double: bool,
    single: bool,
}

impl Quotes {
    /// The binding of the next token, which is counted.
    pub(super) fn next(&mut self, token: &str) -> Binding {
        match token {
            "\"" => {
                self.double = !self.double;
                binding(token, !self.double)
            }
            "'" => {
                self.single = !self.single;
                binding(token, !self.single)
            }
            _ => binding(token, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_alternate() {
        let mut quotes = Quotes::default();
        let bindings = ["\"", "a", "\"", ",", "n't"].map(|token| quotes.next(token));
        let flags = bindings.map(|binding| (binding.left, binding.right));
        let wanted = [
            (false, true),
            (false, false),
            (true, false),
            (true, false),
            (true, false),
        ];
        assert_eq!(flags, wanted);
    }
}
