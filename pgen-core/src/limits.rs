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
    /// Sets a limit by its name in the table.
    ///
    /// ```
    /// let mut limits = pgen_core::Limits::default();
    /// limits.set("nodes", 5_000_000)?;
    /// assert_eq!(limits.nodes, 5_000_000);
    /// assert_eq!(limits.set("sentences", 1).unwrap_err().code(), "bad-parameter");
    /// # Ok::<(), pgen_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a name that is not in the table.
    pub fn set(&mut self, name: &str, value: u64) -> Result<()> {
        let limit = match name {
            "tokens" => &mut self.tokens,
            "token_bytes" => &mut self.token_bytes,
            "line_bytes" => &mut self.line_bytes,
            "phrase" => &mut self.phrase,
            "order" => &mut self.order,
            "depth" => &mut self.depth,
            "words" => &mut self.words,
            "rows" => &mut self.rows,
            "nodes" => &mut self.nodes,
            "edges" => &mut self.edges,
            "states" => &mut self.states,
            "pops" => &mut self.pops,
            "n_best" => &mut self.n_best,
            "file_bytes" => {
                self.file_bytes = value;
                return Ok(());
            }
            "compression_ratio" => {
                self.compression_ratio = value;
                return Ok(());
            }
            _ => return Err(Error::parameter("limit", name, "the name of a limit")),
        };
        *limit = usize::try_from(value).unwrap_or(usize::MAX);
        Ok(())
    }

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
