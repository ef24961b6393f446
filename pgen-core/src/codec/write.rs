//! Writing binary data and containers.

use super::atomic::AtomicFile;
use super::header::{self, Header};
use super::pack::{self, Packing};
use crate::error::{Error, Place, Result};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// Collects little-endian data; the inverse of [`Cursor`](super::Cursor).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Encoder {
    bytes: Vec<u8>,
}

macro_rules! numbers {
    ($($name:ident, $many:ident, $type:ty, $doc:literal;)*) => {$(
        #[doc = concat!("Writes ", $doc, ".")]
        pub fn $name(&mut self, value: $type) {
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }

        #[doc = concat!("Writes a count and as many of: ", $doc, ".")]
        pub fn $many(&mut self, values: &[$type]) {
            self.u64(values.len() as u64);
            self.bytes.reserve(size_of_val(values));
            for value in values {
                self.$name(*value);
            }
        }
    )*};
}

impl Encoder {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Encoder::default()
    }

    numbers! {
        u8, u8s, u8, "a byte";
        u16, u16s, u16, "a 16-bit number";
        u32, u32s, u32, "a 32-bit number";
        u64, u64s, u64, "a 64-bit number";
        f32, f32s, f32, "a 32-bit float";
        f64, f64s, f64, "a 64-bit float";
    }

    /// Writes a number in as few bytes as it needs, 7 bits each, the lowest first.
    pub fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// Writes a length and a text.
    pub fn str(&mut self, text: &str) {
        self.u64(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Writes bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// What was written.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What was written.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

trait Out: Write + Seek {}
impl<T: Write + Seek> Out for T {}

/// Writes the sections of a container, one after another; made by [`save`] and [`to_bytes`].
pub struct ContainerWriter<'w> {
    out: &'w mut dyn Out,
    at: u64,
    names: Vec<String>,
    table: Encoder,
}

impl std::fmt::Debug for ContainerWriter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ContainerWriter")
            .field("names", &self.names)
            .finish_non_exhaustive()
    }
}

impl<'w> ContainerWriter<'w> {
    fn begin(out: &'w mut dyn Out) -> Result<Self> {
        out.write_all(&[0; header::LENGTH]).map_err(failed)?;
        Ok(ContainerWriter {
            out,
            at: header::LENGTH as u64,
            names: Vec::new(),
            table: Encoder::new(),
        })
    }

    /// Adds a section. Packing is an offer: what does not shrink is stored as it is.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::BadParameter`] for a name that is there already, is empty or longer than
    /// 255 bytes, and for packing without the feature `gzip`.
    pub fn section(&mut self, name: &str, packing: Packing, content: &Encoder) -> Result<()> {
        if name.is_empty() || name.len() > 255 || self.names.iter().any(|known| known == name) {
            let expected = "a name of 1 to 255 bytes, once";
            return Err(Error::parameter("section name", name, expected));
        }
        let content = content.bytes();
        let packed = pack::pack(content, packing)?;
        let (packing, stored) = match &packed {
            Some(packed) => (packing, &packed[..]),
            None => (Packing::Plain, content),
        };
        self.out.write_all(stored).map_err(failed)?;
        self.table.str(name);
        self.table.u8(packing.code());
        self.table.u64(self.at);
        self.table.u64(stored.len() as u64);
        self.table.u64(content.len() as u64);
        self.table.u32(crc32fast::hash(stored));
        self.at += stored.len() as u64;
        self.names.push(name.to_owned());
        Ok(())
    }

    fn finish(self, kind: &str) -> Result<()> {
        let table = self.table.bytes();
        let header = Header {
            kind: kind.to_owned(),
            sections: self.names.len() as u32,
            total: self.at + table.len() as u64,
            table: self.at,
            table_sum: crc32fast::hash(table),
        };
        let mut write = || {
            self.out.write_all(table)?;
            self.out.seek(SeekFrom::Start(0))?;
            self.out.write_all(&header.encode())?;
            self.out.flush()
        };
        write().map_err(failed)
    }
}

fn failed(source: io::Error) -> Error {
    Error::Io {
        place: Place::default(),
        source,
    }
}

fn write_all(
    out: &mut dyn Out,
    kind: &str,
    fill: impl FnOnce(&mut ContainerWriter<'_>) -> Result<()>,
) -> Result<()> {
    Header::check_kind(kind)?;
    let mut writer = ContainerWriter::begin(out)?;
    fill(&mut writer)?;
    writer.finish(kind)
}

/// Writes a container of this kind (up to 16 ASCII letters) to a file: whole, or not at all if `fill` or
/// the system fails. The bytes depend on nothing but the sections.
///
/// # Errors
/// What `fill` says; [`Error::Io`] with the path.
pub fn save(
    path: &Path,
    kind: &str,
    fill: impl FnOnce(&mut ContainerWriter<'_>) -> Result<()>,
) -> Result<()> {
    let mut file = AtomicFile::create(path)?;
    write_all(&mut file, kind, fill).map_err(|error| match error {
        Error::Io { source, .. } => Error::io(path, source),
        other => other,
    })?;
    file.commit()
}

/// As [`save`], to memory.
///
/// # Errors
/// What `fill` says.
pub fn to_bytes(
    kind: &str,
    fill: impl FnOnce(&mut ContainerWriter<'_>) -> Result<()>,
) -> Result<Vec<u8>> {
    let mut out = io::Cursor::new(Vec::new());
    write_all(&mut out, kind, fill)?;
    Ok(out.into_inner())
}
