//! Input that lies, is too much, or is nothing: each has its error or its documented result.

use pgen_core::{Chunks, Dependencies, Limits, Lines, Stop, Tree};
use pgen_fsa::{
    Aligned, Forest, Fsa, FsaBuilder, GroupReader, Labels, MergeParams, MsaParams, Sampling,
    Version, align, constituents, read_att,
};
use proptest::prelude::*;

fn limits() -> Limits {
    Limits::default()
}

fn stop() -> Stop {
    Stop::never()
}

fn groups(text: &str) -> GroupReader {
    let lines = Lines::from_text(text, &limits()).unwrap();
    GroupReader::new(lines, Default::default(), &limits())
}

fn lexical(text: &str) -> Aligned {
    Aligned {
        words: text.split_whitespace().map(str::to_owned).collect(),
        syntax: None,
    }
}

#[test]
fn an_unbalanced_tree_is_named_and_the_next_group_is_read() {
    for bad in ["(S (NN a)", "(S (NN a)))", "(S (NN a) b)", "((((", "(S ())"] {
        let mut groups = groups(&format!("{bad}\n\n(S (NN b))\n"));
        let error = groups.next_group().unwrap_err();
        assert!(
            ["bad-tree", "syntax"].contains(&error.code()),
            "{bad}: {error}"
        );
        let next = groups.next_group().unwrap();
        assert!(
            next.is_none_or(|group| group.members[0].normal_words() == ["b"]),
            "{bad}"
        );
    }
}

#[test]
fn a_million_levels_are_merged_or_refused() {
    let deep = |depth: usize| format!("{}(NN x){}", "(A ".repeat(depth), ")".repeat(depth));
    let mut wide = limits();
    (wide.depth, wide.nodes, wide.edges) = (usize::MAX, usize::MAX, usize::MAX);
    wide.line_bytes = usize::MAX;
    let tree = Tree::parse(&deep(1_000_000), &wide).unwrap();
    let mut forest = Forest::new(MergeParams::default(), &wide);
    forest.merge(&tree).unwrap();
    forest.merge(&tree).unwrap();
    assert_eq!(
        forest.to_fsa(&stop()).unwrap().0.path_count().to_u64(),
        Some(1)
    );
    let mut tight = limits();
    tight.depth = 100;
    assert_eq!(
        Tree::parse(&deep(101), &tight).unwrap_err().code(),
        "limit-exceeded"
    );
}

#[test]
fn a_chain_of_dependencies_as_long_as_allowed() {
    let count = 20_000u32;
    let arcs: Vec<(Option<u32>, &str)> = (0..count)
        .map(|at| (at.checked_sub(1), if at == 0 { "root" } else { "dobj" }))
        .collect();
    let dependencies = Dependencies::new(&arcs).unwrap();
    let words = vec!["w"; count as usize];
    for tag in ["NN", "VB", "IN", "X"] {
        let tags = vec![tag; count as usize];
        match constituents(&words, &tags, &dependencies, &limits()) {
            Ok(tree) => assert_eq!(tree.leaf_count(), count as usize),
            Err(error) => assert_eq!(error.code(), "limit-exceeded"),
        }
    }
}

#[test]
fn empty_groups_and_sentences() {
    assert_eq!(
        align(&[], &MsaParams::default(), &limits(), &stop())
            .unwrap_err()
            .code(),
        "empty-group"
    );
    let cluster = [lexical("a"), lexical("")];
    let error = align(&cluster, &MsaParams::new(Version::V1), &limits(), &stop()).unwrap_err();
    assert_eq!(error.code(), "empty-sentence");
    assert_eq!(
        constituents::<&str, &str>(
            &[],
            &[],
            &Dependencies::new::<&str>(&[]).unwrap(),
            &limits()
        )
        .unwrap_err()
        .code(),
        "bad-tree"
    );
    // Nothing but punctuation is left out and counted.
    let group = groups("(. .)\n(NN a)\n").next_group().unwrap().unwrap();
    assert_eq!((group.members.len(), group.empty), (1, 1));
    assert!(groups("\n\n").next_group().unwrap().is_none());
    let fsa = Forest::new(MergeParams::default(), &limits())
        .to_fsa(&stop())
        .unwrap()
        .0;
    assert!(fsa.path_count().is_zero());
}

