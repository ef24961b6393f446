//! Constituency trees in one flat vector: depth costs nothing, and nothing recurses.

use crate::error::{Error, Place, Result};
use crate::limits::Limits;
use crate::span::Span;
use std::fmt;

/// A stretch of the tree's text.
type Stretch = (u32, u32);

#[derive(Clone, Copy, Debug)]
struct Node {
    label: Stretch,
    /// The word of a preterminal.
    word: Option<Stretch>,
    /// The node behind this one's last descendant; nodes stand in preorder.
    end: u32,
    /// `u32::MAX` for the root.
    parent: u32,
    /// Leaves before this node.
    first_leaf: u32,
}

/// A constituency tree over words: inner nodes have a label and children, leaves (preterminals) a
/// part-of-speech tag and a word.
///
/// ```
/// use pgen_core::{Limits, Tree};
///
/// let tree = Tree::parse("(S (NP (DT the) (NN dog)) (VP (VBD ran)))", &Limits::default())?;
/// assert_eq!(tree.leaf_count(), 3);
/// let labels: Vec<_> = tree.root().children().map(|child| child.label()).collect();
/// assert_eq!(labels, ["NP", "VP"]);
/// # Ok::<(), pgen_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    text: String,
    nodes: Vec<Node>,
    leaves: u32,
}

impl Tree {
    /// The root.
    #[must_use]
    pub fn root(&self) -> Constituent<'_> {
        Constituent { tree: self, at: 0 }
    }

    /// Number of leaves, which are words; at least 1.
    #[must_use]
    pub fn leaf_count(&self) -> usize {
        self.leaves as usize
    }

    /// Number of nodes, preterminals included.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes, each before its children.
    pub fn nodes(&self) -> impl Iterator<Item = Constituent<'_>> {
        (0..self.nodes.len() as u32).map(|at| Constituent { tree: self, at })
    }

    /// The preterminals from left to right.
    pub fn leaves(&self) -> impl Iterator<Item = Constituent<'_>> {
        self.nodes().filter(|node| node.word().is_some())
    }

    fn piece(&self, (start, end): Stretch) -> &str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }
}

/// Equal labels, words and shape.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (Constituent<'_>, Constituent<'_>)| {
            a.label() == b.label() && a.word() == b.word() && a.node().end == b.node().end
        };
        self.nodes.len() == other.nodes.len() && self.nodes().zip(other.nodes()).all(same)
    }
}

impl Eq for Tree {}

/// Penn brackets on one line; brackets within words and labels are escaped.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open: Vec<u32> = Vec::new();
        for node in self.nodes() {
            while open.pop_if(|end| *end <= node.at).is_some() {
                f.write_str(")")?;
            }
            let space = if node.at > 0 { " " } else { "" };
            write!(f, "{space}({}", without_brackets(node.label()))?;
            match node.word() {
                Some(word) => write!(f, " {})", escape(word))?,
                None => open.push(node.node().end),
            }
        }
        open.iter().try_for_each(|_| f.write_str(")"))
    }
}

/// Bracket names of the Penn treebank.
const BRACKETS: [(&str, &str); 6] = [
    ("-LRB-", "("),
    ("-RRB-", ")"),
    ("-LSB-", "["),
    ("-RSB-", "]"),
    ("-LCB-", "{"),
    ("-RCB-", "}"),
];

fn escape(word: &str) -> String {
    let named = BRACKETS.iter().find(|(_, bracket)| *bracket == word);
    match named {
        Some((name, _)) => (*name).to_owned(),
        None => without_brackets(word),
    }
}

fn without_brackets(text: &str) -> String {
    text.replace('(', "-LRB-").replace(')', "-RRB-")
}

/// `-LRB-` → `(`, `\/` → `/`, `\*` → `*`.
pub(crate) fn unescape(word: &str) -> std::borrow::Cow<'_, str> {
    match BRACKETS.iter().find(|(name, _)| *name == word) {
        Some((_, bracket)) => (*bracket).into(),
        None if word.contains('\\') => word.replace("\\/", "/").replace("\\*", "*").into(),
        None => word.into(),
    }
}

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug)]
pub struct Constituent<'a> {
    tree: &'a Tree,
    at: u32,
}

impl<'a> Constituent<'a> {
    fn node(self) -> Node {
        // Handles are made by the tree for its own nodes only.
        self.tree.nodes[self.at as usize]
    }

    /// Its place in the tree's preorder.
    #[must_use]
    pub fn index(self) -> usize {
        self.at as usize
    }

    /// The label; for a preterminal the part-of-speech tag.
    #[must_use]
    pub fn label(self) -> &'a str {
        self.tree.piece(self.node().label)
    }

    /// The word of a preterminal; `None` for an inner node.
    #[must_use]
    pub fn word(self) -> Option<&'a str> {
        Some(self.tree.piece(self.node().word?))
    }

    /// The leaves below it, itself if it is one.
    #[must_use]
    pub fn span(self) -> Span {
        let start = self.node().first_leaf;
        let behind = self.tree.nodes.get(self.node().end as usize);
        let end = behind.map_or(self.tree.leaves, |node| node.first_leaf);
        Span::empty(start).cover(Span::empty(end))
    }

    /// The node above.
    #[must_use]
    pub fn parent(self) -> Option<Constituent<'a>> {
        let at = self.node().parent;
        (at != u32::MAX).then_some(Constituent {
            tree: self.tree,
            at,
        })
    }

    /// The subtree below this node as a tree of its own.
    ///
    /// # Errors
    /// None in fact: what is part of a tree is a tree.
    pub fn to_tree(self) -> Result<Tree> {
        let mut limits = Limits::default();
        (limits.depth, limits.tokens) = (usize::MAX, usize::MAX);
        let mut builder = TreeBuilder::new(&limits);
        let mut open: Vec<u32> = Vec::new();
        for at in self.at..self.node().end {
            while open.pop_if(|end| *end <= at).is_some() {
                builder.close()?;
            }
            let node = Constituent {
                tree: self.tree,
                at,
            };
            match node.word() {
                Some(word) => builder.leaf(node.label(), word)?,
                None => {
                    builder.open(node.label())?;
                    open.push(node.node().end);
                }
            }
        }
        for _ in open {
            builder.close()?;
        }
        builder.finish()
    }

    /// The nodes below from left to right; none for a preterminal.
    pub fn children(self) -> impl Iterator<Item = Constituent<'a>> {
        let tree = self.tree;
        let end = self.node().end;
        let mut at = self.at + 1;
        std::iter::from_fn(move || {
            let child = (at < end).then_some(Constituent { tree, at })?;
            at = child.node().end;
            Some(child)
        })
    }
}

