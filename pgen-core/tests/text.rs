//! Laws and cases of tokenising and detokenising.

use pgen_core::text::{Segment, TextOptions, render, split_sentences, tokenize};
use pgen_core::{ByteSpan, Limits, Sentence, Span, TokenKind, Vocab, WordId};
use proptest::prelude::*;
use std::sync::Arc;

fn sentence(text: &str) -> Sentence {
    let vocab = Arc::new(Vocab::new());
    Sentence::tokenize(text, &vocab, &TextOptions::default(), &Limits::default()).unwrap()
}

fn surfaces(text: &str) -> Vec<&str> {
    let tokens = tokenize(text, &Limits::default()).unwrap();
    tokens
        .iter()
        .map(|token| &text[token.bytes.range()])
        .collect()
}

#[test]
fn tokens_follow_the_convention() {
    let cases = [
        (
            "Don't say they're DOGS' or O'Neill's.",
            "Do|n't|say|they|'re|DOGS|'|or|O'Neill|'s|.",
        ),
        (
            "It’s the well-known R&D, isn’t it?",
            "It|’s|the|well-known|R&D|,|is|n’t|it|?",
        ),
        (
            "Mr. X of the U.S. left (e.g. at 5 p.m.).",
            "Mr.|X|of|the|U.S.|left|(|e.g.|at|5|p.m.|)|.",
        ),
        (
            "I said No. See No. 5, art. 3 etc.",
            "I|said|No|.|See|No.|5|,|art.|3|etc.",
        ),
        (
            "$1,200.50 (5%) -3.5 3:1 1/2 1990s £3m",
            "$1,200.50|(|5%|)|-3.5|3:1|1/2|1990s|£3m",
        ),
        ("on 2002-04-18, at 5:50.", "on|2002-04-18|,|at|5:50|."),
        (
            "See https://a.org/x?y=(1), www.b.org.",
            "See|https://a.org/x?y=(1)|,|www.b.org|.",
        ),
        (
            "mail x.y@z-a.com; or example.com/a!",
            "mail|x.y@z-a.com|;|or|example.com/a|!",
        ),
        (
            "Hi {name}, ${a} [id] <br/>%s %(n)d 5% x",
            "Hi|{name}|,|${a}|[id]|<br/>|%s|%(n)d|5%|x",
        ),
        (
            "end.The next...wait -- ``ok''",
            "end|.|The|next|...|wait|--|``|ok|''",
        ),
        ("and/or a_b @joe #tag C++", "and|/|or|a_b|@joe|#tag|C|+|+"),
        (
            "Ph.D. J.Smith J.R.R. Tolkien",
            "Ph.D.|J.|Smith|J.R.R.|Tolkien",
        ),
        ("do n't dog 's", "do|n't|dog|'s"),
        ("'quoted' rock'n'roll", "'|quoted|'|rock'n'roll"),
        ("中文字 ไทย 👩‍👩‍👧 e\u{301}a", "中|文|字|ไทย|👩‍👩‍👧|e\u{301}a"),
        ("\u{FEFF}a\u{200B}b\u{A0}c", "a|b|c"),
    ];
    for (text, wanted) in cases {
        assert_eq!(surfaces(text).join("|"), wanted);
    }
}

#[test]
fn kinds_and_protection() {
    let s = sentence("Send 3 COVID-19 mails to x@y.com, {name}!");
    let tokens: Vec<_> = s.tokens().iter().map(|t| (t.kind, t.protected)).collect();
    use TokenKind::{Address, Number, Placeholder, Punctuation, Word};
    let wanted = [
        (Word, false),
        (Number, true),
        (Word, true),
        (Word, false),
        (Word, false),
        (Address, true),
        (Punctuation, false),
        (Placeholder, true),
        (Punctuation, false),
    ];
    assert_eq!(tokens, wanted);
}

#[test]
fn users_protect_byte_spans() {
    let mut s = sentence("New York is big");
    s.protect_spans(&[ByteSpan::new(0, 8).unwrap()]).unwrap();
    assert!(s.is_protected(Span::single(1)) && !s.is_protected(Span::single(2)));
    let outside = [ByteSpan::new(0, 99).unwrap()];
    assert_eq!(s.protect_spans(&outside).unwrap_err().code(), "bad-span");
}

