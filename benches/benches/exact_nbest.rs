//! Exact distinct n-best on a real case (`../shared/data/moses-case`): CPU time a sentence with option
//! look-up, lattice building and language model, loading left out; latency; states; growth.
//!
//! `cargo bench --bench exact_nbest`. Moses's recorded figures on the same case are printed beside ours;
//! they were taken on another day: scale by a peer that both days share (`lm_query` asks KenLM).

use pgen_core::formats::{TableOptions, moses};
use pgen_core::{
    Count, Lattice, Lexicon, Limits, Lines, NodeId, ParaphraseTable, Sentence, TableBuilder, Vocab,
    WordId,
};
use pgen_decode::{Beam, Decoder, Exact, LogLinear, Plan, Request};
use pgen_lm::{ArpaOptions, FastModel, read_arpa};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

fn data() -> Option<PathBuf> {
    let path = std::env::var_os("PGEN_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"),
        PathBuf::from,
    );
    let case = path.join("moses-case");
    case.exists().then_some(case)
}

struct Case {
    table: ParaphraseTable,
    sentences: Vec<Vec<String>>,
}

fn sentence(words: &[String], vocab: &Arc<Vocab>) -> Sentence {
    let lexicon = Lexicon::new(vocab.clone());
    Sentence::from_words(words, lexicon, &Limits::default()).expect("words")
}

/// The κ best rows of each source.
fn cut(table: &ParaphraseTable, vocab: &Vocab, kappa: usize) -> ParaphraseTable {
    let mut builder = TableBuilder::new(["p"]);
    let (mut last, mut kept) = (Vec::new(), 0);
    table.for_each(|source, rule| {
        if source != last {
            last = source.to_vec();
            kept = 0;
        }
        kept += 1;
        if kept <= kappa || rule.target == source {
            builder
                .push(source, rule.target, rule.values)
                .expect("a row");
        }
    });
    builder.build(vocab).expect("a table")
}

/// Moses's recorded CPU ms a sentence by table: pruned 1-best, 100 distinct.
const MOSES: [(&str, f64, f64); 2] = [("a", 0.76, 2.83), ("b", 2.76, 8.56)];

/// A figure of this process's memory in MiB where the system tells (Linux).
fn memory(field: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kib = line.and_then(|line| line.trim_matches([':', ' ', '\t', 'k', 'B']).parse().ok());
    kib.unwrap_or(0.0) / 1024.0
}

