//! Hard rules for rows of an English paraphrase table: what no score may let through.
//!
//! Names, numbers, negation, opposites, pronouns, question words and auxiliaries never change; a row
//! must change content and keep inflection. Each rule has a name, counted in the training report.

use super::casing::Casing;
use crate::words::{Edge, edge, is_closed, is_function_word, is_number_word, negations};
use pgen_core::thesaurus::{Inflection, Thesaurus, WordClass};

/// Why a row was dropped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)] // the names say it
pub enum Reason {
    Identical,
    Number,
    Punctuation,
    Name,
    Negation,
    ClosedClass,
    FunctionWordsOnly,
    Antonym,
    CoHyponym,
    Inflection,
    ContentLost,
    SpellingVariant,
    Category,
}

impl Reason {
    /// True for rules that a judgement may overrule: they guess, and drop good rows with bad ones.
    #[must_use]
    pub fn is_guess(self) -> bool {
        matches!(
            self,
            Reason::ClosedClass
                | Reason::FunctionWordsOnly
                | Reason::CoHyponym
                | Reason::Inflection
                | Reason::ContentLost
                | Reason::Category
        )
    }

    /// The name used in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Reason::Identical => "identical",
            Reason::Number => "number",
            Reason::Punctuation => "punctuation",
            Reason::Name => "name",
            Reason::Negation => "negation",
            Reason::ClosedClass => "closed class",
            Reason::FunctionWordsOnly => "function words only",
            Reason::Antonym => "antonym",
            Reason::CoHyponym => "co-hyponym",
            Reason::Inflection => "inflection",
            Reason::ContentLost => "content lost",
            Reason::SpellingVariant => "spelling variant",
            Reason::Category => "category",
        }
    }
}

/// True if both phrases fit beside the same neighbours, as far as their outer words tell.
fn same_edges(source: &[&str], target: &[&str]) -> bool {
    let outer = |side: &[&str]| Some((edge(side.first()?), edge(side.last()?)));
    outer(source) == outer(target)
}

/// The forms of be, have and do in a phrase, spelled out and sorted: they carry tense and number.
fn auxiliaries<'w>(side: &[&'w str]) -> Vec<&'w str> {
    let full = |word: &&'w str| match *word {
        "'m" => Some("am"),
        "'re" => Some("are"),
        "'ve" => Some("have"),
        _ => (edge(word) == Edge::Auxiliary).then_some(*word),
    };
    let mut words: Vec<&str> = side.iter().filter_map(full).collect();
    words.sort_unstable();
    words
}

/// The rules, with what they need to know of English.
#[derive(Clone, Copy, Debug)]
pub struct RowFilter<'a> {
    thesaurus: Option<&'a Thesaurus>,
    casing: &'a Casing,
}

impl<'a> RowFilter<'a> {
    /// Rules over a thesaurus, if there is one, and casing statistics.
    #[must_use]
    pub fn new(thesaurus: Option<&'a Thesaurus>, casing: &'a Casing) -> Self {
        RowFilter { thesaurus, casing }
    }

    /// Checks a row of lower-cased words.
    ///
    /// # Errors
    /// The first rule that the row breaks.
    pub fn check(&self, source: &[&str], target: &[&str]) -> Result<(), Reason> {
        if source == target {
            return Err(Reason::Identical);
        }
        for side in [source, target] {
            if side
                .iter()
                .any(|word| word.bytes().any(|byte| byte.is_ascii_digit()))
            {
                return Err(Reason::Number);
            }
            if side.iter().any(|word| !is_wordlike(word)) {
                return Err(Reason::Punctuation);
            }
        }
        // The stop of an abbreviation could be taken for the end of the sentence.
        if !same_bag(source, target, |word| word.ends_with('.')) {
            return Err(Reason::Punctuation);
        }
        if same_initial(source, target) && squash(&source.concat()) == squash(&target.concat()) {
            return Err(Reason::SpellingVariant);
        }
        let names = |word: &str| self.casing.is_name(word);
        let bare = |side: &[&str]| {
            side.iter()
                .all(|&word| names(word) || is_function_word(word))
        };
        let named = source.iter().any(|word| names(word));
        // Britain is not Great Britain.
        if !same_bag(source, target, names) || named && bare(source) != bare(target) {
            return Err(Reason::Name);
        }
        if negations(source) != negations(target) {
            return Err(Reason::Negation);
        }
        // One is as often a pronoun.
        if !same_bag(source, target, |word| is_number_word(word) && word != "one") {
            return Err(Reason::Number);
        }
        if !same_bag(source, target, is_closed) {
            return Err(Reason::ClosedClass);
        }
        // A number word inside a compound: three-year, mid-thirties.
        let counts = |word: &str| word.contains('-') && word.split('-').any(is_number_word);
        if !same_bag(source, target, counts) {
            return Err(Reason::Number);
        }
        if auxiliaries(source) != auxiliaries(target) {
            return Err(Reason::Inflection);
        }
        if !same_edges(source, target) {
            return Err(Reason::Category);
        }
        let [lost, gained] = changed_content(source, target);
        match (lost.is_empty(), gained.is_empty()) {
            (true, true) => return Err(Reason::FunctionWordsOnly),
            (false, false) => {}
            _ => return Err(Reason::ContentLost),
        }
        for &a in &lost {
            for &b in &gained {
                self.check_words(a, b, lost.len() == 1 && gained.len() == 1)?;
            }
        }
        Ok(())
    }

