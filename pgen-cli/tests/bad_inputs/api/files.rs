//! Files: failing, slow, lying and changing ones.

use super::must;
use crate::probes::{Failure, Result, broken, show_table};
use pgen::align::{Corpus, Method, TrainOptions, Trained};
use pgen::core::codec::{Container, Packing};
use pgen::core::formats::{TableOptions, moses};
use pgen::core::{Limits, Lines, ParaphraseTable, Vocab, write_atomically};
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) fn run(name: &str) -> Option<Result> {
    Some(match name {
        "a path with NUL" => nul(),
        "reading fails at every call" => reading_fails(),
        "interrupted at every call" => interrupted(),
        "a byte for every call" => byte_by_byte(),
        "a reader that ends early" => ends_early(),
        "a reader that lies about its length" => lies(),
        "a reader that panics" => panics(),
        "a reader that would block" => blocks(),
        "a file that grows while it is read" => changes(Change::Grow),
        "a file that shrinks while it is read" => changes(Change::Shrink),
        "a file replaced while it is read" => changes(Change::Replace),
        "a file overwritten while it is read" => changes(Change::Overwrite),
        "nothing is mapped" => not_mapped(),
        "loaded a thousand times" => thousand_loads(),
        "a thousand threads load at once" => thousand_threads(),
        _ => return None,
    })
}

pub(super) const TABLE: &str =
    "a ||| b ||| 0.5\nb c ||| d e f ||| 0.25 ||| 0-0 1-2 ||| 3 2 1\ncat ||| dog ||| 0.125\n";

fn read_table(reader: impl Read + Send + 'static) -> Result<String> {
    let mut lines = Lines::from_reader(reader, "t", &Limits::default())?;
    let mut vocab = Vocab::new();
    let (table, _) = moses::load(&mut lines, &mut vocab, &TableOptions::default())?;
    Ok(show_table(&table, &vocab))
}

pub(super) fn saved_table(path: &Path) -> Result<(Vocab, ParaphraseTable)> {
    let mut lines = Lines::from_text(TABLE, &Limits::default())?;
    let mut vocab = Vocab::new();
    let (table, _) = moses::load(&mut lines, &mut vocab, &TableOptions::default())?;
    table.save(path, &vocab, Packing::Plain)?;
    Ok((vocab, table))
}

pub(super) fn folder() -> Result<tempfile::TempDir> {
    tempfile::tempdir().map_err(broken)
}

pub(super) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}

fn nul() -> Result {
    Container::open(Path::new("a\0b"), &Limits::default())?;
    Ok("opened".into())
}

/// A reader whose N-th call does something odd.
struct Odd {
    bytes: io::Cursor<Vec<u8>>,
    calls: Arc<AtomicUsize>,
    /// What the call of this number does.
    at: usize,
    what: fn(&mut [u8]) -> io::Result<usize>,
    most: usize,
}

impl Read for Odd {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        if call == self.at {
            return (self.what)(into);
        }
        let most = into.len().min(self.most);
        self.bytes.read(&mut into[..most])
    }
}

fn odd(at: usize, most: usize, what: fn(&mut [u8]) -> io::Result<usize>) -> Odd {
    Odd {
        bytes: io::Cursor::new(TABLE.as_bytes().to_vec()),
        calls: Arc::default(),
        at,
        what,
        most,
    }
}

fn reading_fails() -> Result {
    let good = read_table(TABLE.as_bytes())?;
    let mut failed = 0;
    for n in 0..200 {
        match read_table(odd(n, 5, |_| Err(io::Error::other("EIO")))) {
            Ok(table) => must(table == good, "a read that succeeds is whole")?,
            Err(error) => {
                must(error.code == "io", &error.message)?;
                failed += 1;
            }
        }
    }
    must(
        failed > TABLE.len() / 5,
        "every call up to the end can fail",
    )?;
    Ok(format!("{failed} failing calls"))
}

fn interrupted() -> Result {
    let good = read_table(TABLE.as_bytes())?;
    for n in 0..200 {
        let again = read_table(odd(n, 5, |_| Err(io::ErrorKind::Interrupted.into())))?;
        must(again == good, "an interrupted call is made again")?;
    }
    Ok(String::new())
}

fn byte_by_byte() -> Result {
    let good = read_table(TABLE.as_bytes())?;
    must(
        read_table(odd(usize::MAX, 1, |_| Ok(0)))? == good,
        "the same table",
    )?;
    Ok(String::new())
}

/// Text that ends early is a shorter text; binary data that ends early is an error.
fn ends_early() -> Result {
    let folder = folder()?;
    let path = folder.path().join("a");
    saved_table(&path)?;
    let whole = fs::read(&path).map_err(broken)?;
    for end in 0..whole.len() {
        fs::write(&path, &whole[..end]).map_err(broken)?;
        let error = ParaphraseTable::load(&path, &Limits::default()).err();
        must(
            error.is_some_and(|e| e.code() == "corrupt"),
            &format!("{end} bytes"),
        )?;
    }
    Ok(format!("{} lengths", whole.len()))
}

fn lies() -> Result {
    let read = std::panic::catch_unwind(|| read_table(odd(2, 5, |into| Ok(into.len() + 1))));
    // The standard library asserts that readers tell the truth; ours stay usable either way.
    must(!matches!(&read, Ok(Ok(_))), "a lie is not believed")?;
    read_table(TABLE.as_bytes())?;
    Ok(String::new())
}

fn panics() -> Result {
    let read = std::panic::catch_unwind(|| read_table(odd(2, 5, |_| panic!("a broken reader"))));
    must(read.is_err(), "the panic is the caller's")?;
    read_table(TABLE.as_bytes())?;
    Ok(String::new())
}

