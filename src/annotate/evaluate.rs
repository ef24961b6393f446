//! Accuracy against gold annotation.

use super::annotator::Annotator;
use pgen_core::Result;
use pgen_core::formats::conll::ConllSentence;

/// How much of a gold standard is met. Every word counts, punctuation too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct AnnotationScore {
    /// Sentences compared.
    pub sentences: usize,
    /// Words compared.
    pub words: usize,
    /// Words with the right tag.
    pub tags: usize,
    /// Words with the right head.
    pub heads: usize,
    /// Words with the right head and relation.
    pub arcs: usize,
    /// Words with the right head and relation up to its subtype (what follows `:`).
    pub universal_arcs: usize,
}

impl AnnotationScore {
    fn share(self, count: usize) -> f64 {
        if self.words == 0 {
            0.0
        } else {
            count as f64 / self.words as f64
        }
    }

    /// Share of words with the right tag.
    #[must_use]
    pub fn tag_accuracy(self) -> f64 {
        self.share(self.tags)
    }

    /// Unlabelled attachment score: share of words with the right head.
    #[must_use]
    pub fn uas(self) -> f64 {
        self.share(self.heads)
    }

    /// Labelled attachment score: share of words with the right head and relation.
    #[must_use]
    pub fn las(self) -> f64 {
        self.share(self.arcs)
    }

    /// As [`las`](Self::las), with relations compared up to their subtypes.
    #[must_use]
    pub fn universal_las(self) -> f64 {
        self.share(self.universal_arcs)
    }
}

impl Annotator {
    /// Analyses the words of gold sentences and compares; tags against XPOS.
    ///
    /// # Errors
    /// As [`Annotator::analyse`].
    pub fn evaluate(&self, gold: &[ConllSentence]) -> Result<AnnotationScore> {
        let mut score = AnnotationScore::default();
        for sentence in gold {
            let words: Vec<&str> = sentence
                .words
                .iter()
                .map(|word| word.form.as_str())
                .collect();
            let found = self.analyse(&words)?;
            score.sentences += 1;
            score.words += words.len();
            for (at, word) in sentence.words.iter().enumerate() {
                let (ours, theirs) = (&found.dependencies, &sentence.dependencies);
                let main = |relation: &str| {
                    relation.split(':').next() == theirs.relation(at).split(':').next()
                };
                let head = ours.head(at) == theirs.head(at);
                score.tags += usize::from(found.tags[at] == word.xpos);
                score.heads += usize::from(head);
                score.arcs += usize::from(head && ours.relation(at) == theirs.relation(at));
                score.universal_arcs += usize::from(head && main(ours.relation(at)));
            }
        }
        Ok(score)
    }
}
