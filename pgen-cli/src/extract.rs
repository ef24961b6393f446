//! `pgen extract`: phrase pairs of aligned sentence pairs.

use crate::aligned::Aligned;
use crate::failure::Result;
use crate::output::Output;
use clap::Args;
use pgen::align::{ClassTokens, ExtractOrder, extract_line, for_each_phrase_pair};
use pgen::core::Vocab;

/// Extract phrase pairs by cepts, as Moses's extract files have them.
///
/// A line `source ||| target ||| links` comes out for each occurrence of each pair, links `i-j` counted
/// within the phrases. Phrase pairs whose sides hold different class tokens (`__NUM__` …) are left out.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  pgen align --pairs pairs.tsv > links
  pgen extract --pairs pairs.tsv --links links | gzip > extract.gz
  pgen score-phrases --extract extract.gz > table")]
pub(crate) struct Extract {
    #[command(flatten)]
    aligned: Aligned,
    /// Target first, as in Moses's extract.inv.
    #[arg(long)]
    inverse: bool,
}

impl Extract {
    /// Runs the verb.
    pub(crate) fn run(self) -> Result<u64> {
        let params = self.aligned.params()?;
        let mut vocab = Vocab::new();
        let (corpus, alignments) = self.aligned.read(&mut vocab)?;
        let classes = ClassTokens::of(&vocab);
        let order = if self.inverse {
            ExtractOrder::Inverse
        } else {
            ExtractOrder::Direct
        };
        let (mut out, mut found) = (Output::new(), Vec::new());
        for (pair, alignment) in corpus.pairs().zip(&alignments) {
            found.clear();
            let sizes = (pair.source.len(), pair.target.len());
            for_each_phrase_pair(sizes, alignment, &params, |spans| found.push(spans))?;
            for spans in &found {
                let (source, target) = (spans.source.range(), spans.target.range());
                if classes.agree(&pair.source[source], &pair.target[target]) {
                    out.line(&extract_line(pair, alignment, spans, &vocab, order))?;
                }
            }
        }
        out.flush()?;
        Ok(0)
    }
}
