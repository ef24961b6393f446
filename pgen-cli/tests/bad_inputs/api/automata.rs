//! Automata and lattices.

use super::must;
use crate::probes::{Failure, Result, broken, lines};
use pgen::core::codec::{Container, Cursor, Encoder, Packing, to_bytes};
use pgen::core::{
    EdgeSpec, FeatureSet, LatticeBuilder, Lexicon, Limits, NodeId, SplitMix64, Stop, Vocab,
};
use pgen::fsa::{Fsa, FsaBuilder, Labels, Sampling, StateId, read_att};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) fn run(name: &str) -> Option<Result> {
    Some(match name {
        "an automaton without states" => build(0, &[], &[], 0).map(show),
        "one state that is not final" => nothing_final(),
        "a start that is no state" => build(2, &[], &[], 7).map(show),
        "a transition to no state" => build(3, &[(0, "a", u32::MAX, 0.0)], &[], 0).map(show),
        "a transition from no state" => build(3, &[(9, "a", 0, 0.0)], &[], 0).map(show),
        "a final weight for no state" => build(3, &[], &[(9, 0.0)], 0).map(show),
        "a million transitions of one state" => million_transitions(),
        "a chain of a million states" => chain(999_999).map(|fsa| fsa.path_count().to_string()),
        "parallel transitions determinised" => parallel(0.0, 1),
        "parallel weights determinised" => parallel(-1.0, 1),
        "determinisation stops at its limit" | "exponential determinisation" => exponential(),
        "a weight that is no number" => {
            build(2, &[(0, "a", 1, f32::NAN)], &[(1, 0.0)], 0).map(show)
        }
        "weights that overflow" => overflow(),
        "a label that no table has" => label_of_no_table(),
        "labels with white space" => build(2, &[(0, "a b", 1, 0.0)], &[(1, 0.0)], 0).map(show),
        "announced counts are not believed" => announced(10),
        "announced counts are not allocated" => announced(1 << 60),
        "positions outside a container" => outside(),
        "a section that is missing" => missing_section(),
        "a text longer than its section" => long_text(),
        "a lattice beyond its limits" => big_lattice(),
        "edges that go backwards" => backwards(),
        "a union of ten thousand automata" => union(),
        "an intersection beyond its limits" => intersection(),
        "an intersection with nothing" => with_nothing(),
        "minimised twice" => minimised_twice(),
        "no best strings" => best(0),
        "all best strings there can be" => best(usize::MAX),
        "a million equal weights" => equal_weights(),
        "a million strings drawn" => drawn(),
        "nothing to draw" => nothing_to_draw(),
        "dropped on a small stack" => small_stack(),
        _ => return None,
    })
}

type Arc4<'a> = (u32, &'a str, u32, f32);

