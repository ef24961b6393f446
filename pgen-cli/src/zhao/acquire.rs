//! Annotated pairs for acquisition: read, aligned, handed on.

use crate::Common;
use crate::failure::{Failure, Result};
use crate::output::Output;
use crate::progress::Bar;
use clap::Args;
use pgen::align::patterns::{AcquiredRule, Annotation, RuleCounts, RuleParams};
use pgen::align::{
    Corpus, Heuristic, HmmParams, Model1Params, PairReader, Symmetric, WordAligner, tokens,
};
use pgen::annotate::Annotator;
use pgen::core::formats::conll::{ConllSentence, read_conll};
use pgen::core::text::{TextOptions, normalize, tokenize};
use pgen::core::{Alignment, Limits, Lines, Sentence, Vocab, WordId};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where pairs come from, and which rules are kept.
#[derive(Debug, Args)]
pub(super) struct Acquire {
    /// CoNLL-U whose sentences with the same sent_id before the first `/` mean the same.
    #[arg(long, num_args = 1.., value_name = "CONLLU", conflicts_with_all = ["annotated", "bitext"])]
    groups: Vec<PathBuf>,
    /// CoNLL-U whose sentence i is the first of the last two columns of line i of --bitext.
    #[arg(long, value_name = "CONLLU", requires = "bitext")]
    annotated: Option<PathBuf>,
    /// Sentences and their translations, in the last two columns; rules go through the translation.
    #[arg(long, value_name = "TSV")]
    bitext: Option<PathBuf>,
    /// A model of `pgen annotate train`, which annotates --bitext.
    #[arg(long, value_name = "FILE", conflicts_with = "annotated")]
    annotator: Option<PathBuf>,
    /// Parser states that the annotator keeps at a time; fewer are faster.
    #[arg(long, value_name = "N", default_value_t = 4)]
    beam: usize,
    /// Pairs at most.
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    most: usize,
    /// Pairs of rule sides seen less often are dropped.
    #[arg(long, value_name = "N", default_value_t = 2)]
    min_count: u64,
    /// Less probable rules are dropped.
    #[arg(long, value_name = "P", default_value_t = 0.01)]
    min_probability: f64,
    /// Rules kept for each source.
    #[arg(long, value_name = "N", default_value_t = 20)]
    kappa: usize,
    /// Keep rules too that lose or gain negation, numbers or punctuation.
    #[arg(long)]
    no_english_filter: bool,
}

/// A pair ready to be aligned.
struct Pair {
    source: Arc<Annotation>,
    target: Vec<String>,
    other: Option<Arc<Annotation>>,
}

/// What acquisition makes of an aligned pair.
pub(super) type Visit<'v> =
    &'v mut dyn FnMut(&Annotation, &[String], Option<&Annotation>, &Alignment, &mut RuleCounts);

impl Acquire {
    /// Reads, aligns, counts, scores, and prints `source ||| target ||| p ||| ||| count`.
    pub(super) fn run(&self, common: &Common, visit: Visit<'_>) -> Result<u64> {
        let bar = Bar::new(common.quiet);
        let pairs = self.pairs()?;
        if pairs.is_empty() {
            return Err(Failure::usage(
                "no pairs: --groups FILE, or --bitext with --annotated or --annotator",
            ));
        }
        let counts = align(&pairs, self.bitext.is_none(), &bar, visit)?;
        let mut params = RuleParams::default();
        params.min_count = self.min_count;
        params.min_probability = self.min_probability;
        params.kappa = self.kappa;
        let rules = match self.bitext {
            Some(_) => counts.pivot(&params)?,
            None => counts.direct(&params)?,
        };
        bar.finish();
        let kept = |rule: &&AcquiredRule| self.no_english_filter || rule.keeps_meaning_words();
        let mut out = Output::new();
        let mut written = 0u64;
        for rule in rules.iter().filter(kept) {
            let AcquiredRule {
                source,
                target,
                probability,
                count,
                ..
            } = rule;
            out.line(&format!(
                "{source} ||| {target} ||| {probability:.6e} ||| ||| {count}"
            ))?;
            written += 1;
        }
        out.flush()?;
        if !common.quiet {
            crate::output::message(&format!(
                "{} pairs, {} distinct pairs of sides, {} rules, {written} kept",
                pairs.len(),
                counts.len(),
                rules.len()
            ));
        }
        Ok(0)
    }

    fn pairs(&self) -> Result<Vec<Pair>> {
        let mut pairs = Vec::new();
        for path in &self.groups {
            self.grouped(path, &mut pairs)?;
        }
        if let Some(bitext) = &self.bitext {
            self.bilingual(bitext, &mut pairs)?;
        }
        Ok(pairs)
    }

