//! Laws of the algebra, by enumeration on random acceptors.

use pgen_core::{Limits, Lines, SplitMix64, Stop};
use pgen_fsa::{Fsa, FsaBuilder, Labels, Sampling, read_att};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A random acyclic acceptor with ε, several ends and weights in quarters (exact in floats).
fn random_fsa(seed: u64, weighted: bool) -> Fsa {
    let mut rng = SplitMix64::new(seed);
    let mut builder = FsaBuilder::new(&Limits::default());
    let count = 2 + rng.below(6);
    let states: Vec<_> = (0..count).map(|_| builder.add_state().unwrap()).collect();
    let weight = |rng: &mut SplitMix64| {
        if weighted {
            rng.below(8) as f32 / -4.0
        } else {
            0.0
        }
    };
    for _ in 0..rng.below(14) {
        let from = rng.below(count - 1);
        let to = from + 1 + rng.below(count - from - 1);
        let word = ["a", "b", "c", ""][rng.below(4) as usize];
        let w = weight(&mut rng);
        let word = (!word.is_empty()).then_some(word);
        builder
            .add_weighted(states[from as usize], word, states[to as usize], w)
            .unwrap();
    }
    for state in &states {
        if rng.below(3) == 0 {
            builder.set_final(*state, weight(&mut rng)).unwrap();
        }
    }
    builder.build(states[0]).unwrap()
}

/// Each string with the weight of its best path.
fn language(fsa: &Fsa) -> BTreeMap<String, f32> {
    let mut found = BTreeMap::new();
    let mut open = vec![(fsa.start(), String::new(), 0.0f32)];
    while let Some((state, text, weight)) = open.pop() {
        if let Some(last) = fsa.final_weight(state) {
            let known = found.entry(text.clone()).or_insert(f32::NEG_INFINITY);
            *known = known.max(weight + last);
        }
        for transition in fsa.out(state) {
            let text = format!("{text}{}", fsa.text(transition.label));
            open.push((transition.to, text, weight + transition.weight));
        }
    }
    found
}

fn limits() -> Limits {
    Limits::default()
}

fn stop() -> Stop {
    Stop::never()
}

fn check_algebra(seed: u64, weighted: bool) {
    let (a, b) = (
        random_fsa(seed, weighted),
        random_fsa(seed ^ 0xABCD, weighted),
    );
    let (la, lb) = (language(&a), language(&b));
    let plain = a.remove_epsilon(&limits(), &stop()).unwrap();
    assert!(!plain.has_epsilon());
    assert_eq!(language(&plain), la);
    let deterministic = plain.determinize(&limits(), &stop()).unwrap();
    assert!(deterministic.is_deterministic());
    assert_eq!(language(&deterministic), la);
    assert_eq!(deterministic.path_count().to_u64(), Some(la.len() as u64));
    let minimal = plain.minimize(&limits(), &stop()).unwrap();
    assert_eq!(language(&minimal), la);
    assert!(minimal.state_count() <= deterministic.state_count());
    assert_eq!(
        minimal.minimize(&limits(), &stop()).unwrap().state_count(),
        minimal.state_count()
    );
    let union = language(&Fsa::union(&[&a, &b], &limits()).unwrap());
    let mut wanted = la.clone();
    for (text, &weight) in &lb {
        let known = wanted.entry(text.clone()).or_insert(f32::NEG_INFINITY);
        *known = known.max(weight);
    }
    assert_eq!(union, wanted);
    let both = language(&a.intersect(&b, &limits(), &stop()).unwrap());
    let wanted: BTreeMap<String, f32> = la
        .iter()
        .filter_map(|(text, x)| Some((text.clone(), x + lb.get(text)?)))
        .collect();
    assert_eq!(both, wanted);
    check_best(&plain, &la);
}

fn check_best(plain: &Fsa, language: &BTreeMap<String, f32>) {
    let best = plain.best(100, &limits(), &stop()).unwrap();
    let found: Vec<(String, f32)> = best
        .iter()
        .map(|string| {
            (
                string.labels.iter().map(|&l| plain.text(l)).collect(),
                string.weight as f32,
            )
        })
        .collect();
    let mut wanted: Vec<(String, f32)> = language
        .iter()
        .map(|(text, &weight)| (text.clone(), weight))
        .collect();
    wanted.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
    wanted.truncate(100);
    assert_eq!(found, wanted);
    let path = plain.best_path().map(|path| {
        path.iter()
            .map(|&at| plain.text(plain.transitions()[at].label))
            .collect::<String>()
    });
    let top: Vec<_> = wanted.iter().filter(|text| text.1 == wanted[0].1).collect();
    assert_eq!(path.is_some(), !wanted.is_empty());
    assert!(path.is_none_or(|path| top.iter().any(|text| text.0 == path)));
}

