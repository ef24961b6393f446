//! What people meet in real text, with the embedded English model: machine text stays, edits cover every
//! difference, control is kept, texts come back whole.
#![cfg(feature = "english")]

use pgen::core::{ByteSpan, UsabilityModel};
use pgen::explain::Page;
use pgen::{Answer, Because, Distinct, Diversity, Options, Paraphraser, Register, Rule, Seams};
use std::sync::OnceLock;

fn english() -> &'static Paraphraser {
    static MODEL: OnceLock<Paraphraser> = OnceLock::new();
    MODEL.get_or_init(|| Paraphraser::english().unwrap())
}

fn ask(text: &str, options: &Options) -> Answer {
    english().answer(text, options).unwrap()
}

const SENTENCES: [&str; 12] = [
    "We must find a solution to this problem.",
    "I am glad that you can help me find my home town.",
    "The committee will examine this important question.",
    "I don't think that it's a good idea, but they'll try.",
    "Perhaps he will buy a big house near the river.",
    "It is not easy to explain why she can't help us.",
    "He said that that was the main reason for the delay.",
    "They have been waiting for a long time to get an answer.",
    "You need to make a decision as soon as possible.",
    "The government wants to reduce the number of accidents.",
    "I will not go there, because I am very tired.",
    "Many people believe that the situation is getting worse.",
];

#[test]
fn machine_text_never_changes_inside() {
    let pieces = [
        "{{ big }}",
        "{{ help me }}",
        "{% if important %}",
        "$big",
        "${help}",
        ":help:",
        "C:\\help\\big",
        "/usr/bin/help",
        "~/big/house",
        "src/help/problem.rs",
        "help.txt",
        "https://big.example.org/help?find=problem",
        "www.help.com/big",
        "#problem",
        "@help",
        "help.me@problem.org",
        "%(help)s",
        "<a href=\"big house\">",
        "`find help`",
        "\\big",
    ];
    for piece in pieces {
        for frame in [
            "Please find {} if you need help with this problem.",
            "The problem is in {}.",
        ] {
            let text = frame.replace("{}", piece);
            let answer = ask(&text, &Options::best(40));
            assert!(!answer.items.is_empty(), "{text}");
            for item in answer.items {
                assert!(item.text.contains(piece), "{text} → {}", item.text);
                let place = text.find(piece).unwrap() as u32;
                let span = ByteSpan::new(place, place + piece.len() as u32).unwrap();
                let moved = item.map_span(span);
                assert_eq!(&item.text[moved.range()], piece, "{}", item.text);
            }
        }
    }
}

#[test]
fn outside_of_edits_text_and_source_are_equal() {
    let mut clitics = 0;
    for text in SENTENCES {
        for item in ask(text, &Options::best(200)).items {
            let (mut rebuilt, mut at) = (String::new(), 0);
            for edit in &item.edits {
                assert_eq!(&text[edit.source.range()], edit.from);
                assert_eq!(&item.text[edit.target.range()], edit.to);
                rebuilt.push_str(&text[at..edit.source.range().start]);
                rebuilt.push_str(&edit.to);
                at = edit.source.range().end;
                clitics += usize::from(edit.to.starts_with('\''));
            }
            rebuilt.push_str(&text[at..]);
            assert_eq!(rebuilt, item.text, "{text}");
        }
    }
    println!("{clitics} edits begin with a clitic");
}

#[test]
fn no_word_is_doubled_and_spellings_count_once() {
    for text in SENTENCES {
        let answer = ask(text, &Options::best(200));
        let mut keys: Vec<String> = Vec::new();
        for item in &answer.items {
            let words: Vec<String> = item.text.split(' ').map(str::to_lowercase).collect();
            let doubled =
                |text: &[String]| text.windows(2).filter(|pair| pair[0] == pair[1]).count();
            let source: Vec<String> = text.split(' ').map(str::to_lowercase).collect();
            assert!(doubled(&words) <= doubled(&source), "{}", item.text);
            let key = item.text.to_lowercase().replace([' ', '-'], "");
            assert_ne!(key, text.to_lowercase().replace([' ', '-'], ""));
            assert!(!keys.contains(&key), "{}", item.text);
            keys.push(key);
        }
    }
}

