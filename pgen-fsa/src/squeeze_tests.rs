//! The fast squeezer against the definition.

use super::*;
use crate::symbols::Symbols;
use pgen_core::SplitMix64;
use std::collections::{BTreeMap, BTreeSet};

type Arcs = BTreeSet<(u32, Label, u32)>;

/// Kahn's order, smallest number first.
fn order(arcs: &Arcs) -> Vec<u32> {
    let mut nodes: BTreeSet<u32> = [BEGIN, END].into();
    let mut into: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for &(from, _, to) in arcs {
        nodes.extend([from, to]);
        into.entry(to).or_default().insert(from);
    }
    let mut order = Vec::new();
    while let Some(&node) = nodes
        .iter()
        .find(|node| into.get(node).is_none_or(BTreeSet::is_empty))
    {
        nodes.remove(&node);
        into.values_mut().for_each(|from| {
            from.remove(&node);
        });
        order.push(node);
    }
    assert!(nodes.is_empty(), "a cycle");
    order
}

fn reachable(arcs: &Arcs, from: u32) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for &(_, _, to) in arcs.iter().filter(|arc| arc.0 == node) {
            if seen.insert(to) {
                open.push(to);
            }
        }
    }
    seen
}

/// The definition, step by step from the start each time.
fn slow(mut arcs: Arcs) -> (Arcs, usize) {
    loop {
        let order = order(&arcs);
        let reach: BTreeMap<u32, _> = order
            .iter()
            .map(|&node| (node, reachable(&arcs, node)))
            .collect();
        let (mut merge, mut blocked) = (None, 0);
        for side in [Side::Out, Side::In] {
            let nodes: Vec<u32> = match side {
                Side::Out => order.clone(),
                Side::In => order.iter().rev().copied().collect(),
            };
            for node in nodes {
                let mut groups: BTreeMap<Label, BTreeSet<u32>> = BTreeMap::new();
                for &(from, label, to) in &arcs {
                    match side {
                        Side::Out if from == node => groups.entry(label).or_default().insert(to),
                        Side::In if to == node => groups.entry(label).or_default().insert(from),
                        _ => false,
                    };
                }
                for group in groups.values() {
                    for &x in group {
                        for &y in group.range(x + 1..) {
                            if reach[&x].contains(&y) || reach[&y].contains(&x) {
                                blocked += 1;
                            } else if merge.is_none() {
                                merge = Some((x, y));
                            }
                        }
                    }
                }
            }
            if merge.is_some() {
                break;
            }
        }
        let Some((x, y)) = merge else {
            return (arcs, blocked);
        };
        let rename = |node: u32| if node == y { x } else { node };
        arcs = arcs
            .into_iter()
            .map(|(from, label, to)| (rename(from), label, rename(to)))
            .collect();
    }
}

/// Paths of their own for each string, states numbered in order.
fn graph(strings: &[Vec<u32>]) -> Graph {
    let symbols = Symbols::new((0..10).map(|n| n.to_string())).unwrap();
    let mut arcs = Vec::new();
    let mut states = 2;
    for string in strings {
        let mut here = BEGIN;
        for (at, &word) in string.iter().enumerate() {
            let next = if at + 1 == string.len() { END } else { states };
            states += u32::from(next == states);
            arcs.push((here, Label::new(word + 1), next));
            here = next;
        }
    }
    Graph::new(symbols, states, arcs)
}

fn check(graph: Graph) -> usize {
    let (wanted, blocked) = slow(graph.arcs.iter().copied().collect());
    let (fast, report) = squeeze_graph(graph, &Stop::never()).unwrap();
    assert_eq!(fast.arcs, wanted.into_iter().collect::<Vec<_>>());
    assert_eq!(report.blocked, blocked);
    let again = squeeze_graph(fast.clone(), &Stop::never()).unwrap();
    assert_eq!((again.0.arcs, again.1.merges), (fast.arcs, 0));
    report.blocked
}

#[test]
fn equals_the_definition_on_random_groups() {
    let mut rng = SplitMix64::new(1);
    let mut with_blocks = 0;
    for _ in 0..2_000 {
        let words = 2 + rng.below(4);
        let strings: Vec<Vec<u32>> = (0..1 + rng.below(5))
            .map(|_| {
                (0..1 + rng.below(6))
                    .map(|_| rng.below(words) as u32)
                    .collect()
            })
            .collect();
        with_blocks += usize::from(check(graph(&strings)) > 0);
    }
    assert!(with_blocks > 200, "{with_blocks}");
}

#[test]
fn search_and_matrix_agree() {
    let mut rng = SplitMix64::new(2);
    for _ in 0..200 {
        let strings: Vec<Vec<u32>> = (0..4)
            .map(|_| (0..1 + rng.below(6)).map(|_| rng.below(3) as u32).collect())
            .collect();
        let graph = graph(&strings);
        let stop = Stop::never();
        let squeezer = Squeezer::new(&graph, &stop);
        for x in 0..graph.states {
            for y in (0..graph.states).filter(|&y| y != x) {
                let searched = Reach::Search.comparable(x, y, &squeezer.links[0]);
                assert_eq!(
                    squeezer.reach.comparable(x, y, &squeezer.links[0]),
                    searched
                );
            }
        }
    }
}

#[test]
fn golden_cases() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../tests/golden/p03_squeeze.json")).unwrap();
    for case in golden["cases"].as_array().unwrap() {
        let texts: Vec<Vec<&str>> = case["strings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|text| text.as_str().unwrap().split(' ').collect())
            .collect();
        let symbols = Symbols::new(texts.iter().flatten()).unwrap();
        let numbers: Vec<Vec<u32>> = texts
            .iter()
            .map(|text| {
                text.iter()
                    .map(|word| symbols.label(word).unwrap().raw() - 1)
                    .collect()
            })
            .collect();
        let raw = Graph {
            symbols: symbols.clone(),
            ..graph(&numbers)
        };
        let (squeezed, report) = squeeze_graph(raw, &Stop::never()).unwrap();
        let fsa = squeezed.into_fsa().unwrap();
        let edges: Vec<serde_json::Value> = fsa
            .transitions()
            .iter()
            .map(|t| serde_json::json!([t.from.raw(), fsa.text(t.label), t.to.raw()]))
            .collect();
        assert_eq!(
            serde_json::Value::from(edges),
            case["edges"],
            "{}",
            case["name"]
        );
        assert_eq!(
            report.blocked as u64,
            case["blocked_pairs_at_fixpoint"].as_u64().unwrap()
        );
        assert_eq!(fsa.path_count().to_u64(), case["n_paths"].as_u64());
        assert_eq!(serde_json::json!(fsa.strings(100)), case["out_strings"]);
    }
}
