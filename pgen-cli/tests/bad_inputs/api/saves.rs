//! Saves: failing, cut off, raced and killed.

use super::files::{TABLE, folder, names, saved_table, trained};
use super::must;
use crate::probes::{Result, broken};
use pgen::align::{Method, Trained};
use pgen::core::codec::Packing;
use pgen::core::{AtomicFile, Error, Limits, ParaphraseTable, write_atomically};
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

pub(crate) fn run(name: &str) -> Option<Result> {
    Some(match name {
        "quota exceeded while writing" => write_error(io::ErrorKind::QuotaExceeded),
        "writing fails at every call" => writing_fails(),
        "writing fails at the last call" => write_error(io::ErrorKind::Other),
        "renaming fails" => renaming_fails(),
        "a folder that cannot be synced" => unsynced_folder(),
        "a byte taken at every call" => bytes_taken(),
        "two threads save one file" => two_threads(),
        "killed at any moment" => killed(),
        "stopped before every step of a save" => stopped(),
        "power lost before the sync" => power_lost(),
        "planted temporary names" => planted(),
        "save for ever" => save_for_ever(),
        _ => return None,
    })
}

/// A writer through which the N-th call fails.
struct Failing<W> {
    to: W,
    left: usize,
    kind: io::ErrorKind,
}

impl<W: Write> Write for Failing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(self.kind.into());
        }
        self.left -= 1;
        self.to.write(&bytes[..bytes.len().min(7)])
    }
    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn save_failing(path: &Path, calls: usize, kind: io::ErrorKind) -> pgen::core::Result<()> {
    write_atomically(path, |file| {
        let mut failing = Failing {
            to: file,
            left: calls,
            kind,
        };
        failing.write_all(TABLE.as_bytes())
    })
}

fn write_error(kind: io::ErrorKind) -> Result {
    let folder = folder()?;
    let path = folder.path().join("a");
    fs::write(&path, "old").map_err(broken)?;
    let error = save_failing(&path, 3, kind).err();
    must(
        fs::read(&path).map_err(broken)? == b"old",
        "the old file stays",
    )?;
    must(names(folder.path()).len() == 1, "nothing is left over")?;
    Err(error.ok_or_else(|| broken("saved"))?.into())
}

fn writing_fails() -> Result {
    let folder = folder()?;
    let path = folder.path().join("a");
    let calls = TABLE.len().div_ceil(7);
    for n in 0..=calls {
        fs::write(&path, "old").map_err(broken)?;
        let result = save_failing(&path, n, io::ErrorKind::Other);
        let now = fs::read(&path).map_err(broken)?;
        let expected = if n < calls { b"old" } else { TABLE.as_bytes() };
        must(
            result.is_ok() == (n >= calls) && now == expected,
            &format!("call {n}"),
        )?;
        must(names(folder.path()).len() == 1, "nothing is left over")?;
    }
    Ok(format!("{calls} calls"))
}

fn renaming_fails() -> Result {
    let folder = folder()?;
    let path = folder.path().join("a");
    let mut file = AtomicFile::create(&path)?;
    file.write_all(b"new").map_err(broken)?;
    // A folder takes the place in the meantime.
    fs::create_dir_all(path.join("inside")).map_err(broken)?;
    let result = file.commit();
    must(names(folder.path()) == ["a"], "nothing is left over")?;
    result?;
    Ok("saved".into())
}

/// The folder of /dev/shm and the like cannot always be synced; the file is in place all the same.
fn unsynced_folder() -> Result {
    let path = Path::new("/dev/null");
    write_atomically(path, |file| file.write_all(b"x"))?;
    Ok(String::new())
}

fn bytes_taken() -> Result {
    let folder = folder()?;
    let path = folder.path().join("a");
    save_failing(&path, usize::MAX, io::ErrorKind::Other)?;
    must(
        fs::read(&path).map_err(broken)? == TABLE.as_bytes(),
        "the same file",
    )?;
    Ok(String::new())
}

fn two_threads() -> Result {
    let folder = folder()?;
    let path = folder.path().join("a");
    let (one, two) = (trained(Method::Model1)?, trained(Method::Hmm)?);
    std::thread::scope(|scope| {
        for (vocab, model) in [&one, &two] {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..50 {
                    let _ = model.save(path, vocab, Packing::Plain);
                }
            });
        }
    });
    let (_, loaded) = Trained::load(&path, &Limits::default())?;
    must(loaded == one.1 || loaded == two.1, "one of the two, whole")?;
    must(names(folder.path()) == ["a"], "nothing is left over")?;
    Ok(String::new())
}

