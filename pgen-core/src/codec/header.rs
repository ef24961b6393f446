//! The first 64 bytes of a container.

use super::read::Cursor;
use crate::error::{Error, Place, Result};

pub(super) const LENGTH: usize = 64;
pub(super) const VERSION: u32 = 1;
pub(super) const MAGIC: [u8; 8] = *b"\x89pgen\r\n\x1a";
const BYTE_ORDER: u32 = 0x0102_0304;
const KIND: usize = 16;

/// What the header says.
pub(super) struct Header {
    pub(super) kind: String,
    pub(super) sections: u32,
    pub(super) total: u64,
    pub(super) table: u64,
    pub(super) table_sum: u32,
}

impl Header {
    /// Checks a kind, which is written into the header.
    pub(super) fn check_kind(kind: &str) -> Result<()> {
        let fits = (1..=KIND).contains(&kind.len()) && kind.bytes().all(|b| b.is_ascii_graphic());
        if fits {
            return Ok(());
        }
        Err(Error::parameter(
            "container kind",
            kind,
            "1 to 16 ASCII letters",
        ))
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = super::write::Encoder::new();
        out.raw(&MAGIC);
        out.u32(BYTE_ORDER);
        out.u32(VERSION);
        let mut kind = [0; KIND];
        for (to, from) in kind.iter_mut().zip(self.kind.bytes()) {
            *to = from;
        }
        out.raw(&kind);
        out.u32(self.sections);
        out.u32(0);
        out.u64(self.total);
        out.u64(self.table);
        out.u32(self.table_sum);
        let sum = crc32fast::hash(out.bytes());
        out.u32(sum);
        out.into_bytes()
    }

    /// Reads and checks the first bytes of a file; there may be fewer than there should.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self> {
        let corrupt = |reason: &str| Err(Error::corrupt("header", reason));
        if bytes.is_empty() {
            return corrupt("the file is empty");
        }
        let magic = bytes.len().min(MAGIC.len());
        if bytes[..magic] != MAGIC[..magic] {
            if bytes.iter().all(|byte| *byte == 0) {
                return corrupt("the file was not finished");
            }
            return Err(wrong_format(bytes));
        }
        let Some(bytes) = bytes.get(..LENGTH) else {
            return corrupt("the file ends within its header");
        };
        let sum = crc32fast::hash(&bytes[..LENGTH - 4]);
        let mut cursor = Cursor::new(bytes, "header");
        cursor.raw(MAGIC.len())?;
        let order = cursor.u32()?;
        let version = cursor.u32()?;
        let kind = cursor.raw(KIND)?;
        let sections = cursor.u32()?;
        let reserved = cursor.u32()?;
        let header = Header {
            kind: String::from_utf8_lossy(kind)
                .trim_end_matches('\0')
                .to_owned(),
            sections,
            total: cursor.u64()?,
            table: cursor.u64()?,
            table_sum: cursor.u32()?,
        };
        if cursor.u32()? != sum {
            return corrupt("the checksum does not fit");
        }
        if order == BYTE_ORDER.swap_bytes() {
            return corrupt("the byte order was reversed");
        }
        if version > VERSION {
            return Err(Error::UnsupportedVersion {
                place: Place::default(),
                kind: "container",
                found: version,
                supported: VERSION,
            });
        }
        let sound = order == BYTE_ORDER && version == VERSION && reserved == 0;
        if !sound || Header::check_kind(&header.kind).is_err() {
            return corrupt("the header makes no sense");
        }
        Ok(header)
    }
}

/// What a file that is no container looks like.
fn wrong_format(bytes: &[u8]) -> Error {
    let (found, hint) = if bytes.starts_with(b"mmap lm http://kheafield.com/code") {
        ("a KenLM binary", "keep the ARPA file and load that")
    } else if bytes.starts_with(b"\\data\\") {
        ("an ARPA language model", "load it as such")
    } else if std::str::from_utf8(bytes).is_ok() {
        ("text", "")
    } else {
        ("other binary data", "")
    };
    Error::WrongFormat {
        place: Place::default(),
        expected: "a pgen file",
        found: found.into(),
        hint,
    }
}
