//! Automata of sentence groups against rustfst: the same acceptors, the same work.
//!
//! `cargo bench --bench automata`; the groups are those of `../shared/data/groups/asset.valid.tsv.gz`.
//! Both sides take turns, and time is the thread's on the processor, so that a busy machine does little harm.

use flate2::read::GzDecoder;
use pgen_core::{Limits, Lines, SplitMix64, Stop};
use pgen_fsa::{Aligned, Forest, Fsa, FsaBuilder, GroupReader, Label, MsaParams, Version, align};
use rustfst::algorithms::determinize::determinize;
use rustfst::algorithms::{
    MinimizeConfig, ShortestPathConfig, minimize_with_config, shortest_path_with_config,
};
use rustfst::prelude::*;
use std::collections::BTreeSet;
use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::time::{Duration, Instant};

type Other = VectorFst<TropicalWeight>;

fn data(path: &str) -> PathBuf {
    let root = std::env::var_os("PGEN_DATA").map(PathBuf::from);
    root.unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data")))
        .join(path)
}

/// The first groups, as words.
fn groups(count: usize) -> Vec<Vec<Vec<String>>> {
    let Ok(file) = std::fs::File::open(data("groups/asset.valid.tsv.gz")) else {
        eprintln!("skipped: no groups/asset.valid.tsv.gz");
        return Vec::new();
    };
    let lines = BufReader::new(GzDecoder::new(file)).lines().take(count);
    let words = |text: &str| {
        text.to_lowercase()
            .split_whitespace()
            .map(str::to_owned)
            .collect()
    };
    lines
        .map(|line| line.unwrap().split('\t').skip(1).map(words).collect())
        .collect()
}

/// The same acceptor for rustfst, with our numbers of labels.
fn other(fsa: &Fsa) -> Other {
    let mut made = Other::new();
    fsa.states().for_each(|_| {
        made.add_state();
    });
    made.set_start(0).unwrap();
    for t in fsa.transitions() {
        let label = t.label.raw();
        let weight = TropicalWeight::new(-t.weight);
        made.add_tr(t.from.raw(), Tr::new(label, label, weight, t.to.raw()))
            .unwrap();
    }
    for state in fsa.finals() {
        made.set_final(state.raw(), TropicalWeight::one()).unwrap();
    }
    made
}

fn minimal(fst: &Other) -> Other {
    let mut fst = fst.clone();
    minimize_with_config(&mut fst, MinimizeConfig::default()).unwrap();
    fst
}

fn shortest(fst: &Other, n: usize) -> Other {
    let config = ShortestPathConfig::default()
        .with_nshortest(n)
        .with_unique(true);
    shortest_path_with_config(fst, config).unwrap()
}

/// All strings of an acceptor of rustfst, by walking it.
fn walk(fst: &Other) -> BTreeSet<Vec<u32>> {
    let mut found = BTreeSet::new();
    let Some(start) = fst.start() else {
        return found;
    };
    let mut open = vec![(start, Vec::new())];
    while let Some((state, labels)) = open.pop() {
        if fst.is_final(state).unwrap() {
            found.insert(labels.clone());
        }
        for tr in fst.get_trs(state).unwrap().trs() {
            let mut next = labels.clone();
            next.push(tr.ilabel);
            open.push((tr.nextstate, next));
        }
    }
    found
}

fn ours(fsa: &Fsa) -> BTreeSet<Vec<u32>> {
    fsa.paths(usize::MAX)
        .into_iter()
        .map(|path| path.into_iter().map(Label::raw).collect())
        .collect()
}

/// Both find the same best 1, 3 and 10 different strings' weights, and the same strings where none tie.
fn check_best(fsa: &Fsa, seed: u64) {
    let (limits, stop) = (Limits::default(), Stop::never());
    let theirs: Other = determinize(&other(fsa)).unwrap();
    for n in [1, 3, 10] {
        let mine = fsa.best(n, &limits, &stop).unwrap();
        let mut weights: Vec<f64> = mine.iter().map(|best| best.weight).collect();
        let mut found: Vec<f64> = walk_weights(&shortest(&theirs, n))
            .into_iter()
            .map(|(_, w)| w)
            .collect();
        weights.sort_by(f64::total_cmp);
        found.sort_by(f64::total_cmp);
        assert_eq!(weights.len(), found.len(), "seed {seed}");
        let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-4;
        assert!(
            weights.iter().zip(&found).all(close),
            "seed {seed}: {weights:?} {found:?}"
        );
        let all: BTreeSet<Vec<u32>> = walk(&theirs);
        assert!(
            mine.iter()
                .all(|best| all.contains(&best.labels.iter().map(|l| l.raw()).collect::<Vec<_>>()))
        );
    }
}

