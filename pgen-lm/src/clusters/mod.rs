//! Classes of words that stand beside the same classes of words.

mod exchange;
mod replace;
mod table;

pub use replace::ClassReplacements;

use crate::error::{Error, Result};
use exchange::Exchange;
use hashbrown::HashMap;
use pgen_core::text::tokens;
use pgen_core::{Lines, Progress, Vocab, WordClasses, WordId};

/// Settings of [`ClusterTrainer`].
///
/// | field | default | meaning |
/// |---|---|---|
/// | `classes` | 4,096 | number of classes; at least 1 |
/// | `max_words` | none | only so many of the most frequent words (ties by spelling) are put into classes; the others break the text |
/// | `sweeps` | 20 | passes over all words, at most |
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct ClusterParams {
    pub classes: usize,
    pub max_words: Option<usize>,
    pub sweeps: usize,
}

impl Default for ClusterParams {
    fn default() -> Self {
        ClusterParams {
            classes: 4096,
            max_words: None,
            sweeps: 20,
        }
    }
}

impl ClusterParams {
    /// The defaults with so many classes.
    #[must_use]
    pub fn new(classes: usize) -> Self {
        ClusterParams {
            classes,
            ..Self::default()
        }
    }

    /// Only so many of the most frequent words.
    #[must_use]
    pub fn with_max_words(mut self, words: usize) -> Self {
        self.max_words = Some(words);
        self
    }

    /// # Errors
    /// [`pgen_core::Error::BadParameter`].
    pub fn check(&self) -> Result<()> {
        for (name, value) in [
            ("classes", self.classes),
            ("max_words", self.max_words.unwrap_or(1)),
        ] {
            if value == 0 || u32::try_from(value).is_err() {
                let expected = "1 to 4294967295";
                return Err(pgen_core::Error::parameter(name, value, expected).into());
            }
        }
        Ok(())
    }
}

/// Counts pairs of neighbours in text, then puts words into classes by the exchange algorithm.
///
/// The classes make the mutual information of neighbouring classes large:
/// I = Σ p(c, d) ln (p(c, d) / (p(c) p(d))) over pairs of neighbours, which is the likelihood of a class
/// bigram model up to a constant (Brown, Della Pietra, deSouza, Lai and Mercer 1992, section 3). Words start
/// in the class of their rank modulo the number of classes; each in turn, by falling frequency, goes to the
/// class where I is largest (Kneser and Ney 1993; Martin, Liermann and Ney 1998), until none moves. I never
/// falls. `<s>` and `</s>` are in no class.
///
/// Time is, for each sweep, in proportion to the sum over words of the pairs of classes that their
/// neighbours' classes are in: seconds for thousands of words, minutes for 65,000 words in 4,096 classes.
///
/// ```
/// use pgen_core::{Limits, Lines, Vocab};
/// use pgen_lm::{ClusterParams, ClusterTrainer};
///
/// let mut vocab = Vocab::new();
/// let mut trainer = ClusterTrainer::new(ClusterParams::new(2))?;
/// let text = "the cat runs\nthe dog runs\nthe cat sleeps\nthe dog sleeps\n";
/// trainer.add_lines(Lines::from_text(text, &Limits::default())?, &mut vocab, &())?;
/// let clustering = trainer.finish(&vocab, &())?;
/// let class = |word: &str| clustering.classes.class(vocab.get(word).unwrap());
/// assert_eq!(class("cat"), class("dog"));
/// # Ok::<(), pgen_lm::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClusterTrainer {
    params: ClusterParams,
    /// By word.
    counts: Vec<u64>,
    pairs: HashMap<(WordId, WordId), u32>,
}

/// What [`ClusterTrainer::finish`] gives.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Clustering {
    /// The class of each word.
    pub classes: WordClasses,
    /// Mutual information of neighbouring classes, in nats, before the first sweep and after each.
    pub information: Vec<f64>,
    /// Words moved.
    pub moves: u64,
}

impl ClusterTrainer {
    /// Checks the settings and begins.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadParameter`].
    pub fn new(params: ClusterParams) -> Result<Self> {
        params.check()?;
        Ok(ClusterTrainer {
            params,
            counts: Vec::new(),
            pairs: HashMap::new(),
        })
    }

