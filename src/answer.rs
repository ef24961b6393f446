//! What a paraphraser answers.

use pgen_core::{ByteSpan, Certificate, LogProb, RuleId, Score, SearchStats};

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
    /// What was replaced by what, ascending by place in the text.
    pub edits: Vec<TextEdit>,
    /// Probability that it is right, where the model brings a calibration.
    pub confidence: Option<f64>,
}

/// One replacement in bytes of source and text.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TextEdit {
    /// Where the replaced words stand in the source.
    pub source: ByteSpan,
    /// Where the new words stand in the text.
    pub target: ByteSpan,
    /// The replaced words.
    pub from: String,
    /// The new words.
    pub to: String,
    /// The table that the rule comes from.
    pub table: String,
    /// The rule within the table.
    pub rule: RuleId,
    /// The rule's natural-log probability: its table's first feature.
    pub log_prob: LogProb,
    /// What the application gains by it; 0 without an application.
    pub gain: f64,
}

impl Answer {
    /// Where a span of the source stands in a paraphrase: labels for training data move with the words.
    /// A span that an edit cuts through is widened to the whole edit.
    #[must_use]
    pub fn map_span(&self, item: &Paraphrase, span: ByteSpan) -> ByteSpan {
        let position = |at: u32, end: bool| -> u32 {
            let mut shift = 0i64;
            for edit in &item.edits {
                let inside = if end {
                    edit.source.start() < at && at <= edit.source.end()
                } else {
                    edit.source.start() <= at && at < edit.source.end()
                };
                if inside {
                    return if end {
                        edit.target.end()
                    } else {
                        edit.target.start()
                    };
                }
                if edit.source.end() <= at {
                    shift = i64::from(edit.target.end()) - i64::from(edit.source.end());
                }
            }
            u32::try_from(i64::from(at) + shift)
                .unwrap_or(0)
                .min(item.text.len() as u32)
        };
        let (start, end) = (position(span.start(), false), position(span.end(), true));
        ByteSpan::new(start.min(end), end).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_move_with_the_words() {
        let span = |start, end| ByteSpan::new(start, end).unwrap();
        let edit = TextEdit {
            source: span(4, 7),
            target: span(4, 9),
            from: "big".into(),
            to: "large".into(),
            table: "t".into(),
            rule: RuleId::new(0),
            log_prob: LogProb::ONE,
            gain: 0.0,
        };
        let item = Paraphrase {
            text: "The large dog".into(),
            score: Score::ONE,
            edits: vec![edit],
            confidence: None,
        };
        let answer = Answer {
            source: "The big dog".into(),
            items: vec![],
            certificate: Certificate::Exact,
            stats: SearchStats::default(),
        };
        assert_eq!(answer.map_span(&item, span(8, 11)), span(10, 13));
        assert_eq!(answer.map_span(&item, span(0, 3)), span(0, 3));
        assert_eq!(answer.map_span(&item, span(4, 7)), span(4, 9));
        assert_eq!(answer.map_span(&item, span(5, 11)), span(4, 13));
    }
}
