//! pgen's own files: a checked binary container, and files that appear whole or not at all.
//!
//! A container is a list of named sections behind a header:
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | `89 70 67 65 6E 0D 0A 1A`: told from text, and damaged by text-mode copying |
//! | 8..12 | the number 0x01020304: byte order (always little-endian) |
//! | 12..16 | container version, 1 |
//! | 16..32 | kind, ASCII, filled up with zeros |
//! | 32..40 | number of sections; zero |
//! | 40..56 | length of the file; offset of the section table, which ends the file |
//! | 56..64 | CRC-32 of the section table; CRC-32 of the bytes before |
//!
//! The sections follow the header without gaps. The table gives for each its name, packing (0 plain,
//! 1 deflate), offset, length, unpacked length and CRC-32. So every byte of a file is covered by a
//! checksum; all are verified on opening. The header is written last: an unfinished file has none.
//!
//! A checksum says that a file is what was written, not that it was written by us: what reads a section
//! checks its content all the same ([`Cursor`] never reads beyond the end and never allocates for a
//! count that the section cannot hold).
//!
//! Several things share one file by prefixes to their section names (`vocab`, `table/0/rules` …).

mod atomic;
mod container;
mod header;
mod pack;
mod read;
mod vocab;
mod write;

pub use atomic::{AtomicFile, TextFile, write_atomically};
pub use container::{Container, Section, SectionInfo};
pub use pack::Packing;
pub use read::Cursor;
pub use vocab::check_version;
pub use write::{ContainerWriter, Encoder, save, to_bytes};
