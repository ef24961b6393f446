//! The annotator from the outside: training, files, raw text, bad input.
#![cfg(feature = "annotate")]

use pgen::annotate::{Annotator, AnnotatorParams, ClassLearner, WordClasses};
use pgen::core::formats::conll::{ConllSentence, read_conll};
use pgen::core::text::TextOptions;
use pgen::core::{Dependencies, Limits, Lines, Result, Sentence, Stop, Vocab};
use std::sync::Arc;

const TREES: &str = "\
1\tThe\t_\t_\tDT\t_\t2\tdet
2\tdog\t_\t_\tNN\t_\t3\tnsubj
3\tsaw\t_\t_\tVBD\t_\t0\troot
4\ta\t_\t_\tDT\t_\t5\tdet
5\tcat\t_\t_\tNN\t_\t3\tobj
6\t.\t_\t_\t.\t_\t3\tpunct

1\tCats\t_\t_\tNNS\t_\t2\tnsubj
2\trun\t_\t_\tVBP\t_\t0\troot
3\tquickly\t_\t_\tRB\t_\t2\tadvmod
4\t.\t_\t_\t.\t_\t2\tpunct

1\tThe\t_\t_\tDT\t_\t2\tdet
2\tcat\t_\t_\tNN\t_\t3\tnsubj
3\tate\t_\t_\tVBD\t_\t0\troot
4\tfish\t_\t_\tNN\t_\t3\tobj
5\twith\t_\t_\tIN\t_\t7\tcase
6\ta\t_\t_\tDT\t_\t7\tdet
7\tfork\t_\t_\tNN\t_\t3\tobl
8\t.\t_\t_\t.\t_\t3\tpunct

";

/// An arc that crosses another one: word 2 hangs on word 4, word 3 on word 1.
const CROSSING: &str = "\
1\tA\t_\t_\tDT\t_\t0\troot
2\thearing\t_\t_\tNN\t_\t4\tdep
3\tis\t_\t_\tVBZ\t_\t1\tdep
4\tset\t_\t_\tVBN\t_\t1\tdep

";

const TWO_ROOTS: &str = "1\tYes\t_\t_\tUH\t_\t0\troot\n2\tNo\t_\t_\tUH\t_\t0\troot\n\n";

fn read(text: &str) -> Result<Vec<ConllSentence>> {
    let limits = Limits::default();
    let mut lines = Lines::from_text(text, &limits)?;
    let mut sentences = Vec::new();
    while let Some(sentence) = read_conll(&mut lines, &limits)? {
        sentences.push(sentence);
    }
    Ok(sentences)
}

fn small() -> AnnotatorParams {
    let mut params = AnnotatorParams::default();
    params.folds = 2;
    params.tagger_ensemble = 1;
    // Averages of few sentences need many passes.
    params.parser_epochs = 60;
    // Weights are scaled so that the largest is 2,047: in a tiny model close calls lie far apart, and the
    // margin for large ones would cut into the beam.
    params.margin = u32::MAX;
    params.notice = "test data".into();
    params
}

fn train(text: &str) -> Annotator {
    let params = small().check().unwrap();
    let classes = WordClasses::default();
    params
        .fit(&read(text).unwrap(), classes, &(), &Stop::never())
        .unwrap()
        .0
}

fn sentence(text: &str) -> Sentence {
    let options = TextOptions::default();
    Sentence::tokenize(text, &Arc::new(Vocab::new()), &options, &Limits::default()).unwrap()
}

#[test]
fn a_tiny_treebank_is_learned_by_heart() {
    // Each sentence is there often enough that the taggers of the other folds know it too.
    let text = TREES.repeat(4);
    let score = train(&text).evaluate(&read(TREES).unwrap()).unwrap();
    assert_eq!((score.sentences, score.words), (3, 18));
    assert_eq!((score.tags, score.heads, score.arcs), (18, 18, 18));
    assert_eq!(
        (score.tag_accuracy(), score.las(), score.universal_las()),
        (1.0, 1.0, 1.0)
    );
}

#[test]
fn training_is_deterministic_and_files_keep_everything() {
    let annotator = train(&TREES.repeat(2));
    let bytes = annotator.to_bytes().unwrap();
    assert_eq!(bytes, train(&TREES.repeat(2)).to_bytes().unwrap());
    let limits = Limits::default();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    annotator.save(&path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let loaded = Annotator::load(&path, &limits).unwrap();
    assert_eq!(loaded.notice(), "test data");
    assert_eq!(loaded.to_bytes().unwrap(), bytes);
    for words in [&["The", "fish", "saw", "cats", "."][..], &["x"], &[]] {
        assert_eq!(
            loaded.analyse(words).unwrap(),
            annotator.analyse(words).unwrap()
        );
    }
}

#[test]
fn a_flipped_byte_or_a_cut_is_an_error() {
    let bytes = train(TREES).to_bytes().unwrap();
    let limits = Limits::default();
    for at in (0..bytes.len()).step_by(1 + bytes.len() / 300) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x20;
        assert!(
            Annotator::from_bytes(&damaged, &limits).is_err(),
            "byte {at}"
        );
        assert!(
            Annotator::from_bytes(&bytes[..at], &limits).is_err(),
            "cut at {at}"
        );
    }
}

