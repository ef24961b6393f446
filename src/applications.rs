//! The applications of a request: what replacements gain, and whether a text achieves the goal.

use crate::bundle::{Bundle, Language};
use crate::error::Result;
use crate::options::Application;
use pgen_core::text::{normalize, tokenize};
use pgen_core::{Limits, UsabilityModel, Weight};
use pgen_decode::applications::{Compression, Similarity, Simplification};

/// An application made ready for one request.
pub(crate) enum Goal<'a> {
    None,
    /// A test of the caller's.
    Custom(&'a (dyn UsabilityModel + Sync)),
    Compression(Compression),
    Simplification(Simplification<&'a Language>),
    /// Planning works on tokens, the test of the final text on bags of `\w+`.
    Similarity {
        planning: Similarity,
        text: Similarity,
    },
}

impl<'a> Goal<'a> {
    pub(crate) fn new(
        application: &Application,
        bundle: &'a Bundle,
        limits: &Limits,
    ) -> Result<Self> {
        Ok(match application {
            Application::None => Goal::None,
            Application::Compression => Goal::Compression(Compression),
            Application::Simplification => {
                Goal::Simplification(Simplification::by(&bundle.language))
            }
            Application::Similarity { reference } => {
                let tokens = tokenize(reference, limits)?.into_iter().map(|token| {
                    let surface = reference.get(token.bytes.range()).unwrap_or("");
                    normalize(surface, token.kind, true).into_owned()
                });
                Goal::Similarity {
                    planning: Similarity::to(tokens)?,
                    text: Similarity::to(bag(reference))?,
                }
            }
        })
    }

    /// The planning test, if the application has one.
    pub(crate) fn usability(&self) -> Option<&(dyn UsabilityModel + Sync)> {
        match self {
            Goal::None => None,
            Goal::Custom(model) => Some(*model),
            Goal::Compression(model) => Some(model),
            Goal::Simplification(model) => Some(model),
            Goal::Similarity { planning, .. } => Some(planning),
        }
    }

    /// What a unit of gain weighs where the model does not say. Compression gains bytes, and a byte must
    /// not outweigh a doubt: at 1 a reader accepted 40 % of the first answers.
    pub(crate) fn usability_weight(&self) -> Result<Weight> {
        Ok(match self {
            Goal::Compression(_) => Weight::new(0.1)?,
            _ => Weight::ONE,
        })
    }

    /// True if the final text achieves the application; `changed` tells whether a planned replacement
    /// was made.
    pub(crate) fn is_achieved(&self, source: &str, text: &str, changed: bool) -> bool {
        match self {
            Goal::None | Goal::Custom(_) => true,
            Goal::Compression(_) => text.len() < source.len(),
            Goal::Simplification(_) => changed,
            Goal::Similarity { text: model, .. } => {
                let overlap = |text: &str| model.overlap(bag(text).iter().map(String::as_str));
                overlap(text) > overlap(source)
            }
        }
    }
}

/// Lower-cased runs of letters, digits and underscores.
fn bag(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}
