//! `pgen lm`: language models.

mod change;
mod clusters;
mod estimate;
mod info;
mod query;

use crate::Common;
use crate::failure::{Failure, Result};
use crate::output;
use clap::Subcommand;
use pgen::core::codec::{Container, Packing};
use pgen::core::{Input, Limits, TextFile, Vocab};
use pgen::lm::{
    ArpaOptions, FastModel, Layout, NgramModel, Ngrams, Precision, read_arpa_input, write_arpa,
};
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Estimate, ask and change n-gram language models (ARPA files or our own).
#[derive(Debug, Subcommand)]
pub(crate) enum Lm {
    Estimate(estimate::Estimate),
    Query(query::Query),
    Info(info::Info),
    Quantize(change::Quantize),
    Prune(change::Prune),
    Clusters(clusters::Clusters),
}

impl Lm {
    /// Runs the verb.
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        match self {
            Lm::Estimate(verb) => verb.run(common),
            Lm::Query(verb) => verb.run(common),
            Lm::Info(verb) => verb.run(common),
            Lm::Quantize(verb) => verb.run(common),
            Lm::Prune(verb) => verb.run(common),
            Lm::Clusters(verb) => verb.run(common),
        }
    }
}

impl From<pgen::lm::Error> for Failure {
    fn from(error: pgen::lm::Error) -> Self {
        Failure::input(error.code(), error)
    }
}

/// A model of any format.
pub(crate) enum Opened {
    Arpa(Ngrams),
    Model(NgramModel),
}

impl Opened {
    /// Opens a file by its content. Remarks of a lenient reader go to standard error.
    pub(crate) fn read(path: &Path, lenient: bool, common: &Common) -> Result<(Self, Vocab)> {
        let limits = Limits::default();
        let mut input = Input::open(path, &limits)?;
        // A pipe can be read but once, so its beginning decides. What cannot be read is reported by the
        // reader of what it would have been.
        if !input.fill_buf().is_ok_and(Container::begins) {
            return Self::read_arpa(input, lenient, common);
        }
        let container = Container::from_input(input, &limits)?;
        let (model, vocab) = NgramModel::read(&container, &limits)?;
        Ok((Opened::Model(model), vocab))
    }

    fn read_arpa(input: Input, lenient: bool, common: &Common) -> Result<(Self, Vocab)> {
        let mut options = ArpaOptions::default();
        options.lenient = lenient;
        let mut vocab = Vocab::new();
        let place = Arc::clone(input.name());
        let (ngrams, report) = read_arpa_input(input, &mut vocab, &options)?;
        if !common.quiet {
            for warning in &report.warnings {
                output::message(&format!("pgen: {place}:{}: {}", warning.line, warning.text));
            }
        }
        Ok((Opened::Arpa(ngrams), vocab))
    }

    /// The n-grams, to change or write them.
    fn ngrams(self) -> Result<Ngrams> {
        Ok(match self {
            Opened::Arpa(ngrams) => ngrams,
            Opened::Model(model) => model.ngrams()?,
        })
    }

    /// A model of any layout.
    pub(crate) fn model(self, vocab: &Vocab) -> Result<NgramModel> {
        Ok(match self {
            Opened::Arpa(ngrams) => {
                NgramModel::new(&ngrams, vocab, Layout::Fast, Precision::Exact)?
            }
            Opened::Model(model) => model,
        })
    }

    /// The layout for queries.
    fn fast(self) -> Result<FastModel> {
        Ok(match self {
            Opened::Arpa(ngrams) => FastModel::new(&ngrams)?,
            Opened::Model(model) => model.into_fast()?,
        })
    }
}

/// Where a new model goes.
#[derive(Debug, clap::Args)]
struct Target {
    /// Write an ARPA file, packed if its name ends in .gz.
    #[arg(long, value_name = "OUT")]
    arpa: Option<PathBuf>,
    /// Write a model file of our own: smaller, and faster to open.
    #[arg(long, value_name = "OUT")]
    out: Option<PathBuf>,
    /// Bits of each number in --out, 2 to 8; with --compact to 16 [default: exact].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=16))]
    bits: Option<u8>,
    /// Write --out as it lies in memory, little as that is: it opens at once, the file is larger.
    #[arg(long)]
    compact: bool,
}

impl Target {
    /// # Errors
    /// Usage if there is none.
    fn check(&self) -> Result<()> {
        if self.arpa.is_none() && self.out.is_none() {
            return Err(Failure::usage(
                "say where the model goes: --arpa OUT or --out OUT",
            ));
        }
        let paths = self.arpa.iter().chain(&self.out);
        paths
            .into_iter()
            .try_for_each(|path| output::check_writable(path))
    }

    fn write(&self, ngrams: &Ngrams, vocab: &Vocab) -> Result<()> {
        if let Some(path) = &self.arpa {
            let mut file = TextFile::create(path)?;
            write_arpa(ngrams, vocab, &mut file)
                .map_err(|error| error.in_file(path.display().to_string()))?;
            file.commit()?;
        }
        if let Some(path) = &self.out {
            let precision = self.bits.map_or(Precision::Exact, Precision::Bits);
            let (layout, packing) = match self.compact {
                true => (Layout::Compact, Packing::Plain),
                false => (Layout::Fast, Packing::Deflate),
            };
            let model = NgramModel::new(ngrams, vocab, layout, precision)?;
            model.save(path, vocab, packing)?;
        }
        Ok(())
    }
}
