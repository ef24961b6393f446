//! `pgen paraphrase`: text in, paraphrases out.

use crate::Common;
use crate::failure::{Failure, Result};
use crate::input::{self, LineWork};
use crate::labels::Labelled;
use crate::output::{self, Output};
use crate::request::RequestArgs;
use clap::{Args, ValueEnum};
use pgen::core::codec::write_atomically;
use pgen::core::{Lines, Stop};
use pgen::explain::Page;
use pgen::{Application, Options, Paraphraser};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Paraphrase TEXT, or each line of standard input.
///
/// One input line is one sentence; with --split, a text of several. Without --json each paraphrase is a
/// line `score TAB text`, and a blank line ends the answer to each input line. The sentence itself is left
/// out unless asked for. Numbers, addresses, file paths, tags and placeholders never change. Lines are
/// answered in chunks on all threads, in order, in constant memory; for a dialogue see `pgen serve`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pgen paraphrase \"We must find a solution to this problem.\"
  pgen paraphrase -n 10 --json < sentences.txt
  pgen paraphrase --application compression < long.txt
  pgen paraphrase --protect '[A-Z]{2,}-[0-9]+' < tickets.txt
  pgen paraphrase --split < article.txt > article.paraphrased.txt
  pgen paraphrase --labels -n 3 < labelled.jsonl > augmented.jsonl
  pgen paraphrase --explain why.html \"This is an important question.\"")]
pub(crate) struct Paraphrase {
    /// The sentence; without it, lines of standard input.
    text: Option<String>,
    #[command(flatten)]
    request: RequestArgs,
    /// A model made by `pgen train` [default: the embedded English one].
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    #[command(flatten)]
    more: crate::model::MoreTables,
    /// A model of `pgen annotate train`: tags and dependencies, which tables of patterns and collocations
    /// need.
    #[arg(long, value_name = "FILE")]
    annotator: Option<PathBuf>,
    /// What the paraphrases are for.
    #[arg(long, value_enum, default_value_t = Purpose::None)]
    application: Purpose,
    /// The reference that --application similarity moves towards.
    #[arg(long, value_name = "TEXT", conflicts_with = "references")]
    reference: Option<String>,
    /// A file whose line i is the reference of input line i.
    #[arg(long, value_name = "FILE")]
    references: Option<PathBuf>,
    /// Milliseconds for each sentence; what is found by then is returned, and the certificate says so.
    #[arg(long, value_name = "MS")]
    time_limit: Option<u64>,
    /// Each line is a text: split it into sentences and write it with every sentence paraphrased, first
    /// ranks first; without --json one text a line (the best), blank lines kept.
    #[arg(long)]
    split: bool,
    /// Each line is a JSON object with "text" and "labels"; write one such object for each paraphrase,
    /// labels moved along, everything else as it was.
    #[arg(long, conflicts_with_all = ["split", "explain"])]
    labels: bool,
    /// What the borders of labels count.
    #[arg(long, value_enum, default_value_t = Offsets::Bytes)]
    offsets: Offsets,
    /// With --labels: words under labels must not change.
    #[arg(long, requires = "labels")]
    keep_labelled: bool,
    /// Write a page that shows why; for up to 100 sentences.
    #[arg(long, value_name = "FILE.html")]
    explain: Option<PathBuf>,
    /// With --json: what each confidence rests on.
    #[arg(long, requires = "json")]
    evidence: bool,
    /// One JSON object a line, with edits and certificate.
    #[arg(long)]
    json: bool,
}

/// Sentences of a page.
const PAGE: usize = 100;

/// Applications of Zhao et al. 2009.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Purpose {
    /// Nothing in particular.
    None,
    /// Fewer bytes.
    Compression,
    /// Replacements that the language model finds easier.
    Simplification,
    /// More words in common with a reference.
    Similarity,
}

/// What borders count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Offsets {
    /// Bytes of UTF-8.
    Bytes,
    /// Unicode characters, as Python does.
    Chars,
}

