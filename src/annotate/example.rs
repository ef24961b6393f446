//! Training sentences as numbers.

use super::classes::WordClasses;
use super::look::Look;
use super::names::Names;
use super::transition::projectivize;
use pgen_core::formats::conll::ConllSentence;
use pgen_core::{Error, Place, Result};

/// A sentence as numbers.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    pub(crate) looks: Vec<Look>,
    pub(crate) tags: Vec<u8>,
    /// Heads of a projective tree with one root; the number of words stands for the root.
    pub(crate) heads: Vec<u32>,
    pub(crate) relations: Vec<u8>,
}

/// What training used.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct FitReport {
    /// Sentences used.
    pub sentences: usize,
    /// Words in them.
    pub words: usize,
    /// Sentences among them whose arcs cross; the arcs were hung higher until none did.
    pub projectivized: usize,
    /// Sentences left out because they have no word or more than one root.
    pub skipped: usize,
    /// Share of words that taggers tag right which did not see them.
    pub unseen_tag_accuracy: f64,
}

/// All sentences that can be learned from, with the names of their tags and relations.
pub(crate) fn examples(
    corpus: &[ConllSentence],
    classes: &WordClasses,
    report: &mut FitReport,
) -> Result<(Vec<Example>, Names, Names)> {
    let words = || corpus.iter().flat_map(|sentence| &sentence.words);
    let tags = Names::collect(words().map(|word| word.xpos.as_str()))?;
    let relations = corpus.iter().flat_map(|sentence| {
        (0..sentence.words.len()).map(|word| sentence.dependencies.relation(word))
    });
    let relations = Names::collect(relations)?;
    let mut examples = Vec::with_capacity(corpus.len());
    for sentence in corpus {
        match example(sentence, classes, &tags, &relations, report)? {
            Some(example) => {
                report.sentences += 1;
                report.words += example.tags.len();
                examples.push(example);
            }
            None => report.skipped += 1,
        }
    }
    if examples.len() < 2 {
        let expected = "at least 2 with words, tags and one root each";
        return Err(Error::parameter(
            "number of training sentences",
            examples.len(),
            expected,
        ));
    }
    Ok((examples, tags, relations))
}

fn example(
    sentence: &ConllSentence,
    classes: &WordClasses,
    tags: &Names,
    relations: &Names,
    report: &mut FitReport,
) -> Result<Option<Example>> {
    let (words, tree) = (&sentence.words, &sentence.dependencies);
    if words.len() != tree.len() {
        let reason = format!("{} words, but dependencies for {}", words.len(), tree.len());
        return Err(Error::Mismatch {
            what: "words and dependencies",
            reason: reason.into(),
        });
    }
    if words.is_empty() || tree.roots().count() != 1 {
        return Ok(None);
    }
    if let Some(word) = words.iter().find(|word| word.xpos.is_empty()) {
        let place = Place::line(sentence.line);
        let hint = "fill the fifth column of every word of the sentence";
        return Err(Error::syntax(place, "an XPOS tag", &word.form, hint));
    }
    let count = words.len() as u32;
    let mut heads: Vec<u32> = (0..words.len())
        .map(|at| tree.head(at).unwrap_or(count))
        .collect();
    report.projectivized += usize::from(projectivize(&mut heads) > 0);
    let relation = |at| relations.id(tree.relation(at)).unwrap_or(0);
    Ok(Some(Example {
        looks: words
            .iter()
            .map(|word| Look::new(&word.form, classes))
            .collect(),
        tags: words
            .iter()
            .map(|word| tags.id(&word.xpos).unwrap_or(0))
            .collect(),
        heads,
        relations: (0..words.len()).map(relation).collect(),
    }))
}
