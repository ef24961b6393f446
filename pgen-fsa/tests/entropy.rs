//! Entropy of all paths: against enumeration, and the golden vector.

use pgen_core::{LanguageModel, Limits, LogProb, SplitMix64, Stop, Tree, Vocab, WordId};
use pgen_fsa::{Entropy, Forest, Fsa, Symbols};
use pgen_lm::{EstimateParams, Estimator, FastModel, Smoothing};

/// A made-up bigram model: a probability for every pair of words.
struct Bigrams;

impl LanguageModel for Bigrams {
    type State = u32;
    fn start(&self) -> u32 {
        1
    }
    fn null(&self) -> u32 {
        0
    }
    fn advance(&self, state: &u32, word: WordId) -> (u32, LogProb) {
        let mixed = SplitMix64::stream(u64::from(*state), u64::from(word.raw())).unit();
        (word.raw(), LogProb::from_ln((0.01 + 0.9 * mixed).ln()))
    }
}

fn words(symbols: &Symbols, id: impl Fn(&str) -> WordId) -> Vec<WordId> {
    std::iter::once(WordId::UNK)
        .chain(symbols.words().map(|(_, word)| id(word)))
        .collect()
}

fn entropy<L: LanguageModel>(fsa: &Fsa, model: &L, words: &[WordId]) -> Entropy {
    fsa.entropy(model, words, &Limits::default(), &Stop::never())
        .unwrap()
        .unwrap()
}

/// The same over a list of all paths.
fn listed<L: LanguageModel>(fsa: &Fsa, model: &L, words: &[WordId]) -> Entropy {
    let paths: Vec<Vec<WordId>> = fsa
        .paths(usize::MAX)
        .iter()
        .map(|path| path.iter().map(|label| words[label.index()]).collect())
        .collect();
    Entropy::of_sentences(model, &paths).unwrap()
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * b.abs(), "{a} {b}");
}

#[test]
fn entropy_equals_enumeration() {
    for seed in 0..300 {
        let mut rng = SplitMix64::new(seed);
        let sentences: Vec<Vec<String>> = (0..1 + rng.below(5))
            .map(|_| {
                (0..1 + rng.below(6))
                    .map(|_| rng.below(4).to_string())
                    .collect()
            })
            .collect();
        let fsa = Fsa::from_sentences(&sentences, &Limits::default()).unwrap();
        let fsa = fsa.squeeze(&Stop::never()).unwrap().0;
        let words = words(fsa.symbols(), |word| {
            WordId::new(10 + word.parse::<u32>().unwrap())
        });
        let (exact, wanted) = (
            entropy(&fsa, &Bigrams, &words),
            listed(&fsa, &Bigrams, &words),
        );
        close(exact.mean, wanted.mean);
        close(exact.pooled, wanted.pooled);
    }
}

#[test]
fn entropy_keeps_to_its_limit() {
    let fsa = Fsa::from_sentences(&[["a", "b"], ["c", "d"]], &Limits::default()).unwrap();
    let mut tight = Limits::default();
    tight.states = 2;
    let words = vec![WordId::UNK; 9];
    let error = fsa
        .entropy(&Bigrams, &words, &tight, &Stop::never())
        .unwrap_err();
    assert_eq!(error.code(), "limit-exceeded");
    let none = Fsa::empty(fsa.symbols().clone());
    assert!(
        none.entropy(&Bigrams, &words, &tight, &Stop::never())
            .unwrap()
            .is_none()
    );
}

#[test]
fn figure_one_under_a_trigram_model() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("golden/p04_fig1.json")).unwrap();
    let limits = Limits::default();
    let mut forest = Forest::new(Default::default(), &limits);
    let mut vocab = Vocab::new();
    let mut estimator = Estimator::new(
        EstimateParams::new(3)
            .with_smoothing(Smoothing::KneserNey)
            .with_fallback(true),
    )
    .unwrap();
    let mut sentences = Vec::new();
    for text in golden["trees"].as_array().unwrap() {
        let tree = Tree::parse(text.as_str().unwrap(), &limits).unwrap();
        forest.merge(&tree).unwrap();
        let words: Vec<WordId> = tree
            .leaves()
            .map(|leaf| vocab.intern(leaf.word().unwrap()).unwrap())
            .collect();
        estimator.add(&words).unwrap();
        sentences.push(words);
    }
    let (ngrams, _) = estimator.finish(&vocab, &()).unwrap();
    let model = FastModel::new(&ngrams).unwrap();
    let fsa = forest.to_fsa(&Stop::never()).unwrap().0;
    let words = words(fsa.symbols(), |word| vocab.get(word).unwrap());
    let of_fsa = entropy(&fsa, &model, &words);
    let of_group = Entropy::of_sentences(&model, &sentences).unwrap();
    // The model keeps its numbers in 32 bits.
    let near = |a: f64, key: &str| {
        let wanted = golden[key].as_f64().unwrap();
        assert!((a - wanted).abs() < 1e-5, "{key}: {a} {wanted}");
    };
    near(of_fsa.pooled, "entropy_fsa_pooled_bits");
    near(of_fsa.mean, "entropy_fsa_mean_of_sentences_bits");
    near(of_group.pooled, "entropy_sg_pooled_bits");
    near(of_group.mean, "entropy_sg_mean_bits");
    let listed = listed(&fsa, &model, &words);
    close(of_fsa.mean, listed.mean);
    close(of_fsa.pooled, listed.pooled);
}
