//! Laws, each over thousands of random cases with fixed seeds: against brute force, against naive readers,
//! and of inputs changed in ways whose effect is known. Every test prints how many cases it counted.
#![cfg(not(debug_assertions))]
#![allow(clippy::print_stdout)]

mod aligners;
mod automata;
mod changed;
mod decoders;
mod languages;
mod stretches;
mod threads;
mod times;
mod trips;

type Tested = Result<(), Box<dyn std::error::Error>>;

/// How many cases: those of continuous integration, ten times as many with `PGEN_LONG`.
fn cases(usual: u64) -> u64 {
    match std::env::var_os("PGEN_LONG") {
        Some(_) => usual * 10,
        None => usual,
    }
}

fn counted(what: &str, cases: u64) {
    println!("cases: {cases:>7} {what}");
}
