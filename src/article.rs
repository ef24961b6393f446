//! The English article follows its word: when a replacement changes the sound after `a` or `an`, the
//! article changes with it, as part of the same replacement.

use pgen_core::{Part, Piece, Proposal, ReplacementModel, Sentence, Span, Target, WordId};

/// A replacement model whose proposals take the article before them along where they must.
#[derive(Clone, Copy, Debug)]
pub struct WithArticles<M>(pub M);

impl<M: ReplacementModel> ReplacementModel for WithArticles<M> {
    fn features(&self) -> &[String] {
        self.0.features()
    }

    fn propose(&self, sentence: &Sentence, emit: &mut dyn FnMut(&Proposal<'_>)) {
        self.0.propose(sentence, &mut |proposal| {
            corrected(sentence, proposal, emit)
        });
    }

    fn propose_bounded(&self, sentence: &Sentence, emit: &mut dyn FnMut(&Proposal<'_>)) -> u64 {
        self.0.propose_bounded(sentence, &mut |proposal| {
            corrected(sentence, proposal, emit);
        })
    }
}

/// Emits a proposal with the articles that it needs, or drops it.
fn corrected(sentence: &Sentence, proposal: &Proposal<'_>, emit: &mut dyn FnMut(&Proposal<'_>)) {
    match proposal.parts {
        [part] if !fits_neighbours(sentence, part) => {}
        [part] => match corrected_article(sentence, part) {
            Some(article) => with_article(sentence, proposal, *part, article, emit),
            None => emit(proposal),
        },
        // Words in several places: the article belongs to what lies between them.
        parts
            if parts
                .iter()
                .any(|part| corrected_article(sentence, part).is_some()) =>
        {
            with_articles(sentence, proposal, emit);
        }
        _ => emit(proposal),
    }
}

/// Emits a proposal of two parts, each widened by the article before it where it must change.
fn with_articles(
    sentence: &Sentence,
    proposal: &Proposal<'_>,
    emit: &mut dyn FnMut(&Proposal<'_>),
) {
    let [first, second] = proposal.parts else {
        return;
    };
    let mut done = *first;
    let pieces: Vec<Piece<'_>>;
    if let Some(article) = corrected_article(sentence, first) {
        let Some(found) = widened(sentence, first, article) else {
            return;
        };
        pieces = found.1;
        done = Part {
            span: found.0,
            target: Target::Pieces(&pieces),
        };
    }
    let parts = [done, *second];
    let Some(article) = corrected_article(sentence, second) else {
        let parts = &parts;
        emit(&Proposal { parts, ..*proposal });
        return;
    };
    if let Some((span, pieces)) = widened(sentence, second, article)
        && span.start() >= done.span.end()
    {
        let target = Target::Pieces(&pieces);
        let parts = &[done, Part { span, target }];
        emit(&Proposal { parts, ..*proposal });
    }
}

/// A part with an article before it; `None` if the article that stands there is protected.
fn widened<'a>(
    sentence: &Sentence,
    part: &Part<'a>,
    article: &'static str,
) -> Option<(Span, Vec<Piece<'a>>)> {
    let before = Span::single(part.span.start().checked_sub(1)?);
    if sentence.is_protected(before) {
        return None;
    }
    let lexicon = sentence.lexicon();
    let first = lexicon
        .get(article)
        .map_or(Piece::Text(article), Piece::Word);
    let pieces = std::iter::once(first).chain(part.target.pieces()).collect();
    Some((before.cover(part.span), pieces))
}

/// False for a target that cannot stand beside its neighbours: a clitic (`'s legal`) where the source had
/// none or the other way round, an article at the end that does not suit the word behind it, or a new `to`
/// before `not` (`must not` → `have to not`).
fn fits_neighbours(sentence: &Sentence, part: &Part<'_>) -> bool {
    let spelled = |piece: Piece<'_>| match piece {
        Piece::Word(id) => sentence.lexicon().word(id).to_owned(),
        Piece::Text(text) => text.to_owned(),
        Piece::Copy(span) => sentence.lexicon().join(sentence.words_in(span)),
    };
    let source = sentence.words_in(part.span);
    let first_source = source.first().map(|&word| sentence.lexicon().word(word));
    let target: Vec<String> = part.target.pieces().map(spelled).collect();
    let clitic = |word: &str| word.starts_with(['\'', '’']);
    let same_start = match (first_source, target.first()) {
        (Some(before), Some(after)) => !clitic(before) && !clitic(after) || before == after,
        _ => true,
    };
    let behind = sentence.words().get(part.span.end() as usize);
    let suits = match (target.last().map(String::as_str), behind) {
        (Some(article @ ("a" | "an")), Some(&next)) => {
            starts_with_vowel_sound(sentence.lexicon().word(next)) == (article == "an")
        }
        (Some("to"), Some(&next))
            if source.last().map(|&word| sentence.lexicon().word(word)) != Some("to") =>
        {
            !matches!(sentence.lexicon().word(next), "not" | "n't" | "never")
        }
        _ => true,
    };
    same_start && suits
}

