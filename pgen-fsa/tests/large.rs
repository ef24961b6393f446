//! A million arcs, and laws of what is made on the way: ε-removal, best strings, spellings.

use pgen_core::{Limits, Lines, SplitMix64, Stop};
use pgen_fsa::{Fsa, FsaBuilder, Labels, PairParams, Sampling, read_att};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.nodes = 2_000_000;
    limits
}

fn never() -> Stop {
    Stop::never()
}

fn over() -> Stop {
    Stop::after(Duration::ZERO)
}

/// Places in a row, each with its ways on: steps ahead, word (empty for ε), weight.
fn row(ways: &[Vec<(usize, &str, f32)>]) -> Fsa {
    let mut builder = FsaBuilder::new(&limits());
    let states: Vec<_> = (0..=ways.len())
        .map(|_| builder.add_state().unwrap())
        .collect();
    for (from, ways) in ways.iter().enumerate() {
        for &(step, word, weight) in ways {
            let to = states[(from + step).min(ways_end(&states))];
            let word = (!word.is_empty()).then_some(word);
            builder
                .add_weighted(states[from], word, to, weight)
                .unwrap();
        }
    }
    builder.set_final(states[ways_end(&states)], 0.0).unwrap();
    builder.build(states[0]).unwrap()
}

fn ways_end<T>(states: &[T]) -> usize {
    states.len() - 1
}

/// Each string with the weight of its best path, by listing all paths.
fn language(fsa: &Fsa) -> BTreeMap<String, f32> {
    let mut found = BTreeMap::new();
    let mut open = vec![(fsa.start(), String::new(), 0.0f32)];
    while let Some((state, text, weight)) = open.pop() {
        if let Some(last) = fsa.final_weight(state) {
            let known = found.entry(text.clone()).or_insert(f32::NEG_INFINITY);
            *known = known.max(weight + last);
        }
        for t in fsa.out(state) {
            let space = if t.label.is_epsilon() { "" } else { " " };
            let text = format!("{text}{space}{}", fsa.text(t.label));
            open.push((t.to, text, weight + t.weight));
        }
    }
    found
}

fn ways() -> impl Strategy<Value = Vec<Vec<(usize, &'static str, f32)>>> {
    let way = (
        1usize..4,
        prop::sample::select(vec!["", "", "a", "b", "<eps>", "\\<eps>"]),
        0u8..8,
    );
    let way = way.prop_map(|(step, word, weight)| (step, word, f32::from(weight) / -4.0));
    prop::collection::vec(prop::collection::vec(way, 0..4), 1..7)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn without_epsilon_it_is_the_same_language(ways in ways()) {
        let fsa = row(&ways);
        let plain = fsa.remove_epsilon(&limits(), &never()).unwrap();
        prop_assert!(!plain.has_epsilon());
        prop_assert_eq!(language(&plain), language(&fsa));
        prop_assert!(plain.state_count() <= fsa.state_count());
    }

    #[test]
    fn best_strings_are_those_of_the_language(ways in ways(), n in 0usize..40) {
        let fsa = row(&ways);
        let mut wanted: Vec<(String, f32)> = language(&fsa).into_iter().collect();
        // Order of words, not of letters: the labels are compared.
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        wanted.sort_by(|x, y| y.1.total_cmp(&x.1).then_with(|| words(&x.0).cmp(&words(&y.0))));
        let all = fsa.best_strings(&limits(), &never()).unwrap();
        let found: Vec<(Vec<String>, f32)> = all
            .map(|best| best.unwrap())
            .map(|best| (words(&fsa.join_words(&best.labels)), best.weight as f32))
            .collect();
        let wanted: Vec<_> = wanted.iter().map(|(text, weight)| (words(text), *weight)).collect();
        prop_assert_eq!(&found, &wanted);
        let best = fsa.best(n, &limits(), &never()).unwrap();
        prop_assert_eq!(best.len(), n.min(wanted.len()));
    }

    #[test]
    fn words_spelled_like_epsilon_come_back(ways in ways()) {
        let fsa = row(&ways);
        let mut text = Vec::new();
        fsa.write_att(&mut text, false).unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut lines = Lines::from_text(&text, &limits()).unwrap();
        let again = read_att(&mut lines, &Labels::Words, &limits()).unwrap().unwrap();
        prop_assert_eq!(language(&again), language(&fsa));
    }

    #[test]
    fn a_bound_on_ways_loses_no_pair(ways in ways()) {
        // Pairs beyond the state that all paths share do not exist: compare with all pairs of all paths.
        let fsa = row(&ways).remove_epsilon(&limits(), &never()).unwrap();
        let found = fsa.pairs(&PairParams::default(), &limits(), &never()).unwrap();
        prop_assert!(!found.truncated);
        prop_assert_eq!(found.pairs, all_pairs(&fsa));
    }
}

/// All pairs of ways of up to six words between two states without a state in common, by trying all.
fn all_pairs(fsa: &Fsa) -> std::collections::BTreeSet<(String, String)> {
    let mut found = std::collections::BTreeSet::new();
    for from in fsa.states() {
        let mut ways: Vec<(Vec<_>, Vec<&str>)> = vec![(vec![from], Vec::new())];
        let mut at = 0;
        while let Some((states, words)) = ways.get(at).cloned() {
            at += 1;
            for t in fsa
                .out(states[states.len() - 1])
                .iter()
                .filter(|_| words.len() < 6)
            {
                let states = [states.as_slice(), &[t.to]].concat();
                ways.push((states, [words.as_slice(), &[fsa.text(t.label)]].concat()));
            }
        }
        for (a, x) in ways.iter().filter(|way| !way.1.is_empty()) {
            for (b, y) in ways.iter().filter(|way| !way.1.is_empty()) {
                let inner = |states: &[_]| states[1..states.len() - 1].to_vec();
                let apart = inner(a).iter().all(|state| !inner(b).contains(state));
                let (x, y) = (x.join(" "), y.join(" "));
                if a.last() == b.last() && apart && x < y {
                    found.insert((x, y));
                }
            }
        }
    }
    found
}

