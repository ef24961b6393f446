//! Reading lines: what is text, what is packed, and what each fault is called.
#![cfg(feature = "gzip")]

use pgen_core::{Limits, Lines};
use std::io::{self, Read, Write};

/// Everything that a loop over the lines sees: texts and error codes.
fn read(bytes: impl Into<Vec<u8>>, limits: &Limits) -> Vec<String> {
    let reader = io::Cursor::new(bytes.into());
    match Lines::from_reader(reader, "test", limits) {
        Ok(lines) => collect(lines),
        Err(error) => vec![error.code().to_owned()],
    }
}

fn collect(mut lines: Lines) -> Vec<String> {
    let mut seen = Vec::new();
    loop {
        match lines.next_line() {
            Ok(None) => return seen,
            Ok(Some((number, text))) => seen.push(format!("{number}:{text}")),
            Err(error) => seen.push(error.code().to_owned()),
        }
    }
}

fn small(line_bytes: usize) -> Limits {
    let mut limits = Limits::default();
    limits.line_bytes = line_bytes;
    limits
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(text).unwrap();
    packer.finish().unwrap()
}

#[test]
fn line_ends_and_marks() {
    let limits = Limits::default();
    let cases: [(&[u8], &[&str]); 10] = [
        (b"", &[]),
        (b"\n", &["1:"]),
        (b"a", &["1:a"]),
        (b"a\n", &["1:a"]),
        (b"a\r\nb\nc\r\n", &["1:a", "2:b", "3:c"]),
        (b"a\r", &["1:a\r"]),
        (b"a\rb\r\r\n", &["1:a\rb\r"]),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb", &["1:a", "2:\u{feff}b"]),
        (b"\xef\xbb\xbf\xef\xbb\xbfa", &["1:\u{feff}a"]),
        (b"a\0b\xc2\x85c\xe2\x80\xa8d", &["1:a\0b\u{85}c\u{2028}d"]),
    ];
    for (bytes, expected) in cases {
        assert_eq!(read(bytes, &limits), expected, "{bytes:?}");
    }
}

#[test]
fn bytes_that_are_no_utf8_spoil_their_line_only() {
    let bad: [&[u8]; 13] = [
        b"\x80",
        b"\xff\xfe",
        b"\xc3",
        b"\xf0\x9f\x98",
        b"\xc0\x80",
        b"\xe0\x80\xaf",
        b"\xed\xa0\x80",
        b"\xed\xb0\x80",
        b"\xed\xa0\xbd\xed\xb8\x80",
        b"\xf4\x90\x80\x80",
        b"\xf8\x88\x80\x80\x80",
        b"caf\xe9",
        b"\xfe\xff",
    ];
    for bytes in bad {
        let text = [bytes, b"\nnext\n"].concat();
        assert_eq!(
            read(text, &Limits::default()),
            ["encoding", "2:next"],
            "{bytes:?}"
        );
    }
    let far = [&[b'a'; 1_000_000][..], b"\xff"].concat();
    let mut lines = Lines::from_reader(io::Cursor::new(far), "t", &Limits::default()).unwrap();
    assert_eq!(
        lines.next_line().unwrap_err().to_string(),
        "t:1: invalid UTF-8 at byte 1000000 of the line; convert the text to UTF-8 first"
    );
}

#[test]
fn utf16_ends_the_input_with_a_hint() {
    let bytes: Vec<u8> = "\u{feff}ab\ncd\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let mut lines = Lines::from_reader(io::Cursor::new(bytes), "t", &Limits::default()).unwrap();
    assert!(lines.next_line().unwrap_err().to_string().contains("iconv"));
    assert_eq!(lines.next_line().unwrap(), None);
}

#[test]
fn overlong_lines_spoil_themselves_only() {
    for end in ["\n", "\r\n"] {
        let text = format!("12345{end}123456{end}{}{end}1234", "x".repeat(1_000_000));
        let seen = read(text, &small(5));
        assert_eq!(
            seen,
            ["1:12345", "limit-exceeded", "limit-exceeded", "4:1234"]
        );
    }
    assert_eq!(
        read("\u{feff}12345\n123456", &small(5)),
        ["1:12345", "limit-exceeded"]
    );
    assert_eq!(read("x".repeat(1 << 20), &small(5)), ["limit-exceeded"]);
}

/// Gives one byte without end, and says how many were taken.
struct Endless(std::sync::Arc<std::sync::atomic::AtomicU64>);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let taken = buffer.len() as u64;
        self.0
            .fetch_add(taken, std::sync::atomic::Ordering::Relaxed);
        buffer.fill(0);
        Ok(buffer.len())
    }
}

