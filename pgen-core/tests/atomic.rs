//! Files are written whole or not at all.
#![cfg(feature = "gzip")]

use pgen_core::{AtomicFile, Error, Limits, Lines, TextFile, write_atomically};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_is_replaced_only_on_commit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    fs::write(&path, "old").unwrap();
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(b"new").unwrap();
    file.flush().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"old");
    file.commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(folder.path()), ["a"]);
}

#[test]
fn failures_leave_the_old_file_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    fs::write(&path, "old").unwrap();
    let error = write_atomically(&path, |file| {
        file.write_all(&[0; 1 << 18])?;
        Err::<(), _>(io::ErrorKind::StorageFull.into())
    })
    .unwrap_err();
    assert!(matches!(error, Error::Io { .. }));
    drop(AtomicFile::create(&path).unwrap());
    let mut given_up = TextFile::create(&folder.path().join("b.gz")).unwrap();
    given_up.write_all(b"text").unwrap();
    drop(given_up);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["a"]);
}

#[test]
fn a_failing_rename_leaves_no_temporary_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(b"new").unwrap();
    // A folder takes the place in the meantime.
    fs::create_dir(&path).unwrap();
    fs::write(path.join("inside"), "").unwrap();
    assert_eq!(file.commit().unwrap_err().code(), "io");
    assert_eq!(names(folder.path()), ["a"]);
    assert_eq!(names(&path), ["inside"]);
}

#[test]
fn leftovers_of_a_killed_process_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    // The names that the next writers of this process would take.
    for number in 0..40 {
        let name = format!(".pgen-{}-{number}.tmp", std::process::id());
        fs::write(folder.path().join(name), "left over").unwrap();
    }
    write_atomically(&path, |file| file.write_all(b"new")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    let left = names(folder.path()).len();
    assert_eq!(left, 41, "leftovers are neither read nor touched");
}

#[test]
fn places_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let locked = folder.path().join("locked");
    fs::write(&locked, "old").unwrap();
    let mut permissions = fs::metadata(&locked).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&locked, permissions).unwrap();
    for path in [
        folder.path(),
        &folder.path().join("none/a"),
        &locked,
        Path::new(""),
    ] {
        let error = write_atomically(path, |file| file.write_all(b"x")).unwrap_err();
        assert_eq!(error.code(), "io", "{}", path.display());
    }
    assert_eq!(fs::read(&locked).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["locked"]);
}

#[cfg(target_os = "linux")]
#[test]
#[allow(clippy::print_stderr)]
fn devices_are_written_directly() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        eprintln!("skipped: no /dev/full");
        return;
    }
    let error = write_atomically(full, |file| file.write_all(b"x")).unwrap_err();
    assert!(
        matches!(&error, Error::Io { source, .. } if source.kind() == io::ErrorKind::StorageFull)
    );
    write_atomically(Path::new("/dev/null"), |file| file.write_all(b"x")).unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_permissions_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    fs::write(&real, "old").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("real", &link).unwrap();
    write_atomically(&link, |file| file.write_all(b"new")).unwrap();
    assert_eq!(fs::read(&real).unwrap(), b"new");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(
        fs::metadata(&real).unwrap().permissions().mode() & 0o777,
        0o640
    );
}

#[test]
fn two_writers_leave_one_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    std::thread::scope(|scope| {
        for writer in 0..4u8 {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..20 {
                    write_atomically(path, |file| file.write_all(&[writer; 100_000])).unwrap();
                }
            });
        }
    });
    let bytes = fs::read(&path).unwrap();
    assert!(bytes.len() == 100_000 && bytes.iter().all(|byte| *byte == bytes[0]));
    assert_eq!(names(folder.path()), ["a"]);
}

#[test]
fn names_in_gz_are_packed_and_the_bytes_repeat() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str| {
        let path = folder.path().join(name);
        let mut file = TextFile::create(&path).unwrap();
        file.write_all(b"one\ntwo\n").unwrap();
        file.commit().unwrap();
        let mut lines = Lines::open(&path, &Limits::default()).unwrap();
        assert_eq!(lines.next_line().unwrap(), Some((1, "one")));
        assert_eq!(lines.input().is_packed(), name.ends_with("gz"));
        fs::read(&path).unwrap()
    };
    assert_eq!(write("a.gz"), write("b.gz"));
    assert_eq!(write("c.txt"), b"one\ntwo\n");
}
