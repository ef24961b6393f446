//! Raw text in, raw text out: tokens with byte offsets, protected entities, sentence borders, and
//! output that copies whatever was not edited.
//!
//! # The convention
//! Tokens follow the Penn treebank where paraphrase tables and treebanks do:
//!
//! | text | tokens |
//! |---|---|
//! | `don't`, `they're`, `dog's`, `dogs'` | `do n't`, `they 're`, `dog 's`, `dogs '` |
//! | `o'clock`, `well-known`, `R&D` | kept whole |
//! | `Mr.`, `U.S.`, `e.g.`, `J.` | the point belongs to the word |
//! | `1,000.50`, `$5`, `5%`, `5:50`, `1/2/03`, `-3.5`, `3rd` | kept whole |
//! | `https://a.org/x`, `a.org`, `x@y.com`, `@name`, `#tag` | kept whole |
//! | `/usr/bin/x`, `C:\\x`, `~/x`, `a/b/c`, `notes.txt` | kept whole |
//! | `{name}`, `${x}`, `[id]`, `<br/>`, `%s`, `%(n)d`, `$name`, `:name:` | kept whole |
//! | `{{ name }}`, `{% if x %}`, `<a href="x y">`, `` `some code` `` | kept whole, blanks included |
//! | `...`, `--`, `''`, ` `` ` | one token |
//! | other signs | one token each (a whole grapheme) |
//!
//! Han and kana, written without spaces, are cut at the word borders of UAX #29. White space, zero-width
//! spaces and byte-order marks lie between tokens and survive through the offsets.
//!
//! The normalised form of a token is its lower case in NFC with typographic quotes, dashes and ellipses
//! made plain. Lower-casing may change the length; offsets always refer to the text as given.

mod casing;
mod chunks;
mod classes;
mod detokenize;
mod entity;
mod machine;
mod sentences;
mod spacing;
mod tokenize;
mod tokens;

pub use classes::Abstraction;
pub use detokenize::{Detokenized, ProperForm, Segment, detokenize, render};
pub use entity::EntityClass;
pub use sentences::split_sentences;
pub use tokenize::{RawToken, tokenize};
pub use tokens::tokens;

use crate::error::Result;
use crate::lexicon::Lexicon;
use crate::limits::Limits;
use crate::sentence::{Sentence, Token, TokenKind};
use crate::span::ByteSpan;
use crate::vocab::Vocab;
use std::borrow::Cow;
use std::sync::Arc;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// How text becomes a [`Sentence`].
///
/// | field | default | meaning |
/// |---|---|---|
/// | `lowercase` | true | models see lower-cased words |
/// | `protect_numbers` | true | tokens with a digit must not change |
/// | `protect_addresses` | true | URLs, e-mail addresses and `@names` must not change |
/// | `protect_placeholders` | true | placeholders must not change |
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct TextOptions {
    pub lowercase: bool,
    pub protect_numbers: bool,
    pub protect_addresses: bool,
    pub protect_placeholders: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions {
            lowercase: true,
            protect_numbers: true,
            protect_addresses: true,
            protect_placeholders: true,
        }
    }
}

impl TextOptions {
    fn protects(&self, token: RawToken, surface: &str) -> bool {
        match token.kind {
            TokenKind::Address => self.protect_addresses,
            TokenKind::Placeholder => self.protect_placeholders,
            _ => self.protect_numbers && surface.chars().any(char::is_numeric),
        }
    }
}

impl Sentence {
    /// A sentence from raw text. Words that the vocabulary lacks join the sentence's lexicon; numbers,
    /// addresses and placeholders are protected as the options say.
    ///
    /// Linear in the length of the text.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`](crate::Error::LimitExceeded) for too many tokens, a token too long, or
    /// a text of 2³² bytes.
    pub fn tokenize(
        text: impl Into<String>,
        vocab: &Arc<Vocab>,
        options: &TextOptions,
        limits: &Limits,
    ) -> Result<Sentence> {
        let text = text.into();
        let mut lexicon = Lexicon::new(Arc::clone(vocab));
        let mut tokens = Vec::new();
        for raw in tokenize(&text, limits)? {
            let surface = text.get(raw.bytes.range()).unwrap_or("");
            tokens.push(Token {
                bytes: raw.bytes,
                word: lexicon.intern(&normalize(surface, raw.kind, options.lowercase))?,
                kind: raw.kind,
                protected: options.protects(raw, surface),
            });
        }
        Sentence::new(text, tokens, lexicon, limits)
    }

    /// Protects every byte span given by a user.
    ///
    /// # Errors
    /// [`Error::BadSpan`](crate::Error::BadSpan) if a span does not lie within the text.
    pub fn protect_spans(&mut self, spans: &[ByteSpan]) -> Result<()> {
        for &span in spans {
            if span.end() as usize > self.text().len() {
                return Err(crate::Error::BadSpan {
                    place: crate::Place::default(),
                    what: "protected byte span",
                    start: span.start().into(),
                    end: span.end().into(),
                    length: self.text().len() as u64,
                });
            }
            self.protect(span);
        }
        Ok(())
    }
}

/// The form of a token that models see.
///
/// ```
/// use pgen_core::{TokenKind, text::normalize};
/// assert_eq!(normalize("It’s", TokenKind::Word, true), "it's");
/// ```
#[must_use]
pub fn normalize(surface: &str, kind: TokenKind, lowercase: bool) -> Cow<'_, str> {
    let plain = plain_signs(surface, kind);
    if plain.is_ascii() {
        let changes = lowercase && plain.bytes().any(|byte| byte.is_ascii_uppercase());
        return if changes {
            Cow::Owned(plain.to_ascii_lowercase())
        } else {
            plain
        };
    }
    let cased = if lowercase {
        Cow::Owned(plain.to_lowercase())
    } else {
        plain
    };
    if is_nfc(&cased) {
        cased
    } else {
        Cow::Owned(cased.nfc().collect())
    }
}

fn plain_signs(surface: &str, kind: TokenKind) -> Cow<'_, str> {
    let typographic = |c: char| matches!(c, '\u{2010}'..='\u{2026}' | '«' | '»' | '′' | '″');
    if matches!(kind, TokenKind::Address | TokenKind::Placeholder) || !surface.contains(typographic)
    {
        return Cow::Borrowed(surface);
    }
    let mut out = String::with_capacity(surface.len());
    for c in surface.chars() {
        match c {
            '\u{2018}'..='\u{201B}' | '′' => out.push('\''),
            '\u{201C}'..='\u{201F}' | '«' | '»' | '″' => out.push('"'),
            '\u{2010}'..='\u{2015}' => out.push('-'),
            '…' => out.push_str("..."),
            other => out.push(other),
        }
    }
    Cow::Owned(out)
}
