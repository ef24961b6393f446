//! Faults of a paraphrase that a program can see: what must never change did, or grammar broke that held.

use crate::article::starts_with_vowel_sound;
use crate::guard;
use crate::words::{is_number_word, negations};
use pgen_core::text::TextOptions;
use pgen_core::thesaurus::{Inflection, Thesaurus, WordClass};
use pgen_core::{ByteSpan, Limits, Result, Sentence, Vocab};
use std::sync::Arc;

/// Paraphrases with each fault; a fault counts only if the source has fewer of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Broken {
    /// Numbers, in digits or words, are not the same.
    pub numbers: u64,
    /// Words of negation are not the same.
    pub negation: u64,
    /// Names are not the same.
    pub names: u64,
    /// `a` before a vowel sound or `an` before none.
    pub articles: u64,
    /// Subject and verb, or determiner and noun, do not agree.
    pub agreement: u64,
    /// A word stands twice in a row.
    pub doubled: u64,
    /// Any of these.
    pub any: u64,
}

impl Broken {
    /// Adds the faults of a paraphrase, each counted once.
    pub(super) fn add(&mut self, faults: [bool; 6]) {
        let slots = [
            &mut self.numbers,
            &mut self.negation,
            &mut self.names,
            &mut self.articles,
            &mut self.agreement,
            &mut self.doubled,
        ];
        for (slot, fault) in slots.into_iter().zip(faults) {
            *slot += u64::from(fault);
        }
        self.any += u64::from(faults.contains(&true));
    }
}

/// What is compared of a text: bags that must stay, and counts that must not grow.
#[derive(Debug)]
pub(super) struct Traits {
    numbers: Vec<String>,
    negations: Vec<String>,
    /// Names as the guard sees them, and whatever has a capital inside a sentence: one small word less can
    /// make a headline of a list of names, and then only the second holds.
    names: [Vec<String>; 2],
    articles: usize,
    agreement: usize,
    doubled: usize,
}

impl Traits {
    /// Numbers, negation, names, articles, agreement, doubled words: which of them a paraphrase has got
    /// wrong.
    pub(super) fn faults_of(&self, paraphrase: &Traits) -> [bool; 6] {
        [
            self.numbers != paraphrase.numbers,
            self.negations != paraphrase.negations,
            (self.names.iter().zip(&paraphrase.names)).all(|(before, after)| before != after),
            self.articles < paraphrase.articles,
            self.agreement < paraphrase.agreement,
            self.doubled < paraphrase.doubled,
        ]
    }
}

/// Looks for faults.
#[derive(Debug, Default)]
pub(super) struct Reader {
    thesaurus: Option<Thesaurus>,
    vocab: Arc<Vocab>,
}

impl Reader {
    pub(super) fn new(thesaurus: Option<Thesaurus>) -> Self {
        Reader {
            thesaurus,
            vocab: Arc::default(),
        }
    }

    /// The traits of a text, given with its lower-case words.
    ///
    /// # Errors
    /// Limits of the tokeniser.
    pub(super) fn traits(&self, text: &str, words: &[String]) -> Result<Traits> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Ok(Traits {
            numbers: numbers(&words),
            negations: negations(&words).into_iter().map(str::to_owned).collect(),
            names: self.names(text)?,
            articles: articles(&words),
            agreement: self.agreement(&words),
            doubled: doubled(&words),
        })
    }

    fn names(&self, text: &str) -> Result<[Vec<String>; 2]> {
        let sentence = Sentence::tokenize(
            text,
            &self.vocab,
            &TextOptions::default(),
            &Limits::default(),
        )?;
        let spell = |spans: Vec<ByteSpan>| {
            let words = spans.iter().map(|span| text[span.range()].to_owned());
            let mut words: Vec<String> = words.collect();
            words.sort();
            words
        };
        let inside = guard::capitals(&sentence).inside;
        Ok([guard::names(&sentence), inside].map(spell))
    }

    /// Pairs of neighbours that do not agree.
    fn agreement(&self, words: &[&str]) -> usize {
        let pairs = words.windows(2);
        pairs
            .filter(|pair| subject_and_verb(pair[0], pair[1]) || self.determiner(pair[0], pair[1]))
            .count()
    }

    /// A singular determiner before a word that can be nothing but a plural.
    fn determiner(&self, determiner: &str, word: &str) -> bool {
        let singular = ["a", "an", "this", "each", "every", "another"];
        let Some(thesaurus) = self.thesaurus.as_ref() else {
            return false;
        };
        if !singular.contains(&determiner) {
            return false;
        }
        let analyses = thesaurus.analyses(word);
        let plural = |(class, _, form): &(WordClass, String, Inflection)| {
            *class == WordClass::Noun && *form == Inflection::Plural
        };
        !analyses.is_empty() && analyses.iter().all(plural)
    }
}

