//! Word classes: each word in one class, or in none.

use crate::error::{Error, Result};
use crate::id::WordId;
use crate::input::Lines;
use crate::limits::Limits;
use crate::vocab::Vocab;
use std::io::Write;

/// A partition of words into classes, numbered from 0; words may be in none.
///
/// As text, one word a line: the word, a tab, the number of its class (as `mkcls` writes them).
/// [`WordClasses::write`] orders the lines by class, then by spelling.
///
/// ```
/// use pgen_core::{Limits, Lines, Vocab, WordClasses};
///
/// let mut vocab = Vocab::new();
/// let mut lines = Lines::from_text("cat\t1\nruns\t0\ndog\t1\n", &Limits::default())?;
/// let classes = WordClasses::read(&mut lines, &mut vocab)?;
/// assert_eq!(classes.class(vocab.get("dog").unwrap()), Some(1));
/// assert_eq!(classes.members(1).len(), 2);
/// # Ok::<(), pgen_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WordClasses {
    /// By word; [`NONE`] for words of no class.
    classes: Vec<u32>,
    /// Words by class, within it ascending by id.
    members: Vec<WordId>,
    /// Where each class begins in `members`, and the end.
    starts: Vec<usize>,
}

const NONE: u32 = u32::MAX;

impl WordClasses {
    /// A partition from each word's class, by word id. Memory is in proportion to the words and the largest
    /// class.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for a class at or above the number of words: numbers are to be dense, though
    /// classes may be empty.
    pub fn new(class_of: &[Option<u32>]) -> Result<Self> {
        let count = class_of.iter().flatten().max();
        let count = count.map_or(0, |&largest| largest as usize + 1);
        Limits::check("number of classes", count, class_of.len())?;
        let mut starts = vec![0; count + 1];
        for &class in class_of.iter().flatten() {
            starts[class as usize + 1] += 1;
        }
        for class in 0..count {
            starts[class + 1] += starts[class];
        }
        let mut next = starts.clone();
        let mut members = vec![WordId::UNK; starts[count]];
        for (word, class) in (0u32..).zip(class_of) {
            if let &Some(class) = class {
                let place = &mut next[class as usize];
                members[*place] = WordId::new(word);
                *place += 1;
            }
        }
        let classes = class_of.iter().map(|class| class.unwrap_or(NONE));
        Ok(WordClasses {
            classes: classes.collect(),
            members,
            starts,
        })
    }

    /// Number of classes, empty ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// True without any class.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The class of a word, if it has one.
    #[must_use]
    pub fn class(&self, word: WordId) -> Option<u32> {
        let class = *self.classes.get(word.index())?;
        (class != NONE).then_some(class)
    }

    /// The words of a class, ascending by id; none for a class that there is not.
    #[must_use]
    pub fn members(&self, class: u32) -> &[WordId] {
        let class = class as usize;
        match (self.starts.get(class), self.starts.get(class + 1)) {
            (Some(&start), Some(&end)) => self.members.get(start..end).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// Reads the form in text; words are added to the vocabulary. Empty lines count for nothing.
    ///
    /// # Errors
    /// [`Error::Syntax`] for a line that is not a word, a tab and a whole number, for a word listed twice, or
    /// for a class number that is larger than there are lines to fill the classes; errors of [`Lines`].
    pub fn read(lines: &mut Lines, vocab: &mut Vocab) -> Result<Self> {
        const EXPECTED: &str = "a word, a tab and the number of its class";
        let mut class_of: Vec<Option<u32>> = Vec::new();
        let mut largest = 0;
        let place_of = lines.place();
        while let Some((number, line)) = lines.next_line()? {
            if line.is_empty() {
                continue;
            }
            let wrong =
                |hint| Error::syntax(place_of.clone(), EXPECTED, line, hint).at_line(number);
            let (word, class) = line
                .split_once('\t')
                .ok_or_else(|| wrong("add the class"))?;
            let class: u32 = class
                .trim()
                .parse()
                .map_err(|_| wrong("classes are 0, 1, 2 …"))?;
            if word.is_empty() {
                return Err(wrong("the word is empty"));
            }
            let word = vocab.intern(word)?.index();
            if word >= class_of.len() {
                class_of.resize(word + 1, None);
            }
            if class_of[word].replace(class).is_some() {
                return Err(wrong("the word is listed twice; keep one of the lines"));
            }
            if class as usize >= class_of.len().max(largest) {
                largest = class as usize;
            }
        }
        if largest >= class_of.len() {
            // Other tools number from 1 or 2, so a few numbers more than words are lawful.
            let room = class_of.len() + 8;
            Limits::check("largest class number", largest, room)?;
            class_of.resize(largest + 1, None);
        }
        Self::new(&class_of)
    }

    /// Writes the form in text.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Mismatch`] if a word is not of the vocabulary.
    pub fn write(&self, vocab: &Vocab, mut out: impl Write) -> Result<()> {
        for class in 0..self.len() as u32 {
            let spelled = self.members(class).iter().map(|&word| vocab.word(word));
            let Some(mut words) = spelled.collect::<Option<Vec<&str>>>() else {
                return Err(Error::Mismatch {
                    what: "word classes and vocabulary",
                    reason: "a word of the classes is not of the vocabulary".into(),
                });
            };
            words.sort_unstable();
            for word in words {
                writeln!(out, "{word}\t{class}").map_err(|source| Error::Io {
                    place: crate::Place::default(),
                    source,
                })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(WordClasses, Vocab)> {
        let mut vocab = Vocab::new();
        let mut lines = Lines::from_text(text, &Limits::default())?;
        Ok((WordClasses::read(&mut lines, &mut vocab)?, vocab))
    }

    #[test]
    fn what_is_written_is_read() {
        let (classes, vocab) = read("b\t1\na\t1\n\nc\t3\n<s>\t0\n").unwrap();
        assert_eq!((classes.len(), classes.members(2).len()), (4, 0));
        let mut out = Vec::new();
        classes.write(&vocab, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "<s>\t0\na\t1\nb\t1\nc\t3\n");
        let (again, other) = read(&text).unwrap();
        for (word, spelling) in vocab.words().skip(3) {
            let there = other.get(spelling).and_then(|word| again.class(word));
            assert_eq!(classes.class(word), there);
        }
    }

    #[test]
    fn wrong_lines_name_their_place() {
        for text in [
            "a\t0\nb",
            "a\t0\nb\tx",
            "a\t0\n\t1",
            "a\t0\na\t1",
            "a\t0\nb\t-1",
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.code(), "syntax");
            assert!(error.to_string().contains('2'), "{error}");
        }
        assert_eq!(read("a\t4000000000").unwrap_err().code(), "limit-exceeded");
    }

    #[test]
    fn words_outside_have_no_class() {
        let classes = WordClasses::new(&[None, Some(1), Some(0)]).unwrap();
        assert_eq!(classes.class(WordId::new(0)), None);
        assert_eq!(classes.class(WordId::new(99)), None);
        assert_eq!(classes.members(1), [WordId::new(1)]);
        assert!(classes.members(7).is_empty());
        assert!(WordClasses::new(&[Some(9)]).is_err());
        assert!(WordClasses::default().is_empty());
    }
}
