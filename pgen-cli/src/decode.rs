//! `pgen decode`: a phrase table and a language model in, n-best lists out.

use crate::Common;
use crate::failure::{Failure, Result};
use crate::input::{self, LineWork};
use crate::output::Output;
use clap::{Args, ValueEnum};
use pgen::core::formats::nbest::Entry;
use pgen::core::formats::{TableOptions, moses};
use pgen::core::text::tokens;
use pgen::core::{
    Certificate, Hypothesis, Lattice, Lexicon, Limits, Lines, LogProb, ParaphraseTable, Sentence,
    Stop, Vocab, Weight,
};
use pgen::decode::{Beam, Decoder, Exact, Identity, LogLinear, Mode, MonteCarlo, Plan, Request};
use pgen::lm::{ArpaOptions, FastModel, read_arpa};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Decode lines of tokens, monotonely, with Moses phrase tables and an ARPA model.
///
/// The first score of a row is its probability; its natural log is floored at -100. The total is the
/// weighted sum of natural logs, `</s>` included once. Nothing is left out, not even the source.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  pgen decode --table phrase-table.gz --lm lm.arpa.gz -n 100 --format moses input.txt
  pgen decode --table t.gz --lm lm.arpa --weights tm=0.3,lm=1 -n 5 < input.txt
  pgen decode --table t.gz --lm lm.arpa --decoder monte-carlo --episodes 2000 --seed 1 < input.txt")]
pub(crate) struct Decode {
    /// Tokens separated by spaces, a sentence a line; standard input without it.
    file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) models: Models,
    /// How many distinct texts of each line.
    #[arg(short, long, default_value_t = 1, value_name = "N")]
    n: usize,
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as --format json.
    #[arg(long)]
    json: bool,
    /// How to search.
    #[arg(long, value_enum, default_value_t = Search::Exact)]
    decoder: Search,
    /// Hypotheses kept at a position by --decoder beam.
    #[arg(long, default_value_t = 200, value_name = "N")]
    beam: usize,
    /// Episodes before each final action of --decoder monte-carlo.
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    episodes: u64,
    /// What --decoder monte-carlo rewards.
    #[arg(long, value_enum, default_value_t = Rewarded::TrueScore)]
    mode: Rewarded,
    /// Milliseconds for each line.
    #[arg(long, value_name = "MS")]
    time_limit: Option<u64>,
}

