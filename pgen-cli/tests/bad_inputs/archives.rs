//! Packed and binary files: good ones, cut, damaged and forged.

#[path = "../damage/mod.rs"]
mod damage;

use crate::api::must;
use crate::probes::{Failure, Result, broken, show_table};
use damage::{Format, each_damage, formats, mend};
use flate2::Compression;
use flate2::write::GzEncoder;
use pgen::core::codec::{Container, Encoder, Packing, to_bytes};
use pgen::core::formats::{TableOptions, moses};
use pgen::core::{Limits, Lines, Vocab};
use pgen::lm::{ArpaOptions, FastModel, read_arpa_lines};
use std::fmt::Write as _;
use std::io::Write;

pub(crate) fn run(name: &str) -> Result {
    match name {
        "gzip table" => good(),
        "gzip cut everywhere" => cut(),
        "gzip checksum flipped" => flipped(),
        "gzip of three members" => members(),
        "gzip with garbage behind" => read_table(&[pack(&text()), b"garbage".to_vec()].concat()),
        "gzip bomb" => bomb(),
        "gzip bomb of one line" => bomb_of_a_line(),
        "gzip of gzip" => read_table(&pack(&pack(&text()))),
        "binary table of another make" => other_make("table"),
        "binary table damaged" => damaged("table"),
        "binary table with wild offsets" => forged("table"),
        "binary table with a huge count" => huge("table"),
        "ARPA cut everywhere" => arpa_cut(),
        "ARPA with every byte changed" => arpa_changed(),
        "ARPA packed, cut and as a bomb" => arpa_packed(),
        "language model damaged" => damaged("language model"),
        "language model forged" | "language model forged everywhere" => forged("language model"),
        "language model of another make" => other_make("language model"),
        "aligner damaged" => damaged("aligner HMM"),
        "a file that was not finished" => unfinished(),
        "bundle of a newer version" => newer_bundle(),
        "an announced gigabyte" => gigabyte(),
        "every length up to the header" => short(),
        "a byte behind the end" => longer(),
        "the body of another model" => other_body(),
        _ => Err(broken(format!("there is no case {name}"))),
    }
}

fn text() -> Vec<u8> {
    let mut text = String::new();
    for at in 0..40 {
        let _ = writeln!(text, "a{at} ||| b{at} c ||| 0.5 ||| 0-0");
    }
    text.into_bytes()
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory cannot fail.
    let _ = packer.write_all(bytes);
    packer.finish().unwrap_or_default()
}

fn read_table(bytes: &[u8]) -> Result {
    let limits = Limits::default();
    let reader = std::io::Cursor::new(bytes.to_vec());
    let mut lines = Lines::from_reader(reader, "t", &limits)?;
    let mut vocab = Vocab::new();
    let (table, _) = moses::load(&mut lines, &mut vocab, &TableOptions::default())?;
    Ok(show_table(&table, &vocab))
}

fn good() -> Result {
    must(
        read_table(&pack(&text()))? == read_table(&text())?,
        "packed is plain",
    )?;
    Ok(String::new())
}

fn cut() -> Result {
    let whole = pack(&text());
    for end in 0..whole.len() {
        match read_table(&whole[..end]) {
            // Nothing at all is an empty file, and one byte of magic is none.
            Ok(rows) => must(
                end == 0 && rows.starts_with("0 rules"),
                &format!("{end}: {rows}"),
            )?,
            Err(error) => must(
                matches!(&*error.code, "corrupt" | "io" | "encoding" | "syntax"),
                &error.message,
            )?,
        }
    }
    Ok(format!("{} cuts", whole.len()))
}

fn flipped() -> Result {
    let whole = pack(&text());
    for at in whole.len() - 8..whole.len() {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            let error = read_table(&bytes).err().ok_or_else(|| broken("accepted"))?;
            must(error.code == "corrupt", &error.message)?;
        }
    }
    Ok(String::new())
}

fn members() -> Result {
    let text = text();
    let parts = [&text[..100], &text[100..300], &text[300..]]
        .map(pack)
        .concat();
    must(
        read_table(&parts)? == read_table(&text)?,
        "all members are read",
    )?;
    Ok(String::new())
}

/// Blank lines, a thousand of them in a byte.
fn bomb() -> Result {
    let line = vec![b'\n'; 1 << 16];
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    for _ in 0..3000 {
        packer.write_all(&line).map_err(broken)?;
    }
    let bytes = packer.finish().map_err(broken)?;
    let before = processor_nanoseconds();
    let answer = read_table(&bytes);
    let took = processor_nanoseconds() - before;
    must(took < 4_000_000_000, &format!("{took} ns"))?;
    answer
}

