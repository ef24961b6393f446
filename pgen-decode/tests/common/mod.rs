//! The recorded decoding problem of `../shared/data/moses-case`, if it is there.

#![allow(dead_code)] // each test uses its part

use pgen_core::formats::nbest::{Entry, each_entry};
use pgen_core::formats::{TableOptions, moses};
use pgen_core::{Lexicon, Limits, Lines, ParaphraseTable, Sentence, Vocab};
use pgen_lm::{ArpaOptions, FastModel, read_arpa};
use std::path::PathBuf;
use std::sync::Arc;

pub(crate) struct MosesCase {
    pub(crate) vocab: Arc<Vocab>,
    pub(crate) model: FastModel,
    pub(crate) table: ParaphraseTable,
    pub(crate) sentences: Vec<Sentence>,
    name: &'static str,
}

pub(crate) fn data(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("PGEN_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data")),
        PathBuf::from,
    );
    let path = root.join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there", path.display());
    None
}

fn lines(path: &str) -> Option<Lines> {
    Some(Lines::open(&data(path)?, &Limits::default()).expect("a readable file"))
}

impl MosesCase {
    /// Table "a" or "b".
    pub(crate) fn load(name: &'static str) -> Option<Self> {
        let mut vocab = Vocab::new();
        let arpa = data("moses-case/lm.arpa.gz")?;
        let (ngrams, _) = read_arpa(&arpa, &mut vocab, &ArpaOptions::default()).expect("a model");
        let model = FastModel::new(&ngrams).expect("a model");
        let mut rows = lines(&format!("moses-case/phrase-table.{name}.gz"))?;
        let mut options = TableOptions::default();
        options.above_one = true;
        let (table, _) = moses::load(&mut rows, &mut vocab, &options).expect("a table");
        let vocab = Arc::new(vocab);
        let mut sentences = Vec::new();
        let mut input = lines("moses-case/input.txt")?;
        while let Some((_, line)) = input.next_line().expect("a line") {
            let lexicon = Lexicon::new(vocab.clone());
            let words = line.split_whitespace();
            sentences
                .push(Sentence::from_words(words, lexicon, &Limits::default()).expect("words"));
        }
        Some(MosesCase {
            vocab,
            model,
            table,
            sentences,
            name,
        })
    }

    /// The lists of `exact`, `moses_s0` or `moses_s0_nondistinct`, by sentence.
    pub(crate) fn lists(&self, kind: &str) -> Vec<Vec<Entry>> {
        let path = format!("moses-case/{kind}.{}.nbest.gz", self.name);
        let mut lists: Vec<Vec<Entry>> = vec![Vec::new(); self.sentences.len()];
        let mut lines = lines(&path).expect("the lists");
        each_entry(&mut lines, false, |entry| {
            lists[entry.id as usize].push(entry);
            Ok(())
        })
        .expect("entries");
        lists
    }
}
