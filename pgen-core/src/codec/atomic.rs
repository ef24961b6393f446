//! Files that appear whole or not at all.

use crate::error::{Error, Result};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// How many names are tried for a temporary file before giving up.
const ATTEMPTS: usize = 64;

/// A file being written beside its goal, which it replaces on [`AtomicFile::commit`] and not before:
/// written to a new file in the same folder, flushed, synced and renamed. Whatever fails, the old file
/// stays as it was and no temporary file is left (unless the process is killed).
///
/// An existing file keeps its permissions; one that is marked read-only is not replaced. A symbolic
/// link is followed and its target replaced; other hard links keep the old content. What is no regular
/// file (a device, a pipe) is written directly.
#[derive(Debug)]
pub struct AtomicFile {
    file: BufWriter<File>,
    goal: PathBuf,
    /// `None` if written directly.
    temporary: Option<Temporary>,
}

/// Removes its file unless disarmed.
#[derive(Debug)]
struct Temporary(Option<PathBuf>);

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            // Nothing more can be done about a file that will not go.
            let _ = fs::remove_file(path);
        }
    }
}

impl AtomicFile {
    /// Begins to write a file.
    ///
    /// # Errors
    /// [`Error::Io`], also for a folder, for a read-only file in place, or if the folder is missing.
    pub fn create(path: &Path) -> Result<Self> {
        Self::begin(path).map_err(|e| Error::io(path, e))
    }

    fn begin(path: &Path) -> io::Result<Self> {
        let goal = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let old = fs::metadata(&goal).ok();
        match &old {
            Some(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Some(old) if !old.is_file() => {
                let file = OpenOptions::new().write(true).open(&goal)?;
                return Ok(AtomicFile {
                    file: BufWriter::new(file),
                    goal,
                    temporary: None,
                });
            }
            Some(old) if old.permissions().readonly() => {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            _ => {}
        }
        let (file, temporary) = create_beside(&goal)?;
        let temporary = Temporary(Some(temporary));
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        Ok(AtomicFile {
            file: BufWriter::with_capacity(1 << 16, file),
            goal,
            temporary: Some(temporary),
        })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// [`Error::Io`]; the old file is then untouched.
    pub fn commit(self) -> Result<()> {
        let goal = self.goal.clone();
        self.finish().map_err(|e| Error::io(&goal, e))
    }

    fn finish(self) -> io::Result<()> {
        let AtomicFile {
            file,
            goal,
            temporary,
        } = self;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let Some(mut temporary) = temporary else {
            return Ok(());
        };
        file.sync_all()?;
        drop(file);
        if let Some(path) = &temporary.0 {
            fs::rename(path, &goal)?;
        }
        temporary.0 = None;
        sync_folder(&goal);
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Moves within what was written; a pipe written directly refuses.
impl Seek for AtomicFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// A new file in the folder of `goal`, under a name of its own.
fn create_beside(goal: &Path) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut result = Err(io::ErrorKind::AlreadyExists.into());
    for _ in 0..ATTEMPTS {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = OsString::from(format!(".pgen-{}-{number}.tmp", std::process::id()));
        let path = goal.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => result = Err(e),
            Err(e) => return Err(e),
        }
    }
    result
}

/// Makes the rename last. The new file is in place already, so a refusal (some file systems know no
/// such thing) is no error.
fn sync_folder(goal: &Path) {
    if cfg!(unix) {
        let folder = goal.parent().filter(|folder| *folder != Path::new(""));
        let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
    }
}

/// Writes a file through [`AtomicFile`]: whole, or not at all if `write` or the system fails.
///
/// # Errors
/// [`Error::Io`] with the path.
pub fn write_atomically<T>(
    path: &Path,
    write: impl FnOnce(&mut AtomicFile) -> io::Result<T>,
) -> Result<T> {
    let mut file = AtomicFile::create(path)?;
    let value = write(&mut file).map_err(|e| Error::io(path, e))?;
    file.commit()?;
    Ok(value)
}

/// An [`AtomicFile`] that packs what it is given if its name ends in `.gz`. The bytes depend on nothing
/// but the text.
#[derive(Debug)]
pub struct TextFile(Packing);

#[derive(Debug)]
enum Packing {
    Plain(AtomicFile),
    #[cfg(feature = "gzip")]
    Gzip(flate2::write::GzEncoder<AtomicFile>),
}

impl TextFile {
    /// Begins to write a file.
    ///
    /// # Errors
    /// As [`AtomicFile::create`]; [`Error::BadParameter`] for a name in `.gz` without the feature `gzip`.
    pub fn create(path: &Path) -> Result<Self> {
        let packed = path
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("gz"));
        if !packed {
            return Ok(TextFile(Packing::Plain(AtomicFile::create(path)?)));
        }
        #[cfg(feature = "gzip")]
        return Ok(TextFile(Packing::Gzip(flate2::write::GzEncoder::new(
            AtomicFile::create(path)?,
            flate2::Compression::default(),
        ))));
        #[cfg(not(feature = "gzip"))]
        Err(Error::parameter(
            "output file",
            path.display(),
            "a name without .gz, as this build lacks the feature `gzip`",
        ))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// [`Error::Io`]; the old file is then untouched.
    pub fn commit(self) -> Result<()> {
        match self.0 {
            Packing::Plain(file) => file.commit(),
            #[cfg(feature = "gzip")]
            Packing::Gzip(packer) => {
                let goal = packer.get_ref().goal.clone();
                packer.finish().map_err(|e| Error::io(&goal, e))?.commit()
            }
        }
    }
}

impl Write for TextFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Packing::Plain(file) => file.write(bytes),
            #[cfg(feature = "gzip")]
            Packing::Gzip(packer) => packer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Packing::Plain(file) => file.flush(),
            #[cfg(feature = "gzip")]
            Packing::Gzip(packer) => packer.flush(),
        }
    }
}
