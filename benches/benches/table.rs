//! Paraphrase tables: building, reading text, saving, loading, matching.
//!
//! `cargo bench --bench table`

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use pgen_core::codec::{Container, Packing, to_bytes};
use pgen_core::formats::{TableOptions, moses};
use pgen_core::{
    Lexicon, Limits, Lines, ParaphraseTable, ReplacementModel, Sentence, SplitMix64, TableBuilder,
    Vocab,
};
use std::hint::black_box;
use std::sync::Arc;

const ROWS: usize = 200_000;

/// Rows whose words follow a Zipf-like law, six to a source.
fn rows() -> Vec<(String, String, f32)> {
    let mut rng = SplitMix64::new(1);
    let mut phrase = || {
        let length = 1 + rng.below(4);
        let words: Vec<_> = (0..length)
            .map(|_| format!("w{}", 80_000f64.powf(rng.unit()) as u64))
            .collect();
        words.join(" ")
    };
    let phrases: Vec<String> = (0..ROWS / 6).map(|_| phrase()).collect();
    let pick = |rng: &mut SplitMix64| phrases[rng.below(phrases.len() as u64) as usize].clone();
    let mut rng = SplitMix64::new(2);
    (0..ROWS)
        .map(|_| (pick(&mut rng), pick(&mut rng), rng.unit().ln() as f32))
        .collect()
}

fn build(rows: &[(String, String, f32)]) -> (Vocab, ParaphraseTable) {
    let mut vocab = Vocab::new();
    let mut builder = TableBuilder::new(["p"]);
    for (source, target, value) in rows {
        builder
            .push_text(&mut vocab, source, target, &[*value])
            .expect("a row");
    }
    let table = builder.build(&vocab).expect("a table");
    (vocab, table)
}

fn table(c: &mut Criterion) {
    let rows = rows();
    let (vocab, table) = build(&rows);
    let limits = Limits::default();
    let mut group = c.benchmark_group("table");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(table.len() as u64));
    group.bench_function("build", |b| b.iter(|| black_box(build(&rows))));

    let mut text = Vec::new();
    moses::write(&mut text, &table, &vocab, false).expect("text");
    group.bench_function("read Moses text", |b| {
        b.iter_batched(
            || {
                Lines::from_reader(std::io::Cursor::new(text.clone()), "text", &limits)
                    .expect("lines")
            },
            |mut lines| moses::load(&mut lines, &mut Vocab::new(), &TableOptions::default()),
            BatchSize::LargeInput,
        )
    });
    for (name, packing) in [("plain", Packing::Plain), ("deflate", Packing::Deflate)] {
        let save = || {
            to_bytes("table", |out| {
                vocab.write_to(out, "", packing)?;
                table.write_to(out, "", packing)
            })
        };
        let bytes = save().expect("bytes");
        group.bench_function(format!("save {name}"), |b| b.iter(save));
        group.bench_function(format!("load {name}"), |b| {
            b.iter(|| {
                let container = Container::from_bytes(&bytes, &limits)?;
                let vocab = Vocab::read_from(&container, "", &limits)?;
                let table = ParaphraseTable::read_from(&container, "", &limits)?;
                Ok::<_, pgen_core::Error>((vocab, table))
            })
        });
    }
    group.finish();

    let mut rng = SplitMix64::new(3);
    let words: Vec<_> = (0..25)
        .map(|_| format!("w{}", 80_000f64.powf(rng.unit()) as u64))
        .collect();
    let lexicon = Lexicon::new(Arc::new(vocab));
    let sentence = Sentence::from_words(words, lexicon, &limits).expect("a sentence");
    c.bench_function("table/match a sentence of 25", |b| {
        b.iter(|| {
            let mut count = 0;
            table.propose(&sentence, &mut |proposal| count += proposal.values.len());
            count
        })
    });
}

criterion_group!(benches, table);
criterion_main!(benches);
