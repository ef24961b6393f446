//! Annotated pairs in little memory: every spelling once, numbers in its place.

use super::acquire::each_sentence;
use crate::failure::{Failure, Result};
use pgen::align::patterns::Annotation;
use pgen::align::{PairReader, tokens};
use pgen::annotate::Annotator;
use pgen::core::text::{TextOptions, normalize, tokenize};
use pgen::core::{Dependencies, Limits, Lines, Sentence, Vocab, WordId};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// An annotated sentence; about 20 bytes a word.
#[derive(Clone, Debug)]
struct Stored {
    words: Box<[WordId]>,
    tags: Box<[WordId]>,
    heads: Box<[u32]>,
    relations: Box<[WordId]>,
}

/// The other side of a pair: a translation, or an annotated sentence.
#[derive(Clone, Debug)]
enum Other {
    Words(Box<[WordId]>),
    Annotated(Arc<Stored>),
}

/// Pairs to be aligned.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    vocab: Vocab,
    pairs: Vec<(Arc<Stored>, Other)>,
}

/// A pair as acquisition sees it.
pub(super) struct Pair {
    pub(super) source: Annotation,
    pub(super) target: Vec<String>,
    pub(super) other: Option<Annotation>,
}

impl Pairs {
    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The words of both sides.
    pub(super) fn words(&self) -> impl Iterator<Item = [&[WordId]; 2]> {
        self.pairs.iter().map(|(source, other)| {
            let target = match other {
                Other::Words(words) => words,
                Other::Annotated(stored) => &stored.words,
            };
            [&*source.words, &**target]
        })
    }

    pub(super) fn pair(&self, at: usize) -> Result<Option<Pair>> {
        let Some((source, other)) = self.pairs.get(at) else {
            return Ok(None);
        };
        let (target, other) = match other {
            Other::Words(words) => (self.spell(words), None),
            Other::Annotated(stored) => (self.spell(&stored.words), Some(self.annotation(stored)?)),
        };
        Ok(Some(Pair {
            source: self.annotation(source)?,
            target,
            other,
        }))
    }

    fn spell(&self, words: &[WordId]) -> Vec<String> {
        let word = |&word: &WordId| self.vocab.word(word).unwrap_or("_").to_owned();
        words.iter().map(word).collect()
    }

    fn annotation(&self, stored: &Stored) -> Result<Annotation> {
        let head = |&head: &u32| (head != u32::MAX).then_some(head);
        let relations = self.spell(&stored.relations);
        let arcs: Vec<_> = stored.heads.iter().map(head).zip(relations).collect();
        let [words, tags] = [&stored.words, &stored.tags].map(|names| self.spell(names));
        Ok(Annotation::new(words, tags, Dependencies::new(&arcs)?)?)
    }

