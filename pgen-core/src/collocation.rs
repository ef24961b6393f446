//! Collocation tables: pairs of words in a grammatical relation, replaced together.

use crate::error::{Error, Place, Result};
use crate::id::WordId;
use crate::replacement::{Part, Proposal, ReplacementModel, Target};
use crate::sentence::Sentence;
use crate::span::Span;
use crate::table::ParaphraseTable;
use crate::vocab::Vocab;

/// Names that annotation schemes have for one relation; the first is how tables of the paper write it.
const SAME: [&[&str]; 2] = [&["OBJ", "obj", "dobj"], &["SBJ", "nsubj", "subj"]];

/// Paraphrase rules for a head and its dependent, such as `occupy OBJ proportion` → `take OBJ share`
/// (Zhao et al. 2009, §3.1, for verbs and their objects). Both sides are written head, relation,
/// dependent; the relation is the same on both. The two words are replaced together or not at all, each
/// in its place.
///
/// A relation of a table matches the same label, letter case aside, in a sentence's dependencies, a
/// subtype of it (`obj:x`), and the names of other schemes for objects (`OBJ`, `obj`, `dobj`) and
/// subjects (`SBJ`, `subj`, `nsubj`). As a [`ReplacementModel`] it proposes nothing for a sentence
/// without dependencies. O(tokens · relations).
#[derive(Clone, Debug)]
pub struct CollocationTable {
    table: ParaphraseTable,
    /// Relations of the table: spelling and word.
    relations: Vec<(String, WordId)>,
}

/// The relations of a table of collocations: spelling and word, ascending.
fn relations_of(table: &ParaphraseTable, vocab: &Vocab) -> Result<Vec<(String, WordId)>> {
    table.check_vocab(vocab)?;
    let mut failure = None;
    let mut relations = std::collections::BTreeMap::new();
    table.for_each(|source, rule| match (source, rule.target) {
        (&[_, relation, _], &[_, other, _]) if relation == other => {
            let spelled = vocab.word(relation).unwrap_or("");
            relations.insert(spelled.to_owned(), relation);
        }
        _ => {
            let (source, target) = table.spell(rule.id, vocab).unwrap_or_default();
            failure.get_or_insert(bad(&source, &target));
        }
    });
    match failure {
        Some(error) => Err(error),
        None => Ok(relations.into_iter().collect()),
    }
}

impl CollocationTable {
    /// Takes a table whose sides are head, relation, dependent.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if the vocabulary is not that of the table; [`Error::BadTable`] for a rule of
    /// another form ([`check_collocation`]).
    pub fn new(table: ParaphraseTable, vocab: &Vocab) -> Result<Self> {
        Self::new_or_table(table, vocab).map_err(|(_, error)| error)
    }

    /// As [`new`](Self::new), but gives back a table that is none of collocations, beside the error.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    #[allow(clippy::result_large_err)] // the table is the point
    pub fn new_or_table(
        table: ParaphraseTable,
        vocab: &Vocab,
    ) -> std::result::Result<Self, (ParaphraseTable, Error)> {
        match relations_of(&table, vocab) {
            Ok(relations) => Ok(CollocationTable { table, relations }),
            Err(error) => Err((table, error)),
        }
    }

    /// The rules, as three words a side.
    #[must_use]
    pub fn table(&self) -> &ParaphraseTable {
        &self.table
    }

    /// The relations of the table, ascending.
    pub fn relations(&self) -> impl Iterator<Item = &str> {
        self.relations.iter().map(|(relation, _)| relation.as_str())
    }

    fn propose_edge(
        &self,
        (head, dependent): (u32, u32),
        relation: WordId,
        sentence: &Sentence,
        emit: &mut dyn FnMut(&Proposal<'_>),
    ) {
        let word = |at: u32| sentence.words().get(at as usize).copied();
        let step = |node, word: WordId| self.table.step(node, word);
        let node = word(head)
            .and_then(|word| step(self.table.root(), word))
            .and_then(|node| step(node, relation))
            .and_then(|node| step(node, word(dependent)?));
        let Some(node) = node else { return };
        for rule in self.table.entries(node) {
            let &[new_head, _, new_dependent] = rule.target else {
                continue;
            };
            let (new_head, new_dependent) = ([new_head], [new_dependent]);
            let mut parts = [
                Part {
                    span: Span::single(head),
                    target: Target::Words(&new_head),
                },
                Part {
                    span: Span::single(dependent),
                    target: Target::Words(&new_dependent),
                },
            ];
            parts.sort_by_key(|part| part.span);
            emit(&Proposal {
                parts: &parts,
                values: rule.values,
                rule: rule.id,
            });
        }
    }
}

impl ReplacementModel for CollocationTable {
    fn features(&self) -> &[String] {
        self.table.features()
    }

