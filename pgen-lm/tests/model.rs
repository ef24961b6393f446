//! Models in files: what is saved is what answers.

mod common;

use common::{data, id, random_model, random_sentence, read};
use pgen_core::codec::Packing;
use pgen_core::{LanguageModel, Limits, Lines, SplitMix64, Vocab, WordId};
use pgen_lm::{EstimateParams, Estimator, FastModel, Layout, NgramModel, Precision};

#[test]
fn saved_models_score_the_same() {
    let limits = Limits::default();
    for seed in 0..300 {
        let naive = random_model(seed);
        let mut vocab = Vocab::new();
        let ngrams = read(&naive.arpa(), &mut vocab);
        let fast = FastModel::new(&ngrams).unwrap();
        let layout = [Layout::Fast, Layout::Compact][seed as usize % 2];
        let model = NgramModel::new(&ngrams, &vocab, layout, Precision::Exact).unwrap();
        let bytes = model.to_bytes(&vocab, Packing::Plain).unwrap();
        let (again, words) = NgramModel::from_bytes(&bytes, &limits).unwrap();
        assert_eq!(again.to_bytes(&words, Packing::Plain).unwrap(), bytes);
        assert_eq!(again.layout(), layout);
        let fast_again = again.with_layout(Layout::Fast).unwrap();
        let compact_again = again.with_layout(Layout::Compact).unwrap();
        assert!(fast_again.as_fast().is_some() && compact_again.as_compact().is_some());
        assert_eq!(compact_again.counts(), fast.counts());
        let mut rng = SplitMix64::new(seed);
        for _ in 0..20 {
            let sentence = random_sentence(&mut rng);
            let ids: Vec<WordId> = sentence.iter().map(|w| id(&vocab, w)).collect();
            assert_eq!(again.sentence(&ids), fast.sentence(&ids));
            assert_eq!(fast_again.sentence(&ids), fast.sentence(&ids));
            assert_eq!(compact_again.sentence(&ids), fast.sentence(&ids));
            assert_eq!(again.sentences(&[&ids]), [fast.sentence(&ids)]);
            assert_eq!(model.sentence(&ids), fast.sentence(&ids));
        }
    }
}

#[test]
fn another_vocabulary_is_noticed() {
    let mut vocab = Vocab::new();
    let ngrams = read(&random_model(1).arpa(), &mut vocab);
    let model = NgramModel::new(&ngrams, &vocab, Layout::Fast, Precision::Bits(8)).unwrap();
    let mut longer = vocab.clone();
    longer.intern("more").unwrap();
    model.check_vocab(&longer).unwrap();
    let mut other = Vocab::new();
    for word in 0..vocab.len() {
        other.intern(&format!("x{word}")).unwrap();
    }
    assert_eq!(model.check_vocab(&other).unwrap_err().code(), "mismatch");
    let error =
        NgramModel::new(&ngrams, &Vocab::new(), Layout::Fast, Precision::Exact).unwrap_err();
    assert_eq!(error.code(), "mismatch");
    let error = NgramModel::new(&ngrams, &vocab, Layout::Fast, Precision::Bits(9)).unwrap_err();
    assert_eq!(error.code(), "bad-parameter");
}

/// Perplexity of a text, unknown words included.
fn perplexity(model: &impl LanguageModel, vocab: &Vocab, mut text: Lines) -> f64 {
    let (mut ln, mut tokens) = (0.0, 0);
    while let Some((_, line)) = text.next_line().unwrap() {
        let words = line.split(' ').filter(|word| !word.is_empty());
        let ids: Vec<WordId> = words.map(|w| vocab.get(w).unwrap_or(WordId::UNK)).collect();
        ln += model.sentence(&ids).ln();
        tokens += ids.len() + 1;
    }
    (-ln / tokens as f64).exp()
}

/// Size, perplexity and loading time of pruned and quantised models.
#[test]
#[cfg_attr(debug_assertions, ignore = "release only")]
fn pruned_and_quantised_models_lose_little() {
    let (Some(train), Some(test)) = (data("lm-case/train.txt.gz"), data("lm-case/test.txt.gz"))
    else {
        return;
    };
    let limits = Limits::default();
    let open = |path| Lines::open(path, &limits).unwrap();
    let mut vocab = Vocab::new();
    let mut estimator = Estimator::new(EstimateParams::new(3)).unwrap();
    estimator.add_lines(open(&train), &mut vocab, &()).unwrap();
    let (ngrams, _) = estimator.finish(&vocab, &()).unwrap();
    let full = perplexity(&FastModel::new(&ngrams).unwrap(), &vocab, open(&test));
    assert!((full / 79.159_489 - 1.0).abs() < 1e-3, "{full}");
    for (threshold, precision, worst) in [
        (0.0, Precision::Bits(8), 1.002),
        (0.0, Precision::Bits(6), 1.01),
        (2e-8, Precision::Bits(8), 1.05),
        (1e-7, Precision::Bits(8), 1.15),
        (5e-7, Precision::Bits(6), 1.35),
    ] {
        let pruned = ngrams.pruned(threshold).unwrap();
        let model = NgramModel::new(&pruned, &vocab, Layout::Fast, precision).unwrap();
        let bytes = model.to_bytes(&vocab, Packing::Deflate).unwrap();
        let clock = std::time::Instant::now();
        let (model, _) = NgramModel::from_bytes(&bytes, &limits).unwrap();
        let loading = clock.elapsed();
        let found = perplexity(&model, &vocab, open(&test));
        let count: usize = pruned.counts().iter().sum();
        println!(
            "threshold {threshold:e}, {precision:?}: {:?}, {} bytes with vocabulary, {:.2} an n-gram, \
             perplexity {found:.2} ({full:.2}), loaded in {loading:.1?}",
            pruned.counts(),
            bytes.len(),
            model.stored_bytes() as f64 / count as f64,
        );
        assert!(found < full * worst, "{found}");
    }
}
