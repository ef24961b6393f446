//! Aligners and what they are trained on.

use super::must;
use crate::probes::{Failure, Result, broken};
use pgen::align::{
    ConsensusParams, Corpus, Direction, Heuristic, Hmm, HmmParams, Method, Model1, Model1Params,
    Model2Params, Model34Params, Symmetric, TrainOptions, Trained, WordAligner, align_corpus,
};
use pgen::core::{Limits, Progress, SplitMix64, Stop, Vocab};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) fn run(name: &str) -> Option<Result> {
    Some(match name {
        "a pair of a thousand words" => long_pair(),
        "a pair of one and a thousand words" => uneven_pair(),
        "a corpus of one pair" => one_pair(),
        "a corpus of no pairs" => fit(&Corpus::new(), &Vocab::new()),
        "a million equal pairs" => equal_pairs(),
        "words that occur once" => hapaxes(),
        "no iterations" => iterations(0),
        "all iterations there are" => iterations(usize::MAX),
        "odd priors of aligners" => odd_priors(),
        "odd shares of NULL" => odd_null(),
        "odd thresholds of aligners" => odd_thresholds(),
        "odd floors of aligners" => odd_floors(),
        "odd thresholds of consensus" => odd_thresholds(),
        "expected counts that underflow" => underflow(),
        "more words than the machine holds" => estimate(),
        "aligners by 1, 2 and 8 threads" => threads(),
        "a corpus in another order" => other_order(),
        "the sides exchanged" => exchanged(),
        "cancelled in the third iteration" => cancelled(),
        _ => return None,
    })
}

/// Random pairs of up to 9 words, each target word being like a source word.
pub(crate) fn corpus(seed: u64, pairs: usize, words: u64) -> Result<(Corpus, Vocab)> {
    let mut rng = SplitMix64::new(seed);
    let (mut corpus, mut vocab) = (Corpus::new(), Vocab::new());
    for _ in 0..pairs {
        let source: Vec<u64> = (0..=rng.next_u64() % 8)
            .map(|_| rng.next_u64() % words)
            .collect();
        let spell = |mark: &str| -> String {
            let each = source.iter().map(|word| format!("{mark}{word}"));
            each.collect::<Vec<_>>().join(" ")
        };
        corpus.push_text(&spell("s"), &spell("t"), &mut vocab, &Limits::default())?;
    }
    Ok((corpus, vocab))
}

fn of_lines(lines: &[(String, String)]) -> Result<(Corpus, Vocab)> {
    let (mut corpus, mut vocab) = (Corpus::new(), Vocab::new());
    for (source, target) in lines {
        corpus.push_text(source, target, &mut vocab, &Limits::default())?;
    }
    Ok((corpus, vocab))
}

/// Trains every aligner; each row of its tables is a distribution or less, and all is finite.
fn fit(corpus: &Corpus, vocab: &Vocab) -> Result {
    for (_, method) in Method::ALL {
        let model = Trained::fit(corpus, vocab, &TrainOptions::new(method), &())?;
        let links = align_corpus(&model, corpus);
        must(links.len() == corpus.len(), "an alignment for each pair")?;
        for (pair, links) in corpus.pairs().zip(&links) {
            links.check(pair.source.len(), pair.target.len())?;
        }
    }
    let model = Model1::fit(
        corpus,
        Direction::TargetGivenSource,
        &Model1Params::default(),
        &(),
    )?;
    must(
        model.log_likelihoods().iter().all(|x| x.is_finite()),
        "likelihoods are finite",
    )?;
    rows_sum_to_one(&model, vocab)?;
    Ok(String::new())
}

fn rows_sum_to_one(model: &Model1, vocab: &Vocab) -> Result<()> {
    for (word, _) in vocab.words() {
        let sum: f64 = model.table().row(Some(word)).map(|(_, p)| p).sum();
        let holds = sum == 0.0 || (sum - 1.0).abs() < 1e-6;
        must(holds, &format!("a row sums to {sum}"))?;
    }
    Ok(())
}

fn one_pair() -> Result {
    let (corpus, vocab) = of_lines(&[("a b".into(), "x y z".into())])?;
    fit(&corpus, &vocab)
}