    /// Adds a sentence. Control symbols in it are in no class and break it.
    pub fn add(&mut self, sentence: &[WordId]) {
        for &word in sentence {
            if word.index() >= self.counts.len() {
                self.counts.resize(word.index() + 1, 0);
            }
            self.counts[word.index()] += 1;
        }
        for pair in sentence.windows(2) {
            let count = self.pairs.entry((pair[0], pair[1])).or_insert(0);
            *count = count.saturating_add(1);
        }
    }

    /// Adds every line as a sentence of tokens separated by spaces, tabs or carriage returns; new words go
    /// to `vocab`.
    ///
    /// # Errors
    /// The lines' errors; [`pgen_core::Error::Cancelled`].
    pub fn add_lines(
        &mut self,
        mut lines: Lines,
        vocab: &mut Vocab,
        progress: &dyn Progress,
    ) -> Result<()> {
        progress.stage("count pairs", lines.input().total());
        let stop = progress.stop();
        let mut sentence = Vec::new();
        while let Some((number, line)) = lines.next_line()? {
            stop.check()?;
            sentence.clear();
            for word in tokens(line) {
                sentence.push(vocab.intern(word)?);
            }
            self.add(&sentence);
            if number % 4096 == 0 {
                progress.done(lines.input().consumed());
            }
        }
        Ok(())
    }

    /// Puts the words into classes; `vocab` has all words that were added. The outcome depends on the text
    /// alone, not on the order of ids.
    ///
    /// # Errors
    /// [`Error::EmptyCorpus`] without a pair of neighbours; [`pgen_core::Error::Mismatch`] if `vocab` lacks
    /// a word; [`pgen_core::Error::Cancelled`].
    pub fn finish(self, vocab: &Vocab, progress: &dyn Progress) -> Result<Clustering> {
        if self.counts.len() > vocab.len() {
            return Err(pgen_core::Error::Mismatch {
                what: "text and vocabulary",
                reason: "the text has words that the vocabulary lacks".into(),
            }
            .into());
        }
        let ranked = self.ranked(vocab);
        let mut rank_of = vec![u32::MAX; self.counts.len()];
        for (rank, &word) in (0u32..).zip(&ranked) {
            rank_of[word.index()] = rank;
        }
        let mut pairs: Vec<(u32, u32, u32)> = Vec::with_capacity(self.pairs.len());
        for (&(a, b), &count) in &self.pairs {
            let (a, b) = (rank_of[a.index()], rank_of[b.index()]);
            if a != u32::MAX && b != u32::MAX {
                pairs.push((a, b, count));
            }
        }
        pairs.sort_unstable();
        if pairs.is_empty() {
            return Err(Error::EmptyCorpus);
        }
        let classes = self.params.classes.min(ranked.len());
        let mut exchange = Exchange::new(&pairs, ranked.len(), classes);
        let mut information = vec![exchange.information()];
        let mut moves = 0;
        progress.stage("exchange words", Some(self.params.sweeps as u64));
        for sweep in 0..self.params.sweeps {
            let moved = exchange.sweep(&progress.stop())?;
            moves += moved;
            information.push(exchange.information());
            progress.done(sweep as u64 + 1);
            if moved == 0 {
                break;
            }
        }
        let mut class_of = vec![None; vocab.len()];
        for (&word, class) in ranked.iter().zip(exchange.classes()) {
            class_of[word.index()] = Some(class);
        }
        Ok(Clustering {
            classes: WordClasses::new(&class_of)?,
            information,
            moves,
        })
    }

    /// Words by falling frequency, ties by spelling.
    fn ranked(&self, vocab: &Vocab) -> Vec<WordId> {
        let words = (0u32..).map(WordId::new).zip(&self.counts);
        let mut ranked: Vec<(u64, WordId)> = words
            .filter(|&(word, &count)| count > 0 && !word.is_control())
            .map(|(word, &count)| (count, word))
            .collect();
        ranked.sort_unstable_by(|a, b| {
            b.0.cmp(&a.0)
                .then_with(|| vocab.word(a.1).cmp(&vocab.word(b.1)))
        });
        ranked.truncate(self.params.max_words.unwrap_or(usize::MAX));
        ranked.into_iter().map(|(_, word)| word).collect()
    }
}
