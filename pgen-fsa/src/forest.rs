//! Parse forests of groups of sentences: trees merged from the top down (Pang et al. 2003, §3.1–3.3).

use crate::error::Result;
use crate::fsa::Fsa;
use crate::graph::{BEGIN, END, Graph};
use crate::keyword::{Keywords, WordSet, crosses};
use crate::params::MergeParams;
use crate::squeeze::{SqueezeReport, squeeze_graph};
use crate::symbols::Interner;
use hashbrown::HashMap;
use pgen_core::{Constituent, Count, Limits, Stop, Tree};

/// Knows words that mean the same; empty for none. With it, a keyword also stops a merge if a synonym of
/// it is a keyword of a crossing constituent.
pub type Synonyms = dyn Fn(&str) -> Vec<String> + Send + Sync;

#[derive(Debug)]
enum Alternative {
    Word(u32),
    Rule { rule: u32, children: Box<[u32]> },
}

#[derive(Debug, Default)]
struct Node {
    keywords: WordSet,
    alternatives: Vec<Alternative>,
}

/// A forest of parse trees: constituents of the same kind that several sentences share are one node with
/// alternatives.
///
/// ```
/// use pgen_core::{Limits, Stop, Tree};
/// use pgen_fsa::Forest;
///
/// let limits = Limits::default();
/// let mut forest = Forest::new(Default::default(), &limits);
/// for tree in [
///     "(S (NP (CD 12) (NNS persons)) (VP (AUX were) (VP (VBN killed))))",
///     "(S (NP (CD twelve) (NNS people)) (VP (VBD died)))",
/// ] {
///     forest.merge(&Tree::parse(tree, &limits)?)?;
/// }
/// let (fsa, _) = forest.to_fsa(&Stop::never())?;
/// assert_eq!(fsa.path_count().to_u64(), Some(8));
/// # Ok::<(), pgen_fsa::Error>(())
/// ```
pub struct Forest {
    params: MergeParams,
    limits: Limits,
    synonyms: Option<Box<Synonyms>>,
    words: Interner,
    labels: HashMap<Box<str>, u32>,
    rules: HashMap<Box<[u32]>, u32>,
    /// Children have higher numbers than their parents; 0 is the top.
    nodes: Vec<Node>,
    /// Entries of all keyword sets.
    keywords: usize,
}

impl std::fmt::Debug for Forest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Forest")
            .field("params", &self.params)
            .field("nodes", &self.nodes.len())
            .finish()
    }
}

impl Forest {
    /// An empty forest. `limits.nodes` bounds its nodes, `limits.edges` the entries of keyword sets.
    #[must_use]
    pub fn new(params: MergeParams, limits: &Limits) -> Self {
        Forest {
            params,
            limits: limits.clone(),
            synonyms: None,
            words: Interner::default(),
            labels: HashMap::new(),
            rules: HashMap::new(),
            nodes: vec![Node::default()],
            keywords: 0,
        }
    }

    /// Lets synonyms of keywords stop merges too.
    #[must_use]
    pub fn with_synonyms(mut self, synonyms: Box<Synonyms>) -> Self {
        self.synonyms = Some(synonyms);
        self
    }

    /// Merges a tree: where rules agree and keywords do not cross, constituents are merged child by
    /// child; where not, the tree becomes a further alternative. Where several alternatives would do, the
    /// oldest is taken. Earlier trees come first in every order.
    ///
    /// # Errors
    /// [`Error::BadLabel`](crate::Error::BadLabel) for a word with white space,
    /// [`LimitExceeded`](pgen_core::Error::LimitExceeded).
    pub fn merge(&mut self, tree: &Tree) -> Result<()> {
        let numbers: Vec<u32> = tree
            .leaves()
            .map(|leaf| self.words.intern(leaf.word().unwrap_or("")))
            .collect::<Result<_>>()?;
        let labels: Vec<u32> = tree.nodes().map(|node| self.label(node.label())).collect();
        let keywords = Keywords::of(tree, &numbers, &self.params);
        let tree = Prepared {
            numbers: &numbers,
            labels: &labels,
            keywords: &keywords,
            tree,
        };
        let mut open = Vec::new();
        self.merge_children(0, &[tree.tree.root()], &tree, &mut open)?;
        while let Some((node, constituent)) = open.pop() {
            match constituent.word() {
                Some(_) => self.merge_word(node, tree.number(constituent)),
                None => {
                    let children: Vec<_> = constituent.children().collect();
                    self.merge_children(node, &children, &tree, &mut open)?;
                }
            }
            self.add_keywords(node, tree.keywords.within(constituent.span()))?;
        }
        Ok(())
    }

