//! A thesaurus shaped like WordNet: sets of synonyms with relations, and English inflection.
//!
//! [`Thesaurus`] is read from two plain tables (see [`ThesaurusBuilder`]); it knows which words share a
//! meaning, which are opposites, what is above what, and how words inflect. It is no replacement model
//! itself: the verbs build tables from it, vote with it and filter by it.

mod english;
mod read;

pub use english::Inflection;
pub use read::ThesaurusBuilder;

use crate::id::WordId;
use crate::vocab::Vocab;

/// The four word classes that a thesaurus covers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)] // the names say it
pub enum WordClass {
    Noun,
    Verb,
    Adjective,
    Adverb,
}

/// How one set of synonyms relates to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Relation {
    /// Opposite.
    Antonym,
    /// More general.
    Hypernym,
    /// More general, from a named thing to its class.
    InstanceHypernym,
    /// Near in meaning (adjectives).
    Similar,
    /// A verb that the first one entails.
    Entailment,
    /// A verb that the first one causes.
    Cause,
}

/// A set of synonyms: its place in the thesaurus.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SynsetId(u32);

#[derive(Clone, Debug)]
struct Synset {
    class: WordClass,
    lemmas: Vec<WordId>,
    relations: Vec<(Relation, SynsetId)>,
}

/// Synonym sets, relations and inflection. Lemmas are lower-cased, their words joined by spaces.
#[derive(Clone, Debug)]
pub struct Thesaurus {
    lemmas: Vocab,
    /// Synsets of each lemma, in the order of the file.
    senses: Vec<Vec<SynsetId>>,
    synsets: Vec<Synset>,
    /// Irregular forms: form → (class, lemma), ascending.
    irregular: Vec<(String, WordClass, String)>,
    /// The same from the lemma's side: (lemma, class) → form, ascending.
    irregular_by_lemma: Vec<(String, WordClass, String)>,
}

impl Thesaurus {
    /// Number of synonym sets.
    #[must_use]
    pub fn len(&self) -> usize {
        self.synsets.len()
    }

