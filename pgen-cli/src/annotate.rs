//! `pgen annotate`: raw English in, CoNLL-U out; training and scoring of the annotator.

use crate::Common;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::{self, Output};
use crate::progress::Bar;
use clap::{Args, Subcommand};
use pgen::annotate::{Annotator, AnnotatorParams, ClassLearner};
use pgen::core::formats::conll::{ConllSentence, ConllWord, read_conll, write_conll};
use pgen::core::text::{TextOptions, split_sentences};
use pgen::core::{Limits, Lines, Sentence, Stop, Vocab};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Tag and parse raw English; CoNLL-U out.
///
/// A line may hold several sentences. Tags are those of the Penn treebank (XPOS), relations those of
/// Universal Dependencies, if the model was trained on such data.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  pgen annotate --model english.annotator text.txt > text.conllu
  pgen annotate train --conllu train.conllu.gz --out english.annotator
  pgen annotate eval --model english.annotator --conllu dev.conllu.gz"
)]
pub(crate) struct Annotate {
    #[command(subcommand)]
    task: Option<Task>,
    /// A model made by `pgen annotate train`.
    #[arg(long, value_name = "FILE", required = true)]
    model: Option<PathBuf>,
    /// Parser states kept at a time, 1 to 64 [default: as trained].
    #[arg(long, value_name = "N")]
    beam: Option<usize>,
    /// The text [default: standard input].
    file: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Task {
    Train(Train),
    Eval(Eval),
}

/// Train a model on a treebank.
#[derive(Debug, Args)]
struct Train {
    /// Sentences with XPOS tags and dependencies.
    #[arg(long, value_name = "FILE", required = true)]
    conllu: Vec<PathBuf>,
    /// Plain text to learn word classes from; `FILE:2` takes the second tab-separated column.
    #[arg(long, value_name = "FILE[:COLUMN]")]
    text: Vec<String>,
    /// A file whose text goes into the model as its notice: origin and licence of the data.
    #[arg(long, value_name = "FILE")]
    notice: Option<PathBuf>,
    /// Parser states kept at a time.
    #[arg(long, value_name = "N")]
    beam: Option<usize>,
    /// Where the model goes.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Score a model: tag accuracy, UAS, LAS, words a second.
#[derive(Debug, Args)]
struct Eval {
    /// The model.
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// Sentences with gold tags and dependencies.
    #[arg(long, value_name = "FILE")]
    conllu: PathBuf,
    /// Parser states kept at a time, 1 to 64 [default: as trained].
    #[arg(long, value_name = "N")]
    beam: Option<usize>,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

impl Annotate {
    /// Runs the verb; the number says how many lines could not be annotated.
    pub(crate) fn run(&self, common: &Common) -> Result<u64> {
        match (&self.task, &self.model) {
            (Some(Task::Train(train)), _) => train.run(common).map(|()| 0),
            (Some(Task::Eval(eval)), _) => eval.run().map(|()| 0),
            (None, Some(model)) => self.annotate(&load(model, self.beam)?),
            (None, None) => Err(Failure::usage("--model FILE is needed")),
        }
    }

    fn annotate(&self, annotator: &Annotator) -> Result<u64> {
        let limits = Limits::default();
        let mut lines = input::open(self.file.as_ref(), &limits)?;
        let mut out = Output::new();
        let mut bad = 0;
        loop {
            let done = match lines.next_line() {
                Ok(None) => break,
                Ok(Some((_, line))) => annotate_line(annotator, line, &limits, &mut out),
                Err(error) => Err(error.into()),
            };
            match done {
                Ok(()) => {}
                Err(Failure::Closed) => return Err(Failure::Closed),
                Err(failure) => {
                    let code = failure.code();
                    output::message(&format!(
                        "pgen: line {}: {failure} [{code}]",
                        lines.number()
                    ));
                    bad += 1;
                }
            }
        }
        out.flush()?;
        Ok(bad)
    }
}

fn load(model: &Path, beam: Option<usize>) -> Result<Annotator> {
    let annotator = Annotator::load(model, &Limits::default())?;
    Ok(match beam {
        Some(beam) => annotator.with_beam(beam)?,
        None => annotator,
    })
}

fn annotate_line(
    annotator: &Annotator,
    line: &str,
    limits: &Limits,
    out: &mut Output,
) -> Result<()> {
    let (vocab, options) = (Arc::new(Vocab::new()), TextOptions::default());
    for span in split_sentences(line, limits)? {
        let text = line.get(span.range()).unwrap_or("").trim();
        let sentence = Sentence::tokenize(text, &vocab, &options, limits)?;
        if sentence.is_empty() {
            continue;
        }
        write_conll(out, &rows(&annotator.annotate(sentence)?))?;
    }
    Ok(())
}

/// A sentence as CoNLL-U, with its text and where no space follows a token.
fn rows(sentence: &Sentence) -> ConllSentence {
    let mut rows = ConllSentence::default();
    rows.comments.push(format!("text = {}", sentence.text()));
    rows.text = Some(sentence.text().to_owned());
    let tags = sentence.tags().unwrap_or(&[]);
    for (at, token) in sentence.tokens().iter().enumerate() {
        let next = sentence.tokens().get(at + 1).map(|next| next.bytes.start());
        let joined = next == Some(token.bytes.end());
        rows.words.push(ConllWord {
            form: sentence.surface(at).to_owned(),
            xpos: tags.get(at).cloned().unwrap_or_default(),
            misc: if joined {
                "SpaceAfter=No".into()
            } else {
                String::new()
            },
            ..ConllWord::default()
        });
    }
    rows.dependencies = sentence.dependencies().cloned().unwrap_or_default();
    rows
}

fn read(path: &Path, limits: &Limits) -> Result<Vec<ConllSentence>> {
    let mut lines = Lines::open(path, limits)?;
    let mut sentences = Vec::new();
    while let Some(sentence) = read_conll(&mut lines, limits)? {
        sentences.push(sentence);
    }
    Ok(sentences)
}

impl Train {
    fn run(&self, common: &Common) -> Result<()> {
        let limits = Limits::default();
        let bar = Bar::new(common.quiet);
        let mut corpus = Vec::new();
        for file in &self.conllu {
            corpus.extend(read(file, &limits)?);
        }
        let classes = self.classes(&corpus, &limits)?;
        let mut params = AnnotatorParams::default();
        params.seed = common.seed;
        params.beam = self.beam.unwrap_or(params.beam);
        if let Some(file) = &self.notice {
            params.notice = notice(file, &limits)?;
        }
        let (annotator, report) = params
            .check()?
            .fit(&corpus, classes, &bar, &Stop::never())?;
        annotator.save(&self.out)?;
        bar.finish();
        if !common.quiet {
            output::message(&format!(
                "{} sentences, {} words; {} made projective, {} left out; tags of unseen parts {:.2} %",
                report.sentences,
                report.words,
                report.projectivized,
                report.skipped,
                100.0 * report.unseen_tag_accuracy
            ));
        }
        Ok(())
    }