/// Emits the proposal widened by the article before it. Protected articles stay, and so the proposal
/// is dropped.
fn with_article(
    sentence: &Sentence,
    proposal: &Proposal<'_>,
    part: Part<'_>,
    article: &'static str,
    emit: &mut dyn FnMut(&Proposal<'_>),
) {
    if let Some((span, pieces)) = widened(sentence, &part, article) {
        let target = Target::Pieces(&pieces);
        let parts = &[Part { span, target }];
        emit(&Proposal { parts, ..*proposal });
    }
}

/// The article that must stand before the part's target, if it is not the one that stands there.
fn corrected_article(sentence: &Sentence, part: &Part<'_>) -> Option<&'static str> {
    let before = part.span.start().checked_sub(1)?;
    let lexicon = sentence.lexicon();
    let word = |word: WordId| lexicon.word(word);
    let article = word(*sentence.words().get(before as usize)?);
    if article != "a" && article != "an" {
        return None;
    }
    let first = match part.target.pieces().next()? {
        Piece::Word(id) => word(id),
        Piece::Text(text) => text,
        Piece::Copy(span) => word(*sentence.words_in(span).first()?),
    };
    let right = if starts_with_vowel_sound(first) {
        "an"
    } else {
        "a"
    };
    (right != article).then_some(right)
}

/// True if English puts `an` before the word.
#[must_use]
pub fn starts_with_vowel_sound(word: &str) -> bool {
    const SILENT_H: [&str; 4] = ["heir", "honest", "honor", "honour"];
    // A y- or w-sound though the first letter is a vowel.
    const GLIDES: [&str; 12] = [
        "eu", "ewe", "once", "one-", "oneself", "oneness", "oui", "ubiq", "ufo", "uk", "u.", "u-",
    ];
    const GLIDING: [&str; 6] = ["one", "u", "un", "us", "usb", "usd"];
    let word = word.to_lowercase();
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    if is_spelled(word) {
        return word.starts_with(['a', 'e', 'f', 'h', 'i', 'l', 'm', 'n', 'o', 'r', 's', 'x']);
    }
    if GLIDING.contains(&word.split('\'').next().unwrap_or(word)) {
        return false;
    }
    if word.starts_with("hour") || SILENT_H.iter().any(|start| word.starts_with(start)) {
        return true;
    }
    let Some(first) = word.chars().next() else {
        return false;
    };
    if !matches!(first, 'a' | 'e' | 'i' | 'o' | 'u') {
        return word.starts_with('8') || word.starts_with("11") || word.starts_with("18");
    }
    if word.starts_with("un") {
        // uni- as in union, but un- as in unimportant and uninteresting.
        const NEGATED: [&str; 6] = ["unim", "unin", "uniden", "unir", "unill", "uniss"];
        let exception = NEGATED.iter().any(|start| word.starts_with(start));
        return exception || !word.starts_with("uni") && !word.starts_with("unanim");
    }
    if let Some(rest) = word.strip_prefix("ur").or_else(|| word.strip_prefix("us")) {
        // urge and usher, but urine and use.
        return !rest.starts_with(['a', 'e', 'i', 'o', 'u']);
    }
    if word.starts_with("ut") || word.starts_with("ub") {
        return !(word.starts_with("uti") || word.starts_with("uto") || word.starts_with("ubi"));
    }
    !GLIDES.iter().any(|start| word.starts_with(start))
}

/// True for a word, in lower case, that is said letter by letter: no vowel in it, a letter before a hyphen
/// or point, or one of the best known.
fn is_spelled(word: &str) -> bool {
    const KNOWN: [&str; 14] = [
        "aids", "fbi", "fda", "hiv", "iou", "lapd", "mba", "mia", "mit", "mri", "nba", "ngo",
        "ngos", "sos",
    ];
    // Short for words that are said in full.
    const SHORT: [&str; 16] = [
        "ft", "gb", "hr", "hrs", "kg", "km", "lb", "lbs", "ltd", "mm", "mr", "mrs", "ms", "mt",
        "st", "str",
    ];
    let known = word.split('\'').next().unwrap_or(word);
    if KNOWN.contains(&known) {
        return true;
    }
    let known = known.trim_end_matches('.');
    let mut letters = known.chars();
    let (Some(first), second) = (letters.next(), letters.next()) else {
        return false;
    };
    let consonant =
        |c: char| c.is_ascii_alphabetic() && !matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    if consonant(first) && matches!(second, Some('-' | '.')) {
        return true;
    }
    let all = known.chars().all(|c| consonant(c) || c.is_ascii_digit());
    all && consonant(first) && known.len() > 1 && known.len() < 6 && !SHORT.contains(&known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::{Lexicon, Limits, RuleId, Vocab};
    use std::sync::Arc;

    #[test]
    fn sounds_not_letters() {
        for word in [
            "apple",
            "hour",
            "honest",
            "umbrella",
            "unimportant",
            "urgent",
            "8",
            "order",
            "uncle",
            "onerous",
            "unidentified",
            "unissued",
            "MP",
            "fbi",
            "X-ray",
            "F-16",
            "hour's",
            "umbrella's",
        ] {
            assert!(starts_with_vowel_sound(word), "{word}");
        }
        for word in [
            "union",
            "useful",
            "European",
            "one",
            "horse",
            "unique",
            "unit",
            "utility",
            "2",
            "year",
            "one-sided",
            "unilateral",
            "unidirectional",
            "U.S.",
            "us",
            "UN",
            "UK",
            "USB",
            "Mr.",
            "BBC",
            "TV",
            "union's",
            "usual",
            "unanimous",
            "urinal",
        ] {
            assert!(!starts_with_vowel_sound(word), "{word}");
        }
    }

    /// Replaces the second word by one fixed word.
    struct Second(&'static str);

    impl ReplacementModel for Second {
        fn features(&self) -> &[String] {
            &[]
        }
        fn propose(&self, _: &Sentence, emit: &mut dyn FnMut(&Proposal<'_>)) {
            let pieces = [Piece::Text(self.0)];
            let part = Part {
                span: Span::single(1),
                target: Target::Pieces(&pieces),
            };
            emit(&Proposal {
                parts: &[part],
                values: &[],
                rule: RuleId::new(0),
            });
        }
    }

    /// Replaces the second and the fourth word together.
    struct Both(&'static str, &'static str);

    impl ReplacementModel for Both {
        fn features(&self) -> &[String] {
            &[]
        }
        fn propose(&self, _: &Sentence, emit: &mut dyn FnMut(&Proposal<'_>)) {
            let (first, second) = ([Piece::Text(self.0)], [Piece::Text(self.1)]);
            let part = |at, pieces| Part {
                span: Span::single(at),
                target: Target::Pieces(pieces),
            };
            emit(&Proposal {
                parts: &[part(1, &first), part(3, &second)],
                values: &[],
                rule: RuleId::new(0),
            });
        }
    }

    #[test]
    fn articles_follow_both_words_of_a_collocation() {
        let lexicon = Lexicon::new(Arc::new(Vocab::new()));
        let words = ["an", "odd", "a", "feeling"];
        let sentence = Sentence::from_words(words, lexicon, &Limits::default()).unwrap();
        for (first, second, expected) in [
            ("old", "mood", ["1..2 old", "3..4 mood"]),
            ("old", "impression", ["1..2 old", "2..4 an impression"]),
            ("new", "mood", ["0..2 a new", "3..4 mood"]),
            ("new", "impression", ["0..2 a new", "2..4 an impression"]),
        ] {
            let mut seen = Vec::new();
            WithArticles(Both(first, second)).propose(&sentence, &mut |proposal| {
                for part in proposal.parts {
                    let pieces = part.target.pieces().map(|piece| match piece {
                        Piece::Text(text) => text.to_owned(),
                        Piece::Word(word) => sentence.lexicon().word(word).to_owned(),
                        Piece::Copy(_) => String::new(),
                    });
                    let text = pieces.collect::<Vec<_>>().join(" ");
                    seen.push(format!("{}..{} {text}", part.span.start(), part.span.end()));
                }
            });
            assert_eq!(seen, expected);
        }
    }

    #[test]
    fn neighbours_are_respected() {
        let lexicon = Lexicon::new(Arc::new(Vocab::new()));
        let words = ["find", "a", "solution", "'s", "end"];
        let sentence = Sentence::from_words(words, lexicon, &Limits::default()).unwrap();
        let fits = |start, end, target: &'static [&'static str]| {
            let pieces: Vec<Piece<'_>> = target.iter().map(|word| Piece::Text(word)).collect();
            let span = Span::new(start, end).unwrap();
            fits_neighbours(
                &sentence,
                &Part {
                    span,
                    target: Target::Pieces(&pieces),
                },
            )
        };
        assert!(fits(0, 2, &["reach", "a"]) && !fits(0, 2, &["reach", "an"]));
        assert!(!fits(2, 3, &["'s", "answer"]) && !fits(3, 5, &["the", "end"]));
        assert!(fits(3, 5, &["'s", "close"]));
    }

    #[test]
    fn the_article_joins_the_replacement() {
        let lexicon = Lexicon::new(Arc::new(Vocab::new()));
        let sentence =
            Sentence::from_words(["a", "mistake", "here"], lexicon, &Limits::default()).unwrap();
        let mut seen = Vec::new();
        for model in [Second("error"), Second("fault")] {
            WithArticles(model).propose(&sentence, &mut |proposal| {
                let part = proposal.parts[0];
                let words: Vec<String> = part
                    .target
                    .pieces()
                    .map(|piece| match piece {
                        Piece::Word(id) => sentence.lexicon().word(id).to_owned(),
                        Piece::Text(text) => text.to_owned(),
                        Piece::Copy(_) => unreachable!(),
                    })
                    .collect();
                seen.push((part.span.range(), words.join(" ")));
            });
        }
        assert_eq!(
            seen,
            [(0..2, "an error".to_owned()), (1..2, "fault".to_owned())]
        );
    }

    #[test]
    fn a_new_to_does_not_stand_before_not() {
        for (behind, proposals) in [("not", 0), ("go", 1)] {
            let lexicon = Lexicon::new(Arc::new(Vocab::new()));
            let words = ["they", "must", behind];
            let sentence = Sentence::from_words(words, lexicon, &Limits::default()).unwrap();
            let mut seen = 0;
            WithArticles(Second("to")).propose(&sentence, &mut |_| seen += 1);
            assert_eq!(seen, proposals, "{behind}");
        }
    }
}
