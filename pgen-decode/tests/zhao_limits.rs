//! What patterns and collocations do with sentences and weights made to hurt.

use pgen_core::{
    Certificate, CollocationTable, Dependencies, Lexicon, Limits, LogProb, MatchParams,
    PatternTable, Proposal, ReplacementModel, Sentence, SlotBound, TableBuilder, Vocab, Weight,
};
use pgen_decode::testing::{BackoffModel, brute_force};
use pgen_decode::{Decoder, Exact, Identity, LogLinear, Plan, Request};
use std::sync::Arc;

/// A left-branching chain: token 0 starts a filler of every length.
fn chain(length: u32) -> (PatternTable, Sentence, BackoffModel) {
    let mut vocab = Vocab::new();
    let mut builder = TableBuilder::new(["p"]);
    for (source, target) in [
        ("[NN_1] x", "x [NN_1]"),
        ("[NN_1] x", "[NN_1] y"),
        ("x x", "z"),
    ] {
        builder
            .push_text(&mut vocab, source, target, &[-0.5])
            .unwrap();
    }
    let table = builder.build(&vocab).unwrap();
    let table = PatternTable::new(table, &vocab).unwrap();
    let arcs: Vec<_> = (0..length)
        .map(|at| ((at + 1 < length).then_some(at + 1), "x"))
        .collect();
    let mut limits = Limits::default();
    limits.tokens = 20_000;
    let words = (0..length).map(|_| "x");
    let sentence = Sentence::from_words(words, Lexicon::new(Arc::new(vocab)), &limits)
        .unwrap()
        .with_tags(vec!["NN".to_owned(); length as usize])
        .unwrap()
        .with_dependencies(Dependencies::new(&arcs).unwrap())
        .unwrap();
    (
        table,
        sentence,
        BackoffModel::uniform(LogProb::from_ln(-2.0)),
    )
}

fn all(matches: usize) -> MatchParams {
    let mut params = MatchParams::default();
    params.bound = SlotBound::All;
    params.matches = matches;
    params.steps = usize::MAX;
    params
}

#[test]
fn nesting_without_end_is_cut_and_reported() {
    let (table, sentence, model) = chain(400);
    let table = table.with_params(all(64));
    let plan = Plan::new(Limits::default())
        .with_identity(Identity::Always(LogProb::from_ln(-1.0)))
        .with_table("patterns", &table);
    let planned = plan.build(&sentence).unwrap();
    assert!(planned.report.cut_nesting && planned.report.cut_matches > 0);
    assert!(planned.lattice.node_count() <= 200_000);
    assert_eq!(planned.certify(Certificate::Exact), Certificate::Heuristic);
    let list = Exact::new()
        .decode(&planned.lattice, &LogLinear::new(&model), &Request::best(3))
        .unwrap();
    assert_eq!(list.items.len(), 3);
}

#[test]
fn ten_thousand_nested_matches_meet_a_limit() {
    let (table, sentence, _) = chain(10_001);
    let table = table.with_params(all(usize::MAX));
    let mut limits = Limits::default();
    limits.tokens = 20_000;
    let plan = Plan::new(limits)
        .with_identity(Identity::Always(LogProb::from_ln(-1.0)))
        .with_table("patterns", &table);
    // Each filler is copied: some fifty million nodes.
    assert_eq!(plan.build(&sentence).unwrap_err().code(), "limit-exceeded");
}

