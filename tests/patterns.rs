//! Patterns and collocations through the front door: a bundle with tables of all kinds, raw text,
//! annotation by a closure, an application.
#![cfg(feature = "english")]

use pgen::core::codec::Packing;
use pgen::core::{Dependencies, Limits, Sentence, Weight};
use pgen::{Application, Bundle, Options, Paraphraser};

const PATTERNS: &str = "in terms of [NN_1] ||| by [NN_1] ||| 0.9
a [JJ_1] proportion of [NN_1] ||| [NN_1] in a [JJ_1] part ||| 0.9
";
const COLLOCATIONS: &str = "occupy OBJ proportion ||| hold OBJ share ||| 0.9\n";

/// Tags and heads of `SOURCE`.
fn annotate(sentence: Sentence) -> pgen::Result<Sentence> {
    let tags = "IN NNS IN NN NN , NNS MD VB DT JJ NN IN NN .";
    let heads = [8, 0, 1, 4, 2, 8, 8, 8, -1, 11, 11, 8, 11, 12, 8];
    let arcs: Vec<_> = heads
        .iter()
        .enumerate()
        .map(|(at, &head)| {
            (
                u32::try_from(head).ok(),
                if at == 11 { "dobj" } else { "x" },
            )
        })
        .collect();
    let tags = tags.split(' ').map(str::to_owned).collect();
    Ok(sentence
        .with_tags(tags)?
        .with_dependencies(Dependencies::new(&arcs)?)?)
}

const SOURCE: &str =
    "In terms of asset allocation, shares should occupy a certain proportion of wealth.";

fn bundle() -> Bundle {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits::default();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/models/english/english.pgen");
    let mut bundle = Bundle::open(path.as_ref(), &limits).unwrap();
    // Only the tables of this test speak.
    bundle.tables.clear();
    for (file, text, name) in [
        ("p.txt", PATTERNS, "patterns"),
        ("c.txt", COLLOCATIONS, "collocations"),
    ] {
        let file = folder.path().join(file);
        std::fs::write(&file, text).unwrap();
        assert_eq!(bundle.add_table(&file, Weight::ONE, &limits).unwrap(), name);
    }
    Bundle::from_bytes(bundle.to_bytes(Packing::Deflate).unwrap(), &limits).unwrap()
}

fn texts(paraphraser: &Paraphraser, options: &Options) -> Vec<String> {
    let answer = paraphraser.answer(SOURCE, options).unwrap();
    for item in &answer.items {
        for edit in &item.edits {
            assert_eq!(&answer.source[edit.source.range()], edit.from);
            assert_eq!(&item.text[edit.target.range()], edit.to);
        }
    }
    answer.items.into_iter().map(|item| item.text).collect()
}

#[test]
fn all_kinds_of_tables_paraphrase_raw_text() {
    let plain = Paraphraser::new(bundle());
    assert!(
        texts(&plain, &Options::best(20)).is_empty(),
        "nothing matches without annotation"
    );
    let paraphraser = Paraphraser::new(bundle()).with_annotation(annotate);
    let found = texts(&paraphraser, &Options::best(20));
    for wanted in [
        "By asset allocation, shares should occupy a certain proportion of wealth.",
        "In terms of asset allocation, shares should occupy wealth in a certain part.",
        "In terms of asset allocation, shares should hold a certain share of wealth.",
        "By asset allocation, shares should hold a certain share of wealth.",
    ] {
        assert!(
            found.iter().any(|text| text == wanted),
            "{wanted} in {found:#?}"
        );
    }
    // 2 · (1 + 1 + 1) texts, without the source.
    assert_eq!(found.len(), 5);
}

/// The article before a pattern follows its first word.
#[test]
fn articles_follow_patterns() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.txt");
    std::fs::write(&file, "lack of [NN_1] ||| absence of [NN_1] ||| 0.9\n").unwrap();
    let mut bundle = bundle();
    bundle.tables.clear();
    bundle
        .add_table(&file, Weight::ONE, &Limits::default())
        .unwrap();
    let paraphraser = Paraphraser::new(bundle).with_annotation(|sentence| {
        let tags = "EX VBD DT NN IN NN ."
            .split(' ')
            .map(str::to_owned)
            .collect();
        let heads = [1, -1, 3, 1, 3, 4, 1];
        let arcs: Vec<_> = heads
            .iter()
            .map(|&head| (u32::try_from(head).ok(), "x"))
            .collect();
        Ok(sentence
            .with_tags(tags)?
            .with_dependencies(Dependencies::new(&arcs)?)?)
    });
    let answer = paraphraser
        .paraphrase("There was a lack of trust.", 5)
        .unwrap();
    let texts: Vec<&str> = answer.items.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(texts, ["There was an absence of trust."]);
}

/// A name in a slot lends its capital to no word of the pattern.
#[test]
fn capitals_stay_with_their_words() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.txt");
    std::fs::write(
        &file,
        "match on [NNP_1] pitch ||| afternoon at the [NNP_1] ground ||| 0.9\n",
    )
    .unwrap();
    let mut bundle = bundle();
    bundle.tables.clear();
    bundle
        .add_table(&file, Weight::ONE, &Limits::default())
        .unwrap();
    let paraphraser = Paraphraser::new(bundle).with_annotation(|sentence| {
        let tags = "NNP VBD DT NN IN NNP NN ."
            .split(' ')
            .map(str::to_owned)
            .collect();
        let heads = [1, -1, 3, 1, 3, 6, 4, 1];
        let arcs: Vec<_> = heads
            .iter()
            .map(|&head| (u32::try_from(head).ok(), "x"))
            .collect();
        Ok(sentence
            .with_tags(tags)?
            .with_dependencies(Dependencies::new(&arcs)?)?)
    });
    let answer = paraphraser
        .paraphrase("Berlin won the match on Kasimpasa pitch.", 5)
        .unwrap();
    let texts: Vec<&str> = answer.items.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(texts, ["Berlin won the afternoon at the Kasimpasa ground."]);
}

#[test]
fn applications_plan_with_all_kinds() {
    let paraphraser = Paraphraser::new(bundle()).with_annotation(annotate);
    let options = Options::best(20).with_application(Application::Compression);
    let found = texts(&paraphraser, &options);
    assert!(
        !found.is_empty() && found.iter().all(|text| text.len() < SOURCE.len()),
        "{found:?}"
    );
}
