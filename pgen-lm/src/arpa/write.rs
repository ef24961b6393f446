//! The ARPA writer.

use crate::ngrams::Ngrams;
use pgen_core::{Result, Vocab, WordId};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes a model as ARPA text: tabs between the fields, `<unk>`, `<s>` (with −99) and `</s>` first, then
/// n-grams in the order of word ids; numbers are the shortest that read back as the same f32. Other tools
/// (KenLM, SRILM) load it with equal scores. A probability of 0 is written as −99.
///
/// # Errors
/// Errors of `out`. Words that `vocab` does not have are [`pgen_core::Error::Mismatch`].
pub fn write_arpa(ngrams: &Ngrams, vocab: &Vocab, out: &mut impl Write) -> Result<()> {
    if ngrams.vocabulary() > vocab.len() {
        return Err(pgen_core::Error::Mismatch {
            what: "model and vocabulary",
            reason: format!(
                "the model knows {} words, the vocabulary {}",
                ngrams.vocabulary(),
                vocab.len()
            )
            .into(),
        });
    }
    write_all(ngrams, vocab, out).map_err(|e| pgen_core::Error::Io {
        place: pgen_core::Place::default(),
        source: e,
    })
}

fn write_all(ngrams: &Ngrams, vocab: &Vocab, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\\data\\")?;
    for (order, count) in (1..).zip(ngrams.counts()) {
        writeln!(out, "ngram {order}={count}")?;
    }
    for order in 1..=ngrams.order() {
        writeln!(out, "\n\\{order}-grams:")?;
        let mut result = Ok(());
        let mut line = String::new();
        ngrams.for_each(order, |words, log_prob, backoff| {
            if result.is_err() {
                return;
            }
            line.clear();
            let log10 = if words == [WordId::BOS] {
                -99.0
            } else {
                log_prob.log10().max(-99.0)
            };
            let _ = write!(line, "{}\t", log10 as f32);
            for (at, &word) in words.iter().enumerate() {
                let blank = if at == 0 { "" } else { " " };
                let _ = write!(line, "{blank}{}", vocab.word(word).unwrap_or_default());
            }
            let weight = backoff.log10().max(-99.0) as f32;
            if order < ngrams.order() && weight != 0.0 {
                let _ = write!(line, "\t{weight}");
            }
            line.push('\n');
            result = out.write_all(line.as_bytes());
        });
        result?;
    }
    writeln!(out, "\n\\end\\")
}
