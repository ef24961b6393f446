//! Automata of sentence groups against rustfst: the same acceptors, the same work.
//!
//! `cargo bench --bench automata`; the groups are those of `../shared/data/groups/asset.valid.tsv.gz`.

use criterion::{Criterion, criterion_group, criterion_main};
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
    let words = |text: &str| text.to_lowercase().split_whitespace().map(str::to_owned).collect();
    lines.map(|line| line.unwrap().split('\t').skip(1).map(words).collect()).collect()
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
        made.add_tr(t.from.raw(), Tr::new(label, label, weight, t.to.raw())).unwrap();
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
    let config = ShortestPathConfig::default().with_nshortest(n).with_unique(true);
    shortest_path_with_config(fst, config).unwrap()
}

/// All strings of an acceptor of rustfst, by walking it.
fn walk(fst: &Other) -> BTreeSet<Vec<u32>> {
    let mut found = BTreeSet::new();
    let Some(start) = fst.start() else { return found };
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
    fsa.paths(usize::MAX).into_iter().map(|path| path.into_iter().map(Label::raw).collect()).collect()
}

/// Both determinise and minimise 5,000 random acceptors to the same strings and sizes.
fn check_agreement() {
    let (limits, stop) = (Limits::default(), Stop::never());
    for seed in 0..5_000 {
        let mut rng = SplitMix64::new(seed);
        let mut builder = FsaBuilder::new(&limits);
        let count = 3 + rng.below(5);
        let states: Vec<_> = (0..count).map(|_| builder.add_state().unwrap()).collect();
        for _ in 0..4 + rng.below(10) {
            let from = rng.below(count - 1);
            let to = from + 1 + rng.below(count - from - 1);
            let word = ["a", "b", "c"][rng.below(3) as usize];
            builder.add(states[from as usize], word, states[to as usize]).unwrap();
        }
        builder.set_final(states[count as usize - 1], 0.0).unwrap();
        let fsa = builder.build(states[0]).unwrap();
        if fsa.finals().next().is_none() {
            continue;
        }
        let theirs: Other = determinize(&other(&fsa)).unwrap();
        let mine = fsa.determinize(&limits, &stop).unwrap();
        assert_eq!(ours(&mine), walk(&theirs), "seed {seed}");
        let (mine, theirs) = (mine.minimize(&limits, &stop).unwrap(), minimal(&theirs));
        assert_eq!(ours(&mine), walk(&theirs), "seed {seed}");
        assert_eq!(mine.state_count(), theirs.num_states(), "seed {seed}");
    }
}

fn algebra(c: &mut Criterion) {
    check_agreement();
    let (limits, stop) = (Limits::default(), Stop::never());
    let groups = groups(200);
    let unions: Vec<Fsa> =
        groups.iter().map(|group| Fsa::from_sentences(group, &limits).unwrap()).collect();
    let others: Vec<Other> = unions.iter().map(other).collect();
    let deterministic: Vec<Fsa> =
        unions.iter().map(|fsa| fsa.determinize(&limits, &stop).unwrap()).collect();
    let other_deterministic: Vec<Other> = deterministic.iter().map(other).collect();
    let minimized: Vec<Fsa> =
        deterministic.iter().map(|fsa| fsa.minimize(&limits, &stop).unwrap()).collect();
    let other_minimized: Vec<Other> = minimized.iter().map(other).collect();

    let mut group = c.benchmark_group("200 groups of 11 sentences");
    group.sample_size(10);
    group.bench_function("determinize/pgen", |b| {
        b.iter(|| unions.iter().map(|fsa| fsa.determinize(&limits, &stop).unwrap().state_count()).sum::<usize>())
    });
    group.bench_function("determinize/rustfst", |b| {
        b.iter(|| others.iter().map(|fst| determinize::<_, Other, Other>(black_box(fst)).unwrap().num_states()).sum::<usize>())
    });
    group.bench_function("minimize/pgen", |b| {
        b.iter(|| deterministic.iter().map(|fsa| fsa.minimize(&limits, &stop).unwrap().state_count()).sum::<usize>())
    });
    group.bench_function("minimize/rustfst", |b| {
        b.iter(|| other_deterministic.iter().map(|fst| minimal(fst).num_states()).sum::<usize>())
    });
    group.bench_function("best 100/pgen", |b| {
        b.iter(|| minimized.iter().map(|fsa| fsa.best(100, &limits, &stop).unwrap().len()).sum::<usize>())
    });
    group.bench_function("best 100/rustfst", |b| {
        b.iter(|| other_minimized.iter().map(|fst| shortest(fst, 100).num_states()).sum::<usize>())
    });
    group.finish();
}

/// Merging, squeezing and aligning have no peer; these are absolute.
fn groups_to_automata(c: &mut Criterion) {
    let (limits, stop) = (Limits::default(), Stop::never());
    let Ok(lines) = Lines::open(&data("annotated/asset.valid.conllu.gz"), &limits) else {
        eprintln!("skipped: no annotated/asset.valid.conllu.gz");
        return;
    };
    let mut reader = GroupReader::new(lines, Default::default(), &limits);
    let mut all = Vec::new();
    while let Some(group) = reader.next_group().unwrap() {
        all.push(group);
    }
    // The group nearest to 45 words a sentence.
    let words = |group: &pgen_fsa::Group| group.members.iter().map(|m| m.tree.leaf_count()).sum::<usize>();
    let long = all.iter().min_by_key(|group| words(group).abs_diff(45 * 11)).unwrap();
    let mut group = c.benchmark_group("groups to automata");
    group.sample_size(10);
    group.bench_function("merge and squeeze, 11 sentences of 45 words", |b| {
        b.iter(|| {
            let mut forest = Forest::new(Default::default(), &limits);
            long.members.iter().for_each(|member| forest.merge(&member.tree).unwrap());
            forest.to_fsa(&stop).unwrap().0.state_count()
        })
    });
    let sentences: Vec<Vec<String>> = long.members.iter().map(|m| m.normal_words()).collect();
    let raw = Fsa::from_sentences(&sentences, &limits).unwrap();
    group.bench_function("squeeze 11 paths of 45 words", |b| {
        b.iter(|| raw.squeeze(&stop).unwrap().1.merges)
    });
    let members: Vec<_> = all.iter().flat_map(|group| &group.members).take(79).collect();
    let cluster: Vec<Aligned> = members
        .iter()
        .map(|member| Aligned {
            words: member.normal_words(),
            syntax: Some((
                member.tree.leaves().map(|leaf| leaf.label().to_owned()).collect(),
                member.chunks(&limits).unwrap(),
            )),
        })
        .collect();
    for version in [Version::V1, Version::V4] {
        group.bench_function(format!("align 79 sentences, {version}"), |b| {
            b.iter(|| align(&cluster, &MsaParams::new(version), &limits, &stop).unwrap().fsa.state_count())
        });
    }
    group.finish();
}

criterion_group!(benches, algebra, groups_to_automata);
criterion_main!(benches);
