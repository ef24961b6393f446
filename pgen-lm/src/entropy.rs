//! Entropy pruning.

use crate::error::Result;
use crate::ngrams::Ngrams;
use crate::prune::retain;
use pgen_core::{Error, WordId};

/// Rounds of finding how often each word occurs in what the model itself would write.
const ROUNDS: usize = 30;

/// Shares below this are rounding errors.
const TINY: f64 = 1e-12;

impl Ngrams {
    /// A smaller model: n-grams go whose absence raises the model's perplexity by less than the factor
    /// 1 + `threshold` each (Stolcke 1998, "Entropy-based pruning of backoff language models"); 1e-8 to
    /// 1e-7 are usual. What kept n-grams need stays, and the back-off weights of contexts that lost
    /// n-grams are computed anew, so that probabilities sum to 1 as before.
    ///
    /// How often a context occurs is taken from the model's own stationary distribution, not from its
    /// unigrams: those of a Kneser-Ney model are no frequencies, and pruning by them is known to hurt
    /// (Chelba et al. 2010, "Study on interaction between entropy pruning and Kneser-Ney smoothing").
    /// O(n) in the number of n-grams.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadParameter`] unless 0 ≤ `threshold` < 1.
    pub fn pruned(&self, threshold: f64) -> Result<Ngrams> {
        if !(0.0..1.0).contains(&threshold) {
            return Err(Error::parameter("threshold", threshold, "0 or more and below 1").into());
        }
        let kept = self.worth_keeping(threshold);
        let mut pruned = retain(self, &kept);
        for depth in 1..self.order() {
            self.reweigh(depth, &kept, &mut pruned);
        }
        Ok(pruned)
    }

    /// Which n-grams stay, by level; highest first, because a kept n-gram keeps its prefix and suffix.
    fn worth_keeping(&self, threshold: f64) -> Vec<Vec<bool>> {
        let levels = &self.levels;
        let frequencies = self.frequencies();
        let none = levels.iter().map(|level| vec![false; level.len()]);
        let mut kept: Vec<Vec<bool>> = none.collect();
        for depth in (1..self.order()).rev() {
            let (lower, upper) = kept.split_at_mut(depth);
            let (shorter_kept, level_kept) = (&mut lower[depth - 1], &mut upper[0]);
            for (context, frequency) in frequencies[depth - 1].iter().enumerate() {
                let nodes = levels[depth - 1].range(context as u32);
                let group = Group::of(self, depth, nodes.clone().map(|node| (node, true)));
                let back_off = levels[depth - 1].backoffs[context];
                for node in nodes {
                    let loss = frequency * group.divergence(self.pair(depth, node), back_off);
                    level_kept[node] |= loss.exp_m1() >= threshold;
                    if level_kept[node] {
                        shorter_kept[context] = true;
                        shorter_kept[levels[depth].suffixes[node] as usize] = true;
                    }
                }
            }
        }
        kept
    }

    /// ln P of an n-gram, and of the same without its first word.
    fn pair(&self, depth: usize, node: usize) -> (f64, f64) {
        let suffix = self.levels[depth].suffixes[node] as usize;
        let (level, shorter) = (&self.levels[depth], &self.levels[depth - 1]);
        (level.log_probs[node], shorter.log_probs[suffix])
    }

    /// Gives the contexts at `depth` − 1 that lost next words the weight that makes the sum 1.
    fn reweigh(&self, depth: usize, kept: &[Vec<bool>], pruned: &mut Ngrams) {
        let contexts = &self.levels[depth - 1];
        let mut at = 0;
        for context in 0..contexts.len() {
            if depth > 1 && !kept[depth - 1][context] {
                continue;
            }
            let nodes = contexts.range(context as u32);
            let stay = &kept[depth][nodes.clone()];
            if !stay.iter().all(|&stays| stays) {
                let group = Group::of(self, depth, nodes.zip(stay.iter().copied()));
                if let Some(weight) = group.back_off() {
                    pruned.levels[depth - 1].backoffs[at] = weight;
                }
            }
            at += 1;
        }
    }

    /// How often each n-gram is the context of a word, by level below the highest.
    fn frequencies(&self) -> Vec<Vec<f64>> {
        let mut frequencies = vec![self.stationary()];
        for depth in 1..self.order().saturating_sub(1) {
            let (above, level) = (&self.levels[depth - 1], &self.levels[depth]);
            let mut next = vec![0.0; level.len()];
            for (context, frequency) in frequencies[depth - 1].iter().enumerate() {
                for node in above.range(context as u32) {
                    next[node] = frequency * level.log_probs[node].exp();
                }
            }
            frequencies.push(next);
        }
        frequencies
    }

