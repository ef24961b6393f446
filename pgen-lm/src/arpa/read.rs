//! The ARPA reader: streaming, strict or lenient.

use super::line::{check_numbers, parse_count, parse_gram};
use super::options::{ArpaOptions, ArpaReport};
use crate::error::{Error, Result};
use crate::ngrams::{GramList, Ngrams, from_levels};
use pgen_core::{Error as CoreError, Input, Limits, Lines, Vocab, WordId, quote};
use std::io::BufRead;
use std::path::Path;

/// Starts of files that are other forms of language models.
const OTHER: [(&[u8], &str, &str); 4] = [
    (
        b"mmap lm http://kheafield.com/code",
        "a KenLM binary",
        "keep the .arpa file it was built from and read that",
    ),
    (
        b"iARPA",
        "an IRSTLM iARPA file",
        "convert it with compile-lm --text=yes",
    ),
    (
        b"blmt",
        "an IRSTLM binary",
        "convert it with compile-lm --text=yes",
    ),
    (
        b"Qblmt",
        "a quantised IRSTLM binary",
        "convert it with compile-lm --text=yes",
    ),
];

/// Reads an ARPA file, also gzipped; new words are added to `vocab`. Time and memory are linear in the
/// file's content; nothing is allocated by the counts of the header.
///
/// # Errors
/// Errors of this crate for what the format forbids, naming the line; [`pgen_core::Error::WrongFormat`] for
/// binary models of KenLM and IRSTLM; limits; errors of the system.
pub fn read_arpa(
    path: &Path,
    vocab: &mut Vocab,
    options: &ArpaOptions,
) -> Result<(Ngrams, ArpaReport)> {
    read_arpa_input(Input::open(path, &options.limits)?, vocab, options)
}

/// As [`read_arpa`], from an opened input, such as a pipe of which the beginning was looked at.
///
/// # Errors
/// As [`read_arpa`].
pub fn read_arpa_input(
    mut input: Input,
    vocab: &mut Vocab,
    options: &ArpaOptions,
) -> Result<(Ngrams, ArpaReport)> {
    let place = input.place();
    let head = match input.fill_buf() {
        Ok(head) => head,
        Err(error) => return Err(input.error(error).into()),
    };
    if let Some((_, found, hint)) = OTHER.iter().find(|(magic, ..)| head.starts_with(magic)) {
        return Err(CoreError::WrongFormat {
            place,
            expected: "an ARPA file",
            found: (*found).into(),
            hint,
        }
        .into());
    }
    read_arpa_lines(Lines::new(input, &options.limits), vocab, options)
}

/// As [`read_arpa`], from opened lines.
///
/// # Errors
/// As [`read_arpa`].
pub fn read_arpa_lines(
    lines: Lines,
    vocab: &mut Vocab,
    options: &ArpaOptions,
) -> Result<(Ngrams, ArpaReport)> {
    let mut reader = Reader {
        lines,
        vocab,
        options,
        report: ArpaReport::default(),
        unigrams: Vec::new(),
    };
    reader.read()
}

struct Reader<'a> {
    lines: Lines,
    vocab: &'a mut Vocab,
    options: &'a ArpaOptions,
    report: ArpaReport,
    unigrams: Vec<Option<(f64, f64)>>,
}

/// The line that ends a section.
enum End {
    Section(usize),
    File,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(Ngrams, ArpaReport)> {
        self.pass_head()?;
        let (counts, mut end) = self.read_counts()?;
        let mut longer = Vec::new();
        for order in 1..=counts.len() {
            self.expect_section(&end, order, counts.len())?;
            let mut list = GramList::new(order);
            let (found, next) = self.read_section(counts.len(), &mut list)?;
            end = next;
            let declared = counts[order - 1];
            if found != declared {
                self.oddity(
                    Error::CountMismatch {
                        place: self.lines.place(),
                        order,
                        declared,
                        found,
                    },
                    "counted what is there",
                )?;
            }
            if order == 1 {
                self.check_symbols()?;
                self.report.counts.push(found);
            } else {
                let list = self.without_duplicates(list)?;
                self.report.counts.push(list.len() as u64);
                longer.push(list);
            }
        }
        self.read_tail(&end, counts.len())?;
        let (ngrams, closure) = from_levels(&self.unigrams, longer)?;
        self.report.inserted = closure.inserted;
        Ok((ngrams, std::mem::take(&mut self.report)))
    }