#[test]
fn raw_text_gets_tags_and_one_tree() {
    let annotator = train(TREES);
    for text in [
        "The dog saw a well-known cat for $5.",
        "",
        "?!",
        "http://a.org 5% 10-year",
    ] {
        let found = annotator.annotate(sentence(text)).unwrap();
        let count = found.len();
        assert_eq!(found.tags().map(<[String]>::len), Some(count));
        let tree = found.dependencies().unwrap();
        assert_eq!(tree.len(), count);
        assert_eq!(tree.roots().count(), usize::from(count > 0));
        let again = annotator.annotate(sentence(text)).unwrap();
        assert_eq!(again.dependencies(), Some(tree));
    }
}

#[test]
fn odd_training_sentences_are_counted() {
    let corpus = read(&[TREES, CROSSING, TWO_ROOTS].concat()).unwrap();
    let params = small().check().unwrap();
    let (annotator, report) = params
        .fit(&corpus, WordClasses::default(), &(), &Stop::never())
        .unwrap();
    assert_eq!((report.sentences, report.words), (4, 22));
    assert_eq!((report.projectivized, report.skipped), (1, 1));
    assert_eq!(
        annotator
            .analyse(&["Yes"])
            .unwrap()
            .dependencies
            .roots()
            .count(),
        1
    );
}

#[test]
fn bad_training_data_is_a_typed_error() {
    let fit = |text: &str| {
        let params = small().check()?;
        params
            .fit(&read(text)?, WordClasses::default(), &(), &Stop::never())
            .map(|_| ())
    };
    assert_eq!(fit("").unwrap_err().code(), "bad-parameter");
    assert_eq!(fit(TWO_ROOTS).unwrap_err().code(), "bad-parameter");
    let untagged = TREES.replace("NNS", "_");
    let error = fit(&untagged).unwrap_err();
    assert_eq!(
        (error.code(), error.place().map(|place| place.line)),
        ("syntax", Some(8))
    );
    let cycle = TREES.replace("\t0\troot", "\t1\troot");
    assert_eq!(fit(&cycle).unwrap_err().code(), "bad-tree");
    let mut broken = read(TREES).unwrap();
    broken[0].dependencies = Dependencies::default();
    let params = small().check().unwrap();
    let fitted = params.fit(&broken, WordClasses::default(), &(), &Stop::never());
    assert_eq!(fitted.unwrap_err().code(), "mismatch");
}

#[test]
fn bad_settings_are_refused_and_training_can_be_stopped() {
    for change in [
        |params: &mut AnnotatorParams| params.beam = 0,
        |params: &mut AnnotatorParams| params.folds = 1,
        |params: &mut AnnotatorParams| params.tagger_ensemble = 11,
        |params: &mut AnnotatorParams| params.parser_features = 0,
    ] {
        let mut params = small();
        change(&mut params);
        assert_eq!(params.check().unwrap_err().code(), "bad-parameter");
    }
    assert!(train(TREES).with_beam(65).is_err());
    let late = Stop::after(std::time::Duration::ZERO);
    let corpus = read(TREES).unwrap();
    let fitted = small()
        .check()
        .unwrap()
        .fit(&corpus, WordClasses::default(), &(), &late);
    assert_eq!(fitted.unwrap_err().code(), "deadline-exceeded");
}

#[test]
fn classes_are_the_same_again_and_part_of_the_model() {
    let learn = || {
        let mut learner = ClassLearner::new();
        for _ in 0..10 {
            learner
                .text("The dog saw a cat. A cat saw the dog.", &Limits::default())
                .unwrap();
        }
        learner.learn(&Stop::never()).unwrap()
    };
    let params = small().check().unwrap();
    let corpus = read(TREES).unwrap();
    let fit = || params.fit(&corpus, learn(), &(), &Stop::never()).unwrap().0;
    assert_eq!(learn().len(), 6);
    let annotator = fit();
    assert_eq!(annotator.to_bytes().unwrap(), fit().to_bytes().unwrap());
    let loaded = Annotator::from_bytes(&annotator.to_bytes().unwrap(), &Limits::default()).unwrap();
    assert_eq!(loaded.to_bytes().unwrap(), annotator.to_bytes().unwrap());
}

#[test]
fn an_annotator_can_be_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<Annotator>();
}
