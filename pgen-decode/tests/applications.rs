//! Word lists and combinations as applications, and tuning that asks unseen sentences.

use pgen_core::{
    EdgeSpec, LatticeBuilder, Lexicon, Limits, LogProb, NodeId, Replacement, RuleId, Sentence,
    Span, TableBuilder, TableId, UnitPiece, UnitSpec, UsabilityModel, Vocab, WordId,
};
use pgen_decode::applications::{
    ApprovedWords, AvoidWords, Combined, Compression, FewerWords, InContext, Keep, PreferWords,
    Similarity,
};
use pgen_decode::testing::BackoffModel;
use pgen_decode::tune::{LabelKey, TuneCase, TuneParams, evaluate, tune, tune_shrunk};
use pgen_decode::{Decoder, Exact, Identity, LogLinear, Plan, Request};
use std::convert::Infallible;
use std::sync::Arc;

const RULES: [(&str, &str, f64); 6] = [
    ("utilize", "use", 0.5),
    ("use", "utilize", 0.5),
    ("because of", "due", 0.9),
    ("because of", "due to", 0.5),
    ("in order to", "to", 0.6),
    ("big", "large", 0.7),
];

struct Bench {
    table: pgen_core::ParaphraseTable,
    lexicon: Lexicon,
    vocab: Arc<Vocab>,
}

fn bench() -> Bench {
    let mut vocab = Vocab::new();
    let mut table = TableBuilder::new(["p"]);
    for (source, target, p) in RULES {
        let p = [p.ln() as f32];
        table.push_text(&mut vocab, source, target, &p).unwrap();
    }
    let table = table.build(&vocab).unwrap();
    let vocab = Arc::new(vocab);
    Bench {
        table,
        lexicon: Lexicon::new(vocab.clone()),
        vocab,
    }
}

impl Bench {
    fn sentence(&self, text: &str) -> Sentence {
        Sentence::from_words(text.split(' '), self.lexicon.clone(), &Limits::default()).unwrap()
    }

    /// `from → to gain` for everything that is kept.
    fn kept(&self, text: &str, model: &(dyn UsabilityModel + Sync)) -> Vec<String> {
        let sentence = self.sentence(text);
        let plan = Plan::new(Limits::default())
            .with_table("t", &self.table)
            .with_identity(Identity::Always(LogProb::from_ln(-1.0)))
            .with_usability(model);
        let lattice = plan.build(&sentence).unwrap().lattice;
        let usability = plan.features().find("usability");
        let mut kept = Vec::new();
        for (id, unit) in (0..).zip(lattice.units()) {
            let id = pgen_core::UnitId::new(id);
            if let Some(key) = pgen_decode::tune::key_of(&lattice, &sentence, id) {
                let gains = lattice.unit_features(unit).iter();
                let gain = gains
                    .filter(|g| Some(g.0) == usability)
                    .fold(0.0, |sum, g| sum + g.1);
                kept.push(format!("{} → {} {gain}", key.from, key.to));
            }
        }
        kept.sort();
        kept
    }
}

#[test]
fn word_lists() {
    let bench = bench();
    let text = "we utilize it because of 9 big , big words in order to use it";
    let approved = ApprovedWords::new(["we", "it", "use", "of", "due", "to", "words", "in"]);
    assert_eq!(approved.unapproved(text.split(' ')), 5);
    assert_eq!(
        bench.kept(text, &approved),
        [
            "because of → due 1",
            "because of → due to 1",
            "in order to → to 1",
            "utilize → use 1",
        ]
    );
    // Nothing is brought in that should be avoided; what has nothing to do with it stays.
    let avoid = AvoidWords::new(["utilize", "due", "big"]);
    assert_eq!(
        bench.kept("use utilize big because of in order to", &avoid),
        ["big → large 1", "in order to → to 0", "utilize → use 1"]
    );
    let prefer = PreferWords::new(["utilize", "large"]);
    assert_eq!(
        bench.kept("use big utilize", &prefer),
        ["big → large 1", "use → utilize 1"]
    );
    assert_eq!(
        bench.kept("because of in order to use", &FewerWords),
        ["because of → due 1", "in order to → to 2"]
    );
    assert!(bench.kept("", &FewerWords).is_empty());
}