#[test]
fn words_are_normalised_and_offsets_are_not() {
    let s = sentence("“İSTANBUL” isn’t… E\u{301}");
    let words: Vec<_> = s
        .words()
        .iter()
        .map(|&word| s.lexicon().word(word))
        .collect();
    assert_eq!(
        words,
        ["\"", "i\u{307}stanbul", "\"", "is", "n't", "...", "é"]
    );
    assert_eq!(s.surface(1), "İSTANBUL");
}

#[test]
fn limits_are_errors() {
    let mut limits = Limits::default();
    limits.tokens = 3;
    limits.token_bytes = 5;
    assert!(tokenize("a b c", &limits).is_ok());
    assert_eq!(
        tokenize("a b c d", &limits).unwrap_err().code(),
        "limit-exceeded"
    );
    assert_eq!(
        tokenize("abcdef", &limits).unwrap_err().code(),
        "limit-exceeded"
    );
}

/// Replaces the tokens of `edits` (source span, new words) and renders.
fn edited(text: &str, edits: &[(u32, u32, &str)]) -> String {
    let s = sentence(text);
    let mut lexicon = s.lexicon().clone();
    let new: Vec<Vec<WordId>> = edits
        .iter()
        .map(|edit| {
            edit.2
                .split_whitespace()
                .map(|word| lexicon.intern(word).unwrap())
                .collect()
        })
        .collect();
    let mut segments = Vec::new();
    let mut at = 0;
    for (&(start, end, _), words) in edits.iter().zip(&new) {
        for token in at..start {
            segments.push(copy(&s, token));
        }
        segments.push(Segment {
            source: Some(Span::new(start, end).unwrap()),
            words,
        });
        at = end;
    }
    segments.extend((at..s.len() as u32).map(|token| copy(&s, token)));
    let proper = |word: &str| (word == "europe").then(|| "Europe".to_owned());
    render(&s, &lexicon, &segments, Some(&proper)).text
}

fn copy(s: &Sentence, token: u32) -> Segment<'_> {
    let span = Span::single(token);
    Segment {
        source: Some(span),
        words: s.words_in(span),
    }
}

#[test]
fn edits_fit_in() {
    type Case = (
        &'static str,
        &'static [(u32, u32, &'static str)],
        &'static str,
    );
    let cases: [Case; 17] = [
        (
            "The  big dog, he ran.",
            &[(1, 2, "large")],
            "The  large dog, he ran.",
        ),
        ("Today he left.", &[(0, 1, "")], "He left."),
        ("The big dog", &[(0, 2, "a very large")], "A very large dog"),
        ("I do not know", &[(1, 3, "do n't")], "I don't know"),
        ("I don't know", &[(1, 3, "do not")], "I do not know"),
        ("I can't go", &[(2, 3, "not")], "I can not go"),
        ("He will not go", &[(2, 3, "n't")], "He won't go"),
        ("WE MUST GO NOW", &[(1, 2, "have to")], "WE HAVE TO GO NOW"),
        (
            "The Prime Minister left",
            &[(1, 3, "head of government")],
            "The Head of Government left",
        ),
        (
            "Go (if you want) now",
            &[(2, 5, "when possible")],
            "Go (when possible) now",
        ),
        (
            "He said \"no way\".",
            &[(3, 5, "never")],
            "He said \"never\".",
        ),
        ("x and/or y", &[(1, 2, "plus")], "x plus/or y"),
        (
            "It ends. Now we go",
            &[(3, 4, "then")],
            "It ends. Then we go",
        ),
        ("a union of states", &[(1, 4, "europe")], "a Europe"),
        ("It works, however, well", &[(2, 5, "")], "It works well"),
        ("It works, however, well", &[(2, 4, "")], "It works, well"),
        (
            "in the United States",
            &[(0, 4, "across the united states")],
            "across the United States",
        ),
    ];
    for (text, edits, wanted) in cases {
        assert_eq!(edited(text, edits), wanted, "{text}");
    }
}

#[test]
fn moved_words_change_their_case() {
    let s = sentence("Today he left for Paris.");
    let order = [1, 2, 3, 4, 0, 5];
    let segments: Vec<_> = order.iter().map(|&token| copy(&s, token)).collect();
    let out = render(&s, s.lexicon(), &segments, None);
    assert_eq!(out.text, "He left for Paris today.");
    let span = out.bytes_of(Span::new(4, 5).unwrap());
    assert_eq!(&out.text[span.range()], "today");
}

