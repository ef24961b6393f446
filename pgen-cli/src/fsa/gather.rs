//! Groups put together, and remarks on how they stand in the input.

use super::source::{Source, is_of_one};
use crate::failure::Failure;
use crate::output::message;
use pgen::core::Place;
use pgen::fsa::{Group, GroupReader};
use std::collections::{BTreeMap, BTreeSet};

/// All groups, those of one name put together; what cannot be read stays in its place.
pub(crate) fn gather(reader: &mut GroupReader) -> Vec<pgen::fsa::Result<Group>> {
    let mut all: Vec<pgen::fsa::Result<Group>> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    while let Some(read) = reader.next_group().transpose() {
        let Ok(mut group) = read else {
            let again = all
                .last()
                .is_some_and(|last| last.as_ref().is_err_and(|e| !is_of_one(e)));
            all.push(read);
            if again {
                break;
            }
            continue;
        };
        let place = *places.entry(group.name.clone()).or_insert(all.len());
        match all.get_mut(place) {
            Some(Ok(known)) => {
                known.members.append(&mut group.members);
                known.empty += group.empty;
            }
            _ => all.push(Ok(group)),
        }
    }
    all
}

/// What is worth a remark about the groups of an input.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    names: BTreeSet<String>,
    /// Groups with a name that stood before, and the first of them.
    scattered: usize,
    again: Option<(String, Place)>,
    /// Groups of one sentence.
    single: usize,
    /// Sentences without an id, and where the first stands.
    unnamed: usize,
    first_unnamed: Option<Place>,
    is_conll: bool,
    /// Groups read, and those that were left after narrowing.
    read: usize,
    kept: usize,
    /// Members asked for that were met.
    met: BTreeSet<String>,
}

impl Watch {
    /// Looks at a group as it was read.
    pub(crate) fn see(&mut self, group: &Group, source: &Source) {
        self.read += 1;
        self.single += usize::from(group.members.len() == 1);
        self.is_conll |= group.members.iter().any(|member| member.lemmas.is_some());
        if !group.named {
            self.unnamed += group.members.len();
            self.first_unnamed.get_or_insert(group.place.clone());
        }
        if !self.names.insert(group.name.clone()) {
            self.scattered += 1;
            self.again
                .get_or_insert_with(|| (group.name.clone(), group.place.clone()));
        }
        let ids = group.members.iter().map(|member| &member.id);
        let asked = ids.filter(|id| source.members.contains(id));
        self.met.extend(asked.cloned());
    }

    /// A group that will be answered, if only by an error.
    pub(crate) fn keep(&mut self) {
        self.kept += 1;
    }

    /// What to say in the end.
    pub(crate) fn remark(&self, source: &Source) {
        if let Some(place) = self.first_unnamed.as_ref().filter(|_| self.unnamed > 1) {
            message(&format!(
                "pgen: {} sentences without an id, from {place} on, were taken as groups of neighbours; \
                 `# sent_id = GROUP/MEMBER` names a group",
                self.unnamed
            ));
        }
        if let Some((name, place)) = &self.again {
            message(&format!(
                "pgen: {} parts of groups stand apart from the first and were answered alone, such as \
                 `{name}` at {place}; --gather puts them together",
                self.scattered
            ));
        }
        if self.is_conll && self.unnamed == 0 && self.single == self.read && self.read > 1 {
            message(&format!(
                "pgen: each of {} groups has one sentence; sentences of a group share the text of \
                 `sent_id` before the first `/`",
                self.read
            ));
        }
        let members = source.members.iter().map(String::as_str);
        let missing: Vec<&str> = members.filter(|&id| !self.met.contains(id)).collect();
        if !missing.is_empty() && self.read > 0 {
            let missing = missing.join(", ");
            message(&format!(
                "pgen: no group has a member {missing} (--members)"
            ));
        }
        if self.read == 0 && self.kept == 0 {
            message(&format!("pgen: there is no group in {}", source.name()));
        }
    }

    /// An error if there were groups and none was left.
    pub(crate) fn check(&self, source: &Source) -> Result<(), Failure> {
        if self.read == 0 || self.kept > 0 {
            return Ok(());
        }
        let narrowed = source.narrowed_by();
        Err(Failure::input(
            "nothing-left",
            format_args!(
                "none of the {} groups of {} is left after {narrowed}",
                self.read,
                source.name()
            ),
        ))
    }
}
