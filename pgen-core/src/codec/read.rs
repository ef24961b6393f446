//! Checked reading of binary data.

use crate::error::{Error, Result};
use std::sync::Arc;

/// Reads little-endian data from a section. Nothing is read beyond the end, and no vector is made for a
/// count that the bytes left cannot hold; both are [`Error::Corrupt`] with the section's name.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    section: &'a str,
    file: Option<&'a Arc<str>>,
}

macro_rules! numbers {
    ($($name:ident, $many:ident, $type:ty, $doc:literal;)*) => {$(
        #[doc = concat!("Reads ", $doc, ".\n\n# Errors\n[`Error::Corrupt`] at the end.")]
        pub fn $name(&mut self) -> Result<$type> {
            Ok(<$type>::from_le_bytes(self.array()?))
        }

        #[doc = concat!("Reads a count and as many of: ", $doc, ".\n\n# Errors\n[`Error::Corrupt`] if there are fewer.")]
        pub fn $many(&mut self) -> Result<Vec<$type>> {
            const SIZE: usize = size_of::<$type>();
            let bytes = self.counted(SIZE)?;
            let (numbers, _) = bytes.as_chunks::<SIZE>();
            Ok(numbers.iter().map(|&bytes| <$type>::from_le_bytes(bytes)).collect())
        }
    )*};
}

impl<'a> Cursor<'a> {
    /// Reads these bytes; the name stands for them in errors.
    #[must_use]
    pub fn new(bytes: &'a [u8], section: &'a str) -> Self {
        Cursor {
            rest: bytes,
            section,
            file: None,
        }
    }

    pub(super) fn in_file(mut self, file: Option<&'a Arc<str>>) -> Self {
        self.file = file;
        self
    }

    numbers! {
        u8, u8s, u8, "a byte";
        u16, u16s, u16, "a 16-bit number";
        u32, u32s, u32, "a 32-bit number";
        u64, u64s, u64, "a 64-bit number";
        f32, f32s, f32, "a 32-bit float, of any value";
        f64, f64s, f64, "a 64-bit float, of any value";
    }

    /// Reads a number of 1 to 10 bytes, 7 bits each, the lowest first.
    ///
    /// # Errors
    /// [`Error::Corrupt`] at the end, and for more than 64 bits.
    #[inline]
    pub fn varint(&mut self) -> Result<u64> {
        let mut value = 0u64;
        for (at, &byte) in self.rest.iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7F) << (7 * at);
            if byte < 0x80 {
                if at == 9 && byte > 1 {
                    break;
                }
                self.rest = &self.rest[at + 1..];
                return Ok(value);
            }
        }
        Err(self.error("a number is too long or the data ends early"))
    }

    /// As [`Cursor::varint`], for numbers below 2³².
    ///
    /// # Errors
    /// [`Error::Corrupt`] for larger ones too.
    #[inline]
    pub fn varint32(&mut self) -> Result<u32> {
        u32::try_from(self.varint()?).map_err(|_| self.error("a number is too large"))
    }

    /// Reads a length and as many bytes of UTF-8.
    ///
    /// # Errors
    /// [`Error::Corrupt`] at the end and for bytes that are no UTF-8.
    pub fn str(&mut self) -> Result<&'a str> {
        let bytes = self.counted(1)?;
        std::str::from_utf8(bytes).map_err(|_| self.error("a text is no UTF-8"))
    }

    /// Reads a number of bytes.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if there are fewer.
    pub fn raw(&mut self, length: usize) -> Result<&'a [u8]> {
        let Some((bytes, rest)) = self.rest.split_at_checked(length) else {
            return Err(self.error("the data ends early"));
        };
        self.rest = rest;
        Ok(bytes)
    }

    /// Number of bytes left.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if bytes are left.
    pub fn finish(self) -> Result<()> {
        if self.rest.is_empty() {
            return Ok(());
        }
        let reason = format!("{} bytes are left over", self.rest.len());
        Err(self.error(&reason))
    }

    /// The error that this section is damaged.
    #[must_use]
    pub fn error(&self, reason: &str) -> Error {
        let error = Error::corrupt(self.section, reason);
        match self.file {
            Some(file) => error.in_file(Arc::clone(file)),
            None => error,
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let Some((bytes, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(self.error("the data ends early"));
        };
        self.rest = rest;
        Ok(*bytes)
    }

    /// Reads a count and the bytes of as many items.
    fn counted(&mut self, size: usize) -> Result<&'a [u8]> {
        let count = self.u64()?;
        let length = usize::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(size))
            .filter(|length| *length <= self.rest.len());
        match length {
            Some(length) => self.raw(length),
            None => {
                let left = self.rest.len();
                let reason = format!("{count} items are announced, but {left} bytes are left");
                Err(self.error(&reason))
            }
        }
    }
}
