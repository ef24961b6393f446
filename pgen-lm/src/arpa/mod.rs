//! ARPA text files: a strict and a lenient reader, and a writer.

mod line;
mod read;
mod write;

pub use read::{ArpaOptions, ArpaReport, ArpaWarning, read_arpa, read_arpa_lines};
pub use write::write_arpa;
