//! Sorted runs of keys on disk, and their merge.

use super::key::{Buffer, MAX_ORDER};
use crate::error::Result;
use pgen_core::Error;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A temporary file of `order` words (0 where there is none) and a count, each as four bytes, little endian,
/// in ascending order.
#[derive(Debug)]
pub(super) struct Run {
    file: File,
    path: PathBuf,
    keys: u64,
}

impl Drop for Run {
    fn drop(&mut self) {
        // Where open files cannot be removed this comes too early; the system clears its folder itself.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Run {
    /// Writes a sorted buffer.
    pub(super) fn write(buffer: &Buffer, order: usize, folder: Option<&Path>) -> Result<Self> {
        let folder = folder.map_or_else(std::env::temp_dir, Path::to_owned);
        let (file, path) = create(&folder)?;
        let mut run = Run {
            file,
            path,
            keys: 0,
        };
        let mut out = BufWriter::with_capacity(1 << 20, &run.file);
        let mut result = Ok(());
        let mut keys = 0;
        buffer.for_each(|words, count| {
            let mut record = [0u8; 4 * MAX_ORDER + 4];
            for (slot, word) in record.chunks_exact_mut(4).zip(words) {
                slot.copy_from_slice(&(word + 1).to_le_bytes());
            }
            let end = 4 * order;
            // A run has fewer keys than a count can hold.
            record[end..end + 4].copy_from_slice(&(count as u32).to_le_bytes());
            keys += 1;
            if result.is_ok() {
                result = out.write_all(&record[..end + 4]);
            }
        });
        let result = result.and_then(|()| out.flush());
        drop(out);
        result.map_err(|e| Error::io(&run.path, e))?;
        run.keys = keys;
        Ok(run)
    }
}

/// Runs that this process has named.
static NAMED: AtomicU64 = AtomicU64::new(0);

fn create(folder: &Path) -> Result<(File, PathBuf)> {
    let mut last = None;
    // Names that another process of the same number left behind are passed over.
    for _ in 0..1000 {
        let number = NAMED.fetch_add(1, Ordering::Relaxed);
        let name = format!(".pgen-lm-{}-{number}.run", std::process::id());
        let path = folder.join(name);
        let mut options = File::options();
        match options.read(true).write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => last = Some((path, e)),
            Err(e) => return Err(Error::io(&path, e).into()),
        }
    }
    let (path, e) = last.unwrap_or_else(|| (folder.to_owned(), std::io::ErrorKind::Other.into()));
    Err(Error::io(&path, e).into())
}

/// Reads runs together, equal keys as one.
pub(super) struct Merge<'a> {
    readers: Vec<Reader<'a>>,
    heap: BinaryHeap<Reverse<([u32; MAX_ORDER], usize, u64)>>,
    words: [u32; MAX_ORDER],
    order: usize,
}

struct Reader<'a> {
    input: BufReader<&'a File>,
    path: &'a Path,
    left: u64,
}

impl<'a> Merge<'a> {
    pub(super) fn new(runs: &'a mut [Run], order: usize) -> Result<Self> {
        let mut merge = Merge {
            readers: Vec::new(),
            heap: BinaryHeap::new(),
            words: [0; MAX_ORDER],
            order,
        };
        for run in runs.iter() {
            let mut file = &run.file;
            file.seek(SeekFrom::Start(0))
                .map_err(|e| Error::io(&run.path, e))?;
            merge.readers.push(Reader {
                input: BufReader::with_capacity(1 << 18, &run.file),
                path: &run.path,
                left: run.keys,
            });
        }
        for at in 0..merge.readers.len() {
            merge.refill(at)?;
        }
        Ok(merge)
    }

    fn refill(&mut self, at: usize) -> Result<()> {
        let reader = &mut self.readers[at];
        if reader.left == 0 {
            return Ok(());
        }
        reader.left -= 1;
        let mut record = [0u8; 4 * MAX_ORDER + 4];
        let end = 4 * self.order;
        reader
            .input
            .read_exact(&mut record[..end + 4])
            .map_err(|e| Error::io(reader.path, e))?;
        let number = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let mut key = [0; MAX_ORDER];
        for (slot, bytes) in key.iter_mut().zip(record[..end].chunks_exact(4)) {
            *slot = number(bytes);
        }
        let count = u64::from(number(&record[end..]));
        self.heap.push(Reverse((key, at, count)));
        Ok(())
    }

    /// The next key and its count in all runs.
    pub(super) fn next(&mut self) -> Result<Option<(&[u32], u64)>> {
        let Some(Reverse((key, at, mut sum))) = self.heap.pop() else {
            return Ok(None);
        };
        self.refill(at)?;
        while let Some(Reverse((other, at, count))) = self.heap.peek().copied()
            && other == key
        {
            self.heap.pop();
            sum += count;
            self.refill(at)?;
        }
        let length = key.iter().position(|&word| word == 0).unwrap_or(MAX_ORDER);
        for (slot, word) in self.words.iter_mut().zip(&key[..length]) {
            *slot = word - 1;
        }
        Ok(Some((&self.words[..length], sum)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_names_more_than_a_thousand_runs() {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..1_100 {
            let (_, path) = create(folder.path()).unwrap();
            assert!(path.exists());
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1_100);
    }
}
