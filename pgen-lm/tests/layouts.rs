//! Every layout against the definition of back-off, on random models.

mod common;

use common::{data, id, random_model, random_sentence, read};
use pgen_core::{LanguageModel, SplitMix64, Vocab, WordId};
use pgen_lm::{ArpaOptions, CompactModel, FastModel, Ngrams, Precision, read_arpa};
use std::collections::HashMap;

const LN_10: f64 = std::f64::consts::LN_10;

/// Scores, rows and bounds of a model against the naive one.
fn check<L: LanguageModel>(
    model: &L,
    naive: &common::Naive,
    vocab: &Vocab,
    seed: u64,
    tolerance: f64,
) where
    L::State: std::fmt::Debug,
{
    let mut rng = SplitMix64::new(seed ^ 0xABCD);
    for _ in 0..12 {
        let mut history = vec!["<s>".to_owned()];
        let mut state = model.start();
        for word in random_sentence(&mut rng)
            .iter()
            .map(String::as_str)
            .chain(["</s>"])
        {
            let (next, log_prob) = model.advance(&state, id(vocab, word));
            let expected = naive.log10(&history, word);
            let got = log_prob.ln() / LN_10;
            assert!(
                (got - expected).abs() < tolerance,
                "{seed}: {word} after {history:?}: {got} {expected}"
            );
            // The plain form promises probabilities only, and these are none.
            let bound = model.upper_bound(id(vocab, word)).ln();
            assert!(bound == 0.0 || log_prob.ln() <= bound);
            let previous = id(vocab, history.last().map_or("<s>", String::as_str));
            let after = model.upper_bound_after(previous, id(vocab, word)).ln();
            assert!(after <= bound && (bound == 0.0 || log_prob.ln() <= after));
            check_row(model, &state);
            state = next;
            history.push(word.to_owned());
        }
    }
}

/// The law of rows, by following the back-off to the end.
fn check_row<L: LanguageModel>(model: &L, state: &L::State)
where
    L::State: std::fmt::Debug,
{
    let words: Vec<WordId> = (0..20)
        .map(WordId::new)
        .filter(|&word| word != WordId::BOS)
        .collect();
    let mut open: Vec<WordId> = words.clone();
    let mut at = state.clone();
    let mut weight = 0.0;
    loop {
        let mut hits = Vec::new();
        let rest = model.row(&at, &open, &mut hits);
        for hit in &hits {
            let (next, log_prob) = model.advance(state, open[hit.at as usize]);
            assert_eq!(next, hit.next);
            assert!((log_prob.ln() - (hit.log_prob.ln() + weight)).abs() < 1e-9);
        }
        let taken: Vec<u32> = hits.iter().map(|hit| hit.at).collect();
        open = (0u32..)
            .zip(open)
            .filter(|(at, _)| !taken.contains(at))
            .map(|(_, word)| word)
            .collect();
        let Some((shorter, more)) = rest else { break };
        weight += more.ln();
        at = shorter;
    }
    assert!(open.is_empty(), "every word is answered at last");
}

#[test]
fn every_layout_scores_as_the_definition_says() {
    let models = if cfg!(debug_assertions) { 300 } else { 10_000 };
    for seed in 0..models {
        let naive = random_model(seed);
        let mut vocab = Vocab::new();
        let ngrams = read(&naive.arpa(), &mut vocab);
        check(&ngrams, &naive, &vocab, seed, 1e-9);
        let fast = FastModel::new(&ngrams).unwrap();
        let compact = CompactModel::new(&ngrams, Precision::Exact).unwrap();
        check(&fast, &naive, &vocab, seed, 1e-5);
        check(&compact, &naive, &vocab, seed, 1e-5);
        check_stored(&compact, &fast, &vocab, seed);
        check_batch(&fast, &vocab, seed);
        check_bounds(&fast, &vocab);
        check_quantized(&ngrams, &vocab, seed);
    }
}

