//! Automatic evaluation of paraphrases by anybody: what sources that the system did not use say of what it
//! replaced, and what must not happen.

use super::broken::{Broken, Reader, Traits};
use super::units::{Unit, units};
use hashbrown::{HashMap, HashSet};
use pgen_core::text::tokenize;
use pgen_core::thesaurus::Thesaurus;
use pgen_core::{Limits, Result, Vocab, WordId};
use pgen_lm::{NgramModel, Perplexity};
use std::collections::BTreeMap;

/// What is known of a list of paraphrases without a reader.
///
/// A *unit* is a run of words that the paraphrase has instead of a run of the source's: what a word-by-word
/// difference of the two finds, not what the system says of itself. A unit is confirmed if a source of
/// replacements lists it, or if a reference of the sentence has the new words where the source does not.
///
/// ```
/// use pgen::evaluate::Automatic;
///
/// let mut automatic = Automatic::new();
/// automatic.add_replacement("list", "quick", "fast");
/// automatic.add("A quick fox.", &["A fast fox.", "A slow fox."])?;
/// let report = automatic.report();
/// assert_eq!((report.units, report.confirmed["list"]), (2, 1));
/// # Ok::<(), pgen::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Automatic {
    replacements: BTreeMap<String, HashSet<(String, String)>>,
    references: HashMap<String, Vec<String>>,
    language: Option<(NgramModel, Vocab)>,
    reader: Reader,
    limits: Limits,
    report: AutomaticReport,
}

/// Counts and means; see [`Automatic`].
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[allow(missing_docs)] // the names and comments say it
pub struct AutomaticReport {
    pub sentences: u64,
    /// Sentences with a paraphrase.
    pub answered: u64,
    /// Paraphrases looked at.
    pub paraphrases: u64,
    /// Paraphrases whose text is the source or another paraphrase of the list.
    pub duplicates: u64,
    /// Words inserted plus words deleted.
    pub changed_words: u64,
    pub units: u64,
    /// Confirmed units, by source; `references` if there are any, `any` for all of them together.
    pub confirmed: BTreeMap<String, u64>,
    /// Paraphrases with each kind of fault, and with any.
    pub broken: Broken,
    /// Sums over all sources with a paraphrase, and over all paraphrases, under the independent model.
    pub source_language: Option<Language>,
    pub output_language: Option<Language>,
}

/// How probable text is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[allow(missing_docs)]
pub struct Language {
    /// Sum of ln p of the words that the model knows, and of the ends of sentences.
    pub log_prob: f64,
    /// How many these are.
    pub tokens: u64,
    /// Words that the model does not know.
    pub oov: u64,
    pub perplexity: f64,
}

impl AutomaticReport {
    /// Words inserted plus deleted in a paraphrase, on average.
    #[must_use]
    pub fn mean_change(&self) -> f64 {
        self.changed_words as f64 / self.paraphrases.max(1) as f64
    }

    /// Share of the units that a source confirms.
    #[must_use]
    pub fn share(&self, source: &str) -> f64 {
        let confirmed = self.confirmed.get(source).copied().unwrap_or(0);
        confirmed as f64 / self.units.max(1) as f64
    }
}

impl Automatic {
    /// Without sources.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a replacement that a source lists; both sides are compared in lower case.
    pub fn add_replacement(&mut self, source: &str, from: &str, to: &str) {
        let row = (from.to_lowercase(), to.to_lowercase());
        if let Some(rows) = self.replacements.get_mut(source) {
            rows.insert(row);
        } else {
            let rows = std::iter::once(row).collect();
            self.replacements.insert(source.to_owned(), rows);
        }
    }

    /// Adds other ways to say a sentence.
    ///
    /// # Errors
    /// Limits of the tokeniser.
    pub fn add_references<S: AsRef<str>>(&mut self, sentence: &str, others: &[S]) -> Result<()> {
        let mut all = Vec::with_capacity(others.len());
        for other in others {
            all.push(spaced(&self.words(other.as_ref())?));
        }
        let key = sentence.trim().to_owned();
        self.references.entry(key).or_default().extend(all);
        Ok(())
    }

    /// With a language model that the system does not use. Words are looked up in lower case.
    #[must_use]
    pub fn with_language(mut self, model: NgramModel, vocab: Vocab) -> Self {
        self.language = Some((model, vocab));
        self
    }

