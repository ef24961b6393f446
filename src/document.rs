//! Whole texts: sentence by sentence, everything between sentences untouched.

use crate::answer::{Answer, Paraphrase};
use crate::error::Result;
use crate::options::Options;
use crate::paraphraser::{Paraphraser, check};
use pgen_core::text::split_sentences;
use pgen_core::{ByteSpan, Error as CoreError};

/// The answers to the sentences of a text.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Document {
    /// The text as given.
    pub source: String,
    /// Its sentences in order.
    pub sentences: Vec<PlacedAnswer>,
}

/// The answer to a sentence of a text. Its spans count from the start of the sentence.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PlacedAnswer {
    /// Where the sentence stands in the text.
    pub bytes: ByteSpan,
    /// Its paraphrases.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub answer: Answer,
}

impl Document {
    /// The text with every sentence in its paraphrase of this rank, from 0; a sentence with fewer takes
    /// its last one, a sentence without any stays. What lies between sentences (blanks, line breaks,
    /// empty paragraphs) stays byte for byte.
    #[must_use]
    pub fn text(&self, rank: usize) -> String {
        let mut out = String::with_capacity(self.source.len());
        let mut at = 0;
        for sentence in &self.sentences {
            let range = sentence.bytes.range();
            out.push_str(self.source.get(at..range.start).unwrap_or(""));
            out.push_str(sentence.written(rank));
            at = range.end;
        }
        out.push_str(self.source.get(at..).unwrap_or(""));
        out
    }

    /// The largest number of paraphrases of any sentence: ranks from there on bring nothing new.
    #[must_use]
    pub fn ranks(&self) -> usize {
        self.sentences
            .iter()
            .map(|one| one.answer.items.len())
            .max()
            .unwrap_or(0)
    }

    /// Where a span of the source stands in [`Document::text`] of this rank.
    #[must_use]
    pub fn map_span(&self, rank: usize, span: ByteSpan) -> ByteSpan {
        let start = self.position(rank, span.start(), false);
        let end = self.position(rank, span.end(), true);
        ByteSpan::new(start.min(end), end).unwrap_or_default()
    }

    fn position(&self, rank: usize, at: u32, end: bool) -> u32 {
        let mut shift = 0i64;
        for sentence in &self.sentences {
            let (first, last) = (sentence.bytes.start(), sentence.bytes.end());
            let inside = if end {
                first < at && at <= last
            } else {
                first <= at && at < last
            };
            if inside {
                let local = at - first;
                let moved = sentence.chosen(rank).map_or(local, |item| {
                    let length = last - first;
                    let half = if end { (0, local) } else { (local, length) };
                    let span = ByteSpan::new(half.0, half.1).unwrap_or_default();
                    let mapped = item.map_span(span);
                    if end { mapped.end() } else { mapped.start() }
                });
                return u32::try_from(i64::from(first + moved) + shift).unwrap_or(0);
            }
            if last <= at {
                shift += sentence.written(rank).len() as i64 - i64::from(last - first);
            }
        }
        u32::try_from(i64::from(at) + shift).unwrap_or(0)
    }
}

impl PlacedAnswer {
    fn chosen(&self, rank: usize) -> Option<&Paraphrase> {
        let items = &self.answer.items;
        items.get(rank).or(items.last())
    }

    fn written(&self, rank: usize) -> &str {
        self.chosen(rank)
            .map_or(&self.answer.source, |item| &item.text)
    }
}

impl Paraphraser {
    /// Paraphrases a text sentence by sentence. Spans of the options count from the start of the text.
    ///
    /// # Errors
    /// As [`Paraphraser::answer`], for any of its sentences; [`CoreError::BadSpan`] for a span outside
    /// the text.
    pub fn document(&self, text: &str, options: &Options) -> Result<Document> {
        check(options, text.len())?;
        if let Some(span) = options
            .protect
            .iter()
            .find(|span| span.end() as usize > text.len())
        {
            return Err(CoreError::BadSpan {
                place: pgen_core::Place::default(),
                what: "protected byte span",
                start: span.start().into(),
                end: span.end().into(),
                length: text.len() as u64,
            }
            .into());
        }
        let mut sentences = Vec::new();
        for bytes in split_sentences(text, &options.limits)? {
            let mut own = options.clone();
            own.protect = within(&options.protect, bytes);
            own.change = within(&options.change, bytes);
            let sentence = text.get(bytes.range()).unwrap_or("");
            let answer = self.answer(sentence, &own)?;
            sentences.push(PlacedAnswer { bytes, answer });
        }
        Ok(Document {
            source: text.to_owned(),
            sentences,
        })
    }
}

/// The parts of spans that lie in a sentence, counted from its start.
fn within(spans: &[ByteSpan], sentence: ByteSpan) -> Vec<ByteSpan> {
    let (first, last) = (sentence.start(), sentence.end());
    let inside = spans.iter().filter(|span| span.overlaps(sentence));
    inside
        .filter_map(|span| {
            ByteSpan::new(
                span.start().max(first) - first,
                span.end().min(last) - first,
            )
            .ok()
        })
        .collect()
}
