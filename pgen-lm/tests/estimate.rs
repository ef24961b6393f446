//! Estimation against golden vectors, laws and KenLM's recorded answers.

mod common;

use common::{data, id, random_sentence};
use pgen_core::{LanguageModel, Limits, Lines, SplitMix64, Vocab, WordId};
use pgen_lm::{EstimateParams, EstimateReport, Estimator, FastModel, Ngrams, Smoothing};
use serde_json::Value;

const METHODS: [Smoothing; 4] = [
    Smoothing::KneserNey,
    Smoothing::ModifiedKneserNey,
    Smoothing::Katz,
    Smoothing::WittenBell,
];

fn fit(text: &str, params: EstimateParams) -> (Vocab, Ngrams, EstimateReport) {
    let mut vocab = Vocab::new();
    let mut estimator = Estimator::new(params).unwrap();
    let lines = Lines::from_text(text, &Limits::default()).unwrap();
    estimator.add_lines(lines, &mut vocab, &()).unwrap();
    let (ngrams, report) = estimator.finish(&vocab, &()).unwrap();
    (vocab, ngrams, report)
}

fn golden(name: &str) -> Value {
    let path = format!("{}/tests/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn strings(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_str().unwrap())
        .collect()
}

fn near(got: f64, expected: f64) {
    assert!(
        (got - expected).abs() <= 1e-9 * expected.abs(),
        "{got} {expected}"
    );
}

#[test]
fn golden_q10_kneser_ney() {
    let golden = golden("q10_kn_lm");
    let text = strings(&golden["corpus"]).join("\n");
    for (name, smoothing) in [
        ("kn", Smoothing::KneserNey),
        ("mod", Smoothing::ModifiedKneserNey),
    ] {
        let expected = &golden[name];
        let params = EstimateParams::new(3)
            .with_smoothing(smoothing)
            .with_fallback(false);
        let (vocab, model, report) = fit(&text, params);
        for (order, discounts) in (1..).zip(&report.discounts) {
            for (at, &got) in discounts.iter().enumerate() {
                near(
                    got,
                    expected["discounts_by_order"][order.to_string()][at]
                        .as_f64()
                        .unwrap(),
                );
            }
        }
        for query in expected["queries"].as_array().unwrap() {
            let context = strings(&query["ctx"]);
            let (mut state, rest) = match context.split_first() {
                Some((&"<s>", rest)) => (model.start(), rest),
                _ => (model.null(), &context[..]),
            };
            for word in rest {
                state = model.advance(&state, id(&vocab, word)).0;
            }
            let word = id(&vocab, query["w"].as_str().unwrap());
            near(
                model.advance(&state, word).1.probability(),
                query["p"].as_f64().unwrap(),
            );
        }
        for sentence in expected["sentences"].as_array().unwrap() {
            let ids: Vec<WordId> = strings(&sentence["s"])
                .iter()
                .map(|w| id(&vocab, w))
                .collect();
            near(
                model.sentence(&ids).ln(),
                sentence["logp"].as_f64().unwrap(),
            );
        }
    }
    golden_arpa(&golden);
}

/// Our reader on the golden ARPA text, and our estimate against it.
fn golden_arpa(golden: &Value) {
    let mut vocab = Vocab::new();
    let read = common::read(golden["arpa_kn"].as_str().unwrap(), &mut vocab);
    for sentence in golden["kn"]["sentences"].as_array().unwrap() {
        let ids: Vec<WordId> = strings(&sentence["s"])
            .iter()
            .map(|w| id(&vocab, w))
            .collect();
        near(read.sentence(&ids).ln(), sentence["logp"].as_f64().unwrap());
    }
}

/// The sum of the probabilities of all words after a state.
fn sum<L: LanguageModel>(model: &L, words: &[WordId], state: &L::State) -> f64 {
    words
        .iter()
        .map(|&word| model.advance(state, word).1.probability())
        .sum()
}

#[test]
fn probabilities_sum_to_one_after_every_context() {
    let mut rng = SplitMix64::new(7);
    for round in 0..if cfg!(debug_assertions) { 12 } else { 120 } {
        let lines: Vec<String> = (0..1 + rng.below(30))
            .map(|_| random_sentence(&mut rng).join(" "))
            .collect();
        let text = lines.join("\n") + "\nw1";
        for smoothing in METHODS {
            let mut params = EstimateParams::new(1 + round % 5).with_smoothing(smoothing);
            if round % 3 == 1 {
                params = params.with_cutoffs([0, 1, 2]);
            }
            if round % 4 == 2 {
                params = params.with_max_words(5);
            }
            let (vocab, plain, _) = fit(&text, params);
            let fast = FastModel::new(&plain).unwrap();
            let ids = vocab.words().map(|(id, _)| id);
            let words: Vec<WordId> = ids
                .filter(|&id| id != WordId::BOS && plain.knows(id))
                .collect();
            for _ in 0..6 {
                // Random histories: most of them unseen.
                let (mut state, mut quick) = (plain.start(), fast.start());
                for word in random_sentence(&mut rng) {
                    (state, _) = plain.advance(&state, id(&vocab, &word));
                    (quick, _) = fast.advance(&quick, id(&vocab, &word));
                }
                let total = sum(&plain, &words, &state);
                assert!((total - 1.0).abs() < 1e-9, "{smoothing:?} {round}: {total}");
                assert!((sum(&fast, &words, &quick) - 1.0).abs() < 1e-5);
            }
        }
    }
}

/// Every line's probabilities of two models, to compare them.
fn same(a: &Ngrams, b: &Ngrams) -> bool {
    let list = |model: &Ngrams| {
        let mut all = Vec::new();
        for order in 1..=model.order() {
            model.for_each(order, |words, p, bow| {
                all.push((words.to_vec(), p.ln().to_bits(), bow.ln().to_bits()))
            });
        }
        all
    };
    list(a) == list(b)
}

#[test]
fn spilling_to_disk_changes_nothing() {
    let mut rng = SplitMix64::new(3);
    let lines: Vec<String> = (0..4000)
        .map(|_| random_sentence(&mut rng).join(" "))
        .collect();
    let text = lines.join("\n");
    for order in [2, 3, 5, 8] {
        let (_, all, _) = fit(&text, EstimateParams::new(order));
        let (_, spilled, report) = fit(&text, EstimateParams::new(order).with_memory(1));
        assert!(report.runs > 1, "{order}: {report:?}");
        assert!(same(&all, &spilled));
    }
}

/// Models written as text, from pools of 1, 2 and 8 threads.
#[test]
#[cfg(feature = "parallel")]
fn threads_change_no_byte() {
    let mut rng = SplitMix64::new(9);
    let lines: Vec<String> = (0..20_000)
        .map(|_| random_sentence(&mut rng).join(" "))
        .collect();
    let text = lines.join("\n");
    for (order, smoothing) in [(3, Smoothing::ModifiedKneserNey), (5, Smoothing::Katz)] {
        let written = [1, 2, 8].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let params = EstimateParams::new(order).with_smoothing(smoothing);
            let (vocab, ngrams, _) = pool.build().unwrap().install(|| fit(&text, params));
            let mut bytes = Vec::new();
            pgen_lm::write_arpa(&ngrams, &vocab, &mut bytes).unwrap();
            bytes
        });
        assert!(written[0].len() > 10_000);
        assert!(written.iter().all(|bytes| *bytes == written[0]));
    }
}

