//! Carrying the case of replaced words over to what replaces them.

/// How a word is cased.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Case {
    /// No letters with case.
    None,
    /// `word`
    Lower,
    /// `Word`, and one-letter words in upper case.
    Capital,
    /// `WORD`
    Upper,
    /// `iPhone`, `McCoy`
    Mixed,
}

/// The case of a word.
pub(super) fn case_of(word: &str) -> Case {
    let cased = |c: &char| c.is_lowercase() || c.is_uppercase();
    let mut letters = word.chars().filter(cased);
    let Some(first) = letters.next() else {
        return Case::None;
    };
    let (mut upper, mut lower) = (0usize, 0usize);
    for letter in letters {
        if letter.is_uppercase() {
            upper += 1;
        } else {
            lower += 1;
        }
    }
    match (first.is_uppercase(), upper, lower) {
        (false, 0, _) => Case::Lower,
        (true, 0, _) => Case::Capital,
        (true, _, 0) => Case::Upper,
        _ => Case::Mixed,
    }
}

/// What a replacement's words should look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Style {
    /// As they are.
    #[default]
    Plain,
    /// Every word but the small ones with a capital.
    Title,
    /// All in upper case.
    Shout,
}

/// The style of replaced words. `first` says that the first of them starts a sentence, so that its
/// capital means nothing; `shouting`, that the whole sentence is in upper case.
pub(super) fn style_of<'a>(
    words: impl Iterator<Item = &'a str>,
    first: bool,
    shouting: bool,
) -> Style {
    let mut cases = words.map(|word| (case_of(word), word.chars().count()));
    let starter = if first { cases.next() } else { None };
    let (mut capital, mut upper, mut lower) = (0, 0, 0);
    for (case, length) in cases {
        match case {
            Case::Capital if length > 1 || !shouting => capital += 1,
            // A short word in upper case among others is an abbreviation, whose case is its own.
            Case::Upper if length > 5 || shouting => upper += 1,
            Case::Lower | Case::Upper | Case::Mixed => lower += 1,
            Case::Capital | Case::None => {}
        }
    }
    let starter_shouts = shouting && starter.is_some_and(|(case, _)| case == Case::Upper);
    if lower == 0 && capital == 0 && (upper > 0 || starter_shouts) {
        Style::Shout
    } else if capital > 0 && capital >= lower {
        Style::Title
    } else {
        Style::Plain
    }
}

/// True if most words of a sentence are in upper case, and at least two.
pub(super) fn is_shouting<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    let (mut upper, mut cased) = (0usize, 0usize);
    for case in words.map(case_of) {
        upper += usize::from(case == Case::Upper);
        cased += usize::from(matches!(
            case,
            Case::Lower | Case::Upper | Case::Mixed | Case::Capital
        ));
    }
    upper >= 2 && upper * 3 > cased * 2
}

/// Words that titles leave in lower case.
const SMALL: [&str; 18] = [
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "nor", "of", "on", "or", "the", "to",
    "via", "with", "n't",
];

/// A replacement's word in its style.
pub(super) fn in_style(word: &str, style: Style) -> String {
    match style {
        Style::Plain => word.to_owned(),
        Style::Shout => word.to_uppercase(),
        Style::Title if SMALL.contains(&word) || word.starts_with('\'') => word.to_owned(),
        Style::Title => capitalize(word),
    }
}

/// The word with its first letter in upper (title) case.
pub(super) fn capitalize(word: &str) -> String {
    let mut chars = word.chars();
    match chars.next() {
        Some(first) if first.is_lowercase() => first.to_uppercase().chain(chars).collect(),
        _ => word.to_owned(),
    }
}

/// Words that have a capital only where they start a sentence.
const ORDINARY: [&str; 64] = [
    "a", "after", "all", "although", "an", "and", "any", "as", "at", "because", "before", "both",
    "but", "by", "during", "each", "every", "finally", "first", "for", "from", "he", "her", "his",
    "how", "however", "if", "in", "it", "its", "many", "moreover", "most", "my", "no", "not",
    "now", "of", "on", "one", "our", "she", "since", "so", "some", "such", "that", "the", "their",
    "then", "there", "these", "they", "this", "those", "to", "today", "we", "what", "when",
    "while", "who", "with", "you",
];

/// The word as it looks within a sentence, for one that stood at the start of it: in lower case if it is
/// known to be ordinary.
pub(super) fn within_sentence(word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    (case_of(word) == Case::Capital && ORDINARY.contains(&lower.as_str())).then_some(lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_follow_the_replaced_words() {
        let style = |words: &str, first, shouting| style_of(words.split(' '), first, shouting);
        assert_eq!(style("Prime Minister", false, false), Style::Title);
        assert_eq!(style("The big", true, false), Style::Plain);
        assert_eq!(style("USA", false, false), Style::Plain);
        assert_eq!(style("VERY BIG", false, true), Style::Shout);
        assert_eq!(style("extremely", false, false), Style::Plain);
    }

    #[test]
    fn titles_spare_small_words() {
        assert_eq!(in_style("of", Style::Title), "of");
        assert_eq!(in_style("élan", Style::Title), "Élan");
        assert_eq!(in_style("straße", Style::Shout), "STRASSE");
    }
}
