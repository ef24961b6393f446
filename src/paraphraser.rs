//! The five-minute door: a model, a sentence, its paraphrases.

use crate::answer::Answer;
use crate::applications::Goal;
use crate::article::WithArticles;
use crate::bundle::{Bundle, Language};
use crate::confidence::Confidence;
use crate::error::Result;
use crate::kinds;
use crate::options::Options;
use crate::search::View;
use crate::sentence;
use pgen_core::{
    Error as CoreError, Lattice, Limits, LogProb, ReplacementModel, Sentence, UsabilityModel,
    Weight,
};
use pgen_decode::{Decoder, Exact, Identity, LogLinear, Plan};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// Where replacements come from; shared between threads.
type Table = Box<dyn ReplacementModel + Send + Sync>;

/// What adds tags and dependencies to a sentence.
type Annotation = Box<dyn Fn(Sentence) -> Result<Sentence> + Send + Sync>;

/// Paraphrases sentences with one model. `&self`, `Send` and `Sync`: share it between threads.
pub struct Paraphraser {
    bundle: Bundle,
    tables: Vec<(String, Table)>,
    annotation: Option<Annotation>,
    /// Lower-cased name → its usual spelling.
    names: BTreeMap<String, String>,
    confidence: Confidence,
    exact: Exact,
}

impl fmt::Debug for Paraphraser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables: Vec<&str> = self.tables.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Paraphraser")
            .field("tables", &tables)
            .field("weights", &self.bundle.weights)
            .field("confidence", &self.confidence)
            .finish_non_exhaustive()
    }
}

/// Parts of one request that stand in for the usual ones.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct Seams<'a> {
    /// Searches in place of the decoder that the options name.
    pub decoder: Option<&'a (dyn Decoder<Language> + Sync)>,
    /// Judges replacements in place of the application's test; the final text is not tested.
    pub usability: Option<&'a (dyn UsabilityModel + Sync)>,
}

impl fmt::Debug for Seams<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seams")
            .field("decoder", &self.decoder.is_some())
            .field("usability", &self.usability.is_some())
            .finish()
    }
}

impl<'a> Seams<'a> {
    /// Searches by this decoder.
    #[must_use]
    pub fn with_decoder(mut self, decoder: &'a (dyn Decoder<Language> + Sync)) -> Self {
        self.decoder = Some(decoder);
        self
    }

    /// Judges replacements by this model.
    #[must_use]
    pub fn with_usability(mut self, usability: &'a (dyn UsabilityModel + Sync)) -> Self {
        self.usability = Some(usability);
        self
    }
}

/// A sentence read and planned.
pub(crate) struct Planned<'a> {
    pub(crate) sentence: Sentence,
    pub(crate) lattice: Lattice,
    pub(crate) model: LogLinear<'a, Language>,
    pub(crate) goal: Goal<'a>,
    /// True unless a bound left replacements out of the lattice.
    pub(crate) complete: bool,
}

impl Paraphraser {
    /// With the embedded English model.
    ///
    /// # Errors
    /// None, unless the program was damaged.
    #[cfg(feature = "english")]
    pub fn english() -> Result<Self> {
        Ok(Self::new(crate::english::bundle()?))
    }

