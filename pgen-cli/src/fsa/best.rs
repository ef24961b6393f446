//! `pgen fsa best`: the best different strings, by weights or under a language model.

use super::Model;
use super::limits::reached;
use super::source::{Item, Source};
use crate::Common;
use crate::failure::{Failure, Result};
use crate::output::Output;
use clap::Args;
use pgen::core::Certificate;
use pgen::decode::{Decoder, Exact, LogLinear, Request};
use pgen::fsa::{BestString, Fsa};
use serde::Serialize;
use std::path::PathBuf;

/// The best different strings of each automaton, exactly and in order.
///
/// Without --lm each is written as it is found, so that any number can be asked for; with --json and with
/// --lm they are held until the last.
#[derive(Debug, Args)]
pub(crate) struct Best {
    #[command(flatten)]
    source: Source,
    /// How many; under a language model at most a million (`--limit n_best=N`).
    #[arg(short, value_name = "N", default_value_t = 10)]
    n: usize,
    /// Decode under this ARPA language model; by the automaton's weights alone without.
    #[arg(long, value_name = "FILE")]
    lm: Option<PathBuf>,
}

#[derive(Serialize)]
struct BestLine<'a> {
    group: &'a str,
    best: Vec<Scored>,
}

#[derive(Serialize)]
struct Scored {
    text: String,
    score: f64,
}

impl Best {
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        if self.lm.is_some() {
            let limit = self.source.limits().n_best;
            super::limits::check("number of strings asked for", self.n, limit)?;
        }
        let model = self.lm.as_deref().map(Model::open).transpose()?;
        self.source.each(common, &mut Output::new(), |item, out| {
            self.source.doing("looking for the best strings");
            let best = match &model {
                Some(model) => self.decode(&item, model, common)?,
                None if self.source.json => {
                    let limits = self.source.limits();
                    let best = item.fsa.best(self.n, &limits, &item.stop)?;
                    let scored = |best: &BestString| Scored::new(&item, best);
                    best.iter().map(scored).collect()
                }
                None => return self.write(&item, out),
            };
            if self.source.json {
                return out.json(&BestLine {
                    group: &item.name,
                    best,
                });
            }
            best.iter().try_for_each(|best| best.write(&item, out))
        })
    }

    /// Writes the strings one by one.
    fn write(&self, item: &Item, out: &mut Output) -> Result<()> {
        let limits = self.source.limits();
        let strings = item.fsa.best_strings(&limits, &item.stop)?;
        for (count, best) in strings.take(self.n).enumerate() {
            let best = best.map_err(|error| {
                reached(
                    error.into(),
                    &format!("{count} strings were written before"),
                )
            })?;
            Scored::new(item, &best).write(item, out)?;
        }
        Ok(())
    }

    fn decode(&self, item: &Item, model: &Model, common: &Common) -> Result<Vec<Scored>> {
        let limits = self.source.limits();
        // A text has its best derivation's score either way, and far fewer search states.
        let plain = item.fsa.determinize(&limits, &item.stop)?;
        let strings = plain.count_paths(&item.stop)?.to_u64().unwrap_or(u64::MAX);
        let held = usize::try_from(strings).unwrap_or(usize::MAX).min(self.n);
        let words = held.saturating_mul(longest(&plain));
        super::limits::check("words of all strings", words, limits.states)?;
        let lattice = plain.to_lattice(&model.vocab, &limits)?;
        let request = Request::best(self.n).with_limits(limits);
        let request = request.with_stop(item.stop.clone());
        let found = Exact::default().decode(&lattice, &LogLinear::new(&model.model), &request);
        let found = found.map_err(|error| Failure::input(error.code(), error))?;
        if matches!(found.certificate, Certificate::Bounded { .. }) && !common.quiet {
            crate::output::message(&format!(
                "pgen: group {}: a limit or the time ended the search; its {} strings are the best of \
                 those seen",
                item.name,
                found.items.len()
            ));
        }
        let scored = found.items.iter().map(|item| Scored {
            text: lattice.lexicon().join(&item.words),
            score: item.score.ln(),
        });
        Ok(scored.collect())
    }
}

impl Scored {
    fn new(item: &Item, best: &BestString) -> Self {
        Scored {
            text: item.fsa.join_words(&best.labels),
            score: best.weight,
        }
    }

    fn write(&self, item: &Item, out: &mut Output) -> Result<()> {
        let Scored { text, score } = self;
        out.line(&format!("{}\t{score:.4}\t{text}", item.name))
    }
}

/// Words of the longest string, ε counted.
fn longest(fsa: &Fsa) -> usize {
    let mut steps = vec![0usize; fsa.state_count()];
    for transition in fsa.transitions() {
        let next = steps[transition.from.index()] + 1;
        let known = &mut steps[transition.to.index()];
        *known = next.max(*known);
    }
    steps.into_iter().max().unwrap_or(0)
}