/// Of this thread, so that a busy machine does not count.
fn processor_nanoseconds() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split(' ').next();
    first.and_then(|first| first.parse().ok()).unwrap_or(0)
}

fn bomb_of_a_line() -> Result {
    read_table(&pack(&vec![b'a'; 64 << 20]))
}

fn find(name: &str) -> Result<Format> {
    let all = formats().map_err(broken)?.into_iter();
    all.into_iter()
        .find(|format| format.name == name)
        .ok_or_else(|| broken(format!("there is no format {name}")))
}

fn code(format: &Format, bytes: &[u8]) -> String {
    (format.load)(bytes)
        .err()
        .unwrap_or_else(|| "ok".to_owned())
}

fn other_make(name: &str) -> Result {
    let format = find(name)?;
    let with = |at: usize, new: &[u8], right: bool| {
        let mut bytes = format.bytes.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        if right {
            mend(&mut bytes);
        }
        code(&format, &bytes)
    };
    must(
        with(0, b"\x89PNG", false) == "wrong-format",
        "a wrong magic",
    )?;
    must(
        with(12, &[2], true) == "unsupported-version",
        "a newer version",
    )?;
    must(
        with(8, &[1, 2, 3, 4], true) == "corrupt",
        "the other byte order",
    )?;
    must(
        with(16, b"other\0\0\0\0\0\0\0\0\0\0\0", true) == "wrong-format",
        "another kind",
    )?;
    Ok(String::new())
}

fn damaged(name: &str) -> Result {
    let format = find(name)?;
    let mut count = 0;
    let mut passed = Vec::new();
    each_damage(&format.bytes, 1000, 300, |what, bytes| {
        count += 1;
        if code(&format, &bytes) == "ok" {
            passed.push(what.to_owned());
        }
    });
    must(passed.is_empty(), &format!("accepted: {passed:?}"))?;
    Ok(format!("{count} refused"))
}

/// Damaged, with every checksum made right: no panic; what loads answers.
fn forged(name: &str) -> Result {
    let format = find(name)?;
    let mut count = 0;
    each_damage(&format.bytes, 1000, 300, |_, mut bytes| {
        mend(&mut bytes);
        count += 1;
        let _ = (format.load)(&bytes);
    });
    Ok(format!("{count} loads"))
}

/// Every eight bytes in turn become a count of 2⁶³.
fn huge(name: &str) -> Result {
    let format = find(name)?;
    let most = format.bytes.len() - 8;
    for at in 64..most {
        for count in [1u64 << 63, u64::MAX, 1 << 40, u64::from(u32::MAX)] {
            let mut bytes = format.bytes.clone();
            bytes[at..at + 8].copy_from_slice(&count.to_le_bytes());
            mend(&mut bytes);
            let _ = (format.load)(&bytes);
        }
    }
    Ok(format!("{} loads", (most - 64) * 4))
}

fn arpa() -> Vec<u8> {
    crate::input::bytes("@arpa")
}

fn read_arpa(bytes: &[u8]) -> Result<String> {
    let limits = Limits::default();
    let lines = Lines::from_reader(std::io::Cursor::new(bytes.to_vec()), "t", &limits)?;
    let mut vocab = Vocab::new();
    let (ngrams, report) = read_arpa_lines(lines, &mut vocab, &ArpaOptions::default())?;
    FastModel::new(&ngrams)?;
    Ok(format!("{:?}", report.counts))
}

fn arpa_cut() -> Result {
    let whole = arpa();
    let good = read_arpa(&whole)?;
    for end in 0..whole.len() {
        match read_arpa(&whole[..end]) {
            Err(_) => {}
            // Only the last line end may go.
            Ok(counts) => must(
                end + 1 == whole.len() && counts == good,
                &format!("{end} bytes"),
            )?,
        }
    }
    Ok(format!("{} cuts", whole.len()))
}

/// A model with a changed byte is refused, or is what an independent reader makes of the same bytes.
fn arpa_changed() -> Result {
    let whole = arpa();
    let (mut refused, mut accepted) = (0, 0);
    for at in 0..whole.len() {
        for byte in 0..=255u8 {
            if byte == whole[at] {
                continue;
            }
            let mut bytes = whole.clone();
            bytes[at] = byte;
            if read_arpa(&bytes).is_err() {
                refused += 1;
                continue;
            }
            accepted += 1;
            same_as_plain_reader(&bytes)?;
        }
    }
    Ok(format!(
        "{refused} refused, {accepted} as read by another reader"
    ))
}

