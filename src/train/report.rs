//! What training did, in numbers and for people.

use super::pool::PoolReport;
use super::sources::Read;
use std::fmt;
use std::time::Duration;

/// The report of a training run.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Lines of text for the language model, and their tokens.
    pub text_lines: u64,
    /// Tokens of that text.
    pub text_tokens: u64,
    /// What the files of pairs and groups gave.
    pub pairs: Read,
    /// What the bitexts gave.
    pub bitext: Read,
    /// Pairs left out of alignment because a side is too long or has no tokens.
    pub unfit: u64,
    /// Phrase pairs extracted from pairs and groups.
    pub phrase_pairs: u64,
    /// Phrase pairs extracted from bitext.
    pub bilingual_phrase_pairs: u64,
    /// How candidates became a table.
    pub table: PoolReport,
    /// Bytes of the table in memory.
    pub table_bytes: u64,
    /// N-grams of the language model by order.
    pub ngrams: Vec<u64>,
    /// Words of the vocabulary.
    pub words: u64,
    /// Bytes of the model file.
    pub file_bytes: u64,
    /// Stages and the time each took.
    pub stages: Vec<(String, Duration)>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let read = |name: &str, read: &Read| {
            format!(
                "{name:<22}{} rows, {} pairs, {} labelled 0, {} incomplete",
                read.rows, read.pairs, read.labelled_off, read.incomplete
            )
        };
        writeln!(
            f,
            "{:<22}{} lines, {} tokens",
            "text", self.text_lines, self.text_tokens
        )?;
        writeln!(f, "{}", read("pairs and groups", &self.pairs))?;
        writeln!(f, "{}", read("bitext", &self.bitext))?;
        writeln!(f, "{:<22}{}", "unfit for alignment", self.unfit)?;
        let phrases = (self.phrase_pairs, self.bilingual_phrase_pairs);
        writeln!(
            f,
            "{:<22}{} in pairs, {} in bitext",
            "phrase pairs", phrases.0, phrases.1
        )?;
        let table = &self.table;
        writeln!(f, "{:<22}{}", "candidate rows", table.candidates)?;
        writeln!(f, "{:<22}{}", "  improbable", table.improbable)?;
        for (reason, count) in &table.dropped {
            writeln!(f, "{:<22}{count}", format!("  {reason}"))?;
        }
        writeln!(f, "{:<22}{}", "  shorter row exists", table.decomposable)?;
        writeln!(f, "{:<22}{}", "  unreliable", table.unreliable)?;
        writeln!(f, "{:<22}{}", "  beyond the best", table.cut)?;
        let [thesaurus, synonyms, both] = table.voted;
        writeln!(
            f,
            "{:<22}{} rows, {} bytes in memory; votes: thesaurus {thesaurus}, synonyms {synonyms}, both {both}",
            "table", table.rows, self.table_bytes
        )?;
        if let Some(model) = &table.reliability {
            let weights: Vec<String> = model.weights().iter().map(|w| format!("{w:+.2}")).collect();
            writeln!(
                f,
                "{:<22}{} judged rows; weights per deviation: {}",
                "reliability",
                model.rows(),
                weights.join(" ")
            )?;
        }
        let orders: Vec<String> = self.ngrams.iter().map(u64::to_string).collect();
        writeln!(f, "{:<22}{}", "n-grams by order", orders.join(" / "))?;
        writeln!(f, "{:<22}{} words", "vocabulary", self.words)?;
        for (stage, time) in &self.stages {
            writeln!(
                f,
                "{:<22}{:.1} s",
                format!("time, {stage}"),
                time.as_secs_f64()
            )?;
        }
        write!(f, "{:<22}{} bytes", "model file", self.file_bytes)
    }
}
