//! Collocation tables: pairs of words in a grammatical relation, replaced together.

use crate::error::{Error, Place, Result};
use crate::id::{RuleId, WordId};
use crate::morphology::Morphology;
use crate::replacement::{Part, Piece, Proposal, ReplacementModel, Target};
use crate::sentence::Sentence;
use crate::span::Span;
use crate::table::{ParaphraseTable, TrieNode};
use crate::vocab::Vocab;
use std::sync::Arc;

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
///
/// Words match as they are written. With a [`Morphology`] a rule of lemmas also matches their other
/// forms, and what it writes takes the same: `make OBJ decision` → `take OBJ step` makes `took steps` of
/// `made decisions`.
#[derive(Clone, Debug)]
pub struct CollocationTable {
    table: ParaphraseTable,
    /// Relations of the table: spelling and word.
    relations: Vec<(String, WordId)>,
    morphology: Option<Arc<dyn Morphology>>,
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
            Ok(relations) => Ok(CollocationTable {
                table,
                relations,
                morphology: None,
            }),
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

    /// Matches lemmas too, in sentences with tags.
    #[must_use]
    pub fn with_morphology(mut self, morphology: Arc<dyn Morphology>) -> Self {
        self.morphology = Some(morphology);
        self
    }

    fn node(&self, [head, relation, dependent]: [WordId; 3]) -> Option<TrieNode> {
        let step = |node, word: WordId| self.table.step(node, word);
        let node = step(step(self.table.root(), head)?, relation)?;
        step(node, dependent)
    }

    fn propose_edge(&self, edge: [u32; 2], relation: WordId, sentence: &Sentence, emit: Emit<'_>) {
        let Some(words) = both(edge, |at| sentence.words().get(at as usize).copied()) else {
            return;
        };
        if let Some(node) = self.node([words[0], relation, words[1]]) {
            for rule in self.table.entries(node) {
                let &[head, _, dependent] = rule.target else {
                    continue;
                };
                let new = [[Piece::Word(head)], [Piece::Word(dependent)]];
                emit_pair(edge, &new, rule.values, rule.id, emit);
            }
        }
        if let (Some(morphology), Some(tags)) = (&self.morphology, sentence.tags()) {
            self.propose_forms(&**morphology, tags, edge, (relation, words), sentence, emit);
        }
    }

    /// Rules of the lemmas of two words, in the form of the words.
    fn propose_forms(
        &self,
        morphology: &dyn Morphology,
        tags: &[String],
        edge: [u32; 2],
        (relation, words): (WordId, [WordId; 2]),
        sentence: &Sentence,
        emit: Emit<'_>,
    ) {
        let lexicon = sentence.lexicon();
        let tag = |at: u32| tags.get(at as usize).map_or("", String::as_str);
        let form = |at: u32| Some(lexicon.word(*sentence.words().get(at as usize)?));
        let lemma = |at: u32| lexicon.get(&morphology.lemma(form(at)?, tag(at))?);
        let Some(lemmas) = both(edge, lemma).filter(|lemmas| *lemmas != words) else {
            return;
        };
        let Some(node) = self.node([lemmas[0], relation, lemmas[1]]) else {
            return;
        };
        for rule in self.table.entries(node) {
            let &[head, _, dependent] = rule.target else {
                continue;
            };
            let inflect = |word: WordId, at: u32| morphology.inflect(lexicon.word(word), tag(at));
            let (Some(head), Some(dependent)) =
                (inflect(head, edge[0]), inflect(dependent, edge[1]))
            else {
                continue;
            };
            let piece = |text| [lexicon.get(text).map_or(Piece::Text(text), Piece::Word)];
            let new = [piece(&head), piece(&dependent)];
            emit_pair(edge, &new, rule.values, rule.id, emit);
        }
    }
}

