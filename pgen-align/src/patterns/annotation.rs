//! An annotated sentence as acquisition sees it.

use pgen_core::formats::conll::ConllSentence;
use pgen_core::text::normalize;
use pgen_core::{Dependencies, Sentence, Span, TokenKind};

/// Words as models see them, tags, dependencies and complete projections.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Annotation {
    /// The words, lower-cased.
    pub words: Vec<String>,
    /// One tag a word.
    pub tags: Vec<String>,
    /// Heads and relations.
    pub dependencies: Dependencies,
    projections: Vec<Option<Span>>,
}

impl Annotation {
    /// From a sentence of CoNLL-U: XPOS tags, or the universal ones where there are none.
    #[must_use]
    pub fn from_conll(sentence: &ConllSentence) -> Self {
        let words = sentence.words.iter();
        let tag = |xpos: &str, upos: &str| if xpos.is_empty() { upos } else { xpos }.to_owned();
        Annotation {
            words: words.clone().map(|word| spell(&word.form)).collect(),
            tags: words.map(|word| tag(&word.xpos, &word.upos)).collect(),
            projections: sentence.dependencies.projections(),
            dependencies: sentence.dependencies.clone(),
        }
    }

    /// From its parts: lower-cased words, tags, dependencies.
    ///
    /// # Errors
    /// [`pgen_core::Error::Mismatch`] if they differ in length.
    pub fn new(
        words: Vec<String>,
        tags: Vec<String>,
        dependencies: Dependencies,
    ) -> pgen_core::Result<Self> {
        if words.len() != tags.len() || words.len() != dependencies.len() {
            let counts = [words.len(), tags.len(), dependencies.len()];
            return Err(pgen_core::Error::Mismatch {
                what: "annotation",
                reason: format!("{counts:?} words, tags and heads").into(),
            });
        }
        Ok(Annotation {
            projections: dependencies.projections(),
            words,
            tags,
            dependencies,
        })
    }

    /// From a sentence with tags and dependencies; `None` if it lacks them.
    #[must_use]
    pub fn from_sentence(sentence: &Sentence) -> Option<Self> {
        let dependencies = sentence.dependencies()?.clone();
        let lexicon = sentence.lexicon();
        Some(Annotation {
            words: sentence
                .words()
                .iter()
                .map(|&word| lexicon.word(word).to_owned())
                .collect(),
            tags: sentence.tags()?.to_vec(),
            projections: dependencies.projections(),
            dependencies,
        })
    }

    /// Number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// True without words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The complete projection of a word.
    pub(crate) fn projection(&self, word: usize) -> Option<Span> {
        self.projections.get(word).copied().flatten()
    }

    pub(crate) fn tag(&self, word: usize) -> &str {
        self.tags.get(word).map_or("", String::as_str)
    }

    /// The only word of a stretch that has its head outside; `None` if there are several, and the stretch
    /// is no piece of the tree.
    pub(crate) fn top(&self, span: Span) -> Option<usize> {
        let outside = |&word: &u32| {
            let head = self.dependencies.head(word as usize);
            head.is_none_or(|head| !span.contains(Span::single(head)))
        };
        let mut tops = (span.start()..span.end()).filter(outside);
        let top = tops.next()?;
        tops.next().is_none().then_some(top as usize)
    }
}

fn spell(form: &str) -> String {
    let kind = if form.chars().any(char::is_alphanumeric) {
        TokenKind::Word
    } else {
        TokenKind::Punctuation
    };
    normalize(form, kind, true).into_owned()
}
