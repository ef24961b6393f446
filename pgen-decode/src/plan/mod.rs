//! Planning: from a sentence and its replacement models to a word graph.
//!
//! Nodes are source positions; every usable replacement becomes a unit with an edge over its span
//! (Quirk et al. 2004, §3.4; Zhao et al. 2009, §3.2 and Fig. 2; Chevelu et al. 2010, §2). The graph
//! holds feature values, no weights. Patterns and collocations become ordinary nodes and edges too, so
//! that no decoder knows of slots or of words that change together.

mod build;
mod check;
mod choices;
mod expand;
mod open;
mod report;

pub use report::PlanReport;

use crate::error::Result;
use build::Build;
use pgen_core::{
    Certificate, FeatureSet, Lattice, Limits, LogProb, ReplacementModel, Sentence, UsabilityModel,
};
use std::fmt;
use std::sync::Arc;

/// How a word is left as it is, apart from what the tables say.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub enum Identity {
    /// Only if a table says so.
    #[default]
    Off,
    /// Every word, beside what the tables say, with this log probability: Quirk's uniform u, or Zhao's
    /// −1 a word.
    Always(LogProb),
    /// Words that no table maps to themselves: Chevelu's probability 1.
    WhereMissing(LogProb),
}

/// A recipe for lattices: which tables, how words are copied, what is of use.
///
/// Features are named after their table: `name` if the table has one feature, `name.feature` if it has
/// several; then `identity`, `unknown` and, with a usability model, `usability`.
///
/// | part | default |
/// |---|---|
/// | tables | none |
/// | identity | off |
/// | unknown penalty | none: a word without an entry is not copied |
/// | usability | none: every proposal is planned |
/// | expansion | 200,000 nodes before replacements within the fillers of slots are given up |
#[derive(Clone)]
pub struct Plan<'a> {
    tables: Vec<(String, &'a (dyn ReplacementModel + Sync))>,
    identity: Identity,
    unknown_penalty: Option<LogProb>,
    usability: Option<&'a (dyn UsabilityModel + Sync)>,
    limits: Limits,
    expansion: usize,
    features: Arc<FeatureSet>,
}

impl fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("features", &self.features.names())
            .field("identity", &self.identity)
            .field("unknown_penalty", &self.unknown_penalty)
            .field("usability", &self.usability.is_some())
            .finish_non_exhaustive()
    }
}

/// A lattice and what became of the proposals.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The word graph.
    pub lattice: Lattice,
    /// What was left out, by reason.
    pub report: PlanReport,
}

impl Planned {
    /// What a decoder's certificate is worth for the sentence: where bounds of matching or expansion
    /// left combinations out, a list that is exact for the lattice may miss better texts.
    #[must_use]
    pub fn certify(&self, found: Certificate) -> Certificate {
        if self.report.is_complete() {
            found
        } else {
            Certificate::Heuristic
        }
    }
}

impl<'a> Plan<'a> {
    /// A plan without tables.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let mut plan = Plan {
            tables: Vec::new(),
            identity: Identity::Off,
            unknown_penalty: None,
            usability: None,
            limits,
            expansion: 200_000,
            features: Arc::default(),
        };
        plan.name_features();
        plan
    }

    /// Adds a table; the first one added is table 0.
    #[must_use]
    pub fn with_table(
        mut self,
        name: impl Into<String>,
        table: &'a (dyn ReplacementModel + Sync),
    ) -> Self {
        self.tables.push((name.into(), table));
        self.name_features();
        self
    }

    /// Sets how words are copied.
    #[must_use]
    pub fn with_identity(mut self, identity: Identity) -> Self {
        self.identity = identity;
        self
    }

    /// Copies a word for which no table has an entry of its own, at this price.
    #[must_use]
    pub fn with_unknown_penalty(mut self, penalty: LogProb) -> Self {
        self.unknown_penalty = Some(penalty);
        self
    }

    /// Keeps only replacements of use, and adds what they gain as a feature.
    #[must_use]
    pub fn with_usability(mut self, usability: &'a (dyn UsabilityModel + Sync)) -> Self {
        self.usability = Some(usability);
        self.name_features();
        self
    }

    /// Sets how many nodes a lattice with slots may have before it is made again with replacements
    /// nested less deeply: 24 levels, then 8, 4, 2, 1, none. The report says so.
    #[must_use]
    pub fn with_expansion(mut self, nodes: usize) -> Self {
        self.expansion = nodes;
        self
    }

    fn name_features(&mut self) {
        let mut names = Vec::new();
        for (name, table) in &self.tables {
            match table.features() {
                [_] => names.push(name.clone()),
                features => names.extend(features.iter().map(|f| format!("{name}.{f}"))),
            }
        }
        names.extend(["identity".to_owned(), "unknown".to_owned()]);
        if self.usability.is_some() {
            names.push("usability".to_owned());
        }
        self.features = Arc::new(FeatureSet::new(names));
    }

    /// The features of every lattice of this plan.
    #[must_use]
    pub fn features(&self) -> &Arc<FeatureSet> {
        &self.features
    }

    /// Plans a sentence. Protected tokens are copied and nothing else.
    ///
    /// O(proposals) without slots and collocations; with them also O(nodes + edges) of the expanded
    /// graph. Text in a proposal joins the lattice's lexicon, not the sentence's.
    ///
    /// # Errors
    /// `unreachable` if no chain of replacements covers the sentence; `limit-exceeded` for too many
    /// nodes or edges.
    pub fn build(&self, sentence: &Sentence) -> Result<Planned> {
        Build::new(self, sentence).run()
    }
}
