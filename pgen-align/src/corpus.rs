//! Sentence pairs in memory, as word ids, and the reader that fills them line by line.

use crate::error::{Error, Result};
use pgen_core::text::tokens;
use pgen_core::{Limits, Lines, Place, Vocab, WordId};

/// Which side generates which. A model of `P(s|t)` explains every source word by one target word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Direction {
    /// `P(source | target)`: each source word comes from one target word or from NULL.
    SourceGivenTarget,
    /// `P(target | source)`: each target word comes from one source word or from NULL.
    TargetGivenSource,
}

/// One pair of sentences, neither of them empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair<'a> {
    /// The source sentence.
    pub source: &'a [WordId],
    /// The target sentence.
    pub target: &'a [WordId],
}

impl<'a> Pair<'a> {
    /// The side that is generated and the side that it is generated from.
    #[must_use]
    pub fn sides(self, direction: Direction) -> (&'a [WordId], &'a [WordId]) {
        match direction {
            Direction::SourceGivenTarget => (self.source, self.target),
            Direction::TargetGivenSource => (self.target, self.source),
        }
    }
}

/// A parallel corpus in one flat vector: 4 bytes a word and 16 bytes a pair. Ids come from one
/// [`Vocab`] for both sides, so that a word of one language is the same id on either side.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    words: Vec<WordId>,
    /// End of the source and end of the target of each pair.
    ends: Vec<[usize; 2]>,
    /// Pairs that are text; the rest is the identity lexicon.
    text: usize,
    /// One more than the highest word id.
    id_bound: usize,
}

impl Corpus {
    /// No pairs.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of text pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.text
    }

    /// True without text pairs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text == 0
    }

    /// Number of pairs that trainers see: text and identity lexicon.
    #[must_use]
    pub fn training_len(&self) -> usize {
        self.ends.len()
    }

    /// One more than the highest word id in use.
    #[must_use]
    pub fn id_bound(&self) -> usize {
        self.id_bound
    }

    /// Number of words on both sides.
    #[must_use]
    pub fn word_count(&self) -> usize {
        self.words.len()
    }

    /// Adds a text pair.
    ///
    /// # Errors
    /// [`Error::EmptySide`] if a side has no words; [`pgen_core::Error::BadParameter`] if the identity
    /// lexicon was added before.
    pub fn push(&mut self, source: &[WordId], target: &[WordId]) -> Result<()> {
        for (side, words) in [("source", source), ("target", target)] {
            if words.is_empty() {
                let place = Place::default();
                return Err(Error::EmptySide { place, side });
            }
        }
        if self.text != self.ends.len() {
            let expected = "text before the identity lexicon";
            return Err(
                pgen_core::Error::parameter("corpus", "text after lexicon", expected).into(),
            );
        }
        self.push_any(source, target);
        self.text += 1;
        Ok(())
    }

    fn push_any(&mut self, source: &[WordId], target: &[WordId]) {
        self.words.extend_from_slice(source);
        let middle = self.words.len();
        self.words.extend_from_slice(target);
        self.ends.push([middle, self.words.len()]);
        let highest = source
            .iter()
            .chain(target)
            .map(|word| word.index() + 1)
            .max();
        self.id_bound = self.id_bound.max(highest.unwrap_or(0));
    }

    /// Adds a text pair of tokens separated by blanks.
    ///
    /// # Errors
    /// As [`Self::push`]; [`Error::TooLong`] if a side has more words than `limits.tokens`;
    /// [`pgen_core::Error::LimitExceeded`] for an overlong token or a full vocabulary.
    pub fn push_text(
        &mut self,
        source: &str,
        target: &str,
        vocab: &mut Vocab,
        limits: &Limits,
    ) -> Result<()> {
        let source = intern(source, vocab, limits)?;
        let target = intern(target, vocab, limits)?;
        self.push(&source, &target)
    }

    /// Appends the pair (w, w) for every word w of either side, ascending by id (Quirk et al. 2004,
    /// footnote 5). Trainers see these pairs; [`Self::pairs`] does not. A second call does nothing.
    pub fn add_identity_lexicon(&mut self) {
        if self.ends.len() > self.text {
            return;
        }
        let mut seen = vec![false; self.id_bound];
        for word in &self.words {
            seen[word.index()] = true;
        }
        for (raw, _) in seen.iter().enumerate().filter(|&(_, &seen)| seen) {
            if let Some(word) = WordId::from_index(raw) {
                self.push_any(&[word], &[word]);
            }
        }
    }

    /// The pair at this place, text first, then identity lexicon.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Pair<'_>> {
        (index < self.ends.len()).then(|| self.pair(index))
    }

    /// The pair at a place below [`Self::training_len`].
    pub(crate) fn pair(&self, index: usize) -> Pair<'_> {
        let start = if index == 0 {
            0
        } else {
            self.ends[index - 1][1]
        };
        let [middle, end] = self.ends[index];
        Pair {
            source: &self.words[start..middle],
            target: &self.words[middle..end],
        }
    }

    /// The text pairs in order.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = Pair<'_>> {
        (0..self.text).map(|index| self.pair(index))
    }

    /// Generated side and conditioning side of a pair.
    pub(crate) fn sides(&self, index: usize, direction: Direction) -> (&[WordId], &[WordId]) {
        self.pair(index).sides(direction)
    }
}

/// The ids of blank-separated tokens.
fn intern(text: &str, vocab: &mut Vocab, limits: &Limits) -> Result<Vec<WordId>> {
    let mut words = Vec::new();
    for token in tokens(text) {
        Limits::check(
            "length of a token in bytes",
            token.len(),
            limits.token_bytes,
        )?;
        words.push(vocab.intern(token)?);
    }
    if words.len() > limits.tokens {
        return Err(Error::TooLong {
            place: Place::default(),
            found: words.len(),
            limit: limits.tokens,
        });
    }
    Ok(words)
}