/// All strings of an acceptor of rustfst with their weights (ours: larger is better).
fn walk_weights(fst: &Other) -> Vec<(Vec<u32>, f64)> {
    let mut found = Vec::new();
    let Some(start) = fst.start() else {
        return found;
    };
    let mut open = vec![(start, Vec::new(), 0.0f64)];
    while let Some((state, labels, weight)) = open.pop() {
        if let Some(last) = fst.final_weight(state).unwrap() {
            found.push((labels.clone(), weight - f64::from(*last.value())));
        }
        for tr in fst.get_trs(state).unwrap().trs() {
            let mut next = labels.clone();
            if tr.ilabel != 0 {
                next.push(tr.ilabel);
            }
            open.push((tr.nextstate, next, weight - f64::from(*tr.weight.value())));
        }
    }
    found
}

/// A squeezed acceptor accepts all that it did, and no more where nothing was merged but equal futures.
fn check_squeeze(fsa: &Fsa, seed: u64) {
    let Ok((squeezed, _)) = fsa.squeeze(&Stop::never()) else {
        return;
    };
    let (before, after) = (ours(fsa), ours(&squeezed));
    assert!(after.is_superset(&before), "seed {seed}");
    assert_eq!(
        after,
        walk(&determinize(&other(&squeezed)).unwrap()),
        "seed {seed}"
    );
}

fn random(seed: u64, weighted: bool) -> Fsa {
    let limits = Limits::default();
    let mut rng = SplitMix64::new(seed);
    let mut builder = FsaBuilder::new(&limits);
    let count = 3 + rng.below(5);
    let states: Vec<_> = (0..count).map(|_| builder.add_state().unwrap()).collect();
    for _ in 0..4 + rng.below(10) {
        let from = rng.below(count - 1);
        let to = from + 1 + rng.below(count - from - 1);
        let word = ["a", "b", "c"][rng.below(3) as usize];
        let weight = if weighted {
            rng.below(64) as f32 / -8.0
        } else {
            0.0
        };
        builder
            .add_weighted(
                states[from as usize],
                Some(word),
                states[to as usize],
                weight,
            )
            .unwrap();
    }
    builder.set_final(states[count as usize - 1], 0.0).unwrap();
    builder.build(states[0]).unwrap()
}

/// Both determinise and minimise 5,000 random acceptors to the same strings and sizes, and find the same
/// best strings; squeezed ones hold for both the same strings.
fn check_agreement() {
    let (limits, stop) = (Limits::default(), Stop::never());
    let mut compared = 0;
    for seed in 0..6_500 {
        let fsa = random(seed, false);
        if fsa.finals().next().is_none() {
            continue;
        }
        compared += 1;
        let theirs: Other = determinize(&other(&fsa)).unwrap();
        let mine = fsa.determinize(&limits, &stop).unwrap();
        assert_eq!(ours(&mine), walk(&theirs), "seed {seed}");
        let (mine, theirs) = (mine.minimize(&limits, &stop).unwrap(), minimal(&theirs));
        assert_eq!(ours(&mine), walk(&theirs), "seed {seed}");
        assert_eq!(mine.state_count(), theirs.num_states(), "seed {seed}");
        check_squeeze(&fsa, seed);
        check_best(&random(seed, true), seed);
    }
    assert!(compared >= 5_000, "{compared} acceptors");
    println!("{compared} random acceptors: the same strings, sizes and best strings");
}

/// Time of this thread on the processor; by the clock where the system does not tell.
fn now() -> Duration {
    thread_local!(static BEGAN: Instant = Instant::now());
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = stat.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| BEGAN.with(Instant::elapsed), Duration::from_nanos)
}

/// The mean time of each run, in milliseconds. The system counts processor time in ticks: only sums over
/// many runs say something.
fn means(rounds: usize, runs: &mut [&mut dyn FnMut() -> usize]) -> Vec<f64> {
    const REPEATED: usize = 10;
    let mut sums = vec![0.0; runs.len()];
    for _ in 0..rounds {
        for (run, sum) in runs.iter_mut().zip(&mut sums) {
            let began = now();
            for _ in 0..REPEATED {
                black_box(run());
            }
            *sum += (now() - began).as_secs_f64() * 1e3;
        }
    }
    sums.iter()
        .map(|sum| sum / (rounds * REPEATED) as f64)
        .collect()
}

fn compare(name: &str, pgen: &mut dyn FnMut() -> usize, rustfst: &mut dyn FnMut() -> usize) {
    let times = means(4, &mut [pgen, rustfst]);
    println!(
        "{name}: pgen {:.1} ms, rustfst {:.1} ms, ratio {:.1}",
        times[0],
        times[1],
        times[1] / times[0]
    );
}