/// Tables, language model and weights: what `decode` and `true-score` share.
#[derive(Debug, Args)]
pub(crate) struct Models {
    /// Moses phrase table; several give features tm1, tm2, ….
    #[arg(long, required = true, value_name = "FILE", num_args = 1..)]
    table: Vec<PathBuf>,
    /// Language model in ARPA form.
    #[arg(long, value_name = "FILE")]
    lm: PathBuf,
    /// Weights by name: tm (all tables), tm1, tm2, …, lm, word, identity, unknown [default: 1; word 0].
    #[arg(
        long,
        value_name = "K=V,…",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    weights: Vec<String>,
    /// Adds w → w with this probability where no table has it.
    #[arg(long, value_name = "P")]
    identity: Option<f64>,
    /// What copying a word without an entry costs (natural log).
    #[arg(long, value_name = "X", default_value_t = -100.0, allow_hyphen_values = true)]
    unknown_penalty: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// `score TAB text`; a blank line ends each answer.
    Text,
    /// Moses n-best lists, ids from 0.
    Moses,
    /// One object a line.
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Search {
    /// Exact order of the true score, with a certificate.
    Exact,
    /// Pruned search over derivations.
    Beam,
    /// Sampling; --seed decides what is met.
    MonteCarlo,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Rewarded {
    /// The best score over all derivations of a text.
    TrueScore,
    /// The score of the derivation that was walked.
    Translator,
}

/// What the files hold.
pub(crate) struct Loaded {
    vocab: Arc<Vocab>,
    language: FastModel,
    tables: Vec<ParaphraseTable>,
    identity: Identity,
    unknown: LogProb,
}

impl Models {
    pub(crate) fn load(&self) -> Result<Loaded> {
        let identity = match self.identity {
            Some(p) => Identity::WhereMissing(
                LogProb::from_probability(p).map_err(|error| option("--identity", &error))?,
            ),
            None => Identity::Off,
        };
        let unknown = LogProb::new(self.unknown_penalty)
            .map_err(|error| option("--unknown-penalty", &error))?;
        let mut vocab = Vocab::new();
        let read = read_arpa(&self.lm, &mut vocab, &ArpaOptions::default());
        let (ngrams, _) = read.map_err(pgen::Error::from)?;
        let language = FastModel::new(&ngrams).map_err(pgen::Error::from)?;
        drop(ngrams);
        // As Moses does: scores above 1 are taken as they are.
        let mut options = TableOptions::default();
        options.above_one = true;
        let mut tables = Vec::new();
        for path in &self.table {
            let mut lines = Lines::open(path, &Limits::default())?;
            tables.push(moses::load(&mut lines, &mut vocab, &options)?.0);
        }
        Ok(Loaded {
            vocab: Arc::new(vocab),
            language,
            tables,
            identity,
            unknown,
        })
    }

    /// The weights by name, none twice.
    fn given_weights(&self) -> Result<Vec<(&str, Weight)>> {
        let mut given: Vec<(&str, Weight)> = Vec::new();
        for weight in &self.weights {
            let usage = || Failure::usage(format_args!("--weights: `{weight}` is not NAME=NUMBER"));
            let (name, value) = weight.split_once('=').ok_or_else(usage)?;
            let (name, value) = (name.trim(), value.trim().parse().map_err(|_| usage())?);
            if given.iter().any(|(known, _)| *known == name) {
                let message = format_args!("--weights: `{name}` is given twice");
                return Err(Failure::usage(message));
            }
            given.push((
                name,
                Weight::new(value).map_err(|error| option(weight, &error))?,
            ));
        }
        Ok(given)
    }

    /// The scorer of a plan.
    pub(crate) fn scorer<'a>(
        &self,
        loaded: &'a Loaded,
        plan: &Plan<'_>,
    ) -> Result<LogLinear<'a, FastModel>> {
        let mut model = LogLinear::new(&loaded.language);
        let given = self.given_weights()?;
        let find = |name: &str| given.iter().find(|(known, _)| *known == name);
        let tables = plan
            .features()
            .names()
            .iter()
            .filter(|name| name.starts_with("tm"));
        let known = ["tm", "lm", "word", "identity", "unknown"];
        for (name, _) in &given {
            if !known.contains(name) && !tables.clone().any(|table| table == name) {
                return Err(Failure::usage(format_args!(
                    "--weights: no feature is called `{name}`"
                )));
            }
        }
        for name in plan.features().names() {
            let like_tables = name.starts_with("tm") || name == "identity";
            let all = find("tm").filter(|_| like_tables);
            if let Some((_, weight)) = find(name).or(all) {
                model = model
                    .with_named_weight(plan.features(), name, *weight)
                    .map_err(pgen::Error::from)?;
            }
        }
        if let Some((_, weight)) = find("lm") {
            model = model
                .with_language_weight(*weight)
                .map_err(pgen::Error::from)?;
        }
        if let Some((_, weight)) = find("word") {
            model = model.with_word_bonus(*weight).map_err(pgen::Error::from)?;
        }
        Ok(model)
    }
}

impl Loaded {
    pub(crate) fn plan(&self) -> Plan<'_> {
        let mut plan = Plan::new(Limits::default())
            .with_identity(self.identity)
            .with_unknown_penalty(self.unknown);
        for (number, table) in self.tables.iter().enumerate() {
            let name = match self.tables.len() {
                1 => "tm".to_owned(),
                _ => format!("tm{}", number + 1),
            };
            plan = plan.with_table(name, table);
        }
        plan
    }

    /// A line of tokens.
    pub(crate) fn sentence(&self, line: &str) -> Result<Sentence> {
        let lexicon = Lexicon::new(self.vocab.clone());
        Ok(Sentence::from_words(
            tokens(line),
            lexicon,
            &Limits::default(),
        )?)
    }

    /// The lattice of a line of tokens.
    pub(crate) fn lattice(&self, plan: &Plan<'_>, line: &str) -> Result<Lattice> {
        let planned = plan.build(&self.sentence(line)?);
        Ok(planned.map_err(pgen::Error::from)?.lattice)
    }
}

/// An option whose value makes no sense.
fn option(name: &str, error: &pgen::core::Error) -> Failure {
    Failure::usage(format_args!("{name}: {error}"))
}

