//! The whole pipeline: text and pairs in, a model out.

use super::casing::Casing;
use super::corpora::{add_pairs, add_pivot, add_thesaurus, phrase_pairs, prepare, split_elisions};
use super::evidence::{SynonymList, Voters};
use super::filter::RowFilter;
use super::judgement::Judgements;
use super::pool::{Pool, Selection};
use super::similarity::Similarity;
use super::text::TextStream;
use super::{Report, TrainParams, sources};
use crate::bundle::{Bundle, Language};
use crate::error::Result;
use pgen_align::Corpus;
use pgen_core::thesaurus::Thesaurus;
use pgen_core::{Limits, Lines, Progress, Vocab};
use pgen_lm::{EstimateParams, Estimator, Layout, Precision};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Files to train from. Any may be compressed.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Sources {
    /// Pairs of sentences ([`sources::pairs`]).
    pub pairs: Vec<PathBuf>,
    /// Groups of sentences ([`sources::groups`]).
    pub groups: Vec<PathBuf>,
    /// Sentences and their translations, as [`sources::pairs`].
    pub bitext: Vec<PathBuf>,
    /// Text for the language model.
    pub text: Vec<PathBuf>,
    /// A thesaurus: synonym sets and exceptions ([`Thesaurus::read`]).
    pub thesaurus: Option<[PathBuf; 2]>,
    /// Lexicons of replacements ([`Pool::add_lexicon`]).
    pub lexicons: Vec<PathBuf>,
    /// Synonym lists ([`SynonymList::read`]).
    pub synonyms: Vec<PathBuf>,
    /// Judged rows ([`Judgements`](super::judgement::Judgements)).
    pub judgements: Vec<PathBuf>,
}

/// Trains a model.
///
/// Memory: the corpora at 4 bytes a token, translation tables, phrase pairs at 20 bytes each; a million
/// sentence pairs take about 3 GB.
///
/// # Errors
/// A setting out of range, files that cannot be read, no text for the language model.
pub fn train(
    sources: &Sources,
    params: &TrainParams,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<(Bundle, Report)> {
    params.check()?;
    let mut judgements = Judgements::new();
    for path in &sources.judgements {
        judgements.read(path, limits)?;
    }
    let mut run = Run {
        params,
        limits,
        progress,
        report: Report::default(),
        casing: Casing::default(),
        similarity: None,
        started: Instant::now(),
    };
    let (mut vocab, language) = run.language_model(&sources.text, !judgements.is_empty())?;
    let mut pool = Pool::new();
    let mut words = Vocab::new();
    run.monolingual(sources, &mut words, &mut pool)?;
    run.bilingual(sources, &mut words, &mut pool)?;
    let thesaurus = run.thesaurus(sources)?;
    if let Some(thesaurus) = &thesaurus {
        add_thesaurus(&mut pool, thesaurus, &vocab, &mut words)?;
        run.lap("thesaurus");
    }
    pool.add_judged(&judgements, &mut words)?;
    for path in &sources.lexicons {
        pool.add_lexicon(path, limits, &mut words)?;
    }
    let mut synonyms = SynonymList::new();
    for path in &sources.synonyms {
        synonyms.read(path, limits)?;
    }
    let selection = Selection {
        filter: params
            .english_filter
            .then(|| RowFilter::new(thesaurus.as_ref(), &run.casing)),
        voters: Voters {
            thesaurus: thesaurus.as_ref(),
            synonyms: &synonyms,
        },
        min_probability: params.min_probability,
        kappa: params.kappa,
        judgements: &judgements,
        company: run.similarity.as_ref(),
    };
    progress.stage("table", None);
    progress.stop().check()?;
    let (table, report) = pool.into_table(&words, &mut vocab, &selection)?;
    run.report.table = report;
    run.report.table_bytes = table.bytes() as u64;
    run.report.words = vocab.len() as u64;
    run.lap("table");
    let table = match params.quantize_bits {
        0 => table,
        bits => table.quantized(1 << bits.min(8))?.0,
    };
    let names = run.names(&vocab);
    let mut bundle = Bundle::new(
        Arc::new(vocab),
        language,
        vec![("phrases".to_owned(), table)],
    )?;
    bundle.names = names;
    bundle.weights = super::weights::defaults(!judgements.is_empty());
    Ok((bundle, run.report))
}

/// What the stages share.
struct Run<'a> {
    params: &'a TrainParams,
    limits: &'a Limits,
    progress: &'a dyn Progress,
    report: Report,
    casing: Casing,
    /// Which words are alike; counted if there are judgements to learn from.
    similarity: Option<Similarity>,
    started: Instant,
}

