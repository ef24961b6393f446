//! Paraphrase tables: replacements of word sequences, found by walking a trie over source words.

mod build;
mod quantize;
mod store;
mod trie;

pub(crate) use build::words;
pub use build::{Duplicates, TableBuilder};
pub use trie::TrieNode;

use crate::error::{Error, Place, Result};
use crate::id::{RuleId, WordId};
use crate::replacement::{Part, Proposal, ReplacementModel, Target};
use crate::sentence::Sentence;
use crate::span::Span;
use crate::vocab::Vocab;
use std::ops::Range;
use trie::Trie;

/// An immutable table of phrase rules: source words → target words with k feature values (natural logs)
/// each (Quirk et al. 2004, §3.3; Zhao et al. 2009, §3.3).
///
/// Rules are ordered by the spelling of their source, word by word; those of one source by the first
/// value, descending, then by the spelling of their target. A [`RuleId`] is a place in that order, so it
/// depends on the rules alone.
///
/// Decoders may walk the trie themselves ([`ParaphraseTable::root`], [`ParaphraseTable::step`],
/// [`ParaphraseTable::entries`]); as a [`ReplacementModel`] it proposes every rule that matches anywhere
/// in a sentence: O(n · longest source) steps of O(log fan-out).
///
/// Memory: 4 + 4k bytes a rule, 16 a trie node, and each distinct target once with 4 bytes and 4 a word.
#[derive(Clone, PartialEq, Debug)]
pub struct ParaphraseTable(Parts);

/// The flat arrays; see [`Parts::check`] for what must hold.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Parts {
    pub(crate) features: Vec<String>,
    /// Source words; nodes are numbered in the order of the rules.
    pub(crate) trie: Trie,
    /// First rule of each node, and the number of rules.
    pub(crate) rule_start: Vec<u32>,
    /// Target of each rule: a place in `target_start`.
    pub(crate) targets: Vec<u32>,
    /// First word of each distinct target in `words`, and the number of words.
    pub(crate) target_start: Vec<u32>,
    pub(crate) words: Vec<WordId>,
    /// The values, rule by rule.
    pub(crate) values: Vec<f32>,
    /// How many words the vocabulary had, and their fingerprint.
    pub(crate) vocab_length: u32,
    pub(crate) fingerprint: u64,
}

/// A rule of a table, without its source.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rule<'a> {
    /// Its place in the table.
    pub id: RuleId,
    /// Its target; empty for a deletion.
    pub target: &'a [WordId],
    /// Its feature values (natural logs), one for each feature.
    pub values: &'a [f32],
}

impl ParaphraseTable {
    /// Names of the features.
    #[must_use]
    pub fn features(&self) -> &[String] {
        &self.0.features
    }

