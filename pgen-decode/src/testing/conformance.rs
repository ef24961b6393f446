//! Plain-text cases that every decoder has to get right.

use super::backoff::BackoffModel;
use crate::decoder::Decoder;
use crate::error::Error;
use crate::loglinear::LogLinear;
use crate::order::compare_texts;
use crate::params::Request;
use crate::plan::{Identity, Plan, Planned};
use crate::true_score::TrueScore;
use pgen_core::{
    Certificate, Error as CoreError, Lexicon, Limits, LogProb, NBest, ParaphraseTable, Sentence,
    TableBuilder, Vocab, Weight, WordId,
};
use std::collections::BTreeMap;
use std::sync::Arc;

const CASES: &str = include_str!("conformance.txt");
/// Scores of the cases are sums of short decimals.
const CLOSE: f64 = 1e-9;

/// What a decoder promises of its lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Promise {
    /// The exact list: scores, texts, order, and a certificate that says so.
    Exact,
    /// On lattices as small as these, the exact list; the certificate need not say so.
    Complete,
    /// Distinct texts in order, none with a score above its true score, and no text that should be
    /// filtered.
    Sound,
}

/// A sentence with its rules, a language model, a request, and the list that must come out.
#[derive(Clone, Debug)]
pub struct Case {
    name: String,
    fields: BTreeMap<String, Vec<String>>,
}

/// All cases of the suite, in order.
#[must_use]
pub fn cases() -> Vec<Case> {
    read_cases(CASES)
}

/// Cases in the same plain form: see the remarks at the head of `conformance.txt` in the sources.
#[must_use]
pub fn read_cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (key, value) = line.split_once(' ').unwrap_or((line.trim(), ""));
        match (key, cases.last_mut()) {
            ("", _) => {}
            ("case", _) => cases.push(Case {
                name: value.to_owned(),
                fields: BTreeMap::new(),
            }),
            (_, Some(case)) => {
                let values = case.fields.entry(key.to_owned()).or_default();
                values.push(value.to_owned());
            }
            (_, None) => {}
        }
    }
    cases
}

/// A case ready to be decoded.
struct Ready {
    planned: Planned,
    model: BackoffModel,
    request: Request,
}

impl Case {
    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    fn all(&self, key: &str) -> impl Iterator<Item = &str> {
        let values = self.fields.get(key).into_iter().flatten();
        values.map(String::as_str)
    }

    fn number(&self, key: &str, default: f64) -> Result<f64, String> {
        self.all(key).next().map_or(Ok(default), number)
    }

    /// Decodes the case and compares.
    ///
    /// # Errors
    /// What is wrong with the answer (or with the case), in words.
    pub fn check(
        &self,
        decoder: &dyn Decoder<BackoffModel>,
        promise: Promise,
    ) -> Result<(), String> {
        let result = match self.prepare() {
            Err(CaseError::Plan(Error::Unreachable { .. })) => {
                return self.expect_end("unreachable");
            }
            Err(error) => Err(error),
            Ok(ready) => self.compare(&ready, decoder, promise),
        };
        result.map_err(|error| format!("case `{}`: {error}", self.name))
    }

    fn expect_end(&self, found: &str) -> Result<(), String> {
        match self.all("end").next() {
            Some(end) if end == found => Ok(()),
            end => Err(format!("case `{}`: {found}, not {end:?}", self.name)),
        }
    }

    fn prepare(&self) -> Result<Ready, CaseError> {
        let mut vocab = Vocab::new();
        let model = self.language(&mut vocab)?;
        let table = self.table(&mut vocab)?;
        let vocab = Arc::new(vocab);
        let words = self.all("source").next().unwrap_or("").split_whitespace();
        let sentence = Sentence::from_words(words, Lexicon::new(vocab), &Limits::default())?;
        let mut plan = Plan::new(Limits::default()).with_table("tm", &table);
        if let Some(copy) = self.all("copy").next() {
            plan = plan.with_identity(Identity::Always(LogProb::new(number(copy)?)?));
        }
        let planned = plan.build(&sentence).map_err(CaseError::Plan)?;
        let request = self.request(&sentence)?;
        Ok(Ready {
            planned,
            model,
            request,
        })
    }

    fn language(&self, vocab: &mut Vocab) -> Result<BackoffModel, CaseError> {
        let unknown = LogProb::new(self.number("unknown", -10.0)?)?;
        let mut model = BackoffModel::uniform(unknown);
        for gram in self.all("gram") {
            let fields: Vec<&str> = gram.split('|').map(str::trim).collect();
            let [log_prob, words, weight] = fields[..] else {
                return Err(format!("`{gram}` is no n-gram").into());
            };
            let mut ids = Vec::new();
            for word in words.split(' ') {
                ids.push(match word {
                    "<s>" => WordId::BOS,
                    "</s>" => WordId::EOS,
                    word => vocab.intern(word)?,
                });
            }
            model.insert(&ids, number(log_prob)?, number(weight)?);
        }
        Ok(model)
    }

