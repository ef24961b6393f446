//! Training and test sentences.

use pgen_core::{Error, Limits, Lines, Place, Result};
use std::collections::BTreeMap;

/// A sentence with gold annotation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gold {
    /// The words as written.
    pub forms: Vec<String>,
    /// One tag a word.
    pub tags: Vec<String>,
    /// One head a word: the number of a word from 1, or 0 for a root.
    pub heads: Vec<u32>,
    /// One relation a word.
    pub relations: Vec<String>,
}

pub(crate) fn read(mut lines: Lines, limits: &Limits) -> Result<Vec<Gold>> {
    let mut out = Vec::new();
    let mut now = Gold::default();
    while let Some((number, line)) = lines.next_line()? {
        if line.is_empty() {
            if !now.forms.is_empty() {
                out.push(std::mem::take(&mut now));
            }
            continue;
        }
        if line.starts_with('#') {
            continue;
        }
        let f: Vec<&str> = line.split('\t').collect();
        if f.len() < 8 {
            return Err(Error::syntax(Place::line(number), "8 columns", line, ""));
        }
        if f[0].contains(['-', '.']) {
            continue;
        }
        now.forms.push(f[1].into());
        now.tags.push(f[4].into());
        now.heads.push(f[6].parse().unwrap_or(0));
        now.relations.push(f[7].into());
        Limits::check("tokens", now.forms.len(), limits.tokens)?;
    }
    if !now.forms.is_empty() {
        out.push(now);
    }
    Ok(out)
}

/// Names ↔ numbers below 255, ascending by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names(Vec<String>);

impl Names {
    pub(crate) fn collect<'a>(names: impl Iterator<Item = &'a String>) -> Result<Self> {
        let set: BTreeMap<&String, ()> = names.map(|n| (n, ())).collect();
        Limits::check("number of different tags or relations", set.len(), 254)?;
        Ok(Names(set.into_keys().cloned().collect()))
    }
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
    pub(crate) fn id(&self, name: &str) -> Option<u8> {
        self.0
            .binary_search_by(|n| n.as_str().cmp(name))
            .ok()
            .map(|i| i as u8)
    }
    pub(crate) fn name(&self, id: u8) -> &str {
        self.0.get(id as usize).map_or("_", |n| n)
    }
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}