/// Compares every n-gram with what a reader of ten lines finds.
fn same_as_plain_reader(bytes: &[u8]) -> Result<()> {
    let text = std::str::from_utf8(bytes).map_err(broken)?;
    let mut expected = Vec::new();
    let mut order = 0;
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if let Some(heading) = line.strip_prefix('\\') {
            order = heading
                .split('-')
                .next()
                .and_then(|n| n.parse().ok())
                .unwrap_or(0);
            continue;
        }
        let fields: Vec<&str> = line.split([' ', '\t']).filter(|f| !f.is_empty()).collect();
        if order > 0 && fields.len() > order {
            let p: f64 = fields[0].parse().map_err(broken)?;
            expected.push((fields[1..=order].join(" "), p));
        }
    }
    let limits = Limits::default();
    let lines = Lines::from_reader(std::io::Cursor::new(bytes.to_vec()), "t", &limits)?;
    let mut vocab = Vocab::new();
    let (ngrams, report) = read_arpa_lines(lines, &mut vocab, &ArpaOptions::default())?;
    let mut found = Vec::new();
    for order in 1..=report.counts.len() {
        ngrams.for_each(order, |words, p, _| {
            let words: Vec<&str> = words.iter().filter_map(|w| vocab.word(*w)).collect();
            found.push((words.join(" "), p.log10()));
        });
    }
    let known = |text: &str| {
        found
            .iter()
            .find(|(words, _)| words == text)
            .map(|(_, p)| *p)
    };
    for (words, p) in &expected {
        let words = words.replace("<UNK>", "<unk>");
        let start = words == "<s>";
        let got = known(&words).ok_or_else(|| broken(format!("{words:?} is lost")))?;
        let close = (got - p).abs() < 1e-4 || start || *p < -1e10;
        must(close, &format!("{words:?} has {got}, the file says {p}"))?;
    }
    Ok(())
}

fn arpa_packed() -> Result {
    let whole = pack(&arpa());
    must(read_arpa(&whole)? == read_arpa(&arpa())?, "packed is plain")?;
    for end in 1..whole.len() {
        must(read_arpa(&whole[..end]).is_err(), "a cut file is refused")?;
    }
    let spaces = [arpa(), vec![b'\n'; 64 << 20]].concat();
    let bomb = read_arpa(&pack(&spaces))
        .err()
        .ok_or_else(|| broken("accepted"))?;
    must(bomb.code == "limit-exceeded", &bomb.message)?;
    Ok(String::new())
}

fn unfinished() -> Result {
    for format in formats().map_err(broken)? {
        // The header is written last: before, there are zeros.
        let mut bytes = format.bytes.clone();
        bytes[..64].fill(0);
        must(code(&format, &bytes) != "ok", format.name)?;
        let error = Container::from_bytes(&bytes[..64], &Limits::default()).err();
        let error = error.ok_or_else(|| broken("accepted"))?;
        must(
            error.to_string().contains("not finished"),
            &error.to_string(),
        )?;
    }
    Ok(String::new())
}

fn newer_bundle() -> Result {
    let mut bytes = find("bundle")?.bytes;
    // The first section is the bundle's own, and begins with its version.
    bytes[64] = 9;
    mend(&mut bytes);
    pgen::Bundle::from_bytes(&bytes[..], &Limits::default())?;
    Ok("accepted".into())
}

fn gigabyte() -> Result {
    let mut content = Encoder::new();
    content.u32(1);
    content.u64(1 << 30);
    let bytes = to_bytes("table", |out| {
        out.section("vocab", Packing::Plain, &content)
    })?;
    let container = Container::from_bytes(&bytes[..], &Limits::default())?;
    let vocab = Vocab::read_from(&container, "", &Limits::default())?;
    Ok(vocab.len().to_string())
}

fn short() -> Result {
    for format in formats().map_err(broken)? {
        for end in 0..64 {
            must(
                code(&format, &format.bytes[..end]) == "corrupt",
                format.name,
            )?;
        }
    }
    Ok(String::new())
}

fn longer() -> Result {
    for format in formats().map_err(broken)? {
        let mut bytes = format.bytes.clone();
        bytes.push(0);
        must(code(&format, &bytes) == "corrupt", format.name)?;
    }
    let bytes = [find("table")?.bytes, vec![0]].concat();
    Container::from_bytes(&bytes[..], &Limits::default()).map_err(Failure::from)?;
    Ok("accepted".into())
}

fn other_body() -> Result {
    let (one, two) = (
        find("aligner Model 1")?.bytes,
        find("aligner Model 2")?.bytes,
    );
    let mixed = [&one[..64], &two[64..]].concat();
    Container::from_bytes(&mixed[..], &Limits::default())?;
    Ok("accepted".into())
}