    /// Rules on a pair of content words, one only in the source, one only in the target; `alone` if the
    /// one must stand for the other.
    fn check_words(&self, a: &str, b: &str, alone: bool) -> Result<(), Reason> {
        if negated_form(a, b) || negated_form(b, a) {
            return Err(Reason::Antonym);
        }
        let Some(thesaurus) = self.thesaurus else {
            return Ok(());
        };
        let (of_a, of_b) = (thesaurus.analyses(a), thesaurus.analyses(b));
        let mut same_form = of_a.is_empty() || of_b.is_empty();
        let (mut synonyms, mut co_hyponyms) = (false, false);
        for (class, lemma, form) in &of_a {
            for (other_class, other, other_form) in &of_b {
                if class != other_class {
                    continue;
                }
                if thesaurus.are_antonyms(lemma, other, *class) {
                    return Err(Reason::Antonym);
                }
                same_form |= form == other_form;
                synonyms |= thesaurus.are_synonyms(lemma, other, *class);
                co_hyponyms |= *class == WordClass::Noun
                    && (thesaurus.are_co_hyponyms(lemma, other, *class)
                        || thesaurus.is_hypernym(lemma, other, *class)
                        || thesaurus.is_hypernym(other, lemma, *class));
            }
        }
        if alone && co_hyponyms && !synonyms {
            return Err(Reason::CoHyponym);
        }
        let same_lemma = of_a
            .iter()
            .any(|(_, lemma, _)| of_b.iter().any(|(_, other, _)| lemma == other));
        if alone && (same_lemma || !same_form || !same_ending(a, b, &of_a, &of_b)) {
            return Err(Reason::Inflection);
        }
        Ok(())
    }
}

/// Words that no analysis covers must at least end alike where the ending tells the form.
fn same_ending(
    a: &str,
    b: &str,
    of_a: &[(WordClass, String, Inflection)],
    of_b: &[(WordClass, String, Inflection)],
) -> bool {
    if !of_a.is_empty() && !of_b.is_empty() {
        return true;
    }
    ["ly", "ing", "ed", "s"]
        .iter()
        .all(|end| a.ends_with(end) == b.ends_with(end))
}

/// Letters, inner hyphens, apostrophes and points only.
fn is_wordlike(word: &str) -> bool {
    word.chars().any(char::is_alphabetic)
        && word
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’' | '.'))
}

/// True if the words that `select` picks are the same on both sides, counted.
fn same_bag(source: &[&str], target: &[&str], select: impl Fn(&str) -> bool) -> bool {
    let bag = |side: &[&str]| {
        let mut words: Vec<String> = side
            .iter()
            .filter(|word| select(word))
            .map(|word| (*word).to_owned())
            .collect();
        words.sort();
        words
    };
    bag(source) == bag(target)
}

/// Content words only in the source, and only in the target.
fn changed_content<'w>(source: &[&'w str], target: &[&'w str]) -> [Vec<&'w str>; 2] {
    let only = |here: &[&'w str], there: &[&'w str]| {
        here.iter()
            .copied()
            .filter(|word| !is_function_word(word) && !there.contains(word))
            .collect::<Vec<_>>()
    };
    [only(source, target), only(target, source)]
}