    /// An error in strict mode; a warning in lenient mode.
    fn oddity(&mut self, error: Error, done: &str) -> Result<()> {
        if !self.options.lenient {
            return Err(error);
        }
        self.report
            .warn(self.lines.number(), format!("{error} ({done})"));
        Ok(())
    }

    /// The next line that is not blank.
    fn next(&mut self, expected: &'static str) -> Result<String> {
        loop {
            let Some((_, line)) = self.lines.next_line()? else {
                let place = self.lines.place();
                return Err(Error::Truncated { place, expected });
            };
            let line = line.trim_matches([' ', '\t', '\r']);
            if !line.is_empty() {
                return Ok(line.to_owned());
            }
        }
    }

    fn pass_head(&mut self) -> Result<()> {
        loop {
            let line = self.next("\\data\\")?;
            if line == "\\data\\" {
                return Ok(());
            }
            if !line.starts_with('#') {
                let error = CoreError::syntax(
                    self.lines.place(),
                    "\\data\\ or a comment that starts with #",
                    &line,
                    "this is no ARPA file, or read it leniently",
                );
                self.oddity(error.into(), "passed over")?;
            }
        }
    }

    /// The counts, and the line after them.
    fn read_counts(&mut self) -> Result<(Vec<u64>, End)> {
        let mut counts = Vec::new();
        loop {
            let line = self.next("\\1-grams:")?;
            if line.starts_with('\\') && !counts.is_empty() {
                let end = self.section_end(&line)?;
                return Ok((counts, end));
            }
            let place = self.lines.place();
            let (order, count) = parse_count(&line, &place)?;
            let limits = &self.options.limits;
            Limits::check("order of the model", order, limits.order)
                .map_err(|e| e.at_place(place.clone()))?;
            if order != counts.len() + 1 {
                return Err(Error::OrderSequence {
                    place,
                    expected: counts.len() + 1,
                    found: quote(&line),
                });
            }
            let rows = usize::try_from(count).unwrap_or(usize::MAX);
            Limits::check("number of n-grams", rows, limits.rows).map_err(|e| e.at_place(place))?;
            counts.push(count);
        }
    }

    /// What a line that starts with a backslash ends.
    fn section_end(&self, line: &str) -> Result<End> {
        if line == "\\end\\" {
            return Ok(End::File);
        }
        let order = line
            .strip_prefix('\\')
            .and_then(|rest| rest.strip_suffix("-grams:"))
            .and_then(|order| order.parse().ok());
        order.map(End::Section).ok_or_else(|| {
            let hint = "sections are headed \\1-grams: and so on";
            CoreError::syntax(
                self.lines.place(),
                "a section heading or \\end\\",
                line,
                hint,
            )
            .into()
        })
    }

    fn expect_section(&self, end: &End, order: usize, orders: usize) -> Result<()> {
        let found = match end {
            End::Section(found) if *found == order => return Ok(()),
            End::Section(found) => found.to_string(),
            End::File => format!("\\end\\ although the header has {orders} orders"),
        };
        Err(Error::OrderSequence {
            place: self.lines.place(),
            expected: order,
            found: found.into(),
        })
    }

    fn read_section(&mut self, orders: usize, list: &mut GramList) -> Result<(u64, End)> {
        let mut found = 0;
        let mut text = String::new();
        loop {
            let Some((number, line)) = self.lines.next_line()? else {
                return Err(Error::Truncated {
                    place: self.lines.place(),
                    expected: "\\end\\",
                });
            };
            text.clear();
            text.push_str(line);
            if text.starts_with('\\') {
                let line = text.trim_end_matches([' ', '\t', '\r']);
                return Ok((found, self.section_end(line)?));
            }
            if text
                .bytes()
                .all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
            {
                continue;
            }
            found += 1;
            self.read_gram(number, &text, orders, list)?;
        }
    }

