//! Upper bounds of a model's answers, for decoders that must say what they did not see.

use crate::ngrams::Ngrams;

/// Steps of a bigram's excess, in nats.
const STEP: f64 = 1.0 / 16.0;
/// An excess that has no code: the word's own bound serves.
pub(crate) const BOUNDLESS: u8 = u8::MAX;

/// For each node of each level but the highest, the most that back-off weights of contexts ending in it can
/// add to what it answers. Weights may exceed 1, so this is more than 0 where one does.
struct Gains(Vec<Vec<f64>>);

impl Gains {
    fn new(ngrams: &Ngrams, value: &impl Fn(f64) -> f64) -> Self {
        let mut gains: Vec<Vec<f64>> = ngrams
            .levels
            .iter()
            .map(|level| vec![0.0; level.len()])
            .collect();
        for depth in (1..ngrams.order().saturating_sub(1)).rev() {
            let level = &ngrams.levels[depth];
            let (shorter, longer) = gains.split_at_mut(depth);
            for (node, &suffix) in level.suffixes.iter().enumerate() {
                let gain = value(level.backoffs[node]) + longer[0][node];
                let most = &mut shorter[depth - 1][suffix as usize];
                *most = most.max(gain);
            }
        }
        Gains(gains)
    }

    /// The most for an answer found without context.
    fn empty(&self, ngrams: &Ngrams, value: &impl Fn(f64) -> f64) -> f64 {
        let first = ngrams.levels.first().map_or(&[][..], |l| &l.backoffs);
        let gain = |(&weight, gain): (&f64, &f64)| value(weight) + gain;
        let gains = self.0.first().map_or(&[][..], Vec::as_slice);
        first.iter().zip(gains).map(gain).fold(0.0, f64::max)
    }
}

/// For each word, the largest ln P(word | any context), rounded up to f32. `value` is how the layout
/// rounds its numbers.
///
/// An n-gram's answer counts with the most that contexts ending in its own add by backing off to it, whether
/// or not they list the word themselves.
pub(crate) fn word_bounds(ngrams: &Ngrams, value: impl Fn(f64) -> f64) -> Vec<f32> {
    let Some(first) = ngrams.levels.first() else {
        return Vec::new();
    };
    let gains = Gains::new(ngrams, &value);
    let unlisted = |word: usize| if ngrams.listed[word] { word } else { 0 };
    let empty = gains.empty(ngrams, &value);
    let mut bounds: Vec<f64> = (0..first.len())
        .map(|word| value(first.log_probs[unlisted(word)]) + empty)
        .collect();
    each_ngram(ngrams, |depth, context, node| {
        let level = &ngrams.levels[depth];
        let bound = &mut bounds[level.words[node] as usize];
        *bound = bound.max(value(level.log_probs[node]) + gains.0[depth - 1][context]);
    });
    (0..first.len())
        .map(|word| round_up(bounds[unlisted(word)]))
        .collect()
}

/// What a word can gain over its bigram when more of the context is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct BigramBounds {
    /// By previous word, for words that it does not list: the most that backing off adds to the unigram.
    pub(crate) unlisted: Vec<f32>,
    /// By bigram, in steps: the largest ln P(word | … previous) less ln P(word | previous).
    pub(crate) excess: Vec<u8>,
}

impl BigramBounds {
    pub(crate) fn new(ngrams: &Ngrams, value: impl Fn(f64) -> f64) -> Self {
        let (Some(first), Some(second)) = (ngrams.levels.first(), ngrams.levels.get(1)) else {
            return Self::default();
        };
        let gains = Gains::new(ngrams, &value);
        let weights = first.backoffs.iter().zip(&gains.0[0]);
        let unlisted = weights.map(|(&weight, gain)| round_up(value(weight) + gain));
        let mut bounds = vec![f64::NEG_INFINITY; second.len()];
        // The bigram that each n-gram of the level before ends in.
        let mut ends: Vec<u32> = (0..second.len() as u32).collect();
        let mut depth_of_ends = 1;
        each_ngram(ngrams, |depth, context, node| {
            let level = &ngrams.levels[depth];
            if depth > depth_of_ends {
                let suffixes = level.suffixes.iter();
                ends = suffixes.map(|&suffix| ends[suffix as usize]).collect();
                depth_of_ends = depth;
            }
            let bound = &mut bounds[ends[node] as usize];
            *bound = bound.max(value(level.log_probs[node]) + gains.0[depth - 1][context]);
        });
        let excess = bounds.iter().zip(&second.log_probs);
        BigramBounds {
            unlisted: unlisted.collect(),
            excess: excess
                .map(|(&bound, &ln)| steps(bound - value(ln)))
                .collect(),
        }
    }
}

/// An excess as a code, rounded up.
fn steps(excess: f64) -> u8 {
    let steps = (excess / STEP).ceil();
    if (0.0..f64::from(BOUNDLESS)).contains(&steps) {
        steps as u8
    } else {
        BOUNDLESS
    }
}

/// The excess that a code stands for.
pub(crate) fn excess(code: u8) -> f64 {
    if code == BOUNDLESS {
        return f64::INFINITY;
    }
    f64::from(code) * STEP
}

/// Calls `each` for all n-grams of order 2 and more, shorter ones first: depth, context, node.
fn each_ngram(ngrams: &Ngrams, mut each: impl FnMut(usize, usize, usize)) {
    for depth in 1..ngrams.order() {
        let above = &ngrams.levels[depth - 1];
        for context in 0..above.len() {
            for node in above.range(context as u32) {
                each(depth, context, node);
            }
        }
    }
}

/// The smallest f32 that is at least the number.
pub(crate) fn round_up(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) < value {
        near.next_up()
    } else {
        near
    }
}
