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

/// Write automata without ε as AT&T text: the same strings, each with the weight of its best path.
#[derive(Debug, Args)]
pub(crate) struct Rmepsilon {
    #[command(flatten)]
    source: Source,
}

/// Draw automata in Graphviz DOT.
#[derive(Debug, Args)]
pub(crate) struct Dot {
    #[command(flatten)]
    source: Source,
}

/// Draw automata as SVG, one document each.
///
/// Meant for automata of up to some hundred states. A picture of more than 2,000,000 places for states and
/// passing lines is refused (`--limit nodes=N`).
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
                let plain = item.fsa.remove_epsilon(&self.source.limits(), &item.stop)?;
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

impl Rmepsilon {
    pub(crate) fn run(self, common: &Common) -> Result<u64> {
        let mut first = true;
        self.source.each(common, &mut Output::new(), |item, out| {
            self.source.doing("removing ε");
            let plain = item.fsa.remove_epsilon(&self.source.limits(), &item.stop)?;
            if !std::mem::take(&mut first) {
                out.line("")?;
            }
            Ok(plain.write_att(out, false)?)
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
            self.source.doing("counting paths");
            let paths = item.fsa.count_paths(&item.stop)?;
            let title = format!("{}: {sentences} sentences, {paths} paths", item.name);
            self.source.doing("drawing");
            let svg = item.fsa.to_svg(&title, &self.source.limits(), &item.stop)?;
            out.line(svg.trim_end())
        })
    }
}