#[test]
fn control_is_kept_and_shortage_explained() {
    let text = SENTENCES[2];
    let mut diversity = Diversity::default();
    (
        diversity.min_edits,
        diversity.max_edits,
        diversity.max_change,
    ) = (2, 2, 6);
    let answer = ask(text, &Options::best(10).with_diversity(diversity));
    assert!(!answer.items.is_empty());
    for item in &answer.items {
        assert_eq!(item.edits.len(), 2, "{}", item.text);
        assert!(item.changed_words() <= 6, "{}", item.text);
    }
    let mut diversity = Diversity::default();
    diversity.distinct = Distinct::Rules;
    let answer = ask(text, &Options::best(1000).with_diversity(diversity));
    let edits = answer.items.iter().flat_map(|item| &item.edits);
    let mut rules: Vec<_> = edits.map(|edit| (edit.table.clone(), edit.rule)).collect();
    let all = rules.len();
    rules.sort_unstable();
    rules.dedup();
    assert_eq!(rules.len(), all);
    let shortage = answer.shortage.unwrap();
    assert_eq!((shortage.asked, shortage.found), (1000, answer.items.len()));
    assert!(shortage.kept_out[&Rule::Alike] > 0);
    let first = ask(text, &Options::best(1)).items.remove(0).edits.remove(0);
    let answer = ask(text, &Options::best(20).forbidding(first.to.as_str()));
    assert!(!answer.items.is_empty());
    assert!(
        answer
            .items
            .iter()
            .all(|item| !item.text.contains(&first.to))
    );
    let answer = ask(text, &Options::best(5).forcing(first.to.as_str()));
    assert!(!answer.items.is_empty());
    assert!(
        answer
            .items
            .iter()
            .all(|item| item.text.contains(&first.to))
    );
    let committee = ByteSpan::new(4, 13).unwrap();
    let answer = ask(text, &Options::best(5).changing(committee));
    assert!(
        answer
            .items
            .iter()
            .all(|item| !item.text.contains("committee"))
    );
}

#[test]
fn abstention_and_empty_text_say_why() {
    let answer = ask(SENTENCES[0], &Options::best(3).with_min_confidence(1.0));
    assert!(answer.items.is_empty());
    let beyond = Options::best(3).with_min_confidence(1.1);
    let error = english().answer(SENTENCES[0], &beyond).unwrap_err();
    assert_eq!(error.code(), "bad-parameter");
    assert!(answer.shortage.unwrap().kept_out[&Rule::Confidence] > 0);
    assert_eq!(
        ask("...", &Options::best(3)).shortage.unwrap().because,
        Because::NoReplacement
    );
    assert_eq!(
        ask(" ", &Options::best(3)).shortage.unwrap().because,
        Because::NoWords
    );
    let outside = Options::best(3).changing(ByteSpan::new(90, 91).unwrap());
    assert_eq!(
        english().answer("short", &outside).unwrap_err().code(),
        "bad-span"
    );
}

#[test]
fn evidence_is_complete_and_confidence_a_probability() {
    for item in ask(SENTENCES[8], &Options::best(10).with_details()).items {
        assert!((0.0..=1.0).contains(&item.confidence));
        let names: Vec<&str> = item.evidence.iter().map(|(name, _)| name).collect();
        for name in [
            "language",
            "in-context",
            "margin",
            "derivations",
            "phrases.thesaurus",
        ] {
            assert!(names.contains(&name), "{names:?}");
        }
        let sum: f64 = item.edits.iter().map(|edit| edit.language).sum();
        if item.edits.len() == 1 {
            assert!((sum - item.evidence.language).abs() < 1e-9);
        }
    }
}

