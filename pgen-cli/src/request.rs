//! What is asked of every line: the options of `paraphrase` as the library knows them.

use clap::{Args, ValueEnum};
use pgen::{Distinct, Options, Register, Search};
use regex::Regex;

/// How paraphrases are searched and which ones are listed.
#[derive(Debug, Args)]
pub(crate) struct RequestArgs {
    /// How many paraphrases of each sentence.
    #[arg(short, long, default_value_t = 5, value_name = "N")]
    n: usize,
    /// How to search.
    #[arg(long, value_enum, default_value_t = Decoder::Exact)]
    decoder: Decoder,
    /// List the sentence itself too.
    #[arg(long)]
    include_source: bool,
    /// Tokens are separated by spaces and kept as they are.
    #[arg(long)]
    pretokenized: bool,
    /// Text that matches must not change; may be given several times.
    #[arg(long, value_name = "REGEX")]
    protect: Vec<Regex>,
    /// What is protected by default and shall not be.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "KIND")]
    unprotect: Vec<Kind>,
    /// Text that matches must change in every paraphrase.
    #[arg(long, value_name = "REGEX")]
    change: Vec<Regex>,
    /// A phrase that no replacement may bring in; may be given several times.
    #[arg(long, value_name = "PHRASE")]
    forbid: Vec<String>,
    /// How formal the words may be that replacements bring in.
    #[arg(long, value_enum, default_value_t = Words::Any, value_name = "REGISTER")]
    register: Words,
    /// A phrase that every paraphrase must have; may be given several times.
    #[arg(long, value_name = "PHRASE")]
    force: Vec<String>,
    /// Fewest words inserted plus deleted.
    #[arg(long, value_name = "WORDS", default_value_t = 0)]
    min_change: usize,
    /// Most words inserted plus deleted.
    #[arg(long, value_name = "WORDS")]
    max_change: Option<usize>,
    /// Fewest replacements.
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_edits: usize,
    /// Most replacements.
    #[arg(long, value_name = "N")]
    max_edits: Option<usize>,
    /// What no two listed paraphrases may share.
    #[arg(long, value_enum, default_value_t = Differ::Texts)]
    distinct: Differ,
    /// Leave out paraphrases that are less sure, from 0 to 1.
    #[arg(long, value_name = "P", default_value_t = 0.0)]
    min_confidence: f64,
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

/// What is protected by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Kind {
    /// Words with a capital inside a sentence.
    Names,
    /// Words in short quotations.
    Quotations,
}

/// How formal new words may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Words {
    /// Any words.
    Any,
    /// No contractions, no colloquial words.
    Formal,
    /// No stiff words.
    Informal,
}

/// What no two listed paraphrases may share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Differ {
    /// The text.
    Texts,
    /// The places that change.
    Places,
    /// The kinds of change.
    Kinds,
    /// Any rule.
    Rules,
}

impl RequestArgs {
    /// The options that hold for every line.
    pub(crate) fn options(&self, seed: u64) -> Options {
        let mut options = Options::best(self.n);
        options.search = match self.decoder {
            Decoder::Exact => Search::Exact,
            Decoder::Beam => Search::Beam,
            Decoder::MonteCarlo => Search::MonteCarlo { seed },
        };
        options.include_source = self.include_source;
        options.pretokenized = self.pretokenized;
        options.protect_names = !self.unprotect.contains(&Kind::Names);
        options.protect_quotations = !self.unprotect.contains(&Kind::Quotations);
        options.register = match self.register {
            Words::Any => Register::Any,
            Words::Formal => Register::Formal,
            Words::Informal => Register::Informal,
        };
        options.forbid.clone_from(&self.forbid);
        options.force.clone_from(&self.force);
        options.min_confidence = self.min_confidence;
        let diversity = &mut options.diversity;
        (diversity.min_change, diversity.min_edits) = (self.min_change, self.min_edits);
        diversity.max_change = self.max_change.unwrap_or(usize::MAX);
        diversity.max_edits = self.max_edits.unwrap_or(usize::MAX);
        diversity.distinct = match self.distinct {
            Differ::Texts => Distinct::Texts,
            Differ::Places => Distinct::Places,
            Differ::Kinds => Distinct::Kinds,
            Differ::Rules => Distinct::Rules,
        };
        options
    }

    /// The options with the spans that the regular expressions find in a text.
    pub(crate) fn for_text(&self, options: &Options, text: &str) -> Options {
        let mut own = options.clone();
        for regex in &self.protect {
            own = own.protecting_all(regex.find_iter(text).map(|found| found.range()));
        }
        let changed = Options::default().protecting_all(
            self.change
                .iter()
                .flat_map(|regex| regex.find_iter(text))
                .map(|found| found.range()),
        );
        own.change = changed.protect;
        own
    }
}
