//! Operations on automata against sets of strings.

use crate::{Tested, cases, counted};
use pgen::core::{Limits, Lines, SplitMix64, Stop};
use pgen::fsa::{Fsa, FsaBuilder, Labels, StateId, read_att};
use std::collections::BTreeSet;

/// A random acyclic automaton of up to 8 states over three words, with ε.
fn random(rng: &mut SplitMix64) -> Result<Fsa, pgen::fsa::Error> {
    let mut builder = FsaBuilder::new(&Limits::default());
    let states = 2 + rng.below(7) as u32;
    for _ in 0..states {
        builder.add_state()?;
    }
    for _ in 0..rng.below(16) {
        let from = rng.below(u64::from(states) - 1) as u32;
        let to = from + 1 + rng.below(u64::from(states - from - 1)) as u32;
        let word = [Some("a"), Some("b"), Some("c"), None][rng.below(4) as usize];
        let weight = -(rng.below(4) as f32);
        builder.add_weighted(StateId::new(from), word, StateId::new(to), weight)?;
    }
    for _ in 0..1 + rng.below(3) {
        builder.set_final(StateId::new(rng.below(u64::from(states)) as u32), 0.0)?;
    }
    builder.build(StateId::new(0))
}

fn strings(fsa: &Fsa) -> BTreeSet<String> {
    fsa.strings(1_000_000).into_iter().collect()
}

#[test]
fn operations_are_those_of_sets_of_strings() -> Tested {
    let all = cases(2_000);
    let (limits, never) = (Limits::default(), Stop::never());
    let mut rng = SplitMix64::new(42);
    for case in 0..all {
        let (one, two) = (random(&mut rng)?, random(&mut rng)?);
        let (a, b) = (strings(&one), strings(&two));
        let (plain, other) = (
            one.remove_epsilon(&limits, &never)?,
            two.remove_epsilon(&limits, &never)?,
        );
        assert_eq!(strings(&plain), a, "case {case}: without ε");
        assert!(!plain.has_epsilon(), "case {case}");
        let deterministic = plain.determinize(&limits, &never)?;
        assert_eq!(strings(&deterministic), a, "case {case}: determinised");
        assert!(deterministic.is_deterministic(), "case {case}");
        assert_eq!(
            deterministic.path_count().to_f64(),
            a.len() as f64,
            "case {case}: paths"
        );
        let minimal = plain.minimize(&limits, &never)?;
        assert_eq!(strings(&minimal), a, "case {case}: minimised");
        assert!(
            minimal.state_count() <= deterministic.state_count(),
            "case {case}"
        );
        let union = Fsa::union(&[&one, &two], &limits)?;
        assert_eq!(
            strings(&union),
            a.union(&b).cloned().collect(),
            "case {case}: union"
        );
        let both = plain.intersect(&other, &limits, &never)?;
        let common = a.intersection(&b).cloned().collect();
        assert_eq!(strings(&both), common, "case {case}: intersection");
        let best = plain.best(usize::MAX, &limits, &never)?;
        let texts: BTreeSet<String> = best.iter().map(|s| plain.join_words(&s.labels)).collect();
        assert_eq!(texts, a, "case {case}: best strings");
        assert!(
            best.is_sorted_by(|x, y| x.weight >= y.weight),
            "case {case}: order"
        );
        for string in &a {
            let words: Vec<&str> = string.split(' ').filter(|word| !word.is_empty()).collect();
            assert!(one.accepts(&words), "case {case}: {string:?}");
        }
        let mut written = Vec::new();
        one.write_att(&mut written, false)?;
        let mut lines = Lines::from_reader(std::io::Cursor::new(written), "t", &limits)?;
        let read = read_att(&mut lines, &Labels::Words, &limits)?;
        let again = read.map_or(BTreeSet::new(), |fsa| strings(&fsa));
        assert_eq!(again, a, "case {case}: written and read");
    }
    counted(
        "operations on automata equal to those on sets of strings",
        all * 8,
    );
    Ok(())
}
