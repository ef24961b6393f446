//! The container: what it holds comes back, and no damage passes.
#![cfg(feature = "gzip")]

use pgen_core::codec::{Container, Cursor, Encoder, Packing, check_version, save, to_bytes};
use pgen_core::{Limits, Result};
use proptest::prelude::*;

fn open(bytes: &[u8]) -> Result<Container<'_>> {
    Container::from_bytes(bytes, &Limits::default())
}

fn code<T>(result: Result<T>) -> &'static str {
    result.map_or_else(|error| error.code(), |_| "ok")
}

fn content(bytes: &[u8]) -> Encoder {
    let mut out = Encoder::new();
    out.raw(bytes);
    out
}

/// Two sections, one of them packed.
fn example() -> Vec<u8> {
    to_bytes("example", |out| {
        out.section("one", Packing::Plain, &content(b"some bytes"))?;
        out.section("empty", Packing::Deflate, &content(b""))?;
        out.section("two", Packing::Deflate, &content(&b"many more ".repeat(20)))
    })
    .unwrap()
}

/// Writes the checksums of table and header anew.
fn mend(bytes: &mut [u8]) {
    let table = u64::from_le_bytes(bytes[48..56].try_into().unwrap()) as usize;
    if let Some(table) = bytes.get(table..) {
        let sum = crc32fast::hash(table);
        bytes[56..60].copy_from_slice(&sum.to_le_bytes());
    }
    let sum = crc32fast::hash(&bytes[..60]);
    bytes[60..64].copy_from_slice(&sum.to_le_bytes());
}

#[test]
fn sections_come_back() {
    let bytes = example();
    assert_eq!(bytes, example());
    let container = open(&bytes).unwrap();
    container.verify().unwrap();
    assert_eq!(container.kind(), "example");
    assert_eq!(container.section("one").unwrap().bytes(), b"some bytes");
    assert_eq!(
        container.section("two").unwrap().bytes(),
        b"many more ".repeat(20)
    );
    let packing: Vec<_> = container.sections().iter().map(|s| s.packing).collect();
    assert_eq!(packing, [Packing::Plain, Packing::Plain, Packing::Deflate]);
    assert!(container.has("empty") && !container.has("three"));
    assert_eq!(code(container.section("three")), "corrupt");
    assert_eq!(code(container.expect_kind("other")), "wrong-format");
    assert_eq!(code(container.expect_kind("example")), "ok");
    let versions = [0, 1, 2, 3].map(|found| code(check_version(&container, "x", found, 2)));
    assert_eq!(versions, ["corrupt", "ok", "ok", "unsupported-version"]);
}

#[test]
fn sections_that_cannot_be_written() {
    let fill = |name: &str| {
        code(to_bytes("example", |out| {
            out.section("a", Packing::Plain, &Encoder::new())?;
            out.section(name, Packing::Plain, &Encoder::new())
        }))
    };
    assert_eq!(fill("b"), "ok");
    assert_eq!(fill("a"), "bad-parameter");
    assert_eq!(fill(""), "bad-parameter");
    assert_eq!(fill(&"x".repeat(256)), "bad-parameter");
    for kind in ["", "seventeen letters", "a b", "\u{e9}"] {
        assert_eq!(code(to_bytes(kind, |_| Ok(()))), "bad-parameter");
    }
}

#[test]
fn files_that_are_something_else() {
    let cases: [(&[u8], &str); 8] = [
        (b"", "corrupt"),
        (&[0; 100], "corrupt"),
        (b"\\data\\\nngram 1=1\n", "wrong-format"),
        (
            b"mmap lm http://kheafield.com/code format version 5\n\0",
            "wrong-format",
        ),
        (b"a ||| b ||| 0.5\n", "wrong-format"),
        (b"\xff\xff\xff\xff", "wrong-format"),
        (b"\x89PNG\r\n\x1a\n", "wrong-format"),
        (b"\x89pgen\n\x1a", "wrong-format"),
    ];
    for (bytes, expected) in cases {
        assert_eq!(code(open(bytes)), expected, "{bytes:?}");
    }
}