fn blocks() -> Result {
    read_table(odd(2, 5, |_| Err(io::ErrorKind::WouldBlock.into())))
}

#[derive(Clone, Copy, PartialEq)]
enum Change {
    Grow,
    Shrink,
    Replace,
    Overwrite,
}

/// Another thread changes a model while it is loaded, over and over: each load is one of the whole models
/// or a typed error.
fn changes(change: Change) -> Result {
    let folder = folder()?;
    let path = folder.path().join("a");
    saved_table(&path)?;
    let whole = fs::read(&path).map_err(broken)?;
    let (good, _) = (shown(&path)?, ());
    let over = std::sync::atomic::AtomicBool::new(false);
    let (loaded, refused) = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut round = 0u8;
            while !over.load(Ordering::Relaxed) {
                round = round.wrapping_add(1);
                let _ = change_once(&path, &whole, change, round);
            }
        });
        let counts = load_often(&path, &good);
        over.store(true, Ordering::Relaxed);
        counts
    })?;
    must(loaded + refused == 400, "every load ends")?;
    if change == Change::Replace {
        must(refused == 0, "a renamed file is whole")?;
    }
    Ok(format!("{loaded} loaded, {refused} refused"))
}

fn load_often(path: &Path, good: &str) -> Result<(u32, u32)> {
    let (mut loaded, mut refused) = (0, 0);
    for _ in 0..400 {
        match shown(path) {
            Ok(table) => {
                must(table == good, "what loads is whole")?;
                loaded += 1;
            }
            Err(error) => {
                must(error.code == "corrupt", &error.message)?;
                refused += 1;
            }
        }
    }
    Ok((loaded, refused))
}

fn shown(path: &Path) -> Result<String> {
    let (vocab, table) = ParaphraseTable::load(path, &Limits::default())?;
    Ok(show_table(&table, &vocab))
}

fn change_once(path: &Path, whole: &[u8], change: Change, round: u8) -> io::Result<()> {
    let half = whole.len() / 2;
    match change {
        Change::Grow => {
            fs::OpenOptions::new()
                .append(true)
                .open(path)?
                .write_all(&[round])?;
            fs::OpenOptions::new()
                .write(true)
                .open(path)?
                .set_len(whole.len() as u64)
        }
        Change::Shrink => {
            fs::OpenOptions::new()
                .write(true)
                .open(path)?
                .set_len(half as u64)?;
            fs::write(path, whole)
        }
        Change::Replace => {
            write_atomically(path, |file| file.write_all(whole)).map_err(io::Error::other)
        }
        Change::Overwrite => {
            use io::{Seek, SeekFrom};
            let mut file = fs::OpenOptions::new().write(true).open(path)?;
            file.seek(SeekFrom::Start(half as u64))?;
            file.write_all(&[!whole[half] ^ round | 1])?;
            file.seek(SeekFrom::Start(half as u64))?;
            file.write_all(&whole[half..=half])
        }
    }
}

/// A loaded model does not depend on its file any more.
fn not_mapped() -> Result {
    let folder = folder()?;
    let path = folder.path().join("a");
    saved_table(&path)?;
    let (vocab, table) = ParaphraseTable::load(&path, &Limits::default())?;
    let before = show_table(&table, &vocab);
    fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .and_then(|file| file.set_len(0))
        .map_err(broken)?;
    must(
        show_table(&table, &vocab) == before,
        "the model is in memory",
    )?;
    Ok(String::new())
}

pub(super) fn trained(method: Method) -> Result<(Vocab, Trained)> {
    let (mut corpus, mut vocab) = (Corpus::new(), Vocab::new());
    for at in 0..200 {
        let (a, b) = (format!("s{at} s{}", at % 7), format!("t{at} t{}", at % 7));
        corpus.push_text(&a, &b, &mut vocab, &Limits::default())?;
    }
    let model = Trained::fit(&corpus, &vocab, &TrainOptions::new(method), &())?;
    Ok((vocab, model))
}

fn status(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(field));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn thousand_loads() -> Result {
    let folder = folder()?;
    let path = folder.path().join("a");
    let (vocab, model) = trained(Method::Hmm)?;
    model.save(&path, &vocab, Packing::Plain)?;
    let open_files = || fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    for _ in 0..100 {
        Trained::load(&path, &Limits::default())?;
    }
    let (memory, files) = (status("VmRSS:"), open_files());
    for _ in 0..1000 {
        Trained::load(&path, &Limits::default())?;
    }
    let grown = status("VmRSS:").saturating_sub(memory);
    must(grown < 1024, &format!("memory grew by {grown} KiB"))?;
    must(open_files() == files, "no file stays open")?;
    Ok(format!("{grown} KiB"))
}

fn thousand_threads() -> Result {
    let folder = folder()?;
    let path = folder.path().join("a");
    saved_table(&path)?;
    let good = shown(&path)?;
    let results: Vec<Result<String>> = std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for _ in 0..1000 {
            let small = std::thread::Builder::new().stack_size(128 << 10);
            match small.spawn_scoped(scope, || shown(&path)) {
                Ok(thread) => threads.push(thread),
                // The system's limit on threads is no fault of ours.
                Err(_) => break,
            }
        }
        let joined = threads.into_iter().map(|thread| thread.join());
        joined
            .map(|result| result.unwrap_or_else(|_| Err(broken("a panic"))))
            .collect()
    });
    let count = results.len();
    for result in results {
        match result {
            Ok(table) => must(table == good, "the same table")?,
            Err(Failure { code, message }) => must(code == "io", &message)?,
        }
    }
    Ok(format!("{count} threads"))
}
