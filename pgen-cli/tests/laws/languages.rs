//! Language models against the definition of back-off, in every layout.

use crate::{Tested, cases, counted};
use pgen::core::codec::Packing;
use pgen::core::{LanguageModel, Limits, Lines, SplitMix64, Vocab, WordId};
use pgen::decode::testing::BackoffModel;
use pgen::lm::{
    ArpaOptions, CompactModel, EstimateParams, Estimator, FastModel, Layout, NgramModel, Ngrams,
    Precision, Smoothing, read_arpa_lines, write_arpa,
};
use std::io::Cursor;

const SMOOTHINGS: [Smoothing; 4] = [
    Smoothing::ModifiedKneserNey,
    Smoothing::KneserNey,
    Smoothing::Katz,
    Smoothing::WittenBell,
];

/// A model of random text, of order 1 to 5.
fn random_model(seed: u64, vocab: &mut Vocab) -> Result<Ngrams, pgen::lm::Error> {
    let mut rng = SplitMix64::new(seed);
    let order = 1 + seed as usize % 5;
    let smoothing = SMOOTHINGS[seed as usize / 5 % 4];
    let mut estimator = Estimator::new(EstimateParams::new(order).with_smoothing(smoothing))?;
    let words = 3 + rng.below(12);
    for _ in 0..20 + rng.below(60) {
        let sentence = (0..rng.below(9)).map(|_| vocab.intern(&format!("w{}", rng.below(words))));
        let sentence = sentence.collect::<Result<Vec<WordId>, _>>()?;
        estimator.add(&sentence)?;
    }
    Ok(estimator.finish(vocab, &())?.0)
}

#[test]
fn every_layout_scores_as_the_definition() -> Tested {
    let models = cases(200);
    let mut compared = 0;
    for seed in 0..models {
        let mut vocab = Vocab::new();
        let Ok(ngrams) = random_model(seed, &mut vocab) else {
            continue;
        };
        let mut arpa = Vec::new();
        write_arpa(&ngrams, &vocab, &mut arpa)?;
        let text = String::from_utf8(arpa.clone())?;
        let naive = BackoffModel::from_arpa(&text, &mut vocab.clone())?;
        let lines = Lines::from_reader(Cursor::new(arpa), "t", &Limits::default())?;
        let mut again = vocab.clone();
        let (read, _) = read_arpa_lines(lines, &mut again, &ArpaOptions::default())?;
        assert_eq!(again.len(), vocab.len(), "seed {seed}");
        let fast = FastModel::new(&read)?;
        let compact = CompactModel::new(&read, Precision::Exact)?;
        let stored = NgramModel::new(&read, &vocab, Layout::Fast, Precision::Exact)?;
        let (stored, _) = NgramModel::from_bytes(
            stored.to_bytes(&vocab, Packing::Deflate)?,
            &Limits::default(),
        )?;
        let mut rng = SplitMix64::new(!seed);
        for _ in 0..60 {
            let length = rng.below(8);
            let words: Vec<WordId> = (0..length)
                .map(|_| match rng.below(vocab.len() as u64 - 2) as u32 + 2 {
                    2 => WordId::UNK,
                    id => WordId::new(id),
                })
                .collect();
            let expected = naive.sentence(&words).ln();
            for found in [
                fast.sentence(&words).ln(),
                compact.sentence(&words).ln(),
                stored.sentence(&words).ln(),
            ] {
                let close = (found - expected).abs() < 1e-5 * (1.0 + expected.abs());
                assert!(close, "seed {seed}: {found} is not {expected}");
                compared += 1;
            }
        }
    }
    counted(
        "sentence scores equal to the definition of back-off",
        compared,
    );
    assert!(compared >= 10_000);
    Ok(())
}
