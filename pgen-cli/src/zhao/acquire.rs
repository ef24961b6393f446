//! Annotated pairs for acquisition: read, aligned, handed on.

use super::pairs::Pairs;
use crate::Common;
use crate::failure::{Failure, Result};
use crate::output::Output;
use crate::progress::Bar;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use pgen::align::patterns::{AcquiredRule, Annotation, RuleCounts, RuleParams};
use pgen::align::{Corpus, Heuristic, HmmParams, Model1Params, Symmetric, WordAligner};
use pgen::annotate::Annotator;
use pgen::core::formats::conll::{ConllSentence, read_conll};
use pgen::core::{Alignment, Limits, Lines};
use std::path::{Path, PathBuf};

/// Where pairs come from, and which rules are kept.
#[derive(Debug, Args)]
pub(super) struct Acquire {
    /// Groups of sentences that mean the same: CoNLL-U (`.conllu`, `.conllu.gz`) whose sentences have the
    /// same sent_id before the first `/`, or lines `id TAB sentence TAB sentence …` for --annotator.
    #[arg(long, num_args = 1.., value_name = "FILE", conflicts_with_all = ["annotated", "bitext"])]
    groups: Vec<PathBuf>,
    /// Pairs taken of a group at most.
    #[arg(long, value_name = "N", value_parser = at_least_one(),
        default_value_t = usize::MAX, hide_default_value = true)]
    pairs_per_group: usize,
    /// CoNLL-U whose sentence i is the first of the last two columns of line i of --bitext.
    #[arg(long, value_name = "CONLLU", requires = "bitext")]
    annotated: Option<PathBuf>,
    /// Sentences and their translations, in the last two columns; rules go through the translation.
    #[arg(long, num_args = 1.., value_name = "TSV")]
    bitext: Vec<PathBuf>,
    /// A model of `pgen annotate train`, which annotates --bitext or groups of text.
    #[arg(long, value_name = "FILE", conflicts_with = "annotated")]
    annotator: Option<PathBuf>,
    /// Parser states that the annotator keeps at a time; fewer are faster.
    #[arg(long, value_name = "N", default_value_t = 4)]
    beam: usize,
    /// Pairs at most.
    #[arg(long, value_name = "N", value_parser = at_least_one(),
        default_value_t = usize::MAX, hide_default_value = true)]
    most: usize,
    /// Pairs of rule sides seen less often are dropped.
    #[arg(long, value_name = "N", default_value_t = 2)]
    min_count: u64,
    /// Less probable rules are dropped.
    #[arg(long, value_name = "P", default_value_t = 0.01)]
    min_probability: f64,
    /// Less supported rules are dropped: those through fewer pivots, or seen less often.
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_support: u64,
    /// Rules kept for each source.
    #[arg(long, value_name = "N", default_value_t = 20)]
    kappa: usize,
    /// Keep rules too that lose or gain negation, numbers or punctuation.
    #[arg(long)]
    no_english_filter: bool,
}

fn at_least_one() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

/// True if a file's own name, whatever its folders are called, is that of CoNLL-U.
fn is_conll(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.ends_with(".conll") || name.ends_with(".conllu")
}

/// What acquisition makes of an aligned pair.
pub(super) type Visit<'v> =
    &'v mut dyn FnMut(&Annotation, &[String], Option<&Annotation>, &Alignment, &mut RuleCounts);

impl Acquire {
    /// Reads, aligns, counts, scores, and prints `source ||| target ||| p ||| ||| count`.
    pub(super) fn run(&self, common: &Common, visit: Visit<'_>) -> Result<u64> {
        let bar = Bar::new(common.quiet);
        let pairs = self.pairs()?;
        if pairs.len() == 0 {
            return Err(Failure::usage(
                "no pairs: --groups FILE, or --bitext with --annotated or --annotator",
            ));
        }
        let counts = align(&pairs, self.bitext.is_empty(), &bar, visit)?;
        let mut params = RuleParams::default();
        params.min_count = self.min_count;
        params.min_probability = self.min_probability;
        params.kappa = self.kappa;
        let rules = match self.bitext.is_empty() {
            false => counts.pivot(&params)?,
            true => counts.direct(&params)?,
        };
        bar.finish();
        let kept = |rule: &&AcquiredRule| {
            rule.count >= self.min_support && (self.no_english_filter || rule.keeps_meaning_words())
        };
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

    fn pairs(&self) -> Result<Pairs> {
        let limits = Limits::default();
        let annotator = match &self.annotator {
            Some(model) => Some(Annotator::load(model, &limits)?.with_beam(self.beam)?),
            None => None,
        };
        if self.annotated.is_some() && self.bitext.len() > 1 {
            return Err(Failure::usage("--annotated goes with one --bitext"));
        }
        let mut pairs = Pairs::default();
        for path in &self.groups {
            match (&annotator, is_conll(path)) {
                (_, true) => pairs.add_conll_groups(path, self.pairs_per_group, self.most)?,
                (Some(annotator), false) => {
                    pairs.add_text_groups(path, annotator, self.pairs_per_group, self.most)?;
                }
                (None, false) => {
                    return Err(Failure::usage(format_args!(
                        "--groups {}: text needs --annotator; CoNLL-U files are named `.conllu`",
                        path.display()
                    )));
                }
            }
        }
        for path in &self.bitext {
            let annotated = self.annotated.as_deref();
            pairs.add_bitext(path, annotated, annotator.as_ref(), self.most)?;
        }
        Ok(pairs)
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
fn align(pairs: &Pairs, one_language: bool, bar: &Bar, visit: Visit<'_>) -> Result<RuleCounts> {
    let mut corpus = Corpus::new();
    for [source, target] in pairs.words() {
        if !source.is_empty() && !target.is_empty() {
            corpus.push(source, target)?;
        }
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
    drop(corpus);
    let mut counts = RuleCounts::new();
    for (at, [source, target]) in pairs.words().enumerate() {
        if source.is_empty() || target.is_empty() {
            continue;
        }
        let links = aligner.align(source, target);
        if let Some(pair) = pairs.pair(at)? {
            visit(
                &pair.source,
                &pair.target,
                pair.other.as_ref(),
                &links,
                &mut counts,
            );
        }
    }
    Ok(counts)
}
