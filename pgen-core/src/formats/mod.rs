//! Readers and writers of text formats.
//!
//! | module | what |
//! |---|---|
//! | [`moses`] | Moses phrase tables |
//! | [`ppdb`] | PPDB 1.0 and 2.0 |
//! | [`meteor`] | METEOR's paraphrase tables |
//! | [`tsv`] | columns of source, target and probability |
//! | [`rules`] | patterns with slots, collocations |
//! | [`nbest`] | n-best lists as Moses writes them |
//! | [`alignment`] | word alignments: Pharaoh, NAACL, GIZA++ A3, gold columns |
//! | [`penn`] | constituency trees in brackets |
//! | [`conll`] | CoNLL-U and CoNLL-X: tags and dependencies |
//! | [`chunk`] | chunk columns, Chunklink traces |
//!
//! [`load_table`] reads a table of any format.
//!
//! All of them read [`Lines`](crate::Lines), so text may be gzip and ends in LF or CRLF. Fields are
//! separated by what each format says, words within them by spaces and tabs only. Numbers are decimal as
//! in `0.5`, `.5`, `5.`, `+0.5` or `1e-3`, whatever the locale.

pub mod alignment;
mod any;
pub mod chunk;
pub mod conll;
pub mod meteor;
pub mod moses;
pub mod nbest;
pub mod penn;
pub mod ppdb;
mod record;
pub mod rules;
mod table;
pub mod tsv;

pub use any::{TableFormat, load_table};
pub use record::{LoadReport, Skipped};
pub use table::{TableOptions, ValueColumns};
