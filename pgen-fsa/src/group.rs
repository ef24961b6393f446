//! Groups of sentences of one meaning, read from trees or dependencies.

use crate::convert::constituents;
use crate::error::{Error, Result};
use pgen_core::formats::conll::{ConllSentence, read_conll};
use pgen_core::formats::penn::{PennItem, PennOptions, PennReader};
use pgen_core::text::normalize;
use pgen_core::{Chunks, Limits, Lines, Place, TokenKind, Tree, TreeBuilder};

/// A sentence of a group with its analysis.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Member {
    /// What follows the group's name in its id; its number for trees.
    pub id: String,
    /// The words as they stand in the input.
    pub words: Vec<String>,
    /// Lemmas, where the input has them.
    pub lemmas: Option<Vec<String>>,
    /// The parse of the normalised words: lower case, without final punctuation.
    pub tree: Tree,
}

impl Member {
    /// The normalised words, as automata read them.
    #[must_use]
    pub fn normal_words(&self) -> Vec<String> {
        self.tree
            .leaves()
            .filter_map(|leaf| Some(leaf.word()?.to_owned()))
            .collect()
    }

    /// Chunks and traces of the normalised words.
    ///
    /// # Errors
    /// [`LimitExceeded`](pgen_core::Error::LimitExceeded) for traces too long in all.
    pub fn chunks(&self, limits: &Limits) -> Result<Chunks> {
        Ok(Chunks::from_tree(&self.tree, limits)?)
    }
}

/// Sentences of one meaning, or at least of one topic.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Group {
    /// Its name: text of the ids before the first `/`, or the group's number for trees and sentences without
    /// an id.
    pub name: String,
    /// The sentences.
    pub members: Vec<Member>,
    /// Sentences that were left out since nothing but punctuation was in them.
    pub empty: usize,
    /// Where its first sentence stands; of a tree the last line.
    pub place: Place,
    /// False for sentences of CoNLL-U without an id, which are one group as long as they follow each other.
    pub named: bool,
}

/// How sentences are prepared.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `lowercase` | true | words are lower-cased |
/// | `strip_final` | true | punctuation at the end is taken off |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct GroupOptions {
    pub lowercase: bool,
    pub strip_final: bool,
}

impl Default for GroupOptions {
    fn default() -> Self {
        GroupOptions {
            lowercase: true,
            strip_final: true,
        }
    }
}

#[derive(Debug)]
enum Source {
    Penn(Box<PennReader>),
    Conll(Lines),
}

/// Reads groups: Penn trees, where a blank line ends a group, or CoNLL-U, where neighbours whose
/// `sent_id` has the same text before the first `/` are a group (sentences without an id are one too).
/// The first character that is not blank decides: `(` means trees.
///
/// ```
/// use pgen_core::{Limits, Lines};
/// use pgen_fsa::GroupReader;
///
/// let limits = Limits::default();
/// let lines = Lines::from_text("(S (NN a) (. .))\n(NN b)\n\n(NN c)\n", &limits)?;
/// let mut groups = GroupReader::new(lines, Default::default(), &limits);
/// let first = groups.next_group()?.expect("two groups");
/// assert_eq!(first.members[0].normal_words(), ["a"]);
/// assert_eq!((first.members.len(), groups.next_group()?.map(|group| group.members.len())), (2, Some(1)));
/// # Ok::<(), pgen_fsa::Error>(())
/// ```
#[derive(Debug)]
pub struct GroupReader {
    source: Source,
    options: GroupOptions,
    limits: Limits,
    groups: usize,
    next: Next,
}

/// What was read ahead.
#[derive(Debug, Default)]
struct Next {
    /// A sentence between two groups that could not be read.
    stray: Option<Error>,
    /// The first sentence of the next group.
    sentence: Option<ConllSentence>,
}

impl GroupReader {
    /// A reader of these lines.
    #[must_use]
    pub fn new(mut lines: Lines, options: GroupOptions, limits: &Limits) -> Self {
        let first = lines
            .peek()
            .iter()
            .find(|byte| !byte.is_ascii_whitespace() && byte.is_ascii());
        let source = if first == Some(&b'(') {
            Source::Penn(Box::new(PennReader::new(
                lines,
                PennOptions::default(),
                limits,
            )))
        } else {
            Source::Conll(lines)
        };
        GroupReader {
            source,
            options,
            limits: limits.clone(),
            groups: 0,
            next: Next::default(),
        }
    }

    /// The next group; `None` at the end. Members are in order of the input.
    ///
    /// # Errors
    /// Those of the readers and of [`constituents`]. The group is then read to its end, so that the next
    /// call goes on behind it. A sentence that cannot be read between two groups is of neither, as its id
    /// is not known: it is an error of its own, and both groups come without it.
    pub fn next_group(&mut self) -> Result<Option<Group>> {
        if let Some(error) = self.next.stray.take() {
            self.groups += 1;
            return Err(error);
        }
        let name = (self.groups + 1).to_string();
        let mut making = Making {
            group: Group {
                name,
                members: Vec::new(),
                empty: 0,
                place: Place::default(),
                named: true,
            },
            options: self.options,
            limits: &self.limits,
            seen: 0,
            failed: None,
        };
        match &mut self.source {
            Source::Penn(reader) => read_trees(reader, &mut making),
            Source::Conll(lines) => read_sentences(lines, &mut self.next, &mut making),
        }
        if making.seen == 0 {
            return Ok(None);
        }
        self.groups += 1;
        match making.failed {
            Some(error) => Err(error),
            None => Ok(Some(making.group)),
        }
    }
}

