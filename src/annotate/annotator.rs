//! The annotator: tags and dependencies for a sentence.

use super::classes::WordClasses;
use super::look::Look;
use super::names::Names;
use super::parser::{Breadth, Parser};
use super::pieces::{compound_tag, fold, pieces};
use super::scratch::Pool;
use super::tagger::Tagger;
use super::weights::{Rows, UNIT};
use pgen_core::{Dependencies, Error, Limits, Result, Sentence};

/// Tags and dependencies for English: a perceptron tagger and a beam-search transition parser, trained
/// by [`fit`](super::CheckedAnnotatorParams::fit) on a treebank.
///
/// The same sentence gets the same analysis everywhere: all arithmetic is on whole numbers. `Send + Sync`;
/// calls at the same time have scratch memory of their own.
#[derive(Clone, Debug)]
pub struct Annotator {
    pub(crate) tags: Names,
    pub(crate) relations: Names,
    pub(crate) tagger: Tagger,
    pub(crate) parser: Parser,
    pub(crate) classes: WordClasses,
    pub(crate) beam: usize,
    pub(crate) margin: u32,
    pub(crate) notice: String,
    /// The weights as the file has them: tagger, relations, moves.
    pub(crate) rows: [Rows; 3],
    pub(crate) pool: Pool,
}

/// What is found of a sequence of words.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Analysis {
    /// One tag a word.
    pub tags: Vec<String>,
    /// Heads and relations; a projective tree with one root.
    pub dependencies: Dependencies,
}

/// Tags, heads (the number of words stands for the root) and relations as numbers.
struct Found {
    tags: Vec<u8>,
    heads: Vec<u32>,
    relations: Vec<u8>,
}

impl Annotator {
    /// Adds tags and dependencies to a sentence of pgen's own tokens; a layer that is there already is
    /// replaced. For the models, tokens are cut where the treebank cuts them (`well-known`, `$5`), and
    /// what is found is folded back: the tree has one root, and heads of tokens are tokens.
    ///
    /// O(tokens × beam).
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for more pieces than the default [`Limits::tokens`] allow twice over.
    pub fn annotate(&self, sentence: Sentence) -> Result<Sentence> {
        let (pieces, tokens) = pieces(&sentence);
        Limits::check(
            "number of pieces",
            pieces.len(),
            2 * Limits::default().tokens,
        )?;
        let found = self.find(&pieces);
        let folded = fold(&found.heads, &tokens, sentence.len());
        let mut tags = Vec::with_capacity(sentence.len());
        let mut arcs = Vec::with_capacity(sentence.len());
        let mut start = 0;
        for (token, &(piece, head)) in folded.iter().enumerate() {
            let own = tokens[start..]
                .iter()
                .take_while(|&&of| of as usize == token)
                .count();
            let names: Vec<&str> = found.tags[start..start + own]
                .iter()
                .map(|&tag| self.tags.name(tag))
                .collect();
            let relation = self.relations.name(found.relations[piece as usize]);
            let tag = self.tags.name(found.tags[piece as usize]);
            tags.push(compound_tag(&names, tag, relation).to_owned());
            arcs.push((head, relation));
            start += own;
        }
        let dependencies = Dependencies::new(&arcs)?;
        sentence.with_tags(tags)?.with_dependencies(dependencies)
    }

    /// Tags and dependencies of words that are cut as the treebank cuts them. O(words × beam).
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for more words than twice the default [`Limits::tokens`].
    pub fn analyse<S: AsRef<str>>(&self, words: &[S]) -> Result<Analysis> {
        Limits::check("number of words", words.len(), 2 * Limits::default().tokens)?;
        let found = self.find(words);
        let count = words.len() as u32;
        let arcs: Vec<_> = (found.heads.iter().zip(&found.relations))
            .map(|(&head, &relation)| {
                (
                    (head < count).then_some(head),
                    self.relations.name(relation),
                )
            })
            .collect();
        Ok(Analysis {
            tags: found
                .tags
                .iter()
                .map(|&tag| self.tags.name(tag).to_owned())
                .collect(),
            dependencies: Dependencies::new(&arcs)?,
        })
    }

    fn find<S: AsRef<str>>(&self, words: &[S]) -> Found {
        self.pool.with(|scratch| {
            scratch.looks.clear();
            let looks = words
                .iter()
                .map(|word| Look::new(word.as_ref(), &self.classes));
            scratch.looks.extend(looks);
            let mut tags = Vec::with_capacity(words.len());
            (self.tagger).tag_into(&scratch.looks, &mut scratch.context, &mut tags);
            let breadth = Breadth {
                width: self.beam,
                margin: i64::from(self.margin) / i64::from(UNIT),
            };
            let (heads, relations) =
                (self.parser).parse(&scratch.looks, &tags, breadth, &mut scratch.search);
            Found {
                tags,
                heads,
                relations,
            }
        })
    }

    /// The number of parser states kept at a time. Fewer are faster and less accurate.
    #[must_use]
    pub fn beam(&self) -> usize {
        self.beam
    }

    /// The same annotator with another beam.
    ///
    /// # Errors
    /// [`Error::BadParameter`] outside 1..=64.
    pub fn with_beam(mut self, beam: usize) -> Result<Self> {
        if !(1..=64).contains(&beam) {
            return Err(Error::parameter("beam", beam, "between 1 and 64"));
        }
        self.beam = beam;
        Ok(self)
    }

    /// Where the model comes from and under which licence it stands, as given in training.
    #[must_use]
    pub fn notice(&self) -> &str {
        &self.notice
    }
}
