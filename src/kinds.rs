//! Kinds of tables in a bundle: the name says which.

use crate::article::WithArticles;
use crate::bundle::Bundle;
use crate::error::Result;
use pgen_core::formats::rules::{load_collocations, load_patterns};
use pgen_core::formats::{TableOptions, load_table};
use pgen_core::{
    CollocationTable, Limits, Lines, ParaphraseTable, PatternTable, ReplacementModel, Slot, Vocab,
    check_collocation,
};
use std::path::Path;
use std::sync::Arc;

/// Lines looked at to tell what a table holds.
const LOOKED_AT: usize = 1000;

/// What a table holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Phrases,
    Patterns,
    Collocations,
}

impl Kind {
    /// What the names of such tables begin with.
    fn name(self) -> &'static str {
        match self {
            Kind::Phrases => "rules",
            Kind::Patterns => "patterns",
            Kind::Collocations => "collocations",
        }
    }

    /// By content: slots make patterns, three words with the same capitals in the middle collocations.
    fn of_file(path: &Path, limits: &Limits) -> Result<Self> {
        let mut lines = Lines::open(path, limits)?;
        let (mut rows, mut pairs) = (0, 0);
        for _ in 0..LOOKED_AT {
            // A binary table is no text; it holds phrases.
            let Ok(Some((_, line))) = lines.next_line() else {
                break;
            };
            let mut fields = line.split(" ||| ").map(str::trim);
            let (Some(source), Some(target)) = (fields.next(), fields.next()) else {
                continue;
            };
            if source.split(' ').any(|word| Slot::parse(word).is_some()) {
                return Ok(Kind::Patterns);
            }
            rows += 1;
            let relation = source.split(' ').nth(1).unwrap_or("");
            let capitals = relation.bytes().all(|byte| byte.is_ascii_uppercase());
            pairs += usize::from(capitals && check_collocation(source, target).is_ok());
        }
        Ok(if rows > 0 && pairs == rows {
            Kind::Collocations
        } else {
            Kind::Phrases
        })
    }
}

impl Bundle {
    /// The embedded English model.
    ///
    /// # Errors
    /// None, unless the program was damaged.
    #[cfg(feature = "english")]
    pub fn english() -> Result<Self> {
        crate::english::bundle()
    }

    /// Adds a table from a file: phrases in any format, patterns with slots or collocations as
    /// `pgen patterns` and `pgen collocations` write them, told apart by content. It is named `rules`,
    /// `patterns` or `collocations`, with a number if that name is taken; the names of patterns and
    /// collocations in a bundle begin so. Its one feature weighs what `weight` says.
    ///
    /// # Errors
    /// What the reader says.
    pub fn add_table(
        &mut self,
        path: &Path,
        weight: pgen_core::Weight,
        limits: &Limits,
    ) -> Result<String> {
        let kind = Kind::of_file(path, limits)?;
        let vocab = Arc::make_mut(&mut self.vocab);
        let mut options = TableOptions::default();
        options.limits = limits.clone();
        let table = match kind {
            Kind::Phrases => load_table(path, vocab, &options)?.0,
            Kind::Patterns => load_patterns(&mut Lines::open(path, limits)?, vocab, &options)?
                .0
                .table()
                .clone(),
            Kind::Collocations => {
                load_collocations(&mut Lines::open(path, limits)?, vocab, &options)?
                    .0
                    .table()
                    .clone()
            }
        };
        let taken = |name: &str| self.tables.iter().any(|(known, _)| known == name);
        let mut name = kind.name().to_owned();
        let mut number = 1;
        while taken(&name) {
            number += 1;
            name = format!("{}{number}", kind.name());
        }
        self.weights.insert(name.clone(), weight);
        self.tables.push((name.clone(), table));
        Ok(name)
    }
}

/// A table as what its name says: `patterns…` holds patterns with slots, `collocations…` pairs of words
/// in a relation, any other name phrases. A table that is not what its name says holds phrases.
pub(crate) fn model_of(
    name: &str,
    table: ParaphraseTable,
    vocab: &Vocab,
) -> Box<dyn ReplacementModel + Send + Sync> {
    let mut table = table;
    if name.starts_with("patterns") {
        match PatternTable::new_or_table(table, vocab) {
            Ok(patterns) => return Box::new(WithArticles(patterns)),
            Err((back, _)) => table = back,
        }
    }
    if name.starts_with("collocations") {
        match CollocationTable::new_or_table(table, vocab) {
            Ok(collocations) => return Box::new(WithArticles(collocations)),
            Err((back, _)) => table = back,
        }
    }
    Box::new(WithArticles(table))
}
