use super::*;
use crate::collocations::{Relation, for_each_collocation};
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
        |_, a, b| {
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
    for_each_pattern(&source, &target.words, None, &links, &params, |_, a, b| {
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
            Relation::new("OBJ", None),
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

/// Knows the forms of two verbs and two nouns.
#[derive(Debug)]
struct Forms;

impl pgen_core::Morphology for Forms {
    fn lemma(&self, form: &str, tag: &str) -> Option<String> {
        let rows = [
            ("made", "VBD", "make"),
            ("took", "VBD", "take"),
            ("steps", "NNS", "step"),
        ];
        let row = rows.iter().find(|row| (row.0, row.1) == (form, tag));
        row.map(|row| row.2.to_owned())
    }

    fn inflect(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

#[test]
fn collocations_of_lemmas() {
    let source = annotation("made VBD 0 root\ndecisions NNS 1 dobj");
    let target = annotation("took VBD 0 root\nsteps NNS 1 obj");
    let links = alignment(&[(0, 0), (1, 1)]);
    let relation = Relation::new("OBJ", Some(&Forms));
    for (other, expected) in [
        (Some(&target), ["make OBJ decisions", "take OBJ step"]),
        // Words of another language stay as they are.
        (None, ["make OBJ decisions", "took OBJ steps"]),
    ] {
        let mut found = Vec::new();
        for_each_collocation(&source, &target.words, other, &links, relation, |a, b| {
            found.push([a.to_owned(), b.to_owned()]);
        });
        assert_eq!(found, [expected]);
    }
}

#[test]
fn rules_that_lose_negation_numbers_or_signs() {
    let rule = |source: &str, target: &str| AcquiredRule {
        source: source.into(),
        target: target.into(),
        probability: 1.0,
        count: 1,
    };
    for (source, target) in [
        ("do not seek [NN_1]", "not look for [NN_1]"),
        ("a [JJ_1] target", "a [JJ_1] objective"),
        ("the aim of [NN_1]", "the [NN_1] goal"),
        ("[RB_1] has come", "has [RB_1] come"),
        ("make OBJ decision", "take OBJ decision"),
    ] {
        assert!(rule(source, target).keeps_meaning_words(), "{source}");
    }
    for (source, target) in [
        ("do not [VB_1]", "do [VB_1]"),
        ("[NN_1] , a", "[NN_1] a"),
        ("10 x [NN_1]", "y [NN_1]"),
        ("a [JJ_1] target", "an [JJ_1] objective"),
        ("[NNS_1] are", "[NNS_1] have"),
        ("the [NN_1] area", "[NN_1] area"),
        ("[NN_1] income", "income [NN_1]"),
        ("the [JJ_1] aim", "a [JJ_1] aim"),
    ] {
        assert!(!rule(source, target).keeps_meaning_words(), "{source}");
    }
}

#[test]
fn pivots_keep_the_contexts_apart() {
    let mut counts = RuleCounts::new();
    for (context, side) in [
        ("VBZ", "makes [NN_1]"),
        ("VBZ", "does [NN_1]"),
        ("VBG", "making [NN_1]"),
        ("VBG", "doing [NN_1]"),
        ("VBG", "does [NN_1]"),
    ] {
        counts.add_in(context, side, "fait [NN_1]");
        counts.add_in(context, side, "fait [NN_1]");
    }
    let rules = counts.pivot(&RuleParams::default()).unwrap();
    let seen: Vec<_> = rules
        .iter()
        .map(|rule| (rule.source.as_str(), rule.target.as_str(), rule.probability))
        .collect();
    let third = 1.0 / 3.0;
    let near = |p: f64, q: f64| (p - q).abs() < 1e-12;
    for (source, target, p) in [
        ("makes [NN_1]", "does [NN_1]", 0.5),
        ("making [NN_1]", "doing [NN_1]", third),
        // Half of `does` is a verb in the third person, half was tagged as a gerund.
        ("does [NN_1]", "makes [NN_1]", 0.25),
        ("does [NN_1]", "making [NN_1]", third / 2.0),
    ] {
        let found = seen
            .iter()
            .find(|rule| (rule.0, rule.1) == (source, target));
        assert!(
            found.is_some_and(|rule| near(rule.2, p)),
            "{source} → {target}: {found:?}"
        );
    }
    assert!(
        !seen
            .iter()
            .any(|rule| (rule.0, rule.1) == ("makes [NN_1]", "making [NN_1]"))
    );
}

#[test]
fn the_least_count_is_that_of_all_contexts_together() {
    let mut counts = RuleCounts::new();
    for context in ["VBD", "VBN"] {
        for side in ["made [NN_1]", "took [NN_1]"] {
            counts.add_in(context, side, "fait [NN_1]");
        }
    }
    for side in ["made [NN_1]", "did [NN_1]"] {
        counts.add_in("VBD", side, "pris [NN_1]");
    }
    let rules = |least: u64| {
        let params = RuleParams {
            min_count: least,
            ..RuleParams::default()
        };
        let rules = counts.pivot(&params).unwrap();
        let sides = rules.into_iter().map(|rule| (rule.source, rule.target));
        sides.collect::<Vec<_>>()
    };
    let pair = |a: &str, b: &str| (format!("{a} [NN_1]"), format!("{b} [NN_1]"));
    assert_eq!(rules(2), [pair("made", "took"), pair("took", "made")]);
    assert!(rules(3).is_empty() && rules(1).len() == 4);
}

#[test]
fn sides_in_one_language_hang_by_words_of_one_tag() {
    let source = annotation("take VB 0 root\ninto IN 1 prep\naccount NN 2 pobj\nviews NNS 1 dobj");
    let links = alignment(&[(0, 0), (1, 0), (2, 0), (3, 1)]);
    let params = PatternParams::default();
    for (tag, expected) in [("VB", 1), ("VBG", 0)] {
        let target = annotation(&format!("consider {tag} 0 root\nviews NNS 1 dobj"));
        let mut found = 0;
        for_each_pattern(
            &source,
            &target.words,
            Some(&target),
            &links,
            &params,
            |top, _, _| {
                assert_eq!(top, "VB");
                found += 1;
            },
        );
        assert_eq!(found, expected, "{tag}");
    }
}
