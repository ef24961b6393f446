//! Acquisition of paraphrase patterns: aligned subtrees of annotated pairs, generalised to slots, and
//! pivoting over patterns of another language (Zhao et al. 2009, §3.1; Zhao et al. 2008).
//!
//! A stretch of an annotated sentence that hangs together (one word of it has its head outside), with a
//! stretch of the other sentence that it is aligned with, becomes a pair of patterns: one or two
//! constituents inside become slots `[TAG_n]`, the other words stay. Pairs are counted and scored by
//! [`RuleCounts`].

mod annotation;
mod english;
mod extract;
mod params;
mod rules;

pub use annotation::Annotation;
pub use extract::for_each_pattern;
pub use params::PatternParams;
pub use rules::{AcquiredRule, RuleCounts, RuleParams};

#[cfg(test)]
mod tests;
