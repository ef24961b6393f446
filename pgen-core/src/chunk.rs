//! Chunks and traces: the Chunklink view of a parse, one line a word.

use crate::error::Result;
use crate::limits::Limits;
use crate::tree::{Constituent, Tree};
use hashbrown::HashMap;

/// One tag of a trace: a constituent above a word, and whether the word is its first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TraceTag {
    /// True for `I-X`: the word is not the first of the constituent.
    pub inside: bool,
    label: u32,
}

/// For each token its chunk tag (`B-NP`, `I-NP`, `O`) and its trace: one tag for each constituent from
/// the root down to the lowest (Shen et al. 2006, §3.2).
#[derive(Clone, Debug, Default)]
pub struct Chunks {
    labels: Vec<Box<str>>,
    /// The chunk tag of each token; `None` for `O`.
    tags: Vec<Option<TraceTag>>,
    traces: Vec<TraceTag>,
    /// Where each token's trace ends; it begins where the one before ends.
    ends: Vec<u32>,
    known: HashMap<Box<str>, u32>,
}

impl Chunks {
    /// No tokens yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The chunks of a constituency tree: the root counts as inside for all words, the chunk tag is the
    /// last of the trace, or `O` for punctuation and coordinators.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`](crate::Error::LimitExceeded) if all traces together are longer than
    /// `limits.edges`.
    ///
    /// ```
    /// use pgen_core::{Chunks, Limits, Tree};
    ///
    /// let limits = Limits::default();
    /// let tree = Tree::parse("(S (NP (PRP I)) (VP (VBD went) (PP (TO to) (NP (NNP Milan)))))", &limits)?;
    /// let chunks = Chunks::from_tree(&tree, &limits)?;
    /// assert_eq!(chunks.tag_text(3), "B-NP");
    /// assert_eq!(chunks.trace_text(3), "I-S/I-VP/I-PP/B-NP");
    /// # Ok::<(), pgen_core::Error>(())
    /// ```
    pub fn from_tree(tree: &Tree, limits: &Limits) -> Result<Self> {
        let mut chunks = Chunks::new();
        for (position, leaf) in (0u32..).zip(tree.leaves()) {
            let start = chunks.traces.len();
            let mut above = leaf.parent();
            while let Some(node) = above {
                let inside = node.span().start() != position || node.parent().is_none();
                let label = chunks.label(node.label());
                chunks.traces.push(TraceTag { inside, label });
                Limits::check("length of all traces", chunks.traces.len(), limits.edges)?;
                above = node.parent();
            }
            if let Some(trace) = chunks.traces.get_mut(start..) {
                trace.reverse();
            }
            let tag = if chunks.traces.len() > start && !is_outside(leaf) {
                chunks.traces.last().copied()
            } else {
                None
            };
            chunks.tags.push(tag);
            chunks.ends.push(chunks.traces.len() as u32);
        }
        Ok(chunks)
    }

    /// Adds a token with its chunk tag and trace as text, tags of the trace separated by `/`. What does
    /// not start with `B-` or `I-` is `O` as a chunk tag and inside as a trace tag.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`](crate::Error::LimitExceeded) as for [`Chunks::from_tree`].
    pub fn push(&mut self, tag: &str, trace: &str, limits: &Limits) -> Result<()> {
        let tag = self.parse(tag);
        self.tags.push(tag);
        for part in trace.split('/').filter(|part| !part.is_empty()) {
            let parsed = match self.parse(part) {
                Some(tag) => tag,
                None => TraceTag {
                    inside: true,
                    label: self.label(part),
                },
            };
            self.traces.push(parsed);
            Limits::check("length of all traces", self.traces.len(), limits.edges)?;
        }
        self.ends.push(self.traces.len() as u32);
        Ok(())
    }

    fn parse(&mut self, tag: &str) -> Option<TraceTag> {
        let (inside, label) = match tag.split_once('-') {
            Some(("B", label)) => (false, label),
            Some(("I", label)) => (true, label),
            _ => return None,
        };
        Some(TraceTag {
            inside,
            label: self.label(label),
        })
    }

    fn label(&mut self, label: &str) -> u32 {
        if let Some(&known) = self.known.get(label) {
            return known;
        }
        let id = self.labels.len() as u32;
        self.labels.push(label.into());
        self.known.insert(label.into(), id);
        id
    }

    /// Number of tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tags.len()
    }

    /// True without tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// The chunk tag of a token; `None` for `O`.
    #[must_use]
    pub fn tag(&self, token: usize) -> Option<TraceTag> {
        self.tags.get(token).copied().flatten()
    }

    /// The trace of a token from the root down.
    #[must_use]
    pub fn trace(&self, token: usize) -> &[TraceTag] {
        let end = self.ends.get(token).copied().unwrap_or(0) as usize;
        let start = token
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .copied();
        self.traces
            .get(start.unwrap_or(0) as usize..end)
            .unwrap_or(&[])
    }

    /// The label of a tag of this sentence.
    #[must_use]
    pub fn label_of(&self, tag: TraceTag) -> &str {
        self.labels
            .get(tag.label as usize)
            .map_or("", |label| label)
    }

    /// The chunk tag as text: `B-NP`, `O`.
    #[must_use]
    pub fn tag_text(&self, token: usize) -> String {
        self.tag(token)
            .map_or_else(|| "O".to_owned(), |tag| self.text(tag))
    }

    /// The trace as text: `I-S/I-VP/B-NP`.
    #[must_use]
    pub fn trace_text(&self, token: usize) -> String {
        let tags: Vec<_> = self
            .trace(token)
            .iter()
            .map(|&tag| self.text(tag))
            .collect();
        tags.join("/")
    }

    fn text(&self, tag: TraceTag) -> String {
        format!(
            "{}-{}",
            if tag.inside { 'I' } else { 'B' },
            self.label_of(tag)
        )
    }
}

/// Equal tags and traces as texts.
impl PartialEq for Chunks {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && (0..self.len()).all(|token| {
                self.tag_text(token) == other.tag_text(token)
                    && self.trace_text(token) == other.trace_text(token)
            })
    }
}

fn is_outside(leaf: Constituent<'_>) -> bool {
    matches!(leaf.label(), "," | "." | ":" | "CC" | "``" | "''")
}
