//! Bad inputs: every row of `rows.tsv` is proved by the cases of `cases.tsv` that bear its id.
//!
//! Each case runs in a process of its own, in a folder of its own, with bounds on address space, stack and
//! time, so that a panic, a hang or an allocation out of proportion is seen as what it is. A row holds if
//! all of its cases do. Rows whose only case is `open` are counted as open, never as held.
//!
//! `PGEN_FILL=FILE` writes what was found: outcome, peak memory and time of every case. Arguments choose
//! rows by the beginning of their ids.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod api;
mod archives;
mod case;
mod child;
mod input;
mod probes;
mod stage;

use case::{Case, Outcome, Row};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let first = arguments.next();
    if first.as_deref() == Some("--case") {
        return child::answer(&arguments.next().unwrap_or_default());
    }
    if cfg!(not(target_os = "linux")) {
        println!("skipped: bad inputs need the limits of a Linux shell");
        return ExitCode::SUCCESS;
    }
    // The arguments of test harnesses are no ids.
    let wanted: Vec<String> = first
        .into_iter()
        .chain(arguments)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let chosen = |id: &str| wanted.is_empty() || wanted.iter().any(|start| id.starts_with(start));
    let rows: Vec<Row> = case::rows()
        .into_iter()
        .filter(|row| chosen(row.id))
        .collect();
    let cases: Vec<Case> = case::cases()
        .into_iter()
        .filter(|case| chosen(case.row))
        .collect();
    let outcomes = run(&cases);
    report(&rows, &cases, &outcomes)
}

/// Runs every case in a child, two at a time.
fn run(cases: &[Case]) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = child::run(case);
                    found.lock().unwrap().insert(case.name(), outcome);
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    cases
        .iter()
        .map(|case| found.remove(&case.name()).expect("every case has run"))
        .collect()
}

fn report(rows: &[Row], cases: &[Case], outcomes: &[Outcome]) -> ExitCode {
    let (mut held, mut open, mut failed) = (0, Vec::new(), Vec::new());
    let mut skipped = Vec::new();
    for row in rows {
        let mine: Vec<_> = cases
            .iter()
            .zip(outcomes)
            .filter(|(case, _)| case.row == row.id)
            .collect();
        if mine.is_empty() {
            failed.push(format!("{}: there is no case ({})", row.id, row.input));
        } else if mine.iter().any(|(case, _)| case.probe == "open") {
            open.push(row.id);
        } else {
            if let Some((_, got)) = mine.iter().find(|(_, got)| got.text.contains("skipped: ")) {
                println!("{}: {}", row.id, got.text);
                skipped.push(row.id);
                continue;
            }
            let wrong = mine.iter().filter(|(case, got)| !case.expects(&got.text));
            let wrong: Vec<String> = wrong
                .map(|(case, got)| {
                    let (name, expected, got) = (case.name(), case.expect, &got.text);
                    format!(
                        "{name}: {}\n    expected {expected}\n    got      {got}",
                        row.input
                    )
                })
                .collect();
            held += usize::from(wrong.is_empty());
            failed.extend(wrong);
        }
    }
    if let Some(file) = std::env::var_os("PGEN_FILL") {
        std::fs::write(file, filled(cases, outcomes)).expect("the results can be written");
    }
    for failure in &failed {
        println!("{failure}");
    }
    let (all, count) = (rows.len(), cases.len());
    println!(
        "bad inputs: {held} of {all} rows hold ({count} cases), {} open {open:?}, {} skipped here {skipped:?}",
        open.len(),
        skipped.len()
    );
    ExitCode::from(u8::from(!failed.is_empty()))
}

/// A line a case: name, outcome, peak memory in KiB, milliseconds.
fn filled(cases: &[Case], outcomes: &[Outcome]) -> String {
    let mut text = "case\tgot\tpeak_kib\tms\tverdict\n".to_owned();
    for (case, got) in cases.iter().zip(outcomes) {
        let verdict = match case.expects(&got.text) {
            _ if case.probe == "open" => "open",
            true => "held",
            false => "FAILED",
        };
        let shown = got.text.replace(['\t', '\n'], " ");
        let shown: String = shown.chars().take(200).collect();
        let (name, peak, ms) = (case.name(), got.peak_kib, got.milliseconds);
        text.push_str(&format!("{name}\t{shown}\t{peak}\t{ms}\t{verdict}\n"));
    }
    text
}