/// Where all counts after a context are trusted, Katz leaves the share of one more token.
#[test]
fn katz_leaves_something_for_known_words() {
    let text = "a b\n".repeat(20) + &"c d\n".repeat(9) + "d c e\nc c\nd e\nb e\n";
    let params = EstimateParams::new(3).with_smoothing(Smoothing::Katz);
    let (vocab, model, _) = fit(&text, params);
    let after = |context: &str, word: &str| {
        let state = model.advance(&model.null(), id(&vocab, context)).0;
        model.advance(&state, id(&vocab, word)).1.probability()
    };
    // After a came b, 20 times.
    assert!((after("a", "b") - 20.0 / 21.0).abs() < 1e-12);
    for word in ["a", "c", "d", "e", "</s>"] {
        assert!(after("a", word) > 0.0, "{word}");
    }
    let words: Vec<WordId> = vocab.words().map(|(word, _)| word).collect();
    let words: Vec<WordId> = words.into_iter().filter(|&w| w != WordId::BOS).collect();
    let state = model.advance(&model.null(), id(&vocab, "a")).0;
    assert!((sum(&model, &words, &state) - 1.0).abs() < 1e-12);
}

#[test]
fn fallbacks_are_reported_or_refused() {
    let (_, _, report) = fit("a b\na c", EstimateParams::new(2));
    assert!(!report.fallbacks.is_empty());
    let mut vocab = Vocab::new();
    let mut strict = Estimator::new(EstimateParams::new(2).with_fallback(false)).unwrap();
    let word = vocab.intern("a").unwrap();
    strict.add(&[word]).unwrap();
    let error = strict.finish(&vocab, &()).unwrap_err();
    assert_eq!(error.code(), "discount-undefined");
    let empty = Estimator::new(EstimateParams::new(2)).unwrap();
    assert_eq!(
        empty.finish(&vocab, &()).unwrap_err().code(),
        "empty-corpus"
    );
    assert!(Estimator::new(EstimateParams::new(9)).is_err());
}