/// The nearest string by trying all.
fn check_distance(seed: u64) {
    let fsa = random_fsa(seed, false);
    let mut rng = SplitMix64::new(seed);
    let words: Vec<&str> = (0..rng.below(6))
        .map(|_| ["a", "b", "d"][rng.below(3) as usize])
        .collect();
    let spelled = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
    let strings = language(&fsa);
    let wanted = strings
        .keys()
        .map(|text| pgen_fsa::word_distance(&spelled(text), &words))
        .min();
    let found = fsa.distance(&words, &limits(), &stop()).unwrap();
    assert_eq!(found.as_ref().map(|found| found.edits), wanted);
    if let Some(found) = found {
        let nearest: Vec<_> = found.nearest.iter().map(|&label| fsa.text(label)).collect();
        assert!(strings.contains_key(&nearest.concat()));
        assert_eq!(pgen_fsa::word_distance(&nearest, &words), found.edits);
    }
}

#[test]
fn algebra_equals_enumeration() {
    for seed in 0..5_000 {
        check_algebra(seed, seed % 2 == 0);
        check_distance(seed);
    }
}

#[test]
fn the_textbook_minimum() {
    // All words of {a, b} of length 3 have 4 states.
    let words: Vec<Vec<&str>> = (0..8)
        .map(|n| {
            (0..3)
                .map(|bit| if n >> bit & 1 == 0 { "a" } else { "b" })
                .collect()
        })
        .collect();
    let fsa = Fsa::from_sentences(&words, &limits()).unwrap();
    let minimal = fsa.minimize(&limits(), &stop()).unwrap();
    assert_eq!((minimal.state_count(), minimal.transitions().len()), (4, 6));
}

#[test]
fn att_text_goes_there_and_back() {
    for seed in 0..500 {
        let fsa = random_fsa(seed, true);
        let mut text = Vec::new();
        fsa.write_att(&mut text, false).unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut lines = Lines::from_text(&text, &limits()).unwrap();
        let again = read_att(&mut lines, &Labels::Words, &limits())
            .unwrap()
            .unwrap();
        assert_eq!(language(&again), language(&fsa), "{text}");
        assert!(
            read_att(&mut lines, &Labels::Words, &limits())
                .unwrap()
                .is_none()
        );
    }
}

#[test]
fn bad_att_is_named() {
    let read = |text: &str| {
        let mut lines = Lines::from_text(text, &limits()).unwrap();
        read_att(&mut lines, &Labels::Words, &limits())
    };
    let cases = [
        ("0 1 a\n1 0 b\n1\n", "cyclic-graph"),
        ("7 7 a\n7\n", "cyclic-graph"),
        ("0 1 a NaN\n", "syntax"),
        ("0 1 a b\n1\n", "syntax"),
        ("x 1 a\n", "syntax"),
        ("0 1 a 2 3 4\n", "syntax"),
        ("-1 1 a\n", "syntax"),
    ];
    for (text, code) in cases {
        assert_eq!(read(text).unwrap_err().code(), code, "{text}");
    }
    // A transducer onto itself, tabs, ε, a start that is not 0.
    let fsa = read("5\t3\ta\ta\t0.5\n3\t9\t<eps>\n9\t1.5\n")
        .unwrap()
        .unwrap();
    assert_eq!(language(&fsa), BTreeMap::from([("a".to_owned(), -2.0)]));
    let mut tiny = Limits::default();
    tiny.edges = 2;
    let mut lines = Lines::from_text("0 1 a\n0 1 b\n0 1 c\n1\n", &tiny).unwrap();
    assert_eq!(
        read_att(&mut lines, &Labels::Words, &tiny)
            .unwrap_err()
            .code(),
        "limit-exceeded"
    );
    assert!(read("0\n").unwrap().unwrap().accepts::<&str>(&[]));
    // Words that mean ε in other formats.
    let plf = read("0 1 *EPS*\n1\n").unwrap().unwrap();
    assert_eq!(plf.to_plf().unwrap_err().code(), "reserved-word");
    assert!(plf.to_slf("u").is_ok());
    let slf = read("0 1 !NULL\n1\n").unwrap().unwrap();
    assert_eq!(slf.to_slf("u").unwrap_err().code(), "reserved-word");
}

#[test]
fn determinisation_keeps_to_its_limit() {
    // Up to 24 letters of which the thirteenth from the end is an a: exponential.
    let mut builder = FsaBuilder::new(&limits());
    let states: Vec<_> = (0..40).map(|_| builder.add_state().unwrap()).collect();
    for at in 0..12 {
        for word in ["a", "b"] {
            builder.add(states[at], word, states[at + 1]).unwrap();
            builder.add(states[20 + at], word, states[21 + at]).unwrap();
        }
        builder.add(states[at], "a", states[20]).unwrap();
    }
    builder.set_final(states[32], 0.0).unwrap();
    let fsa = builder.build(states[0]).unwrap();
    let mut tight = limits();
    tight.nodes = 100;
    assert_eq!(
        fsa.determinize(&tight, &stop()).unwrap_err().code(),
        "limit-exceeded"
    );
    let statistics = fsa.statistics(&tight, &stop()).unwrap();
    assert!(statistics.strings.is_none() && !statistics.paths.is_zero());
    assert!(
        fsa.statistics(&limits(), &stop())
            .unwrap()
            .strings
            .is_some()
    );
}

