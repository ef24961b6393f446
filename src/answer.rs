//! What a paraphraser answers.

use crate::confidence::Evidence;
use crate::diversity::EditKind;
use crate::shortage::Shortage;
use crate::values::Values;
use pgen_core::{ByteSpan, Certificate, LogProb, RuleId, Score, SearchStats, WordId};

/// The paraphrases of a sentence.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Answer {
    /// The sentence as given.
    pub source: String,
    /// Its paraphrases: distinct texts, best first.
    #[cfg_attr(feature = "serde", serde(rename = "paraphrases"))]
    pub items: Vec<Paraphrase>,
    /// What the list is worth.
    pub certificate: Certificate,
    /// Why there are fewer than asked, if there are.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub shortage: Option<Shortage>,
    /// How much work it was.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub stats: SearchStats,
}

/// One paraphrase.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Paraphrase {
    /// Its text.
    pub text: String,
    /// The weighted natural-log score.
    pub score: Score,
    /// What was replaced by what, ascending by place in the text. Outside of the edits, source and text
    /// are equal byte for byte.
    pub edits: Vec<TextEdit>,
    /// Probability that it is right; see [`Confidence`](crate::Confidence).
    pub confidence: f64,
    /// ln P of the text under the language model.
    pub language: LogProb,
    /// What the confidence rests on.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub evidence: Evidence,
    /// Its normalised words, as the lattice of its request knows them.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) words: Vec<WordId>,
}

/// One replacement in bytes of source and text.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TextEdit {
    /// Where the replaced words stand in the source, with the blanks that go or change.
    pub source: ByteSpan,
    /// Where the new words stand in the text, with the blanks that come or change.
    pub target: ByteSpan,
    /// The replaced text.
    pub from: String,
    /// The new text.
    pub to: String,
    /// What kind of change it is.
    pub kind: EditKind,
    /// The table that the rule comes from.
    pub table: String,
    /// The rule within the table.
    pub rule: RuleId,
    /// The rule's natural-log probability: its table's first feature.
    pub log_prob: LogProb,
    /// All feature values of the rule.
    pub features: Values,
    /// What the edit adds to ln P(text), the other edits in place.
    pub language: f64,
    /// What the application gains by it; 0 without an application.
    pub gain: f64,
}

impl Paraphrase {
    /// Where a span of the source stands in this paraphrase: labels for training data move with the
    /// words. A span that an edit cuts through is widened to the whole edit, but not to blanks at its
    /// borders; one of which nothing is left is empty.
    #[must_use]
    pub fn map_span(&self, span: ByteSpan) -> ByteSpan {
        let (start, edited_start) = self.position(span.start(), false);
        let (end, edited_end) = self.position(span.end(), true);
        let (mut start, mut end) = (start.min(end), end);
        let inside = self.text.get(start as usize..end as usize).unwrap_or("");
        if edited_start && !inside.trim().is_empty() {
            start += (inside.len() - inside.trim_start().len()) as u32;
        }
        if edited_end && !inside.trim().is_empty() {
            end -= (inside.len() - inside.trim_end().len()) as u32;
        }
        ByteSpan::new(start, end).unwrap_or_default()
    }

    /// The new position, and whether it is the border of an edit.
    fn position(&self, at: u32, end: bool) -> (u32, bool) {
        let mut shift = 0i64;
        for edit in &self.edits {
            let (first, last) = (edit.source.start(), edit.source.end());
            if end && first < at && at <= last {
                return (edit.target.end(), true);
            }
            if !end && first <= at && at < last {
                return (edit.target.start(), true);
            }
            if last <= at {
                shift = i64::from(edit.target.end()) - i64::from(last);
            }
        }
        let moved = u32::try_from(i64::from(at) + shift).unwrap_or(0);
        (moved.min(self.text.len() as u32), false)
    }

    /// Words inserted plus words deleted against the source.
    #[must_use]
    pub fn changed_words(&self) -> usize {
        self.evidence.changed as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: u32, end: u32) -> ByteSpan {
        ByteSpan::new(start, end).unwrap()
    }

    fn item(text: &str, source: ByteSpan, target: ByteSpan, from: &str) -> Paraphrase {
        let edit = TextEdit {
            source,
            target,
            from: from.into(),
            to: text[target.range()].into(),
            kind: EditKind::Word,
            table: "t".into(),
            rule: RuleId::new(0),
            log_prob: LogProb::ONE,
            features: Values::default(),
            language: 0.0,
            gain: 0.0,
        };
        Paraphrase {
            text: text.into(),
            score: Score::ONE,
            edits: vec![edit],
            confidence: 0.5,
            language: LogProb::ONE,
            evidence: Evidence::default(),
            words: Vec::new(),
        }
    }

    #[test]
    fn labels_move_with_the_words() {
        // The big dog
        let item = item("The large dog", span(4, 7), span(4, 9), "big");
        assert_eq!(item.map_span(span(8, 11)), span(10, 13));
        assert_eq!(item.map_span(span(0, 3)), span(0, 3));
        assert_eq!(item.map_span(span(4, 7)), span(4, 9));
        assert_eq!(item.map_span(span(5, 11)), span(4, 13));
    }

    #[test]
    fn blanks_of_an_edit_belong_to_no_label() {
        // I'm here
        let item = item("I am here", span(1, 3), span(1, 4), "'m");
        assert_eq!(item.map_span(span(0, 1)), span(0, 1));
        assert_eq!(item.map_span(span(1, 3)), span(2, 4));
        assert_eq!(item.map_span(span(0, 3)), span(0, 4));
        assert_eq!(item.map_span(span(4, 8)), span(5, 9));
    }
}
