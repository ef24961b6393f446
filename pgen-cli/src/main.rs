//! `pgen`: the command line of the pgen crates.
//!
//! Every verb reads text on standard input or from files, writes results to standard output and
//! messages to standard error, and ends with 0 (done), 1 (bad input) or 2 (bad usage).

mod align;
mod align_eval;
mod aligned;
mod annotate;
mod batch;
mod bundle;
mod comparable;
mod decode;
mod extract;
mod failure;
mod fsa;
mod input;
mod labels;
mod lm;
mod model;
mod output;
mod paraphrase;
mod pivot;
mod progress;
mod request;
mod score_phrases;
mod serve;
mod thesaurus;
mod train;
mod true_score;
mod zhao;

use clap::{Args, Parser, Subcommand};
use failure::{Failure, Result};
use std::process::ExitCode;

/// Statistical paraphrase generation: exact, distinct n-best lists with reasons.
#[derive(Debug, Parser)]
#[command(name = "pgen", version, about, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    verb: Verb,
}

/// Options that every verb takes.
#[derive(Debug, Clone, Args)]
pub(crate) struct Common {
    /// Threads to use; results do not depend on it [default: all cores].
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Seed for whatever chance decides.
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// No progress bar and no remarks; errors still appear.
    #[arg(long, short, global = true)]
    quiet: bool,
}

impl Common {
    /// True if nothing but results and errors is wanted.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// The seed for whatever chance decides.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
enum Verb {
    Align(Box<align::Align>),
    AlignEval(align_eval::AlignEval),
    Comparable(comparable::Comparable),
    Extract(extract::Extract),
    ScorePhrases(score_phrases::ScorePhrases),
    Pivot(pivot::Pivot),
    Thesaurus(thesaurus::ThesaurusVerb),
    Annotate(Box<annotate::Annotate>),
    Patterns(Box<zhao::Patterns>),
    Collocations(Box<zhao::Collocations>),
    Plan(Box<zhao::PlanVerb>),
    Tune(Box<zhao::Tune>),
    Judge(zhao::Judge),
    Paraphrase(Box<paraphrase::Paraphrase>),
    Serve(serve::Serve),
    Train(Box<train::Train>),
    Decode(Box<decode::Decode>),
    TrueScore(Box<true_score::TrueScoreVerb>),
    #[command(subcommand)]
    Bundle(bundle::Bundle),
    #[command(subcommand)]
    Fsa(fsa::Fsa),
    #[command(subcommand)]
    Lm(lm::Lm),
}

impl Verb {
    /// Runs the verb; the number says how many input lines could not be answered.
    fn run(self, common: &Common) -> Result<u64> {
        match self {
            Verb::Align(verb) => verb.run(common),
            Verb::AlignEval(verb) => verb.run(),
            Verb::Comparable(verb) => verb.run(common),
            Verb::Extract(verb) => verb.run(),
            Verb::ScorePhrases(verb) => verb.run(common),
            Verb::Pivot(verb) => verb.run(common),
            Verb::Thesaurus(verb) => verb.run(common),
            Verb::Annotate(verb) => verb.run(common),
            Verb::Patterns(verb) => verb.run(common),
            Verb::Collocations(verb) => verb.run(common),
            Verb::Plan(verb) => verb.run(common),
            Verb::Tune(verb) => verb.run(common),
            Verb::Judge(verb) => verb.run(common),
            Verb::Paraphrase(verb) => verb.run(common),
            Verb::Serve(verb) => verb.run(common),
            Verb::Train(verb) => verb.run(common),
            Verb::Decode(verb) => verb.run(common),
            Verb::TrueScore(verb) => verb.run(common),
            Verb::Bundle(verb) => verb.run(),
            Verb::Fsa(verb) => verb.run(common),
            Verb::Lm(verb) => verb.run(common),
        }
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Some(threads) = cli.common.threads {
        // Fails only if a pool exists already, and none does.
        let _ = rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(threads))
            .build_global();
    }
    match cli.verb.run(&cli.common) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(failure) => {
            if !matches!(failure, Failure::Closed) {
                output::message(&format!("pgen: {failure} [{}]", failure.code()));
            }
            ExitCode::from(failure.exit_code())
        }
    }
}
