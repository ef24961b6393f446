//! Text that is tokenised already.

/// Tokens separated by space, TAB, CR or LF; other blanks belong to their token.
pub fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\t', '\r', '\n'])
        .filter(|token| !token.is_empty())
}