    /// With a model file made by [`train`](crate::train::train).
    ///
    /// # Errors
    /// As [`Bundle::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Ok(Self::new(Bundle::open(path.as_ref(), &Limits::default())?))
    }

    /// With a model in memory.
    #[must_use]
    pub fn new(mut bundle: Bundle) -> Self {
        let tables = std::mem::take(&mut bundle.tables).into_iter();
        let tables = tables
            .map(|(name, table)| {
                let model = kinds::model_of(&name, table, &bundle.vocab);
                (name, model)
            })
            .collect();
        let names = bundle
            .names
            .iter()
            .map(|name| (name.to_lowercase(), name.clone()))
            .collect();
        Paraphraser {
            confidence: Confidence::from_weights(&bundle.weights).unwrap_or_default(),
            bundle,
            tables,
            annotation: None,
            names,
            exact: Exact::new(),
        }
    }

    /// Adds a source of replacements: rules of your own, a thesaurus, another table. Its features are
    /// named `NAME` or `NAME.FEATURE` and weigh what the bundle's weights say, 1 otherwise.
    #[must_use]
    pub fn with_replacements(
        mut self,
        name: impl Into<String>,
        model: impl ReplacementModel + Send + Sync + 'static,
    ) -> Self {
        self.tables
            .push((name.into(), Box::new(WithArticles(model))));
        self
    }

    /// Adds tags and dependencies to every sentence by `annotate`, for tables of patterns and
    /// collocations; without them such tables match nothing. [`Annotator`](crate::annotate::Annotator)
    /// (feature `annotate`) makes them, or any tool of your own.
    #[must_use]
    pub fn with_annotation(
        mut self,
        annotate: impl Fn(Sentence) -> Result<Sentence> + Send + Sync + 'static,
    ) -> Self {
        self.annotation = Some(Box::new(annotate));
        self
    }

    /// Sets the weight of a feature: `language`, `TABLE.FEATURE`, `usability`.
    #[must_use]
    pub fn with_weight(mut self, feature: impl Into<String>, weight: Weight) -> Self {
        self.bundle.weights.insert(feature.into(), weight);
        self
    }

    /// Sets what confidence rests on.
    #[must_use]
    pub fn with_confidence(mut self, confidence: Confidence) -> Self {
        self.confidence = confidence;
        self
    }

    /// The model. Its tables are held apart and not listed.
    #[must_use]
    pub fn bundle(&self) -> &Bundle {
        &self.bundle
    }

    /// What confidence rests on.
    #[must_use]
    pub fn confidence(&self) -> &Confidence {
        &self.confidence
    }

    /// The best `n` paraphrases of a sentence.
    ///
    /// # Errors
    /// As [`Paraphraser::answer`].
    pub fn paraphrase(&self, text: &str, n: usize) -> Result<Answer> {
        self.answer(text, &Options::best(n))
    }

    /// Paraphrases of a sentence: distinct texts, none of them the sentence itself unless asked for, best
    /// first. Text without words has none.
    ///
    /// # Errors
    /// [`LimitExceeded`](pgen_core::Error::LimitExceeded) for text beyond `options.limits`;
    /// [`BadSpan`](pgen_core::Error::BadSpan) for a protected span outside the text; what the decoder
    /// says.
    pub fn answer(&self, text: &str, options: &Options) -> Result<Answer> {
        self.answer_with(text, options, Seams::default())
    }

    /// As [`Paraphraser::answer`], with parts of your own.
    ///
    /// # Errors
    /// As [`Paraphraser::answer`].
    pub fn answer_with(&self, text: &str, options: &Options, seams: Seams<'_>) -> Result<Answer> {
        let planned = self.plan(text, options, seams)?;
        View::new(self, &planned, options, seams.decoder)?.search()
    }

    /// Reads a sentence and plans what may become of it.
    pub(crate) fn plan<'a>(
        &'a self,
        text: &str,
        options: &Options,
        seams: Seams<'a>,
    ) -> Result<Planned<'a>> {
        let mut sentence = sentence::read(text, &self.bundle.vocab, options)?;
        if let Some(annotate) = self.annotation.as_ref().filter(|_| !sentence.is_empty()) {
            sentence = annotate(sentence)?;
        }
        let goal = match seams.usability {
            Some(usability) => Goal::Custom(usability),
            None => Goal::new(&options.application, &self.bundle, &options.limits)?,
        };
        let mut plan =
            Plan::new(options.limits.clone()).with_identity(Identity::Always(LogProb::ONE));
        for (name, table) in &self.tables {
            plan = plan.with_table(name.clone(), &**table);
        }
        let (planned, model) = {
            if let Some(usability) = goal.usability() {
                plan = plan.with_usability(usability);
            }
            (plan.build(&sentence)?, self.model(&plan, &goal)?)
        };
        Ok(Planned {
            sentence,
            complete: planned.report.is_complete(),
            lattice: planned.lattice,
            model,
            goal,
        })
    }

    fn model(&self, plan: &Plan<'_>, goal: &Goal<'_>) -> Result<LogLinear<'_, Language>> {
        let usability = goal.usability_weight()?;
        let weight = |name: &str| {
            let own = self.bundle.weights.get(name).copied();
            own.or((name == "usability").then_some(usability))
        };
        let weights: Vec<Weight> = plan
            .features()
            .names()
            .iter()
            .map(|name| weight(name).unwrap_or(Weight::ONE))
            .collect();
        let language = weight("language").unwrap_or(Weight::ONE);
        Ok(LogLinear::new(&self.bundle.language)
            .with_weights(weights)?
            .with_language_weight(language)?)
    }

    pub(crate) fn exact(&self) -> &Exact {
        &self.exact
    }

    pub(crate) fn proper(&self, word: &str) -> Option<String> {
        self.names.get(word).cloned()
    }

    pub(crate) fn table_name(&self, at: usize) -> &str {
        self.tables.get(at).map_or("", |(name, _)| name)
    }
}

/// Spans of a request must lie within its text, and what it asks for must mean something.
pub(crate) fn check(options: &Options, length: usize) -> Result<()> {
    if !(0.0..=1.0).contains(&options.min_confidence) {
        return Err(CoreError::BadParameter {
            name: "min_confidence",
            value: options.min_confidence.to_string().into(),
            expected: "from 0 to 1",
        }
        .into());
    }
    let bounds = &options.diversity;
    for (name, least, most) in [
        ("max_change", bounds.min_change, bounds.max_change),
        ("max_edits", bounds.min_edits, bounds.max_edits),
        ("same", 1, bounds.same),
    ] {
        if most < least {
            return Err(CoreError::BadParameter {
                name,
                value: most.to_string().into(),
                expected: "at least as much as is asked for: nothing could be listed",
            }
            .into());
        }
    }
    for (name, phrases) in [("forbid", &options.forbid), ("force", &options.force)] {
        if let Some(phrase) = phrases.iter().find(|phrase| phrase.trim().is_empty()) {
            return Err(CoreError::BadParameter {
                name,
                value: format!("{phrase:?}").into(),
                expected: "a phrase of a word or more",
            }
            .into());
        }
    }
    match options
        .change
        .iter()
        .find(|span| span.end() as usize > length)
    {
        None => Ok(()),
        Some(span) => Err(CoreError::BadSpan {
            place: pgen_core::Place::default(),
            what: "byte span to be changed",
            start: span.start().into(),
            end: span.end().into(),
            length: length as u64,
        }
        .into()),
    }
}