#[test]
fn combinations_weigh_and_keep() {
    let bench = bench();
    let text = "because of in order to utilize big";
    let avoid = || AvoidWords::new(["utilize"]);
    let both = Combined::new(Keep::All)
        .with(10.0, avoid())
        .with(0.5, Compression);
    assert_eq!(
        bench.kept(text, &both),
        [
            "because of → due 3.5",
            "because of → due to 2",
            "in order to → to 4.5",
            "utilize → use 12",
        ]
    );
    let either = Combined::new(Keep::Any)
        .with(1.0, PreferWords::new(["large"]))
        .with(1.0, FewerWords);
    assert_eq!(
        bench.kept(text, &either),
        ["because of → due 1", "big → large 1", "in order to → to 2"]
    );
    assert_eq!(
        bench.kept("big", &Combined::new(Keep::Any)),
        ["big → large 0"]
    );
    // The sum over the units of a text is the feature that the decoder reports.
    let plan = Plan::new(Limits::default())
        .with_table("t", &bench.table)
        .with_identity(Identity::Always(LogProb::from_ln(-1.0)))
        .with_usability(&both);
    let sentence = bench.sentence(text);
    let lattice = plan.build(&sentence).unwrap().lattice;
    let uniform = BackoffModel::uniform(LogProb::from_ln(-1.0));
    let scorer = LogLinear::new(&uniform);
    let list = Exact::new()
        .decode(&lattice, &scorer, &Request::best(50))
        .unwrap();
    let usability = plan.features().find("usability").unwrap();
    for item in &list.items {
        let units = pgen_decode::tune::units_of(&lattice, &item.derivation);
        let gains = units.iter().map(|&unit| {
            let unit = lattice.unit(unit).unwrap();
            let values = lattice.unit_features(unit).iter();
            values
                .filter(|v| v.0 == usability)
                .map(|v| f64::from(v.1))
                .sum::<f64>()
        });
        let reported = item.features.iter().filter(|f| f.0 == usability);
        let reported: f64 = reported.map(|f| f.1.ln()).sum();
        assert_eq!(gains.sum::<f64>(), reported);
    }
}

#[test]
fn what_does_not_suit_its_place_is_dropped() {
    let bench = bench();
    let id = |word: &str| bench.vocab.get(word).unwrap();
    let mut language = BackoffModel::uniform(LogProb::from_ln(-3.0));
    for word in ["because", "of", "due", "to"] {
        language.insert(&[id(word)], -3.0, 0.0);
    }
    language.insert(&[id("because"), id("of")], -1.0, 0.0);
    language.insert(&[id("due"), id("to")], -1.0, 0.0);
    language.insert(&[id("due"), WordId::UNK], -9.0, 0.0);
    let anything = |_: &Replacement<'_>| Some(1.0);
    let kept = |most| {
        bench.kept(
            "x y because of z",
            &InContext::new(anything, &language, most),
        )
    };
    // Source −3 −3 −3 −1 −3; `due to` the same; `due` −3 −3 −3 −9.
    assert_eq!(kept(0.0), ["because of → due to 1"]);
    assert_eq!(kept(4.9), ["because of → due to 1"]);
    assert_eq!(kept(5.1), ["because of → due 1", "because of → due to 1"]);
}

#[test]
fn strict_similarity_brings_in_no_more_strange_words() {
    let bench = bench();
    let reference = ["due", "large", "use"];
    let plain = Similarity::to(reference).unwrap();
    let text = "because of in order to utilize big";
    let all = [
        "because of → due 1",
        "because of → due to 1",
        "big → large 1",
        "utilize → use 1",
    ];
    assert_eq!(bench.kept(text, &plain), all);
    assert_eq!(bench.kept(text, &plain.clone().strict()), all);
    // `use` for `utilize` of a reference that has both is no gain; `due to` for `due`'s sake is.
    let long = Similarity::to(["of", "due"]).unwrap();
    assert_eq!(bench.kept("because of", &long), Vec::<String>::new());
    let mut vocab = Vocab::new();
    let mut table = TableBuilder::new(["p"]);
    for target in ["wood for trees", "trees"] {
        table
            .push_text(&mut vocab, "forests", target, &[-1.0])
            .unwrap();
    }
    let table = table.build(&vocab).unwrap();
    let vocab = Arc::new(vocab);
    let lexicon = Lexicon::new(vocab.clone());
    let trees = Bench {
        table,
        lexicon,
        vocab,
    };
    let near = Similarity::to(["trees"]).unwrap();
    assert_eq!(trees.kept("forests", &near).len(), 2);
    assert_eq!(trees.kept("forests", &near.strict()), ["forests → trees 1"]);
}

/// Sentences whose first rule is right `right` times of four and whose second one never is.
fn cases(bench: &Bench, count: usize, right: usize) -> Vec<TuneCase> {
    let plan = Plan::new(Limits::default())
        .with_table("t", &bench.table)
        .with_identity(Identity::Always(LogProb::from_ln(-1.0)));
    (0..count)
        .map(|at| {
            let sentence = bench.sentence("big because of big x y");
            let lattice = plan.build(&sentence).unwrap().lattice;
            let label = |key: &LabelKey| -> Result<bool, Infallible> {
                Ok(key.from == "big" && at % 4 < right)
            };
            TuneCase::new(lattice, &sentence, label).unwrap()
        })
        .collect()
}

