//! Pairs of patterns in one aligned pair of sentences.

use super::annotation::Annotation;
use super::params::PatternParams;
use pgen_core::{Alignment, Span};

/// What a sentence pair offers: for each stretch of one side the smallest stretch that it is aligned with.
struct Links {
    /// For each source word its target words, and the other way round; ascending.
    forth: Vec<Vec<u32>>,
    back: Vec<Vec<u32>>,
}

impl Links {
    fn new(alignment: &Alignment, sizes: (usize, usize)) -> Self {
        let (mut forth, mut back) = (vec![Vec::new(); sizes.0], vec![Vec::new(); sizes.1]);
        for link in alignment.links() {
            let (i, j) = (link.source as usize, link.target as usize);
            if i < sizes.0 && j < sizes.1 {
                forth[i].push(link.target);
                back[j].push(link.source);
            }
        }
        Links { forth, back }
    }

    /// The smallest target stretch that a source stretch is aligned with, if no word of it has a link
    /// that leaves the source stretch, and both border words are aligned.
    fn image(&self, span: Span) -> Option<Span> {
        let words = self.forth.get(span.range())?;
        if words.first()?.is_empty() || words.last()?.is_empty() {
            return None;
        }
        let all = words.iter().flatten();
        let cover = Span::single(*all.clone().min()?).cover(Span::single(*all.max()?));
        let stays = |&source: &u32| span.contains(Span::single(source));
        self.back
            .get(cover.range())?
            .iter()
            .flatten()
            .all(stays)
            .then_some(cover)
    }
}

/// A constituent that can become a slot: where it stands on both sides, and its head's tag.
#[derive(Clone, Copy)]
struct Filler<'a> {
    source: Span,
    target: Span,
    tag: &'a str,
}

/// Calls `visit` with every pair of patterns and, before it, the tag of the word that the source hangs by:
/// what it may be replaced by must hang by such a word too ([`RuleCounts::add_in`](super::RuleCounts::add_in)).
/// Slots are numbered by their order in the source:
/// `max_slots` or fewer slots, at least one and at most `max_words` words on each side, a link between
/// them, no proper name, number or punctuation among the words of the source, and a noun, verb, adjective or adverb
/// among them or two words.
///
/// With `other`, the annotation of the target side, slots are constituents with heads of one tag on both
/// sides, and the patterns hang by words of one tag; without it (another language) on the source side only. O(n · max_span) stretches, each with
/// at most a square of its constituents.
pub fn for_each_pattern(
    source: &Annotation,
    target: &[String],
    other: Option<&Annotation>,
    alignment: &Alignment,
    params: &PatternParams,
    mut visit: impl FnMut(&str, &str, &str),
) {
    let links = Links::new(alignment, (source.len(), target.len()));
    let fillers = fillers(source, other, &links, params);
    for start in 0..source.len() {
        for end in start + 2..=source.len().min(start + params.max_span) {
            let span = between(start, end);
            let Some(image) = links.image(span) else {
                continue;
            };
            let Some(top) = source.top(span) else {
                continue;
            };
            let tag = source.tag(top);
            let agrees = |other: &Annotation| {
                let top = other.top(image);
                top.is_some_and(|top| other.tag(top) == tag)
            };
            if !other.is_none_or(agrees) {
                continue;
            }
            let inside: Vec<Filler<'_>> = fillers
                .iter()
                .filter(|filler| span.contains(filler.source) && filler.source != span)
                .copied()
                .collect();
            let pair = Stretch {
                source,
                target,
                span,
                image,
                links: &links,
                params,
                tag,
            };
            for (at, &first) in inside.iter().enumerate() {
                pair.emit(&[first], &mut visit);
                if params.max_slots > 1 {
                    let apart = |second: &&Filler<'_>| second.source.start() >= first.source.end();
                    for &second in inside[at + 1..].iter().filter(apart) {
                        pair.emit(&[first, second], &mut visit);
                    }
                }
            }
        }
    }
}

