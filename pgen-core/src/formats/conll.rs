//! CoNLL-U and CoNLL-X: a word a line, a blank line behind each sentence.

use crate::depend::Dependencies;
use crate::error::{Error, Place, Result};
use crate::input::Lines;
use crate::lexicon::Lexicon;
use crate::limits::Limits;
use crate::sentence::{Sentence, Token, TokenKind};
use crate::span::{ByteSpan, Span};
use crate::text::{TextOptions, normalize};
use crate::vocab::Vocab;
use std::io::{self, Write};
use std::sync::Arc;

/// A word of a [`ConllSentence`]. Empty columns (`_`) are empty strings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)] // the format's own column names
pub struct ConllWord {
    pub form: String,
    pub lemma: String,
    pub upos: String,
    pub xpos: String,
    pub feats: String,
    pub misc: String,
}

/// A sentence of CoNLL-U.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ConllSentence {
    /// `# sent_id`.
    pub id: Option<String>,
    /// `# text`.
    pub text: Option<String>,
    /// All comment lines without `#` and the blanks around, those two included.
    pub comments: Vec<String>,
    /// The words.
    pub words: Vec<ConllWord>,
    /// Ranges of words that are written as one token (`3-4`), with its form and MISC.
    pub ranges: Vec<(Span, String, String)>,
    /// Heads and relations.
    pub dependencies: Dependencies,
    /// Line of the first word or comment.
    pub line: u64,
}

/// Reads the next sentence; `None` at the end. Eight columns or more; separated by tabs, or by blanks in
/// lines without a tab. Empty nodes (`3.1`) are passed over. A line of empty columns (or with nothing but a
/// head of 0) is blank.
///
/// # Errors
/// [`Error::Syntax`] for a line that is none of the format, ids that do not count from 1, and a head that
/// is no number; [`Error::BadSpan`] for a head outside the sentence; [`Error::BadTree`] for a cycle;
/// [`Error::LimitExceeded`]; and as [`Lines::next_line`]. The sentence is then read to its end, so that
/// the next call goes on behind it.
pub fn read_conll(lines: &mut Lines, limits: &Limits) -> Result<Option<ConllSentence>> {
    let mut reader = Reader {
        sentence: ConllSentence::default(),
        arcs: Vec::new(),
        limits,
    };
    let mut failed = None;
    let mut any = false;
    loop {
        let (number, line) = match lines.next_line() {
            Ok(Some(read)) => read,
            Ok(None) => break,
            Err(error) => {
                // A bad line costs its sentence; a broken input ends by itself.
                any = true;
                failed.get_or_insert(error);
                continue;
            }
        };
        if ends_sentence(line) {
            if any {
                break;
            }
            continue;
        }
        if !any {
            any = true;
            reader.sentence.line = number;
        }
        if failed.is_none()
            && let Err(error) = reader.line(number, line)
        {
            failed = Some(error);
        }
    }
    match failed {
        Some(error) => Err(error.in_file(lines.input().name().clone())),
        None if !any => Ok(None),
        None => reader
            .finish()
            .map(Some)
            .map_err(|error| error.in_file(lines.input().name().clone())),
    }
}

/// A blank line, or one of empty columns: some tools fill a head of 0 into blank lines.
fn ends_sentence(line: &str) -> bool {
    let mut columns = line.split('\t').map(str::trim);
    columns.next() == Some("") && columns.all(|column| column.is_empty() || column == "0")
}

struct Reader<'a> {
    sentence: ConllSentence,
    arcs: Vec<(Option<u32>, String)>,
    limits: &'a Limits,
}

impl Reader<'_> {
    fn line(&mut self, number: u64, line: &str) -> Result<()> {
        if let Some(comment) = line.strip_prefix('#') {
            self.comment(comment.trim());
            return Ok(());
        }
        let columns: Vec<&str> = if line.contains('\t') {
            line.split('\t').collect()
        } else {
            line.split_whitespace().collect()
        };
        let wrong = |expected, found: &str, hint| {
            Err(Error::syntax(Place::line(number), expected, found, hint))
        };
        if columns.len() < 8 {
            return wrong("eight or more columns", line, "write CoNLL-U with tabs");
        }
        let id = columns[0];
        if id.contains('.') {
            return Ok(());
        }
        if let Some((from, to)) = id.split_once('-') {
            let (Ok(from), Ok(to)) = (from.parse::<u32>(), to.parse::<u32>()) else {
                return wrong("a range such as 3-4", id, "");
            };
            let next = self.arcs.len() as u32 + 1;
            let (true, Ok(span)) = (from == next, Span::new(from.saturating_sub(1), to)) else {
                return wrong("a range that starts at the next word", id, "");
            };
            let misc = columns.get(9).map_or("", |misc| plain(misc));
            self.sentence
                .ranges
                .push((span, columns[1].to_owned(), misc.to_owned()));
            return Ok(());
        }
        if id.parse() != Ok(self.arcs.len() + 1) {
            return wrong(
                "ids that count up from 1",
                id,
                "a blank line ends each sentence",
            );
        }
        Limits::check("number of tokens", self.arcs.len() + 1, self.limits.tokens)
            .and(Limits::check(
                "bytes of a token",
                columns[1].len(),
                self.limits.token_bytes,
            ))
            .map_err(|error| error.at_line(number))?;
        let Ok(head) = columns[6].parse::<u32>() else {
            return wrong("the number of the head", columns[6], "0 for a root");
        };
        self.arcs.push((head.checked_sub(1), columns[7].to_owned()));
        let column = |at: usize| columns.get(at).map_or("", |text| plain(text)).to_owned();
        self.sentence.words.push(ConllWord {
            form: columns[1].to_owned(),
            lemma: column(2),
            upos: column(3),
            xpos: column(4),
            feats: column(5),
            misc: column(9),
        });
        Ok(())
    }

    fn comment(&mut self, comment: &str) {
        let value = |key: &str| {
            let rest = comment.strip_prefix(key)?.trim_start().strip_prefix('=')?;
            Some(rest.trim().to_owned())
        };
        if let Some(id) = value("sent_id") {
            self.sentence.id = Some(id);
        } else if let Some(text) = value("text") {
            self.sentence.text = Some(text);
        }
        self.sentence.comments.push(comment.to_owned());
    }

    fn finish(mut self) -> Result<ConllSentence> {
        let line = self.sentence.line;
        if let Some((span, ..)) = self
            .sentence
            .ranges
            .iter()
            .find(|range| range.0.end() as usize > self.arcs.len())
        {
            let found = format!("{}-{}", span.start() + 1, span.end());
            return Err(Error::syntax(
                Place::line(line),
                "a range within the sentence",
                &found,
                "",
            ));
        }
        self.sentence.dependencies =
            Dependencies::new(&self.arcs).map_err(|error| error.at_line(line))?;
        Ok(self.sentence)
    }
}

