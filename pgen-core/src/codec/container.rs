//! Opening containers: every length checked against the file, every checksum verified.

use super::header::{self, Header};
use super::pack::{self, Packing};
use super::read::Cursor;
use crate::error::{Error, Place, Result};
use crate::input::Input;
use crate::limits::Limits;
use std::borrow::Cow;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// More sections than any file of ours has.
const MOST_SECTIONS: usize = 4_096;

/// An opened container, all of it in memory, all checksums verified.
///
/// ```
/// use pgen_core::Limits;
/// use pgen_core::codec::{Container, Encoder, Packing, to_bytes};
///
/// let mut content = Encoder::new();
/// content.u32s(&[1, 2, 3]);
/// let bytes = to_bytes("example", |out| out.section("numbers", Packing::Plain, &content))?;
///
/// let container = Container::from_bytes(&bytes, &Limits::default())?;
/// container.expect_kind("example")?;
/// let section = container.section("numbers")?;
/// let mut cursor = section.cursor();
/// assert_eq!(cursor.u32s()?, [1, 2, 3]);
/// cursor.finish()?;
/// # Ok::<(), pgen_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Container<'a> {
    bytes: Cow<'a, [u8]>,
    kind: String,
    file: Option<Arc<str>>,
    sections: Vec<SectionInfo>,
}

/// What the section table says of a section.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SectionInfo {
    /// Its name.
    pub name: String,
    /// How it is stored.
    pub packing: Packing,
    /// Where it begins in the file.
    pub offset: u64,
    /// Bytes in the file.
    pub length: u64,
    /// Bytes of its content.
    pub unpacked: u64,
    /// CRC-32 of the bytes in the file.
    pub checksum: u32,
}

/// The content of a section.
#[derive(Debug)]
pub struct Section<'c> {
    content: Cow<'c, [u8]>,
    name: &'c str,
    file: Option<&'c Arc<str>>,
}

impl Container<'static> {
    /// Opens a file, gzip or not. Nothing of it is kept open.
    ///
    /// # Errors
    /// [`Error::WrongFormat`] if it is something else; [`Error::UnsupportedVersion`];
    /// [`Error::Corrupt`]; [`Error::LimitExceeded`]; [`Error::Io`].
    pub fn open(path: &Path, limits: &Limits) -> Result<Self> {
        Self::from_input(Input::open(path, limits)?, limits)
    }

    /// Reads a container from an opened input.
    ///
    /// # Errors
    /// As [`Container::open`].
    pub fn from_input(input: Input, limits: &Limits) -> Result<Self> {
        let file = Arc::clone(input.name());
        let bytes = read(input)?;
        let mut container = Self::checked(Cow::Owned(bytes), limits)
            .map_err(|error| error.in_file(Arc::clone(&file)))?;
        container.file = Some(file);
        Ok(container)
    }
}

/// Reads no more than the header announces and one byte, and reserves no more than the file has.
fn read(mut input: Input) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let take = |input: &mut Input, bytes: &mut Vec<u8>, length: u64| {
        let read = input.by_ref().take(length).read_to_end(bytes);
        read.map_err(|error| input.error(error)).map(|_| ())
    };
    take(&mut input, &mut bytes, header::LENGTH as u64)?;
    let header = Header::decode(&bytes).map_err(|error| error.in_file(Arc::clone(input.name())))?;
    if input.total() == Some(header.total) && !input.is_packed() {
        bytes.reserve_exact(
            usize::try_from(header.total)
                .unwrap_or(0)
                .saturating_sub(bytes.len()),
        );
    }
    let rest = header.total.saturating_sub(header::LENGTH as u64);
    take(&mut input, &mut bytes, rest)?;
    let mut more = Vec::new();
    take(&mut input, &mut more, 1)?;
    bytes.append(&mut more);
    Ok(bytes)
}