#[test]
#[cfg_attr(debug_assertions, ignore = "release only")]
fn a_million_arcs_in_a_chain_and_in_a_sausage() {
    let chain = row(&vec![vec![(1, "a", 0.0)]; 1_000_000]);
    assert_eq!(chain.path_count().to_u64(), Some(1));
    assert_eq!(
        chain.best(10, &limits(), &never()).unwrap()[0].labels.len(),
        1_000_000
    );
    assert!(chain.to_dot("chain").len() > 10_000_000);
    let pairs = chain
        .pairs(&PairParams::default(), &limits(), &never())
        .unwrap();
    assert!(pairs.pairs.is_empty() && !pairs.truncated);
    let words = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let step: Vec<_> = words.iter().map(|&word| (1, word, 0.0)).collect();
    let sausage = row(&vec![step; 100_000]);
    let count = sausage.path_count();
    assert!(!count.is_exact() && count.to_string().starts_with('≈'));
    assert!((count.ln() / 10f64.ln() - 100_000.0).abs() < 1e-6);
    let best = sausage.best(3, &limits(), &never()).unwrap();
    assert_eq!(sausage.text(best[1].labels[99_999]), "b");
    let pairs = sausage
        .pairs(&PairParams::default(), &limits(), &never())
        .unwrap();
    assert_eq!((pairs.pairs.len(), pairs.truncated), (45, false));
    let sampler = sausage
        .sampler(Sampling::UniformPath, &limits(), &never())
        .unwrap();
    let mut rng = SplitMix64::new(0);
    let none: [&[&str]; 0] = [];
    let novel = sampler.novel(&none, 3, 3, &mut rng, &never()).unwrap();
    assert_eq!(novel.len(), 3);
    let error = sampler
        .novel(&none, 1_000, 3, &mut rng, &never())
        .unwrap_err();
    assert_eq!(error.code(), "limit-exceeded");
}

#[test]
fn every_measure_stops_in_time() {
    let step: Vec<_> = ["a", "b", "a"].iter().map(|&word| (1, word, 0.0)).collect();
    let fsa = row(&vec![
        [step.as_slice(), &[(2, "a", 0.0), (1, "", 0.0)]]
            .concat();
        12
    ]);
    let (limits, over) = (limits(), over());
    let none: [&[&str]; 0] = [];
    let sampler = fsa.sampler(Sampling::Walk, &limits, &over).unwrap();
    let codes = [
        fsa.count_paths(&over).map(|_| ()),
        fsa.statistics(&limits, &over).map(|_| ()),
        fsa.repetition(&[["a"]], &over).map(|_| ()),
        fsa.distance(&["a"], &limits, &over).map(|_| ()),
        fsa.sampler(Sampling::UniformPath, &limits, &over)
            .map(|_| ()),
        fsa.sampler(Sampling::UniformString, &limits, &over)
            .map(|_| ()),
        sampler
            .novel(&none, 5, 5, &mut SplitMix64::new(0), &over)
            .map(|_| ()),
        fsa.pairs(&PairParams::default(), &limits, &over)
            .map(|_| ()),
        fsa.remove_epsilon(&limits, &over).map(|_| ()),
        fsa.best(1, &limits, &over).map(|_| ()),
        fsa.to_svg("t", &limits, &over).map(|_| ()),
    ];
    for (at, result) in codes.into_iter().enumerate() {
        assert_eq!(result.unwrap_err().code(), "deadline-exceeded", "{at}");
    }
}

#[test]
fn the_best_of_a_language_too_large_to_determinise() {
    // The tenth word from the end is b: more than a thousand deterministic states, of which few are met.
    let both = vec![(1, "a", 0.0), (1, "b", 0.0)];
    let mut ways = vec![both.clone(); 400];
    ways[390] = vec![(1, "b", 0.0)];
    for (at, ways) in ways.iter_mut().enumerate().take(380) {
        ways.push((390 - at, "b", -1.0));
    }
    let fsa = row(&ways);
    let mut tight = limits();
    tight.nodes = 2_000;
    let error = fsa.determinize(&tight, &never()).unwrap_err();
    assert_eq!(error.code(), "limit-exceeded");
    let best = fsa.best(5, &tight, &never()).unwrap();
    assert_eq!(best.len(), 5);
    assert!(best.windows(2).all(|pair| pair[0].labels < pair[1].labels));
}

#[test]
fn costs_and_cycles_have_their_places() {
    let read = |text: &str| {
        let mut lines = Lines::from_text(text, &limits()).unwrap();
        read_att(&mut lines, &Labels::Words, &limits())
    };
    for text in [
        "0 1 a Infinity\n0 1 b\n1\n",
        "0 1 a inf\n0 1 b\n1\n0 Infinity\n",
    ] {
        assert_eq!(read(text).unwrap().unwrap().strings(9), ["b"]);
    }
    for text in ["0 1 a 1e39\n1\n", "0 1 a -Infinity\n1\n", "0 1 a\n1 nan\n"] {
        assert_eq!(read(text).unwrap_err().code(), "syntax", "{text}");
    }
    let error = read("0 1 a\n1 2 a\n2 1 a\n1 3 a\n3\n").unwrap_err();
    assert_eq!(error.code(), "cyclic-graph");
    let said = error.to_string();
    assert!(
        said.starts_with("input:1:") || said.starts_with("input:2:"),
        "{said}"
    );
    assert!(
        said.contains("state 1") || said.contains("state 2"),
        "{said}"
    );
}