fn algebra() {
    let (limits, stop) = (Limits::default(), Stop::never());
    let groups = groups(200);
    let unions: Vec<Fsa> = groups
        .iter()
        .map(|group| Fsa::from_sentences(group, &limits).unwrap())
        .collect();
    let others: Vec<Other> = unions.iter().map(other).collect();
    let deterministic: Vec<Fsa> = unions
        .iter()
        .map(|fsa| fsa.determinize(&limits, &stop).unwrap())
        .collect();
    let other_deterministic: Vec<Other> = deterministic.iter().map(other).collect();
    let minimized: Vec<Fsa> = deterministic
        .iter()
        .map(|fsa| fsa.minimize(&limits, &stop).unwrap())
        .collect();
    let other_minimized: Vec<Other> = minimized.iter().map(other).collect();
    println!("{} groups of 11 sentences", groups.len());
    compare(
        "determinise",
        &mut || {
            unions
                .iter()
                .map(|fsa| fsa.determinize(&limits, &stop).unwrap().state_count())
                .sum()
        },
        &mut || {
            others
                .iter()
                .map(|fst| determinize::<_, Other, Other>(fst).unwrap().num_states())
                .sum()
        },
    );
    compare(
        "minimise",
        &mut || {
            deterministic
                .iter()
                .map(|fsa| fsa.minimize(&limits, &stop).unwrap().state_count())
                .sum()
        },
        &mut || {
            other_deterministic
                .iter()
                .map(|fst| minimal(fst).num_states())
                .sum()
        },
    );
    compare(
        "best 100",
        &mut || {
            minimized
                .iter()
                .map(|fsa| fsa.best(100, &limits, &stop).unwrap().len())
                .sum()
        },
        &mut || {
            other_minimized
                .iter()
                .map(|fst| shortest(fst, 100).num_states())
                .sum()
        },
    );
    // rustfst does not squeeze; what comes nearest is the minimal acceptor of the same union.
    compare(
        "squeeze, against determinise and minimise",
        &mut || {
            unions
                .iter()
                .map(|fsa| fsa.squeeze(&stop).unwrap().0.state_count())
                .sum()
        },
        &mut || {
            others
                .iter()
                .map(|fst| minimal(&determinize(fst).unwrap()).num_states())
                .sum()
        },
    );
}

/// Merging, squeezing and aligning have no peer; these are absolute.
fn groups_to_automata() {
    let (limits, stop) = (Limits::default(), Stop::never());
    let Ok(lines) = Lines::open(&data("annotated/asset.valid.conllu.gz"), &limits) else {
        println!("skipped: no annotated/asset.valid.conllu.gz");
        return;
    };
    let mut reader = GroupReader::new(lines, Default::default(), &limits);
    let mut all = Vec::new();
    while let Some(group) = reader.next_group().unwrap() {
        all.push(group);
    }
    // The group nearest to 45 words a sentence.
    let words = |group: &pgen_fsa::Group| {
        group
            .members
            .iter()
            .map(|m| m.tree.leaf_count())
            .sum::<usize>()
    };
    let long = all
        .iter()
        .min_by_key(|group| words(group).abs_diff(45 * 11))
        .unwrap();
    let mut merge = || {
        let mut forest = Forest::new(Default::default(), &limits);
        long.members
            .iter()
            .for_each(|member| forest.merge(&member.tree).unwrap());
        forest.to_fsa(&stop).unwrap().0.state_count()
    };
    let mean = words(long) as f64 / long.members.len() as f64;
    println!(
        "merge and squeeze 11 sentences of {mean:.1} words: {:.2} ms",
        means(10, &mut [&mut merge])[0]
    );
    let members: Vec<_> = all
        .iter()
        .flat_map(|group| &group.members)
        .take(79)
        .collect();
    let cluster: Vec<Aligned> = members
        .iter()
        .map(|member| Aligned {
            words: member.normal_words(),
            syntax: Some((
                member
                    .tree
                    .leaves()
                    .map(|leaf| leaf.label().to_owned())
                    .collect(),
                member.chunks(&limits).unwrap(),
            )),
        })
        .collect();
    let settings = [
        ("V1", MsaParams::new(Version::V1)),
        ("V4", MsaParams::new(Version::V4)),
        ("Barzilay-Lee", MsaParams::barzilay_lee()),
    ];
    for (name, params) in settings {
        let mut run = || {
            align(&cluster, &params, &limits, &stop)
                .unwrap()
                .fsa
                .state_count()
        };
        println!(
            "align 79 sentences, {name}: {:.1} ms",
            means(3, &mut [&mut run])[0]
        );
    }
}

fn main() {
    check_agreement();
    algebra();
    groups_to_automata();
}
