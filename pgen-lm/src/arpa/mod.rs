//! ARPA text files: a strict and a lenient reader, and a writer.

mod line;
mod options;
mod read;
mod write;

pub use options::{ArpaOptions, ArpaReport, ArpaWarning};
pub use read::{read_arpa, read_arpa_input, read_arpa_lines};
pub use write::write_arpa;