fn between(start: usize, end: usize) -> Span {
    Span::empty(start as u32).cover(Span::empty(end as u32))
}

/// Ascending by where they start.
fn fillers<'a>(
    source: &'a Annotation,
    other: Option<&Annotation>,
    links: &Links,
    params: &PatternParams,
) -> Vec<Filler<'a>> {
    let mut found = Vec::new();
    for word in 0..source.len() {
        let tag = source.tag(word);
        let Some(span) = source.projection(word) else {
            continue;
        };
        if span.len() > params.max_span || !params.tags.iter().any(|known| known == tag) {
            continue;
        }
        let Some(image) = links.image(span) else {
            continue;
        };
        let same = |other: &Annotation| {
            image
                .range()
                .any(|head| other.projection(head) == Some(image) && other.tag(head) == tag)
        };
        if other.is_none_or(same) {
            found.push(Filler {
                source: span,
                target: image,
                tag,
            });
        }
    }
    found.sort_by_key(|filler| filler.source);
    found
}

struct Stretch<'a> {
    source: &'a Annotation,
    target: &'a [String],
    span: Span,
    image: Span,
    links: &'a Links,
    params: &'a PatternParams,
    tag: &'a str,
}

impl Stretch<'_> {
    fn emit(&self, slots: &[Filler<'_>], visit: &mut impl FnMut(&str, &str, &str)) {
        let (sources, targets): (Vec<Span>, Vec<Span>) =
            slots.iter().map(|slot| (slot.source, slot.target)).unzip();
        let source = outside(self.span, &sources);
        let target = outside(self.image, &targets);
        let fits = |words: &[u32]| (1..=self.params.max_words).contains(&words.len());
        if !fits(&source) || !fits(&target) || !self.is_telling(&source) {
            return;
        }
        let linked = |word: &u32| {
            self.links.forth[*word as usize]
                .iter()
                .any(|link| target.contains(link))
        };
        if !source.iter().any(linked) {
            return;
        }
        // Slots of one tag are numbered in source order.
        let names: Vec<String> = (0..slots.len())
            .map(|at| {
                let same = slots[..=at]
                    .iter()
                    .filter(|slot| slot.tag == slots[at].tag)
                    .count();
                format!("[{}_{same}]", slots[at].tag)
            })
            .collect();
        let source = spell(&self.source.words, self.span, &sources, &names);
        let target = spell(self.target, self.image, &targets, &names);
        visit(self.tag, &source, &target);
    }

    /// Words that say something: no name, no number, no punctuation.
    fn is_telling(&self, words: &[u32]) -> bool {
        let tags = || words.iter().map(|&word| self.source.tag(word as usize));
        let bound =
            |tag: &str| tag.starts_with("NNP") || tag == "CD" || tag == "PROPN" || tag == "NUM";
        let content = |tag: &str| {
            ["NN", "VB", "JJ", "RB", "VERB", "NOUN", "ADJ", "ADV"]
                .iter()
                .any(|c| tag.starts_with(c))
        };
        let plain = |word: &u32| {
            let word = &self.source.words[*word as usize];
            word.chars().any(char::is_alphanumeric) && !word.contains(['[', ']', '|'])
        };
        !tags().any(bound) && (tags().any(content) || words.len() > 1) && words.iter().all(plain)
    }
}

/// The words of a stretch that are in no slot.
fn outside(span: Span, slots: &[Span]) -> Vec<u32> {
    let free = |word: &u32| !slots.iter().any(|slot| slot.contains(Span::single(*word)));
    (span.start()..span.end()).filter(free).collect()
}

fn spell(words: &[String], span: Span, slots: &[Span], names: &[String]) -> String {
    let mut out: Vec<&str> = Vec::new();
    let mut at = span.start();
    while at < span.end() {
        match slots.iter().position(|slot| slot.start() == at) {
            Some(slot) => {
                out.push(&names[slot]);
                at = slots[slot].end();
            }
            None => {
                out.push(&words[at as usize]);
                at += 1;
            }
        }
    }
    out.join(" ")
}
