//! Work grows with the input no faster than is promised, and stops when it is told to.

use crate::threads::sentences;
use crate::{Tested, counted};
use pgen::align::{Corpus, Direction, Hmm, HmmParams, Model1, Model1Params};
use pgen::core::{
    CancelToken, Lexicon, Limits, LogProb, Sentence, SplitMix64, Stop, TableBuilder, Vocab,
};
use pgen::decode::testing::BackoffModel;
use pgen::decode::{Decoder, Exact, Identity, LogLinear, Plan, Request};
use pgen::fsa::Fsa;
use pgen::{Options, Paraphraser, Search};
use std::sync::Arc;
use std::time::Duration;

type Rows = Vec<(String, String)>;
/// Name, words of a length, and the table.
type Family = (&'static str, fn(usize) -> Vec<String>, Rows);

/// Hostile families: words of length n, and a table that makes the worst of them.
fn families() -> Vec<Family> {
    let run = |most: usize, word: &str| -> Rows {
        let phrase = |n: usize| vec![word; n].join(" ");
        (1..=most)
            .flat_map(|n| [(phrase(n), "x".into()), (phrase(n), "y z".into())])
            .collect()
    };
    let fan = |word: &str, options: usize| -> Rows {
        (0..options)
            .map(|at| (word.to_owned(), format!("t{at}")))
            .collect()
    };
    let same = |n: usize| vec!["a".to_owned(); n];
    let two = |n: usize| {
        ["a", "b"]
            .repeat(n / 2)
            .iter()
            .map(|w| (*w).to_owned())
            .collect()
    };
    let rare = |n: usize| (0..n).map(|at| format!("w{at}")).collect();
    let comb = |n: usize| {
        ["a", "a", "a", "b"]
            .repeat(n / 4)
            .iter()
            .map(|w| (*w).to_owned())
            .collect()
    };
    let overlaps: Rows = ["a a", "a a a", "a b", "b a", "a a b", "b a a"]
        .iter()
        .flat_map(|p| {
            [
                ((*p).to_owned(), "x".to_owned()),
                ((*p).to_owned(), "y y".to_owned()),
            ]
        })
        .collect();
    let growing: Rows = (1..9)
        .map(|n| ("a".to_owned(), vec!["b"; n].join(" ")))
        .collect();
    let shrinking: Rows = (1..9)
        .map(|n| (vec!["a"; n].join(" "), "b".to_owned()))
        .collect();
    let identity: Rows = (1..6)
        .map(|n| (vec!["a"; n].join(" "), vec!["a"; n].join(" ")))
        .collect();
    let swap: Rows = vec![("a b".into(), "b a".into()), ("b a".into(), "a b".into())];
    vec![
        ("one word, runs of 8", same, run(8, "a")),
        ("one word, runs of 64", same, run(64, "a")),
        ("one word, 50 options", same, fan("a", 50)),
        ("two words, one with 100 options", two, fan("a", 100)),
        ("only unknown words", rare, fan("a", 1)),
        ("comb, overlapping phrases", comb, overlaps.clone()),
        ("one word, overlapping phrases", same, overlaps),
        ("targets of 1 to 8 words", same, growing),
        ("sources of 1 to 8 words", same, shrinking),
        ("identities of 1 to 5 words", same, identity),
        ("words that change places", two, swap.clone()),
        ("words that change places, repeated", same, swap),
    ]
}

fn states(words: &[String], rows: &Rows) -> Result<u64, Box<dyn std::error::Error>> {
    let mut vocab = Vocab::new();
    let mut builder = TableBuilder::new(["p"]);
    for (at, (source, target)) in rows.iter().enumerate() {
        builder.push_text(&mut vocab, source, target, &[-1.0 - at as f32 / 64.0])?;
    }
    let table = builder.build(&vocab)?;
    let lexicon = Lexicon::new(Arc::new(vocab));
    let sentence = Sentence::from_words(words, lexicon, &Limits::default())?;
    let plan = Plan::new(Limits::default())
        .with_table("tm", &table)
        .with_identity(Identity::Always(LogProb::from_ln(-0.5)));
    let lattice = plan.build(&sentence)?.lattice;
    let language = BackoffModel::uniform(LogProb::from_ln(-1.0));
    let list = Exact::new().decode(&lattice, &LogLinear::new(&language), &Request::best(10))?;
    assert_eq!(list.items.len(), list.items.len().min(10));
    Ok(list.stats.states + list.stats.language_queries + lattice.edge_count() as u64)
}

/// Steps counted at 256 to 2,048 words: at most 2.3 times as many for twice the words.
#[test]
fn twice_the_words_are_twice_the_steps() -> Tested {
    let mut doublings = 0;
    let mut worst: (f64, &str) = (0.0, "");
    for (name, words, rows) in families() {
        let counts = [256, 512, 1024, 2048].map(|n| states(&words(n), &rows));
        let counts = counts.into_iter().collect::<Result<Vec<_>, _>>()?;
        for two in counts.windows(2) {
            let ratio = two[1] as f64 / two[0] as f64;
            assert!(ratio <= 2.3, "{name}: {counts:?}");
            if ratio > worst.0 {
                worst = (ratio, name);
            }
            doublings += 1;
        }
    }
    println!(
        "worst growth for twice the words: {:.3} ({})",
        worst.0, worst.1
    );
    counted("doublings of hostile sentences", doublings);
    Ok(())
}

/// Processor time of a thread of this process: a busy machine does not count.
fn processor(thread: &str) -> Duration {
    let text = std::fs::read_to_string(format!("/proc/{thread}/schedstat")).unwrap_or_default();
    let first = text.split(' ').next().and_then(|first| first.parse().ok());
    Duration::from_nanos(first.unwrap_or(0))
}

fn own_thread() -> String {
    let link = std::fs::read_link("/proc/thread-self").unwrap_or_default();
    link.to_string_lossy().into_owned()
}

/// Runs an operation on one thread, pulls its token from another at a random moment, and counts the
/// processor time that it still takes.
fn overshoots(
    name: &str,
    rounds: u64,
    most: Duration,
    late: &mut Vec<Duration>,
    run: impl Fn(Stop) + Sync,
) {
    let mut rng = SplitMix64::new(rounds);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a thread");
    let mut mine = Vec::new();
    for _ in 0..rounds {
        let after = Duration::from_micros(rng.below(most.as_micros() as u64));
        let token = CancelToken::new();
        let stop = Stop::never().with_token(token.clone());
        let (tell, told) = std::sync::mpsc::channel();
        let (pulled, ended) = std::thread::scope(|scope| {
            let puller = scope.spawn(move || {
                let thread: String = told.recv().expect("the thread's name");
                std::thread::sleep(after);
                let pulled = processor(&thread);
                token.cancel();
                pulled
            });
            let ended = pool.install(|| {
                let thread = own_thread();
                tell.send(thread.clone()).expect("a listener");
                run(stop);
                processor(&thread)
            });
            (puller.join().expect("no panic"), ended)
        });
        mine.push(ended.saturating_sub(pulled));
    }
    mine.sort();
    let (middle, worst) = (mine[mine.len() / 2], mine[mine.len() - 1]);
    println!(
        "{name}: {rounds} times stopped, median {middle:?}, latest {worst:?} of processor time"
    );
    late.extend(mine);
}

pub(crate) fn pairs(count: u64) -> Result<(Corpus, Vocab), pgen::align::Error> {
    let (mut corpus, mut vocab) = (Corpus::new(), Vocab::new());
    let mut rng = SplitMix64::new(9);
    for _ in 0..count {
        let mut side = |mark: &str| {
            let words = (0..5 + rng.below(20)).map(|_| format!("{mark}{}", rng.below(2000)));
            words.collect::<Vec<_>>().join(" ")
        };
        let (source, target) = (side("s"), side("t"));
        corpus.push_text(&source, &target, &mut vocab, &Limits::default())?;
    }
    Ok((corpus, vocab))
}

/// Operations of seconds, stopped within 50 ms of their start: 99 of 100 end within 100 ms of processor time.
/// With `PGEN_TIMES` ten times as many.
#[test]
fn long_work_stops_in_time() -> Tested {
    let long = std::env::var_os("PGEN_TIMES").is_some();
    let rounds = if long { 200 } else { 20 };
    let mut late = Vec::new();
    let most = Duration::from_millis(50);
    let paraphraser = Paraphraser::english()?;
    let text = sentences()
        .into_iter()
        .step_by(50)
        .collect::<Vec<_>>()
        .join(" ");
    for (name, search) in [
        ("exact", Search::Exact),
        ("beam", Search::Beam),
        ("Monte-Carlo", Search::MonteCarlo { seed: 1 }),
    ] {
        let mut options = Options::best(100_000).with_search(search);
        (options.limits.pops, options.limits.states) = (usize::MAX, usize::MAX);
        overshoots(name, rounds, most, &mut late, |stop| {
            let answer = paraphraser.answer(&text, &options.clone().with_stop(stop));
            assert!(answer.is_ok());
        });
    }
    let (corpus, _) = pairs(3_000)?;
    let many = Model1Params::default().with_iterations(1_000_000);
    let direction = Direction::TargetGivenSource;
    overshoots("Model 1", rounds, most, &mut late, |stop| {
        let made = Model1::fit(&corpus, direction, &many, &stop);
        assert_eq!(made.expect_err("stopped").code(), "cancelled");
    });
    let start = Model1::fit(&corpus, direction, &Model1Params::default(), &())?;
    let many = HmmParams::default().with_iterations(1_000_000);
    overshoots("HMM", rounds, most, &mut late, |stop| {
        let made = Hmm::fit(&corpus, start.clone(), &many, &stop);
        assert_eq!(made.expect_err("stopped").code(), "cancelled");
    });
    let groups: Vec<Vec<String>> = sentences()
        .iter()
        .map(|text| text.split(' ').map(str::to_owned).collect())
        .collect();
    let fsa = Fsa::from_sentences(&groups, &Limits::default())?;
    overshoots(
        "determinise, minimise, squeeze",
        rounds,
        most,
        &mut late,
        |stop| {
            while stop.check().is_ok() {
                let made = fsa.determinize(&Limits::default(), &stop);
                let _ = made.and_then(|made| made.minimize(&Limits::default(), &stop));
                let _ = fsa.squeeze(&stop);
            }
        },
    );
    late.sort();
    let at = |share: f64| late[((late.len() - 1) as f64 * share) as usize];
    println!(
        "late by: median {:?}, p99 {:?}, most {:?}",
        at(0.5),
        at(0.99),
        at(1.0)
    );
    counted("times stopped in six operations", late.len() as u64);
    assert!(at(0.99) <= Duration::from_millis(100), "p99 {:?}", at(0.99));
    Ok(())
}

/// A deadline does what a token does.
#[test]
fn a_deadline_that_passes_stops_training() -> Tested {
    let (corpus, _) = pairs(2_000)?;
    let many = Model1Params::default().with_iterations(1_000_000);
    for round in 0..10 {
        let stop = Stop::after(Duration::from_millis(round * 3));
        let made = Model1::fit(&corpus, Direction::TargetGivenSource, &many, &stop);
        assert_eq!(made.expect_err("stopped").code(), "deadline-exceeded");
    }
    counted("trainings ended by a deadline", 10);
    Ok(())
}

/// A token pulled by another thread stops what a deadline stops.
#[test]
fn a_pulled_token_stops_training() -> Tested {
    let (corpus, _) = pairs(2_000)?;
    let many = Model1Params::default().with_iterations(1_000_000);
    for round in 0..10 {
        let token = CancelToken::new();
        let stop = Stop::never().with_token(token.clone());
        std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(round * 3));
                token.cancel();
            });
            let made = Model1::fit(&corpus, Direction::TargetGivenSource, &many, &stop);
            assert_eq!(made.expect_err("stopped").code(), "cancelled");
        });
    }
    counted("trainings cancelled from another thread", 10);
    Ok(())
}
