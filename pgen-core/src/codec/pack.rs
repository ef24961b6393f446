//! Packing of sections.

use crate::error::{Error, Place, Result};
use crate::limits::Limits;

/// How a section is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Packing {
    /// As it is.
    #[default]
    Plain,
    /// By deflate; needs the feature `gzip`, to write and to read.
    Deflate,
}

/// What expands further is stored as it is, so that no file of ours looks like a bomb.
#[cfg(feature = "gzip")]
const FAIR: usize = 200;

impl Packing {
    pub(super) const fn code(self) -> u8 {
        match self {
            Packing::Plain => 0,
            Packing::Deflate => 1,
        }
    }

    pub(super) const fn of(code: u8) -> Option<Self> {
        match code {
            0 => Some(Packing::Plain),
            1 => Some(Packing::Deflate),
            _ => None,
        }
    }
}

/// The packed form; `None` if the content is to be stored as it is.
#[cfg(feature = "gzip")]
pub(super) fn pack(content: &[u8], packing: Packing) -> Result<Option<Vec<u8>>> {
    use std::io::Write;
    if packing == Packing::Plain {
        return Ok(None);
    }
    let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    let packed = packer
        .write_all(content)
        .and_then(|()| packer.finish())
        .map_err(|source| Error::Io {
            place: Place::default(),
            source,
        })?;
    let worth = packed.len() < content.len() && content.len() / packed.len().max(1) < FAIR;
    Ok(worth.then_some(packed))
}

#[cfg(not(feature = "gzip"))]
pub(super) fn pack(_: &[u8], packing: Packing) -> Result<Option<Vec<u8>>> {
    match packing {
        Packing::Plain => Ok(None),
        Packing::Deflate => Err(Error::parameter(
            "packing",
            "deflate",
            "plain, as this build lacks the feature `gzip`",
        )),
    }
}

/// Checks an announced unpacked length before anything is made of it.
pub(super) fn check(stored: u64, unpacked: u64, limits: &Limits) -> Result<()> {
    let fair = stored
        .saturating_mul(limits.compression_ratio)
        .saturating_add(1 << 20);
    let limit = fair.min(limits.file_bytes);
    if unpacked <= limit {
        return Ok(());
    }
    Err(Error::LimitExceeded {
        place: Place::default(),
        what: "unpacked size of a section in bytes",
        limit,
        found: unpacked,
    })
}

/// The content of a packed section, whose length must be as announced.
#[cfg(feature = "gzip")]
pub(super) fn unpack(stored: &[u8], unpacked: u64, section: &str) -> Result<Vec<u8>> {
    use std::io::Read;
    let mut content = Vec::new();
    let mut unpacker = flate2::bufread::DeflateDecoder::new(stored);
    let read = (&mut unpacker)
        .take(unpacked.saturating_add(1))
        .read_to_end(&mut content);
    let whole = content.len() as u64 == unpacked && unpacker.total_in() == stored.len() as u64;
    match read {
        Err(error) => Err(Error::corrupt(section, error.to_string())),
        Ok(_) if !whole => Err(Error::corrupt(section, "the packed length does not fit")),
        Ok(_) => Ok(content),
    }
}

#[cfg(not(feature = "gzip"))]
pub(super) fn unpack(_: &[u8], _: u64, section: &str) -> Result<Vec<u8>> {
    Err(Error::WrongFormat {
        place: Place::default(),
        expected: "plain sections",
        found: format!("a packed section {section}").into(),
        hint: "build with the feature `gzip`",
    })
}