    fn label(&mut self, label: &str) -> u32 {
        let next = self.labels.len() as u32;
        match self.labels.get(label) {
            Some(&known) => known,
            None => *self.labels.entry(label.into()).or_insert(next),
        }
    }

    fn rule(&mut self, labels: Box<[u32]>) -> u32 {
        let next = self.rules.len() as u32;
        *self.rules.entry(labels).or_insert(next)
    }

    fn merge_word(&mut self, node: u32, word: u32) {
        let alternatives = &mut self.nodes[node as usize].alternatives;
        let known = alternatives
            .iter()
            .any(|alternative| matches!(alternative, Alternative::Word(w) if *w == word));
        if !known {
            alternatives.push(Alternative::Word(word));
        }
    }

    /// Merges a constituent, given by its children, into a node: pairs of counterparts go to `open`, or
    /// the children become a new alternative.
    fn merge_children<'t>(
        &mut self,
        node: u32,
        children: &[Constituent<'t>],
        tree: &Prepared<'t>,
        open: &mut Vec<(u32, Constituent<'t>)>,
    ) -> Result<()> {
        let rule = self.rule(
            children
                .iter()
                .map(|child| tree.labels[child.index()])
                .collect(),
        );
        match self.counterpart(node, rule, children, tree) {
            Some(counterparts) => {
                open.extend(counterparts.into_iter().zip(children.iter().copied()))
            }
            None => {
                let children = children.iter().map(|&child| self.add_subtree(child, tree));
                let children = children.collect::<Result<_>>()?;
                self.nodes[node as usize]
                    .alternatives
                    .push(Alternative::Rule { rule, children });
            }
        }
        Ok(())
    }

    /// The children of the first alternative with this rule whose keywords do not cross.
    fn counterpart(
        &self,
        node: u32,
        rule: u32,
        children: &[Constituent<'_>],
        tree: &Prepared<'_>,
    ) -> Option<Vec<u32>> {
        let new: Vec<&[u32]> = children
            .iter()
            .map(|child| tree.keywords.within(child.span()))
            .collect();
        let mut synonyms = |word| self.synonyms_of(word);
        self.nodes[node as usize]
            .alternatives
            .iter()
            .find_map(|alternative| {
                let Alternative::Rule {
                    rule: known,
                    children,
                } = alternative
                else {
                    return None;
                };
                if *known != rule {
                    return None;
                }
                let merged: Vec<&WordSet> = children
                    .iter()
                    .map(|&child| &self.nodes[child as usize].keywords)
                    .collect();
                let stopped = self.params.keyword_check && crosses(&new, &merged, &mut synonyms);
                (!stopped).then(|| children.to_vec())
            })
    }

    fn synonyms_of(&self, word: u32) -> Vec<u32> {
        let Some(synonyms) = &self.synonyms else {
            return Vec::new();
        };
        let Some(text) = self.words.text(word) else {
            return Vec::new();
        };
        synonyms(text)
            .iter()
            .filter_map(|same| self.words.get(same))
            .collect()
    }

    /// Adds a subtree as it is and returns its node. Nodes of a subtree stand in preorder.
    fn add_subtree(&mut self, root: Constituent<'_>, tree: &Prepared<'_>) -> Result<u32> {
        let first = self.nodes.len() as u32;
        let offset = root.index();
        let mut open = vec![root];
        while let Some(constituent) = open.pop() {
            Limits::check("nodes of a forest", self.nodes.len() + 1, self.limits.nodes)?;
            let at = self.nodes.len() as u32;
            debug_assert_eq!(at, first + (constituent.index() - offset) as u32);
            let alternative = if constituent.word().is_some() {
                Alternative::Word(tree.number(constituent))
            } else {
                let children: Vec<_> = constituent.children().collect();
                let rule = self.rule(
                    children
                        .iter()
                        .map(|child| tree.labels[child.index()])
                        .collect(),
                );
                open.extend(children.iter().rev());
                let place = |child: &Constituent<'_>| first + (child.index() - offset) as u32;
                Alternative::Rule {
                    rule,
                    children: children.iter().map(place).collect(),
                }
            };
            self.nodes.push(Node {
                keywords: WordSet::default(),
                alternatives: vec![alternative],
            });
            self.add_keywords(at, tree.keywords.within(constituent.span()))?;
        }
        Ok(first)
    }

    fn add_keywords(&mut self, node: u32, words: &[u32]) -> Result<()> {
        let set = &mut self.nodes[node as usize].keywords;
        let before = set.len();
        set.extend(words);
        self.keywords += set.len() - before;
        Limits::check("keywords of a forest", self.keywords, self.limits.edges)?;
        Ok(())
    }

    /// Number of nodes, the top included.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The number of derivations of the forest.
    #[must_use]
    pub fn derivation_count(&self) -> Count {
        let mut counts = vec![Count::ZERO; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let mut sum = Count::ZERO;
            for alternative in &node.alternatives {
                sum += &match alternative {
                    Alternative::Word(_) => Count::ONE,
                    Alternative::Rule { children, .. } => {
                        children.iter().fold(Count::ONE, |product, &child| {
                            &product * &counts[child as usize]
                        })
                    }
                };
            }
            counts[at] = sum;
        }
        counts.swap_remove(0)
    }

    /// The forest as a graph: each alternative is a chain between the two states of its node.
    pub(crate) fn to_graph(&self) -> Result<Graph> {
        let (symbols, labels) = self.words.finish();
        let mut arcs = Vec::new();
        let mut states = 2u32;
        let mut open = vec![Frame {
            node: 0,
            alternative: 0,
            child: 0,
            from: BEGIN,
            here: BEGIN,
            to: END,
        }];
        while let Some(frame) = open.last_mut() {
            let node = &self.nodes[frame.node as usize];
            match node.alternatives.get(frame.alternative) {
                None => {
                    open.pop();
                }
                Some(Alternative::Word(word)) => {
                    arcs.push((frame.from, labels[*word as usize], frame.to));
                    frame.alternative += 1;
                }
                Some(Alternative::Rule { children, .. }) => match children.get(frame.child) {
                    None => {
                        frame.alternative += 1;
                        frame.child = 0;
                        frame.here = frame.from;
                    }
                    Some(&child) => {
                        frame.child += 1;
                        let last = frame.child == children.len();
                        let next = if last { frame.to } else { states };
                        if !last {
                            Limits::check(
                                "number of states",
                                states as usize + 1,
                                self.limits.nodes,
                            )?;
                            states += 1;
                        }
                        let from = std::mem::replace(&mut frame.here, next);
                        open.push(Frame {
                            node: child,
                            alternative: 0,
                            child: 0,
                            from,
                            here: from,
                            to: next,
                        });
                    }
                },
            }
        }
        Ok(Graph::new(symbols, states, arcs))
    }

    /// The automaton of the forest, squeezed unless the parameters say otherwise.
    ///
    /// # Errors
    /// [`LimitExceeded`](pgen_core::Error::LimitExceeded) above `limits.nodes` states;
    /// [`Cancelled`](pgen_core::Error::Cancelled) and the like as `stop` says.
    pub fn to_fsa(&self, stop: &Stop) -> Result<(Fsa, SqueezeReport)> {
        let graph = self.to_graph()?;
        if !self.params.squeeze {
            return Ok((graph.into_fsa()?, SqueezeReport::default()));
        }
        let (graph, report) = squeeze_graph(graph, stop)?;
        Ok((graph.into_fsa()?, report))
    }
}

/// A tree with its words and labels as numbers.
struct Prepared<'t> {
    tree: &'t Tree,
    /// Word numbers by leaf.
    numbers: &'t [u32],
    /// Label numbers by node.
    labels: &'t [u32],
    keywords: &'t Keywords,
}

impl Prepared<'_> {
    fn number(&self, leaf: Constituent<'_>) -> u32 {
        self.numbers[leaf.span().start() as usize]
    }
}

/// A node on the way into the graph.
struct Frame {
    node: u32,
    alternative: usize,
    child: usize,
    from: u32,
    here: u32,
    to: u32,
}
