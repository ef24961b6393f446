//! How long work goes on without asking whether to stop, and how long it takes to end once it has asked:
//! over every moment of an operation, not over a sample of moments.

use crate::threads::sentences;
use crate::times::pairs;
use crate::{Tested, counted};
use pgen::align::{
    Corpus, ExtractParams, Method, PhraseTable, PivotParams, Side, TrainOptions, Trained,
    align_corpus, pivot,
};
use pgen::core::{SplitMix64, Stop, Vocab};
use pgen::{Options, Paraphraser, Search};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Processor time of this thread: a busy machine does not count.
fn processor() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

thread_local! {
    static ASKED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

fn since_asked() -> Duration {
    let now = processor();
    now.saturating_sub(ASKED.replace(now))
}

/// Stretches of processor time between two questions of one thread, from the start of the work to its end.
#[derive(Clone, Copy, Default)]
struct Stretches {
    questions: u64,
    all: Duration,
    /// What is above ten milliseconds.
    over: Duration,
    longest: Duration,
}

impl Stretches {
    fn add(&mut self, stretch: Duration) {
        self.all += stretch;
        self.over += stretch.saturating_sub(Duration::from_millis(10));
        self.longest = self.longest.max(stretch);
    }

    fn of(run: &dyn Fn(Stop)) -> Self {
        let found = Arc::new(Mutex::new(Stretches::default()));
        let shared = found.clone();
        let stop = Stop::never().with_condition(move || {
            let mut found = shared.lock().expect("no panic");
            found.add(since_asked());
            found.questions += 1;
            false
        });
        let _ = since_asked();
        run(stop);
        let last = since_asked();
        let mut found = *found.lock().expect("no panic");
        found.add(last);
        found
    }
}

/// Stops at the n-th question; the processor time until the work has ended.
fn ended_after(nth: u64, run: &dyn Fn(Stop)) -> Duration {
    let asked = AtomicU64::new(0);
    let stop = Stop::never().with_condition(move || {
        let last = asked.fetch_add(1, Ordering::Relaxed) + 1 == nth;
        if last {
            let _ = since_asked();
        }
        last
    });
    run(stop);
    since_asked()
}

/// Asks often enough, and ends soon whenever it is told to. Prints the share of the moments from which it
/// takes longer than ten milliseconds to the next question, the longest stretch, and the longest end.
fn prompt(name: &str, ends: u64, worst: &mut Duration, run: &dyn Fn(Stop)) -> u64 {
    let found = Stretches::of(run);
    let (asked, all, longest) = (found.questions, found.all, found.longest);
    let mut rng = SplitMix64::new(asked);
    let nth = |at: u64, rng: &mut SplitMix64| match at {
        0 => 1,
        1 => asked,
        _ => 1 + rng.below(asked.max(1)),
    };
    let end = (0..ends).map(|at| ended_after(nth(at, &mut rng), run));
    let end = end.max().unwrap_or_default();
    println!(
        "{name}: {all:?}, asked {asked} times; longest stretch {longest:?}, {:.2} % of the time above \
         10 ms; longest end {end:?} of {ends}",
        100.0 * found.over.as_secs_f64() / all.as_secs_f64().max(1e-9)
    );
    *worst = (*worst).max(longest + end);
    ends
}

fn train(corpus: &Corpus, vocab: &Vocab, method: Method, stop: &Stop) {
    let made = Trained::fit(corpus, vocab, &TrainOptions::new(method), stop);
    assert!(made.is_ok() || made.is_err_and(|error| error.code() == "cancelled"));
}

/// Training by every method, extraction and pivoting, stopped at the first, the last and random questions.
/// `PGEN_PAIRS` gives the number of sentence pairs (2,000 otherwise).
#[test]
fn trainers_ask_often_and_end_soon() -> Tested {
    let size = std::env::var("PGEN_PAIRS")
        .ok()
        .and_then(|n| n.parse().ok());
    let size_or = size.unwrap_or(2_000);
    // Climbing takes its time.
    let (large, small) = (pairs(size_or)?, pairs(size_or / 10)?);
    let ends = if size.is_some() { 12 } else { 6 };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (mut worst, mut stops) = (Duration::ZERO, 0);
    for (name, method) in Method::ALL {
        let few = matches!(method, Method::Model3 | Method::Model4);
        let (corpus, vocab) = if few { &small } else { &large };
        stops += pool.install(|| {
            let run = |stop: Stop| train(corpus, vocab, method, &stop);
            prompt(name, ends, &mut worst, &run)
        });
    }
    let (corpus, vocab) = large;
    let model = Trained::fit(&corpus, &vocab, &TrainOptions::new(Method::Model1), &())?;
    let links = align_corpus(&model, &corpus);
    let params = ExtractParams::default();
    let extract = |stop: &Stop| PhraseTable::extract(&corpus, &links, &params, |_, _| true, stop);
    let table = extract(&Stop::never())?;
    pool.install(|| {
        stops += prompt("extraction", ends, &mut worst, &|stop: Stop| {
            let made = extract(&stop);
            assert!(made.is_ok() || made.is_err_and(|error| error.code() == "cancelled"));
        });
        stops += prompt("pivot", ends, &mut worst, &|stop: Stop| {
            let params = PivotParams::default();
            let made = pivot(&table, Side::Source, &params, &vocab, &stop, |_, _| Ok(()));
            assert!(made.is_ok() || made.is_err_and(|error| error.code() == "cancelled"));
        });
    });
    counted("trainings and extractions stopped at a question", stops);
    let most = Duration::from_millis(if size.is_some() { 1_000 } else { 40 });
    assert!(
        worst <= most,
        "a stretch and an end together take {worst:?}"
    );
    Ok(())
}

/// Decoders on a text of a hundred words, stopped at the first, the last and random questions.
#[test]
fn decoders_ask_often_and_end_soon() -> Tested {
    let paraphraser = Paraphraser::english()?;
    let text = sentences().into_iter().step_by(50).collect::<Vec<_>>();
    let text = text.join(" ");
    let (mut worst, mut stops) = (Duration::ZERO, 0);
    for (name, search) in [
        ("exact", Search::Exact),
        ("beam", Search::Beam),
        ("Monte-Carlo", Search::MonteCarlo { seed: 1 }),
    ] {
        let mut options = Options::best(1_000).with_search(search);
        options.limits.pops = 2_000;
        stops += prompt(name, 12, &mut worst, &|stop: Stop| {
            let answer = paraphraser.answer(&text, &options.clone().with_stop(stop));
            assert!(answer.is_ok());
        });
    }
    counted("decodings stopped at a question", stops);
    assert!(
        worst <= Duration::from_millis(40),
        "a stretch and an end together take {worst:?}"
    );
    Ok(())
}