impl Decode {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let loaded = self.models.load()?;
        let plan = loaded.plan();
        let model = self.models.scorer(&loaded, &plan)?;
        let decoder: Box<dyn Decoder<FastModel>> = match self.decoder {
            Search::Exact => Box::new(Exact::new()),
            Search::Beam => Box::new(Beam::new(self.beam).map_err(pgen::Error::from)?),
            Search::MonteCarlo => Box::new(self.monte_carlo(common.seed)?),
        };
        let json = self.json || self.format == Format::Json;
        let work = LineWork {
            output: Output::new(),
            json,
            common,
        };
        let lines = input::open(self.file.as_ref(), &Limits::default())?;
        work.run(lines, |line, number, output| {
            let sentence = loaded.sentence(line)?;
            let lattice = plan.build(&sentence).map_err(pgen::Error::from)?.lattice;
            let mut request = Request::best(self.n).with_source(sentence.words().to_vec());
            if let Some(time) = self.time_limit {
                request = request.with_stop(Stop::after(Duration::from_millis(time)));
            }
            let list = decoder
                .decode(&lattice, &model, &request)
                .map_err(pgen::Error::from)?;
            let empty = lattice.node_count() == 1;
            let items = if empty { &[][..] } else { &list.items[..] };
            let answer = Answer {
                source: line.trim_end_matches(['\r', '\n']),
                lattice: &lattice,
                items,
                certificate: list.certificate,
            };
            match (json, self.format) {
                (true, _) => answer.json(output),
                (false, Format::Moses) => answer.moses(number.saturating_sub(1), output),
                _ => answer.text(output),
            }
        })
    }
}

impl Decode {
    fn monte_carlo(&self, seed: u64) -> Result<MonteCarlo> {
        let settings = MonteCarlo::default()
            .with_seed(seed)
            .with_mode(match self.mode {
                Rewarded::TrueScore => Mode::TrueScore,
                Rewarded::Translator => Mode::Translator,
            });
        let settings = settings.with_episodes(self.episodes);
        Ok(settings.map_err(pgen::Error::from)?)
    }
}

/// Six decimals, as lists have; numbers that would be hundreds of digits long in powers of ten.
fn decimals(score: f64) -> String {
    if score.is_finite() && score.abs() >= 1e15 {
        return format!("{score:e}");
    }
    format!("{score:.6}")
}

struct Answer<'a> {
    source: &'a str,
    lattice: &'a Lattice,
    items: &'a [Hypothesis],
    certificate: Certificate,
}

#[derive(Serialize)]
struct JsonAnswer<'a> {
    source: &'a str,
    items: Vec<JsonItem>,
    certificate: Certificate,
}

#[derive(Serialize)]
struct JsonItem {
    text: String,
    score: f64,
    language: f64,
    features: std::collections::BTreeMap<String, f64>,
}

impl Answer<'_> {
    fn text(&self, output: &mut Output) -> Result<()> {
        for item in self.items {
            let text = self.lattice.lexicon().join(&item.words);
            output.line(&format!("{}\t{text}", decimals(item.score.ln())))?;
        }
        output.line("")
    }

    fn moses(&self, id: u64, output: &mut Output) -> Result<()> {
        for item in self.items {
            let text = self.lattice.lexicon().join(&item.words);
            let mut entry = Entry::new(id, text, item.score.ln());
            for (feature, value) in &item.features {
                let name = self.lattice.feature_set().name(*feature).to_owned();
                entry.scores.push((name, vec![value.ln()]));
            }
            entry
                .scores
                .push(("lm".to_owned(), vec![item.language.ln()]));
            output.line(&entry.to_string())?;
        }
        Ok(())
    }

    fn json(&self, output: &mut Output) -> Result<()> {
        let name = |feature| self.lattice.feature_set().name(feature).to_owned();
        let item = |item: &Hypothesis| JsonItem {
            text: self.lattice.lexicon().join(&item.words),
            score: item.score.ln(),
            language: item.language.ln(),
            features: item
                .features
                .iter()
                .map(|(id, value)| (name(*id), value.ln()))
                .collect(),
        };
        output.json(&JsonAnswer {
            source: self.source,
            items: self.items.iter().map(item).collect(),
            certificate: self.certificate,
        })
    }
}
