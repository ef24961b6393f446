//! The real case: every list equal to the recorded exact one, and never below Moses.

mod common;

use common::MosesCase;
use pgen_core::{Limits, Lines};
use pgen_decode::testing::Reference;
use pgen_decode::{Decoder, Exact, LogLinear, Plan, Request};

/// (text, score) by sentence.
fn recorded(name: &str) -> Option<Vec<Vec<(String, f64)>>> {
    let path = common::data(&format!("moses-case/exact.{name}.nbest.gz"))?;
    let mut lines = Lines::open(&path, &Limits::default()).unwrap();
    let mut lists = Vec::new();
    while let Some((_, line)) = lines.next_line().unwrap() {
        let fields: Vec<&str> = line.split(" ||| ").collect();
        let id: usize = fields[0].parse().unwrap();
        if lists.len() <= id {
            lists.resize_with(id + 1, Vec::new);
        }
        lists[id].push((fields[1].to_owned(), fields[2].parse().unwrap()));
    }
    Some(lists)
}

fn check(name: &'static str) {
    let (Some(expected), Some(case)) = (recorded(name), MosesCase::load(name)) else {
        return;
    };
    let moses = case.lists("moses_s0");
    let plan = Plan::new(Limits::default()).with_table("tm", &case.table);
    let model = LogLinear::new(&case.model);
    let exact = Exact::new();
    for (id, sentence) in case.sentences.iter().enumerate() {
        let lattice = plan.build(sentence).unwrap().lattice;
        let list = exact.decode(&lattice, &model, &Request::best(100)).unwrap();
        let found: Vec<(String, f64)> = list
            .items
            .iter()
            .map(|item| (lattice.lexicon().join(&item.words), item.score.ln()))
            .collect();
        assert_eq!(found.len(), expected[id].len(), "sentence {id}");
        same_list(id, &found, &expected[id]);
        let theirs = moses[id].first().unwrap().total;
        assert!(found[0].1 >= theirs - 1e-3, "sentence {id}: Moses {theirs}");
        if id % 50 == 0 {
            let plain = Reference
                .decode(&lattice, &model, &Request::best(100))
                .unwrap();
            assert_eq!(plain.items, list.items, "sentence {id}");
            assert_eq!(plain.certificate, list.certificate, "sentence {id}");
        }
    }
}

/// Equal scores to 1e-3; equal texts in order, but for texts whose recorded scores tie.
fn same_list(id: usize, found: &[(String, f64)], expected: &[(String, f64)]) {
    for (rank, (mine, theirs)) in found.iter().zip(expected).enumerate() {
        assert!(
            (mine.1 - theirs.1).abs() < 1e-3,
            "sentence {id} rank {rank}"
        );
        if mine.0 != theirs.0 {
            let tied = expected.iter().find(|(text, _)| *text == mine.0);
            let near = tied.map_or(found.last().unwrap().1, |tied| tied.1);
            assert!(
                (near - mine.1).abs() < 2e-5,
                "sentence {id} rank {rank}: {}",
                mine.0
            );
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "release only")]
fn table_a_equals_the_recorded_exact_lists() {
    check("a");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "release only")]
fn table_b_equals_the_recorded_exact_lists() {
    check("b");
}