    /// Number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.targets.len()
    }

    /// True without rules.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.targets.is_empty()
    }

    /// Number of words of the longest source.
    #[must_use]
    pub fn longest_source(&self) -> usize {
        self.0.trie.depth()
    }

    /// Bytes that the rules and the trie take in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let parts = &self.0;
        let words = parts.rule_start.len()
            + parts.targets.len()
            + parts.target_start.len()
            + parts.words.len()
            + parts.values.len();
        words * 4 + parts.trie.bytes()
    }

    /// Checks that the table was made for this vocabulary, or for a beginning of it. O(vocabulary).
    ///
    /// # Errors
    /// [`Error::Mismatch`].
    pub fn check_vocab(&self, vocab: &Vocab) -> Result<()> {
        if vocab.fingerprint(self.0.vocab_length as usize) == Some(self.0.fingerprint) {
            return Ok(());
        }
        let reason = format!(
            "the table was made with another vocabulary, of {} words; this one has {}",
            self.0.vocab_length,
            vocab.len()
        );
        Err(Error::Mismatch {
            what: "table and vocabulary",
            reason: reason.into(),
        })
    }

    /// The node of no words.
    #[must_use]
    pub fn root(&self) -> TrieNode {
        TrieNode::ROOT
    }

    /// The node one source word on; `None` if no source goes on so. O(log fan-out).
    #[inline]
    #[must_use]
    pub fn step(&self, node: TrieNode, word: WordId) -> Option<TrieNode> {
        self.0.trie.step(node, word)
    }

    /// The rules whose source ends at a node, best first.
    #[inline]
    pub fn entries(&self, node: TrieNode) -> impl ExactSizeIterator<Item = Rule<'_>> {
        self.0.rules_of(node).map(|rule| self.0.rule(rule as u32))
    }

    /// The rules of a source, best first.
    pub fn find(&self, source: &[WordId]) -> impl ExactSizeIterator<Item = Rule<'_>> {
        let node = source
            .iter()
            .try_fold(self.root(), |node, &word| self.step(node, word));
        let rules = node.map_or(0..0, |node| self.0.rules_of(node));
        rules.map(|rule| self.0.rule(rule as u32))
    }

    /// A rule by its place.
    #[must_use]
    pub fn rule(&self, id: RuleId) -> Option<Rule<'_>> {
        (id.index() < self.len()).then(|| self.0.rule(id.raw()))
    }

    /// The source of a rule. O(fan-out along the way).
    #[must_use]
    pub fn source(&self, id: RuleId) -> Option<Vec<WordId>> {
        if id.index() >= self.len() {
            return None;
        }
        // The node whose rules begin last at or before this one, and which has any.
        let after = self
            .0
            .rule_start
            .partition_point(|&start| start <= id.raw());
        Some(self.0.trie.path(after.checked_sub(1)? as u32))
    }

    /// Source and target of a rule, spelled out; what an explanation shows. O(fan-out along the way).
    #[must_use]
    pub fn spell(&self, id: RuleId, vocab: &Vocab) -> Option<(String, String)> {
        let join = |words: &[WordId]| {
            let words: Vec<&str> = words.iter().filter_map(|&word| vocab.word(word)).collect();
            words.join(" ")
        };
        Some((join(&self.source(id)?), join(self.rule(id)?.target)))
    }

    /// The same rules, with the same places, in the words of another vocabulary, which new words join.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if `own` is not the vocabulary of the table; [`Error::LimitExceeded`] if the
    /// other has no room.
    pub fn in_vocab(&self, own: &Vocab, vocab: &mut Vocab) -> Result<Self> {
        self.check_vocab(own)?;
        let mut words = Vec::new();
        for (_, word) in own.words().take(self.0.vocab_length as usize) {
            words.push(word);
        }
        let mut ids = vec![None; words.len()];
        let mut translate = |phrase: &[WordId]| -> Result<Vec<WordId>> {
            let mut id_of = |word: &WordId| match ids[word.index()] {
                Some(id) => Ok(id),
                None => {
                    let id = vocab.intern(words[word.index()])?;
                    ids[word.index()] = Some(id);
                    Ok(id)
                }
            };
            phrase.iter().map(&mut id_of).collect()
        };
        let links = self.0.trie.links();
        let sources: Vec<WordId> = links.iter().map(|link| link.1).collect();
        let sources = translate(&sources)?;
        let targets = translate(&self.0.words)?;
        let links: Vec<_> = links
            .iter()
            .zip(sources)
            .map(|(link, word)| (link.0, word))
            .collect();
        ParaphraseTable::from_parts(Parts {
            trie: Trie::new(&links)?,
            words: targets,
            vocab_length: vocab.len() as u32,
            fingerprint: vocab.fingerprint(vocab.len()).unwrap_or_default(),
            ..self.0.clone()
        })
    }

    /// Calls `visit` with the source of every rule and the rule, in their order.
    pub fn for_each(&self, mut visit: impl FnMut(&[WordId], Rule<'_>)) {
        self.0.trie.for_each(|node, source| {
            for rule in self.entries(node) {
                visit(source, rule);
            }
        });
    }

    /// A table of these arrays, if they are sound.
    pub(crate) fn from_parts(parts: Parts) -> Result<Self> {
        parts.check()?;
        Ok(ParaphraseTable(parts))
    }
}

