//! Long use of one paraphraser: a stream of sentences, one in twenty hostile, and memory and open files stay
//! where they are. `PGEN_SOAK=1000000` is the long run.
#![cfg(not(debug_assertions))]
#![allow(clippy::print_stdout)]

use pgen::core::SplitMix64;
use pgen::{Options, Paraphraser};
use std::time::{Duration, Instant};

fn status(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(field));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

const STARTS: [&str; 8] = [
    "We must find",
    "The company has made",
    "He said that there was",
    "They want to buy",
    "It is difficult to explain",
    "The government tried to improve",
    "She asked him about",
    "A large number of people saw",
];
const ENDS: [&str; 8] = [
    "a solution to this problem.",
    "an important decision yesterday.",
    "a new house in the city.",
    "the other members of the group.",
    "the end of the year.",
    "some help from the team.",
    "$1,000 at http://a.b/c?d=e.",
    "\"the answer\" to Mr. Smith's question!",
];

fn sentence(rng: &mut SplitMix64) -> String {
    let pick = |rng: &mut SplitMix64| rng.below(8) as usize;
    if rng.below(20) > 0 {
        let number = rng.below(1000);
        return format!("{} {} ({number})", STARTS[pick(rng)], ENDS[pick(rng)]);
    }
    match rng.below(7) {
        0 => "a ".repeat(rng.below(6000) as usize),
        1 => "x".repeat(rng.below(8000) as usize),
        2 => (0..rng.below(300))
            .filter_map(|_| char::from_u32(rng.below(0x11_0000) as u32))
            .collect(),
        3 => "the problem of ".repeat(rng.below(60) as usize),
        4 => "\u{202E}\u{0}\u{FEFF}<s> ||| </s> {x} %s".repeat(rng.below(20) as usize),
        5 => String::new(),
        _ => "e\u{301}\u{200D}\u{1F600}".repeat(rng.below(500) as usize),
    }
}

#[test]
fn memory_and_files_stay_where_they_are() {
    let all: u64 = std::env::var("PGEN_SOAK")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(6_000);
    let paraphraser = Paraphraser::english().unwrap();
    let mut options = Options::best(3);
    options.limits.pops = 100_000;
    let mut rng = SplitMix64::new(77);
    let (mut refused, mut paraphrases, mut slowest) = (0u64, 0u64, Duration::ZERO);
    let warm = all / 4;
    let (mut memory, mut files) = (0, 0);
    for done in 0..all {
        if done == warm {
            (memory, files) = (status("VmRSS:"), open_files());
        }
        let text = sentence(&mut rng);
        let started = Instant::now();
        match paraphraser.answer(&text, &options) {
            Ok(answer) => paraphrases += answer.items.len() as u64,
            Err(error) => {
                assert_eq!(error.code(), "limit-exceeded", "{text}");
                refused += 1;
            }
        }
        slowest = slowest.max(started.elapsed());
        if done % (all / 10).max(1) == 0 {
            println!(
                "soak: {done} sentences, {} KiB, {} files",
                status("VmRSS:"),
                open_files()
            );
        }
    }
    let grown = status("VmRSS:").saturating_sub(memory);
    println!(
        "soak: {all} sentences, {paraphrases} paraphrases, {refused} refused, slowest {slowest:?}"
    );
    println!("soak: memory grew by {grown} KiB from {memory} KiB since the first quarter");
    assert!(grown < 8 << 10, "memory grew by {grown} KiB");
    assert_eq!(open_files(), files);
}
