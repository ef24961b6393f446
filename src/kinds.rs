//! Kinds of tables in a bundle: the name says which.

use crate::article::WithArticles;
use pgen_core::{CollocationTable, ParaphraseTable, PatternTable, ReplacementModel, Vocab};

/// A table as what its name says: `patterns…` holds patterns with slots, `collocations…` pairs of words
/// in a relation, any other name phrases. A table that is not what its name says holds phrases.
pub(crate) fn model_of(
    name: &str,
    table: ParaphraseTable,
    vocab: &Vocab,
) -> Box<dyn ReplacementModel + Send + Sync> {
    if name.starts_with("patterns")
        && let Ok(patterns) = PatternTable::new(table.clone(), vocab)
    {
        return Box::new(patterns);
    }
    if name.starts_with("collocations")
        && let Ok(collocations) = CollocationTable::new(table.clone(), vocab)
    {
        return Box::new(collocations);
    }
    Box::new(WithArticles(table))
}
