//! A vocabulary as a section.

use super::container::Container;
use super::pack::Packing;
use super::write::{ContainerWriter, Encoder};
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::vocab::{CONTROL, Vocab};

const VERSION: u32 = 1;

impl Vocab {
    /// Adds the words to a container, as the section `{prefix}vocab`.
    ///
    /// # Errors
    /// As [`ContainerWriter::section`].
    pub fn write_to(
        &self,
        out: &mut ContainerWriter<'_>,
        prefix: &str,
        packing: Packing,
    ) -> Result<()> {
        let mut content = Encoder::new();
        content.u32(VERSION);
        content.u64((self.len() - CONTROL.len()) as u64);
        for (_, word) in self.words().skip(CONTROL.len()) {
            content.varint(word.len() as u64);
            content.raw(word.as_bytes());
        }
        out.section(&format!("{prefix}vocab"), packing, &content)
    }

    /// Reads what [`Vocab::write_to`] wrote. The words get the same ids.
    ///
    /// # Errors
    /// [`Error::Corrupt`], [`Error::UnsupportedVersion`]; [`Error::LimitExceeded`] for more than
    /// `limits.words` words.
    pub fn read_from(container: &Container<'_>, prefix: &str, limits: &Limits) -> Result<Self> {
        let section = container.section(&format!("{prefix}vocab"))?;
        let mut cursor = section.cursor();
        check_version(container, "vocabulary", cursor.u32()?, VERSION)?;
        let count = cursor.u64()?;
        let most = limits.words.saturating_sub(CONTROL.len());
        Limits::check(
            "number of words",
            usize::try_from(count).unwrap_or(usize::MAX),
            most,
        )
        .map_err(|error| container.placed(error))?;
        let mut vocab = Vocab::new();
        for _ in 0..count {
            let length = usize::try_from(cursor.varint()?).unwrap_or(usize::MAX);
            let word = std::str::from_utf8(cursor.raw(length)?)
                .map_err(|_| cursor.error("a word is no UTF-8"))?;
            let known = vocab.len();
            if vocab.intern(word)?.index() != known {
                return Err(cursor.error("a word is there twice"));
            }
        }
        cursor.finish()?;
        Ok(vocab)
    }
}

/// Checks the version of a part of a file; versions count from 1.
///
/// # Errors
/// [`Error::UnsupportedVersion`] for a newer one; [`Error::Corrupt`] for 0.
pub fn check_version(
    container: &Container<'_>,
    kind: &'static str,
    found: u32,
    supported: u32,
) -> Result<()> {
    if (1..=supported).contains(&found) {
        return Ok(());
    }
    Err(container.placed(if found == 0 {
        Error::corrupt(kind, "the version is 0")
    } else {
        Error::UnsupportedVersion {
            place: crate::error::Place::default(),
            kind,
            found,
            supported,
        }
    }))
}