    /// True without any.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.synsets.is_empty()
    }

    /// The synonym sets of a lemma (lower-cased, words joined by spaces) in a class.
    pub fn synsets(&self, lemma: &str, class: WordClass) -> impl Iterator<Item = SynsetId> {
        let senses = self
            .lemmas
            .get(lemma)
            .and_then(|id| self.senses.get(id.index()));
        let senses = senses.map_or(&[][..], Vec::as_slice);
        senses
            .iter()
            .copied()
            .filter(move |&id| self.class(id) == Some(class))
    }

    /// All lemmas, in the order of their first appearance.
    pub fn lemmas(&self) -> impl Iterator<Item = &str> {
        let known = self.lemmas.words();
        known
            .filter(|(id, _)| {
                self.senses
                    .get(id.index())
                    .is_some_and(|sets| !sets.is_empty())
            })
            .map(|(_, lemma)| lemma)
    }

    /// True if the lemma has a sense in this class.
    #[must_use]
    pub fn knows(&self, lemma: &str, class: WordClass) -> bool {
        self.synsets(lemma, class).next().is_some()
    }

    /// The lemmas of a set, in the order of the file.
    pub fn members(&self, synset: SynsetId) -> impl Iterator<Item = &str> {
        let lemmas = self
            .synsets
            .get(synset.0 as usize)
            .map_or(&[][..], |set| &set.lemmas);
        lemmas.iter().filter_map(|&id| self.lemmas.word(id))
    }

    /// The class of a set; `None` if it is not of this thesaurus.
    #[must_use]
    pub fn class(&self, synset: SynsetId) -> Option<WordClass> {
        self.synsets.get(synset.0 as usize).map(|set| set.class)
    }

    /// The sets that a set points to by a relation.
    pub fn related(&self, synset: SynsetId, relation: Relation) -> impl Iterator<Item = SynsetId> {
        let relations = self
            .synsets
            .get(synset.0 as usize)
            .map_or(&[][..], |set| &set.relations);
        relations
            .iter()
            .filter(move |(kind, _)| *kind == relation)
            .map(|&(_, to)| to)
    }

    /// True if two lemmas share a set in this class.
    #[must_use]
    pub fn are_synonyms(&self, a: &str, b: &str, class: WordClass) -> bool {
        self.synsets(a, class)
            .any(|set| self.members(set).any(|member| member == b))
    }

    /// True if a sense of one is the opposite of a sense of the other, or, for adjectives, similar to
    /// an opposite.
    #[must_use]
    pub fn are_antonyms(&self, a: &str, b: &str, class: WordClass) -> bool {
        let near = |lemma: &str| -> Vec<SynsetId> {
            let own: Vec<_> = self.synsets(lemma, class).collect();
            let similar = own
                .iter()
                .flat_map(|&set| self.related(set, Relation::Similar));
            own.iter().copied().chain(similar).collect()
        };
        let others = near(b);
        near(a).iter().any(|&set| {
            self.related(set, Relation::Antonym)
                .any(|opposite| others.contains(&opposite))
        })
    }

    /// True if a sense of `narrow` lies directly under a sense of `broad`.
    #[must_use]
    pub fn is_hypernym(&self, broad: &str, narrow: &str, class: WordClass) -> bool {
        self.synsets(narrow, class)
            .flat_map(|set| self.related(set, Relation::Hypernym))
            .any(|set| self.members(set).any(|member| member == broad))
    }

    /// True if the two lemmas share no set but have senses directly under the same one: wife and
    /// husband, town and village.
    #[must_use]
    pub fn are_co_hyponyms(&self, a: &str, b: &str, class: WordClass) -> bool {
        if self.are_synonyms(a, b, class) {
            return false;
        }
        let above: Vec<_> = self
            .synsets(a, class)
            .flat_map(|set| self.related(set, Relation::Hypernym))
            .collect();
        self.synsets(b, class)
            .flat_map(|set| self.related(set, Relation::Hypernym))
            .any(|set| above.contains(&set))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiny() -> Thesaurus {
        let mut builder = ThesaurusBuilder::new();
        let lines = [
            "n1\twoman\t",
            "n2\twife\t@n1",
            "n3\tfemale_person\t@n1",
            "v4\tbuy purchase\t!v5",
            "v5\tsell\t!v4",
            "a6\tgood\t!a8 &s7",
            "s7\tsuperb Big_Apple\t&a6",
            "a8\tbad\t!a6",
        ];
        for (number, line) in (1..).zip(lines) {
            builder.synset_line(number, line).unwrap();
        }
        builder.exception_line(1, "verb\tbought\tbuy").unwrap();
        builder.build().unwrap()
    }

    #[test]
    fn relations_between_words() {
        let t = tiny();
        assert!(t.are_synonyms("buy", "purchase", WordClass::Verb));
        assert!(t.are_antonyms("buy", "sell", WordClass::Verb));
        assert!(t.are_antonyms("superb", "bad", WordClass::Adjective));
        assert!(!t.are_antonyms("superb", "good", WordClass::Adjective));
        assert!(t.is_hypernym("woman", "wife", WordClass::Noun));
        assert!(t.are_co_hyponyms("wife", "female person", WordClass::Noun));
        assert!(t.knows("big apple", WordClass::Adjective) && !t.knows("wife", WordClass::Verb));
    }

    #[test]
    fn bad_lines_are_named() {
        let mut builder = ThesaurusBuilder::new();
        let error = builder.synset_line(7, "x1\tword\t").unwrap_err();
        assert_eq!(
            (error.code(), error.place().map(|place| place.line)),
            ("syntax", Some(7))
        );
        builder.synset_line(8, "n1\ta\t@n9").unwrap();
        assert_eq!(builder.build().unwrap_err().code(), "bad-table");
        let mut builder = ThesaurusBuilder::new();
        assert_eq!(
            builder.exception_line(1, "noun\tmen").unwrap_err().code(),
            "syntax"
        );
    }
}
