//! Why a list is shorter than asked.

use std::collections::BTreeMap;

/// Why fewer paraphrases are listed than were asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Shortage {
    /// How many were asked for.
    pub asked: usize,
    /// How many are listed.
    pub found: usize,
    /// What ended the list.
    pub because: Because,
    /// How many texts of the last search each rule of the request kept out.
    pub kept_out: BTreeMap<Rule, usize>,
}

/// What ended a list early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Because {
    /// The text has no words.
    NoWords,
    /// The tables hold no replacement for any part of the sentence that may change.
    NoReplacement,
    /// Every text that the tables can write was seen.
    Exhausted,
    /// A limit or deadline ended the search.
    Budget,
    /// The first texts, up to the depth that is searched, break rules of the request.
    Depth,
}

/// A rule of the request that keeps texts out of the list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Rule {
    /// A protected token or a digit would change.
    Protected,
    /// The application is not achieved by the final text.
    Application,
    /// A word would stand twice in a row that did not before.
    DoubledWord,
    /// The text is the source, or a listed one, with other blanks or hyphens.
    Spelling,
    /// It brings in a forbidden phrase, or one that the register avoids.
    Forbidden,
    /// It lacks a phrase that every paraphrase must have.
    Forced,
    /// A span that every paraphrase must change is unchanged.
    Unchanged,
    /// Too few or too many words or replacements change.
    Change,
    /// It is too much like better ones ([`Distinct`](crate::Distinct)).
    Alike,
    /// Its confidence is too low.
    Confidence,
}