/// True if `b` is `a` with a negating prefix or the suffix -less against -ful.
fn negated_form(a: &str, b: &str) -> bool {
    const PREFIXES: [&str; 9] = ["un", "in", "im", "il", "ir", "dis", "non", "non-", "mis"];
    PREFIXES
        .iter()
        .any(|prefix| b.strip_prefix(prefix) == Some(a))
        || a.strip_suffix("ful")
            .is_some_and(|stem| b.strip_suffix("less") == Some(stem))
}

/// The letters alone, with common spelling differences removed.
/// True if both phrases begin with one letter, as spelling variants do.
fn same_initial(source: &[&str], target: &[&str]) -> bool {
    let initial = |side: &[&str]| {
        let mut letters = side.iter().flat_map(|word| word.chars());
        letters.find(|c| c.is_alphabetic())
    };
    initial(source) == initial(target)
}

fn squash(word: &str) -> String {
    let letters: String = word.chars().filter(|c| c.is_alphabetic()).collect();
    letters
        .replace("our", "or")
        .replace("ise", "ize")
        .replace("isa", "iza")
        .replace("isi", "izi")
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::thesaurus::ThesaurusBuilder;

    fn thesaurus() -> Thesaurus {
        let mut builder = ThesaurusBuilder::new();
        let sets = [
            "n1\tsettlement\t",
            "n2\ttown\t@n1",
            "n3\tcity metropolis\t@n1",
            "v4\tbuy purchase\t!v5",
            "v5\tsell\t!v4",
            "a6\tbig large\t!a7",
            "a7\tsmall\t!a6",
        ];
        for (number, line) in (1..).zip(sets) {
            builder.synset_line(number, line).unwrap();
        }
        builder.build().unwrap()
    }

    #[test]
    fn each_rule_has_its_case() {
        let thesaurus = thesaurus();
        let mut casing = Casing::default();
        casing.count(["In", "Paris", "they", "like", "Paris"]);
        let filter = RowFilter::new(Some(&thesaurus), &casing);
        let check = |source: &str, target: &str| {
            let [source, target]: [Vec<&str>; 2] =
                [source, target].map(|side| side.split(' ').collect());
            filter.check(&source, &target).err()
        };
        let cases = [
            ("big", "large", None),
            ("buys", "purchases", None),
            ("a large number of", "a great amount of", None),
            ("big", "big", Some(Reason::Identical)),
            ("big 3", "large 3", Some(Reason::Number)),
            ("round", "three-year cycle", Some(Reason::Number)),
            ("ten years", "a decade", Some(Reason::Number)),
            ("big ,", "large ,", Some(Reason::Punctuation)),
            ("also known as", "a.k.a.", Some(Reason::Punctuation)),
            ("paris", "rome", Some(Reason::Name)),
            ("in paris", "in big paris", Some(Reason::Name)),
            ("big paris", "paris", Some(Reason::Name)),
            ("big paris", "large paris", None),
            ("not big", "large", Some(Reason::Negation)),
            ("do not buy", "buy", Some(Reason::Negation)),
            ("do n't buy", "do not purchase", None),
            ("he buys", "she buys", Some(Reason::ClosedClass)),
            ("of the", "in the", Some(Reason::FunctionWordsOnly)),
            ("the large city", "large metropolis", Some(Reason::Category)),
            ("buy", "sell", Some(Reason::Antonym)),
            ("happy", "unhappy", Some(Reason::Antonym)),
            ("town", "city", Some(Reason::CoHyponym)),
            ("buys", "purchase", Some(Reason::Inflection)),
            ("buys", "bought", Some(Reason::Inflection)),
            ("the big house", "the house", Some(Reason::ContentLost)),
            ("has bought", "was buying", Some(Reason::Inflection)),
            ("colour", "color", Some(Reason::SpellingVariant)),
            ("home town", "hometown", Some(Reason::SpellingVariant)),
            ("two-thirds", "two thirds", Some(Reason::SpellingVariant)),
        ];
        for (source, target, expected) in cases {
            assert_eq!(check(source, target), expected, "{source} → {target}");
        }
    }
}