fn build(states: usize, arcs: &[Arc4<'_>], finals: &[(u32, f32)], start: u32) -> Result<Fsa> {
    let mut builder = FsaBuilder::new(&Limits::default());
    for _ in 0..states {
        builder.add_state()?;
    }
    for &(from, word, to, weight) in arcs {
        builder.add_weighted(StateId::new(from), Some(word), StateId::new(to), weight)?;
    }
    for &(state, weight) in finals {
        builder.set_final(StateId::new(state), weight)?;
    }
    Ok(builder.build(StateId::new(start))?)
}

fn show(fsa: Fsa) -> String {
    format!("{} states, {} paths", fsa.state_count(), fsa.path_count())
}

fn limits() -> Limits {
    Limits::default()
}

fn nothing_final() -> Result {
    let fsa = build(1, &[], &[], 0)?;
    let best = fsa.best(3, &limits(), &Stop::never())?;
    let sampler = fsa.sampler(Sampling::UniformString, &limits(), &Stop::never())?;
    let drawn = sampler.draw(&mut SplitMix64::new(0));
    must(
        best.is_empty() && drawn.is_none(),
        "nothing comes of nothing",
    )?;
    Ok(format!("{} paths, best none, drawn none", fsa.path_count()))
}

fn million_transitions() -> Result {
    let words: Vec<String> = (0..1_000_000).map(|at| format!("w{at}")).collect();
    let arcs: Vec<Arc4<'_>> = words.iter().map(|word| (0, &**word, 1, 0.0)).collect();
    let fsa = build(2, &arcs, &[(1, 0.0)], 0)?;
    must(fsa.strings(2).len() == 2, "two of them")?;
    Ok(show(fsa))
}

fn chain(length: u32) -> Result<Fsa> {
    let arcs: Vec<Arc4<'_>> = (0..length).map(|at| (at, "a", at + 1, 0.0)).collect();
    build(length as usize + 1, &arcs, &[(length, 0.0)], 0)
}

fn parallel(second: f32, expected: usize) -> Result {
    let fsa = build(2, &[(0, "a", 1, 0.0), (0, "a", 1, second)], &[(1, 0.0)], 0)?;
    let made = fsa.determinize(&limits(), &Stop::never())?;
    must(
        made.strings(9) == ["a"] && made.transitions().len() == expected,
        "one transition",
    )?;
    let best = made.best(9, &limits(), &Stop::never())?;
    must(
        best.len() == 1 && best[0].weight == 0.0,
        "the better weight",
    )?;
    Ok(String::new())
}

/// Words of which the one k before the end is `a`: the deterministic automaton has 2^k states.
fn exponential() -> Result {
    let (k, n) = (22u32, 60u32);
    // Acyclic: layer i, not yet guessed or d steps after the guess.
    let mut arcs = Vec::new();
    let state = |i: u32, d: u32| i * (k + 2) + d;
    for i in 0..n {
        for word in ["a", "b"] {
            arcs.push((state(i, 0), word, state(i + 1, 0), 0.0));
            for d in 1..=k {
                arcs.push((state(i, d), word, state(i + 1, d + 1), 0.0));
            }
        }
        arcs.push((state(i, 0), "a", state(i + 1, 1), 0.0));
    }
    let finals: Vec<(u32, f32)> = (0..=n).map(|i| (state(i, k + 1), 0.0)).collect();
    let fsa = build(((n + 1) * (k + 2)) as usize, &arcs, &finals, 0)?;
    let mut limits = limits();
    limits.nodes = 100_000;
    Ok(show(fsa.determinize(&limits, &Stop::never())?))
}

fn overflow() -> Result {
    let arcs: Vec<Arc4<'_>> = (0..10).map(|at| (at, "a", at + 1, -3e38)).collect();
    let fsa = build(11, &arcs, &[(10, 0.0)], 0)?;
    let best = fsa.best(1, &limits(), &Stop::never())?;
    must(best.iter().all(|string| !string.weight.is_nan()), "no NaN")?;
    Ok(format!("{:?}", best.first().map(|string| string.weight)))
}

fn label_of_no_table() -> Result {
    let symbols = hashbrown::HashMap::from_iter([(1u64, "a".to_owned())]);
    let mut lines = lines(b"0 1 7\n1\n", &limits())?;
    let fsa = read_att(&mut lines, &Labels::Numbers(&symbols), &limits())?;
    Ok(fsa.map_or("none".into(), show))
}

/// A section that announces so many numbers and holds three.
fn announced(count: u64) -> Result {
    let mut content = Encoder::new();
    content.u64(count);
    content.raw(&[1; 12]);
    let numbers = Cursor::new(content.bytes(), "numbers").u32s()?;
    Ok(numbers.len().to_string())
}

fn outside() -> Result {
    let mut content = Encoder::new();
    content.u32s(&[1, 2, 3]);
    let mut bytes = to_bytes("example", |out| {
        out.section("numbers", Packing::Plain, &content)
    })?;
    // The place of the section table, with the header's checksum made right.
    bytes[48..56].copy_from_slice(&u64::MAX.to_le_bytes());
    let sum = crc32fast::hash(&bytes[..60]);
    bytes[60..64].copy_from_slice(&sum.to_le_bytes());
    Container::from_bytes(&bytes[..], &limits())?;
    Ok("accepted".into())
}

fn missing_section() -> Result {
    let bytes = to_bytes("example", |_| Ok(()))?;
    let container = Container::from_bytes(&bytes[..], &limits())?;
    container.section("symbols")?;
    Ok("accepted".into())
}

fn long_text() -> Result {
    for announced in [u64::MAX, 1 << 31, 5] {
        let mut content = Encoder::new();
        content.u64(announced);
        content.raw(b"abcd");
        let mut cursor = Cursor::new(content.bytes(), "text");
        let error = cursor.str().err().ok_or_else(|| broken("accepted"))?;
        if announced == 5 {
            return Err(error.into());
        }
    }
    Ok(String::new())
}

fn lattice_builder(limits: &Limits) -> LatticeBuilder {
    let features = Arc::new(FeatureSet::new(Vec::new()));
    LatticeBuilder::new(features, Lexicon::new(Arc::new(Vocab::new())), limits)
}

fn edge(from: u32, to: u32) -> EdgeSpec<'static> {
    EdgeSpec {
        from: NodeId::new(from),
        to: NodeId::new(to),
        span: None,
        words: &[],
        features: &[],
        unit: None,
    }
}

fn big_lattice() -> Result {
    let mut limits = limits();
    (limits.nodes, limits.edges) = (100_000, 1_000_000);
    let mut builder = lattice_builder(&limits);
    builder.add_nodes(100_000)?;
    for at in 0..u32::MAX {
        builder.add_edge(edge(at % 99_999, at % 99_999 + 1))?;
    }
    Ok("accepted".into())
}

fn backwards() -> Result {
    let mut builder = lattice_builder(&limits());
    builder.add_nodes(3)?;
    for (from, to) in [(0, 1), (1, 2), (2, 1)] {
        builder.add_edge(edge(from, to))?;
    }
    builder.build(NodeId::new(0), NodeId::new(2))?;
    Ok("accepted".into())
}

fn union() -> Result {
    let words: Vec<String> = (0..10_000).map(|at| format!("w{at}")).collect();
    let parts = words
        .iter()
        .map(|word| build(2, &[(0, word, 1, 0.0)], &[(1, 0.0)], 0));
    let parts: Vec<Fsa> = parts.collect::<Result<_>>()?;
    let parts: Vec<&Fsa> = parts.iter().collect();
    Ok(show(Fsa::union(&parts, &limits())?))
}

