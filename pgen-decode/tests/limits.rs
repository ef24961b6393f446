//! Budgets, deadlines, odd weights and odd requests.

use pgen_core::{CancelToken, Certificate, Limits, Stop, Weight};
use pgen_decode::testing::{brute_force, random_lattice};
use pgen_decode::{Beam, Decoder, Exact, LogLinear, Request, TrueScore, WhyNot};
use std::time::Duration;

fn limited(states: usize, pops: usize) -> Limits {
    let mut limits = Limits::default();
    (limits.states, limits.pops) = (states, pops);
    limits
}

#[test]
fn a_bound_is_above_all_that_is_missing() {
    for case in 0..1500 {
        let random = random_lattice(case).unwrap();
        let model = LogLinear::new(&random.model);
        let all = brute_force(&random.lattice, &model, &Request::best(usize::MAX)).unwrap();
        for limits in [limited(0, 100), limited(1000, 0), limited(1000, 2)] {
            let request = Request::best(5).with_limits(limits);
            let list = Exact::new()
                .decode(&random.lattice, &model, &request)
                .unwrap();
            let Certificate::Bounded {
                upper_bound_of_rest: bound,
            } = list.certificate
            else {
                assert!(list.items.len() == 5 || list.items.len() == all.items.len());
                continue;
            };
            for missing in &all.items {
                let here = list.items.iter().any(|item| item.words == missing.words);
                assert!(
                    here || missing.score.ln() <= bound.ln() + 1e-9,
                    "case {case}"
                );
            }
        }
    }
}

#[test]
fn a_beam_never_scores_above_the_truth_and_a_wide_one_is_exact() {
    for case in 0..1500 {
        let random = random_lattice(case).unwrap();
        let model = LogLinear::new(&random.model);
        let request = Request::best(10);
        let exact = Exact::new()
            .decode(&random.lattice, &model, &request)
            .unwrap();
        for beam in [
            Beam::new(1).unwrap(),
            Beam::new(3).unwrap().with_recombination(false),
            Beam::new(1_000_000).unwrap(),
        ] {
            let list = beam.decode(&random.lattice, &model, &request).unwrap();
            assert_eq!(list.certificate, Certificate::Heuristic);
            for item in &list.items {
                let truth = TrueScore::new(&random.lattice, &model, &item.words).unwrap();
                assert!(item.score.ln() <= truth.score().ln(), "case {case}");
            }
        }
        let wide = Beam::new(1_000_000).unwrap().with_recombination(false);
        let list = wide.decode(&random.lattice, &model, &request).unwrap();
        assert_eq!(
            list.items.first().map(|i| i.score),
            exact.items.first().map(|i| i.score)
        );
    }
}

#[test]
fn stopping_is_no_error() {
    let random = random_lattice(5).unwrap();
    let model = LogLinear::new(&random.model);
    let token = CancelToken::new();
    token.cancel();
    for stop in [Stop::after(Duration::ZERO), Stop::never().with_token(token)] {
        let request = Request::best(3).with_stop(stop);
        let list = Exact::new()
            .decode(&random.lattice, &model, &request)
            .unwrap();
        assert!(matches!(list.certificate, Certificate::Bounded { .. }));
    }
}

#[test]
fn any_weights_give_the_list_of_brute_force() {
    for case in 0..800 {
        let random = random_lattice(case).unwrap();
        for (language, tm, bonus) in [(0.0, 1.0, 0.0), (-0.7, 1.3, 0.2), (2.5, 0.0, -1.0)] {
            let weight = |w| Weight::new(w).unwrap();
            let model = LogLinear::new(&random.model)
                .with_language_weight(weight(language))
                .and_then(|m| m.with_weights(vec![weight(tm), weight(-0.3)]))
                .and_then(|m| m.with_word_bonus(weight(bonus)))
                .unwrap();
            let request = Request::best(7);
            let expected = brute_force(&random.lattice, &model, &request).unwrap();
            let found = Exact::new()
                .decode(&random.lattice, &model, &request)
                .unwrap();
            let close = |a: &pgen_core::Hypothesis, b: &pgen_core::Hypothesis| {
                (a.score.ln() - b.score.ln()).abs() < 1e-9
            };
            assert_eq!(found.items.len(), expected.items.len(), "case {case}");
            let mut pairs = found.items.iter().zip(&expected.items);
            assert!(pairs.all(|(a, b)| close(a, b)), "case {case}");
        }
    }
}

#[test]
fn powers_of_two_keep_the_list() {
    for case in 0..800 {
        let random = random_lattice(case).unwrap();
        let scaled = |by: f64| {
            let weight = |w: f64| Weight::new(w * by).unwrap();
            LogLinear::new(&random.model)
                .with_language_weight(weight(0.7))
                .and_then(|m| m.with_weights(vec![weight(1.1), weight(0.3)]))
                .unwrap()
        };
        let texts = |by: f64| -> Vec<_> {
            let list = Exact::new().decode(&random.lattice, &scaled(by), &Request::best(20));
            let items = list.unwrap().items.into_iter();
            items
                .map(|item| (item.words, item.score.ln() / by))
                .collect()
        };
        assert_eq!(texts(1.0), texts(8.0), "case {case}");
        assert_eq!(texts(1.0), texts(0.25), "case {case}");
    }
}

#[test]
fn a_text_that_is_not_the_answer_is_explained() {
    let random = random_lattice(12).unwrap();
    let model = LogLinear::new(&random.model);
    let list = Exact::new()
        .decode(&random.lattice, &model, &Request::best(3))
        .unwrap();
    let best = list.items[0].score;
    let second = TrueScore::new(&random.lattice, &model, &list.items[1].words).unwrap();
    let WhyNot::Worse { gap, .. } = second.why_not(&random.lattice, best) else {
        panic!("the second text is worse");
    };
    assert!((gap - (best - list.items[1].score)).abs() < 1e-12);
    let mut longer = list.items[0].words.clone();
    longer.extend([pgen_core::WordId::new(3); 40]);
    let missing = TrueScore::new(&random.lattice, &model, &longer).unwrap();
    assert!(matches!(
        missing.why_not(&random.lattice, best),
        WhyNot::Missing { .. }
    ));
    assert!(missing.score().is_zero());
}
