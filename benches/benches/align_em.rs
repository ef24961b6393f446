//! One training pass of each aligner over Europarl pairs (skipped where the data is absent).
//! `cargo bench --bench align_em`

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pgen_align::{
    Consensus, ConsensusParams, Corpus, Direction, Hmm, HmmParams, Model1, Model1Params, PairReader,
};
use pgen_core::{Limits, Lines, Vocab};
use std::hint::black_box;
use std::path::Path;

const PAIRS: usize = 5_000;

fn corpus() -> Option<(Corpus, Vocab)> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../shared/data/bitext/europarl.en-fr.core150k.tsv.gz"
    );
    let limits = Limits::default();
    let lines = Lines::open(Path::new(path), &limits).ok()?;
    let (mut corpus, mut vocab) = (Corpus::new(), Vocab::new());
    for pair in PairReader::new(lines).take(PAIRS) {
        let pair = pair.ok()?;
        // A pair that cannot be used is left out.
        let _ = corpus.push_text(&pair.source, &pair.target, &mut vocab, &limits);
    }
    Some((corpus, vocab))
}

fn bench(c: &mut Criterion) {
    let Some((corpus, vocab)) = corpus() else {
        eprintln!("skipped: no bitext in ../shared/data");
        return;
    };
    let direction = Direction::SourceGivenTarget;
    let mut group = c.benchmark_group("align_em");
    group
        .throughput(Throughput::Elements(corpus.len() as u64))
        .sample_size(10);
    let one = Model1Params::default();
    group.bench_function(BenchmarkId::new("model1", "5 iterations"), |b| {
        b.iter(|| black_box(Model1::fit(&corpus, direction, &one, &())))
    });
    if let Ok(start) = Model1::fit(&corpus, direction, &one, &()) {
        group.bench_function(BenchmarkId::new("hmm", "5 iterations"), |b| {
            b.iter(|| black_box(Hmm::fit(&corpus, start.clone(), &HmmParams::default(), &())))
        });
    }
    group.bench_function(BenchmarkId::new("best", "two pairs of chains"), |b| {
        let params = ConsensusParams::default();
        b.iter(|| black_box(Consensus::fit(&corpus, &vocab, &|_, _| 0.0, &params, &())))
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
