//! PPDB, METEOR and tab-separated tables, and real tables of the last and of Moses.
#![cfg(feature = "gzip")]

mod common;

use common::{data, dump, load, outcome};
use pgen_core::codec::Packing;
use pgen_core::formats::{TableOptions, load_table, meteor, moses, ppdb, tsv};
use pgen_core::{Duplicates, Limits, Lines, Vocab};

#[test]
fn ppdb_rows() {
    let options = TableOptions::default();
    let read = |text: &str, names: &[&str]| {
        outcome(load(text.as_bytes(), |lines, vocab| {
            ppdb::load(lines, vocab, names, &options)
        }))
    };
    let two = "[NN] ||| car ||| auto ||| PPDB2.0Score=5.3 -logp(e1|e2)=2 -logp(e2|e1)=1.5 \
               MVLSASim=NA ||| 0-0 ||| Equivalence\n\
               [S/PP] ||| [NP/NP,1] such ||| [NP/NP,1] those ||| -logp(e2|e1)=1 ||| 0-0 ||| Independent\n";
    assert_eq!(read(two, &[ppdb::PROBABILITY]), ["car>auto@-1.500"]);
    assert_eq!(
        read(two, &["-logp(e1|e2)", "p(e2|e1)"]),
        ["car>auto@-2.000 -1.500"]
    );
    let one = "[NN] ||| car ||| auto ||| p(e1|e2)=2 p(e2|e1)=0.25 ||| 0-0\n";
    assert_eq!(read(one, &[ppdb::PROBABILITY]), ["car>auto@-0.250"]);
    assert_eq!(read(two, &["MVLSASim"]), ["bad-table"]);
    assert_eq!(read(two, &["none"]), ["bad-table"]);
    assert_eq!(
        read("[NN] ||| car ||| auto", &[ppdb::PROBABILITY]),
        ["syntax"]
    );
    assert_eq!(
        read("a ||| b ||| c ||| p(e2|e1)=x ||| ", &[ppdb::PROBABILITY]),
        ["syntax"]
    );
    assert_eq!(
        read("a ||| b ||| c ||| p(e2|e1)=inf ||| ", &[ppdb::PROBABILITY]),
        ["not-finite"]
    );
    let row = ppdb::Row::parse(two.lines().next().unwrap()).unwrap();
    assert_eq!(
        (row.alignment, row.entailment),
        ("0-0", Some("Equivalence"))
    );
    assert_eq!(row.features().count(), 4);
}

#[test]
fn meteor_records() {
    let mut options = TableOptions::default();
    let read = |text: &[u8], options: &TableOptions| {
        load(text, |lines, vocab| meteor::load(lines, vocab, options))
    };
    let good = b"0.5\n00\n000\n\n1\na b\nc\n\n";
    assert_eq!(
        outcome(read(good, &options)),
        ["00>000@-0.693", "a b>c@0.000"]
    );
    for (bytes, expected) in [
        (&b"0.5\na\n"[..], "syntax"),
        (b"0.5\n", "syntax"),
        (b"x\na\nb\n", "syntax"),
        (b"nan\na\nb\n", "not-finite"),
        (b"1.5\na\nb\n", "probability-out-of-range"),
        (b"1\n\nb\n", "bad-table"),
        (b"1\na\n\xff\n", "encoding"),
    ] {
        assert_eq!(outcome(read(bytes, &options)), [expected]);
    }
    options.lenient = true;
    let (loaded, vocab) = read(b"x\na\nb\n1\na\n\xff\n0.5\na\nc\n", &options);
    let (table, report) = loaded.unwrap();
    assert_eq!(dump(&table, &vocab), ["a>c@-0.693"]);
    assert_eq!((report.read, report.kept, report.skipped), (3, 1, 2));
    assert_eq!(outcome(read(b"1\na\nb\n0.5\n", &options)), ["syntax"]);
}