#[test]
fn texts_keep_paragraphs_and_labels() {
    let text = "\u{feff}We must find a solution.  \"It is an important question,\" he said.\r\n\r\n\
                \tThe committee will examine it.\n";
    let mut options = Options::best(3);
    options.protect_quotations = false;
    let document = english().document(text, &options).unwrap();
    assert_eq!(document.sentences.len(), 3);
    let written = document.text(0);
    assert!(written != text && written.contains("\r\n\r\n\t") && written.ends_with(".\n"));
    let label = text.find("committee").unwrap() as u32;
    let label = ByteSpan::new(label, label + 9).unwrap();
    let options = Options::best(3).protecting(label);
    let document = english().document(text, &options).unwrap();
    for rank in 0..document.ranks() {
        let moved = document.map_span(rank, label);
        assert_eq!(&document.text(rank)[moved.range()], "committee");
    }
}

#[test]
fn a_page_explains_and_needs_nothing_else() {
    let options = Options::best(5);
    let explanation = english().explain(SENTENCES[0], &options).unwrap();
    assert_eq!(explanation.answer, ask(SENTENCES[0], &options));
    for (item, (ways, _)) in explanation
        .answer
        .items
        .iter()
        .zip(&explanation.segmentations)
    {
        assert!((ways[0].score.ln() - item.score.ln()).abs() < 1e-9);
        assert!(
            ways.windows(2)
                .all(|pair| pair[0].score.ln() >= pair[1].score.ln())
        );
    }
    let used = explanation
        .alternatives
        .iter()
        .filter(|one| one.used_by.contains(&0))
        .count();
    assert_eq!(used, explanation.answer.items[0].edits.len());
    let mut page = Page::new("<why>");
    page.push(&explanation);
    let hostile = english().explain(
        "<script>alert(1)</script> find \u{1} help & \"x\"",
        &options,
    );
    page.push(&hostile.unwrap());
    let html = page.finish();
    assert!(html.contains("<svg") && html.contains("&lt;why&gt;") && !html.contains("<script"));
    assert!(!html.contains("http") && !html.contains("src=") && !html.contains("url("));
}

#[test]
fn a_test_of_ones_own_takes_the_place_of_the_application() {
    let single = |replacement: &pgen::core::Replacement<'_>| {
        let mut words = 0;
        replacement.for_each_target_word(true, |_| words += 1);
        (words == 1).then_some(0.0)
    };
    let usability: &(dyn UsabilityModel + Sync) = &single;
    let seams = Seams::default().with_usability(usability);
    let answer = english()
        .answer_with(SENTENCES[0], &Options::best(20), seams)
        .unwrap();
    assert!(!answer.items.is_empty());
    let edits = answer.items.iter().flat_map(|item| &item.edits);
    assert!(edits.into_iter().all(|edit| !edit.to.trim().contains(' ')));
}

#[test]
fn a_register_keeps_words_out_that_the_source_lacks() {
    let text = "I do not think that they will buy many children's books.";
    let texts = |register: Register| -> Vec<String> {
        let answer = ask(text, &Options::best(200).with_register(register));
        answer.items.into_iter().map(|item| item.text).collect()
    };
    let contracted = |text: &String| text.contains("n't") || text.contains("'ll");
    assert!(texts(Register::Any).iter().any(contracted));
    let formal = texts(Register::Formal);
    assert!(!formal.is_empty() && !formal.iter().any(contracted));
    let stiff = |text: &String| text.contains("purchase");
    assert!(texts(Register::Any).iter().any(stiff));
    assert!(!texts(Register::Informal).iter().any(stiff));
    let kept = ask(
        "They don't know.",
        &Options::best(5).with_register(Register::Formal),
    );
    assert!(!kept.items.is_empty());
}