impl Run<'_> {
    /// Notes how long a stage took.
    fn lap(&mut self, stage: &str) {
        let now = Instant::now();
        self.report
            .stages
            .push((stage.to_owned(), now - self.started));
        self.progress.note(&format!(
            "{stage}: {:.1} s",
            (now - self.started).as_secs_f64()
        ));
        self.started = now;
    }

    /// Reads text, estimates the language model, and returns it with the vocabulary of its words.
    fn language_model(&mut self, files: &[PathBuf], similarity: bool) -> Result<(Vocab, Language)> {
        let ((vocab, frequent), text) = self.read_text(files)?;
        let params = EstimateParams::new(self.params.order).with_max_words(frequent);
        let mut estimator = Estimator::new(params)?;
        self.progress
            .stage("n-grams", Some(text.sentences().len() as u64));
        let stop = self.progress.stop();
        for (done, sentence) in (1..).zip(text.sentences()) {
            estimator.add(sentence)?;
            if done % 64 == 0 {
                stop.check()?;
            }
            if done % 4096 == 0 {
                self.progress.done(done);
            }
        }
        if similarity {
            self.progress.stage("similarity", None);
            self.similarity = Some(Similarity::of(&text));
        }
        drop(text);
        let (ngrams, _) = estimator.finish(&vocab, self.progress)?;
        let ngrams = ngrams.trimmed();
        let ngrams = match self.params.prune {
            0.0 => ngrams,
            threshold => ngrams.pruned(threshold)?,
        };
        self.report.ngrams = ngrams.counts().iter().map(|&count| count as u64).collect();
        let mut kept = Vocab::new();
        for (_, word) in vocab.words().take(ngrams.vocabulary()).skip(3) {
            kept.intern(word)?;
        }
        let precision = match self.params.quantize_bits {
            0 => Precision::Exact,
            bits => Precision::Bits(bits),
        };
        let language = Language::new(&ngrams, &kept, Layout::Compact, precision)?;
        self.lap("language model");
        Ok((kept, language))
    }

    fn read_text(&mut self, files: &[PathBuf]) -> Result<((Vocab, usize), TextStream)> {
        let mut stream = TextStream::new();
        for path in files {
            self.progress.stage("text", None);
            let mut done = 0;
            let mut failed = Ok(());
            let stop = self.progress.stop();
            sources::text(path, self.limits, |line| {
                stop.check()?;
                if failed.is_ok() {
                    failed = stream.add(line, &mut self.casing, self.limits);
                }
                done += 1;
                if done % 1024 == 0 {
                    self.progress.done(done);
                }
                Ok(())
            })?;
            failed?;
            self.report.text_lines += done;
        }
        if stream.is_empty() {
            return Err(pgen_lm::Error::EmptyCorpus.into());
        }
        self.report.text_tokens = stream.len() as u64;
        let vocab = stream.renumber(self.params.min_word_count)?;
        self.lap("reading text");
        Ok((vocab, stream))
    }

    /// Reads pairs and groups, aligns them and adds their phrase pairs.
    fn monolingual(&mut self, from: &Sources, words: &mut Vocab, pool: &mut Pool) -> Result<()> {
        if from.pairs.is_empty() && from.groups.is_empty() {
            return Ok(());
        }
        let mut corpus = Corpus::new();
        for (path, grouped) in from
            .pairs
            .iter()
            .map(|path| (path, false))
            .chain(from.groups.iter().map(|path| (path, true)))
        {
            let read = self.read_pairs(path, grouped, false, words, &mut corpus)?;
            self.report.pairs.add(read);
        }
        self.lap("reading pairs");
        corpus.add_identity_lexicon();
        let identical = |a: &[_], b: &[_]| a != b;
        let table = phrase_pairs(&corpus, self.params, identical, self.progress)?;
        self.report.phrase_pairs = table.len() as u64;
        self.lap("pairs: alignment and phrases");
        add_pairs(pool, &table, self.params)?;
        self.lap("pairs: candidates");
        Ok(())
    }

    /// Reads bitext, aligns it and adds paraphrases through the other language.
    fn bilingual(&mut self, from: &Sources, words: &mut Vocab, pool: &mut Pool) -> Result<()> {
        if from.bitext.is_empty() {
            return Ok(());
        }
        let mut corpus = Corpus::new();
        for path in &from.bitext {
            let read = self.read_pairs(path, false, true, words, &mut corpus)?;
            self.report.bitext.add(read);
        }
        self.lap("reading bitext");
        let mut table = phrase_pairs(&corpus, self.params, |_, _| true, self.progress)?;
        self.report.bilingual_phrase_pairs = table.len() as u64;
        self.lap("bitext: alignment and phrases");
        if self.params.min_count > 1.0 {
            table.prune_counts(2.0);
        }
        add_pivot(pool, &table, words, self.params, self.progress)?;
        self.lap("bitext: pivot");
        Ok(())
    }

    fn read_pairs(
        &mut self,
        path: &Path,
        grouped: bool,
        bilingual: bool,
        words: &mut Vocab,
        corpus: &mut Corpus,
    ) -> Result<sources::Read> {
        self.progress.stage("pairs", None);
        let (params, limits) = (self.params, self.limits);
        let mut failed: Result<()> = Ok(());
        let (mut unfit, mut done) = (0, 0u64);
        let mut add = |first: &str, second: &str| -> Result<()> {
            let second = if bilingual {
                split_elisions(second)
            } else {
                second.to_owned()
            };
            let first = prepare(first, words, params.max_sentence, limits)?;
            let second = prepare(&second, words, params.max_sentence, limits)?;
            match (first, second) {
                (Some(first), Some(second)) => corpus.push(&first, &second)?,
                _ => unfit += 1,
            }
            Ok(())
        };
        let stop = self.progress.stop();
        let visit = |first: &str, second: &str| {
            stop.check()?;
            if failed.is_ok() {
                failed = add(first, second);
            }
            done += 1;
            if done % 1024 == 0 {
                self.progress.done(done);
            }
            Ok(())
        };
        let read = if grouped {
            sources::groups(path, limits, visit)?
        } else {
            sources::pairs(path, limits, visit)?
        };
        failed?;
        self.report.unfit += unfit;
        Ok(read)
    }

    fn thesaurus(&self, from: &Sources) -> Result<Option<Thesaurus>> {
        let Some([synsets, exceptions]) = &from.thesaurus else {
            return Ok(None);
        };
        let sets = Lines::open(synsets, self.limits)?;
        let exceptions = Lines::open(exceptions, self.limits)?;
        Ok(Some(Thesaurus::read(sets, Some(exceptions))?))
    }

    /// The spelling of the names that the vocabulary has.
    fn names(&self, vocab: &Vocab) -> Vec<String> {
        let names = self.casing.names().into_iter();
        names
            .filter(|name| vocab.get(&name.to_lowercase()).is_some())
            .map(str::to_owned)
            .collect()
    }
}