    /// Word classes from the texts and the treebank's own words; none without texts.
    fn classes(
        &self,
        corpus: &[ConllSentence],
        limits: &Limits,
    ) -> Result<pgen::annotate::WordClasses> {
        let mut learner = ClassLearner::new();
        if self.text.is_empty() {
            return Ok(pgen::annotate::WordClasses::default());
        }
        for sentence in corpus {
            let words: Vec<&str> = sentence
                .words
                .iter()
                .map(|word| word.form.as_str())
                .collect();
            learner.words(&words);
        }
        for text in &self.text {
            let (file, column) = match text.rsplit_once(':') {
                Some((file, column)) if column.parse::<usize>().is_ok_and(|n| n > 0) => {
                    (file, column.parse::<usize>().unwrap_or(1))
                }
                _ => (text.as_str(), 1),
            };
            learn(&mut learner, Path::new(file), column - 1, limits)?;
        }
        Ok(learner.learn(&Stop::never())?)
    }
}

/// Adds a column of a file; a cell like the one above counts once.
fn learn(learner: &mut ClassLearner, file: &Path, column: usize, limits: &Limits) -> Result<()> {
    let mut lines = Lines::open(file, limits)?;
    let mut above = String::new();
    while let Some((number, line)) = lines.next_line()? {
        let cell = line.split('\t').nth(column).unwrap_or("");
        if cell != above {
            above = cell.to_owned();
            learner
                .text(cell, limits)
                .map_err(|error| error.at_line(number).in_file(file.display().to_string()))?;
        }
    }
    Ok(())
}

fn notice(file: &Path, limits: &Limits) -> Result<String> {
    let mut lines = Lines::open(file, limits)?;
    let mut text = String::new();
    while let Some((_, line)) = lines.next_line()? {
        text.push_str(line);
        text.push('\n');
    }
    Ok(text)
}

impl Eval {
    fn run(&self) -> Result<()> {
        let limits = Limits::default();
        let annotator = load(&self.model, self.beam)?;
        let gold = read(&self.conllu, &limits)?;
        let start = Instant::now();
        let score = annotator.evaluate(&gold)?;
        let speed = score.words as f64 / start.elapsed().as_secs_f64().max(1e-9);
        let mut out = Output::new();
        let [tags, uas, las, main] = [
            score.tag_accuracy(),
            score.uas(),
            score.las(),
            score.universal_las(),
        ];
        if self.json {
            out.json(&serde_json::json!({
                "sentences": score.sentences, "words": score.words, "tag_accuracy": tags,
                "uas": uas, "las": las, "las_without_subtypes": main, "words_per_second": speed,
            }))?;
        } else {
            out.line(&format!(
                "sentences\t{}\nwords\t{}",
                score.sentences, score.words
            ))?;
            out.line(&format!("tag accuracy\t{:.2} %", 100.0 * tags))?;
            out.line(&format!(
                "UAS\t{:.2} %\nLAS\t{:.2} %",
                100.0 * uas,
                100.0 * las
            ))?;
            out.line(&format!("LAS without subtypes\t{:.2} %", 100.0 * main))?;
            out.line(&format!("words/s (one thread)\t{speed:.0}"))?;
        }
        out.flush()
    }
}
