//! A sentence: its text, its tokens and what else is known of it.

use crate::chunk::Chunks;
use crate::depend::Dependencies;
use crate::error::{Error, Place, Result};
use crate::id::WordId;
use crate::lexicon::Lexicon;
use crate::limits::Limits;
use crate::span::{ByteSpan, Span};
use crate::tree::Tree;

/// What a token is; decides whether it may change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum TokenKind {
    /// A word or anything else without a special form.
    #[default]
    Word,
    /// Punctuation and other signs.
    Punctuation,
    /// A number in digits, ordinals, times, amounts and percentages included.
    Number,
    /// A URL or e-mail address.
    Address,
    /// A placeholder such as `{name}`, `[id]`, `<x>` or `%s`.
    Placeholder,
}

/// A token of a [`Sentence`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Where it stands in the text.
    pub bytes: ByteSpan,
    /// Its normalised form (usually lower-cased), the one that models see.
    pub word: WordId,
    /// What it is.
    pub kind: TokenKind,
    /// True if it must appear unchanged in every paraphrase.
    pub protected: bool,
}

/// A tokenised sentence with its words' ids and optional annotation. Layers come from any tool
/// (CoNLL-U, Penn trees, chunk columns); each must fit the tokens.
#[derive(Clone, Debug)]
pub struct Sentence {
    text: String,
    tokens: Vec<Token>,
    words: Vec<WordId>,
    lexicon: Lexicon,
    tags: Option<Vec<String>>,
    dependencies: Option<Dependencies>,
    tree: Option<Tree>,
    chunks: Option<Chunks>,
}

impl Sentence {
    /// A sentence from its text and tokens.
    ///
    /// # Errors
    /// [`Error::BadSpan`] if a token lies outside the text, is cut within a character, or the tokens
    /// overlap or descend; [`Error::LimitExceeded`] for more than `limits.tokens` tokens.
    pub fn new(
        text: String,
        tokens: Vec<Token>,
        lexicon: Lexicon,
        limits: &Limits,
    ) -> Result<Self> {
        Limits::check("number of tokens", tokens.len(), limits.tokens)?;
        let mut behind = 0;
        for token in &tokens {
            let fits = token.bytes.start() >= behind && text.get(token.bytes.range()).is_some();
            if !fits {
                return Err(bad_span(
                    "token",
                    token.bytes.start(),
                    token.bytes.end(),
                    text.len(),
                ));
            }
            behind = token.bytes.end();
        }
        let words = tokens.iter().map(|token| token.word).collect();
        Ok(Sentence {
            text,
            tokens,
            words,
            lexicon,
            tags: None,
            dependencies: None,
            tree: None,
            chunks: None,
        })
    }

    /// A sentence whose tokens are given as strings: the text is the tokens joined by single spaces,
    /// nothing is normalised, nothing is protected. What `--pretokenized` does, and what tests use.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] as in [`Sentence::new`], and when 2³² bytes or words are reached.
    pub fn from_words<S: AsRef<str>>(
        words: impl IntoIterator<Item = S>,
        mut lexicon: Lexicon,
        limits: &Limits,
    ) -> Result<Self> {
        let mut text = String::new();
        let mut tokens = Vec::new();
        for word in words {
            let word = word.as_ref();
            Limits::check("number of tokens", tokens.len() + 1, limits.tokens)?;
            Limits::check("bytes of a token", word.len(), limits.token_bytes)?;
            if !text.is_empty() {
                text.push(' ');
            }
            let start = byte_position(text.len())?;
            text.push_str(word);
            let bytes = ByteSpan::new(start, byte_position(text.len())?)?;
            let id = lexicon.intern(word)?;
            tokens.push(Token {
                bytes,
                word: id,
                kind: TokenKind::Word,
                protected: false,
            });
        }
        Self::new(text, tokens, lexicon, limits)
    }

    /// The text as it was given.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tokens in order.
    #[must_use]
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Number of tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// True without tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The normalised words in order.
    #[must_use]
    pub fn words(&self) -> &[WordId] {
        &self.words
    }

    /// The normalised words of a span, cut to what lies inside the sentence.
    #[must_use]
    pub fn words_in(&self, span: Span) -> &[WordId] {
        let end = (span.end() as usize).min(self.words.len());
        self.words.get(span.start() as usize..end).unwrap_or(&[])
    }

    /// The text of a token as it was given; empty if there is no such token.
    #[must_use]
    pub fn surface(&self, token: usize) -> &str {
        self.tokens
            .get(token)
            .and_then(|token| self.text.get(token.bytes.range()))
            .unwrap_or("")
    }