/// What a killed child does: saves two models in turn until it is killed.
fn save_for_ever() -> Result {
    let path = std::env::var("PGEN_SAVE").map_err(broken)?;
    let (one, two) = (trained(Method::Model1)?, trained(Method::Hmm)?);
    println!("ready");
    loop {
        for (vocab, model) in [&one, &two] {
            model.save(Path::new(&path), vocab, Packing::Plain)?;
        }
    }
}

/// Kills a saving process at 100 moments (500 with PGEN_LONG): always one of the whole models.
fn killed() -> Result {
    let folder = folder()?;
    let path = folder.path().join("a");
    let (one, two) = (trained(Method::Model1)?, trained(Method::Hmm)?);
    one.1.save(&path, &one.0, Packing::Plain)?;
    let own = std::env::current_exe().map_err(broken)?;
    let rounds = if std::env::var_os("PGEN_LONG").is_some() {
        500
    } else {
        60
    };
    let mut left_over = 0;
    for round in 0..rounds {
        let mut child = Command::new(&own)
            .args(["--case", "I49.save"])
            .env("PGEN_SAVE", &path)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(broken)?;
        let mut ready = [0; 6];
        if let Some(out) = &mut child.stdout {
            out.read_exact(&mut ready).map_err(broken)?;
        }
        std::thread::sleep(Duration::from_micros(round * 137 % 9000));
        child.kill().map_err(broken)?;
        child.wait().map_err(broken)?;
        let (_, loaded) = Trained::load(&path, &Limits::default())?;
        must(loaded == one.1 || loaded == two.1, "old or new, whole")?;
        for name in names(folder.path()).iter().filter(|name| *name != "a") {
            left_over += 1;
            fs::remove_file(folder.path().join(name)).map_err(broken)?;
        }
    }
    Ok(format!(
        "{rounds} kills, {left_over} temporary files left by them"
    ))
}

/// Between any two steps of a save (begun, written, flushed, committed) the file is the old or the new.
fn stopped() -> Result {
    let folder = folder()?;
    let path = folder.path().join("a");
    let is = |expected: &str| {
        let now = fs::read_to_string(&path).map_err(broken)?;
        must(now == expected, &format!("{now:?} instead of {expected:?}"))
    };
    for steps in 0..4 {
        fs::write(&path, "old").map_err(broken)?;
        let mut file = AtomicFile::create(&path)?;
        if steps > 0 {
            file.write_all(TABLE.as_bytes()).map_err(broken)?;
        }
        if steps > 1 {
            file.flush().map_err(broken)?;
        }
        is("old")?;
        if steps > 2 {
            file.commit()?;
            is(TABLE)?;
        } else {
            // As if the process had been stopped: nothing is cleaned up.
            std::mem::forget(file);
            is("old")?;
        }
    }
    Ok(String::new())
}

/// The content is synced before the name changes; a file that lost content all the same is refused.
fn power_lost() -> Result {
    let folder = folder()?;
    let path = folder.path().join("a");
    saved_table(&path)?;
    let whole = fs::read(&path).map_err(broken)?;
    // Blocks of 64 bytes that never reached the disk are zeros; every subset of the first ten.
    let blocks = whole.len().div_ceil(64).min(10);
    for lost in 1u32..1 << blocks {
        let mut bytes = whole.clone();
        for block in (0..blocks).filter(|block| lost >> block & 1 == 1) {
            let end = ((block + 1) * 64).min(bytes.len());
            bytes[block * 64..end].fill(0);
        }
        if bytes == whole {
            continue;
        }
        fs::write(&path, &bytes).map_err(broken)?;
        let error = ParaphraseTable::load(&path, &Limits::default()).err();
        must(
            error.is_some(),
            &format!("blocks {lost:b} were lost unseen"),
        )?;
    }
    Ok(format!(
        "{} subsets of {blocks} blocks",
        (1u32 << blocks) - 1
    ))
}

fn planted() -> Result {
    let folder = folder()?;
    let path = folder.path().join("a");
    let victim = folder.path().join("victim");
    fs::write(&victim, "precious").map_err(broken)?;
    for number in 0..200 {
        let name = format!(".pgen-{}-{number}.tmp", std::process::id());
        std::os::unix::fs::symlink(&victim, folder.path().join(name)).map_err(broken)?;
    }
    let result = write_atomically(&path, |file| file.write_all(b"new"));
    must(
        matches!(result, Err(Error::Io { .. })),
        "too many planted names are an error",
    )?;
    must(
        fs::read(&victim).map_err(broken)? == b"precious",
        "no link is followed",
    )?;
    for number in 100..200 {
        let name = format!(".pgen-{}-{number}.tmp", std::process::id());
        fs::remove_file(folder.path().join(name)).map_err(broken)?;
    }
    write_atomically(&path, |file| file.write_all(b"new"))?;
    must(
        fs::read(&victim).map_err(broken)? == b"precious",
        "no link is followed",
    )?;
    Ok(String::new())
}