/// A compact model's scores equal the fast model's, bit for bit, as sentences and word by word.
fn check_stored(compact: &CompactModel, fast: &FastModel, vocab: &Vocab, seed: u64) {
    let mut rng = SplitMix64::new(seed);
    for _ in 0..5 {
        let sentence = random_sentence(&mut rng);
        let mut ids: Vec<WordId> = sentence.iter().map(|word| id(vocab, word)).collect();
        let score = compact.sentence(&ids);
        assert_eq!(score, fast.sentence(&ids), "{seed} {sentence:?}");
        ids.push(WordId::EOS);
        assert_eq!(score, compact.phrase(&compact.start(), &ids).1);
        assert_eq!(score, fast.phrase(&fast.start(), &ids).1);
    }
}

/// Sentences together score as single ones.
fn check_batch(fast: &FastModel, vocab: &Vocab, seed: u64) {
    let mut rng = SplitMix64::new(seed);
    let sentences: Vec<Vec<WordId>> = (0..rng.below(40))
        .map(|_| {
            random_sentence(&mut rng)
                .iter()
                .map(|word| id(vocab, word))
                .collect()
        })
        .collect();
    let single: Vec<_> = sentences
        .iter()
        .map(|sentence| fast.sentence(sentence))
        .collect();
    assert_eq!(fast.sentences(&sentences), single);
}

/// A bound after a previous word is reached in a bigram model, up to a step of its code.
fn check_bounds(fast: &FastModel, vocab: &Vocab) {
    if fast.order() != 2 {
        return;
    }
    let all = || vocab.words().map(|(word, _)| word);
    for previous in all() {
        let state = fast.advance(&fast.null(), previous).0;
        for word in all() {
            let found = fast.advance(&state, word).1.ln();
            let bound = fast.upper_bound_after(previous, word).ln();
            let word_bound = fast.upper_bound(word).ln();
            assert!(found <= bound && (bound < found + 0.07 || bound == word_bound));
        }
    }
}

/// A quantised model equals the fast model of its own numbers.
fn check_quantized(ngrams: &Ngrams, vocab: &Vocab, seed: u64) {
    let compact = CompactModel::new(ngrams, Precision::Bits(3)).unwrap();
    let fast = FastModel::new(&compact.to_ngrams().unwrap()).unwrap();
    let mut rng = SplitMix64::new(seed);
    let ids: Vec<WordId> = random_sentence(&mut rng)
        .iter()
        .map(|word| id(vocab, word))
        .collect();
    assert_eq!(compact.sentence(&ids), fast.sentence(&ids), "{seed}");
}

/// States must not remember more than matters: histories that agree on the order − 1 last words meet.
#[test]
fn states_depend_on_the_last_words_only() {
    for seed in 0..100 {
        let naive = random_model(seed);
        let mut vocab = Vocab::new();
        let model = FastModel::new(&read(&naive.arpa(), &mut vocab)).unwrap();
        let mut rng = SplitMix64::new(seed);
        let mut seen: HashMap<Vec<String>, _> = HashMap::new();
        for _ in 0..50 {
            let mut state = model.null();
            let sentence = random_sentence(&mut rng);
            for word in &sentence {
                state = model.advance(&state, id(&vocab, word)).0;
            }
            if sentence.len() >= naive.order {
                let end = sentence[sentence.len() + 1 - naive.order..].to_vec();
                assert_eq!(*seen.entry(end).or_insert(state), state);
            }
        }
    }
}

#[test]
fn a_model_of_kenlm_loads() {
    let Some(path) = data("moses-case/lm.arpa.gz") else {
        return;
    };
    if cfg!(debug_assertions) {
        return; // the release run does it
    }
    let mut vocab = Vocab::new();
    let (ngrams, report) = read_arpa(&path, &mut vocab, &ArpaOptions::default()).unwrap();
    assert_eq!(report.warned, 0, "{report:?}");
    assert_eq!(report.counts, [7531, 305_112, 580_640, 453_435, 264_407]);
    let model = FastModel::new(&ngrams).unwrap();
    let text = "we must not forget that the european union is a community of values .";
    let ids: Vec<WordId> = text.split(' ').map(|word| id(&vocab, word)).collect();
    let (fast, plain) = (model.sentence(&ids).ln(), ngrams.sentence(&ids).ln());
    assert!(
        (fast - plain).abs() < 1e-5 && plain < -10.0,
        "{fast} {plain}"
    );
}
