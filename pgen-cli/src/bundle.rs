//! `pgen bundle`: what a model file holds, and whether it is whole.

use crate::failure::Result;
use crate::output::Output;
use clap::{Args, Subcommand};
use pgen::core::Limits;
use pgen::core::codec::Container;
use serde::Serialize;
use std::path::PathBuf;

/// Look at model files.
#[derive(Debug, Subcommand)]
pub(crate) enum Bundle {
    Info(Info),
    Verify(Verify),
}

/// Show what a file of ours holds: kind, sections, sizes.
#[derive(Debug, Args)]
pub(crate) struct Info {
    /// The file.
    file: PathBuf,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

/// Check a model file as loading it would: every checksum, every part, and that the parts fit.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The file.
    file: PathBuf,
}

#[derive(Serialize)]
struct Description<'a> {
    kind: &'a str,
    bytes: u64,
    sections: Vec<SectionLine<'a>>,
}

#[derive(Serialize)]
struct SectionLine<'a> {
    name: &'a str,
    stored: u64,
    unpacked: u64,
}

impl Bundle {
    /// Runs the verb.
    pub(crate) fn run(self) -> Result<u64> {
        match self {
            Bundle::Info(args) => args.run(),
            Bundle::Verify(args) => args.run(),
        }
    }
}

impl Info {
    fn run(self) -> Result<u64> {
        let container = Container::open(&self.file, &Limits::default())?;
        let sections = container.sections().iter().map(|section| SectionLine {
            name: &section.name,
            stored: section.length,
            unpacked: section.unpacked,
        });
        let description = Description {
            kind: container.kind(),
            bytes: container.length(),
            sections: sections.collect(),
        };
        let mut out = Output::new();
        if self.json {
            out.json(&description)?;
        } else {
            out.line(&format!(
                "{}, {} bytes",
                description.kind, description.bytes
            ))?;
            for section in &description.sections {
                out.line(&format!(
                    "{:>12} {:>12}  {}",
                    section.stored, section.unpacked, section.name
                ))?;
            }
        }
        out.flush()?;
        Ok(0)
    }
}

impl Verify {
    fn run(self) -> Result<u64> {
        let bundle = pgen::Bundle::open(&self.file, &Limits::default())?;
        let mut out = Output::new();
        for (key, value) in &bundle.about {
            out.line(&format!("{key}: {value}"))?;
        }
        out.line(&format!("{} words", bundle.vocab.len()))?;
        for (name, table) in &bundle.tables {
            out.line(&format!("table {name}: {} rules", table.len()))?;
        }
        out.line("whole")?;
        out.flush()?;
        Ok(0)
    }
}
