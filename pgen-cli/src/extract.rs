//! `pgen extract`: phrase pairs of aligned sentence pairs.

use crate::aligned::{Aligned, spell};
use crate::failure::Result;
use crate::output::Output;
use clap::Args;
use pgen::align::for_each_phrase_pair;
use pgen::core::formats::alignment::pharaoh;
use pgen::core::{Alignment, Link, Vocab};

/// Extract phrase pairs by cepts, one line `source ||| target ||| links` for each occurrence.
#[derive(Debug, Args)]
pub(crate) struct Extract {
    #[command(flatten)]
    aligned: Aligned,
}

impl Extract {
    /// Runs the verb.
    pub(crate) fn run(self) -> Result<u64> {
        let params = self.aligned.params()?;
        let mut vocab = Vocab::new();
        let (corpus, alignments) = self.aligned.read(&mut vocab)?;
        let mut out = Output::new();
        for (pair, alignment) in corpus.pairs().zip(&alignments) {
            let mut found = Vec::new();
            let sizes = (pair.source.len(), pair.target.len());
            for_each_phrase_pair(sizes, alignment, &params, |spans| found.push(spans))?;
            for spans in found {
                let inside = alignment.links().iter().filter(|link| {
                    spans.source.range().contains(&(link.source as usize))
                        && spans.target.range().contains(&(link.target as usize))
                });
                let (source, target) = (spans.source.start(), spans.target.start());
                let links: Alignment = inside
                    .map(|link| Link::new(link.source - source, link.target - target))
                    .collect();
                let text = [
                    spell(&pair.source[spans.source.range()], &vocab),
                    spell(&pair.target[spans.target.range()], &vocab),
                    pharaoh::format(&links),
                ];
                out.line(&text.join(" ||| "))?;
            }
        }
        out.flush()?;
        Ok(0)
    }
}
