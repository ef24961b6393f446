//! What the tests of formats share.
#![allow(dead_code, unreachable_pub)] // no test uses all of it

use pgen_core::formats::{LoadReport, TableOptions, moses};
use pgen_core::{Limits, Lines, ParaphraseTable, Result, Vocab};
use std::io::{Cursor, Write};

pub type Loaded = Result<(ParaphraseTable, LoadReport)>;

/// Loads bytes and gives the vocabulary too.
pub fn load(bytes: &[u8], read: impl FnOnce(&mut Lines, &mut Vocab) -> Loaded) -> (Loaded, Vocab) {
    let mut vocab = Vocab::new();
    let loaded = Lines::from_reader(Cursor::new(bytes.to_vec()), "t", &Limits::default())
        .and_then(|mut lines| read(&mut lines, &mut vocab));
    (loaded, vocab)
}

pub fn moses(bytes: &[u8], options: &TableOptions) -> (Loaded, Vocab) {
    load(bytes, |lines, vocab| moses::load(lines, vocab, options))
}

/// `source>target@value …`, one for each rule.
pub fn dump(table: &ParaphraseTable, vocab: &Vocab) -> Vec<String> {
    let spell = |words: &[pgen_core::WordId]| {
        let words = words.iter().map(|&word| vocab.word(word).unwrap());
        words.collect::<Vec<_>>().join(" ")
    };
    let mut rows = Vec::new();
    table.for_each(|source, rule| {
        let values: Vec<_> = rule
            .values
            .iter()
            .map(|value| format!("{value:.3}"))
            .collect();
        let (source, target) = (spell(source), spell(rule.target));
        rows.push(format!("{source}>{target}@{}", values.join(" ")));
    });
    rows
}

/// Rows of a good table, or the code of its error.
pub fn outcome((loaded, vocab): (Loaded, Vocab)) -> Vec<String> {
    match loaded {
        Ok((table, _)) => dump(&table, &vocab),
        Err(error) => vec![error.code().to_owned()],
    }
}

pub fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(text).unwrap();
    packer.finish().unwrap()
}

/// Real data that tests may use, or nothing with a note.
#[allow(clippy::print_stderr)]
pub fn data(name: &str) -> Option<std::path::PathBuf> {
    let root = std::env::var("PGEN_DATA")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data").to_owned());
    let path = std::path::Path::new(&root).join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there", path.display());
    None
}
