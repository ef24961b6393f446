//! The exact decoder against enumeration, and orders of lists.

use crate::{Tested, cases, counted};
use pgen::decode::testing::{brute_force, random_lattice};
use pgen::decode::{Beam, Decoder, Exact, LogLinear, Request, TrueScore};

#[test]
fn lists_are_those_of_brute_force() -> Tested {
    let all = cases(20_000);
    for seed in 100_000..100_000 + all {
        let random = random_lattice(seed)?;
        let model = LogLinear::new(&random.model);
        let request = Request::best(1 + seed as usize % 12);
        let expected = brute_force(&random.lattice, &model, &request)?;
        let found = Exact::new().decode(&random.lattice, &model, &request)?;
        let text = |list: &pgen::core::NBest| {
            let items = list.items.iter();
            items
                .map(|item| (item.words.clone(), item.score.ln().to_bits()))
                .collect::<Vec<_>>()
        };
        assert_eq!(text(&found), text(&expected), "seed {seed}");
    }
    counted(
        "n-best lists equal to enumeration, ties and order included",
        all,
    );
    Ok(())
}

#[test]
fn a_list_is_the_beginning_of_a_longer_one() -> Tested {
    let all = cases(1_000);
    for seed in 200_000..200_000 + all {
        let random = random_lattice(seed)?;
        let model = LogLinear::new(&random.model);
        let list = |n| Exact::new().decode(&random.lattice, &model, &Request::best(n));
        let (short, long) = (list(5)?, list(6)?);
        let most = short.items.len();
        let words = |items: &[pgen::core::Hypothesis]| -> Vec<_> {
            items.iter().map(|item| item.words.clone()).collect()
        };
        assert_eq!(
            words(&short.items),
            words(&long.items[..most]),
            "seed {seed}"
        );
    }
    counted("lists that begin longer ones", all);
    Ok(())
}

#[test]
fn no_beam_is_above_the_exact_list() -> Tested {
    let all = cases(1_000);
    for seed in 300_000..300_000 + all {
        let random = random_lattice(seed)?;
        let model = LogLinear::new(&random.model);
        let exact = Exact::new().decode(&random.lattice, &model, &Request::best(1))?;
        let best = exact.items.first().map(|item| item.score.ln());
        for width in [1, 2, 8] {
            let list = Beam::new(width)?.decode(&random.lattice, &model, &Request::best(1))?;
            if let Some(item) = list.items.first() {
                assert!(Some(item.score.ln()) <= best, "seed {seed}");
                let truth = TrueScore::new(&random.lattice, &model, &item.words)?;
                assert!(item.score.ln() <= truth.score().ln(), "seed {seed}");
            }
        }
    }
    counted("beams that never score above the truth", all * 3);
    Ok(())
}