fn plain(column: &str) -> &str {
    if column == "_" { "" } else { column }
}

impl ConllSentence {
    /// The tags, one a word: XPOS, or UPOS where no word has an XPOS.
    #[must_use]
    pub fn tags(&self) -> Vec<String> {
        let fine = self.words.iter().any(|word| !word.xpos.is_empty());
        let tag = |word: &ConllWord| if fine { &word.xpos } else { &word.upos }.clone();
        self.words.iter().map(tag).collect()
    }

    /// The words as a [`Sentence`] with tags and dependencies. Its text is `# text` if the forms are
    /// found there in order, else the forms with a space wherever `SpaceAfter=No` does not forbid it.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`].
    pub fn to_sentence(
        &self,
        vocab: &Arc<Vocab>,
        options: &TextOptions,
        limits: &Limits,
    ) -> Result<Sentence> {
        let (text, spans) = self.placed_in_text().unwrap_or_else(|| self.joined());
        let mut lexicon = Lexicon::new(Arc::clone(vocab));
        let mut tokens = Vec::with_capacity(spans.len());
        for (word, span) in self.words.iter().zip(spans) {
            let kind = if word.form.chars().any(char::is_alphanumeric) {
                TokenKind::Word
            } else {
                TokenKind::Punctuation
            };
            let form = normalize(&word.form, kind, options.lowercase);
            let protected = options.protect_numbers && word.form.chars().any(char::is_numeric);
            tokens.push(Token {
                bytes: span,
                word: lexicon.intern(&form)?,
                kind,
                protected,
            });
        }
        Sentence::new(text, tokens, lexicon, limits)?
            .with_tags(self.tags())?
            .with_dependencies(self.dependencies.clone())
    }

    fn placed_in_text(&self) -> Option<(String, Vec<ByteSpan>)> {
        let text = self.text.as_ref()?;
        let mut at = 0;
        let mut spans = Vec::with_capacity(self.words.len());
        for word in &self.words {
            let rest = text.get(at..)?;
            let start = at + rest.len() - rest.trim_start().len();
            if !text.get(start..)?.starts_with(word.form.as_str()) {
                return None;
            }
            at = start + word.form.len();
            spans.push(ByteSpan::new(u32::try_from(start).ok()?, u32::try_from(at).ok()?).ok()?);
        }
        Some((text.clone(), spans))
    }

    fn joined(&self) -> (String, Vec<ByteSpan>) {
        let mut text = String::new();
        let mut spans = Vec::with_capacity(self.words.len());
        for word in &self.words {
            let start = text.len() as u32;
            text.push_str(&word.form);
            spans.push(ByteSpan::empty(start).cover(ByteSpan::empty(text.len() as u32)));
            if !word.misc.split('|').any(|entry| entry == "SpaceAfter=No") {
                text.push(' ');
            }
        }
        (text, spans)
    }
}

/// Writes a sentence as CoNLL-U and a blank line; empty columns as `_`, DEPS always empty.
///
/// # Errors
/// As the writer.
pub fn write_conll(out: &mut dyn Write, sentence: &ConllSentence) -> io::Result<()> {
    for comment in &sentence.comments {
        writeln!(out, "# {comment}")?;
    }
    let filled = |text: &str| {
        if text.is_empty() {
            "_".to_owned()
        } else {
            text.replace(['\t', '\n'], " ")
        }
    };
    let mut ranges = sentence.ranges.iter().peekable();
    for (token, word) in sentence.words.iter().enumerate() {
        while let Some((span, form, misc)) =
            ranges.next_if(|range| range.0.start() as usize == token)
        {
            let (from, to, misc) = (span.start() + 1, span.end(), filled(misc));
            writeln!(
                out,
                "{from}-{to}\t{}\t_\t_\t_\t_\t_\t_\t_\t{misc}",
                filled(form)
            )?;
        }
        let head = sentence.dependencies.head(token).map_or(0, |head| head + 1);
        let relation = filled(sentence.dependencies.relation(token));
        let columns =
            [&word.form, &word.lemma, &word.upos, &word.xpos, &word.feats].map(|text| filled(text));
        write!(out, "{}\t{}", token + 1, columns.join("\t"))?;
        writeln!(out, "\t{head}\t{relation}\t_\t{}", filled(&word.misc))?;
    }
    writeln!(out)
}