type Emit<'e> = &'e mut dyn FnMut(&Proposal<'_>);

fn both<T>([head, dependent]: [u32; 2], of: impl Fn(u32) -> Option<T>) -> Option<[T; 2]> {
    Some([of(head)?, of(dependent)?])
}

/// Emits new words for head and dependent, in the order of the sentence.
fn emit_pair(
    [head, dependent]: [u32; 2],
    new: &[[Piece<'_>; 1]; 2],
    values: &[f32],
    rule: RuleId,
    emit: Emit<'_>,
) {
    let mut parts = [
        Part {
            span: Span::single(head),
            target: Target::Pieces(&new[0]),
        },
        Part {
            span: Span::single(dependent),
            target: Target::Pieces(&new[1]),
        },
    ];
    parts.sort_by_key(|part| part.span);
    emit(&Proposal {
        parts: &parts,
        values,
        rule,
    });
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
                    self.propose_edge([head, dependent], *word, sentence, emit);
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

    fn spell(sentence: &Sentence, part: &Part<'_>) -> String {
        let piece = |piece| match piece {
            Piece::Word(word) => sentence.lexicon().word(word).to_owned(),
            Piece::Text(text) => text.to_owned(),
            Piece::Copy(span) => sentence.lexicon().join(sentence.words_in(span)),
        };
        let pieces: Vec<String> = part.target.pieces().map(piece).collect();
        pieces.join(" ")
    }

    #[test]
    fn rules_of_lemmas_match_forms_and_write_the_same_forms() {
        let mut builder = crate::thesaurus::ThesaurusBuilder::new();
        let sets = ["v1\tmake\t", "v2\ttake\t", "n3\tdecision\t", "n4\tstep\t"];
        for (number, line) in (1..).zip(sets) {
            builder.synset_line(number, line).unwrap();
        }
        for (number, line) in (1..).zip(["verb\tmade\tmake", "verb\ttook\ttake"]) {
            builder.exception_line(number, line).unwrap();
        }
        let english = Arc::new(builder.build().unwrap());
        let mut vocab = Vocab::new();
        let mut rules = TableBuilder::new(["p"]);
        let sides = ("make OBJ decision", "take OBJ step");
        rules
            .push_text(&mut vocab, sides.0, sides.1, &[-0.5])
            .unwrap();
        let exact = CollocationTable::new(rules.build(&vocab).unwrap(), &vocab).unwrap();
        let table = exact.clone().with_morphology(english);
        let lexicon = Lexicon::new(Arc::new(vocab));
        let found = |table: &CollocationTable, rows: [(&str, &str); 2], tagged: bool| {
            let words = rows.map(|row| row.0);
            let sentence =
                Sentence::from_words(words, lexicon.clone(), &Limits::default()).unwrap();
            let arcs = [(None, "root"), (Some(0), "obj")];
            let sentence = sentence
                .with_dependencies(Dependencies::new(&arcs).unwrap())
                .unwrap();
            let tags = rows.map(|row| row.1.to_owned()).to_vec();
            let sentence = match tagged {
                true => sentence.with_tags(tags).unwrap(),
                false => sentence,
            };
            let mut seen = Vec::new();
            table.propose(&sentence, &mut |proposal| {
                let parts = proposal.parts.iter().map(|part| spell(&sentence, part));
                seen.push(parts.collect::<Vec<_>>().join(" "));
            });
            seen
        };
        let cases = [
            ([("made", "VBD"), ("decisions", "NNS")], vec!["took steps"]),
            ([("making", "VBG"), ("decision", "NN")], vec!["taking step"]),
            // The row's own words match once, by themselves.
            ([("make", "VBP"), ("decision", "NN")], vec!["take step"]),
            // A tag that does not go with the form.
            ([("made", "VB"), ("decisions", "NNS")], vec![]),
            ([("made", "VBD"), ("choices", "NNS")], vec![]),
        ];
        for (rows, expected) in cases {
            assert_eq!(found(&table, rows, true), expected, "{rows:?}");
            let exactly = usize::from(rows[0].0 == "make");
            assert_eq!(found(&exact, rows, true).len(), exactly, "{rows:?}");
            assert_eq!(found(&table, rows, false).len(), exactly, "{rows:?}");
        }
    }

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
            seen.push((spans, spell(&sentence, &proposal.parts[0])));
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
