//! Errors that no file leads to: each by the call that meets it.

use pgen::align::{Corpus, ExtractParams, PhraseTable};
use pgen::core::text::Abstraction;
use pgen::core::{Alignment, Limits, Stop, Vocab};
use pgen::fsa::{Fsa, FsaBuilder, MsaParams, Version, align};

fn code<T, E>(result: Result<T, E>, code: impl Fn(&E) -> &'static str) -> &'static str {
    result.as_ref().map_or_else(code, |_| "ok")
}

#[test]
fn class_tokens_must_fit() {
    let source = Abstraction::new(&["costs", "5", "euros"]);
    let found = code(source.restore(&["nothing", "__NUM__", "__NUM__"]), |e| {
        e.code()
    });
    assert_eq!(found, "slot-mismatch");
}

#[test]
fn an_alignment_for_each_pair() {
    let (mut corpus, mut vocab) = (Corpus::new(), Vocab::new());
    corpus
        .push_text("a", "b", &mut vocab, &Limits::default())
        .unwrap();
    let made = PhraseTable::extract(&corpus, &[], &ExtractParams::default(), |_, _| true, &());
    assert_eq!(code(made, |e| e.code()), "length-mismatch");
    let links = [Alignment::new(), Alignment::new()];
    let made = PhraseTable::extract(&corpus, &links, &ExtractParams::default(), |_, _| true, &());
    assert_eq!(code(made, |e| e.code()), "length-mismatch");
}

#[test]
fn automata_of_nothing() {
    let none: [Vec<&str>; 1] = [vec![]];
    let made = Fsa::from_sentences(&none, &Limits::default());
    assert_eq!(code(made, |e| e.code()), "empty-sentence");
    let params = MsaParams::new(Version::V1);
    let made = align(&[], &params, &Limits::default(), &Stop::never());
    assert_eq!(code(made, |e| e.code()), "empty-group");
}

#[test]
fn squeezing_wants_one_end() {
    let mut builder = FsaBuilder::new(&Limits::default());
    let (a, b) = (builder.add_state().unwrap(), builder.add_state().unwrap());
    builder.add(a, "x", b).unwrap();
    builder.set_final(a, 0.0).unwrap();
    builder.set_final(b, 0.0).unwrap();
    let fsa = builder.build(a).unwrap();
    assert_eq!(
        code(fsa.squeeze(&Stop::never()), |e| e.code()),
        "no-single-end"
    );
}
