//! The plain-text cases with every decoder in every configuration.

use pgen_core::{LanguageModel, Lattice, NBest};
use pgen_decode::testing::{
    BackoffModel, Promise, Reference, brute_force, cases, conformance, read_cases,
};
use pgen_decode::{Beam, Decoder, Exact, LogLinear, Mode, MonteCarlo, Request, Result};

/// Brute force as a decoder.
struct Definition;

impl<L: LanguageModel> Decoder<L> for Definition {
    fn decode(
        &self,
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        request: &Request,
    ) -> Result<NBest> {
        brute_force(lattice, model, request)
    }
}

/// Without details, with them, and with scratch from earlier calls.
struct Detailed(Exact);

impl<L: LanguageModel> Decoder<L> for Detailed {
    fn decode(
        &self,
        lattice: &Lattice,
        model: &LogLinear<'_, L>,
        request: &Request,
    ) -> Result<NBest> {
        let plain = self.0.decode(lattice, model, request)?;
        let detailed = self
            .0
            .decode(lattice, model, &request.clone().with_details())?;
        for (a, b) in plain.items.iter().zip(&detailed.items) {
            assert_eq!((&a.words, a.score), (&b.words, b.score));
            assert!(
                b.derivations.is_some()
                    && b.marginal.is_some_and(|m| m.ln() >= b.score.ln() - 1e-9)
            );
        }
        Ok(detailed)
    }
}

#[test]
fn exact_decoders() {
    assert!(cases().len() >= 25);
    for decoder in [
        &Definition as &dyn Decoder<BackoffModel>,
        &Reference,
        &Exact::new(),
    ] {
        conformance(decoder, Promise::Exact).unwrap();
    }
    conformance(&Detailed(Exact::new()), Promise::Exact).unwrap();
}

#[test]
fn beams() {
    for width in [1, 2, 200, 1_000_000] {
        for recombination in [true, false] {
            let beam = Beam::new(width).unwrap().with_recombination(recombination);
            // Lists of derivations: the same text may come again, so only scores are compared.
            for case in cases() {
                if let Err(error) = case.check(&beam, Promise::Sound) {
                    assert!(error.contains("one twice"), "width {width}: {error}");
                }
            }
        }
    }
}

#[test]
fn monte_carlo() {
    for mode in [Mode::TrueScore, Mode::Translator] {
        for seed in 0..3 {
            let settings = MonteCarlo::default().with_mode(mode).with_seed(seed);
            let decoder = settings.with_episodes(300).unwrap();
            for case in cases() {
                if let Err(error) = case.check(&decoder, Promise::Sound) {
                    panic!("{mode:?}, seed {seed}: {error}");
                }
            }
        }
    }
}

#[test]
fn a_wrong_answer_is_found_out() {
    let case = "case x\nsource a\nrule a ||| x ||| -1\ngram -1 | x | 0\ngram 0 | </s> | 0\n";
    let check = |rest: &str| {
        let cases = read_cases(&format!("{case}{rest}"));
        cases[0].check(&Exact::new(), Promise::Exact)
    };
    assert_eq!(check("text -2 | x\nend exhausted"), Ok(()));
    for wrong in [
        "text -2.5 | x\nend exhausted",
        "text -2 | y\nend exhausted",
        "end exhausted",
        "text -2 | x\nend exact",
        "text -2 | x\nend unreachable",
        "text -2 | x",
        "text two | x\nend exhausted",
    ] {
        assert!(check(wrong).is_err(), "{wrong}");
    }
}