    fn grouped(&self, path: &Path, pairs: &mut Vec<Pair>) -> Result<()> {
        let mut groups: BTreeMap<String, Vec<Arc<Annotation>>> = BTreeMap::new();
        each_sentence(path, |sentence| {
            let id = sentence.id.as_deref().unwrap_or("");
            let group = id.split('/').next().unwrap_or("").to_owned();
            groups
                .entry(group)
                .or_default()
                .push(Arc::new(Annotation::from_conll(&sentence)));
            Ok(true)
        })?;
        for members in groups.values() {
            for (at, source) in members.iter().enumerate() {
                for other in &members[at + 1..] {
                    if pairs.len() < self.most && source.words != other.words {
                        let (source, target) = (source.clone(), other.words.clone());
                        pairs.push(Pair {
                            source,
                            target,
                            other: Some(other.clone()),
                        });
                    }
                }
            }
        }
        Ok(())
    }

    fn bilingual(&self, path: &Path, pairs: &mut Vec<Pair>) -> Result<()> {
        let limits = Limits::default();
        let mut reader = PairReader::new(Lines::open(path, &limits)?);
        let mut next = || -> Result<Option<(String, String)>> {
            Ok(reader
                .next()
                .transpose()?
                .map(|pair| (pair.source, pair.target)))
        };
        let other = |text: &str| -> Result<Vec<String>> {
            let found = tokenize(text, &limits)?;
            let spell = |token: &pgen::core::text::RawToken| {
                let surface = text.get(token.bytes.range()).unwrap_or("");
                normalize(surface, token.kind, true).into_owned()
            };
            Ok(found.iter().map(spell).collect())
        };
        if let Some(annotated) = &self.annotated {
            return each_sentence(annotated, |sentence| {
                let Some((_, translation)) = next()? else {
                    return Ok(false);
                };
                let source = Arc::new(Annotation::from_conll(&sentence));
                pairs.push(Pair {
                    source,
                    target: other(&translation)?,
                    other: None,
                });
                Ok(pairs.len() < self.most)
            });
        }
        let Some(model) = &self.annotator else {
            return Err(Failure::usage("--bitext needs --annotated or --annotator"));
        };
        let annotator = Annotator::load(model, &limits)?.with_beam(self.beam)?;
        let (vocab, options) = (Arc::new(Vocab::new()), TextOptions::default());
        while pairs.len() < self.most {
            let Some((text, translation)) = next()? else {
                break;
            };
            let sentence = Sentence::tokenize(text, &vocab, &options, &limits)?;
            let sentence = annotator.annotate(sentence)?;
            let Some(source) = Annotation::from_sentence(&sentence) else {
                continue;
            };
            pairs.push(Pair {
                source: Arc::new(source),
                target: other(&translation)?,
                other: None,
            });
        }
        Ok(())
    }
}

/// Calls `visit` with every sentence of a file until it says no.
pub(super) fn each_sentence(
    path: &Path,
    mut visit: impl FnMut(ConllSentence) -> Result<bool>,
) -> Result<()> {
    let limits = Limits::default();
    let mut lines = Lines::open(path, &limits)?;
    while let Some(sentence) = read_conll(&mut lines, &limits)? {
        if !visit(sentence)? {
            break;
        }
    }
    Ok(())
}

/// Trains an aligner on the pairs and counts what `visit` finds in them.
fn align(pairs: &[Pair], one_language: bool, bar: &Bar, visit: Visit<'_>) -> Result<RuleCounts> {
    let mut vocab = Vocab::new();
    let mut corpus = Corpus::new();
    let mut sentences: Vec<[Vec<WordId>; 2]> = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let mut ids = |words: &[String]| -> Result<Vec<WordId>> {
            let mut ids = Vec::with_capacity(words.len());
            for word in words {
                // Words with blanks in them would be several tokens elsewhere.
                let word = tokens(word).next().unwrap_or("_");
                ids.push(vocab.intern(word)?);
            }
            Ok(ids)
        };
        let both = [ids(&pair.source.words)?, ids(&pair.target)?];
        if both.iter().all(|side| !side.is_empty()) {
            corpus.push(&both[0], &both[1])?;
        }
        sentences.push(both);
    }
    if one_language {
        corpus.add_identity_lexicon();
    }
    let aligner = Symmetric::hmm(
        &corpus,
        &Model1Params::default(),
        &HmmParams::default(),
        Heuristic::GrowDiag,
        bar,
    )?;
    let mut counts = RuleCounts::new();
    for (pair, [source, target]) in pairs.iter().zip(&sentences) {
        if !source.is_empty() && !target.is_empty() {
            let links = aligner.align(source, target);
            visit(
                &pair.source,
                &pair.target,
                pair.other.as_deref(),
                &links,
                &mut counts,
            );
        }
    }
    Ok(counts)
}
