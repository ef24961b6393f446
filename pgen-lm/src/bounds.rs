//! Upper bounds of a model's answers, for decoders that must say what they did not see.

use crate::ngrams::Ngrams;

/// For each word, the largest ln P(word | any context), rounded up to f32. `value` is how the layout
/// rounds its numbers.
///
/// A back-off weight may exceed 1, so the bound follows the model: B(h, w), the largest answer for w from
/// any state that ends in h, is the maximum over all n-grams that list w and all contexts that do not.
pub(crate) fn word_bounds(ngrams: &Ngrams, value: impl Fn(f64) -> f64) -> Vec<f32> {
    let Some(first) = ngrams.levels.first() else {
        return Vec::new();
    };
    let gains = greatest_gains(ngrams, &value);
    let unlisted = |word: usize| if ngrams.listed[word] { word } else { 0 };
    let mut bounds: Vec<f64> = (0..first.len())
        .map(|word| value(first.log_probs[unlisted(word)]) + gains[0])
        .collect();
    for (level, gain) in ngrams.levels.iter().zip(&gains).skip(1) {
        for (&word, &log_prob) in level.words.iter().zip(&level.log_probs) {
            let bound = &mut bounds[word as usize];
            *bound = bound.max(value(log_prob) + gain);
        }
    }
    (0..first.len())
        .map(|word| round_up(bounds[unlisted(word)]))
        .collect()
}

/// For an answer found at each level, the most that back-off weights of longer contexts can add: 0 if no
/// weight exceeds 1.
fn greatest_gains(ngrams: &Ngrams, value: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut gains = vec![0.0; ngrams.order()];
    for depth in (0..ngrams.order().saturating_sub(1)).rev() {
        let largest = ngrams.levels[depth]
            .backoffs
            .iter()
            .map(|&weight| value(weight))
            .fold(0.0, f64::max);
        gains[depth] = gains[depth + 1] + largest;
    }
    gains
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
