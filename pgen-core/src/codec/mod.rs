//! Files that pgen writes: whole or not at all.

mod atomic;

pub use atomic::{AtomicFile, TextFile, write_atomically};
