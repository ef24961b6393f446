//! Where in an input something stands, and what of it a message quotes.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Where in an input something stands. Line and column count from 1; 0 means not known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The file, or a name for the stream; `None` for text in memory.
    pub file: Option<Arc<str>>,
    /// Line, from 1.
    pub line: u64,
    /// Byte column within the line, from 1.
    pub column: u32,
}

impl Place {
    /// A place of which only the line is known.
    #[must_use]
    pub fn line(line: u64) -> Self {
        Place {
            file: None,
            line,
            column: 0,
        }
    }

    /// A file as a whole.
    #[must_use]
    pub fn file(path: &Path) -> Self {
        Place {
            file: Some(printable(path)),
            line: 0,
            column: 0,
        }
    }

    /// The same place in a named file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<Arc<str>>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// The same place with its line, from 1.
    #[must_use]
    pub fn at_line(mut self, line: u64) -> Self {
        self.line = line;
        self
    }

    /// The same place with its byte column, from 1.
    #[must_use]
    pub fn at_column(mut self, column: usize) -> Self {
        self.column = u32::try_from(column).unwrap_or(u32::MAX);
        self
    }
}

/// A path for messages: control and text-direction characters are written as escapes.
fn printable(path: &Path) -> Arc<str> {
    let mut out = String::new();
    for c in path.display().to_string().chars() {
        match c {
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => out.extend(c.escape_unicode()),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out.into()
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file.as_deref().unwrap_or("input"))?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
            if self.column > 0 {
                write!(f, ":{}", self.column)?;
            }
        }
        Ok(())
    }
}

/// How many characters of offending input an error quotes.
const QUOTE: usize = 60;

/// Shortens offending input for a message.
#[must_use]
pub fn quote(text: &str) -> Box<str> {
    let mut out: String = text
        .chars()
        .take(QUOTE)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().nth(QUOTE).is_some() {
        out.push('…');
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_short_and_printable() {
        assert_eq!(&*quote("a\tb"), "a\\tb");
        assert_eq!(quote(&"x".repeat(100)).chars().count(), QUOTE + 1);
    }
}
