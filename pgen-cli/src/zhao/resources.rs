//! Tables of all kinds and a language model, ready to plan with.

use super::morphology::MorphologyArgs;
use crate::failure::{Failure, Result};
use clap::{Args, ValueEnum};
use pgen::article::WithArticles;
use pgen::core::formats::conll::ConllSentence;
use pgen::core::formats::rules::{load_collocations, load_patterns};
use pgen::core::formats::{TableOptions, load_table};
use pgen::core::text::TextOptions;
use pgen::core::{
    Limits, Lines, LogProb, MatchParams, ParaphraseTable, ReplacementModel, Sentence, SlotBound,
    TableBuilder, UsabilityModel, Vocab, Weight,
};
use pgen::decode::{Identity, LogLinear, Plan};
use pgen::{Bundle, Language};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Which tables, and how much they weigh.
#[derive(Debug, Args)]
pub(super) struct Resources {
    /// A model of `pgen train`: vocabulary and language model; its phrase table becomes a table for each
    /// way its rows were found (pivot, pairs, lexicon, synonyms).
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// Leave out phrases of the model that are less probable: fewer replacements, more of them right.
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.0,
        hide_default_value = true
    )]
    min_probability: f64,
    /// Use no phrases of the model.
    #[arg(long, conflicts_with = "min_probability")]
    no_model_phrases: bool,
    /// Tables of phrases, any format.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    phrases: Vec<PathBuf>,
    /// Tables of patterns, as `pgen patterns` writes them.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    patterns: Vec<PathBuf>,
    /// Tables of collocations, as `pgen collocations` writes them.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    collocations: Vec<PathBuf>,
    #[command(flatten)]
    morphology: MorphologyArgs,
    /// Only these tables, by name.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    only: Vec<String>,
    /// What may fill a slot.
    #[arg(long, value_enum, default_value_t = Slots::Maximal)]
    slots: Slots,
    /// Weights by name: the tables, identity, usability, language; or a file of `pgen tune` [default: 1].
    #[arg(
        long,
        value_name = "K=V,…|FILE",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    weights: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Slots {
    /// The longest match of each pattern.
    Maximal,
    /// Every match.
    All,
    /// Single words.
    Word,
}

/// Kinds of tables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Phrases,
    Patterns,
    Collocations,
}

/// What the files hold.
pub(super) struct Loaded {
    pub(super) vocab: Arc<Vocab>,
    pub(super) language: Language,
    pub(super) tables: Vec<(String, Kind, Box<dyn ReplacementModel + Sync>)>,
    pub(super) weights: BTreeMap<String, f64>,
}