#[test]
fn cross_validation_moves_the_weights_only_as_far_as_unseen_sentences_agree() {
    let bench = bench();
    let language = BackoffModel::uniform(LogProb::from_ln(-1.0));
    let params = TuneParams::default();
    let start = [1.0; 4];
    let all = cases(&bench, 24, 4);
    let plain = tune(&all, &language, &start, &params, &()).unwrap();
    let shrunk = tune_shrunk(&all, &language, &start, &params, 4, &()).unwrap();
    assert!(shrunk.unseen_after.f >= shrunk.unseen_before.f);
    assert!((0.0..=1.0).contains(&shrunk.share));
    assert_eq!(shrunk.tuned.before, plain.before);
    let again = tune_shrunk(&all, &language, &start, &params, 4, &()).unwrap();
    assert_eq!(again, shrunk);
    let after = evaluate(&all, &language, &shrunk.tuned.weights).unwrap();
    assert_eq!(after, shrunk.tuned.after);
    // No label is right: whatever the weights, rf is 0, and the weights stay where they are.
    let none = tune_shrunk(&cases(&bench, 8, 0), &language, &start, &params, 4, &()).unwrap();
    assert_eq!((none.share, none.tuned.weights), (0.0, start.to_vec()));
    for folds in [0, 1, 25] {
        let error = tune_shrunk(&all, &language, &start, &params, folds, &()).unwrap_err();
        assert_eq!(error.code(), "bad-parameter");
    }
}

#[test]
fn fixed_weights_are_what_was_given() {
    let bench = bench();
    let language = BackoffModel::uniform(LogProb::from_ln(-1.0));
    let all = cases(&bench, 24, 4);
    // Table, identity, unknown, language: 4 would be 1 if the largest were.
    let start = [4.0, 0.5, 0.0, 0.25];
    let mut params = TuneParams::default();
    params.fixed = ["unknown", "identity", "language"]
        .map(String::from)
        .to_vec();
    let plain = tune(&all, &language, &start, &params, &()).unwrap();
    let shrunk = tune_shrunk(&all, &language, &start, &params, 4, &()).unwrap();
    for tuned in [&plain, &shrunk.tuned] {
        assert_eq!(tuned.weights[1..], start[1..], "{tuned:?}");
        let after = evaluate(&all, &language, &tuned.weights).unwrap();
        assert_eq!(after, tuned.after);
    }
    // Nothing to go by but zeros: the largest is 1 in magnitude.
    params.fixed = vec!["unknown".to_owned()];
    let zero = tune(&all, &language, &start, &params, &()).unwrap().weights;
    assert_eq!(
        (zero[2], zero.iter().copied().fold(0.0, f64::max)),
        (0.0, 1.0)
    );
    params.fixed = vec!["langauge".to_owned()];
    let error = tune(&all, &language, &start, &params, &()).unwrap_err();
    assert_eq!(error.code(), "bad-parameter");
    assert!(error.to_string().contains("langauge"), "{error}");
}

#[test]
fn keys_join_words_within_a_stretch_and_stretches_apart() {
    let bench = bench();
    let sentence = bench.sentence("big because of big");
    let lexicon = bench.lexicon.clone();
    let mut builder = LatticeBuilder::new(Arc::default(), lexicon, &Limits::default());
    builder.add_nodes(2).unwrap();
    let target = ["due", "to", "large"].map(|word| UnitPiece::Word(builder.intern(word).unwrap()));
    let spans = [Span::single(0), Span::single(3)];
    let spec = |lengths| UnitSpec {
        table: TableId::new(0),
        rule: RuleId::new(0),
        spans: &spans,
        target: &target,
        lengths,
        features: &[],
    };
    let unit = builder.add_unit(spec(&[2, 1])).unwrap();
    for lengths in [&[3][..], &[2, 2], &[1, 1, 1]] {
        assert_eq!(
            builder.add_unit(spec(lengths)).unwrap_err().code(),
            "bad-parameter"
        );
    }
    let edge = EdgeSpec {
        from: NodeId::new(0),
        to: NodeId::new(1),
        span: None,
        words: sentence.words(),
        features: &[],
        unit: Some(unit),
    };
    builder.add_edge(edge).unwrap();
    let lattice = builder.build(NodeId::new(0), NodeId::new(1)).unwrap();
    let key = pgen_decode::tune::key_of(&lattice, &sentence, unit).unwrap();
    assert_eq!(key.from, "big … big");
    assert_eq!(key.to, "due to … large");
}
