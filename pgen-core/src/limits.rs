//! One place for every limit on size, so that hostile input meets an error and not the machine's end.

use crate::error::{Error, Place, Result};

/// Upper bounds on what readers accept and decoders do. Exceeding one is
/// [`Error::LimitExceeded`], or, in a decoder, a certificate that says so.
///
/// | field | default | counts |
/// |---|---|---|
/// | `tokens` | 4,096 | tokens of a sentence |
/// | `token_bytes` | 4 KiB | bytes of a token |
/// | `line_bytes` | 1 MiB | bytes of a line of text |
/// | `phrase` | 64 | words of a phrase in a table |
/// | `order` | 8 | order of a language model |
/// | `depth` | 1,000,000 | nesting of a tree |
/// | `words` | 2³¹ | words of a vocabulary |
/// | `rows` | 2³¹ | rows of a table |
/// | `file_bytes` | 8 GiB | bytes of a file, before and after decompression |
/// | `compression_ratio` | 1,000 | decompressed bytes per compressed byte |
/// | `nodes` | 1,000,000 | nodes of a lattice or automaton |
/// | `edges` | 10,000,000 | edges of a lattice or automaton |
/// | `states` | 20,000,000 | search states of a decoder |
/// | `pops` | 50,000,000 | search steps of a decoder |
/// | `n_best` | 1,000,000 | answers of a decoder |
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one counts
pub struct Limits {
    pub tokens: usize,
    pub token_bytes: usize,
    pub line_bytes: usize,
    pub phrase: usize,
    pub order: usize,
    pub depth: usize,
    pub words: usize,
    pub rows: usize,
    pub file_bytes: u64,
    pub compression_ratio: u64,
    pub nodes: usize,
    pub edges: usize,
    pub states: usize,
    pub pops: usize,
    pub n_best: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            tokens: 4_096,
            token_bytes: 4 << 10,
            line_bytes: 1 << 20,
            phrase: 64,
            order: 8,
            depth: 1_000_000,
            words: 1 << 31,
            rows: 1 << 31,
            file_bytes: 8 << 30,
            compression_ratio: 1_000,
            nodes: 1_000_000,
            edges: 10_000_000,
            states: 20_000_000,
            pops: 50_000_000,
            n_best: 1_000_000,
        }
    }
}

impl Limits {
    /// Checks a size against one of the limits.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] naming `what`, the limit and the size.
    pub fn check(what: &'static str, found: usize, limit: usize) -> Result<()> {
        if found <= limit {
            return Ok(());
        }
        Err(Error::LimitExceeded {
            place: Place::default(),
            what,
            limit: limit as u64,
            found: found as u64,
        })
    }
}
