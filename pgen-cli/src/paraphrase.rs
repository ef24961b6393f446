//! `pgen paraphrase`: text in, paraphrases out.

use crate::Common;
use crate::failure::{Failure, Result};
use crate::input::{self, LineWork};
use crate::output::Output;
use clap::{Args, ValueEnum};
use pgen::core::{ByteSpan, Lines, Stop};
use pgen::{Application, Options, Paraphraser, Search};
use regex::Regex;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Paraphrase TEXT, or each line of standard input.
///
/// One input line is one sentence. Without --json each paraphrase is a line `score TAB text`, and a blank
/// line ends the answer to each input line. The sentence itself is left out unless asked for. Numbers,
/// addresses and placeholders never change.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pgen paraphrase \"We must find a solution to this problem.\"
  pgen paraphrase -n 10 --json < sentences.txt
  pgen paraphrase --application compression < long.txt
  pgen paraphrase --protect '[A-Z]{2,}-[0-9]+' < tickets.txt")]
pub(crate) struct Paraphrase {
    /// The sentence; without it, lines of standard input.
    text: Option<String>,
    /// How many paraphrases of each sentence.
    #[arg(short, long, default_value_t = 5, value_name = "N")]
    n: usize,
    /// A model made by `pgen train` [default: the embedded English one].
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// What the paraphrases are for.
    #[arg(long, value_enum, default_value_t = Purpose::None)]
    application: Purpose,
    /// The reference that --application similarity moves towards.
    #[arg(long, value_name = "TEXT", conflicts_with = "references")]
    reference: Option<String>,
    /// A file whose line i is the reference of input line i.
    #[arg(long, value_name = "FILE")]
    references: Option<PathBuf>,
    /// How to search.
    #[arg(long, value_enum, default_value_t = Decoder::Exact)]
    decoder: Decoder,
    /// Milliseconds for each sentence; what is found by then is returned, and the certificate says so.
    #[arg(long, value_name = "MS")]
    time_limit: Option<u64>,
    /// Text that matches must not change; may be given several times.
    #[arg(long, value_name = "REGEX")]
    protect: Vec<Regex>,
    /// List the sentence itself too.
    #[arg(long)]
    include_source: bool,
    /// Tokens are separated by spaces and kept as they are.
    #[arg(long)]
    pretokenized: bool,
    /// One JSON object a line, with edits and certificate.
    #[arg(long)]
    json: bool,
}

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

/// Ways to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Decoder {
    /// The exact, distinct list.
    Exact,
    /// A beam, for comparison.
    Beam,
    /// Monte-Carlo generation; takes --seed.
    MonteCarlo,
}

impl Paraphrase {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let paraphraser = crate::model::open(self.model.as_deref())?;
        let mut references = References::open(&self)?;
        let options = self.options(common.seed);
        let limits = options.limits.clone();
        let lines = match &self.text {
            // An empty text is an empty line, which has an (empty) answer.
            Some(text) => Lines::from_text(&format!("{}\n", text.trim_end_matches('\n')), &limits)?,
            None => input::open(None, &limits)?,
        };
        let work = LineWork {
            output: Output::new(),
            json: self.json,
            common,
        };
        work.run(lines, |line, _, output| {
            // The reference is read first, so that lines stay in step whatever becomes of this one.
            let application = references.application(self.application)?;
            let mut options = options.clone();
            options.application = application;
            options.protect = self.protected(line);
            if let Some(time) = self.time_limit {
                options.stop = Stop::after(Duration::from_millis(time));
            }
            self.answer(&paraphraser, line, &options, output)
        })
    }

    fn options(&self, seed: u64) -> Options {
        let mut options = Options::best(self.n);
        options.search = match self.decoder {
            Decoder::Exact => Search::Exact,
            Decoder::Beam => Search::Beam,
            Decoder::MonteCarlo => Search::MonteCarlo { seed },
        };
        options.include_source = self.include_source;
        options.pretokenized = self.pretokenized;
        options
    }

    fn protected(&self, line: &str) -> Vec<ByteSpan> {
        let matches = self.protect.iter().flat_map(|regex| regex.find_iter(line));
        matches
            .filter_map(|found| {
                let (start, end) = (u32::try_from(found.start()), u32::try_from(found.end()));
                ByteSpan::new(start.ok()?, end.ok()?).ok()
            })
            .collect()
    }

    fn answer(
        &self,
        paraphraser: &Paraphraser,
        line: &str,
        options: &Options,
        output: &mut Output,
    ) -> Result<()> {
        let answer = paraphraser.answer(line, options)?;
        if self.json {
            return output.json(&answer);
        }
        for item in &answer.items {
            output.line(&format!("{:.6}\t{}", item.score.ln(), item.text))?;
        }
        output.line("")
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
