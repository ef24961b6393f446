//! `pgen fsa best`: the best different strings, by weights or under a language model.

use super::Model;
use super::source::Source;
use crate::Common;
use crate::failure::{Failure, Result};
use crate::output::Output;
use clap::Args;
use pgen::decode::{Decoder, Exact, LogLinear, Request};
use serde::Serialize;
use std::path::PathBuf;

/// The best different strings of each automaton, exactly and in order.
#[derive(Debug, Args)]
pub(crate) struct Best {
    #[command(flatten)]
    source: Source,
    /// How many.
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
        let model = self.lm.as_deref().map(Model::open).transpose()?;
        self.source.each(common, &mut Output::new(), |item, out| {
            let best = match &model {
                Some(model) => self.decode(&item, model)?,
                None => {
                    let limits = Source::limits();
                    let plain = item.fsa.remove_epsilon(&limits)?;
                    let strings = plain.best(self.n, &limits, &item.stop)?.into_iter();
                    let text = |labels: &[_]| plain.join_words(labels);
                    strings
                        .map(|best| Scored {
                            text: text(&best.labels),
                            score: best.weight,
                        })
                        .collect()
                }
            };
            if self.source.json {
                return out.json(&BestLine {
                    group: &item.name,
                    best,
                });
            }
            best.iter().try_for_each(|Scored { text, score }| {
                out.line(&format!("{}\t{score:.4}\t{text}", item.name))
            })
        })
    }

    fn decode(&self, item: &super::source::Item, model: &Model) -> Result<Vec<Scored>> {
        let lattice = item.fsa.to_lattice(&model.vocab, &Source::limits())?;
        let mut request = Request::best(self.n);
        request.stop = item.stop.clone();
        let found = Exact::default().decode(&lattice, &LogLinear::new(&model.model), &request);
        let found = found.map_err(|error| Failure::input(error.code(), error))?;
        let scored = found.items.iter().map(|item| Scored {
            text: lattice.lexicon().join(&item.words),
            score: item.score.ln(),
        });
        Ok(scored.collect())
    }
}
