//! Phrases that a request forbids or demands.

use crate::error::Result;
use crate::options::Options;
use pgen_core::text::{normalize, tokenize};
use pgen_core::{Limits, Sentence};

/// Forbidden and demanded phrases as normalised words.
#[derive(Debug)]
pub(crate) struct PhraseFilter {
    /// With how often the source has it.
    forbidden: Vec<(Vec<String>, usize)>,
    forced: Vec<Vec<String>>,
}

impl PhraseFilter {
    pub(crate) fn new(options: &Options, sentence: &Sentence) -> Result<Self> {
        let words = |phrase: &String| words_of(phrase, &options.limits);
        let source: Vec<&str> = sentence
            .words()
            .iter()
            .map(|&word| sentence.lexicon().word(word))
            .collect();
        let avoided = options.register.avoided().iter().map(|phrase| {
            let words = phrase.split(' ').map(str::to_owned);
            Ok(words.collect())
        });
        let forbidden = options.forbid.iter().map(words).chain(avoided);
        let forbidden = forbidden.map(|words| {
            let words = words?;
            let times = occurrences(&source, &words);
            Ok((words, times))
        });
        Ok(PhraseFilter {
            forbidden: forbidden.collect::<Result<_>>()?,
            forced: options.force.iter().map(words).collect::<Result<_>>()?,
        })
    }

    /// True if a forbidden phrase occurs more often than in the source.
    pub(crate) fn brings_forbidden(&self, words: &[&str]) -> bool {
        let mut phrases = self.forbidden.iter();
        phrases.any(|(phrase, times)| occurrences(words, phrase) > *times)
    }

    /// True if a demanded phrase does not occur.
    pub(crate) fn lacks_forced(&self, words: &[&str]) -> bool {
        let mut phrases = self.forced.iter();
        phrases.any(|phrase| !phrase.is_empty() && occurrences(words, phrase) == 0)
    }
}

fn words_of(phrase: &str, limits: &Limits) -> Result<Vec<String>> {
    let tokens = tokenize(phrase, limits)?.into_iter();
    let word = |token: pgen_core::text::RawToken| {
        let surface = phrase.get(token.bytes.range()).unwrap_or("");
        normalize(surface, token.kind, true).into_owned()
    };
    Ok(tokens.map(word).collect())
}

fn occurrences(words: &[&str], phrase: &[String]) -> usize {
    if phrase.is_empty() {
        return 0;
    }
    words
        .windows(phrase.len())
        .filter(|window| window.iter().zip(phrase).all(|(a, b)| a == b))
        .count()
}