fn perplexities(model: &impl LanguageModel, vocab: &Vocab, path: &std::path::Path) -> (f64, f64) {
    let mut lines = Lines::open(path, &Limits::default()).unwrap();
    let (mut all, mut known, mut tokens, mut oov) = (0.0, 0.0, 0u64, 0u64);
    while let Some((_, line)) = lines.next_line().unwrap() {
        let mut state = model.start();
        for word in line.split(' ').filter(|w| !w.is_empty()).chain(["</s>"]) {
            let found = vocab.get_symbol(word);
            let (next, p) = model.advance(&state, found.unwrap_or(WordId::UNK));
            state = next;
            all += p.ln();
            tokens += 1;
            match found {
                Some(_) => known += p.ln(),
                None => oov += 1,
            }
        }
    }
    (
        (-all / tokens as f64).exp(),
        (-known / (tokens - oov) as f64).exp(),
    )
}

/// KenLM's lmplz on the same text: counts, discounts and perplexities as recorded beside the data.
#[test]
#[cfg_attr(debug_assertions, ignore = "release only")]
fn modified_kneser_ney_equals_kenlm() {
    let (Some(train), Some(test)) = (data("lm-case/train.txt.gz"), data("lm-case/test.txt.gz"))
    else {
        return;
    };
    let recorded = [
        (3, 79.15948924, 76.11738210, [0.799551, 1.11966, 1.36064]),
        (5, 74.60498121, 71.72859613, [0.934839, 1.27313, 1.39028]),
    ];
    for (order, with, without, top) in recorded {
        let clock = std::time::Instant::now();
        let mut vocab = Vocab::new();
        let mut estimator = Estimator::new(EstimateParams::new(order)).unwrap();
        estimator
            .add_lines(
                Lines::open(&train, &Limits::default()).unwrap(),
                &mut vocab,
                &(),
            )
            .unwrap();
        let (ngrams, report) = estimator.finish(&vocab, &()).unwrap();
        println!("order {order}: {:?}, {:?}", clock.elapsed(), report.counts);
        let counts = [33_888, 590_501, 1_827_027, 2_838_008, 3_299_274];
        assert_eq!(report.counts, counts[..order]);
        assert!(report.fallbacks.is_empty());
        let discounts = [[0.582039, 1.06769, 1.48128], [0.71499, 1.07979, 1.38144]];
        for (got, expected) in report
            .discounts
            .iter()
            .zip(discounts)
            .chain([(&report.discounts[order - 1], top)])
        {
            for (got, expected) in got.iter().zip(expected) {
                assert!((got / expected - 1.0).abs() < 1e-4, "{got} {expected}");
            }
        }
        let model = FastModel::new(&ngrams).unwrap();
        let (all, known) = perplexities(&model, &vocab, &test);
        println!("perplexity {all} {known}; {} bytes", model.bytes());
        assert!(
            (all / with - 1.0).abs() < 1e-5 && (known / without - 1.0).abs() < 1e-5,
            "{all} {known}"
        );
    }
}