/// A group on its way.
struct Making<'a> {
    group: Group,
    options: GroupOptions,
    limits: &'a Limits,
    /// Sentences met, good or bad.
    seen: usize,
    failed: Option<Error>,
}

impl Making<'_> {
    fn fail(&mut self, error: impl Into<Error>) {
        self.seen += 1;
        self.failed.get_or_insert(error.into());
    }

    fn add(&mut self, id: String, words: Vec<String>, lemmas: Option<Vec<String>>, tree: &Tree) {
        self.seen += 1;
        match prepare(tree, self.options) {
            Ok(Some(tree)) => self.group.members.push(Member {
                id,
                words,
                lemmas,
                tree,
            }),
            Ok(None) => self.group.empty += 1,
            Err(error) => {
                self.failed.get_or_insert(error);
            }
        }
    }

    fn add_sentence(&mut self, sentence: &ConllSentence, id: String) {
        let words: Vec<String> = sentence
            .words
            .iter()
            .map(|word| word.form.clone())
            .collect();
        let lemmas: Vec<String> = sentence
            .words
            .iter()
            .map(|word| word.lemma.clone())
            .collect();
        let has_lemmas = lemmas.iter().any(|lemma| !lemma.is_empty());
        let labels: Vec<String> = words
            .iter()
            .map(|word| word.replace(char::is_whitespace, "_"))
            .collect();
        let mut tags = sentence.tags();
        for (tag, word) in tags.iter_mut().zip(&sentence.words) {
            // Auxiliaries are no keywords, as in Charniak's tag set.
            if word.upos == "AUX" && tag.starts_with("VB") {
                "AUX".clone_into(tag);
            }
        }
        match constituents(&labels, &tags, &sentence.dependencies, self.limits) {
            Ok(tree) => self.add(id, words, has_lemmas.then_some(lemmas), &tree),
            Err(Error::Core(error)) => {
                let place = self.group.place.clone().at_line(sentence.line);
                self.fail(error.at_place(place));
            }
            Err(error) => self.fail(error),
        }
    }
}

fn read_trees(reader: &mut PennReader, making: &mut Making<'_>) {
    loop {
        match reader.next() {
            Ok(Some(PennItem::Tree(tree))) => {
                let words = tree
                    .leaves()
                    .filter_map(|leaf| Some(leaf.word()?.to_owned()));
                if making.seen == 0 {
                    making.group.place = reader.place();
                }
                making.add(making.seen.to_string(), words.collect(), None, &tree);
            }
            Ok(Some(PennItem::Blank)) if making.seen == 0 => {}
            Ok(Some(PennItem::Blank) | None) => return,
            Err(error) => making.fail(error),
        }
    }
}

fn read_sentences(lines: &mut Lines, next: &mut Next, making: &mut Making<'_>) {
    let mut begun: Option<String> = None;
    loop {
        let sentence = match next
            .sentence
            .take()
            .map_or_else(|| read_conll(lines, making.limits), |s| Ok(Some(s)))
        {
            Ok(Some(sentence)) => sentence,
            Ok(None) => return,
            Err(error) if begun.is_some() => {
                next.stray.get_or_insert(error.into());
                continue;
            }
            Err(error) => return making.fail(error),
        };
        let id = sentence.id.as_deref().unwrap_or("");
        let (name, member) = id.split_once('/').unwrap_or((id, ""));
        match &begun {
            None => {
                begun = Some(name.to_owned());
                making.group.place = lines.place().at_line(sentence.line);
                making.group.named = !name.is_empty();
                // Without an id the number stays.
                if making.group.named {
                    name.clone_into(&mut making.group.name);
                }
            }
            Some(begun) if name != begun => {
                next.sentence = Some(sentence);
                return;
            }
            Some(_) => {}
        }
        if let Some(error) = next.stray.take() {
            making.fail(error);
        }
        let member = if member.is_empty() {
            making.seen.to_string()
        } else {
            member.to_owned()
        };
        making.add_sentence(&sentence, member);
    }
}

/// Lower case, no punctuation at the end; `None` if nothing is left.
fn prepare(tree: &Tree, options: GroupOptions) -> Result<Option<Tree>> {
    let final_signs = [".", "!", "?", "...", "''", "``", "\"", "'"];
    let mut keep = tree.leaf_count();
    if options.strip_final {
        let words: Vec<_> = tree.leaves().filter_map(|leaf| leaf.word()).collect();
        keep = words
            .iter()
            .rposition(|word| !final_signs.contains(word))
            .map_or(0, |at| at + 1);
    }
    if keep == 0 {
        return Ok(None);
    }
    let mut limits = Limits::default();
    (limits.depth, limits.tokens) = (usize::MAX, usize::MAX);
    let mut builder = TreeBuilder::new(&limits);
    let mut open: Vec<usize> = Vec::new();
    for node in tree.nodes() {
        while open
            .last()
            .is_some_and(|&end| end <= node.span().start() as usize)
        {
            builder.close()?;
            open.pop();
        }
        match node.word() {
            Some(_) if node.span().start() as usize >= keep => {}
            Some(word) => {
                builder.leaf(
                    node.label(),
                    &normalize(word, TokenKind::Word, options.lowercase),
                )?;
            }
            None => {
                builder.open(node.label())?;
                open.push(node.span().end() as usize);
            }
        }
    }
    for _ in open {
        builder.close()?;
    }
    Ok(Some(builder.finish()?))
}
