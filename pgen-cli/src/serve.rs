//! `pgen serve`: requests on standard input, answers on standard output, one JSON object a line.

use crate::Common;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::Output;
use clap::Args;
use pgen::core::{ByteSpan, Limits, Stop};
use pgen::{Application, Diversity, Options, Paraphraser, Register, Search};
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// Answer requests until standard input ends: one JSON object a line in, one a line out, in order.
///
/// A request is {"text": …} and may have: "id" (given back), "n", "application" (none, compression,
/// simplification, similarity with "reference"), "decoder" (exact, beam, monte-carlo with "seed"),
/// "time_limit" (milliseconds), "protect" and "change" (regular expressions), "protect_spans" and
/// "change_spans" ([[start, end], …] in bytes), "forbid" and "force" (phrases), "register" ("formal",
/// "informal"), "diversity" ({"min-change", "max-change", "min-edits", "max-edits", "distinct", "same"}),
/// "min_confidence", "include_source", "pretokenized", "split" (a text of several sentences), "evidence".
/// {"op": "info"} tells what the model is. An answer is flushed before the next request is read. A bad
/// request is answered by {"id": …, "error": {"code", "line", "message"}} and does not end
/// the run.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  echo '{\"id\": 1, \"text\": \"We must find a solution.\", \"n\": 3}' | pgen serve
  pgen serve --model my.pgen")]
pub(crate) struct Serve {
    /// A model made by `pgen train` [default: the embedded English one].
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
}

/// A request as it comes.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Request {
    id: Value,
    op: Operation,
    text: Option<String>,
    n: usize,
    application: Purpose,
    reference: Option<String>,
    decoder: Decoder,
    seed: u64,
    time_limit: Option<u64>,
    protect: Vec<String>,
    change: Vec<String>,
    protect_spans: Vec<ByteSpan>,
    change_spans: Vec<ByteSpan>,
    forbid: Vec<String>,
    register: Register,
    force: Vec<String>,
    diversity: Diversity,
    min_confidence: f64,
    include_source: bool,
    pretokenized: bool,
    split: bool,
    evidence: bool,
}

impl Default for Request {
    fn default() -> Self {
        let options = Options::default();
        Request {
            id: Value::Null,
            op: Operation::Paraphrase,
            text: None,
            n: options.n,
            application: Purpose::None,
            reference: None,
            decoder: Decoder::Exact,
            seed: 0,
            time_limit: None,
            protect: Vec::new(),
            change: Vec::new(),
            protect_spans: Vec::new(),
            change_spans: Vec::new(),
            forbid: Vec::new(),
            register: Register::Any,
            force: Vec::new(),
            diversity: options.diversity,
            min_confidence: 0.0,
            include_source: false,
            pretokenized: false,
            split: false,
            evidence: false,
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Operation {
    Paraphrase,
    Info,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Purpose {
    None,
    Compression,
    Simplification,
    Similarity,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Decoder {
    Exact,
    Beam,
    MonteCarlo,
}

impl Serve {
    /// Runs the verb. Bad requests are answered, so they are no failure of the run.
    pub(crate) fn run(self, _common: &Common) -> Result<u64> {
        let paraphraser = crate::model::open(self.model.as_deref())?;
        let mut lines = input::open(None, &Limits::default())?;
        let mut output = Output::new();
        loop {
            let line = lines.next_line();
            let line = line.map(|line| line.map(|(_, line)| line.to_owned()));
            let (id, answer) = match line {
                Ok(None) => break,
                Ok(Some(line)) if line.trim().is_empty() => continue,
                Ok(Some(line)) => respond(&paraphraser, &line),
                Err(error) if lines.is_over() => return Err(error.into()),
                Err(error) => (Value::Null, Err(Failure::from(error))),
            };
            let answer = answer.unwrap_or_else(|failure| {
                let message = failure.to_string();
                json!({"error": {"code": failure.code(), "line": lines.number(), "message": message}})
            });
            output.json(&Response { id, answer })?;
            output.flush()?;
        }
        Ok(0)
    }
}

/// An answer with the id of its request.
#[derive(Serialize)]
struct Response {
    #[serde(skip_serializing_if = "Value::is_null")]
    id: Value,
    #[serde(flatten)]
    answer: Value,
}

fn respond(paraphraser: &Paraphraser, line: &str) -> (Value, Result<Value>) {
    match input::object::<Request>(line) {
        Ok(mut request) => (request.id.take(), request.answer(paraphraser)),
        Err(failure) => {
            // A bad request may still tell whose it is.
            let value = input::object::<Value>(line).unwrap_or_default();
            let id = value.get("id").cloned().unwrap_or_default();
            (id, Err(failure.at("bad request")))
        }
    }
}

impl Request {
    fn answer(&self, paraphraser: &Paraphraser) -> Result<Value> {
        if let Operation::Info = self.op {
            return Ok(json!({
                "version": env!("CARGO_PKG_VERSION"),
                "about": paraphraser.bundle().about,
                "words": paraphraser.bundle().vocab.len(),
            }));
        }
        let text = self.text.as_deref();
        let text = text.ok_or_else(|| Failure::input("syntax", "bad request: no \"text\""))?;
        let options = self.options(text)?;
        if self.split {
            return Ok(serde_json::to_value(paraphraser.document(text, &options)?)?);
        }
        let answer = paraphraser.answer(text, &options)?;
        let mut value = serde_json::to_value(&answer)?;
        if self.evidence {
            crate::output::add_evidence(&mut value, &answer);
        }
        Ok(value)
    }

    fn options(&self, text: &str) -> Result<Options> {
        let mut options = Options::best(self.n);
        options.application = match self.application {
            Purpose::None => Application::None,
            Purpose::Compression => Application::Compression,
            Purpose::Simplification => Application::Simplification,
            Purpose::Similarity => Application::Similarity {
                reference: self.reference.clone().ok_or_else(|| {
                    Failure::input("syntax", "bad request: similarity needs a \"reference\"")
                })?,
            },
        };
        options.search = match self.decoder {
            Decoder::Exact => Search::Exact,
            Decoder::Beam => Search::Beam,
            Decoder::MonteCarlo => Search::MonteCarlo { seed: self.seed },
        };
        if let Some(time) = self.time_limit {
            options.stop = Stop::after(Duration::from_millis(time));
        }
        options = matches(options, &self.change, text)?;
        options.change = std::mem::take(&mut options.protect);
        options.change.extend(&self.change_spans);
        options = matches(options, &self.protect, text)?;
        options.protect.extend(&self.protect_spans);
        options.register = self.register;
        options.forbid.clone_from(&self.forbid);
        options.force.clone_from(&self.force);
        options.diversity = self.diversity;
        options.min_confidence = self.min_confidence;
        options.include_source = self.include_source;
        options.pretokenized = self.pretokenized;
        options.details = self.evidence;
        Ok(options)
    }
}

/// Protects what regular expressions find.
fn matches(mut options: Options, patterns: &[String], text: &str) -> Result<Options> {
    for pattern in patterns {
        let regex = Regex::new(pattern).map_err(|error| {
            Failure::input("bad-parameter", format_args!("bad pattern: {error}"))
        })?;
        options = options.protecting_all(regex.find_iter(text).map(|found| found.range()));
    }
    Ok(options)
}