impl Paraphrase {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let (model, annotator) = (self.model.as_deref(), self.annotator.as_deref());
        let paraphraser = crate::model::open_with(model, &self.more, annotator)?;
        let mut references = References::open(&self)?;
        let mut options = self.request.options(common.seed());
        options.details = self.evidence;
        let lines = match &self.text {
            // An empty text is an empty line, which has an (empty) answer.
            Some(text) => {
                let line = format!("{}\n", text.trim_end_matches('\n'));
                Lines::from_text(&line, &options.limits)?
            }
            None => input::open(None, &options.limits)?,
        };
        let work = LineWork {
            output: Output::new(),
            json: self.json || self.labels,
            common,
        };
        if let Some(file) = &self.explain {
            return self.explain(&paraphraser, &options, lines, work, file, &mut references);
        }
        let prepare = || references.application(self.application);
        work.run_batch(lines, prepare, |line, application| {
            let options = self.options_for(&options, line, application);
            if self.labels {
                return self.augment(&paraphraser, line, &options);
            }
            self.answer(&paraphraser, line, &options)
        })
    }

    fn options_for(&self, options: &Options, line: &str, application: Application) -> Options {
        // Spans of labelled texts are found later, in the text proper.
        let mut own = match self.labels {
            true => options.clone(),
            false => self.request.for_text(options, line),
        };
        own.application = application;
        if let Some(time) = self.time_limit {
            own.stop = Stop::after(Duration::from_millis(time));
        }
        own
    }

    fn answer(&self, paraphraser: &Paraphraser, line: &str, options: &Options) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        if self.split {
            let document = paraphraser.document(line, options)?;
            match self.json {
                true => serde_json::to_writer(&mut out, &document)?,
                false => out.extend_from_slice(document.text(0).as_bytes()),
            }
            out.push(b'\n');
            return Ok(out);
        }
        let answer = paraphraser.answer(line, options)?;
        if self.evidence {
            let mut value = serde_json::to_value(&answer)?;
            output::add_evidence(&mut value, &answer);
            serde_json::to_writer(&mut out, &value)?;
        } else if self.json {
            serde_json::to_writer(&mut out, &answer)?;
        } else {
            for item in &answer.items {
                writeln!(out, "{:.6}\t{}", item.score.ln(), item.text)?;
            }
        }
        out.push(b'\n');
        Ok(out)
    }

    /// A labelled text as several.
    fn augment(&self, paraphraser: &Paraphraser, line: &str, options: &Options) -> Result<Vec<u8>> {
        let labelled = Labelled::parse(line, self.offsets == Offsets::Chars)?;
        let mut own = self.request.for_text(options, &labelled.text);
        if self.keep_labelled {
            own.protect.extend(&labelled.spans);
        }
        let document = paraphraser.document(&labelled.text, &own)?;
        let mut out = Vec::new();
        for rank in 0..document.ranks() {
            let text = document.text(rank);
            let object = labelled.with_text(&text, |span| document.map_span(rank, span));
            serde_json::to_writer(&mut out, &object)?;
            out.push(b'\n');
        }
        Ok(out)
    }

    fn explain(
        &self,
        paraphraser: &Paraphraser,
        options: &Options,
        lines: Lines,
        work: LineWork<'_>,
        file: &Path,
        references: &mut References,
    ) -> Result<u64> {
        let mut page = Page::new("Why these paraphrases");
        let bad = work.run(lines, |line, _, output| {
            let application = references.application(self.application)?;
            let options = self.options_for(options, line, application);
            let answer = self.answer(paraphraser, line, &options)?;
            if page.len() < PAGE {
                page.push(&paraphraser.explain(line, &options)?);
            }
            output.bytes(&answer)
        })?;
        let html = page.finish();
        write_atomically(file, |out| out.write_all(html.as_bytes()))?;
        Ok(bad)
    }
}

/// Where references come from.
enum References {
    None,
    One(String),
    File(Lines, PathBuf),
}

impl References {
    fn open(args: &Paraphrase) -> Result<Self> {
        let similarity = args.application == Purpose::Similarity;
        match (&args.reference, &args.references) {
            (Some(_), _) | (_, Some(_)) if !similarity => Err(Failure::usage(
                "--reference and --references go with --application similarity",
            )),
            (Some(text), _) => Ok(References::One(text.clone())),
            (None, Some(path)) => {
                let lines = Lines::open(Path::new(path), &Options::default().limits)?;
                Ok(References::File(lines, path.clone()))
            }
            (None, None) if similarity => Err(Failure::usage(
                "--application similarity needs --reference or --references",
            )),
            (None, None) => Ok(References::None),
        }
    }

    /// The application for the next input line.
    fn application(&mut self, purpose: Purpose) -> Result<Application> {
        Ok(match purpose {
            Purpose::None => Application::None,
            Purpose::Compression => Application::Compression,
            Purpose::Simplification => Application::Simplification,
            Purpose::Similarity => Application::Similarity {
                reference: self.next()?,
            },
        })
    }

    fn next(&mut self) -> Result<String> {
        match self {
            References::None => Ok(String::new()),
            References::One(text) => Ok(text.clone()),
            References::File(lines, path) => match lines.next_line()? {
                Some((_, line)) => Ok(line.to_owned()),
                None => Err(Failure::input(
                    "mismatch",
                    format_args!("{}: fewer references than input lines", path.display()),
                )),
            },
        }
    }
}