/// A line of a pair file: its number from 1 and its two sentences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairLine {
    /// Line number, from 1.
    pub line: u64,
    /// First sentence.
    pub source: String,
    /// Second sentence.
    pub target: String,
}

/// Reads tab-separated pairs line by line: the last two columns are the sentences. A bad line is an
/// error item; reading goes on after it. Memory is that of one line.
#[derive(Debug)]
pub struct PairReader {
    lines: Lines,
}

impl PairReader {
    /// A reader of these lines.
    #[must_use]
    pub fn new(lines: Lines) -> Self {
        PairReader { lines }
    }

    /// Number of the line last read, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.lines.number()
    }

    /// The line last read, for messages.
    #[must_use]
    pub fn place(&self) -> Place {
        self.lines.place()
    }

    fn parse(line: u64, text: &str, place: impl FnOnce() -> Place) -> Result<PairLine> {
        let mut columns = text.rsplitn(3, '\t');
        let (target, source) = (columns.next().unwrap_or(""), columns.next());
        let Some(source) = source else {
            let hint = "separate the two sentences by a TAB";
            return Err(pgen_core::Error::syntax(place(), "two columns", text, hint).into());
        };
        let (source, target) = (source.to_owned(), target.to_owned());
        Ok(PairLine {
            line,
            source,
            target,
        })
    }
}

impl Iterator for PairReader {
    type Item = Result<PairLine>;

    fn next(&mut self) -> Option<Self::Item> {
        let name = self.lines.input().name().clone();
        match self.lines.next_line() {
            Ok(None) => None,
            Ok(Some((line, text))) => {
                Some(Self::parse(line, text, || Place::line(line).in_file(name)))
            }
            Err(error) => Some(Err(error.into())),
        }
    }
}

/// What became of the lines of a pair file.
#[derive(Debug, Default)]
pub struct LoadReport {
    /// Lines read.
    pub read: u64,
    /// Lines kept as pairs.
    pub kept: u64,
    /// The first skipped lines, each with its reason; at most [`LoadReport::MAX_REASONS`].
    pub reasons: Vec<Error>,
    /// Number of all skipped lines.
    pub skipped: u64,
}

impl LoadReport {
    /// How many reasons are kept.
    pub const MAX_REASONS: usize = 100;

    fn skip(&mut self, reason: Error) {
        self.skipped += 1;
        if self.reasons.len() < Self::MAX_REASONS {
            self.reasons.push(reason);
        }
    }
}

/// Reads pre-tokenised pairs into a corpus; lines that are no pair are skipped, counted and reported
/// with their line numbers.
///
/// # Errors
/// None so far: even a stream that breaks off is reported as a skipped line.
pub fn read_pairs(
    lines: Lines,
    vocab: &mut Vocab,
    limits: &Limits,
) -> Result<(Corpus, LoadReport)> {
    let (mut corpus, mut report) = (Corpus::new(), LoadReport::default());
    let mut pairs = PairReader::new(lines);
    while let Some(item) = pairs.next() {
        report.read += 1;
        let pushed = item.and_then(|pair| {
            corpus
                .push_text(&pair.source, &pair.target, vocab, limits)
                .map_err(|error| error.at_place(pairs.place()))
        });
        match pushed {
            Ok(()) => report.kept += 1,
            Err(error) => report.skip(error),
        }
    }
    Ok((corpus, report))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: Vec<u8>, limits: &Limits) -> Lines {
        Lines::from_reader(std::io::Cursor::new(text), "input", limits).unwrap()
    }

    #[test]
    fn bad_lines_are_counted_with_their_numbers() {
        let text = b"\xEF\xBB\xBFa b\tc\r\nalone\n\t\nx\ty z\n\xFF\tq\nid\tl\tr";
        let limits = Limits::default();
        let mut vocab = Vocab::new();
        let (corpus, report) =
            read_pairs(lines(text.to_vec(), &limits), &mut vocab, &limits).unwrap();
        assert_eq!((report.read, report.kept, report.skipped), (6, 3, 3));
        let codes: Vec<_> = report.reasons.iter().map(Error::code).collect();
        assert_eq!(codes, ["syntax", "empty-side", "encoding"]);
        assert!(report.reasons[1].to_string().starts_with("input:3: "));
        assert!(report.reasons[2].to_string().starts_with("input:5: "));
        let last = corpus.get(2).unwrap();
        assert_eq!(vocab.word(last.source[0]), Some("l"));
        assert_eq!(vocab.word(corpus.get(0).unwrap().source[0]), Some("a"));
    }

    #[test]
    fn overlong_lines_and_sentences_are_skipped() {
        let mut limits = Limits::default();
        (limits.line_bytes, limits.tokens) = (20, 3);
        let text = format!("{}\tb\na b c d\te\na\tb\n", "a ".repeat(5000));
        let (corpus, report) = read_pairs(
            lines(text.into_bytes(), &limits),
            &mut Vocab::new(),
            &limits,
        )
        .unwrap();
        assert_eq!(corpus.len(), 1);
        let codes: Vec<_> = report.reasons.iter().map(Error::code).collect();
        assert_eq!(codes, ["limit-exceeded", "too-long"]);
    }

    #[test]
    fn the_identity_lexicon_is_no_text() {
        let mut vocab = Vocab::new();
        let mut corpus = Corpus::new();
        corpus
            .push_text("a b", "b c", &mut vocab, &Limits::default())
            .unwrap();
        corpus.add_identity_lexicon();
        corpus.add_identity_lexicon();
        assert_eq!((corpus.len(), corpus.training_len()), (1, 4));
        assert_eq!(corpus.pairs().len(), 1);
    }
}