    fn ids<'w>(&mut self, words: impl Iterator<Item = &'w str>) -> Result<Box<[WordId]>> {
        let mut ids = Vec::new();
        for word in words {
            // Words with blanks in them would be several tokens elsewhere.
            ids.push(self.vocab.intern(tokens(word).next().unwrap_or("_"))?);
        }
        Ok(ids.into_boxed_slice())
    }

    fn store(&mut self, annotation: &Annotation) -> Result<Arc<Stored>> {
        let count = annotation.len();
        let dependencies = &annotation.dependencies;
        let head = |at| dependencies.head(at).unwrap_or(u32::MAX);
        Ok(Arc::new(Stored {
            words: self.ids(annotation.words.iter().map(String::as_str))?,
            tags: self.ids(annotation.tags.iter().map(String::as_str))?,
            heads: (0..count).map(head).collect(),
            relations: self.ids((0..count).map(|at| dependencies.relation(at)))?,
        }))
    }

    /// Pairs of the members of groups: the first `each` pairs of every group.
    pub(super) fn add_conll_groups(&mut self, path: &Path, each: usize, most: usize) -> Result<()> {
        let mut groups: BTreeMap<String, Vec<Arc<Stored>>> = BTreeMap::new();
        each_sentence(path, |sentence| {
            let id = sentence.id.as_deref().unwrap_or("");
            let group = id.split('/').next().unwrap_or("").to_owned();
            let stored = self.store(&Annotation::from_conll(&sentence))?;
            groups.entry(group).or_default().push(stored);
            Ok(true)
        })?;
        for members in groups.values() {
            self.add_group(members, each, most);
        }
        Ok(())
    }

    fn add_group(&mut self, members: &[Arc<Stored>], each: usize, most: usize) {
        let mut left = each;
        for (at, source) in members.iter().enumerate() {
            for other in &members[at + 1..] {
                if left == 0 || self.pairs.len() >= most {
                    return;
                }
                if source.words != other.words {
                    let other = Other::Annotated(other.clone());
                    self.pairs.push((source.clone(), other));
                    left -= 1;
                }
            }
        }
    }

    /// As [`add_conll_groups`](Self::add_conll_groups) for lines `id TAB sentence TAB sentence …`.
    pub(super) fn add_text_groups(
        &mut self,
        path: &Path,
        annotator: &Annotator,
        each: usize,
        most: usize,
    ) -> Result<()> {
        let limits = Limits::default();
        let mut reader = Reader::new(annotator, &limits);
        let mut lines = Lines::open(path, &limits)?;
        while let Some((number, line)) = lines.next_line()? {
            if self.pairs.len() >= most {
                break;
            }
            if line.starts_with("#id\t") {
                continue;
            }
            let mut members = Vec::new();
            let cells = line
                .split('\t')
                .skip(1)
                .filter(|cell| !cell.trim().is_empty());
            for cell in cells {
                let annotation = reader.annotation(cell);
                if let Some(annotation) =
                    annotation.map_err(|failure| failure.at(place(path, number)))?
                {
                    members.push(self.store(&annotation)?);
                }
            }
            self.add_group(&members, each, most);
        }
        Ok(())
    }

    /// A bitext, whose first side `annotated` holds or `annotator` annotates.
    pub(super) fn add_bitext(
        &mut self,
        path: &Path,
        annotated: Option<&Path>,
        annotator: Option<&Annotator>,
        most: usize,
    ) -> Result<()> {
        let limits = Limits::default();
        let mut reader = PairReader::new(Lines::open(path, &limits)?);
        if let Some(annotated) = annotated {
            return each_sentence(annotated, |sentence| {
                if self.pairs.len() >= most {
                    return Ok(false);
                }
                let Some(pair) = reader.next().transpose()? else {
                    return Ok(false);
                };
                let source = Annotation::from_conll(&sentence);
                let added = self.add_translated(&source, &pair.target, &limits);
                added.map_err(|failure| failure.at(place(path, pair.line)))?;
                Ok(true)
            });
        }
        let Some(annotator) = annotator else {
            return Err(Failure::usage("--bitext needs --annotated or --annotator"));
        };
        let mut english = Reader::new(annotator, &limits);
        while self.pairs.len() < most {
            let Some(pair) = reader.next().transpose()? else {
                break;
            };
            let mut add = || match english.annotation(&pair.source)? {
                Some(source) => self.add_translated(&source, &pair.target, &limits),
                None => Ok(()),
            };
            add().map_err(|failure| failure.at(place(path, pair.line)))?;
        }
        Ok(())
    }

    fn add_translated(&mut self, source: &Annotation, text: &str, limits: &Limits) -> Result<()> {
        let found = tokenize(text, limits)?;
        let spell = |token: &pgen::core::text::RawToken| {
            let surface = text.get(token.bytes.range()).unwrap_or("");
            normalize(surface, token.kind, true).into_owned()
        };
        let words: Vec<String> = found.iter().map(spell).collect();
        let target = Other::Words(self.ids(words.iter().map(String::as_str))?);
        let source = self.store(source)?;
        self.pairs.push((source, target));
        Ok(())
    }
}

/// A line, for messages.
fn place(path: &Path, line: u64) -> String {
    format!("{}, line {line}", path.display())
}

/// Reads and annotates sentences.
struct Reader<'a> {
    annotator: &'a Annotator,
    limits: &'a Limits,
    vocab: Arc<Vocab>,
    options: TextOptions,
}

impl<'a> Reader<'a> {
    fn new(annotator: &'a Annotator, limits: &'a Limits) -> Self {
        Reader {
            annotator,
            limits,
            vocab: Arc::new(Vocab::new()),
            options: TextOptions::default(),
        }
    }

    fn annotation(&mut self, text: &str) -> Result<Option<Annotation>> {
        let sentence = Sentence::tokenize(text, &self.vocab, &self.options, self.limits)?;
        let sentence = self.annotator.annotate(sentence)?;
        Ok(Annotation::from_sentence(&sentence))
    }
}
