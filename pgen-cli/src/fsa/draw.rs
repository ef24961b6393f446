//! `pgen fsa att`, `dot` and `svg`: automata as text and pictures.

use super::source::Source;
use crate::Common;
use crate::failure::Result;
use crate::output::Output;
use clap::Args;

/// Write automata as AT&T text with words, a blank line between them.
#[derive(Debug, Args)]
pub(crate) struct Att {
    #[command(flatten)]
    source: Source,
    /// Moses' PLF instead, one line each.
    #[arg(long, conflicts_with = "slf")]
    plf: bool,
    /// HTK's SLF instead.
    #[arg(long)]
    slf: bool,
}

/// Draw automata in Graphviz DOT.
#[derive(Debug, Args)]
pub(crate) struct Dot {
    #[command(flatten)]
    source: Source,
}

/// Draw automata as SVG, one document each.
#[derive(Debug, Args)]
pub(crate) struct Svg {
    #[command(flatten)]
    source: Source,
}

impl Att {
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let mut first = true;
        self.source.each(common, &mut Output::new(), |item, out| {
            if self.plf {
                let plain = item.fsa.remove_epsilon(&Source::limits())?;
                return out.line(&plain.to_plf()?);
            }
            if !std::mem::take(&mut first) {
                out.line("")?;
            }
            if self.slf {
                return out.line(item.fsa.to_slf(&item.name)?.trim_end());
            }
            Ok(item.fsa.write_att(out, false)?)
        })
    }
}

impl Dot {
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        self.source.each(common, &mut Output::new(), |item, out| {
            out.line(item.fsa.to_dot(&item.name).trim_end())
        })
    }
}

impl Svg {
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        self.source.each(common, &mut Output::new(), |item, out| {
            let sentences = item.group.as_ref().map_or(0, |group| group.members.len());
            let title = format!(
                "{}: {sentences} sentences, {} paths",
                item.name,
                item.fsa.path_count()
            );
            out.line(item.fsa.to_svg(&title).trim_end())
        })
    }
}