    /// The bytes from the first to the last token of a span; an empty span at the end of the token
    /// before for an empty one.
    #[must_use]
    pub fn bytes_of(&self, span: Span) -> ByteSpan {
        let end = (span.end() as usize).min(self.tokens.len());
        let tokens = self.tokens.get(span.start() as usize..end).unwrap_or(&[]);
        match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => first.bytes.cover(last.bytes),
            _ => {
                let before = (span.start() as usize).min(self.tokens.len());
                ByteSpan::empty(
                    self.tokens[..before]
                        .last()
                        .map_or(0, |token| token.bytes.end()),
                )
            }
        }
    }

    /// The words of this request.
    #[must_use]
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// True if a token of the span must not change.
    #[must_use]
    pub fn is_protected(&self, span: Span) -> bool {
        let end = (span.end() as usize).min(self.tokens.len());
        let tokens = self.tokens.get(span.start() as usize..end).unwrap_or(&[]);
        tokens.iter().any(|token| token.protected)
    }

    /// Protects the tokens that share a byte with `bytes`.
    pub fn protect(&mut self, bytes: ByteSpan) {
        for token in &mut self.tokens {
            token.protected |= token.bytes.overlaps(bytes);
        }
    }

    /// Part-of-speech tags, one a token.
    #[must_use]
    pub fn tags(&self) -> Option<&[String]> {
        self.tags.as_deref()
    }

    /// The dependency analysis.
    #[must_use]
    pub fn dependencies(&self) -> Option<&Dependencies> {
        self.dependencies.as_ref()
    }

    /// The constituency tree.
    #[must_use]
    pub fn tree(&self) -> Option<&Tree> {
        self.tree.as_ref()
    }

    /// Chunks and traces.
    #[must_use]
    pub fn chunks(&self) -> Option<&Chunks> {
        self.chunks.as_ref()
    }

    /// Adds tags.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if there is not one a token.
    pub fn with_tags(mut self, tags: Vec<String>) -> Result<Self> {
        self.fits("tags", tags.len())?;
        self.tags = Some(tags);
        Ok(self)
    }

    /// Adds a dependency analysis.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if its length differs.
    pub fn with_dependencies(mut self, dependencies: Dependencies) -> Result<Self> {
        self.fits("dependencies", dependencies.len())?;
        self.dependencies = Some(dependencies);
        Ok(self)
    }

    /// Adds a constituency tree.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if it has another number of leaves.
    pub fn with_tree(mut self, tree: Tree) -> Result<Self> {
        self.fits("tree", tree.leaf_count())?;
        self.tree = Some(tree);
        Ok(self)
    }

    /// Adds chunks and traces.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if their length differs.
    pub fn with_chunks(mut self, chunks: Chunks) -> Result<Self> {
        self.fits("chunks", chunks.len())?;
        self.chunks = Some(chunks);
        Ok(self)
    }

    fn fits(&self, layer: &'static str, found: usize) -> Result<()> {
        if found == self.len() {
            return Ok(());
        }
        Err(Error::Mismatch {
            what: "sentence and annotation",
            reason: format!("{} tokens, but {layer} for {found}", self.len()).into(),
        })
    }
}

fn byte_position(at: usize) -> Result<u32> {
    Limits::check("bytes of a text", at, u32::MAX as usize)?;
    Ok(at as u32)
}

fn bad_span(what: &'static str, start: u32, end: u32, length: usize) -> Error {
    Error::BadSpan {
        place: Place::default(),
        what,
        start: start.into(),
        end: end.into(),
        length: length as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocab::Vocab;
    use std::sync::Arc;

    fn sentence(words: &[&str]) -> Sentence {
        let lexicon = Lexicon::new(Arc::new(Vocab::new()));
        Sentence::from_words(words, lexicon, &Limits::default()).unwrap()
    }

    #[test]
    fn tokens_know_their_bytes() {
        let s = sentence(&["the", "dög", "ran"]);
        assert_eq!(s.text(), "the dög ran");
        assert_eq!(s.surface(1), "dög");
        assert_eq!(s.bytes_of(Span::new(1, 3).unwrap()).range(), 4..12);
        assert_eq!(s.bytes_of(Span::empty(1)).range(), 3..3);
        assert_eq!(s.words_in(Span::new(2, 9).unwrap()).len(), 1);
    }

    #[test]
    fn layers_must_fit() {
        let s = sentence(&["a", "b"]);
        assert_eq!(
            s.with_tags(vec!["DT".into()]).unwrap_err().code(),
            "mismatch"
        );
    }

    #[test]
    fn protection_goes_by_shared_bytes() {
        let mut s = sentence(&["a", "bc", "d"]);
        s.protect(ByteSpan::new(3, 4).unwrap());
        let protected: Vec<_> = s.tokens().iter().map(|token| token.protected).collect();
        assert_eq!(protected, [false, true, false]);
    }

    #[test]
    fn overlapping_tokens_are_refused() {
        let token = |start, end| Token {
            bytes: ByteSpan::new(start, end).unwrap(),
            word: WordId::UNK,
            kind: TokenKind::Word,
            protected: false,
        };
        let lexicon = Lexicon::new(Arc::new(Vocab::new()));
        for tokens in [
            vec![token(0, 2), token(1, 3)],
            vec![token(0, 9)],
            vec![token(0, 3)],
        ] {
            let made = Sentence::new(
                "aé b".into(),
                tokens.clone(),
                lexicon.clone(),
                &Limits::default(),
            );
            let whole_characters = tokens == vec![token(0, 3)];
            assert_eq!(made.is_ok(), whole_characters);
        }
    }
}
