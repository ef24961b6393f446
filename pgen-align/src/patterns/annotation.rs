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

    /// True if exactly one word of a stretch has its head outside: the stretch is a piece of the tree.
    pub(crate) fn hangs_together(&self, span: Span) -> bool {
        let outside = |&word: &u32| {
            let head = self.dependencies.head(word as usize);
            head.is_none_or(|head| !span.contains(Span::single(head)))
        };
        (span.start()..span.end()).filter(outside).count() == 1
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
