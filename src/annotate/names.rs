//! Names of tags and relations as small numbers.

use pgen_core::{Limits, Result};
use std::collections::BTreeSet;

/// Most different tags or relations.
const MOST: usize = 250;

/// Names in ascending order, numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names(Vec<String>);

impl Names {
    /// All different names.
    ///
    /// # Errors
    /// [`pgen_core::Error::LimitExceeded`] for more than 250.
    pub(crate) fn collect<'a>(names: impl Iterator<Item = &'a str>) -> Result<Self> {
        let names: BTreeSet<&str> = names.collect();
        Limits::check("number of different tags or relations", names.len(), MOST)?;
        Ok(Names(names.into_iter().map(str::to_owned).collect()))
    }

    /// Names in ascending order; `None` if they are not, or too many.
    pub(crate) fn new(names: Vec<String>) -> Option<Self> {
        let ascending = names.windows(2).all(|w| w[0] < w[1]);
        (ascending && names.len() <= MOST).then_some(Names(names))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn id(&self, name: &str) -> Option<u8> {
        let at = self
            .0
            .binary_search_by(|known| known.as_str().cmp(name))
            .ok()?;
        u8::try_from(at).ok()
    }

    /// The name of a number; `_` for a number without one.
    pub(crate) fn name(&self, id: u8) -> &str {
        self.0.get(usize::from(id)).map_or("_", String::as_str)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}