#[test]
fn sentences_cover_all_tokens() {
    let text = "One. Two!  \"Three?\" (Four.) five\n\nSix";
    let spans = split_sentences(text, &Limits::default()).unwrap();
    let parts: Vec<_> = spans.iter().map(|span| &text[span.range()]).collect();
    assert_eq!(parts, ["One.", "Two!", "\"Three?\"", "(Four.) five", "Six"]);
}

/// Text with a bias towards what tokenisers stumble over.
fn hostile_text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a",
        "B",
        "don't",
        "ca",
        "n't",
        "’s",
        "'",
        "\"",
        ".",
        "...",
        ",",
        "-",
        "--",
        "5",
        "5%",
        "$",
        "%s",
        "{x}",
        "[",
        "]",
        "<",
        ">",
        "<b>",
        "@",
        "x@y.com",
        "http://",
        "www.",
        "U.S.",
        "Mr.",
        " ",
        "  ",
        "\t",
        "\n\n",
        "\r\n",
        "\u{A0}",
        "\u{200B}",
        "\u{301}",
        "中",
        "İ",
        "ß",
        "/",
        "&",
        "_",
        "👩‍👩‍👧",
        "🇫🇷",
        "\u{200D}",
        "\u{FEFF}",
        "№",
        "…",
        "(",
        ")",
        "com",
        "1,000",
        "+",
        "#",
        "I",
        "The",
    ]);
    prop_oneof![
        prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat()),
        ".{0,60}"
    ]
}

fn is_gap(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || matches!(c, '\u{200B}' | '\u{FEFF}'))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn tokens_cover_everything_but_gaps(text in hostile_text()) {
        let tokens = tokenize(&text, &Limits::default()).unwrap();
        let mut at = 0;
        for token in &tokens {
            let range = token.bytes.range();
            prop_assert!(!range.is_empty());
            let gap = &text[at..range.start];
            prop_assert!(is_gap(gap));
            // Only placeholders may hold blanks.
            let blank = text[range.clone()].contains(char::is_whitespace);
            prop_assert!(!blank || token.kind == TokenKind::Placeholder);
            at = range.end;
        }
        let rest = &text[at..];
        prop_assert!(is_gap(rest));
    }

    #[test]
    fn without_edits_the_text_comes_back(text in hostile_text()) {
        let s = sentence(&text);
        let singles: Vec<_> = (0..s.len() as u32).map(|token| copy(&s, token)).collect();
        let out = render(&s, s.lexicon(), &singles, None);
        prop_assert_eq!(&out.text, &text);
        for (token, bytes) in s.tokens().iter().zip(&out.tokens) {
            prop_assert_eq!(token.bytes, *bytes);
        }
        let whole = [Segment { source: Span::new(0, s.len() as u32).ok(), words: s.words() }];
        prop_assert_eq!(&render(&s, s.lexicon(), &whole, None).text, &text);
    }

    #[test]
    fn protected_tokens_survive_in_order(text in hostile_text(), seed in any::<u64>()) {
        let s = sentence(&text);
        let mut lexicon = s.lexicon().clone();
        let new = [lexicon.intern("new").unwrap(), lexicon.intern("words").unwrap()];
        let mut rng = pgen_core::SplitMix64::new(seed);
        let segments: Vec<_> = (0..s.len() as u32)
            .map(|token| match rng.below(3) {
                n if !s.is_protected(Span::single(token)) && n > 0 => {
                    Segment { source: Some(Span::single(token)), words: &new[..n as usize] }
                }
                _ => copy(&s, token),
            })
            .collect();
        let out = render(&s, &lexicon, &segments, None);
        let mut at = 0;
        for token in (0..s.len()).filter(|&token| s.tokens()[token].protected) {
            let found = out.text[at..].find(s.surface(token));
            prop_assert!(found.is_some(), "{:?} not in {:?}", s.surface(token), &out.text[at..]);
            at += found.unwrap() + s.surface(token).len();
        }
    }

    #[test]
    fn sentences_hold_all_tokens(text in hostile_text()) {
        let spans = split_sentences(&text, &Limits::default()).unwrap();
        for token in tokenize(&text, &Limits::default()).unwrap() {
            prop_assert!(spans.iter().any(|span| span.contains(token.bytes)));
        }
    }
}