/// A pronoun and a verb that never goes with it.
fn subject_and_verb(pronoun: &str, verb: &str) -> bool {
    let wrong: &[&str] = match pronoun {
        "i" => &["is", "are", "has", "does", "'s", "'re", "were"],
        "he" | "she" | "it" => &["am", "are", "have", "do", "'m", "'re", "'ve"],
        "we" | "you" | "they" => &["am", "is", "was", "has", "does", "'m", "'s"],
        _ => &[],
    };
    wrong.contains(&verb)
}

fn articles(words: &[&str]) -> usize {
    let wrong = |pair: &&[&str]| {
        let starts = pair[1].chars().next().is_some_and(char::is_alphabetic);
        let long = pair[1].chars().count() > 1;
        match pair[0] {
            "a" => starts && long && starts_with_vowel_sound(pair[1]),
            "an" => starts && long && !starts_with_vowel_sound(pair[1]),
            _ => false,
        }
    };
    words.windows(2).filter(wrong).count()
}

fn doubled(words: &[&str]) -> usize {
    let twice = |pair: &&[&str]| pair[0] == pair[1] && pair[0].chars().all(char::is_alphabetic);
    words.windows(2).filter(twice).count()
}

/// Numbers in digits and words; `one` is as often a pronoun.
fn numbers(words: &[&str]) -> Vec<String> {
    let is_number = |word: &&&str| {
        word.contains(|c: char| c.is_ascii_digit()) || is_number_word(word) && **word != "one"
    };
    let mut found: Vec<String> = words
        .iter()
        .filter(is_number)
        .map(|word| (*word).to_owned())
        .collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_is_seen_and_only_if_new() {
        let cases = [
            ("He has 3 dogs.", "He has 4 dogs.", Some(0)),
            ("He has three dogs.", "He has two dogs.", Some(0)),
            ("He does not run.", "He runs.", Some(1)),
            ("He does not run.", "He doesn't run.", None),
            ("He met Ann there.", "He met Bob there.", Some(2)),
            (
                "They are to play Rock, Ring and Give It A Name.",
                "They're to play Rock, Ring and Give It A Name.",
                None,
            ),
            ("He saw a dog.", "He saw a animal.", Some(3)),
            ("It is an apple.", "It is a hour.", Some(3)),
            ("They were glad.", "They was glad.", Some(4)),
            ("He went in the end.", "He went the the end.", Some(5)),
            ("They was glad.", "They was happy.", None),
            ("A big dog ran.", "A large dog ran.", None),
        ];
        let reader = Reader::default();
        for (source, text, fault) in cases {
            let words = |text: &str| -> Vec<String> {
                let tokens = pgen_core::text::tokenize(text, &Limits::default()).unwrap();
                let lower =
                    |token: &pgen_core::text::RawToken| text[token.bytes.range()].to_lowercase();
                tokens.iter().map(lower).collect()
            };
            let traits = |text: &str| reader.traits(text, &words(text)).unwrap();
            let faults = traits(source).faults_of(&traits(text));
            let found = faults.iter().position(|&fault| fault);
            assert_eq!(found, fault, "{source} → {text}");
        }
    }
}