impl<'a> Container<'a> {
    /// True if these are the first bytes of a container, be it sound or not.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(&header::MAGIC)
    }

    /// Opens a file that is in memory already, such as an embedded one.
    ///
    /// # Errors
    /// As [`Container::open`], without a file name.
    pub fn from_bytes(bytes: impl Into<Cow<'a, [u8]>>, limits: &Limits) -> Result<Self> {
        Self::checked(bytes.into(), limits)
    }

    fn checked(bytes: Cow<'a, [u8]>, limits: &Limits) -> Result<Self> {
        let header = Header::decode(&bytes)?;
        let found = bytes.len() as u64;
        if header.total != found {
            let reason = format!(
                "the file has {found} bytes, but should have {}",
                header.total
            );
            return Err(Error::corrupt("header", reason));
        }
        let table = usize::try_from(header.table)
            .ok()
            .and_then(|at| bytes.get(at..));
        let Some(table) = table.filter(|_| header.table >= header::LENGTH as u64) else {
            return Err(Error::corrupt(
                "header",
                "the section table lies outside the file",
            ));
        };
        if crc32fast::hash(table) != header.table_sum {
            return Err(Error::corrupt("section table", "the checksum does not fit"));
        }
        let count = header.sections as usize;
        Limits::check("number of sections", count, MOST_SECTIONS)?;
        let sections = read_table(table, count, header.table, limits)?;
        for section in &sections {
            if crc32fast::hash(stored(&bytes, section)) != section.checksum {
                return Err(Error::corrupt(&*section.name, "the checksum does not fit"));
            }
        }
        Ok(Container {
            bytes,
            kind: header.kind,
            file: None,
            sections,
        })
    }

    /// What the file says it holds.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The file; `None` for one in memory.
    #[must_use]
    pub fn file(&self) -> Option<&Arc<str>> {
        self.file.as_ref()
    }

    /// Length of the file in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The sections in the order of the file.
    #[must_use]
    pub fn sections(&self) -> &[SectionInfo] {
        &self.sections
    }

    /// True if there is a section of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.sections.iter().any(|section| section.name == name)
    }

    /// Checks what the file holds.
    ///
    /// # Errors
    /// [`Error::WrongFormat`] if it is another kind.
    pub fn expect_kind(&self, kind: &'static str) -> Result<()> {
        if self.kind == kind {
            return Ok(());
        }
        Err(self.placed(Error::WrongFormat {
            place: Place::default(),
            expected: kind,
            found: format!("a pgen file of kind {}", self.kind).into(),
            hint: "",
        }))
    }

    /// The content of a section, unpacked if need be.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if it is missing or cannot be unpacked.
    pub fn section(&self, name: &str) -> Result<Section<'_>> {
        let section = self.sections.iter().find(|section| section.name == name);
        let Some(section) = section else {
            return Err(self.placed(Error::corrupt(name, "it is missing")));
        };
        let stored = stored(&self.bytes, section);
        let content = match section.packing {
            Packing::Plain => Cow::Borrowed(stored),
            Packing::Deflate => {
                let content = pack::unpack(stored, section.unpacked, &section.name);
                Cow::Owned(content.map_err(|error| self.placed(error))?)
            }
        };
        Ok(Section {
            content,
            name: &section.name,
            file: self.file.as_ref(),
        })
    }

    /// Unpacks every section. Checksums were verified on opening.
    ///
    /// # Errors
    /// As [`Container::section`].
    pub fn verify(&self) -> Result<()> {
        self.sections
            .iter()
            .try_for_each(|section| self.section(&section.name).map(|_| ()))
    }

    /// An error with this file as its place.
    #[must_use]
    pub fn placed(&self, error: Error) -> Error {
        match &self.file {
            Some(file) => error.in_file(Arc::clone(file)),
            None => error,
        }
    }
}

impl Section<'_> {
    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.content
    }

    /// A reader from its beginning.
    #[must_use]
    pub fn cursor(&self) -> Cursor<'_> {
        Cursor::new(&self.content, self.name).in_file(self.file)
    }
}

/// The bytes of a section, whose place was checked.
fn stored<'b>(bytes: &'b [u8], section: &SectionInfo) -> &'b [u8] {
    let (start, length) = (section.offset as usize, section.length as usize);
    bytes.get(start..start + length).unwrap_or_default()
}

/// Reads the section table: sections follow one another from the header to the table.
fn read_table(table: &[u8], count: usize, end: u64, limits: &Limits) -> Result<Vec<SectionInfo>> {
    let mut cursor = Cursor::new(table, "section table");
    let mut sections: Vec<SectionInfo> = Vec::new();
    let (mut at, mut unpacked) = (header::LENGTH as u64, 0u64);
    for _ in 0..count {
        let name = cursor.str()?.to_owned();
        let packing = Packing::of(cursor.u8()?);
        let packing = packing.ok_or_else(|| cursor.error("a packing is not known"))?;
        let section = SectionInfo {
            packing,
            offset: cursor.u64()?,
            length: cursor.u64()?,
            unpacked: cursor.u64()?,
            checksum: cursor.u32()?,
            name,
        };
        let fits = section.offset == at && section.length <= end - at;
        if !fits || sections.iter().any(|known| known.name == section.name) {
            return Err(cursor.error("the sections do not follow one another"));
        }
        if packing == Packing::Plain && section.unpacked != section.length {
            return Err(cursor.error("a plain section has two lengths"));
        }
        at += section.length;
        pack::check(section.length, section.unpacked, limits)?;
        unpacked = unpacked.saturating_add(section.unpacked);
        sections.push(section);
    }
    if at != end {
        return Err(cursor.error("there are bytes outside the sections"));
    }
    cursor.finish()?;
    if unpacked > limits.file_bytes {
        return Err(Error::LimitExceeded {
            place: Place::default(),
            what: "unpacked size in bytes",
            limit: limits.file_bytes,
            found: unpacked,
        });
    }
    Ok(sections)
}
