//! Damaged files: with a wrong checksum each is refused; with all checksums made right none panics, hangs
//! or takes memory, and what loads answers sanely.
#![cfg(not(debug_assertions))]
#![allow(clippy::print_stdout)]

mod damage;

use damage::{Format, each_damage, formats, mend};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Loads in a way that a panic is seen.
fn load(format: &Format, bytes: &[u8]) -> Option<damage::Loaded> {
    catch_unwind(AssertUnwindSafe(|| (format.load)(bytes))).ok()
}

/// How many bytes of a file are damaged in continuous integration; all of them in the long run.
fn most() -> usize {
    match std::env::var_os("PGEN_LONG") {
        Some(_) => usize::MAX,
        None => 1500,
    }
}

#[test]
fn a_wrong_checksum_is_always_refused() {
    let mut all = 0u64;
    for format in formats().unwrap() {
        let good = load(&format, &format.bytes).unwrap().unwrap();
        let mut count = 0u64;
        each_damage(&format.bytes, most(), 500, |what, bytes| {
            count += 1;
            match load(&format, &bytes) {
                Some(Err(_)) => {}
                Some(Ok(answer)) => panic!(
                    "{}: a {what} passed unseen (answers {})",
                    format.name,
                    if answer == good { "the same" } else { "differ" }
                ),
                None => panic!("{}: a {what} made it panic", format.name),
            }
        });
        println!(
            "{}: {} bytes, {count} damaged, all refused",
            format.name,
            format.bytes.len()
        );
        all += count;
    }
    println!("damaged with a wrong checksum: {all} loads, all refused");
    assert!(all >= 100_000, "{all}");
}

#[test]
fn a_right_checksum_is_not_trusted() {
    let mut all = 0u64;
    for format in formats().unwrap() {
        let (mut count, mut refused) = (0u64, 0u64);
        each_damage(&format.bytes, most(), 500, |what, mut bytes| {
            mend(&mut bytes);
            count += 1;
            let before = std::time::Instant::now();
            match load(&format, &bytes) {
                Some(Err(_)) => refused += 1,
                Some(Ok(_)) => {}
                None => {
                    let at = bytes.iter().zip(&format.bytes).position(|(a, b)| a != b);
                    panic!("{}: a {what} at {at:?} made it panic", format.name);
                }
            }
            let took = before.elapsed();
            assert!(
                took.as_secs() < 5,
                "{}: a {what} took {took:?}",
                format.name
            );
        });
        println!(
            "{}: {count} damaged, {refused} refused, no panic",
            format.name
        );
        all += count;
    }
    println!("damaged with right checksums: {all} loads, no panic");
    assert!(all >= 100_000, "{all}");
}
