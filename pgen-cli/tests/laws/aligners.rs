//! EM against the textbook, with dense tables.

use crate::{Tested, cases, counted};
use pgen::align::{Corpus, Direction, Model1, Model1Params};
use pgen::core::{SplitMix64, Vocab, WordId};
use std::collections::BTreeMap;

type Table = BTreeMap<(u32, u32), f64>;

/// IBM Model 1 as in Brown et al. 1993, five iterations; NULL is `u32::MAX`.
fn textbook(pairs: &[(Vec<WordId>, Vec<WordId>)]) -> Table {
    let mut table: Table = BTreeMap::new();
    for (source, target) in pairs {
        for t in target {
            for s in source.iter().map(|w| w.raw()).chain([u32::MAX]) {
                table.insert((s, t.raw()), 1.0);
            }
        }
    }
    for _ in 0..5 {
        let mut counts: Table = BTreeMap::new();
        for (source, target) in pairs {
            let given: Vec<u32> = source.iter().map(|w| w.raw()).chain([u32::MAX]).collect();
            for t in target {
                let sum: f64 = given.iter().map(|s| table[&(*s, t.raw())]).sum();
                for s in &given {
                    *counts.entry((*s, t.raw())).or_default() += table[&(*s, t.raw())] / sum;
                }
            }
        }
        let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
        for ((s, _), count) in &counts {
            *sums.entry(*s).or_default() += count;
        }
        for ((s, _), count) in &mut counts {
            *count /= sums[s];
        }
        table = counts;
    }
    table
}

#[test]
fn model_1_is_that_of_the_textbook() -> Tested {
    let all = cases(300);
    let mut rng = SplitMix64::new(11);
    let mut entries = 0;
    for case in 0..all {
        let (mut corpus, mut vocab) = (Corpus::new(), Vocab::new());
        let mut pairs = Vec::new();
        for _ in 0..1 + rng.below(6) {
            let mut side = |mark: &str| {
                let words = (0..1 + rng.below(4)).map(|_| format!("{mark}{}", rng.below(4)));
                words
                    .map(|word| vocab.intern(&word))
                    .collect::<Result<Vec<_>, _>>()
            };
            let pair = (side("s")?, side("t")?);
            corpus.push(&pair.0, &pair.1)?;
            pairs.push(pair);
        }
        let params = Model1Params::default().with_prune(0.0);
        let model = Model1::fit(&corpus, Direction::TargetGivenSource, &params, &())?;
        // The textbook starts from uniform rows; ones are uniform too, up to the first division.
        for ((s, t), expected) in textbook(&pairs) {
            let given = (s != u32::MAX).then(|| WordId::new(s));
            let found = model.table().probability(WordId::new(t), given);
            assert!(
                (found - expected).abs() < 1e-9,
                "case {case}: {found} is not {expected}"
            );
            entries += 1;
        }
    }
    counted("corpora aligned as by the textbook", all);
    assert!(entries > all);
    Ok(())
}