    /// With a thesaurus, which knows singular and plural.
    #[must_use]
    pub fn with_thesaurus(mut self, thesaurus: Thesaurus) -> Self {
        self.reader = Reader::new(Some(thesaurus));
        self
    }

    /// Counts a sentence and its paraphrases.
    ///
    /// # Errors
    /// Limits of the tokeniser; nothing is counted then.
    pub fn add<S: AsRef<str>>(&mut self, sentence: &str, paraphrases: &[S]) -> Result<()> {
        let before = self.report.clone();
        let added = self.add_all(sentence, paraphrases);
        if added.is_err() {
            self.report = before;
        }
        added
    }

    fn add_all<S: AsRef<str>>(&mut self, sentence: &str, paraphrases: &[S]) -> Result<()> {
        self.report.sentences += 1;
        if paraphrases.is_empty() {
            return Ok(());
        }
        self.report.answered += 1;
        let source = self.words(sentence)?;
        let traits = self.reader.traits(sentence, &source)?;
        let before = self.perplexity(&source);
        self.report.source_language = sum(self.report.source_language, before);
        let mut seen: HashSet<String> = HashSet::new();
        seen.insert(sentence.trim().to_owned());
        for text in paraphrases {
            let text = text.as_ref().trim();
            self.report.duplicates += u64::from(!seen.insert(text.to_owned()));
            self.add_one((sentence, &source, &traits), text)?;
        }
        Ok(())
    }

    fn add_one(
        &mut self,
        (sentence, source, traits): (&str, &[String], &Traits),
        text: &str,
    ) -> Result<()> {
        let words = self.words(text)?;
        self.report.paraphrases += 1;
        let after = self.perplexity(&words);
        self.report.output_language = sum(self.report.output_language, after);
        let faults = traits.faults_of(&self.reader.traits(text, &words)?);
        self.report.broken.add(faults);
        let whole = spaced(source);
        for unit in units(source, &words) {
            self.report.changed_words += (unit.from.len() + unit.to.len()) as u64;
            self.report.units += 1;
            let mut any = false;
            for (name, rows) in &self.replacements {
                if lists(rows, &unit) {
                    any = true;
                    *self.report.confirmed.entry(name.clone()).or_default() += 1;
                }
            }
            let new = spaced(unit.to);
            let others = self.references.get(sentence.trim());
            let has = |other: &String| other.contains(&new);
            let referred = !unit.to.is_empty() && !whole.contains(&new);
            if referred && others.is_some_and(|others| others.iter().any(has)) {
                any = true;
                *self
                    .report
                    .confirmed
                    .entry("references".to_owned())
                    .or_default() += 1;
            }
            *self.report.confirmed.entry("any".to_owned()).or_default() += u64::from(any);
        }
        Ok(())
    }

    /// What was counted.
    #[must_use]
    pub fn report(&self) -> &AutomaticReport {
        &self.report
    }

    /// Lower-case tokens.
    fn words(&self, text: &str) -> Result<Vec<String>> {
        let tokens = tokenize(text, &self.limits)?;
        Ok(tokens
            .iter()
            .map(|token| text[token.bytes.range()].to_lowercase())
            .collect())
    }

    fn perplexity(&self, words: &[String]) -> Option<Perplexity> {
        let (model, vocab) = self.language.as_ref()?;
        let id = |word: &String| vocab.get(word).unwrap_or(WordId::UNK);
        let ids: Vec<WordId> = words.iter().map(id).collect();
        let is_oov = |word| word == WordId::UNK || !model.knows(word);
        Some(Perplexity::of(model, &ids, is_oov))
    }
}

/// True if a list has the unit.
fn lists(rows: &HashSet<(String, String)>, unit: &Unit<'_>) -> bool {
    rows.contains(&(unit.from.join(" "), unit.to.join(" ")))
}

/// Words with blanks around each.
fn spaced(words: &[String]) -> String {
    let mut text = String::from(" ");
    for word in words {
        text.push_str(word);
        text.push(' ');
    }
    text
}

fn sum(so_far: Option<Language>, more: Option<Perplexity>) -> Option<Language> {
    let Some(more) = more else { return so_far };
    let mut sum = so_far.unwrap_or_default();
    sum.log_prob += more.known_ln;
    sum.tokens += more.tokens - more.oov;
    sum.oov += more.oov;
    sum.perplexity = (-sum.log_prob / sum.tokens as f64).exp();
    Some(sum)
}
