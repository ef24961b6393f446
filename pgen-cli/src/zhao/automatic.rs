//! `pgen judge --auto`: what can be said of paraphrases without readers.

use crate::Common;
use crate::failure::{Failure, Result};
use crate::input::{self, LineWork};
use crate::lm::Opened;
use crate::output::Output;
use clap::Args;
use pgen::core::thesaurus::Thesaurus;
use pgen::core::{Error, Limits, Lines};
use pgen::evaluate::{Automatic, AutomaticReport, Language};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Options of the automatic evaluation.
#[derive(Debug, Args)]
pub(super) struct AutomaticArgs {
    /// Evaluate paraphrases without readers instead.
    #[arg(long)]
    pub(super) auto: bool,
    /// Look at this many paraphrases of each sentence, from the first.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "auto")]
    ranks: usize,
    /// Replacements that confirm: lines `phrase TAB paraphrase`, more columns ignored.
    #[arg(long, num_args = 1.., value_name = "TSV", requires = "auto")]
    list: Vec<PathBuf>,
    /// Other ways to say the sentences: lines `id TAB sentence TAB other TAB …`.
    #[arg(long, num_args = 1.., value_name = "TSV", requires = "auto")]
    references: Vec<PathBuf>,
    /// A language model of lower-case words, ARPA or ours, for the perplexities.
    #[arg(long, value_name = "FILE", requires = "auto")]
    lm: Option<PathBuf>,
    /// Synonym sets, which know singular from plural.
    #[arg(long, value_name = "TSV", requires = "auto")]
    sets: Option<PathBuf>,
    /// Irregular forms.
    #[arg(long, value_name = "TSV", requires = "sets")]
    exceptions: Option<PathBuf>,
}

#[derive(Deserialize)]
struct AnswerLine {
    source: String,
    paraphrases: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    text: String,
}

impl AutomaticArgs {
    /// Reads the paraphrases and writes the report.
    pub(super) fn run(&self, file: Option<&PathBuf>, json: bool, common: &Common) -> Result<u64> {
        if self.ranks == 0 {
            return Err(Failure::usage("--ranks must be 1 or more"));
        }
        let limits = Limits::default();
        let mut automatic = self.sources(&limits, common)?;
        let lines = input::open(file, &limits)?;
        let work = LineWork {
            output: Output::new(),
            json: false,
            common,
        };
        let bad = work.run(lines, |line, _, _| {
            let answer: AnswerLine = input::object(line).map_err(|failure| {
                failure.at("no object with source and paraphrases, as `paraphrase --json` writes")
            })?;
            let texts = answer.paraphrases.iter().take(self.ranks);
            let texts: Vec<&str> = texts.map(|item| item.text.as_str()).collect();
            Ok(automatic.add(&answer.source, &texts)?)
        })?;
        let mut output = Output::new();
        match json {
            true => output.json(automatic.report())?,
            false => self.table(automatic.report(), &mut output)?,
        }
        output.flush()?;
        Ok(bad)
    }

    fn sources(&self, limits: &Limits, common: &Common) -> Result<Automatic> {
        let mut automatic = Automatic::new();
        for path in &self.list {
            let name = name(path);
            rows(path, limits, |fields| {
                automatic.add_replacement(&name, fields[0], fields[1]);
                Ok(())
            })?;
        }
        for path in &self.references {
            rows(path, limits, |fields| {
                Ok(automatic.add_references(fields[1], &fields[2..])?)
            })?;
        }
        if let Some(path) = &self.sets {
            let exceptions = self.exceptions.as_ref();
            let exceptions = exceptions
                .map(|path| Lines::open(path, limits))
                .transpose()?;
            let thesaurus = Thesaurus::read(Lines::open(path, limits)?, exceptions)?;
            automatic = automatic.with_thesaurus(thesaurus);
        }
        if let Some(path) = &self.lm {
            let (model, vocab) = Opened::read(path, false, common)?;
            automatic = automatic.with_language(model.model(&vocab)?, vocab);
        }
        Ok(automatic)
    }

    fn table(&self, report: &AutomaticReport, output: &mut Output) -> Result<()> {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let all = report.paraphrases;
        let mut line = |name: &str, value: String| output.line(&format!("{name}\t{value}"));
        line("sentences", report.sentences.to_string())?;
        line("answered", report.answered.to_string())?;
        line("paraphrases", all.to_string())?;
        line(
            "words inserted and deleted",
            format!("{:.2}", report.mean_change()),
        )?;
        line("replaced units", report.units.to_string())?;
        for (name, count) in &report.confirmed {
            let share = percent(report.share(name));
            line(&format!("confirmed: {name}"), format!("{count}\t{share}"))?;
        }
        let perplexity = |language: Language| {
            format!(
                "{:.2}\t({} unknown words)",
                language.perplexity, language.oov
            )
        };
        if let Some((source, output)) = report.source_language.zip(report.output_language) {
            line("perplexity of the sources", perplexity(source))?;
            line("perplexity of the paraphrases", perplexity(output))?;
        }
        let broken = &report.broken;
        for (name, count) in [
            ("duplicates", report.duplicates),
            ("changed numbers", broken.numbers),
            ("changed negation", broken.negation),
            ("changed names", broken.names),
            ("broken articles", broken.articles),
            ("broken agreement", broken.agreement),
            ("doubled words", broken.doubled),
            ("any of these faults", broken.any),
        ] {
            let share = percent(count as f64 / all.max(1) as f64);
            line(name, format!("{count}\t{share}"))?;
        }
        Ok(())
    }
}

/// A file's name without folders and endings.
fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy();
    name.split('.').next().unwrap_or(&name).to_owned()
}

/// Visits the lines with two fields or more.
fn rows(path: &Path, limits: &Limits, mut visit: impl FnMut(&[&str]) -> Result<()>) -> Result<()> {
    let mut lines = Lines::open(path, limits)?;
    let place = lines.place();
    while let Some((number, line)) = lines.next_line()? {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        if fields.len() < 2 {
            let place = place.clone().at_line(number);
            return Err(
                Error::syntax(place, "two or more columns separated by tabs", line, "").into(),
            );
        }
        visit(&fields).map_err(|failure| failure.at(place.clone().at_line(number)))?;
    }
    Ok(())
}
