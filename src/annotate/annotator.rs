//! The annotator.

use super::classes::WordClasses;
use super::corpus::Names;
use super::look::Look;
use super::parser::{Parser, Search};
use super::tagger::Tagger;
use super::weights::Rows;

/// Tags and dependencies for English.
#[derive(Clone, Debug)]
pub struct Annotator {
    pub(crate) tags: Names,
    pub(crate) relations: Names,
    pub(crate) tagger: Tagger,
    pub(crate) parser: Parser,
    pub(crate) classes: WordClasses,
    pub(crate) beam: usize,
    pub(crate) rows: [Rows; 3],
}

/// What is found of a sentence's words.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Analysis {
    /// One tag a word.
    pub tags: Vec<String>,
    /// Heads from 1; 0 is the root.
    pub heads: Vec<u32>,
    /// Relations.
    pub relations: Vec<String>,
}

impl Annotator {
    /// Analyses words.
    pub fn analyse<S: AsRef<str>>(&self, forms: &[S]) -> Analysis {
        let looks: Vec<Look> = forms
            .iter()
            .map(|f| Look::new(f.as_ref(), &self.classes))
            .collect();
        let tags = self.tagger.tag(&looks);
        let mut search = Search::default();
        let (heads, relations) = self.parser.parse(&looks, &tags, self.beam, &mut search);
        let n = forms.len() as u32;
        Analysis {
            tags: tags.iter().map(|&t| self.tags.name(t).to_owned()).collect(),
            heads: heads
                .iter()
                .map(|&h| if h == n { 0 } else { h + 1 })
                .collect(),
            relations: relations
                .iter()
                .map(|&r| self.relations.name(r).to_owned())
                .collect(),
        }
    }

    /// Sets beam.
    pub fn with_beam(mut self, beam: usize) -> Self {
        self.beam = beam;
        self
    }

    /// Sizes.
    pub fn sizes(&self) -> Vec<(usize, usize)> {
        self.rows
            .iter()
            .map(|r| (r.len(), r.iter().map(|x| x.1.len()).sum()))
            .collect()
    }
}
