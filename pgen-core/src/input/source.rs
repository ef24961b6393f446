//! Where bytes come from: compression told by magic, size and expansion bounded.

use crate::error::{Error, Place, Result};
use crate::limits::Limits;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that are free from the limit on expansion: small inputs are no bombs.
#[cfg(feature = "gzip")]
const FREE_EXPANSION: u64 = 1 << 20;
const BUFFER: usize = 1 << 16;

/// What the first bytes of packed data look like (`?` is any byte), what it is called and what to do.
const MAGICS: [(&[u8], &str, &str); 5] = [
    (b"\x1f\x8b", "gzip data", GZIP_HINT),
    (b"BZh?1AY&SY", "bzip2 data", "unpack it first: bzip2 -d"),
    (b"\xfd7zXZ\0", "xz data", "unpack it first: xz -d"),
    (b"\x28\xb5\x2f\xfd", "zstd data", "unpack it first: zstd -d"),
    (b"PK\x03\x04", "a zip archive", "unpack it first: unzip"),
];
const GZIP_HINT: &str = "unpack it first (gzip -d), or build with the feature `gzip`";

/// An opened input: a buffered reader of its bytes, unpacked if they are gzip (all members), whatever
/// the name of the file. It yields no more than [`Limits::file_bytes`], packed or unpacked, and no more
/// than [`Limits::compression_ratio`] unpacked bytes for one packed byte (the first MiB is free).
///
/// As a reader it gives [`io::Error`]s; [`Input::error`] turns those into typed ones.
pub struct Input {
    bytes: Box<dyn BufRead + Send>,
    name: Arc<str>,
    consumed: Arc<AtomicU64>,
    total: Option<u64>,
    packed: bool,
}

impl Input {
    /// Opens a file; `-` is standard input.
    ///
    /// A named pipe without a writer blocks, as the system does.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::LimitExceeded`] if the file is larger than allowed;
    /// [`Error::WrongFormat`] for bzip2, xz, zstd and zip data, which are not unpacked here.
    pub fn open(path: &Path, limits: &Limits) -> Result<Self> {
        if path == Path::new("-") {
            return Self::from_reader(io::stdin(), "standard input", limits);
        }
        let file = File::open(path).map_err(|e| Error::io(path, e))?;
        let metadata = file.metadata().map_err(|e| Error::io(path, e))?;
        let place = Place::file(path);
        let total = metadata.is_file().then_some(metadata.len());
        if let Some(found) = total.filter(|&length| length > limits.file_bytes) {
            return Err(too_large(
                "file size in bytes",
                found,
                limits.file_bytes,
                place,
            ));
        }
        let name = place.file.unwrap_or_default();
        let mut input = Self::from_reader(file, name, limits)?;
        input.total = total;
        Ok(input)
    }

    /// Takes any reader; `name` stands for it in messages.
    ///
    /// Asks for no more than it takes to tell packed data from text, so that a conversation over a pipe
    /// does not wait.
    ///
    /// # Errors
    /// As [`Input::open`].
    pub fn from_reader(
        reader: impl Read + Send + 'static,
        name: impl Into<Arc<str>>,
        limits: &Limits,
    ) -> Result<Self> {
        let consumed = Arc::new(AtomicU64::new(0));
        let mut raw = Counted {
            reader,
            count: Arc::clone(&consumed),
            limit: limits.file_bytes,
        };
        let mut input = Input {
            bytes: Box::new(io::empty()),
            name: name.into(),
            consumed,
            total: None,
            packed: false,
        };
        let (head, magic) = sniff(&mut raw).map_err(|e| input.error(e))?;
        let chained = BufReader::with_capacity(BUFFER, io::Cursor::new(head).chain(raw));
        match magic {
            None => input.bytes = Box::new(chained),
            Some(&(b"\x1f\x8b", ..)) if cfg!(feature = "gzip") => {
                input.packed = true;
                input.bytes = unpack(chained, Arc::clone(&input.consumed), limits);
            }
            Some((_, found, hint)) => {
                return Err(Error::WrongFormat {
                    place: input.place(),
                    expected: "plain or gzip data",
                    found: (*found).into(),
                    hint,
                });
            }
        }
        Ok(input)
    }

    /// The name for messages.
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The input as a whole, for messages.
    #[must_use]
    pub fn place(&self) -> Place {
        Place::default().in_file(Arc::clone(&self.name))
    }

    /// Bytes taken from the source so far, before unpacking; for progress.
    #[must_use]
    pub fn consumed(&self) -> u64 {
        self.consumed.load(Ordering::Relaxed)
    }

    /// Size of the source if it is a file, before unpacking.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// True if the source is being unpacked.
    #[must_use]
    pub fn is_packed(&self) -> bool {
        self.packed
    }

