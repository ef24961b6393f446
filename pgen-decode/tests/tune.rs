//! Tuning: the golden line search (z02), and a dense grid as oracle.

use pgen_core::SplitMix64;
use pgen_decode::tune::{Counts, TuneItem, TuneSentence, best_step, line_search};
use serde_json::Value;
use std::path::Path;

fn golden() -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/z02_mert.json");
    serde_json::from_str(&std::fs::read_to_string(folder).unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|x| x.as_f64().unwrap())
        .collect()
}

fn sentence(value: &Value) -> TuneSentence {
    let item = |hyp: &Value| {
        let count = |at: usize| hyp[at].as_u64().unwrap();
        let counts = Counts {
            correct: count(1),
            replacements: count(2),
            words: count(3),
        };
        TuneItem {
            features: numbers(&hyp[0]),
            counts,
        }
    };
    let items = value["hyps"].as_array().unwrap().iter().map(item).collect();
    TuneSentence {
        words: value["words"].as_u64().unwrap(),
        items,
    }
}

#[test]
fn z02_all_segments() {
    let z02 = golden();
    let sentences: Vec<_> = z02["nbest"]
        .as_array()
        .unwrap()
        .iter()
        .map(sentence)
        .collect();
    let (w, d) = (numbers(&z02["w"]), numbers(&z02["d"]));
    let found = line_search(&sentences, &w, &d).unwrap();
    let wanted = z02["segments"].as_array().unwrap();
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        let close = |a: f64, b: &Value, none: f64| {
            let b = b.as_f64().unwrap_or(none);
            a == b || (a - b).abs() < 1e-12
        };
        assert!(close(found.low, &wanted["lo"], f64::NEG_INFINITY));
        assert!(close(found.high, &wanted["hi"], f64::INFINITY));
        assert!(close(found.gamma, &wanted["gamma"], 0.0));
        assert!(close(found.rates.precision, &wanted["rp"], 0.0));
        assert!(close(found.rates.rate, &wanted["rr"], 0.0));
        assert!(close(found.rates.f, &wanted["rf"], 0.0));
        let picks: Vec<_> = found.picks.iter().map(|&pick| Value::from(pick)).collect();
        assert_eq!(Value::from(picks), wanted["pick"]);
    }
    let best = best_step(&sentences, &w, &d, [f64::NEG_INFINITY, f64::INFINITY])
        .unwrap()
        .unwrap();
    assert!((best.rates.f - z02["best"]["rf"].as_f64().unwrap()).abs() < 1e-12);
    assert_eq!(best.gamma, z02["best"]["gamma"].as_f64().unwrap());
}

/// The rates at a step by looking at every derivation.
fn rates_at(sentences: &[TuneSentence], w: &[f64], d: &[f64], gamma: f64) -> f64 {
    let mut counts = Counts::default();
    for sentence in sentences {
        // Whole numbers until the last step, so that equal lines stay equal.
        let dot = |item: &TuneItem, by: &[f64]| -> f64 {
            item.features.iter().zip(by).map(|(h, w)| h * w).sum()
        };
        let score = |item: &TuneItem| dot(item, w) + gamma * dot(item, d);
        let best = sentence
            .items
            .iter()
            .reduce(|a, b| if score(b) > score(a) { b } else { a })
            .unwrap();
        counts = counts + best.counts;
    }
    counts.rates(sentences.iter().map(|s| s.words).sum()).f
}

#[test]
fn the_optimum_of_a_dense_grid_on_random_problems() {
    for seed in 0..300 {
        let mut rng = SplitMix64::stream(seed, 5);
        // Small whole numbers: corners lie on fractions, ties abound.
        let mut value = |scale: u64| rng.below(2 * scale + 1) as f64 - scale as f64;
        let sentences: Vec<TuneSentence> = (0..4)
            .map(|_| {
                let items = (0..6)
                    .map(|_| {
                        let features = vec![value(6), value(6), value(6)];
                        let replacements = value(2).abs() as u64 + 1;
                        let correct = (value(3).abs() as u64).min(replacements);
                        let counts = Counts {
                            correct,
                            replacements,
                            words: replacements,
                        };
                        TuneItem { features, counts }
                    })
                    .collect();
                TuneSentence { words: 8, items }
            })
            .collect();
        let (w, d) = ([value(3), value(3), value(3)], [value(2), value(2), 1.0]);
        let best = best_step(&sentences, &w, &d, [-20.0, 20.0])
            .unwrap()
            .unwrap();
        assert!(
            (rates_at(&sentences, &w, &d, best.gamma) - best.rates.f).abs() < 1e-12,
            "{seed}"
        );
        // Irrational steps, so that the grid never meets a corner.
        let grid = (0..8000).map(|at| -20.0 + (f64::from(at) + 0.618_033_988_7) / 200.0);
        let dense = grid
            .map(|gamma| rates_at(&sentences, &w, &d, gamma))
            .fold(0.0, f64::max);
        assert!(
            best.rates.f >= dense - 1e-12,
            "{seed}: {} below {dense}",
            best.rates.f
        );
        let wide = best.high - best.low > 0.01;
        assert!(
            !wide || (best.rates.f - dense).abs() < 1e-12,
            "{seed}: {} above {dense}",
            best.rates.f
        );
    }
}

#[test]
fn lines_that_are_no_lines() {
    let item = |features: &[f64]| TuneItem {
        features: features.to_vec(),
        counts: Counts::default(),
    };
    let sentence = |items: Vec<TuneItem>| TuneSentence { words: 1, items };
    for (items, w) in [
        (vec![item(&[1.0])], vec![1.0, 1.0]),
        (vec![item(&[f64::NAN, 1.0])], vec![1.0, 1.0]),
        (vec![], vec![1.0, 1.0]),
        (vec![item(&[1.0, 1.0])], vec![f64::INFINITY, 1.0]),
    ] {
        let error = line_search(&[sentence(items)], &w, &[1.0, 0.0]).unwrap_err();
        assert_eq!(error.code(), "bad-parameter");
    }
    let all = line_search(&[], &[1.0], &[1.0]).unwrap();
    assert_eq!((all.len(), all[0].gamma, all[0].rates.f), (1, 0.0, 0.0));
}