#[test]
fn cycles_and_unknown_states() {
    let read = |text: &str| {
        let mut lines = Lines::from_text(text, &limits()).unwrap();
        read_att(&mut lines, &Labels::Words, &limits())
    };
    let error = read("0 1 a\n1 2 b\n2 1 c\n2\n").unwrap_err();
    assert!(error.to_string().contains("state"), "{error}");
    assert_eq!(error.code(), "cyclic-graph");
    let mut builder = FsaBuilder::new(&limits());
    let start = builder.add_state().unwrap();
    let mut others = FsaBuilder::new(&limits());
    let unknown = (0..3).map(|_| others.add_state().unwrap()).last().unwrap();
    let error = builder
        .add(start, "a", unknown)
        .and_then(|()| builder.build(start).map(|_| ()));
    assert_eq!(error.unwrap_err().code(), "unknown-state");
    // A bad automaton is read to its end: the one behind it is there.
    let mut lines = Lines::from_text("0 1 a NaN\n1 2 b\n2\n\n0 1 c\n1\n", &limits()).unwrap();
    assert_eq!(
        read_att(&mut lines, &Labels::Words, &limits())
            .unwrap_err()
            .code(),
        "syntax"
    );
    let next = read_att(&mut lines, &Labels::Words, &limits())
        .unwrap()
        .unwrap();
    assert!(next.accepts(&["c"]));
}

/// A chain of choices between words.
fn sausage(length: usize, choices: usize) -> Fsa {
    let mut builder = FsaBuilder::new(&limits());
    let mut here = builder.add_state().unwrap();
    let start = here;
    let words: Vec<String> = (0..choices).map(|word| format!("w{word}")).collect();
    for _ in 0..length {
        let next = builder.add_state().unwrap();
        words
            .iter()
            .for_each(|word| builder.add(here, word, next).unwrap());
        here = next;
    }
    builder.set_final(here, 0.0).unwrap();
    builder.build(start).unwrap()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "release only")]
fn a_million_transitions() {
    let fsa = sausage(1_000, 1_000);
    assert_eq!(fsa.transitions().len(), 1_000_000);
    assert_eq!(
        fsa.minimize(&limits(), &stop()).unwrap().state_count(),
        1_001
    );
    assert_eq!(fsa.squeeze(&stop()).unwrap().1.merges, 0);
    let mut text = Vec::new();
    fsa.write_att(&mut text, false).unwrap();
    let mut lines = Lines::from_text(std::str::from_utf8(&text).unwrap(), &limits()).unwrap();
    let again = read_att(&mut lines, &Labels::Words, &limits())
        .unwrap()
        .unwrap();
    assert_eq!(again.path_count(), fsa.path_count());
}

#[test]
fn more_paths_than_ten_to_the_thirty() {
    let fsa = sausage(31, 11);
    assert_eq!(
        fsa.path_count().to_string(),
        (11u128.pow(29) * 121).to_string()
    );
    assert_eq!(fsa.path_count().to_u64(), None);
    assert!((fsa.path_count().ln() - 31.0 * 11f64.ln()).abs() < 1e-9);
    assert!(
        fsa.statistics(&limits(), &stop())
            .unwrap()
            .strings
            .is_some()
    );
    let sampler = fsa
        .sampler(Sampling::UniformString, &limits(), &stop())
        .unwrap();
    assert_eq!(
        sampler
            .draw(&mut pgen_core::SplitMix64::new(0))
            .unwrap()
            .len(),
        31
    );
    assert!(
        fsa.to_svg("wide", &limits(), &stop())
            .unwrap()
            .ends_with("</svg>\n")
    );
}

#[test]
fn a_cluster_of_one_is_one_path() {
    for params in [MsaParams::new(Version::V1), MsaParams::barzilay_lee()] {
        let made = align(&[lexical("a b a")], &params, &limits(), &stop()).unwrap();
        assert_eq!(made.fsa.path_count().to_u64(), Some(1));
        let sampler = made
            .fsa
            .sampler(Sampling::Walk, &limits(), &stop())
            .unwrap();
        let mut rng = pgen_core::SplitMix64::new(0);
        assert!(
            sampler
                .novel(&[["a", "b", "a"]], 100, 10, &mut rng, &stop())
                .unwrap()
                .is_empty()
        );
    }
}

#[test]
fn syntax_that_is_missing_or_too_short() {
    for version in [Version::V4, Version::V5] {
        let error = align(
            &[lexical("a")],
            &MsaParams::new(version),
            &limits(),
            &stop(),
        );
        assert_eq!(error.unwrap_err().code(), "missing-syntax");
        let short = Aligned {
            syntax: Some((vec!["NN".to_owned()], Chunks::new())),
            ..lexical("a b")
        };
        let error = align(&[short], &MsaParams::new(version), &limits(), &stop());
        assert_eq!(error.unwrap_err().code(), "mismatch");
    }
}