#[test]
fn tsv_rows() {
    let options = TableOptions::default();
    let read = |text: &str, columns: &tsv::Columns| {
        outcome(load(text.as_bytes(), |lines, vocab| {
            tsv::load(lines, vocab, columns, &options)
        }))
    };
    let mut columns = tsv::Columns::default();
    assert_eq!(read("a b\t\"c\t0.5\tmore\n", &columns), ["a b>\"c@-0.693"]);
    assert_eq!(read("a\tb\n", &columns), ["syntax"]);
    assert_eq!(read("a\tb\tx\n", &columns), ["syntax"]);
    assert_eq!(read("a\t\t1\n", &columns), ["bad-table"]);
    (columns.source, columns.target, columns.value) = (1, 0, None);
    columns.header = true;
    assert_eq!(read("to\tfrom\na\tb\n", &columns), ["b>a@0.000"]);
    columns.value = Some(2);
    columns.unit = tsv::Unit::Ln;
    assert_eq!(read("to\tfrom\na\tb\t-2\n", &columns), ["b>a@-2.000"]);
    columns.unit = tsv::Unit::Log10;
    assert_eq!(read("to\tfrom\na\tb\t-2\n", &columns), ["b>a@-4.605"]);
}

#[test]
fn formats_are_told_by_content() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let options = TableOptions::default();
    let load = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let mut vocab = Vocab::new();
        vocab.intern("b").unwrap();
        let (table, report) = load_table(&path, &mut vocab, &options)?;
        assert_eq!(report.kept, table.len() as u64);
        Ok::<_, pgen_core::Error>(dump(&table, &vocab))
    };
    let expected = ["a>b@-0.693"];
    let texts = [
        "\u{feff}\n a ||| b ||| 0.5\n",
        "a\tb\t0.5\n",
        "\r\n0.5\r\na\r\nb\r\n",
        "[X] ||| a ||| b ||| PPDB2.0Score=3 -logp(e2|e1)=0.6931 ||| 0-0 ||| Equivalence\n",
    ];
    for text in texts {
        assert_eq!(load(text.as_bytes()).unwrap(), expected, "{text}");
        assert_eq!(
            load(&common::gzip(text.as_bytes())).unwrap(),
            expected,
            "{text}"
        );
    }
    assert_eq!(load(b"").unwrap().len(), 0);
    assert_eq!(load(b"no table\n").unwrap_err().code(), "syntax");
    assert_eq!(load(b"\xff\xff\n").unwrap_err().code(), "encoding");
    let mut vocab = Vocab::new();
    let mut builder = pgen_core::TableBuilder::new(["p"]);
    builder
        .push_text(&mut vocab, "a", "b", &[0.5f32.ln()])
        .unwrap();
    builder
        .build(&vocab)
        .unwrap()
        .save(&path, &vocab, Packing::Plain)
        .unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(load(&bytes).unwrap(), expected);
    assert_eq!(load(&common::gzip(&bytes)).unwrap(), expected);
    assert_eq!(
        load(&bytes[..bytes.len() - 1]).unwrap_err().code(),
        "corrupt"
    );
    assert_eq!(load(&bytes[..20]).unwrap_err().code(), "corrupt");
}

#[test]
fn real_tables_are_read_whole_and_written_back() {
    let (limits, mut options) = (Limits::default(), TableOptions::default());
    options.duplicates = Duplicates::Refuse;
    options.above_one = true;
    let Some(path) = data("moses-case/phrase-table.a.gz") else {
        return;
    };
    let mut vocab = Vocab::new();
    let mut lines = Lines::open(&path, &limits).unwrap();
    let (table, report) = moses::load(&mut lines, &mut vocab, &options).unwrap();
    assert_eq!(
        (table.len(), report.kept, report.above_one),
        (32_252, 32_252, 3)
    );
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.gz");
    let mut out = pgen_core::TextFile::create(&copy).unwrap();
    moses::write(&mut out, &table, &vocab, true).unwrap();
    out.commit().unwrap();
    options.unescape = true;
    let mut lines = Lines::open(&copy, &limits).unwrap();
    let (again, _) = moses::load(&mut lines, &mut vocab, &options).unwrap();
    assert!(again == table);
    let Some(path) = data("tables/meteor-en.lexical.tsv.gz") else {
        return;
    };
    let mut lines = Lines::open(&path, &limits).unwrap();
    let columns = tsv::Columns::default();
    let (table, _) = tsv::load(&mut lines, &mut Vocab::new(), &columns, &options).unwrap();
    assert_eq!(table.len(), 119_487);
}
