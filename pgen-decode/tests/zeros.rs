//! Words that a context lists and its shorter context forbids.

use pgen_core::{Lexicon, Limits, Lines, Sentence, SplitMix64, TableBuilder, Vocab};
use pgen_decode::{Beam, Decoder, Exact, LogLinear, Plan, Request};
use pgen_lm::{ArpaOptions, FastModel, read_arpa_lines};
use std::collections::BTreeSet;
use std::sync::Arc;

/// `b` is impossible unless it follows `a`.
const ARPA: &str = "\\data\\
ngram 1=7
ngram 2=4

\\1-grams:
-99\t<s>\t-0.2
-1\t</s>
-2\t<unk>
-1\ta\t-0.1
-inf\tb\t-0.1
-1\tc\t-0.1
-1.2\td\t-0.1

\\2-grams:
-0.3\t<s> a
-0.2\ta b
-0.3\tb c
-0.4\tc d

\\end\\
";

fn pick<'a>(rng: &mut SplitMix64, from: &[&'a str]) -> &'a str {
    from[rng.below(from.len() as u64) as usize]
}

/// Rows of random phrases, and a sentence of their sources.
fn case(rng: &mut SplitMix64) -> (BTreeSet<(&'static str, String)>, Vec<&'static str>) {
    let mut rows = BTreeSet::new();
    for source in ["x", "y", "z"] {
        for _ in 0..=rng.below(4) {
            let words = (0..=rng.below(3)).map(|_| pick(rng, &["a", "b", "c", "d"]));
            rows.insert((source, words.collect::<Vec<_>>().join(" ")));
        }
    }
    let words = (0..2 + rng.below(4)).map(|_| pick(rng, &["x", "y", "z"]));
    (rows, words.collect())
}

#[test]
fn a_word_may_be_possible_in_the_longer_context_alone() {
    let mut rng = SplitMix64::new(1);
    for _ in 0..if cfg!(debug_assertions) { 200 } else { 2_000 } {
        let mut vocab = Vocab::new();
        let lines = Lines::from_text(ARPA, &Limits::default()).unwrap();
        let (ngrams, _) = read_arpa_lines(lines, &mut vocab, &ArpaOptions::lenient()).unwrap();
        let language = FastModel::new(&ngrams).unwrap();
        let (rows, words) = case(&mut rng);
        let mut builder = TableBuilder::new(["tm"]);
        for (source, target) in &rows {
            builder
                .push_text(&mut vocab, source, target, &[-1.0])
                .unwrap();
        }
        let table = builder.build(&vocab).unwrap();
        let lexicon = Lexicon::new(Arc::new(vocab));
        let sentence = Sentence::from_words(words, lexicon, &Limits::default()).unwrap();
        let plan = Plan::new(Limits::default()).with_table("tm", &table);
        let lattice = plan.build(&sentence).unwrap().lattice;
        let model = LogLinear::new(&language);
        let request = Request::best(100_000);
        let exact = Exact::new().decode(&lattice, &model, &request).unwrap();
        let beam = Beam::new(100_000).unwrap();
        let beam = beam.decode(&lattice, &model, &request).unwrap();
        assert_eq!(exact.items.len(), beam.items.len(), "{rows:?}");
        for (exact, beam) in exact.items.iter().zip(&beam.items) {
            assert!((exact.score.ln() - beam.score.ln()).abs() < 1e-6);
        }
    }
}