    /// One n-gram line; `list` tells the order.
    fn read_gram(
        &mut self,
        number: u64,
        line: &str,
        orders: usize,
        list: &mut GramList,
    ) -> Result<()> {
        let order = list.order;
        let place = || self.lines.place();
        let gram = parse_gram(line, order)
            .map_err(|(expected, hint)| CoreError::syntax(place(), expected, line, hint))?;
        let (report, lenient) = (&mut self.report, self.options.lenient);
        let numbers = check_numbers(&gram, order == orders, |problem, done| {
            let error = CoreError::syntax(place(), problem, line, "or read it leniently");
            if !lenient {
                return Err(error);
            }
            report.warn(number, format!("{error} ({done})"));
            Ok(())
        });
        let (log_prob, backoff) = numbers.map_err(|e| e.at_place(place()))?;
        if order == 1 {
            let id = intern(self.vocab, gram.words[0], &self.options.limits)
                .map_err(|e| e.at_place(place()))?;
            return self.add_unigram(id, gram.words[0], log_prob, backoff);
        }
        for &word in &gram.words {
            match self.vocab.get_symbol(word) {
                Some(id) if matches!(self.unigrams.get(id.index()), Some(Some(_))) => {
                    list.words.push(id.raw());
                }
                _ => {
                    return Err(Error::UnknownWord {
                        place: place(),
                        word: quote(word),
                    });
                }
            }
        }
        list.log_probs.push(log_prob);
        list.backoffs.push(backoff);
        Ok(())
    }

    fn add_unigram(&mut self, id: WordId, word: &str, log_prob: f64, backoff: f64) -> Result<()> {
        if self.unigrams.len() <= id.index() {
            // Ids grow by one a line at most, so this cannot outgrow the input.
            self.unigrams.resize(self.vocab.len(), None);
        }
        if self.unigrams[id.index()].is_some() {
            let error = Error::Duplicate {
                place: self.lines.place(),
                ngram: quote(word),
            };
            return self.oddity(error, "kept the first");
        }
        // `<s>` is never predicted: lmplz writes 0 there, others −99.
        let log_prob = if id == WordId::BOS {
            -99.0 * std::f64::consts::LN_10
        } else {
            log_prob
        };
        self.unigrams[id.index()] = Some((log_prob, backoff));
        Ok(())
    }

    fn check_symbols(&mut self) -> Result<()> {
        self.unigrams.resize(self.vocab.len(), None);
        for (id, symbol) in [(WordId::BOS, "<s>"), (WordId::EOS, "</s>")] {
            if self.unigrams[id.index()].is_none() {
                let place = self.lines.place();
                self.oddity(Error::MissingSymbol { place, symbol }, "accepted")?;
            }
        }
        if self.unigrams[WordId::UNK.index()].is_none() {
            let unknown = self.options.unknown;
            self.report.warn(
                0,
                format!(
                    "no <unk>: unknown words get log10 probability {}",
                    unknown.log10()
                ),
            );
            self.unigrams[WordId::UNK.index()] = Some((unknown.ln(), 0.0));
        }
        Ok(())
    }

    /// Sorts a section and drops repeated n-grams, or refuses them.
    fn without_duplicates(&mut self, list: GramList) -> Result<GramList> {
        let sorted = list.sorted();
        let mut kept = GramList::new(list.order);
        kept.words.reserve_exact(list.words.len());
        let mut last: Option<usize> = None;
        for at in sorted.into_iter().map(|at| at as usize) {
            if last.is_some_and(|last| list.gram(last) == list.gram(at)) {
                let words = list.gram(at).iter().map(|&word| WordId::new(word));
                let words: Vec<&str> = words.filter_map(|word| self.vocab.word(word)).collect();
                let error = Error::Duplicate {
                    place: self.lines.input().place(),
                    ngram: quote(&words.join(" ")),
                };
                self.oddity(error, "kept the first")?;
                continue;
            }
            kept.push(list.gram(at), list.log_probs[at], list.backoffs[at]);
            last = Some(at);
        }
        Ok(kept)
    }

    fn read_tail(&mut self, end: &End, orders: usize) -> Result<()> {
        if let End::Section(found) = end {
            return Err(Error::OrderSequence {
                place: self.lines.place(),
                expected: orders,
                found: format!("a section of order {found} that the header does not have").into(),
            });
        }
        while let Some((_, line)) = self.lines.next_line()? {
            if line.trim_matches([' ', '\t', '\r']).is_empty() {
                continue;
            }
            let found = quote(line);
            let place = self.lines.place();
            self.oddity(Error::TrailingData { place, found }, "ignored")?;
            if self.report.warned > ArpaReport::SHOWN as u64 {
                return Ok(());
            }
        }
        Ok(())
    }
}

fn intern(vocab: &mut Vocab, word: &str, limits: &Limits) -> pgen_core::Result<WordId> {
    Limits::check("length of a word in bytes", word.len(), limits.token_bytes)?;
    let id = vocab.intern_symbol(word)?;
    Limits::check("number of words", vocab.len(), limits.words)?;
    Ok(id)
}
