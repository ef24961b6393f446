//! A trie over words in flat arrays.

use crate::error::{Error, Place, Result};
use crate::id::WordId;

/// A node of a table's trie: a beginning of some source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TrieNode(u32);

impl TrieNode {
    pub(super) const ROOT: TrieNode = TrieNode(0);

    /// The number of the node, from 0 for the root; for arrays beside the table.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Nodes in preorder (each subtree is a stretch of numbers), with the edges of each sorted by word.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Trie {
    /// First edge of each node, and the number of edges.
    edge_start: Vec<u32>,
    edge_word: Vec<WordId>,
    edge_child: Vec<u32>,
    depth: usize,
}

impl Trie {
    /// From the parent of each node but the root, and the word that leads to it, in preorder.
    ///
    /// # Errors
    /// [`Error::BadTable`] if that is no trie in preorder.
    pub(crate) fn new(links: &[(u32, WordId)]) -> Result<Self> {
        let depth = depth(links)?;
        let mut edge_start = vec![0u32; links.len() + 2];
        for &(parent, _) in links {
            edge_start[parent as usize + 1] += 1;
        }
        for node in 0..=links.len() {
            edge_start[node + 1] += edge_start[node];
        }
        let mut free = edge_start.clone();
        let mut edges = vec![(WordId::default(), 0u32); links.len()];
        for (child, &(parent, word)) in (1..).zip(links) {
            let at = &mut free[parent as usize];
            edges[*at as usize] = (word, child);
            *at += 1;
        }
        for bounds in edge_start.windows(2) {
            let edges = &mut edges[bounds[0] as usize..bounds[1] as usize];
            edges.sort_unstable();
            if edges.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                return Err(Error::table(
                    Place::default(),
                    "a source stands twice in the trie",
                ));
            }
        }
        Ok(Trie {
            edge_start,
            edge_word: edges.iter().map(|edge| edge.0).collect(),
            edge_child: edges.iter().map(|edge| edge.1).collect(),
            depth,
        })
    }

    /// The inverse of [`Trie::new`].
    pub(crate) fn links(&self) -> Vec<(u32, WordId)> {
        let mut links = vec![(0, WordId::default()); self.edge_child.len()];
        for (parent, bounds) in (0..).zip(self.edge_start.windows(2)) {
            for edge in bounds[0] as usize..bounds[1] as usize {
                links[self.edge_child[edge] as usize - 1] = (parent, self.edge_word[edge]);
            }
        }
        links
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.edge_child.len() + 1
    }

    /// Words on the longest path.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    pub(super) fn bytes(&self) -> usize {
        (self.edge_start.len() + self.edge_word.len() + self.edge_child.len()) * 4
    }

    pub(super) fn words(&self) -> &[WordId] {
        &self.edge_word
    }

    #[inline]
    pub(super) fn step(&self, node: TrieNode, word: WordId) -> Option<TrieNode> {
        let start = *self.edge_start.get(node.index())? as usize;
        let end = *self.edge_start.get(node.index() + 1)? as usize;
        let at = self.edge_word.get(start..end)?.binary_search(&word).ok()?;
        self.edge_child.get(start + at).copied().map(TrieNode)
    }

    /// The words that lead to a node of this trie.
    pub(super) fn path(&self, goal: u32) -> Vec<WordId> {
        let (mut node, mut path) = (0u32, Vec::new());
        while node < goal {
            let bounds = self.edge_start[node as usize]..self.edge_start[node as usize + 1];
            // The subtree that holds the goal is that of the last child at or before it.
            let way = bounds
                .filter(|&edge| self.edge_child[edge as usize] <= goal)
                .max_by_key(|&edge| self.edge_child[edge as usize]);
            let Some(edge) = way else { break };
            path.push(self.edge_word[edge as usize]);
            node = self.edge_child[edge as usize];
        }
        path
    }

    /// Calls `visit` with every node, in order, and the words that lead to it.
    pub(super) fn for_each(&self, mut visit: impl FnMut(TrieNode, &[WordId])) {
        let links = self.links();
        let mut ancestors = vec![0u32];
        let mut path = Vec::new();
        visit(TrieNode::ROOT, &path);
        for (node, (parent, word)) in (1..).zip(links) {
            while ancestors.last().is_some_and(|&last| last != parent) {
                ancestors.pop();
                path.pop();
            }
            ancestors.push(node);
            path.push(word);
            visit(TrieNode(node), &path);
        }
    }
}

/// Checks that nodes are in preorder: each hangs on the node before it or on an ancestor of that.
fn depth(links: &[(u32, WordId)]) -> Result<usize> {
    if links.len() >= u32::MAX as usize {
        return Err(Error::table(
            Place::default(),
            "the trie has too many nodes",
        ));
    }
    let mut ancestors = vec![0u32];
    let mut depth = 0;
    for (node, &(parent, _)) in (1..).zip(links) {
        while ancestors.last().is_some_and(|&last| last != parent) {
            ancestors.pop();
        }
        if ancestors.is_empty() {
            let reason = format!("node {node} of the trie is out of order");
            return Err(Error::table(Place::default(), reason));
        }
        depth = depth.max(ancestors.len());
        ancestors.push(node);
    }
    Ok(depth)
}
