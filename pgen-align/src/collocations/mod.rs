//! Acquisition of collocations: pairs of words in a relation, such as verbs and their objects, that are
//! aligned with another pair (Zhao et al. 2009, §3.1). Counted and scored by
//! [`RuleCounts`](crate::patterns::RuleCounts) like patterns: directly for pairs in one language, or
//! through the other language. The score is p(target | source), where the paper has 1 for every pair.

use crate::patterns::Annotation;
use pgen_core::{Alignment, Morphology, is_relation};
use std::borrow::Cow;

/// Which collocations are wanted, and how their words are written.
#[derive(Clone, Copy, Debug)]
pub struct Relation<'a> {
    name: &'a str,
    lemmas: Option<&'a dyn Morphology>,
}

impl<'a> Relation<'a> {
    /// A relation by its name. With `lemmas`, words of annotated sides are written as their lemmas, so that
    /// all forms are counted together; a word of which none is known stays as it is.
    #[must_use]
    pub fn new(name: &'a str, lemmas: Option<&'a dyn Morphology>) -> Self {
        Relation { name, lemmas }
    }

    fn word<'w>(&self, side: &'w Annotation, at: usize) -> Cow<'w, str> {
        let word = side.words.get(at).map_or("", String::as_str);
        let lemma = self
            .lemmas
            .and_then(|known| known.lemma(word, side.tag(at)));
        lemma.map_or(Cow::Borrowed(word), Cow::Owned)
    }
}

/// Calls `visit` with every pair of collocations of a relation (`OBJ`: verbs and their objects), each
/// written `head RELATION dependent`.
///
/// Head and dependent of the source each have exactly one link, to different words, which have no other
/// link. With `other`, the annotation of the target side, those two words must stand in the relation as
/// well, with tags like those of the source; without it nothing is asked of them. Words with a digit or
/// without a letter are passed over. Linear.
pub fn for_each_collocation(
    source: &Annotation,
    target: &[String],
    other: Option<&Annotation>,
    alignment: &Alignment,
    relation: Relation<'_>,
    mut visit: impl FnMut(&str, &str),
) {
    let one = one_to_one(alignment, source.len(), target.len());
    for dependent in 0..source.len() {
        let Some(head) = source
            .dependencies
            .head(dependent)
            .map(|head| head as usize)
        else {
            continue;
        };
        if !is_relation(relation.name, source.dependencies.relation(dependent)) {
            continue;
        }
        let (Some(new_head), Some(new_dependent)) = (one[head], one[dependent]) else {
            continue;
        };
        if let Some(other) = other {
            let stands = other.dependencies.head(new_dependent) == Some(new_head as u32)
                && is_relation(relation.name, other.dependencies.relation(new_dependent));
            let alike = other.tag(new_head) == source.tag(head)
                && other.tag(new_dependent) == source.tag(dependent);
            if !stands || !alike {
                continue;
            }
        }
        let there = |at: usize| match other {
            Some(other) => relation.word(other, at),
            None => Cow::Borrowed(target[at].as_str()),
        };
        let words = [
            relation.word(source, head),
            relation.word(source, dependent),
            there(new_head),
            there(new_dependent),
        ];
        // A pronoun says nothing of its verb.
        if words.iter().all(|word| is_plain(word)) && !source.tag(dependent).starts_with("PRP") {
            let side = |at: usize| format!("{} {} {}", words[at], relation.name, words[at + 1]);
            visit(&side(0), &side(2));
        }
    }
}

/// For each source word the only target word that is linked with it and with nothing else.
fn one_to_one(alignment: &Alignment, sources: usize, targets: usize) -> Vec<Option<usize>> {
    let (mut forth, mut back) = (vec![0u32; sources], vec![0u32; targets]);
    let inside = |i: usize, j: usize| i < sources && j < targets;
    for link in alignment.links() {
        let (i, j) = (link.source as usize, link.target as usize);
        if inside(i, j) {
            forth[i] += 1;
            back[j] += 1;
        }
    }
    let mut one = vec![None; sources];
    for link in alignment.links() {
        let (i, j) = (link.source as usize, link.target as usize);
        if inside(i, j) && forth[i] == 1 && back[j] == 1 {
            one[i] = Some(j);
        }
    }
    one
}

fn is_plain(word: &str) -> bool {
    word.chars()
        .all(|c| !c.is_numeric() && !c.is_whitespace() && c != '|')
        && word.chars().any(char::is_alphabetic)
}