impl Resources {
    pub(super) fn load(&self) -> Result<Loaded> {
        let limits = Limits::default();
        let bundle = Bundle::open(&self.model, &limits)?;
        if !(0.0..=1.0).contains(&self.min_probability) {
            return Err(Failure::usage("--min-probability must be from 0 to 1"));
        }
        let mut vocab = Vocab::clone(&bundle.vocab);
        let mut tables: Vec<(String, Kind, Box<dyn ReplacementModel + Sync>)> = Vec::new();
        if !self.no_model_phrases {
            for (_, table) in &bundle.tables {
                for (name, part) in by_origin(table, &bundle.vocab, self.min_probability)? {
                    tables.push((name, Kind::Phrases, Box::new(WithArticles(part))));
                }
            }
        }
        let options = TableOptions::default();
        let named = |kind: &str, at: usize, of: usize| match of {
            1 => kind.to_owned(),
            _ => format!("{kind}{}", at + 1),
        };
        for (at, path) in self.phrases.iter().enumerate() {
            let table = load_table(path, &mut vocab, &options)?.0;
            let name = named("phrases", at, self.phrases.len());
            tables.push((name, Kind::Phrases, Box::new(WithArticles(table))));
        }
        let mut params = MatchParams::default();
        params.bound = match self.slots {
            Slots::Maximal => SlotBound::Maximal,
            Slots::All => SlotBound::All,
            Slots::Word => SlotBound::Word,
        };
        for (at, path) in self.patterns.iter().enumerate() {
            let mut lines = Lines::open(path, &limits)?;
            let table = load_patterns(&mut lines, &mut vocab, &options)?.0;
            let name = named("patterns", at, self.patterns.len());
            tables.push((
                name,
                Kind::Patterns,
                Box::new(WithArticles(table.with_params(params.clone()))),
            ));
        }
        let morphology = self.morphology.load()?;
        for (at, path) in self.collocations.iter().enumerate() {
            let mut lines = Lines::open(path, &limits)?;
            let mut table = load_collocations(&mut lines, &mut vocab, &options)?.0;
            if let Some(morphology) = &morphology {
                table = table.with_morphology(morphology.clone());
            }
            let name = named("collocations", at, self.collocations.len());
            tables.push((name, Kind::Collocations, Box::new(WithArticles(table))));
        }
        if !self.only.is_empty() {
            tables.retain(|(name, ..)| self.only.contains(name));
        }
        let weights = self.weights()?;
        let loaded = Loaded {
            vocab: Arc::new(vocab),
            language: bundle.language,
            tables,
            weights,
        };
        self.check_names(&loaded)?;
        Ok(loaded)
    }

    /// Names on the command line must mean something; a file of weights may know more tables.
    fn check_names(&self, loaded: &Loaded) -> Result<()> {
        for name in &self.only {
            if !loaded.tables.iter().any(|(known, ..)| known == name) {
                let message = format_args!("--only: there is no table `{name}`");
                return Err(Failure::usage(message));
            }
        }
        let plan = loaded.plan(None);
        let features = plan.features().names();
        let named = self.weights.iter().filter_map(|text| text.split_once('='));
        for name in named.map(|(name, _)| name.trim()) {
            let known = ["usability", "language"].contains(&name);
            if !known && !features.iter().any(|feature| feature == name) {
                return Err(Failure::usage(format_args!(
                    "--weights: there is no `{name}`; known are {}, usability, language",
                    features.join(", ")
                )));
            }
        }
        Ok(())
    }

    fn weights(&self) -> Result<BTreeMap<String, f64>> {
        let mut weights = BTreeMap::new();
        for text in &self.weights {
            let usage = || {
                Failure::usage(format_args!(
                    "--weights: `{text}` is no NAME=NUMBER and no file"
                ))
            };
            if let Some((name, value)) = text.split_once('=') {
                let value: f64 = value.trim().parse().map_err(|_| usage())?;
                weights.insert(name.trim().to_owned(), Weight::new(value)?.get());
                continue;
            }
            let mut lines = Lines::open(std::path::Path::new(text), &Limits::default())?;
            let mut json = String::new();
            while let Some((_, line)) = lines.next_line()? {
                json.push_str(line);
            }
            let found: serde_json::Value = serde_json::from_str(&json).map_err(|_| usage())?;
            let found = found["weights"].as_object().ok_or_else(usage)?;
            for (name, value) in found {
                weights.insert(name.clone(), value.as_f64().ok_or_else(usage)?);
            }
        }
        Ok(weights)
    }
}

/// Ways in which rows of a model's table were found, and the features that tell.
const ORIGINS: [(&str, &[&str]); 4] = [
    ("pivot", &["pivot"]),
    ("pairs", &["pairs"]),
    ("lexicon", &["lexicon"]),
    ("synonyms", &["thesaurus", "synonyms"]),
];