    fn propose(&self, sentence: &Sentence, emit: &mut dyn FnMut(&Proposal<'_>)) {
        let Some(dependencies) = sentence.dependencies() else {
            return;
        };
        for dependent in 0..sentence.len() as u32 {
            let Some(head) = dependencies.head(dependent as usize) else {
                continue;
            };
            let label = dependencies.relation(dependent as usize);
            for (relation, word) in &self.relations {
                if is_relation(relation, label) {
                    self.propose_edge((head, dependent), *word, sentence, emit);
                }
            }
        }
    }
}

/// True if a dependency label names the relation of a table.
#[must_use]
pub fn is_relation(relation: &str, label: &str) -> bool {
    let plain = label.split(':').next().unwrap_or("");
    let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    same(relation, label)
        || same(relation, plain)
        || SAME.iter().any(|names| {
            names.iter().any(|name| same(name, relation))
                && names.iter().any(|name| same(name, plain))
        })
}

/// Checks a rule's text: head, relation, dependent on both sides, the relation the same.
///
/// # Errors
/// [`Error::BadTable`] otherwise.
pub fn check_collocation(source: &str, target: &str) -> Result<()> {
    let words = |text| -> Vec<&str> { crate::table::words(text).collect() };
    match (&words(source)[..], &words(target)[..]) {
        ([_, relation, _], [_, other, _]) if relation == other => Ok(()),
        _ => Err(bad(source, target)),
    }
}

fn bad(source: &str, target: &str) -> Error {
    let reason = format!(
        "{} ||| {} is no collocation; write `head RELATION dependent` on both sides",
        crate::error::quote(source),
        crate::error::quote(target)
    );
    Error::table(Place::default(), reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dependencies, Lexicon, Limits, TableBuilder};
    use std::sync::Arc;

    #[test]
    fn both_words_change_wherever_the_head_stands() {
        let mut vocab = Vocab::new();
        let mut builder = TableBuilder::new(["p"]);
        builder
            .push_text(&mut vocab, "make OBJ decision", "take OBJ step", &[0.0])
            .unwrap();
        let table = CollocationTable::new(builder.build(&vocab).unwrap(), &vocab).unwrap();
        let lexicon = Lexicon::new(Arc::new(vocab));
        let words = ["decision", "they", "make", "decision"];
        let sentence = Sentence::from_words(words, lexicon, &Limits::default()).unwrap();
        let heads = [
            (Some(2), "dobj"),
            (Some(2), "nsubj"),
            (None, "root"),
            (Some(2), "obl"),
        ];
        let sentence = sentence
            .with_dependencies(Dependencies::new(&heads).unwrap())
            .unwrap();
        let mut seen = Vec::new();
        table.propose(&sentence, &mut |proposal| {
            let spans: Vec<_> = proposal
                .parts
                .iter()
                .map(|part| part.span.start())
                .collect();
            seen.push((
                spans,
                sentence.lexicon().join(match proposal.parts[0].target {
                    Target::Words(words) => words,
                    Target::Pieces(_) => &[],
                }),
            ));
        });
        assert_eq!(seen, [(vec![0, 2], "step".to_owned())]);
    }

    #[test]
    fn relations_of_all_schemes() {
        assert!(
            is_relation("OBJ", "dobj") && is_relation("obj", "OBJ") && is_relation("OBJ", "obj:x")
        );
        assert!(
            is_relation("amod", "AMOD") && !is_relation("OBJ", "iobj") && !is_relation("OBJ", "")
        );
        assert!(check_collocation("a OBJ b", "c OBJ d").is_ok());
        for (source, target) in [
            ("a b", "c d"),
            ("a OBJ b", "c SBJ d"),
            ("", ""),
            ("a OBJ b c", "c OBJ d"),
        ] {
            assert_eq!(
                check_collocation(source, target).unwrap_err().code(),
                "bad-table"
            );
        }
    }
}