#[test]
fn headers_that_are_forged() {
    let forge = |at: usize, with: &[u8]| {
        let mut bytes = example();
        bytes[at..at + with.len()].copy_from_slice(with);
        mend(&mut bytes);
        code(open(&bytes))
    };
    assert_eq!(forge(8, &[1, 2, 3, 4]), "corrupt");
    assert_eq!(forge(8, &[0]), "corrupt");
    assert_eq!(forge(12, &[0]), "corrupt");
    assert_eq!(forge(12, &[2]), "unsupported-version");
    assert_eq!(forge(16, &[0]), "corrupt");
    assert_eq!(forge(32, &[2]), "corrupt");
    assert_eq!(forge(32, &[4]), "corrupt");
    assert_eq!(forge(32, &[0xff; 4]), "limit-exceeded");
    assert_eq!(forge(36, &[1]), "corrupt");
    assert_eq!(forge(40, &[0xff; 8]), "corrupt");
    assert_eq!(forge(48, &[0xff; 8]), "corrupt");
    assert_eq!(forge(48, &[63, 0, 0, 0, 0, 0, 0, 0]), "corrupt");
}

#[test]
fn section_tables_that_are_forged() {
    let bytes = example();
    let table = u64::from_le_bytes(bytes[48..56].try_into().unwrap()) as usize;
    let forge = |at: usize, with: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[table + at..table + at + with.len()].copy_from_slice(with);
        mend(&mut bytes);
        code(open(&bytes).and_then(|container| container.verify()))
    };
    // Name length and text, packing, offset, length, unpacked length, checksum of the first section.
    assert_eq!(forge(0, &[0xff; 8]), "corrupt");
    assert_eq!(forge(8, b"\xff"), "corrupt");
    assert_eq!(forge(11, &[2]), "corrupt");
    assert_eq!(forge(11, &[1]), "corrupt");
    assert_eq!(forge(12, &[0]), "corrupt");
    assert_eq!(forge(12, &[0xff; 8]), "corrupt");
    assert_eq!(forge(20, &[11]), "corrupt");
    assert_eq!(forge(20, &[0xff; 8]), "corrupt");
    assert_eq!(forge(28, &[11]), "corrupt");
    assert_eq!(forge(36, &[0, 0]), "corrupt");
    // The same of the third, which is packed.
    let third = bytes.len() - table - 40;
    assert_eq!(forge(third + 8, b"one"), "corrupt");
    assert_eq!(forge(third + 28, &[199]), "corrupt");
    assert_eq!(forge(third + 28, &[201]), "corrupt");
    assert_eq!(forge(third + 28, &[0xff; 8]), "limit-exceeded");
    assert_eq!(forge(third + 11, &[0]), "corrupt");
    assert_eq!(code(open(&[&bytes[..], b"x"].concat())), "corrupt");
}

#[test]
fn every_damage_is_found() {
    let whole = example();
    for at in 0..whole.len() {
        let mut damaged = Vec::from([0u8, 0xff].map(|byte| (at, byte)));
        damaged.extend((0..8).map(|bit| (at, whole[at] ^ 1 << bit)));
        for (at, byte) in damaged {
            let mut bytes = whole.clone();
            bytes[at] = byte;
            assert_eq!(open(&bytes).is_ok(), bytes == whole, "byte {at} = {byte}");
        }
        assert!(open(&whole[..at]).is_err(), "cut to {at}");
    }
}

#[test]
fn bombs_are_not_unpacked() {
    let zeros = content(&vec![0; 10 << 20]);
    let bytes = to_bytes("example", |out| {
        out.section("zeros", Packing::Deflate, &zeros)
    })
    .unwrap();
    let container = open(&bytes).unwrap();
    assert_eq!(
        container.sections()[0].packing,
        Packing::Plain,
        "too good to be true"
    );
    let mut limits = Limits::default();
    limits.file_bytes = 1 << 20;
    assert_eq!(
        code(Container::from_bytes(&bytes, &limits)),
        "limit-exceeded"
    );
}

#[test]
fn files_are_saved_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgen");
    let limits = Limits::default();
    save(&path, "example", |out| {
        out.section("one", Packing::Plain, &content(b"1"))
    })
    .unwrap();
    let old = std::fs::read(&path).unwrap();
    let failed = save(&path, "example", |out| {
        out.section("one", Packing::Plain, &content(&[0; 1 << 20]))?;
        out.section("one", Packing::Plain, &content(b"again"))
    });
    assert_eq!(code(failed), "bad-parameter");
    assert_eq!(std::fs::read(&path).unwrap(), old);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let container = Container::open(&path, &limits).unwrap();
    assert_eq!(container.length(), old.len() as u64);
    let error = container.section("none").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("a.pgen: damaged in section none"),
        "{error}"
    );
    for (length, expected) in [
        (0, "corrupt"),
        (7, "corrupt"),
        (63, "corrupt"),
        (64, "corrupt"),
    ] {
        std::fs::write(&path, &old[..length]).unwrap();
        let error = Container::open(&path, &limits).unwrap_err();
        assert_eq!(error.code(), expected);
        assert!(error.to_string().contains("a.pgen"), "{error}");
    }
    std::fs::write(&path, [&old[..], b"x"].concat()).unwrap();
    assert_eq!(code(Container::open(&path, &limits)), "corrupt");
    // Zeros without end are not read.
    let file = std::fs::File::create(&path).unwrap();
    file.set_len(1 << 32).unwrap();
    assert_eq!(code(Container::open(&path, &limits)), "corrupt");
    for bad in [folder.path().to_owned(), folder.path().join("none")] {
        assert_eq!(code(Container::open(&bad, &limits)), "io");
    }
    let bad = folder.path().join("none/a");
    assert_eq!(code(save(&bad, "example", |_| Ok(()))), "io");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let full = std::path::Path::new("/dev/full");
    if full.exists() {
        let big = content(&[0; 1 << 20]);
        let saved = save(full, "example", |out| {
            out.section("a", Packing::Plain, &big)
        });
        let error = saved.unwrap_err();
        assert!(error.to_string().starts_with("/dev/full: "), "{error}");
    }
}

