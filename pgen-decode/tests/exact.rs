//! The exact decoders against brute force on random lattices.

use pgen_core::{Certificate, LanguageModel, LogProb, NBest, RowHit, WordId};
use pgen_decode::testing::{BackoffModel, Reference, brute_force, random_lattice};
use pgen_decode::{Decoder, Exact, LogLinear, Request, TrueScore};

const CASES: u64 = if cfg!(debug_assertions) {
    2_000
} else {
    25_000
};

/// The same model, whose rows are known to be nested: random models are closed.
struct Nested<'a>(&'a BackoffModel);

impl LanguageModel for Nested<'_> {
    type State = Vec<WordId>;
    fn start(&self) -> Self::State {
        self.0.start()
    }
    fn null(&self) -> Self::State {
        self.0.null()
    }
    fn advance(&self, state: &Self::State, word: WordId) -> (Self::State, LogProb) {
        self.0.advance(state, word)
    }
    fn row(
        &self,
        state: &Self::State,
        words: &[WordId],
        hits: &mut Vec<RowHit<Self::State>>,
    ) -> Option<(Self::State, LogProb)> {
        self.0.row(state, words, hits)
    }
    fn is_nested(&self) -> bool {
        true
    }
}

/// A model without rows: every word is asked for by itself.
struct Plain<'a>(&'a BackoffModel);

impl LanguageModel for Plain<'_> {
    type State = Vec<WordId>;
    fn start(&self) -> Self::State {
        self.0.start()
    }
    fn null(&self) -> Self::State {
        self.0.null()
    }
    fn advance(&self, state: &Self::State, word: WordId) -> (Self::State, LogProb) {
        self.0.advance(state, word)
    }
}

fn assert_same(case: u64, what: &str, found: &NBest, expected: &NBest) {
    let key = |list: &NBest| -> Vec<(Vec<WordId>, u64)> {
        let items = list.items.iter();
        items
            .map(|h| (h.words.clone(), (h.score.ln() + 0.0).to_bits()))
            .collect()
    };
    assert_eq!(key(found), key(expected), "case {case}: {what}");
    assert_eq!(
        found.certificate, expected.certificate,
        "case {case}: {what}"
    );
    for (a, b) in found.items.iter().zip(&expected.items) {
        if a.derivations.is_some() {
            assert_eq!(a.derivations, b.derivations, "case {case}: {what}");
        }
        if let (Some(a), Some(b)) = (a.marginal, b.marginal) {
            assert!((a.ln() - b.ln()).abs() < 1e-9, "case {case}: {a} {b}");
        }
        assert!(
            (a.language.ln() - b.language.ln()).abs() < 1e-9,
            "case {case}"
        );
    }
}

fn requests(case: u64) -> Vec<Request> {
    let n = [0, 1, 2, 3, 5, 10, 50, usize::MAX][case as usize % 8];
    vec![Request::best(n), Request::best(n).with_details()]
}

#[test]
fn exact_decoders_equal_brute_force() {
    for case in 0..CASES {
        let random = random_lattice(case).unwrap();
        let model = LogLinear::new(&random.model);
        for request in requests(case) {
            let expected = brute_force(&random.lattice, &model, &request).unwrap();
            let plain = Reference.decode(&random.lattice, &model, &request).unwrap();
            assert_same(case, "reference", &plain, &expected);
            let exact = Exact::new()
                .decode(&random.lattice, &model, &request)
                .unwrap();
            assert_same(case, "exact", &exact, &expected);
            let language = Nested(&random.model);
            let nested = Exact::new().decode(&random.lattice, &LogLinear::new(&language), &request);
            assert_same(case, "nested rows", &nested.unwrap(), &expected);
            let language = Plain(&random.model);
            let plain = Exact::new().decode(&random.lattice, &LogLinear::new(&language), &request);
            assert_same(case, "no rows", &plain.unwrap(), &expected);
        }
    }
}

#[test]
fn filters_keep_the_list_exact() {
    for case in 0..CASES / 4 {
        let random = random_lattice(case).unwrap();
        let model = LogLinear::new(&random.model);
        let all = brute_force(&random.lattice, &model, &Request::best(usize::MAX)).unwrap();
        let Some(first) = all.items.first().map(|item| item.words.clone()) else {
            continue;
        };
        let third = all
            .items
            .get(2)
            .map_or(Vec::new(), |item| item.words.clone());
        let n = 1 + case as usize % 4;
        for request in [
            Request::best(n).excluding(first.clone()),
            Request::best(n).excluding(first.clone()).excluding(third),
            Request::best(n).with_min_edit(first.clone(), 1),
            Request::best(n).with_min_edit(first, 2),
            Request::best(n).with_length(2, 4),
        ] {
            let expected = brute_force(&random.lattice, &model, &request).unwrap();
            let exact = Exact::new()
                .decode(&random.lattice, &model, &request)
                .unwrap();
            assert_same(case, "filtered", &exact, &expected);
        }
    }
}

#[test]
fn longer_lists_begin_with_shorter_ones() {
    for case in 0..CASES / 10 {
        let random = random_lattice(case).unwrap();
        let model = LogLinear::new(&random.model);
        let list = |n| {
            Exact::new()
                .decode(&random.lattice, &model, &Request::best(n))
                .unwrap()
        };
        let all = list(40);
        for n in [1, 2, 3, 7] {
            let short = list(n).items;
            assert_eq!(
                short[..],
                all.items[..n.min(all.items.len())],
                "case {case}, n {n}"
            );
        }
    }
}

#[test]
fn true_scores_are_the_scores_of_the_exact_list() {
    for case in 0..CASES / 10 {
        let random = random_lattice(case).unwrap();
        let model = LogLinear::new(&random.model);
        let request = Request::best(20).with_details();
        let list = Exact::new()
            .decode(&random.lattice, &model, &request)
            .unwrap();
        for item in &list.items {
            let truth = TrueScore::new(&random.lattice, &model, &item.words).unwrap();
            let best = truth.hypothesis(&random.lattice).unwrap();
            assert_eq!(best.score, item.score, "case {case}");
            assert_eq!(best.derivations, item.derivations);
            let own: f64 = item
                .derivation
                .iter()
                .map(|&id| {
                    model
                        .edge_score(&random.lattice, random.lattice.edge(id).unwrap())
                        .ln()
                })
                .sum();
            let best: f64 = best
                .derivation
                .iter()
                .map(|&id| {
                    model
                        .edge_score(&random.lattice, random.lattice.edge(id).unwrap())
                        .ln()
                })
                .sum();
            assert_eq!(own, best, "case {case}: the derivation has the score");
        }
    }
}

#[test]
fn an_empty_request_is_answered() {
    let random = random_lattice(1).unwrap();
    let model = LogLinear::new(&random.model);
    let list = Exact::new()
        .decode(&random.lattice, &model, &Request::best(0))
        .unwrap();
    assert!(list.items.is_empty());
    assert_eq!(list.certificate, Certificate::Exact);
}
