//! Estimation: text in, model out.

use crate::count::{CountTrie, Counter};
use crate::error::{Error, Result};
use crate::ngrams::Ngrams;
use crate::params::{EstimateParams, Smoothing};
use crate::smoothing::{Katz, KneserNey, Smooth, WittenBell, smooth};
use pgen_core::text::tokens;
use pgen_core::{Lines, Progress, Vocab, WordId};

/// What estimation found and did.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct EstimateReport {
    /// Sentences, blank lines included.
    pub sentences: u64,
    /// Tokens, `</s>` included.
    pub tokens: u64,
    /// Words of the text spelled like a control symbol, which were left out.
    pub symbols: u64,
    /// Number of n-grams by order.
    pub counts: Vec<usize>,
    /// Kneser-Ney: the discounts of counts 1, 2, 3 and more, by order.
    pub discounts: Vec<[f64; 3]>,
    /// Katz: the factor of counts 1, 2, …, by order.
    pub factors: Vec<Vec<f64>>,
    /// Orders whose discounts the counts do not define, so that fallbacks were used, and why.
    pub fallbacks: Vec<(usize, Box<str>)>,
    /// Sorted runs that went to disk.
    pub runs: usize,
}

/// Estimates a back-off model from sentences.
///
/// The model is the same to the last bit for any number of threads and any memory limit.
///
/// ```
/// use pgen_core::{LanguageModel, Lines, Limits, Vocab};
/// use pgen_lm::{EstimateParams, Estimator};
///
/// let mut vocab = Vocab::new();
/// let mut estimator = Estimator::new(EstimateParams::new(2))?;
/// estimator.add_lines(Lines::from_text("a rose is a rose\na rose", &Limits::default())?, &mut vocab, &())?;
/// let (model, report) = estimator.finish(&vocab, &())?;
/// assert_eq!(report.counts, [6, 5]);
/// let [a, rose] = ["a", "rose"].map(|word| vocab.get(word).unwrap());
/// assert!(model.sentence(&[a, rose]) > model.sentence(&[rose, a]));
/// # Ok::<(), pgen_lm::Error>(())
/// ```
pub struct Estimator {
    params: EstimateParams,
    counter: Counter,
    report: EstimateReport,
}

impl std::fmt::Debug for Estimator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Estimator")
            .field("params", &self.params)
            .finish_non_exhaustive()
    }
}

impl Estimator {
    /// Checks the settings and begins.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadParameter`].
    pub fn new(params: EstimateParams) -> Result<Self> {
        params.check()?;
        Ok(Estimator {
            counter: Counter::new(params.order, params.memory, params.folder.clone()),
            params,
            report: EstimateReport::default(),
        })
    }

    /// Adds a sentence, without `<s>` and `</s>`. Control symbols in it are left out.
    ///
    /// # Errors
    /// [`pgen_core::Error::Io`] if a run cannot be written.
    pub fn add(&mut self, sentence: &[WordId]) -> Result<()> {
        let is_word = |word: &&WordId| word.raw() > WordId::EOS.raw();
        let words = sentence.iter().filter(is_word);
        self.report.symbols += (sentence.len() - words.clone().count()) as u64;
        self.counter.add(words.copied())
    }

    /// Adds every line as a sentence of tokens separated by spaces, tabs or carriage returns; new words go
    /// to `vocab`. Tokens spelled like a control symbol are left out. Progress counts bytes of the source.
    ///
    /// # Errors
    /// The lines' errors; as [`Estimator::add`].
    pub fn add_lines(
        &mut self,
        mut lines: Lines,
        vocab: &mut Vocab,
        progress: &dyn Progress,
    ) -> Result<()> {
        progress.stage("count n-grams", lines.input().total());
        let mut sentence = Vec::new();
        let stop = progress.stop();
        while let Some((number, line)) = lines.next_line()? {
            stop.check()?;
            sentence.clear();
            for word in tokens(line) {
                match word {
                    "<unk>" | "<UNK>" | "<s>" | "</s>" => self.report.symbols += 1,
                    _ => sentence.push(vocab.intern(word)?),
                }
            }
            self.counter.add(sentence.iter().copied())?;
            if number % 4096 == 0 {
                progress.done(lines.input().consumed());
            }
        }
        progress.done(lines.input().consumed());
        Ok(())
    }

    /// Estimates the model; `vocab` has all words that were added.
    ///
    /// # Errors
    /// [`Error::EmptyCorpus`]; [`Error::DiscountUndefined`] unless fallbacks are allowed; system errors of
    /// temporary files; [`pgen_core::Error::LimitExceeded`] beyond 2³² tokens.
    pub fn finish(
        self,
        vocab: &Vocab,
        progress: &dyn Progress,
    ) -> Result<(Ngrams, EstimateReport)> {
        let Estimator {
            params,
            mut counter,
            mut report,
        } = self;
        if counter.tokens == counter.sentences {
            return Err(Error::EmptyCorpus);
        }
        report.runs = counter.spilled();
        (report.sentences, report.tokens) = (counter.sentences, counter.tokens);
        progress.stage("sort n-grams", None);
        let mut trie = CountTrie::new(&mut counter, params.order, vocab.len())?;
        if let Some(limit) = params.max_words
            && let Some(map) = limited_words(&trie.counts[0], vocab, limit)
        {
            drop(trie);
            counter = counter.map(|word| map[word as usize])?;
            trie = CountTrie::new(&mut counter, params.order, vocab.len())?;
        }
        drop(counter);
        progress.stage("smooth", None);
        let cutoff = |order| params.cutoff(order);
        match params.smoothing {
            Smoothing::KneserNey | Smoothing::ModifiedKneserNey => {
                let modified = params.smoothing == Smoothing::ModifiedKneserNey;
                let mut method = KneserNey::new(modified, params.fallback);
                smooth(&mut trie, &mut method, cutoff)?;
                (report.discounts, report.fallbacks) = (method.discounts, method.fallbacks);
            }
            Smoothing::Katz => {
                let mut method = Katz::default();
                smooth(&mut trie, &mut method, cutoff)?;
                let given = method.factors.into_iter();
                report.factors = given
                    .map(|level| level.into_iter().skip(1).collect())
                    .collect();
            }
            Smoothing::WittenBell => smooth(&mut trie, &mut WittenBell as &mut dyn Smooth, cutoff)?,
        }
        for (order, reason) in &report.fallbacks {
            progress.note(&format!(
                "order {order}: fallback discounts, because {reason}"
            ));
        }
        report.counts = trie.shape.counts();
        Ok((trie.shape, report))
    }
}

/// The map that leaves only the most frequent words, others becoming `<unk>`; `None` if all may stay.
fn limited_words(counts: &[u32], vocab: &Vocab, limit: usize) -> Option<Vec<u32>> {
    let mut words: Vec<u32> = (WordId::EOS.raw() + 1..counts.len() as u32)
        .filter(|&word| counts[word as usize] > 0)
        .collect();
    if words.len() <= limit {
        return None;
    }
    let spelling = |word: u32| vocab.word(WordId::new(word));
    words.sort_unstable_by(|&a, &b| {
        let by_count = counts[b as usize].cmp(&counts[a as usize]);
        by_count.then_with(|| spelling(a).cmp(&spelling(b)))
    });
    let mut map: Vec<u32> = (0..counts.len() as u32).collect();
    for &rare in &words[limit..] {
        map[rare as usize] = WordId::UNK.raw();
    }
    Some(map)
}