/// A chain of ten-fold choices.
fn sausage(length: usize) -> Fsa {
    let mut builder = FsaBuilder::new(&limits());
    let mut here = builder.add_state().unwrap();
    let start = here;
    for _ in 0..length {
        let next = builder.add_state().unwrap();
        for word in 0..10 {
            builder.add(here, &format!("w{word}"), next).unwrap();
        }
        here = next;
    }
    builder.set_final(here, 0.0).unwrap();
    builder.build(start).unwrap()
}

#[test]
fn counts_beyond_all_floats_do_no_harm() {
    let fsa = sausage(400);
    assert_eq!(fsa.path_count().to_string().len(), 401);
    let sampler = fsa
        .sampler(Sampling::UniformPath, &limits(), &stop())
        .unwrap();
    let drawn = sampler.draw(&mut SplitMix64::new(1)).unwrap();
    assert_eq!(drawn.len(), 400);
    assert_eq!(fsa.best(3, &limits(), &stop()).unwrap().len(), 3);
    assert_eq!(
        fsa.repetition(&[["w1", "w2"]], &stop())
            .unwrap()
            .words
            .len(),
        2
    );
}

#[test]
fn a_hundred_thousand_transitions() {
    let fsa = sausage(10_000);
    assert_eq!(fsa.transitions().len(), 100_000);
    let deterministic = fsa.minimize(&limits(), &stop()).unwrap();
    assert_eq!(deterministic.state_count(), 10_001);
    let (squeezed, report) = fsa.squeeze(&stop()).unwrap();
    assert_eq!((squeezed.state_count(), report.merges), (10_001, 0));
    assert_eq!(
        fsa.distance(&["w1"], &limits(), &stop())
            .unwrap()
            .unwrap()
            .edits,
        9_999
    );
}

#[test]
fn strings_are_drawn_evenly() {
    // "a" has three paths, "b" one.
    let mut builder = FsaBuilder::new(&limits());
    let states: Vec<_> = (0..5).map(|_| builder.add_state().unwrap()).collect();
    for at in [1, 2, 3] {
        builder.add(states[0], "a", states[at]).unwrap();
        builder
            .add_weighted(states[at], None, states[4], 0.0)
            .unwrap();
    }
    builder.add(states[0], "b", states[4]).unwrap();
    builder.set_final(states[4], 0.0).unwrap();
    let fsa = builder.build(states[0]).unwrap();
    let share = |how| {
        let sampler = fsa.sampler(how, &limits(), &stop()).unwrap();
        let mut rng = SplitMix64::new(3);
        let a = fsa.symbols().label("a").unwrap();
        (0..4_000)
            .filter(|_| sampler.draw(&mut rng).unwrap() == [a])
            .count() as f64
            / 4_000.0
    };
    assert!((share(Sampling::UniformPath) - 0.75).abs() < 0.03);
    assert!((share(Sampling::UniformString) - 0.5).abs() < 0.03);
    assert!((share(Sampling::Walk) - 0.75).abs() < 0.03);
    let sampler = fsa.sampler(Sampling::Walk, &limits(), &stop()).unwrap();
    let novel = sampler
        .novel(&[["a"]], 100, 10, &mut SplitMix64::new(1), &stop())
        .unwrap();
    assert_eq!(novel.len(), 1);
    let known = [["a"], ["b"]];
    assert!(
        sampler
            .novel(&known, 100, 10, &mut SplitMix64::new(1), &stop())
            .unwrap()
            .is_empty()
    );
}

proptest! {
    #[test]
    fn squeezing_only_adds(seed in any::<u64>()) {
        let mut rng = SplitMix64::new(seed);
        let sentences: Vec<Vec<String>> = (0..1 + rng.below(6))
            .map(|_| (0..1 + rng.below(7)).map(|_| rng.below(5).to_string()).collect())
            .collect();
        let fsa = Fsa::from_sentences(&sentences, &limits()).unwrap();
        let (squeezed, _) = fsa.squeeze(&stop()).unwrap();
        for sentence in &sentences {
            prop_assert!(squeezed.accepts(sentence));
        }
        let (before, after) = (language(&fsa), language(&squeezed));
        prop_assert!(before.keys().all(|text| after.contains_key(text)));
        let (again, report) = squeezed.squeeze(&stop()).unwrap();
        prop_assert_eq!((language(&again), report.merges), (after, 0));
        let counted = squeezed.statistics(&limits(), &stop()).unwrap();
        prop_assert_eq!(counted.paths.to_u64(), Some(squeezed.paths(usize::MAX).len() as u64));
        prop_assert_eq!(counted.strings.unwrap().to_u64(), Some(language(&squeezed).len() as u64));
    }

    #[test]
    fn any_text_is_an_automaton_or_an_error(text in "[0-3ab \t\n.-]{0,40}") {
        let mut lines = Lines::from_text(&text, &limits()).unwrap();
        let _ = read_att(&mut lines, &Labels::Words, &limits());
    }
}