impl ReplacementModel for ParaphraseTable {
    fn features(&self) -> &[String] {
        &self.0.features
    }

    fn propose(&self, sentence: &Sentence, emit: &mut dyn FnMut(&Proposal<'_>)) {
        let words = sentence.words();
        for start in 0..words.len() {
            let mut node = self.root();
            let start_span = Span::single(start as u32);
            for (end, &word) in words.iter().enumerate().skip(start) {
                let Some(next) = self.step(node, word) else {
                    break;
                };
                node = next;
                let span = start_span.cover(Span::single(end as u32));
                for rule in self.entries(node) {
                    emit(&Proposal {
                        parts: &[Part {
                            span,
                            target: Target::Words(rule.target),
                        }],
                        values: rule.values,
                        rule: rule.id,
                    });
                }
            }
        }
    }
}

impl Parts {
    #[inline]
    fn rules_of(&self, node: TrieNode) -> Range<usize> {
        let at = node.index();
        match (self.rule_start.get(at), self.rule_start.get(at + 1)) {
            (Some(&start), Some(&end)) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// A rule that exists.
    #[inline]
    fn rule(&self, id: u32) -> Rule<'_> {
        let at = id as usize;
        let target = self.targets[at] as usize;
        let words = self.target_start[target] as usize..self.target_start[target + 1] as usize;
        let width = self.features.len();
        Rule {
            id: RuleId::new(id),
            target: &self.words[words],
            values: &self.values[at * width..(at + 1) * width],
        }
    }

    /// What the look-ups rely on, and what every table promises. The builder and the loader share it.
    fn check(&self) -> Result<()> {
        let bad = |reason: &str| Err(Error::table(Place::default(), reason));
        let (rules, width) = (self.targets.len(), self.features.len());
        if !ascends(&self.rule_start, self.trie.len(), rules) || self.rule_start.get(1) > Some(&0) {
            return bad("the rules are not divided among the sources");
        }
        let distinct = self.target_start.len().saturating_sub(1);
        if !ascends(&self.target_start, distinct, self.words.len()) {
            return bad("the targets do not cover the words");
        }
        if self
            .targets
            .iter()
            .any(|&target| target as usize >= distinct)
        {
            return bad("a rule has a target that does not exist");
        }
        // Distinct targets are numbered as they first occur, so that equal tables are equal bytes.
        let mut new = 0;
        for &target in &self.targets {
            if target as usize > new {
                return bad("the targets are not in the order of the rules");
            }
            new += usize::from(target as usize == new);
        }
        if new != distinct {
            return bad("a target belongs to no rule");
        }
        let known = |word: &WordId| !word.is_control() && word.raw() < self.vocab_length;
        if !self.words.iter().chain(self.trie.words()).all(known) {
            return bad("a word is not of the vocabulary");
        }
        if width == 0 || rules.checked_mul(width) != Some(self.values.len()) {
            return bad("the number of values does not fit the number of features");
        }
        if !self.values.iter().all(|value| value.is_finite()) {
            return bad("a value is not finite");
        }
        let descends = |rules: &[u32]| {
            let values = &self.values[rules[0] as usize * width..rules[1] as usize * width];
            values.chunks_exact(width).is_sorted_by(|a, b| a[0] >= b[0])
        };
        if !self.rule_start.windows(2).all(descends) {
            return bad("the rules of a source do not descend");
        }
        Ok(())
    }
}

/// True for the starts of `parts` stretches that divide `whole` items.
fn ascends(starts: &[u32], parts: usize, whole: usize) -> bool {
    starts.len() == parts + 1
        && starts.first() == Some(&0)
        && starts.last().is_some_and(|&end| end as usize == whole)
        && starts.is_sorted()
}
