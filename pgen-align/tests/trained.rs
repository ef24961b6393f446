//! Every aligner: on real behaviour rather than numbers. Threads and files change nothing, likelihoods
//! rise, bad input is survived.

use pgen_align::{
    Corpus, Direction, Heuristic, Hmm, HmmParams, Method, Model1, Model1Params, Model2,
    Model2Params, TrainOptions, Trained, WordAligner, align_corpus,
};
use pgen_core::codec::Packing;
use pgen_core::{Limits, SplitMix64, Vocab, WordId};

/// Pairs of which the target says the source in other words, in order, with some words left out.
fn corpus(pairs: usize) -> (Corpus, Vocab) {
    let (mut corpus, mut vocab, mut random) = (Corpus::new(), Vocab::new(), SplitMix64::new(7));
    for _ in 0..pairs {
        let length = 3 + random.below(9);
        let (mut source, mut target) = (String::new(), String::new());
        for _ in 0..length {
            let word = random.below(40) * random.below(40) / 40;
            source += &format!(" w{word}");
            match random.below(6) {
                0 => {}
                1 => target += &format!(" w{word} extra"),
                2 => target += &format!(" other{word}"),
                _ => target += &format!(" w{word}"),
            }
        }
        let target = if target.is_empty() { "empty" } else { &target };
        corpus
            .push_text(&source, target, &mut vocab, &Limits::default())
            .unwrap();
    }
    (corpus, vocab)
}

fn rises(values: &[f64]) -> bool {
    values
        .windows(2)
        .all(|pair| pair[1] >= pair[0] - 1e-9 * pair[0].abs())
}

#[test]
fn likelihoods_never_fall_and_rows_sum_to_one() {
    let (corpus, vocab) = corpus(150);
    for direction in [Direction::SourceGivenTarget, Direction::TargetGivenSource] {
        let params = Model1Params::default().with_prune(0.0).with_iterations(8);
        let one = Model1::fit(&corpus, direction, &params, &()).unwrap();
        assert!(rises(one.log_likelihoods()), "{:?}", one.log_likelihoods());
        let params = Model2Params::default().with_prune(0.0).with_iterations(8);
        let two = Model2::fit(&corpus, one.clone(), &params, &()).unwrap();
        assert!(rises(two.log_likelihoods()), "{:?}", two.log_likelihoods());
        let params = HmmParams::default().without_cutoffs().with_iterations(8);
        let hmm = Hmm::fit(&corpus, one.clone(), &params, &()).unwrap();
        assert!(rises(hmm.log_likelihoods()), "{:?}", hmm.log_likelihoods());
        for table in [one.table(), two.table(), hmm.table()] {
            for given in std::iter::once(None).chain(vocab.words().map(|(word, _)| Some(word))) {
                let sum: f64 = table.row(given).map(|(_, p)| p).sum();
                assert!(sum == 0.0 || (sum - 1.0).abs() < 1e-9, "{sum}");
            }
        }
        let pair = corpus.get(3).unwrap();
        for row in hmm.posteriors(pair.source, pair.target) {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn a_loaded_model_is_the_saved_one() {
    let (corpus, vocab) = corpus(60);
    let folder = tempfile::tempdir().unwrap();
    for (name, method) in Method::ALL {
        let options = TrainOptions::new(method);
        let model = Trained::fit(&corpus, &vocab, &options, &()).unwrap();
        let path = folder.path().join(name);
        model.save(&path, &vocab, Packing::Plain).unwrap();
        let (words, loaded) = Trained::load(&path, &Limits::default()).unwrap();
        assert_eq!(words.len(), vocab.len());
        assert_eq!(
            align_corpus(&loaded, &corpus),
            align_corpus(&model, &corpus),
            "{name}"
        );
        let again = folder.path().join("again");
        loaded.save(&again, &words, Packing::Plain).unwrap();
        assert_eq!(
            std::fs::read(&path).unwrap(),
            std::fs::read(&again).unwrap()
        );
    }
}

#[test]
fn damaged_models_are_refused() {
    let (corpus, vocab) = corpus(10);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let model = Trained::fit(&corpus, &vocab, &TrainOptions::new(Method::Hmm), &()).unwrap();
    model.save(&path, &vocab, Packing::Plain).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let bad = folder.path().join("bad");
    for cut in (0..bytes.len()).step_by(bytes.len() / 60 + 1) {
        std::fs::write(&bad, &bytes[..cut]).unwrap();
        assert!(Trained::load(&bad, &Limits::default()).is_err());
        let mut flipped = bytes.clone();
        flipped[cut] ^= 0x10;
        std::fs::write(&bad, &flipped).unwrap();
        assert!(
            Trained::load(&bad, &Limits::default()).is_err(),
            "byte {cut}"
        );
    }
}

#[cfg(feature = "parallel")]
#[test]
fn threads_change_nothing() {
    let (corpus, vocab) = corpus(300);
    for (name, method) in Method::ALL {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let options = TrainOptions::new(method).with_heuristic(None);
                let model = Trained::fit(&corpus, &vocab, &options, &()).unwrap();
                let links = align_corpus(&model, &corpus);
                (model, links)
            })
        };
        let one = run(1);
        for threads in [2, 8] {
            assert!(run(threads) == one, "{name} with {threads} threads");
        }
    }
}

#[test]
fn unseen_words_empty_and_long_sides_are_answered() {
    let (corpus, mut vocab) = corpus(40);
    let new: Vec<WordId> = ["new", "words"].map(|w| vocab.intern(w).unwrap()).into();
    let long = vec![new[0]; 600];
    for (name, method) in Method::ALL {
        for heuristic in [None, Some(Heuristic::GrowDiagFinalAnd)] {
            let options = TrainOptions::new(method).with_heuristic(heuristic);
            let model = Trained::fit(&corpus, &vocab, &options, &()).unwrap();
            assert!(model.align(&[], &new).is_empty(), "{name}");
            assert!(model.align(&new, &[]).is_empty(), "{name}");
            assert!(model.align(&new, &new).check(2, 2).is_ok(), "{name}");
            assert!(model.align(&long, &new).check(600, 2).is_ok(), "{name}");
        }
    }
}

#[test]
fn the_recommended_aligner_links_what_it_should() {
    let (corpus, mut vocab) = corpus(200);
    let model = Trained::fit(&corpus, &vocab, &TrainOptions::new(Method::Best), &()).unwrap();
    let mut ids = |text: &str| -> Vec<WordId> {
        text.split(' ')
            .map(|word| vocab.intern(word).unwrap())
            .collect()
    };
    let (a, b) = (ids("w1 w2 unseenword w3"), ids("w1 other2 unseenword w3"));
    let links = model.align(&a, &b);
    assert_eq!(
        pgen_core::formats::alignment::pharaoh::format(&links),
        "0-0 1-1 2-2 3-3"
    );
}