/// Seconds of this thread on the processor where the system tells (Linux), else of the clock.
fn cpu(start: Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = stat
        .split(' ')
        .next()
        .and_then(|field| field.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}

/// Milliseconds of CPU a sentence over at least a second of rounds, after one to warm up, and the sorted
/// latencies by the clock. All rounds count: the system's count of CPU time moves in steps of several
/// milliseconds, so that the least of many short rounds would be too low.
fn time(sentences: &[Sentence], mut each: impl FnMut(&Sentence)) -> (f64, Vec<f64>) {
    sentences.iter().for_each(&mut each);
    let mut latencies = Vec::new();
    let epoch = Instant::now();
    let before = cpu(epoch);
    while epoch.elapsed().as_secs_f64() < 1.0 {
        for sentence in sentences {
            let start = Instant::now();
            each(sentence);
            latencies.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    let mean = (cpu(epoch) - before) * 1e3 / latencies.len().max(1) as f64;
    latencies.sort_by(f64::total_cmp);
    (mean, latencies)
}

fn report(name: &str, (mean, latencies): (f64, Vec<f64>)) {
    let at = |share: f64| {
        let last = latencies.len().saturating_sub(1) as f64;
        latencies
            .get((share * last) as usize)
            .copied()
            .unwrap_or(0.0)
    };
    let (rate, p50, p99) = (1e3 / mean, at(0.5), at(0.99));
    println!("{name:32} {mean:.4} ms  {rate:7.0}/s  p50 {p50:.3}  p99 {p99:.3}");
}

/// Pairs of a node and the last words that an n-gram model of this order looks at: what a search holds
/// that knows nothing of the model's back-off.
fn full_product(lattice: &Lattice, order: usize) -> usize {
    let mut at: Vec<HashSet<Vec<WordId>>> = vec![HashSet::new(); lattice.node_count()];
    at[lattice.start().index()].insert(Vec::new());
    for node in 0..lattice.node_count() {
        for history in at[node].clone() {
            for (_, edge) in lattice.out(NodeId::new(node as u32)) {
                let mut words = history.clone();
                words.extend_from_slice(lattice.words(edge));
                words.drain(..words.len().saturating_sub(order - 1));
                at[edge.to.index()].insert(words);
            }
        }
    }
    at.iter().map(HashSet::len).sum()
}

fn run(name: &str, case: &Case, vocab: &Arc<Vocab>, language: &FastModel) {
    let sentences: Vec<Sentence> = case.sentences.iter().map(|s| sentence(s, vocab)).collect();
    let plan = Plan::new(Limits::default()).with_table("tm", &case.table);
    let model = LogLinear::new(language);
    let lattice = |s: &Sentence| plan.build(s).expect("a lattice").lattice;
    let plain = time(&sentences, |s| drop(lattice(s)));
    report(&format!("{name}: plan only"), plain);
    let exact = Exact::new();
    for n in [1, 100] {
        let request = Request::best(n);
        let each =
            |s: &Sentence| drop(exact.decode(&lattice(s), &model, &request).expect("a list"));
        let timed = time(&sentences, each);
        if let Some((_, one, hundred)) = MOSES.iter().find(|(table, ..)| *table == name) {
            let moses = if n == 1 { one } else { hundred };
            println!(
                "{name}: Moses, recorded: {moses} ms, {:.1} times ours",
                moses / timed.0
            );
        }
        report(&format!("{name}: exact {n}-best"), timed);
    }
    let beam = Beam::default();
    let each = |s: &Sentence| drop(beam.decode(&lattice(s), &model, &Request::best(1)));
    report(&format!("{name}: beam 200, 1-best"), time(&sentences, each));
    let (mut states, mut rows, mut pops, mut paths) = (0, 0, 0, Count::ZERO);
    for s in &sentences {
        let lattice = lattice(s);
        let list = exact
            .decode(&lattice, &model, &Request::best(100))
            .expect("a list");
        states += list.stats.states;
        rows += list.stats.language_queries;
        pops += list.stats.pops;
        paths += &lattice.path_count();
    }
    if MOSES.iter().any(|(table, ..)| *table == name) {
        let some = &sentences[..sentences.len().min(10)];
        let (full, mut ours) = (|s: &Sentence| full_product(&lattice(s), 5), 0);
        for s in some {
            let list = exact.decode(&lattice(s), &model, &Request::best(1));
            ours += list.expect("a list").stats.states;
        }
        let full: usize = some.iter().map(full).sum();
        println!("{name}: first 10 sentences: {ours} states, full product {full}");
    }
    let n = sentences.len() as f64;
    let each = |total: u64| total as f64 / n;
    println!(
        "{name}: a sentence: {:.0} states, {:.0} rows, {:.0} pops; e^{:.1} derivations",
        each(states),
        each(rows),
        each(pops),
        paths.ln() - n.ln()
    );
}

fn main() {
    let Some(folder) = data() else {
        println!("skipped: the data is not there");
        return;
    };
    let mut vocab = Vocab::new();
    let arpa = folder.join("lm.arpa.gz");
    let (ngrams, _) = read_arpa(&arpa, &mut vocab, &ArpaOptions::default()).expect("a model");
    let language = FastModel::new(&ngrams).expect("a model");
    drop(ngrams);
    let mut options = TableOptions::default();
    options.above_one = true;
    let mut load = |name: &str| {
        let path = folder.join(format!("phrase-table.{name}.gz"));
        let mut lines = Lines::open(&path, &Limits::default()).expect("a table");
        moses::load(&mut lines, &mut vocab, &options)
            .expect("a table")
            .0
    };
    let (a, b) = (load("a"), load("b"));
    let vocab = Arc::new(vocab);
    let mut lines = Lines::open(&folder.join("input.txt"), &Limits::default()).expect("input");
    let mut sentences: Vec<Vec<String>> = Vec::new();
    while let Some((_, line)) = lines.next_line().expect("a line") {
        sentences.push(line.split_whitespace().map(str::to_owned).collect());
    }
    let all: Vec<String> = sentences.iter().flatten().cloned().collect();
    let case = |table, sentences| Case { table, sentences };
    println!("model and tables: {:.0} MiB resident", memory("VmRSS"));
    run("a", &case(a, sentences.clone()), &vocab, &language);
    println!("after a: {:.0} MiB resident", memory("VmRSS"));
    for kappa in [5, 20, 100] {
        let table = cut(&b, &vocab, kappa);
        for length in [10, 20, 40, 80] {
            let pieces = all
                .chunks_exact(length)
                .take(60)
                .map(<[String]>::to_vec)
                .collect();
            let name = format!("b, kappa {kappa}, {length} words");
            run(&name, &case(table.clone(), pieces), &vocab, &language);
        }
    }
    run("b", &case(b, sentences), &vocab, &language);
    println!(
        "after b: {:.0} MiB resident, {:.0} at the most",
        memory("VmRSS"),
        memory("VmHWM")
    );
}