    /// How often each word is the context of the next in endless text: the stationary distribution of
    /// the model's bigrams, `<s>` following upon `</s>`.
    fn stationary(&self) -> Vec<f64> {
        let Some(first) = self.levels.first() else {
            return Vec::new();
        };
        let unlisted = |(ln, &listed): (&f64, &bool)| if listed { ln.exp() } else { 0.0 };
        let mut unigrams: Vec<f64> = first
            .log_probs
            .iter()
            .zip(&self.listed)
            .map(unlisted)
            .collect();
        let (bos, eos) = (WordId::BOS.index(), WordId::EOS.index());
        unigrams[bos] = 0.0;
        let mut share = unigrams.clone();
        let Some(second) = self.levels.get(1) else {
            share[bos] = share[eos];
            return share;
        };
        for _ in 0..ROUNDS {
            share[bos] = share[eos];
            share[eos] = 0.0;
            let sum: f64 = share.iter().sum();
            let mut next = vec![0.0; share.len()];
            let mut freed = 0.0;
            for (context, share) in share.iter().map(|share| share / sum).enumerate() {
                let back_off = share * first.backoffs[context].exp();
                freed += back_off;
                for node in first.range(context as u32) {
                    let word = second.words[node] as usize;
                    next[word] += share * second.log_probs[node].exp() - back_off * unigrams[word];
                }
            }
            for (next, unigram) in next.iter_mut().zip(&unigrams) {
                *next = (*next + freed * unigram).max(0.0);
            }
            share = next;
        }
        share[bos] = share[eos];
        share[eos] = 0.0;
        share
    }
}

/// What a context leaves to its back-off.
struct Group {
    /// 1 less the probabilities of the listed next words.
    rest: f64,
    /// 1 less what the shorter context gives them.
    shorter: f64,
}

impl Group {
    fn of(ngrams: &Ngrams, depth: usize, nodes: impl Iterator<Item = (usize, bool)>) -> Self {
        let mut group = Group {
            rest: 1.0,
            shorter: 1.0,
        };
        for (node, _) in nodes.filter(|&(_, stays)| stays) {
            let (ln, shorter) = ngrams.pair(depth, node);
            group.rest -= ln.exp();
            group.shorter -= shorter.exp();
        }
        group
    }

    /// ln of the weight that makes all sum to 1; `None` where rounding errors would decide.
    fn back_off(&self) -> Option<f64> {
        let sound = self.rest > TINY && self.shorter > TINY;
        sound.then(|| (self.rest / self.shorter).ln())
    }

    /// The Kullback-Leibler divergence of what follows this context, if one n-gram goes.
    fn divergence(&self, (ln, shorter): (f64, f64), back_off: f64) -> f64 {
        let without = Group {
            rest: self.rest + ln.exp(),
            shorter: self.shorter + shorter.exp(),
        };
        let Some(weight) = without.back_off() else {
            return f64::INFINITY;
        };
        let change = weight - back_off;
        -(ln.exp() * (shorter + weight - ln) + change * self.rest.max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use crate::{EstimateParams, Estimator, Ngrams};
    use pgen_core::{LanguageModel, SplitMix64, Vocab, WordId};

    /// Sentences in which words like certain others after them.
    fn text(sentences: usize, seed: u64) -> Vec<Vec<WordId>> {
        let mut rng = SplitMix64::new(seed);
        let sentence = |_| {
            let mut word = rng.below(12);
            let length = 1 + rng.below(8);
            let words = (0..length).map(|_| {
                word = (word + [1, 1, 1, 5, rng.below(12)][rng.below(5) as usize]) % 12;
                WordId::new(3 + word as u32)
            });
            words.collect()
        };
        (0..sentences).map(sentence).collect()
    }

    fn model(order: usize) -> Ngrams {
        let mut vocab = Vocab::new();
        for word in 0..12 {
            vocab.intern(&format!("w{word}")).unwrap();
        }
        let mut estimator = Estimator::new(EstimateParams::new(order)).unwrap();
        for sentence in text(400, 5) {
            estimator.add(&sentence).unwrap();
        }
        estimator.finish(&vocab, &()).unwrap().0
    }

    fn perplexity(model: &Ngrams) -> f64 {
        let text = text(200, 6);
        let tokens: usize = text.iter().map(|sentence| sentence.len() + 1).sum();
        let ln: f64 = text.iter().map(|s| model.sentence(s).ln()).sum();
        (-ln / tokens as f64).exp()
    }

    #[test]
    fn probabilities_still_sum_to_one() {
        for order in 1..=4 {
            let pruned = model(order).pruned(1e-4).unwrap();
            for context in text(30, 7).iter().flat_map(|s| [&s[..1], &s[..]]) {
                let state = pruned.phrase(&pruned.start(), context).0;
                let events = (0..15).map(WordId::new).filter(|&word| word != WordId::BOS);
                let p = events.map(|word| pruned.advance(&state, word).1.probability());
                assert!((p.sum::<f64>() - 1.0).abs() < 1e-9, "{order}");
            }
        }
    }

    #[test]
    fn much_goes_and_little_is_lost() {
        let full = model(3);
        let light = full.pruned(1e-5).unwrap();
        let heavy = full.pruned(1e-3).unwrap();
        let size = |model: &Ngrams| model.counts().iter().sum::<usize>();
        assert!(size(&heavy) < size(&light) && size(&light) < size(&full));
        assert!(size(&heavy) * 2 < size(&full), "{:?}", heavy.counts());
        let bigrams = model(1);
        let (kept, none) = (perplexity(&heavy), perplexity(&bigrams));
        assert!(
            kept < perplexity(&full) * 1.1 && kept < none * 0.8,
            "{kept} {none}"
        );
        assert_eq!(full.pruned(0.0).unwrap().counts(), full.counts());
        assert_eq!(full.pruned(f64::NAN).unwrap_err().code(), "bad-parameter");
    }
}