#[test]
fn an_endless_line_is_not_buffered() {
    let taken = std::sync::Arc::default();
    let limits = small(1 << 16);
    let mut lines =
        Lines::from_reader(Endless(std::sync::Arc::clone(&taken)), "t", &limits).unwrap();
    assert_eq!(lines.next_line().unwrap_err().code(), "limit-exceeded");
    let taken = taken.load(std::sync::atomic::Ordering::Relaxed);
    assert!(taken <= 3 << 16, "{taken} bytes were read");
}

#[test]
fn sizes_are_bounded() {
    let mut limits = Limits::default();
    limits.file_bytes = 100;
    assert_eq!(read("a\n".repeat(200), &limits), ["limit-exceeded"]);
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().set_len(1 << 40).unwrap();
    let error = Lines::open(file.path(), &Limits::default()).unwrap_err();
    assert_eq!(error.code(), "limit-exceeded");
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits::default();
    for path in [
        folder.path().to_owned(),
        folder.path().join("none"),
        "".into(),
    ] {
        let error = Lines::open(&path, &limits).unwrap_err();
        assert_eq!(error.code(), "io", "{}", path.display());
    }
    if cfg!(unix) {
        let error = Lines::open("no\u{202E}such\nfile".as_ref(), &limits).unwrap_err();
        assert!(
            error.to_string().starts_with("no\\u{202e}such\\nfile: "),
            "{error}"
        );
    }
}

/// Gives a byte a call, an interruption before each; then an error, if any.
struct Slow {
    bytes: io::Cursor<Vec<u8>>,
    interrupt: bool,
    end: Option<io::ErrorKind>,
}

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupt = !self.interrupt;
        if self.interrupt {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let room = buffer.len().min(1);
        match (self.bytes.read(&mut buffer[..room])?, self.end) {
            (0, Some(kind)) => Err(kind.into()),
            (read, _) => Ok(read),
        }
    }
}

#[test]
fn odd_readers() {
    let slow = |bytes: &[u8], end| {
        let reader = Slow {
            bytes: io::Cursor::new(bytes.to_vec()),
            interrupt: false,
            end,
        };
        Lines::from_reader(reader, "slow", &Limits::default())
    };
    let expected = ["1:one", "2:two"];
    assert_eq!(collect(slow(b"one\ntwo\n", None).unwrap()), expected);
    assert_eq!(collect(slow(&gzip(b"one\ntwo\n"), None).unwrap()), expected);
    for kind in [io::ErrorKind::WouldBlock, io::ErrorKind::InvalidData] {
        let seen = collect(slow(b"one\ntwo", Some(kind)).unwrap());
        assert_eq!(seen, ["1:one", "io"]);
    }
    struct Liar;
    impl Read for Liar {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            Ok(buffer.len() + 1)
        }
    }
    let error = Lines::from_reader(Liar, "liar", &Limits::default()).unwrap_err();
    assert_eq!(error.code(), "io");
}

/// Gives a few bytes a call and fails once, at a given call.
struct FailsAt(io::Cursor<Vec<u8>>, usize);

impl Read for FailsAt {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(left) = self.1.checked_sub(1) else {
            self.1 = usize::MAX;
            return Err(io::ErrorKind::TimedOut.into());
        };
        self.1 = left;
        let room = buffer.len().min(3);
        self.0.read(&mut buffer[..room])
    }
}

#[test]
fn a_fault_at_any_call_is_reported_once() {
    let text = b"one\ntwo\nthree\nfour\n";
    let whole = ["1:one", "2:two", "3:three", "4:four"];
    for bytes in [text.to_vec(), gzip(text)] {
        let calls = bytes.len().div_ceil(3);
        for call in 0..calls {
            let reader = FailsAt(io::Cursor::new(bytes.clone()), call);
            let seen = match Lines::from_reader(reader, "t", &Limits::default()) {
                Ok(lines) => collect(lines),
                Err(error) => vec![error.code().to_owned()],
            };
            let (last, before) = seen.split_last().unwrap();
            assert_eq!(last, "io", "call {call}");
            assert_eq!(before, &whole[..before.len()]);
        }
    }
}

