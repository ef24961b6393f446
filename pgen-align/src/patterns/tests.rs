use super::*;
use crate::collocations::for_each_collocation;
use pgen_core::formats::conll::read_conll;
use pgen_core::{Alignment, Limits, Lines, Link};

fn annotation(rows: &str) -> Annotation {
    let text: String = rows
        .lines()
        .zip(1..)
        .map(|(row, id)| {
            let fields: Vec<&str> = row.split_whitespace().collect();
            format!(
                "{id}\t{}\t_\t_\t{}\t_\t{}\t{}\t_\t_\n",
                fields[0], fields[1], fields[2], fields[3]
            )
        })
        .collect();
    let limits = Limits::default();
    let mut lines = Lines::from_text(&(text + "\n"), &limits).unwrap();
    Annotation::from_conll(&read_conll(&mut lines, &limits).unwrap().unwrap())
}

fn alignment(links: &[(u32, u32)]) -> Alignment {
    links
        .iter()
        .map(|&(source, target)| Link { source, target })
        .collect()
}

const SOURCE: &str = "take VBP 0 root
into IN 1 prep
account NN 2 pobj
the DT 5 det
views NNS 1 dobj
of IN 5 prep
citizens NNS 6 pobj";
const TARGET: &str = "consider VBP 0 root
the DT 3 det
views NNS 1 dobj
of IN 3 prep
citizens NNS 4 pobj";

#[test]
fn patterns_of_a_pair_in_one_language() {
    let (source, target) = (annotation(SOURCE), annotation(TARGET));
    let links = alignment(&[(0, 0), (1, 0), (2, 0), (3, 1), (4, 2), (5, 3), (6, 4)]);
    let mut found = Vec::new();
    let params = PatternParams::default();
    for_each_pattern(
        &source,
        &target.words,
        Some(&target),
        &links,
        &params,
        |a, b| {
            found.push(format!("{a} → {b}"));
        },
    );
    for wanted in [
        "take into account [NNS_1] → consider [NNS_1]",
        "the views of [NNS_1] → the views of [NNS_1]",
    ] {
        assert!(
            found.iter().any(|rule| rule == wanted),
            "{wanted} in {found:?}"
        );
    }
    // `of citizens` hangs together, but a slot needs words beside it that say something.
    assert!(
        !found.iter().any(|rule| rule.starts_with("of [NNS_1] →")),
        "{found:?}"
    );
}

#[test]
fn crossing_links_make_no_patterns() {
    let (source, target) = (annotation(SOURCE), annotation(TARGET));
    // `citizens` is also linked with `consider`: nothing that has one without the other is consistent.
    let links = alignment(&[
        (0, 0),
        (1, 0),
        (2, 0),
        (3, 1),
        (4, 2),
        (5, 3),
        (6, 4),
        (6, 0),
    ]);
    let mut found = Vec::new();
    let params = PatternParams::default();
    for_each_pattern(&source, &target.words, None, &links, &params, |a, b| {
        found.push(format!("{a} → {b}"));
    });
    assert!(
        !found.iter().any(|rule| rule.contains("[NNS_1]")),
        "{found:?}"
    );
}

#[test]
fn rules_by_direct_counts() {
    let mut counts = RuleCounts::new();
    for _ in 0..3 {
        counts.add("x [NN_1] of [NN_2]", "[NN_2] 's y [NN_1]");
    }
    counts.add("x [NN_1] of [NN_2]", "x [NN_1] of [NN_2]");
    let rules = counts.direct(&RuleParams::default()).unwrap();
    let seen: Vec<_> = rules
        .iter()
        .map(|rule| (rule.source.as_str(), rule.target.as_str(), rule.probability))
        .collect();
    // The equal pair counts in both directions.
    assert_eq!(
        seen,
        [
            ("[NN_1] 's y [NN_2]", "x [NN_2] of [NN_1]", 1.0),
            ("x [NN_1] of [NN_2]", "[NN_2] 's y [NN_1]", 3.0 / 5.0),
        ]
    );
}

#[test]
fn rules_by_pivot_follow_the_slots() {
    let mut counts = RuleCounts::new();
    // Slots are numbered by the English side; the French order is the same in all three.
    for (english, french, times) in [
        ("the [NN_1] of [NN_2]", "le [NN_1] de [NN_2]", 6),
        ("[NN_1] 's [NN_2]", "le [NN_2] de [NN_1]", 2),
        ("the [NN_1] of [NN_2]", "[NN_1] des [NN_2]", 2),
    ] {
        for _ in 0..times {
            counts.add(english, french);
        }
    }
    let rules = counts.pivot(&RuleParams::default()).unwrap();
    let seen: Vec<_> = rules
        .iter()
        .map(|rule| (rule.source.as_str(), rule.target.as_str(), rule.probability))
        .collect();
    assert_eq!(
        seen,
        [
            (
                "[NN_1] 's [NN_2]",
                "the [NN_2] of [NN_1]",
                2.0 / 2.0 * 6.0 / 8.0
            ),
            (
                "the [NN_1] of [NN_2]",
                "[NN_2] 's [NN_1]",
                6.0 / 8.0 * 2.0 / 8.0
            ),
        ]
    );
}

#[test]
fn collocations_in_relation_on_both_sides() {
    let source = annotation("make VB 0 root\na DT 3 det\ndecision NN 1 dobj");
    let target = annotation("take VB 0 root\na DT 3 det\nstep NN 1 obj");
    let all = |other, links: &[(u32, u32)]| {
        let mut found = Vec::new();
        for_each_collocation(
            &source,
            &target.words,
            other,
            &alignment(links),
            "OBJ",
            |a, b| {
                found.push(format!("{a} → {b}"));
            },
        );
        found
    };
    let links = [(0, 0), (1, 1), (2, 2)];
    assert_eq!(
        all(Some(&target), &links),
        ["make OBJ decision → take OBJ step"]
    );
    assert_eq!(all(None, &links), ["make OBJ decision → take OBJ step"]);
    assert!(all(Some(&target), &[(0, 0), (2, 1)]).is_empty());
    assert!(all(None, &[(0, 0), (2, 2), (2, 1)]).is_empty());
}

#[test]
fn rules_that_lose_negation_numbers_or_signs() {
    let rule = |source: &str, target: &str| AcquiredRule {
        source: source.into(),
        target: target.into(),
        probability: 1.0,
        count: 1,
    };
    assert!(rule("do not [VB_1]", "not to [VB_1]").keeps_meaning_words());
    for (source, target) in [
        ("do not [VB_1]", "do [VB_1]"),
        ("[NN_1] , a", "[NN_1] a"),
        ("10 x [NN_1]", "y [NN_1]"),
    ] {
        assert!(!rule(source, target).keeps_meaning_words(), "{source}");
    }
}