    /// The typed form of an error that reading gave: a limit, damaged gzip data, or the system's.
    #[must_use]
    pub fn error(&self, source: io::Error) -> Error {
        let damaged = self.packed
            && source.raw_os_error().is_none()
            && matches!(
                source.kind(),
                io::ErrorKind::InvalidInput
                    | io::ErrorKind::InvalidData
                    | io::ErrorKind::UnexpectedEof
            );
        match source.downcast::<Error>() {
            Ok(typed) => typed.in_file(Arc::clone(&self.name)),
            Err(source) if damaged => {
                let reason = match source.kind() {
                    io::ErrorKind::UnexpectedEof => "the data ends early".into(),
                    _ => source.to_string(),
                };
                Error::corrupt("gzip", reason).in_file(Arc::clone(&self.name))
            }
            Err(source) => Error::Io {
                place: self.place(),
                source,
            },
        }
    }
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input")
            .field("name", &self.name)
            .field("packed", &self.packed)
            .field("consumed", &self.consumed())
            .finish_non_exhaustive()
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer)
    }
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.bytes.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.bytes.consume(amount);
    }
}

fn too_large(what: &'static str, found: u64, limit: u64, place: Place) -> Error {
    Error::LimitExceeded {
        place,
        what,
        limit,
        found,
    }
}

type Magic = (&'static [u8], &'static str, &'static str);

/// Reads until the first bytes can be no magic, or are one; no further than the reader gives at once.
fn sniff(raw: &mut impl Read) -> io::Result<(Vec<u8>, Option<&'static Magic>)> {
    let agrees = |magic: &[u8], head: &[u8]| {
        magic
            .iter()
            .zip(head)
            .all(|(want, found)| *want == b'?' || want == found)
    };
    let mut head = Vec::new();
    loop {
        let mut possible = MAGICS.iter().filter(|magic| agrees(magic.0, &head));
        match possible.clone().find(|magic| magic.0.len() <= head.len()) {
            Some(found) => return Ok((head, Some(found))),
            None if possible.next().is_none() => return Ok((head, None)),
            None => {}
        }
        let known = head.len();
        head.resize(known + BUFFER, 0);
        let read = raw.read(&mut head[known..])?;
        head.truncate(known + read);
        if read == 0 {
            return Ok((head, None));
        }
    }
}

/// Counts what it passes on, bounds it, retries interrupted reads and mistrusts its reader.
struct Counted<R> {
    reader: R,
    count: Arc<AtomicU64>,
    limit: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = loop {
            match self.reader.read(buffer) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        if read > buffer.len() {
            return Err(io::Error::other("the reader claims more bytes than asked"));
        }
        let total = self.count.load(Ordering::Relaxed) + read as u64;
        self.count.store(total, Ordering::Relaxed);
        if total > self.limit {
            let what = "input size in bytes";
            return Err(io::Error::other(too_large(
                what,
                total,
                self.limit,
                Place::default(),
            )));
        }
        Ok(read)
    }
}

#[cfg(feature = "gzip")]
fn unpack(
    packed: impl BufRead + Send + 'static,
    consumed: Arc<AtomicU64>,
    limits: &Limits,
) -> Box<dyn BufRead + Send> {
    let metered = Metered {
        reader: flate2::bufread::MultiGzDecoder::new(packed),
        consumed,
        produced: 0,
        limit: limits.file_bytes,
        ratio: limits.compression_ratio,
    };
    Box::new(BufReader::with_capacity(BUFFER, metered))
}

#[cfg(not(feature = "gzip"))]
fn unpack(
    _: impl BufRead + Send + 'static,
    _: Arc<AtomicU64>,
    _: &Limits,
) -> Box<dyn BufRead + Send> {
    Box::new(io::empty())
}

/// Bounds what unpacking yields, in all and for what it was given.
#[cfg(feature = "gzip")]
struct Metered<R> {
    reader: R,
    consumed: Arc<AtomicU64>,
    produced: u64,
    limit: u64,
    ratio: u64,
}

#[cfg(feature = "gzip")]
impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.produced += read as u64;
        let consumed = self.consumed.load(Ordering::Relaxed);
        let fair = consumed
            .saturating_mul(self.ratio)
            .saturating_add(FREE_EXPANSION);
        let error = if self.produced > self.limit {
            too_large(
                "unpacked size in bytes",
                self.produced,
                self.limit,
                Place::default(),
            )
        } else if self.produced > fair {
            let found = self.produced / consumed.max(1);
            too_large(
                "unpacked bytes per packed byte",
                found,
                self.ratio,
                Place::default(),
            )
        } else {
            return Ok(read);
        };
        Err(io::Error::other(error))
    }
}

#[cfg(all(test, not(feature = "gzip")))]
mod tests {
    use super::*;

    #[test]
    fn without_the_feature_gzip_data_is_refused_by_name() {
        let error = Input::from_reader(&b"\x1f\x8b\x08"[..], "t", &Limits::default()).unwrap_err();
        assert!(error.to_string().contains("feature `gzip`"), "{error}");
    }
}
