//! Leaving n-grams out of a model.

use crate::ngrams::{Level, Ngrams};

/// Adds what kept n-grams need: their prefixes and suffixes. `kept` is by level; level 0 is all kept.
pub(crate) fn close(ngrams: &Ngrams, kept: &mut [Vec<bool>]) {
    for depth in (1..ngrams.order()).rev() {
        let (above, level) = (&ngrams.levels[depth - 1], &ngrams.levels[depth]);
        let (shorter, longer) = kept.split_at_mut(depth);
        let (above_kept, level_kept) = (&mut shorter[depth - 1], &longer[0]);
        for parent in 0..above.len() {
            for node in above.range(parent as u32) {
                if level_kept[node] {
                    above_kept[parent] = true;
                    above_kept[level.suffixes[node] as usize] = true;
                }
            }
        }
    }
}

/// The model of the kept n-grams, which are closed. Numbers stay as they are.
pub(crate) fn retain(ngrams: &Ngrams, kept: &[Vec<bool>]) -> Ngrams {
    let mut levels: Vec<Level> = Vec::with_capacity(ngrams.order());
    // Where the kept nodes of the level before have gone.
    let mut moved: Vec<u32> = Vec::new();
    for (depth, level) in ngrams.levels.iter().enumerate() {
        let is_kept = |node: usize| depth == 0 || kept[depth][node];
        let mut places = Vec::with_capacity(level.len());
        let mut new = Level::default();
        for node in 0..level.len() {
            places.push(new.words.len() as u32);
            if !is_kept(node) {
                continue;
            }
            new.words.push(level.words[node]);
            new.log_probs.push(level.log_probs[node]);
            new.backoffs.push(level.backoffs[node]);
            if depth > 0 {
                new.suffixes.push(moved[level.suffixes[node] as usize]);
            }
            if let Some(next) = kept.get(depth + 1) {
                let range = level.range(node as u32);
                let children = next[range].iter().filter(|&&kept| kept).count() as u32;
                new.children.push(children);
            }
        }
        to_starts(&mut new.children);
        levels.push(new);
        moved = places;
    }
    Ngrams {
        levels,
        listed: ngrams.listed.clone(),
    }
}

/// Turns numbers of children into first children.
fn to_starts(children: &mut Vec<u32>) {
    let mut sum = 0;
    for child in children.iter_mut() {
        sum += std::mem::replace(child, sum);
    }
    if !children.is_empty() {
        children.push(sum);
    }
}