/// Many verbs with objects far away: more collocations open than are kept track of.
#[test]
fn open_collocations_are_bounded() {
    let mut vocab = Vocab::new();
    let mut builder = TableBuilder::new(["p"]);
    builder
        .push_text(&mut vocab, "v OBJ n", "w OBJ m", &[-0.1])
        .unwrap();
    let table = CollocationTable::new(builder.build(&vocab).unwrap(), &vocab).unwrap();
    let count = 12u32;
    let words: Vec<&str> = (0..2 * count)
        .map(|at| if at < count { "v" } else { "n" })
        .collect();
    let arcs: Vec<_> = (0..2 * count)
        .map(|at| (at.checked_sub(count), "obj"))
        .collect();
    let sentence = Sentence::from_words(words, Lexicon::new(Arc::new(vocab)), &Limits::default())
        .unwrap()
        .with_dependencies(Dependencies::new(&arcs).unwrap())
        .unwrap();
    let plan = Plan::new(Limits::default())
        .with_identity(Identity::Always(LogProb::from_ln(-1.0)))
        .with_table("collocations", &table);
    let planned = plan.build(&sentence).unwrap();
    assert!(planned.report.cut_open && !planned.report.is_complete());
    // Of twelve at most six change: Σ C(12, k).
    assert_eq!(planned.lattice.path_count().to_string(), "2510");
}

#[test]
fn negative_weights_are_legal() {
    let (table, sentence, model) = chain(6);
    let table = table.with_params(all(64));
    let plan = Plan::new(Limits::default())
        .with_identity(Identity::Always(LogProb::from_ln(-1.0)))
        .with_table("patterns", &table);
    let lattice = plan.build(&sentence).unwrap().lattice;
    let weight = |w| Weight::new(w).unwrap();
    let scorer = LogLinear::new(&model)
        .with_weights(vec![weight(-0.5), weight(-1.0), weight(1.0)])
        .unwrap()
        .with_language_weight(weight(-0.25))
        .unwrap();
    let request = Request::best(50);
    let found = Exact::new().decode(&lattice, &scorer, &request).unwrap();
    let brute = brute_force(&lattice, &scorer, &request).unwrap();
    assert_eq!(found.items.len(), brute.items.len());
    for (a, b) in found.items.iter().zip(&brute.items) {
        assert_eq!((a.score, &a.words), (b.score, &b.words));
    }
}

/// A model that proposes nonsense.
struct Liar(Vec<String>);

impl ReplacementModel for Liar {
    fn features(&self) -> &[String] {
        &self.0
    }

    fn propose(&self, sentence: &Sentence, emit: &mut dyn FnMut(&Proposal<'_>)) {
        use pgen_core::{Part, Piece, Span, Target};
        let end = sentence.len() as u32;
        let span = |a: u32, b: u32| Span::empty(a).cover(Span::empty(b));
        let fillers: [&[Piece<'_>]; 4] = [
            &[Piece::Copy(span(0, end))],
            &[Piece::Copy(span(0, 1)), Piece::Copy(span(0, 1))],
            &[Piece::Copy(span(0, 2)), Piece::Copy(span(1, 2))],
            &[Piece::Copy(span(1, 1))],
        ];
        for pieces in fillers {
            let part = Part {
                span: span(0, end),
                target: Target::Pieces(pieces),
            };
            emit(&Proposal {
                parts: &[part],
                values: &[0.0],
                rule: Default::default(),
            });
        }
        let outside = [Piece::Copy(span(0, end + 9))];
        let part = Part {
            span: span(0, 2),
            target: Target::Pieces(&outside),
        };
        emit(&Proposal {
            parts: &[part],
            values: &[0.0],
            rule: Default::default(),
        });
        let word = [Piece::Text("y")];
        let parts: Vec<Part<'_>> = (0..end)
            .map(|at| Part {
                span: span(at, at + 1),
                target: Target::Pieces(&word),
            })
            .collect();
        emit(&Proposal {
            parts: &parts,
            values: &[0.0],
            rule: Default::default(),
        });
    }
}

#[test]
fn lying_models_are_dropped_and_counted() {
    let (_, sentence, _) = chain(20);
    let liar = Liar(vec!["p".to_owned()]);
    let plan = Plan::new(Limits::default())
        .with_identity(Identity::Always(LogProb::from_ln(-1.0)))
        .with_table("liar", &liar);
    let report = plan.build(&sentence).unwrap().report;
    // Five bad fillers, and one replacement of twenty parts.
    assert_eq!(
        (report.invalid, report.unsupported, report.planned),
        (5, 1, 0)
    );
}