/// Memory is that of a table of all word pairs, for each chain.
fn long_pair() -> Result {
    let words = |mark: &str| {
        (0..1000)
            .map(|at| format!("{mark}{}", at % 50))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let (corpus, vocab) = of_lines(&[(words("s"), words("t")), ("s1".into(), "t1".into())])?;
    fit(&corpus, &vocab)
}

fn uneven_pair() -> Result {
    let long = (0..1000)
        .map(|at| format!("t{at}"))
        .collect::<Vec<_>>()
        .join(" ");
    let (corpus, vocab) = of_lines(&[("s".into(), long.clone()), (long, "s".into())])?;
    fit(&corpus, &vocab)
}

fn equal_pairs() -> Result {
    let (mut corpus, mut vocab) = (Corpus::new(), Vocab::new());
    for _ in 0..1_000_000 {
        corpus.push_text("a b", "c d", &mut vocab, &Limits::default())?;
    }
    let model = Model1::fit(
        &corpus,
        Direction::TargetGivenSource,
        &Model1Params::default(),
        &(),
    )?;
    let last = model.log_likelihoods().last().copied().unwrap_or(f64::NAN);
    must(last.is_finite() && last < 0.0, "the likelihood is finite")?;
    Ok(format!("{last:.0}"))
}

fn hapaxes() -> Result {
    let lines: Vec<_> = (0..500)
        .map(|at| (format!("a{at} b{at}"), format!("c{at} d{at}")))
        .collect();
    let (corpus, vocab) = of_lines(&lines)?;
    fit(&corpus, &vocab)
}

fn iterations(count: usize) -> Result {
    Model1Params::default().with_iterations(count).check()?;
    HmmParams::default().with_iterations(count).check()?;
    Ok("accepted".into())
}

/// Each of these settings is refused by name.
fn refused(results: impl IntoIterator<Item = (&'static str, pgen::align::Result<()>)>) -> Result {
    for (name, result) in results {
        match result {
            Ok(()) => return Err(broken(format!("{name} is accepted"))),
            Err(error) => must(
                error.code() == "bad-parameter" && error.to_string().contains(name),
                &error.to_string(),
            )?,
        }
    }
    Ok(String::new())
}

const ODD: [f64; 4] = [-1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

fn odd_priors() -> Result {
    refused(ODD.into_iter().flat_map(|odd| {
        let prior = |identity, likeness, lexicon| {
            ConsensusParams::default()
                .with_priors(identity, likeness, lexicon)
                .check()
        };
        [
            ("identity", prior(odd, 1.0, 1.0)),
            ("likeness", prior(1.0, odd, 1.0)),
            ("lexicon", prior(1.0, 1.0, odd)),
        ]
    }))
}

fn odd_null() -> Result {
    let null = |share| HmmParams::default().with_null(share).check();
    must(null(0.0).is_ok(), "no NULL at all is a model")?;
    refused([1.0, 2.0].into_iter().chain(ODD).flat_map(|odd| {
        let mut fertility = Model34Params::default();
        fertility.null = odd;
        [("null", null(odd)), ("null", fertility.check())]
    }))
}

fn odd_thresholds() -> Result {
    refused([1.5].into_iter().chain(ODD).map(|odd| {
        (
            "threshold",
            ConsensusParams::default().with_threshold(odd).check(),
        )
    }))
}

fn odd_floors() -> Result {
    refused([0.9].into_iter().chain(ODD).flat_map(|odd| {
        let mut second = Model2Params::default();
        second.floor = odd;
        let mut hmm = HmmParams::default();
        hmm.floor = odd;
        let first = Model1Params::default().with_prune(odd).check();
        [
            ("prune", first),
            ("floor", second.check()),
            ("floor", hmm.check()),
        ]
    }))
}

/// Words so many that each expected count is tiny, many iterations, everything pruned that can be.
fn underflow() -> Result {
    let long = |mark: &str| {
        (0..900)
            .map(|at| format!("{mark}{at}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let (corpus, vocab) = of_lines(&[(long("s"), long("t")), (long("t"), long("s"))])?;
    let params = Model1Params::default().with_iterations(40).with_prune(0.4);
    let model = Model1::fit(&corpus, Direction::TargetGivenSource, &params, &())?;
    rows_sum_to_one(&model, &vocab)?;
    let hmm = Hmm::fit(&corpus, model, &HmmParams::default(), &())?;
    must(
        hmm.log_likelihoods().iter().all(|x| x.is_finite()),
        "likelihoods are finite",
    )?;
    Ok(String::new())
}

/// Memory is that of the words that are there; a corpus is told its limits word by word.
fn estimate() -> Result {
    let mut limits = Limits::default();
    limits.tokens = 10;
    let (mut corpus, mut vocab) = (Corpus::new(), Vocab::new());
    let long = "a ".repeat(11);
    let error = corpus.push_text(&long, "b", &mut vocab, &limits).err();
    must(
        error.is_some_and(|e| e.code() == "too-long"),
        "a long side is refused",
    )?;
    must(
        corpus.is_empty() && corpus.word_count() == 0,
        "and leaves nothing behind",
    )?;
    Ok(String::new())
}

fn threads() -> Result {
    let (corpus, vocab) = corpus(5, 400, 60)?;
    for (name, method) in Method::ALL {
        let mut seen = Vec::new();
        for threads in [1, 2, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let links = pool.map_err(broken)?.install(|| {
                let model = Trained::fit(&corpus, &vocab, &TrainOptions::new(method), &())?;
                Ok::<_, Failure>((align_corpus(&model, &corpus), format!("{model:?}")))
            })?;
            seen.push(links);
        }
        must(seen.windows(2).all(|two| two[0] == two[1]), name)?;
    }
    Ok(String::new())
}

fn other_order() -> Result {
    let lines: Vec<(String, String)> = (0..200)
        .map(|at| {
            (
                format!("a{} b{}", at % 7, at % 11),
                format!("c{} d{}", at % 7, at % 11),
            )
        })
        .collect();
    let reversed: Vec<_> = lines.iter().rev().cloned().collect();
    let train = |lines: &[(String, String)]| {
        let (corpus, vocab) = of_lines(lines)?;
        let params = Model1Params::default().with_prune(0.0);
        let model = Model1::fit(&corpus, Direction::TargetGivenSource, &params, &())?;
        let mut rows: Vec<(String, String, f64)> = Vec::new();
        for (given, spelled) in vocab.words() {
            for (word, p) in model.table().row(Some(given)) {
                let word = vocab.word(word).unwrap_or_default();
                rows.push((spelled.to_owned(), word.to_owned(), p));
            }
        }
        rows.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        Ok::<_, Failure>(rows)
    };
    let (first, second) = (train(&lines)?, train(&reversed)?);
    must(first.len() == second.len(), "the same rows")?;
    let far = first
        .iter()
        .zip(&second)
        .map(|(a, b)| (a.2 - b.2).abs())
        .fold(0.0, f64::max);
    must(far < 1e-9, &format!("probabilities differ by {far}"))?;
    Ok(format!("{} rows", first.len()))
}

fn exchanged() -> Result {
    let lines: Vec<(String, String)> = (0..120)
        .map(|at| {
            (
                format!("a{} b{}", at % 7, at % 11),
                format!("c{} d{} e{}", at % 7, at % 11, at % 5),
            )
        })
        .collect();
    let back: Vec<_> = lines.iter().map(|(a, b)| (b.clone(), a.clone())).collect();
    let links = |lines: &[(String, String)]| {
        let (corpus, _) = of_lines(lines)?;
        let params = Model1Params::default();
        let model = Symmetric::model1(&corpus, &params, Heuristic::Intersection, &())?;
        Ok::<_, Failure>(align_corpus(&model, &corpus))
    };
    let (there, back) = (links(&lines)?, links(&back)?);
    let same = there.iter().zip(&back).all(|(a, b)| a.transposed() == *b);
    must(same, "links of exchanged sides are exchanged links")?;
    Ok(String::new())
}

/// Pulls the brake when the third step is reported.
struct Brake {
    steps: AtomicU64,
    stop: Stop,
    token: pgen::core::CancelToken,
    stages: Mutex<Vec<String>>,
}

impl Progress for Brake {
    fn stage(&self, name: &str, _: Option<u64>) {
        self.steps.store(0, Ordering::SeqCst);
        if let Ok(mut stages) = self.stages.lock() {
            stages.push(name.to_owned());
        }
    }
    fn done(&self, steps: u64) {
        if steps >= 2 {
            self.token.cancel();
        }
    }
    fn stop(&self) -> Stop {
        self.stop.clone()
    }
}

fn cancelled() -> Result {
    let (corpus, vocab) = corpus(5, 200, 60)?;
    let token = pgen::core::CancelToken::new();
    let brake = Brake {
        steps: AtomicU64::new(0),
        stop: Stop::never().with_token(token.clone()),
        token,
        stages: Mutex::default(),
    };
    let folder = tempfile::tempdir().map_err(broken)?;
    let path = folder.path().join("old");
    let old = Trained::fit(&corpus, &vocab, &TrainOptions::new(Method::Model1), &())?;
    old.save(&path, &vocab, pgen::core::codec::Packing::Plain)?;
    let made = Trained::fit(&corpus, &vocab, &TrainOptions::new(Method::Hmm), &brake);
    let (_, loaded) = Trained::load(&path, &Limits::default())?;
    must(loaded == old, "the saved model is the old one")?;
    must(
        brake.stages.lock().is_ok_and(|stages| stages.len() == 1),
        "the first stage is the last",
    )?;
    let model = made?;
    Ok(format!("{} links", model.align(&[], &[]).len()))
}
