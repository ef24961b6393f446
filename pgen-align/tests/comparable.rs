//! The join against all pairs.

use pgen_align::{ComparableParams, Metric, PairFinder, Verdicts};
use proptest::prelude::*;
use std::collections::HashSet;

/// Every pair, rule by rule.
fn brute_force(
    sentences: &[String],
    limit: usize,
    metric: Metric,
) -> (Vec<(usize, usize)>, Verdicts) {
    let words: Vec<Vec<&str>> = sentences.iter().map(|s| s.split(' ').collect()).collect();
    let plain = |w: &[&str]| {
        w.iter()
            .filter(|w| **w != ".")
            .map(|w| (*w).to_owned())
            .collect::<Vec<_>>()
    };
    let (mut v, mut kept, mut seen) = (Verdicts::default(), Vec::new(), HashSet::new());
    for x in 0..words.len() {
        for y in x + 1..words.len() {
            let (a, b) = (&words[x], &words[y]);
            let distance = metric.distance(a, b);
            if a == b {
                v.identical += 1;
            } else if plain(a) == plain(b) {
                v.punctuation_only += 1;
            } else if 3 * a.len().min(b.len()) < 2 * a.len().max(b.len()) {
                v.length_ratio += 1;
            } else if distance > limit {
                v.distance += 1;
            } else if !seen.insert((a.min(b).clone(), a.max(b).clone())) {
                v.duplicate += 1;
            } else {
                v.kept += 1;
                v.kept_distance += distance as u64;
                v.kept_words += (a.len() + b.len()) as u64;
                kept.push((x, y));
            }
        }
    }
    (kept, v)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn the_join_equals_brute_force(
        sentences in proptest::collection::vec(
            proptest::collection::vec(prop_oneof![Just("."), "[a-h]".prop_map(|s| &*s.leak())], 1..18)
                .prop_map(|words| words.join(" ")),
            1..40,
        ),
        limit in 0usize..14,
    ) {
        for metric in [Metric::InsDel, Metric::Levenshtein] {
            let params = ComparableParams::default().with_distance(limit, metric);
            let mut finder = PairFinder::new(&params).unwrap();
            let found: Vec<_> = finder.cluster(&sentences).iter().map(|p| (p.first, p.second)).collect();
            let (kept, verdicts) = brute_force(&sentences, limit, metric);
            prop_assert_eq!(found, kept);
            prop_assert_eq!(*finder.verdicts(), verdicts);
        }
    }
}

#[test]
fn a_cluster_of_copies_is_no_trouble() {
    let sentences = vec!["the same words again"; 100_000];
    let mut finder = PairFinder::new(&ComparableParams::default()).unwrap();
    assert!(finder.cluster(&sentences).is_empty());
    assert_eq!(finder.verdicts().identical, 100_000 * 99_999 / 2);
    assert!(finder.cluster(&["", " ", "."]).is_empty());
}
