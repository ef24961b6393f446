//! Part-of-speech tags from left to right: an averaged perceptron over words, affixes, shapes, word
//! classes, known tags of the words around and the two tags before (after Collins 2002 and Ratnaparkhi
//! 1996).

use super::feature::Features;
use super::look::Look;
use super::weights::Weights;
use std::collections::HashMap;

/// The tags that frequent words had in the training data.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagDictionary {
    /// Hash of the lower-cased word → up to three tags by frequency, each plus 1, 8 bits each.
    words: HashMap<u32, u32>,
}

impl TagDictionary {
    pub(crate) fn new(rows: impl IntoIterator<Item = (u32, u32)>) -> Self {
        TagDictionary {
            words: rows.into_iter().collect(),
        }
    }

    /// The known tags; 0 for an unknown word.
    #[inline]
    pub(crate) fn get(&self, word: u32) -> u32 {
        self.words.get(&word).copied().unwrap_or(0)
    }

    /// Rows in ascending order of the words.
    pub(crate) fn rows(&self) -> Vec<(u32, u32)> {
        let mut rows: Vec<_> = self
            .words
            .iter()
            .map(|(&word, &tags)| (word, tags))
            .collect();
        rows.sort_unstable();
        rows
    }
}

/// A sentence's looks with sentinels around, so that neighbours need no test.
#[derive(Debug, Default)]
pub(crate) struct Context {
    looks: Vec<Look>,
    known: Vec<u32>,
    keys: Vec<u32>,
}

/// Sentinels on either side.
const MARGIN: usize = 2;
const BEFORE: u32 = 1;
const AFTER: u32 = 2;

fn sentinel(mark: u32) -> Look {
    Look {
        form: mark,
        lower: mark,
        shape: mark,
        fine: u32::MAX - mark,
        coarse: u32::MAX - mark,
        ..Look::default()
    }
}

impl Context {
    /// The context of a sentence.
    pub(crate) fn set(&mut self, looks: &[Look], dictionary: &TagDictionary) {
        self.looks.clear();
        self.looks.extend([sentinel(BEFORE); MARGIN]);
        self.looks.extend_from_slice(looks);
        self.looks.extend([sentinel(AFTER); MARGIN]);
        self.known.clear();
        let known = self.looks.iter().map(|look| dictionary.get(look.lower));
        self.known.extend(known);
    }

    /// The features of token `at` after two tags.
    pub(crate) fn features(&self, at: usize, before: [u32; 2], keys: &mut Vec<u32>) {
        let mut f = Features::new(keys, 0);
        self.own(at, &mut f);
        self.around(at, &mut f);
        self.history(at, before, &mut f);
    }

    fn own(&self, at: usize, f: &mut Features<'_>) {
        let here = &self.looks[at + MARGIN];
        f.one(0);
        f.one(here.form);
        f.one(here.lower);
        for suffix in here.suffixes {
            f.one(suffix);
        }
        for prefix in here.prefixes {
            f.one(prefix);
        }
        f.one(here.shape);
        f.two(here.shape, u32::from(at == 0));
        f.two(here.shape, here.suffixes[1]);
        f.two(here.shape, here.suffixes[2]);
        f.one(here.fine);
        f.one(here.coarse);
        f.one(self.known[at + MARGIN]);
        f.two(here.fine, here.shape);
        f.two(here.coarse, here.suffixes[1]);
    }

    fn around(&self, at: usize, f: &mut Features<'_>) {
        let [b2, b1, here, a1, a2] = [0, 1, 2, 3, 4].map(|k| &self.looks[at + k]);
        let [_, kb1, k0, k1, k2] = [0, 1, 2, 3, 4].map(|k| self.known[at + k]);
        for near in [b2, b1, a1, a2] {
            f.one(near.lower);
            f.one(near.fine);
        }
        for near in [b1, a1] {
            f.one(near.suffixes[1]);
            f.one(near.suffixes[2]);
            f.one(near.shape);
            f.two(near.shape, here.shape);
            f.two(near.lower, here.lower);
            f.two(near.fine, here.fine);
            f.two(near.lower, here.suffixes[2]);
            f.two(near.lower, here.shape);
        }
        f.two(b1.lower, a1.lower);
        f.two(b1.fine, a1.fine);
        f.three(b1.coarse, here.coarse, a1.coarse);
        f.three(b2.coarse, b1.coarse, here.coarse);
        f.three(here.coarse, a1.coarse, a2.coarse);
        f.one(k1);
        f.two(k0, k1);
        f.two(kb1, k0);
        f.two(k1, k2);
        f.three(k0, k1, k2);
        f.two(here.lower, k1);
        f.two(here.suffixes[2], k1);
    }

    fn history(&self, at: usize, [t1, t2]: [u32; 2], f: &mut Features<'_>) {
        let (here, next) = (&self.looks[at + MARGIN], &self.looks[at + MARGIN + 1]);
        let (k0, k1) = (self.known[at + MARGIN], self.known[at + MARGIN + 1]);
        f.one(t1);
        f.two(t1, t2);
        f.two(t1, here.lower);
        f.three(t1, t2, here.lower);
        f.two(t1, k0);
        f.three(t1, t2, k0);
        f.two(t1, k1);
        f.three(t1, k0, k1);
        f.two(t1, here.suffixes[2]);
        f.two(t1, here.suffixes[1]);
        f.two(t1, here.shape);
        f.two(t1, here.fine);
        f.three(t1, t2, here.coarse);
        f.two(t1, next.lower);
        f.two(t1, next.fine);
        f.three(t1, here.coarse, next.coarse);
        f.two(t2, here.lower);
    }
}

/// Index of the largest score; the first of equals.
pub(crate) fn best(scores: &[i32]) -> usize {
    let top = scores.iter().enumerate();
    top.fold((0, i32::MIN), |best, (at, &score)| {
        if score > best.1 { (at, score) } else { best }
    })
    .0
}

/// A trained tagger.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tagger {
    pub(crate) dictionary: TagDictionary,
    pub(crate) weights: Weights,
    pub(crate) tags: usize,
}

impl Tagger {
    /// One tag a token. Linear time.
    pub(crate) fn tag(&self, looks: &[Look]) -> Vec<u8> {
        let (mut context, mut tags) = (Context::default(), Vec::new());
        self.tag_into(looks, &mut context, &mut tags);
        tags
    }

    /// As [`tag`](Self::tag), in memory that is used again.
    pub(crate) fn tag_into(&self, looks: &[Look], context: &mut Context, tags: &mut Vec<u8>) {
        context.set(looks, &self.dictionary);
        let mut keys = std::mem::take(&mut context.keys);
        let mut scores = [0; 256];
        let mut before = [0, 0];
        tags.clear();
        for at in 0..looks.len() {
            context.features(at, before, &mut keys);
            scores.fill(0);
            self.weights.score(&mut keys, &mut scores);
            let tag = best(&scores[..self.tags.min(256)]);
            tags.push(tag as u8);
            before = [tag as u32 + 1, before[0]];
        }
        context.keys = keys;
    }
}