fn intersection() -> Result {
    // Every state of one meets every state of the other of its depth.
    let wide = || {
        let mut arcs = Vec::new();
        for layer in 0..10u32 {
            for a in 0..100 {
                for b in 0..100 {
                    arcs.push((layer * 100 + a, "x", (layer + 1) * 100 + b, 0.0));
                }
            }
        }
        build(1100, &arcs, &[(1000, 0.0)], 0)
    };
    let mut limits = limits();
    limits.nodes = 20_000;
    Ok(show(wide()?.intersect(
        &wide()?,
        &limits,
        &Stop::never(),
    )?))
}

fn with_nothing() -> Result {
    let one = build(2, &[(0, "a", 1, 0.0)], &[(1, 0.0)], 0)?;
    let none = Fsa::empty(Arc::clone(one.symbols()));
    let made = one.intersect(&none, &limits(), &Stop::never())?;
    Ok(format!("{} paths", made.path_count()))
}

fn minimised_twice() -> Result {
    let sentences: Vec<Vec<&str>> = vec![
        vec!["a", "b", "c"],
        vec!["a", "d", "c"],
        vec!["e", "b", "c"],
    ];
    let fsa = Fsa::from_sentences(&sentences, &limits());
    let fsa = fsa?;
    let once = fsa.minimize(&limits(), &Stop::never())?;
    let twice = once.minimize(&limits(), &Stop::never())?;
    must(
        once.state_count() == twice.state_count(),
        "nothing is left to merge",
    )?;
    must(once.strings(9) == fsa.strings(9), "the same strings")?;
    Ok(show(twice))
}

fn best(n: usize) -> Result {
    let words: Vec<String> = (0..10).map(|at| format!("w{at}")).collect();
    let arcs: Vec<Arc4<'_>> = words.iter().map(|word| (0, &**word, 1, 0.0)).collect();
    let fsa = build(2, &arcs, &[(1, 0.0)], 0)?;
    Ok(fsa.best(n, &limits(), &Stop::never())?.len().to_string())
}

fn equal_weights() -> Result {
    let mut arcs = Vec::new();
    for at in 0..20 {
        arcs.push((at, "b", at + 1, 0.0));
        arcs.push((at, "a", at + 1, 0.0));
    }
    let fsa = build(21, &arcs, &[(20, 0.0)], 0)?;
    let best = fsa.best(5000, &limits(), &Stop::never())?;
    let texts: Vec<String> = best
        .iter()
        .map(|string| fsa.join_words(&string.labels))
        .collect();
    must(
        texts.len() == 5000 && texts.is_sorted(),
        "ties are in order of their words",
    )?;
    Ok(show(fsa))
}

fn drawn() -> Result {
    let arcs = [
        (0, "a", 1, 0.0),
        (0, "b", 1, 0.0),
        (1, "c", 2, 0.0),
        (1, "d", 2, 0.0),
        (0, "e", 2, 0.0),
    ];
    let fsa = build(3, &arcs, &[(2, 0.0)], 0)?;
    let sampler = fsa.sampler(Sampling::UniformString, &limits(), &Stop::never())?;
    let count = |seed| {
        let mut rng = SplitMix64::new(seed);
        let mut counts = BTreeMap::new();
        for _ in 0..500_000 {
            let drawn = sampler
                .draw(&mut rng)
                .ok_or_else(|| broken("nothing drawn"))?;
            *counts.entry(drawn).or_insert(0u64) += 1;
        }
        Ok::<_, Failure>(counts)
    };
    let (first, second) = (count(1)?, count(1)?);
    must(first == second, "the same seed draws the same")?;
    let expected = 100_000.0;
    let chi: f64 = first
        .values()
        .map(|&n| (n as f64 - expected).powi(2) / expected)
        .sum();
    // 4 degrees of freedom: a chance of one in a million is at 33.4.
    must(first.len() == 5 && chi < 33.4, &format!("chi-square {chi}"))?;
    Ok(format!("chi-square {chi:.2}"))
}

fn nothing_to_draw() -> Result {
    let fsa = build(2, &[(0, "a", 1, 0.0)], &[], 0)?;
    for how in [
        Sampling::Walk,
        Sampling::UniformPath,
        Sampling::UniformString,
    ] {
        let sampler = fsa.sampler(how, &limits(), &Stop::never())?;
        must(
            sampler.draw(&mut SplitMix64::new(3)).is_none(),
            "nothing is drawn",
        )?;
    }
    Ok("none".into())
}

fn small_stack() -> Result {
    let work = || {
        let fsa = chain(999_999)?;
        let again = fsa.clone();
        drop(fsa);
        Ok::<_, Failure>(again.state_count())
    };
    let thread = std::thread::Builder::new().stack_size(64 << 10).spawn(work);
    let states = thread
        .map_err(broken)?
        .join()
        .map_err(|_| broken("a panic"))??;
    must(states == 1_000_000, "all states")?;
    Ok(String::new())
}