    fn table(&self, vocab: &mut Vocab) -> Result<ParaphraseTable, CaseError> {
        let mut builder = TableBuilder::new(["tm"]).deletions(true);
        for rule in self.all("rule") {
            let fields: Vec<&str> = rule.split("|||").map(str::trim).collect();
            let [source, target, log_prob] = fields[..] else {
                return Err(format!("`{rule}` is no rule").into());
            };
            builder.push_text(vocab, source, target, &[number(log_prob)? as f32])?;
        }
        Ok(builder.build(vocab)?)
    }

    fn request(&self, sentence: &Sentence) -> Result<Request, CaseError> {
        let mut request = Request::best(self.number("n", 10.0)? as usize);
        request = request.with_source(sentence.words().to_vec());
        for text in self.all("exclude") {
            let words = text.split_whitespace();
            let ids = words.map(|word| sentence.lexicon().get(word).unwrap_or_default());
            request = request.excluding(ids.collect());
        }
        if let Some((fewest, most)) = self.all("words").next().and_then(|v| v.split_once(' ')) {
            request = request.with_length(number(fewest)? as usize, number(most)? as usize);
        }
        let edits = self.number("edits", 0.0)? as usize;
        Ok(request.with_min_edit(sentence.words().to_vec(), edits))
    }

    fn compare(
        &self,
        ready: &Ready,
        decoder: &dyn Decoder<BackoffModel>,
        promise: Promise,
    ) -> Result<(), CaseError> {
        let lattice = &ready.planned.lattice;
        let weight = |key, default| -> Result<Weight, CaseError> {
            Ok(Weight::new(self.number(key, default)?)?)
        };
        let model = LogLinear::new(&ready.model)
            .with_language_weight(weight("lm", 1.0)?)?
            .with_named_weight(lattice.feature_set(), "tm", weight("tm", 1.0)?)?
            .with_word_bonus(weight("word", 0.0)?)?;
        let list = decoder.decode(lattice, &model, &ready.request)?;
        sound(ready, &model, &list)?;
        if promise == Promise::Sound {
            return Ok(());
        }
        let found: Vec<(f64, String)> = list
            .items
            .iter()
            .map(|item| (item.score.ln(), lattice.lexicon().join(&item.words)))
            .collect();
        let expected = self.expected()?;
        let same =
            |(a, b): (&(f64, String), &(f64, String))| a.1 == b.1 && (a.0 - b.0).abs() < CLOSE;
        if found.len() != expected.len() || !found.iter().zip(&expected).all(same) {
            return Err(format!("{found:?}, not {expected:?}").into());
        }
        let end = match list.certificate {
            _ if promise == Promise::Complete => return Ok(()),
            Certificate::Exact => "exact",
            Certificate::Exhausted => "exhausted",
            _ => "not certain",
        };
        Ok(self.expect_end(end)?)
    }

    fn expected(&self) -> Result<Vec<(f64, String)>, String> {
        let split = |text: &str| {
            let (score, text) = text.split_once('|').ok_or("a text without a score")?;
            Ok((number(score)?, text.trim().to_owned()))
        };
        self.all("text").map(split).collect()
    }
}

/// What holds for every decoder.
fn sound(
    ready: &Ready,
    model: &LogLinear<'_, BackoffModel>,
    list: &NBest,
) -> Result<(), CaseError> {
    let lattice = &ready.planned.lattice;
    if list.items.len() > ready.request.n {
        return Err("more texts than asked for".to_owned().into());
    }
    for item in &list.items {
        let truth = TrueScore::new(lattice, model, &item.words)?.score();
        let text = lattice.lexicon().join(&item.words);
        if item.score.ln() > truth.ln() + CLOSE {
            return Err(format!("`{text}` scores {}, truly {truth}", item.score).into());
        }
        if !ready.request.passes(&item.words) {
            return Err(format!("`{text}` should be filtered").into());
        }
    }
    for pair in list.items.windows(2) {
        let by_score = pair[1].score.total_cmp(&pair[0].score);
        let by_text = || compare_texts(lattice.lexicon(), &pair[0].words, &pair[1].words);
        if by_score.then_with(by_text).is_ge() {
            return Err("texts out of order, or one twice".to_owned().into());
        }
    }
    Ok(())
}

fn number(text: &str) -> Result<f64, String> {
    let number = text.trim().parse();
    number.map_err(|_| format!("`{text}` is no number"))
}

enum CaseError {
    Plan(Error),
    Other(String),
}

impl From<String> for CaseError {
    fn from(error: String) -> Self {
        CaseError::Other(error)
    }
}

impl From<Error> for CaseError {
    fn from(error: Error) -> Self {
        CaseError::Other(error.to_string())
    }
}

impl From<CoreError> for CaseError {
    fn from(error: CoreError) -> Self {
        Error::from(error).into()
    }
}

impl std::fmt::Display for CaseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CaseError::Plan(error) => error.fmt(f),
            CaseError::Other(error) => error.fmt(f),
        }
    }
}

/// Runs all cases of the suite; see [`Promise`] for what is compared.
///
/// # Errors
/// The first case that fails, in words.
///
/// ```
/// use pgen_decode::testing::{Promise, conformance};
///
/// conformance(&pgen_decode::Exact::new(), Promise::Exact)?;
/// # Ok::<(), String>(())
/// ```
pub fn conformance(decoder: &dyn Decoder<BackoffModel>, promise: Promise) -> Result<(), String> {
    cases()
        .iter()
        .try_for_each(|case| case.check(decoder, promise))
}