#[test]
fn a_conversation_does_not_wait_for_more_than_a_line() {
    let (reader, mut writer) = io::pipe().unwrap();
    writer.write_all(b"h\n").unwrap();
    let mut lines = Lines::from_reader(reader, "pipe", &Limits::default()).unwrap();
    assert_eq!(lines.next_line().unwrap(), Some((1, "h")));
    writer.write_all(b"BZ\n").unwrap();
    assert_eq!(lines.next_line().unwrap(), Some((2, "BZ")));
    drop(writer);
    assert_eq!(lines.next_line().unwrap(), None);
}

#[test]
fn packed_data_is_told_by_magic() {
    let limits = Limits::default();
    let expected = ["1:one", "2:two"];
    assert_eq!(read(gzip(b"one\ntwo\n"), &limits), expected);
    let members = [gzip(b"on"), gzip(b""), gzip(b"e\ntwo\n")].concat();
    assert_eq!(read(members, &limits), expected);
    let others: [&[u8]; 4] = [
        b"BZh91AY&SY....",
        b"\xfd7zXZ\0....",
        b"\x28\xb5\x2f\xfd....",
        b"PK\x03\x04....",
    ];
    for bytes in others {
        assert_eq!(read(bytes, &limits), ["wrong-format"]);
    }
    assert_eq!(read("BZh is a word\n", &limits), ["1:BZh is a word"]);
    assert_eq!(read(gzip(&gzip(b"one\n")), &limits)[0], "encoding");
}

#[test]
fn damaged_gzip_is_never_a_short_file() {
    let limits = Limits::default();
    let mut text = String::new();
    let mut rng = pgen_core::SplitMix64::new(7);
    for _ in 0..60 {
        text.push_str(&format!("{}\n", rng.next_u64()));
    }
    let packed = gzip(text.as_bytes());
    let whole = read(packed.clone(), &limits);
    assert_eq!(whole.len(), 60);
    for length in 2..packed.len() {
        let seen = read(&packed[..length], &limits);
        assert_eq!(seen.last().unwrap(), "corrupt", "cut to {length} bytes");
    }
    let after_first = packed.len();
    let two = [packed.clone(), gzip(b"more\n")].concat();
    for length in after_first + 1..two.len() {
        let seen = read(&two[..length], &limits);
        assert_eq!(seen.last().unwrap(), "corrupt", "cut to {length} bytes");
    }
    for bad in 10..packed.len() {
        let mut bytes = packed.clone();
        bytes[bad] ^= 0x10;
        assert_eq!(
            read(bytes, &limits).last().unwrap(),
            "corrupt",
            "byte {bad}"
        );
    }
    let garbage = [&packed[..], b"garbage"].concat();
    assert_eq!(read(garbage, &limits).last().unwrap(), "corrupt");
}

#[test]
fn looking_ahead_reads_nothing_and_hides_no_fault() {
    let limits = Limits::default();
    let mut lines = Lines::from_text("one\ntwo", &limits).unwrap();
    assert!(lines.peek().starts_with(b"one\n"));
    assert_eq!(collect(lines), ["1:one", "2:two"]);
    struct FailsOnce(bool);
    impl Read for FailsOnce {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            match std::mem::replace(&mut self.0, true) {
                false => Err(io::ErrorKind::TimedOut.into()),
                true => Ok(0),
            }
        }
    }
    let text = io::Cursor::new(&b"a line that is long enough\n"[..]);
    let mut lines = Lines::from_reader(text.chain(FailsOnce(false)), "t", &limits).unwrap();
    while lines.number() == 0 {
        lines.next_line().unwrap();
    }
    assert!(lines.peek().is_empty() && lines.peek().is_empty());
    assert_eq!(collect(lines), ["io"]);
}

#[test]
fn bombs_are_stopped() {
    let bomb = gzip(&vec![b'\n'; 40 << 20]);
    let mut limits = Limits::default();
    limits.compression_ratio = 100;
    let mut lines = Lines::from_reader(io::Cursor::new(bomb.clone()), "bomb", &limits).unwrap();
    let error = loop {
        match lines.next_line() {
            Ok(line) => assert!(line.is_some(), "the bomb went off"),
            Err(error) => break error,
        }
    };
    assert!(
        error
            .to_string()
            .contains("bomb: unpacked bytes per packed byte"),
        "{error}"
    );
    let mut limits = Limits::default();
    limits.file_bytes = 1 << 20;
    assert_eq!(read(bomb, &limits).last().unwrap(), "limit-exceeded");
    assert_eq!(
        read(gzip(&vec![b'a'; 8 << 20]), &Limits::default()),
        ["limit-exceeded"]
    );
}