#[test]
fn settings_that_make_no_sense() {
    let mut params = MsaParams::default();
    params.set("position", "1/3").unwrap();
    params.set("boundary", "gap").unwrap();
    assert_eq!(params.position, (1, 3));
    for (name, value) in [
        ("position", "1"),
        ("decay", "x"),
        ("nothing", "1"),
        ("lattice", "2"),
    ] {
        assert_eq!(
            params.set(name, value).unwrap_err().code(),
            "bad-parameter",
            "{name}"
        );
    }
    params.set("decay", "NaN").unwrap();
    assert_eq!(params.check().unwrap_err().code(), "bad-parameter");
}

proptest! {
    #[test]
    fn words_keep_their_order(heads in prop::collection::vec((0u32..30, 0usize..12, 0usize..10), 1..30)) {
        let relations = ["nsubj", "dobj", "aux", "cc", "conj", "case", "mark", "punct", "prep", "cop", "relcl", "xcomp"];
        let tags = ["NN", "VBD", "IN", "JJ", "RB", "WP", ",", "CD", "MD", "X"];
        // A head before the word, or none: no cycles, but arcs that cross.
        let turn = heads.len() as u32;
        let arcs: Vec<(Option<u32>, &str)> = heads
            .iter()
            .enumerate()
            .map(|(at, &(head, relation, _))| {
                // Even words hang on earlier ones, odd words on the last.
                let at = at as u32;
                let head = if at.is_multiple_of(2) { (at > 0).then(|| head % at) } else { Some(at - 1) };
                (head.filter(|&head| head < turn), relations[relation])
            })
            .collect();
        let tags: Vec<&str> = heads.iter().map(|&(_, _, tag)| tags[tag]).collect();
        let words: Vec<String> = (0..heads.len()).map(|at| format!("w{at}")).collect();
        let tree = constituents(&words, &tags, &Dependencies::new(&arcs).unwrap(), &limits()).unwrap();
        let leaves: Vec<&str> = tree.leaves().filter_map(|leaf| leaf.word()).collect();
        prop_assert_eq!(leaves, words.iter().map(String::as_str).collect::<Vec<_>>());
        let labels: Vec<&str> = tree.leaves().map(|leaf| leaf.label()).collect();
        prop_assert_eq!(labels, tags);
    }

    #[test]
    fn alignments_accept_their_input(
        sentences in prop::collection::vec("[abc]( [abcd]){0,6}", 1..6),
        gap in any::<bool>(),
    ) {
        let cluster: Vec<Aligned> = sentences.iter().map(|text| lexical(text)).collect();
        let mut params = MsaParams::barzilay_lee();
        if gap {
            params = MsaParams::new(Version::V1);
            params.set("lattice", "true").unwrap();
        }
        let made = align(&cluster, &params, &limits(), &stop()).unwrap();
        for sentence in &cluster {
            prop_assert!(made.fsa.accepts(&sentence.words));
        }
        // A class holds one word, and two sentences at least twice in no sentence.
        for column in &made.columns {
            let distinct: std::collections::BTreeSet<_> = column.iter().collect();
            prop_assert_eq!(distinct.len(), column.len());
        }
    }
}

/// A sentence that cannot be read takes no group before it along.
#[test]
fn a_bad_sentence_between_groups_is_of_neither() {
    let sentence = |id: &str, head: u32| {
        format!("# sent_id = {id}\n1\tdogs\tdog\tNOUN\tNNS\t_\t{head}\troot\t_\t_\n\n")
    };
    let text = [
        sentence("a/0", 0),
        sentence("a/1", 0),
        sentence("b/0", 7),
        sentence("b/1", 0),
        sentence("b/2", 7),
        sentence("b/3", 0),
        sentence("c/0", 0),
    ]
    .concat();
    let mut groups = groups(&text);
    let mut met = Vec::new();
    while let Some(read) = groups.next_group().transpose() {
        met.push(match read {
            Ok(group) => format!("{} {}", group.name, group.members.len()),
            Err(error) => error.code().to_owned(),
        });
    }
    // Alone between a and b; then within b, which is dropped.
    assert_eq!(met, ["a 2", "bad-span", "bad-span", "c 1"]);
}