#[test]
fn a_packed_file_is_opened_too() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgen.gz");
    let mut file = pgen_core::TextFile::create(&path).unwrap();
    file.write_all(&example()).unwrap();
    file.commit().unwrap();
    let container = Container::open(&path, &Limits::default()).unwrap();
    assert_eq!(container.sections().len(), 3);
}

#[test]
fn counts_are_checked_before_anything_is_made_of_them() {
    for count in [9u64, 1 << 20, 1 << 61, 1 << 63, u64::MAX] {
        let bytes = [&count.to_le_bytes()[..], &[0; 8]].concat();
        let mut results = Vec::new();
        let mut try_it = |read: fn(&mut Cursor<'_>) -> Result<()>| {
            results.push(code(read(&mut Cursor::new(&bytes, "test"))));
        };
        try_it(|cursor| cursor.u8s().map(|_| ()));
        try_it(|cursor| cursor.u16s().map(|_| ()));
        try_it(|cursor| cursor.u32s().map(|_| ()));
        try_it(|cursor| cursor.u64s().map(|_| ()));
        try_it(|cursor| cursor.f32s().map(|_| ()));
        try_it(|cursor| cursor.f64s().map(|_| ()));
        try_it(|cursor| cursor.str().map(|_| ()));
        assert_eq!(results, ["corrupt"; 7], "{count}");
    }
    let bad_text = [&2u64.to_le_bytes()[..], b"\xff\xfe"].concat();
    assert_eq!(code(Cursor::new(&bad_text, "test").str()), "corrupt");
    assert_eq!(code(Cursor::new(&[0x80; 20], "test").varint()), "corrupt");
    assert_eq!(code(Cursor::new(&[0x80; 9], "test").varint()), "corrupt");
    let above = [0xff, 0xff, 0xff, 0xff, 0x1f];
    assert_eq!(code(Cursor::new(&above, "test").varint32()), "corrupt");
    let too_much = [[0xff; 9].as_slice(), &[2]].concat();
    assert_eq!(code(Cursor::new(&too_much, "test").varint()), "corrupt");
    assert_eq!(code(Cursor::new(&[0], "test").finish()), "corrupt");
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        bytes: Vec<u8>, shorts: Vec<u16>, words: Vec<u32>, longs: Vec<u64>,
        floats in prop::collection::vec(prop::num::f32::ANY, 0..9),
        doubles in prop::collection::vec(prop::num::f64::ANY, 0..9),
        text: String,
    ) {
        let mut out = Encoder::new();
        out.u8s(&bytes);
        out.u16s(&shorts);
        out.u32s(&words);
        out.u64s(&longs);
        out.f32s(&floats);
        out.f64s(&doubles);
        out.str(&text);
        longs.iter().for_each(|&long| out.varint(long));
        words.iter().for_each(|&word| out.varint(word.into()));
        let mut cursor = Cursor::new(out.bytes(), "test");
        prop_assert_eq!(cursor.u8s().unwrap(), bytes);
        prop_assert_eq!(cursor.u16s().unwrap(), shorts);
        prop_assert_eq!(cursor.u32s().unwrap(), words.clone());
        prop_assert_eq!(cursor.u64s().unwrap(), longs.clone());
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&cursor.f32s().unwrap()), bits(&floats));
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&cursor.f64s().unwrap()), bits(&doubles));
        prop_assert_eq!(cursor.str().unwrap(), text);
        for long in longs {
            prop_assert_eq!(cursor.varint().unwrap(), long);
        }
        for word in words {
            prop_assert_eq!(cursor.varint32().unwrap(), word);
        }
        cursor.finish().unwrap();
    }
}
