//! From a text to the sentence of a request: tokens, and what must not change.

use crate::error::Result;
use crate::guard;
use crate::options::Options;
use pgen_core::text::{TextOptions, normalize, tokenize};
use pgen_core::{ByteSpan, Lexicon, Limits, Sentence, Token, TokenKind, Vocab};
use std::sync::Arc;

/// Tokenises and protects as the options say.
pub(crate) fn read(text: &str, vocab: &Arc<Vocab>, options: &Options) -> Result<Sentence> {
    let mut sentence = if options.pretokenized {
        pretokenized(text, Lexicon::new(Arc::clone(vocab)), &options.limits)?
    } else {
        Sentence::tokenize(text, vocab, &TextOptions::default(), &options.limits)?
    };
    sentence.protect_spans(&options.protect)?;
    let mut guarded = Vec::new();
    if options.protect_names {
        guarded.extend(guard::names(&sentence));
    }
    if options.protect_quotations {
        guarded.extend(guard::quotations(&sentence));
    }
    guarded.into_iter().for_each(|span| sentence.protect(span));
    Ok(sentence)
}

/// Tokens separated by space, TAB, CR and LF only.
fn pretokenized(text: &str, mut lexicon: Lexicon, limits: &Limits) -> Result<Sentence> {
    let mut tokens = Vec::new();
    let mut start = 0;
    for word in text.split([' ', '\t', '\r', '\n']) {
        let end = start + word.len();
        if !word.is_empty() {
            Limits::check("bytes of a token", word.len(), limits.token_bytes)?;
            Limits::check("bytes of a text", end, u32::MAX as usize)?;
            let kind = kind_of(word, limits);
            let fixed = matches!(kind, TokenKind::Address | TokenKind::Placeholder);
            tokens.push(Token {
                bytes: ByteSpan::new(start as u32, end as u32)?,
                word: lexicon.intern(&normalize(word, kind, true))?,
                kind,
                protected: fixed || word.chars().any(char::is_numeric),
            });
        }
        start = end + 1;
    }
    Ok(Sentence::new(text.to_owned(), tokens, lexicon, limits)?)
}

/// What a given token is.
fn kind_of(word: &str, limits: &Limits) -> TokenKind {
    if word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return TokenKind::Word;
    }
    let whole = |tokens: Vec<pgen_core::text::RawToken>| match tokens.as_slice() {
        [only] if only.bytes.len() == word.len() => Some(only.kind),
        _ => None,
    };
    let special = tokenize(word, limits).ok().and_then(whole);
    match special {
        Some(kind @ (TokenKind::Address | TokenKind::Placeholder)) => kind,
        _ if word.chars().any(char::is_numeric) => TokenKind::Number,
        _ if word.chars().any(char::is_alphanumeric) => TokenKind::Word,
        _ => TokenKind::Punctuation,
    }
}