/// Builds a tree from left to right.
///
/// ```
/// use pgen_core::{Limits, TreeBuilder};
///
/// let mut builder = TreeBuilder::new(&Limits::default());
/// builder.open("NP")?;
/// builder.leaf("DT", "the")?;
/// builder.leaf("NN", "dog")?;
/// builder.close()?;
/// assert_eq!(builder.finish()?.to_string(), "(NP (DT the) (NN dog))");
/// # Ok::<(), pgen_core::Error>(())
/// ```
#[derive(Debug)]
pub struct TreeBuilder {
    tree: Tree,
    open: Vec<u32>,
    depth: usize,
    tokens: usize,
    token_bytes: usize,
}

impl TreeBuilder {
    /// Nothing yet. The limits on depth, number of tokens and their bytes hold; labels count as tokens.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        let tree = Tree {
            text: String::new(),
            nodes: Vec::new(),
            leaves: 0,
        };
        TreeBuilder {
            tree,
            open: Vec::new(),
            depth: limits.depth,
            tokens: limits.tokens,
            token_bytes: limits.token_bytes,
        }
    }

    /// Number of constituents that are open.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Opens a constituent.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for too deep a tree, [`Error::BadTree`] for a second root.
    pub fn open(&mut self, label: &str) -> Result<()> {
        Limits::check("depth of a tree", self.open.len() + 1, self.depth)?;
        let at = self.push(label, None)?;
        self.open.push(at);
        Ok(())
    }

    /// Adds a preterminal with its word.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for too many words, [`Error::BadTree`] for an empty word, one with
    /// white space in it, or a second root.
    pub fn leaf(&mut self, tag: &str, word: &str) -> Result<()> {
        if word.is_empty() || word.contains(char::is_whitespace) {
            return Err(bad("a word of a tree is empty or holds white space"));
        }
        Limits::check(
            "number of tokens",
            self.tree.leaves as usize + 1,
            self.tokens,
        )?;
        self.push(tag, Some(word))?;
        self.tree.leaves += 1;
        Ok(())
    }

    /// Renames the constituent opened last.
    pub(crate) fn relabel(&mut self, label: &str) -> Result<()> {
        let label = self.write(label)?;
        if let Some(node) = self
            .open
            .last()
            .and_then(|&at| self.tree.nodes.get_mut(at as usize))
        {
            node.label = label;
        }
        Ok(())
    }

    /// Closes the constituent opened last. One without words vanishes.
    ///
    /// # Errors
    /// [`Error::BadTree`] if none is open.
    pub fn close(&mut self) -> Result<()> {
        let Some(at) = self.open.pop() else {
            return Err(bad("a constituent is closed that was never opened"));
        };
        let end = self.tree.nodes.len() as u32;
        if end == at + 1 {
            self.tree.nodes.pop();
        } else if let Some(node) = self.tree.nodes.get_mut(at as usize) {
            node.end = end;
        }
        Ok(())
    }

    /// The tree.
    ///
    /// # Errors
    /// [`Error::BadTree`] if a constituent is still open or there is no word.
    pub fn finish(self) -> Result<Tree> {
        if !self.open.is_empty() {
            return Err(bad("a bracket is not closed"));
        }
        if self.tree.leaves == 0 {
            return Err(bad("a tree without words"));
        }
        Ok(self.tree)
    }

    fn push(&mut self, label: &str, word: Option<&str>) -> Result<u32> {
        if self.open.is_empty() && !self.tree.nodes.is_empty() {
            return Err(bad("a tree has two roots"));
        }
        let label = self.write(label)?;
        let word = word.map(|word| self.write(word)).transpose()?;
        Limits::check(
            "nodes of a tree",
            self.tree.nodes.len() + 1,
            u32::MAX as usize - 1,
        )?;
        let at = self.tree.nodes.len() as u32;
        let parent = self.open.last().copied().unwrap_or(u32::MAX);
        let first_leaf = self.tree.leaves;
        self.tree.nodes.push(Node {
            label,
            word,
            end: at + 1,
            parent,
            first_leaf,
        });
        Ok(at)
    }

    fn write(&mut self, text: &str) -> Result<Stretch> {
        let what = "bytes of a label or word of a tree";
        Limits::check(what, text.len(), self.token_bytes)?;
        let start = self.tree.text.len();
        self.tree.text.push_str(text);
        Limits::check(
            "text of a tree in bytes",
            self.tree.text.len(),
            u32::MAX as usize,
        )?;
        Ok((start as u32, self.tree.text.len() as u32))
    }
}

pub(crate) fn bad(reason: &'static str) -> Error {
    Error::BadTree {
        place: Place::default(),
        reason,
    }
}
