//! Applications by name, as usability models.

use super::resources::Loaded;
use crate::failure::{Failure, Result};
use clap::{Args, ValueEnum};
use pgen::Language;
use pgen::core::text::{normalize, tokenize};
use pgen::core::{Limits, Lines, Replacement, UsabilityModel};
use pgen::decode::applications::{
    ApprovedWords, Compression, InContext, Similarity, Simplification,
};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What paraphrases are for.
#[derive(Debug, Args)]
pub(super) struct GoalArgs {
    /// What the paraphrases are for.
    #[arg(long, value_enum, default_value_t = Purpose::None)]
    pub(super) application: Purpose,
    /// Approved words, one a line, for --application approved; a line of several tokens (`doesn't`)
    /// approves each of them.
    #[arg(long, value_name = "FILE", required_if_eq("application", "approved"))]
    words: Option<PathBuf>,
    /// Similarity: drop replacements that bring in more words which the reference lacks than they take away.
    #[arg(long)]
    strict: bool,
    /// Drop replacements that the language model finds less likely in their place by more than this
    /// (natural log).
    #[arg(long, value_name = "NATS")]
    most_lost: Option<f64>,
}

/// Applications of Zhao et al. 2009, and one of one's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Purpose {
    /// Nothing in particular: every replacement is planned.
    None,
    /// Fewer bytes.
    Compression,
    /// Words that the language model finds easier.
    Simplification,
    /// More words in common with the reference.
    Similarity,
    /// Fewer words that are not in a list: a controlled language.
    Approved,
}

/// What is the same for all sentences.
pub(super) struct GoalMaker {
    pub(super) purpose: Purpose,
    approved: ApprovedWords,
    strict: bool,
    most_lost: Option<f64>,
}

/// An application made ready for a sentence.
pub(super) enum Goal<'a> {
    None,
    Plain(Application<'a>),
    InContext(InContext<Application<'a>, &'a Language>),
}

/// What a replacement gains.
pub(super) enum Application<'a> {
    Anything,
    Compression,
    Simplification(Simplification<&'a Language>),
    Similarity(Similarity),
    Approved(&'a ApprovedWords),
}

impl UsabilityModel for Application<'_> {
    fn gain(&self, replacement: &Replacement<'_>) -> Option<f64> {
        match self {
            Application::Anything => Some(0.0),
            Application::Compression => Compression.gain(replacement),
            Application::Simplification(model) => model.gain(replacement),
            Application::Similarity(model) => model.gain(replacement),
            Application::Approved(model) => model.gain(replacement),
        }
    }
}

impl GoalArgs {
    /// Reads what the application needs.
    pub(super) fn load(&self) -> Result<GoalMaker> {
        if self.strict && self.application != Purpose::Similarity {
            return Err(Failure::usage("--strict needs --application similarity"));
        }
        if self.words.is_some() && self.application != Purpose::Approved {
            return Err(Failure::usage("--words needs --application approved"));
        }
        if self
            .most_lost
            .is_some_and(|most| most.is_nan() || most < 0.0)
        {
            return Err(Failure::usage("--most-lost must be 0 or more"));
        }
        let mut words = BTreeSet::new();
        if let Some(path) = &self.words {
            let limits = Limits::default();
            let mut lines = Lines::open(path, &limits)?;
            while let Some((_, line)) = lines.next_line()? {
                approve(line, &limits, &mut words).map_err(|failure| failure.at(lines.place()))?;
            }
            if words.is_empty() {
                let message = format_args!("{}: no words", path.display());
                return Err(Failure::input("empty", message));
            }
        }
        Ok(GoalMaker {
            purpose: self.application,
            approved: ApprovedWords::new(words),
            strict: self.strict,
            most_lost: self.most_lost,
        })
    }
}

/// Adds the words of a line as sentences have them, and the line itself, for annotators that split less.
fn approve(line: &str, limits: &Limits, words: &mut BTreeSet<String>) -> Result<()> {
    for token in tokenize(line, limits)? {
        let surface = line.get(token.bytes.range()).unwrap_or("");
        words.insert(normalize(surface, token.kind, true).into_owned());
    }
    words.insert(line.trim().to_lowercase());
    words.remove("");
    Ok(())
}

impl GoalMaker {
    /// How many words of a text are not approved.
    pub(super) fn unapproved(&self, text: &str) -> usize {
        self.approved.unapproved(text.split(' '))
    }

    /// The application for a sentence; `reference` are words as models see them.
    pub(super) fn goal<'a>(&'a self, loaded: &'a Loaded, reference: &[String]) -> Result<Goal<'a>> {
        let application = match self.purpose {
            Purpose::None if self.most_lost.is_none() => return Ok(Goal::None),
            Purpose::None => Application::Anything,
            Purpose::Compression => Application::Compression,
            Purpose::Simplification => {
                Application::Simplification(Simplification::by(&loaded.language))
            }
            Purpose::Similarity => {
                let model = Similarity::to(reference.iter().cloned()).map_err(pgen::Error::from)?;
                Application::Similarity(if self.strict { model.strict() } else { model })
            }
            Purpose::Approved => Application::Approved(&self.approved),
        };
        Ok(match self.most_lost {
            None => Goal::Plain(application),
            Some(most) => Goal::InContext(InContext::new(application, &loaded.language, most)),
        })
    }
}

impl Goal<'_> {
    pub(super) fn usability(&self) -> Option<&(dyn UsabilityModel + Sync)> {
        match self {
            Goal::None => None,
            Goal::Plain(model) => Some(model),
            Goal::InContext(model) => Some(model),
        }
    }
}