/// The rows of a model's table by how they were found, those found in several ways in several tables. Each
/// has the probability that it is right, where the model knows of judged rows; else the probability found
/// that way, without votes of synonyms.
fn by_origin(
    table: &ParaphraseTable,
    vocab: &Vocab,
    min_probability: f64,
) -> Result<Vec<(String, ParaphraseTable)>> {
    // Rows that were not found in a way carry the floor of that probability; votes count from 0.
    let floor = (pgen::train::pool::FLOOR.ln() + 1e-3) as f32;
    let place = |name: &str| table.features().iter().position(|known| known == name);
    let mut judged = false;
    let reliability = place("reliability");
    table.for_each(|_, rule| judged |= reliability.is_some_and(|at| rule.values[at] != 0.0));
    let reliability = reliability.filter(|_| judged);
    let mut parts = Vec::new();
    for (origin, features) in ORIGINS {
        let found: Vec<usize> = features.iter().filter_map(|name| place(name)).collect();
        let probability = matches!(origin, "pivot" | "pairs");
        if found.is_empty() || (reliability.is_none() && !probability) {
            continue;
        }
        let least = if probability { floor } else { 0.0 };
        let mut builder = TableBuilder::new(["p"]);
        let mut failure = None;
        table.for_each(|source, rule| {
            let value =
                reliability.map_or(rule.values[found[0]], |at| ln_odds_to_ln_p(rule.values[at]));
            let is_there = found.iter().any(|&at| rule.values[at] > least)
                && f64::from(value) >= min_probability.ln();
            if is_there && !rule.target.is_empty() && failure.is_none() {
                failure = builder.push(source, rule.target, &[value]).err();
            }
        });
        if let Some(error) = failure {
            return Err(error.into());
        }
        parts.push((origin.to_owned(), builder.build(vocab)?));
    }
    Ok(parts)
}

/// ln p of the logarithm of the odds.
fn ln_odds_to_ln_p(odds: f32) -> f32 {
    -(-odds).exp().ln_1p()
}

impl Loaded {
    /// Zhao's plan: every word may stay at −1.
    pub(super) fn plan<'a>(
        &'a self,
        usability: Option<&'a (dyn UsabilityModel + Sync)>,
    ) -> Plan<'a> {
        let mut plan =
            Plan::new(Limits::default()).with_identity(Identity::Always(LogProb::from_ln(-1.0)));
        for (name, _, table) in &self.tables {
            plan = plan.with_table(name.clone(), &**table);
        }
        match usability {
            Some(model) => plan.with_usability(model),
            None => plan,
        }
    }

    /// The weights of a plan's features, then of the language model.
    pub(super) fn weight_vector(&self, plan: &Plan<'_>) -> Vec<f64> {
        let weight = |name: &str| self.weights.get(name).copied().unwrap_or(1.0);
        let features = plan.features().names().iter().map(|name| weight(name));
        features.chain([weight("language")]).collect()
    }

    pub(super) fn scorer(&self, weights: &[f64]) -> Result<LogLinear<'_, Language>> {
        let (language, features) = weights
            .split_last()
            .map_or((1.0, &[][..]), |(l, f)| (*l, f));
        let features = features
            .iter()
            .map(|&w| Weight::new(w))
            .collect::<std::result::Result<Vec<_>, _>>()?;
        let model = LogLinear::new(&self.language)
            .with_weights(features)
            .map_err(pgen::Error::from)?;
        Ok(model
            .with_language_weight(Weight::new(language)?)
            .map_err(pgen::Error::from)?)
    }

    /// An annotated sentence; numbers, names and short quotations are protected.
    pub(super) fn sentence(&self, annotated: &ConllSentence) -> Result<Sentence> {
        let options = TextOptions::default();
        let mut sentence = annotated.to_sentence(&self.vocab, &options, &Limits::default())?;
        for span in pgen::guard::names(&sentence)
            .into_iter()
            .chain(pgen::guard::quotations(&sentence))
        {
            sentence.protect(span);
        }
        Ok(sentence)
    }

    pub(super) fn kind(&self, table: usize) -> Option<Kind> {
        self.tables.get(table).map(|(_, kind, _)| *kind)
    }
}
