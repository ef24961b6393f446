//! Reading a thesaurus from two tables.

use super::{Relation, Synset, SynsetId, Thesaurus, WordClass};
use crate::error::{Error, Place, Result};
use crate::input::Lines;
use crate::vocab::Vocab;
use hashbrown::HashMap;
use std::sync::Arc;

/// Collects lines of two tab-separated tables.
///
/// Synonym sets: `id TAB lemmas TAB relations`, where the id is a class letter (`n`, `v`, `a`, `s`, `r`)
/// and a number, lemmas are separated by spaces with `_` for a space within one, and a relation is a
/// sign (`!` antonym, `@` hypernym, `@i` instance hypernym, `&` similar, `*` entailment, `>` cause)
/// followed by the id that it points to. Signs not listed here are an error.
///
/// Exceptions: `class TAB form TAB lemma [TAB lemma …]` with class `noun`, `verb`, `adj` or `adv`.
#[derive(Debug, Default)]
pub struct ThesaurusBuilder {
    lemmas: Vocab,
    senses: Vec<Vec<SynsetId>>,
    synsets: Vec<Synset>,
    /// Relations whose target may come later: (from, relation, target id, line).
    pending: Vec<(SynsetId, Relation, String, u64)>,
    ids: HashMap<String, SynsetId>,
    irregular: Vec<(String, WordClass, String)>,
}

impl Thesaurus {
    /// Reads the table of synonym sets and, if there is one, that of exceptions, as [`ThesaurusBuilder`]
    /// has them.
    ///
    /// # Errors
    /// Those of the lines and of the builder, with file and line.
    pub fn read(mut sets: Lines, exceptions: Option<Lines>) -> Result<Self> {
        let mut builder = ThesaurusBuilder::new();
        let of_sets = sets.place();
        let placed = |error: Error, place: &Place| match &place.file {
            Some(file) => error.in_file(Arc::clone(file)),
            None => error,
        };
        while let Some((number, line)) = sets.next_line()? {
            let added = builder.synset_line(number, line);
            added.map_err(|error| placed(error, &of_sets))?;
        }
        if let Some(mut lines) = exceptions {
            let place = lines.place();
            while let Some((number, line)) = lines.next_line()? {
                let added = builder.exception_line(number, line);
                added.map_err(|error| placed(error, &place))?;
            }
        }
        builder.build().map_err(|error| placed(error, &of_sets))
    }
}

impl ThesaurusBuilder {
    /// Without lines.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a synonym set. Blank lines are skipped.
    ///
    /// # Errors
    /// [`Error::Syntax`] naming the line.
    pub fn synset_line(&mut self, number: u64, line: &str) -> Result<()> {
        if line.trim().is_empty() {
            return Ok(());
        }
        let bad = |expected| Error::syntax(Place::line(number), expected, line, "");
        let mut fields = line.split('\t');
        let (Some(id), Some(lemmas)) = (fields.next(), fields.next()) else {
            return Err(bad("id, lemmas and relations separated by tabs"));
        };
        let class = match id.chars().next() {
            Some('n') => WordClass::Noun,
            Some('v') => WordClass::Verb,
            Some('a' | 's') => WordClass::Adjective,
            Some('r') => WordClass::Adverb,
            _ => return Err(bad("an id that starts with n, v, a, s or r")),
        };
        let synset = SynsetId(self.synsets.len() as u32);
        let mut members = Vec::new();
        for lemma in lemmas.split(' ').filter(|lemma| !lemma.is_empty()) {
            let word = self
                .lemmas
                .intern(&lemma.replace('_', " ").to_lowercase())?;
            self.senses.resize_with(self.lemmas.len(), Vec::new);
            if !members.contains(&word) {
                members.push(word);
                self.senses[word.index()].push(synset);
            }
        }
        for pointer in fields
            .next()
            .unwrap_or("")
            .split(' ')
            .filter(|text| !text.is_empty())
        {
            let (relation, target) =
                relation(pointer).ok_or_else(|| bad("relations such as @n123 or !v456"))?;
            self.pending
                .push((synset, relation, target.to_owned(), number));
        }
        if self.ids.insert(id.to_owned(), synset).is_some() {
            return Err(bad("an id that no other line has"));
        }
        self.synsets.push(Synset {
            class,
            lemmas: members,
            relations: Vec::new(),
        });
        Ok(())
    }

    /// Adds an irregular form. Blank lines are skipped.
    ///
    /// # Errors
    /// [`Error::Syntax`] naming the line.
    pub fn exception_line(&mut self, number: u64, line: &str) -> Result<()> {
        if line.trim().is_empty() {
            return Ok(());
        }
        let bad = |expected| Error::syntax(Place::line(number), expected, line, "");
        let mut fields = line.split('\t');
        let class = match fields.next() {
            Some("noun") => WordClass::Noun,
            Some("verb") => WordClass::Verb,
            Some("adj") => WordClass::Adjective,
            Some("adv") => WordClass::Adverb,
            _ => return Err(bad("noun, verb, adj or adv in the first column")),
        };
        let Some(form) = fields.next() else {
            return Err(bad("a form in the second column"));
        };
        let before = self.irregular.len();
        for lemma in fields.filter(|lemma| !lemma.is_empty()) {
            let [form, lemma] = [form, lemma].map(|text| text.replace('_', " ").to_lowercase());
            self.irregular.push((form, class, lemma));
        }
        if self.irregular.len() == before {
            return Err(bad("a lemma in the third column"));
        }
        Ok(())
    }

    /// The set of an id. WordNet's relations call satellite adjectives (`s`) plain ones (`a`).
    fn find(&self, id: &str) -> Option<SynsetId> {
        let satellite = || self.ids.get(&format!("s{}", id.strip_prefix('a')?));
        self.ids.get(id).or_else(satellite).copied()
    }

    /// The thesaurus.
    ///
    /// # Errors
    /// [`Error::BadTable`] for a relation to a set that does not exist.
    pub fn build(mut self) -> Result<Thesaurus> {
        for (from, relation, target, line) in std::mem::take(&mut self.pending) {
            let Some(to) = self.find(&target) else {
                let reason = format!("relation to {target}, which no line defines");
                return Err(Error::table(Place::line(line), reason));
            };
            let relations = &mut self.synsets[from.0 as usize].relations;
            if !relations.contains(&(relation, to)) {
                relations.push((relation, to));
            }
        }
        self.irregular.sort();
        self.irregular.dedup();
        let mut irregular_by_lemma: Vec<_> = self
            .irregular
            .iter()
            .map(|(form, class, lemma)| (lemma.clone(), *class, form.clone()))
            .collect();
        irregular_by_lemma.sort();
        Ok(Thesaurus {
            lemmas: self.lemmas,
            senses: self.senses,
            synsets: self.synsets,
            irregular: self.irregular,
            irregular_by_lemma,
        })
    }
}

fn relation(pointer: &str) -> Option<(Relation, &str)> {
    let signs = [
        ("@i", Relation::InstanceHypernym),
        ("@", Relation::Hypernym),
        ("!", Relation::Antonym),
        ("&", Relation::Similar),
        ("*", Relation::Entailment),
        (">", Relation::Cause),
    ];
    signs
        .iter()
        .find_map(|&(sign, relation)| Some((relation, pointer.strip_prefix(sign)?)))
}
