//! Language-model queries against KenLM in the same process: same ARPA file, same sentences.
//!
//! `cargo bench --bench lm_query` works on ../shared/data/lm-case (or `PGEN_DATA`): it estimates models of
//! order 3 and 5, writes them as ARPA text, loads them here and in KenLM (probing; also tries built by its
//! `build_binary`, if `KENLM_TRIE_3`, `KENLM_TRIE8_5` and so on name them), compares every score and prints nanoseconds a query, best of five rounds.

use kenlm::{Model, State as KenState};
use pgen_core::{LanguageModel, Limits, Lines, Vocab, WordId};
use pgen_lm::{
    ArpaOptions, CompactModel, EstimateParams, Estimator, FastModel, Precision, read_arpa,
    write_arpa,
};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

const ROUNDS: usize = 5;
const SENTENCES: usize = 100_000;

fn main() {
    let root = std::env::var_os("PGEN_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data")),
        PathBuf::from,
    );
    let case = root.join("lm-case");
    if !case.exists() {
        println!("skipped: {} is absent", case.display());
        return;
    }
    let folder = std::env::temp_dir().join(format!("pgen-lm-query-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let orders = std::env::var("ORDERS").unwrap_or_else(|_| "3 5".to_owned());
    for order in orders.split(' ').map(|order| order.parse().unwrap()) {
        run(&case, &folder, order);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

fn run(case: &Path, folder: &Path, order: usize) {
    let arpa = folder.join(format!("{order}.arpa"));
    let clock = Instant::now();
    estimate(&case.join("train.txt.gz"), order, &arpa);
    println!(
        "order {order}: estimated and written in {:.2} s",
        clock.elapsed().as_secs_f64()
    );
    let mut vocab = Vocab::new();
    let clock = Instant::now();
    let (ngrams, _) = read_arpa(&arpa, &mut vocab, &ArpaOptions::default()).unwrap();
    println!("  ARPA read in {:.2} s", clock.elapsed().as_secs_f64());
    let clock = Instant::now();
    let fast = FastModel::new(&ngrams).unwrap();
    println!(
        "  fast layout built in {:.2} s",
        clock.elapsed().as_secs_f64()
    );
    let exact = CompactModel::new(&ngrams, Precision::Exact).unwrap();
    let small = CompactModel::new(&ngrams, Precision::Bits(8)).unwrap();
    let grams: usize = ngrams.counts().iter().sum();
    drop(ngrams);
    for (name, bytes) in [
        ("fast", fast.bytes()),
        ("compact", exact.bytes()),
        ("compact, 8 bits", small.bytes()),
    ] {
        println!(
            "  {name}: {bytes} bytes, {:.2} an n-gram",
            bytes as f64 / grams as f64
        );
    }
    let probing = Model::new(&arpa).unwrap();
    let trie = binary("KENLM_TRIE", order);
    let trie8 = binary("KENLM_TRIE8", order);
    for (name, file) in [("held-out", "test.txt.gz"), ("training", "train.txt.gz")] {
        let text = lines(&case.join(file));
        let ids: Vec<Vec<WordId>> = text.iter().map(|line| known(&vocab, line)).collect();
        let queries: usize = ids.iter().map(|ids| ids.len() + 1).sum();
        println!("  {name} text, {queries} queries: ns a query");
        let ken = kenlm(&probing, &text);
        compare(&fast, &ids, &probing, &ken);
        let report = |name: &str, work: &mut dyn FnMut() -> f64| {
            let mut best = f64::INFINITY;
            let mut sum = 0.0;
            for _ in 0..ROUNDS {
                let clock = Instant::now();
                sum = black_box(work());
                best = best.min(clock.elapsed().as_secs_f64());
            }
            println!(
                "    {name:28} {:8.1}   (log10 sum {sum:.2})",
                best * 1e9 / queries as f64
            );
        };
        let ln_10 = std::f64::consts::LN_10;
        report("KenLM probing, ids", &mut || kenlm_sum(&probing, &ken));
        if let Some(trie) = &trie {
            let ids = kenlm(trie, &text);
            report("KenLM trie, ids", &mut || kenlm_sum(trie, &ids));
        }
        if let Some(trie) = &trie8 {
            let ids = kenlm(trie, &text);
            report("KenLM trie 8 bits, ids", &mut || kenlm_sum(trie, &ids));
        }
        let one = |sentence: &Vec<WordId>| fast.sentence(sentence).ln();
        report("fast, one stream", &mut || {
            ids.iter().map(one).sum::<f64>() / ln_10
        });
        report("fast, batch", &mut || {
            fast.sentences(&ids).iter().map(|p| p.ln()).sum::<f64>() / ln_10
        });
        report("compact exact, one stream", &mut || {
            ids.iter().map(|s| exact.sentence(s).ln()).sum::<f64>() / ln_10
        });
        report("compact 8 bits, one stream", &mut || {
            ids.iter().map(|s| small.sentence(s).ln()).sum::<f64>() / ln_10
        });
        report("KenLM probing, strings", &mut || {
            text.iter().map(|line| kenlm_line(&probing, line)).sum()
        });
        report("fast, strings", &mut || {
            text.iter()
                .map(|line| fast.sentence(&known(&vocab, line)).ln())
                .sum::<f64>()
                / ln_10
        });
    }
}

fn estimate(text: &Path, order: usize, arpa: &Path) {
    let mut vocab = Vocab::new();
    let mut estimator = Estimator::new(EstimateParams::new(order)).unwrap();
    let lines = Lines::open(text, &Limits::default()).unwrap();
    estimator.add_lines(lines, &mut vocab, &()).unwrap();
    let (ngrams, _) = estimator.finish(&vocab, &()).unwrap();
    let mut out = std::io::BufWriter::new(std::fs::File::create(arpa).unwrap());
    write_arpa(&ngrams, &vocab, &mut out).unwrap();
}

/// A KenLM binary of the same ARPA file, if the environment names one.
fn binary(name: &str, order: usize) -> Option<Model> {
    let path = std::env::var_os(format!("{name}_{order}"))?;
    Some(Model::new(PathBuf::from(path)).unwrap())
}

fn lines(path: &Path) -> Vec<String> {
    let mut lines = Lines::open(path, &Limits::default()).unwrap();
    let mut all = Vec::new();
    while let Some((_, line)) = lines.next_line().unwrap() {
        all.push(line.to_owned());
        if all.len() == SENTENCES {
            break;
        }
    }
    all
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(' ').filter(|word| !word.is_empty())
}

fn known(vocab: &Vocab, line: &str) -> Vec<WordId> {
    words(line)
        .map(|word| vocab.get_symbol(word).unwrap_or(WordId::UNK))
        .collect()
}

fn kenlm(model: &Model, text: &[String]) -> Vec<Vec<u32>> {
    let ids = |line: &String| words(line).map(|word| model.index(word).unwrap()).collect();
    text.iter().map(ids).collect()
}

fn kenlm_sum(model: &Model, text: &[Vec<u32>]) -> f64 {
    text.iter()
        .map(|ids| kenlm_sentence(model, ids.iter().copied()))
        .sum()
}

fn kenlm_line(model: &Model, line: &str) -> f64 {
    kenlm_sentence(model, words(line).map(|word| model.index(word).unwrap()))
}

fn kenlm_sentence(model: &Model, ids: impl Iterator<Item = u32>) -> f64 {
    let mut state: KenState = model.begin_sentence_state();
    let mut next = model.null_context_state();
    let mut sum = 0.0;
    for id in ids.chain([model.end_sentence_index()]) {
        sum += f64::from(model.base_score(&state, id, &mut next).unwrap());
        std::mem::swap(&mut state, &mut next);
    }
    sum
}

/// Every word's log10 within 1e-5.
fn compare(fast: &FastModel, ours: &[Vec<WordId>], ken: &Model, theirs: &[Vec<u32>]) {
    let mut worst = 0f64;
    for (ours, theirs) in ours.iter().zip(theirs) {
        let mut state = fast.start();
        let mut other = ken.begin_sentence_state();
        let mut after = ken.null_context_state();
        let words = ours.iter().copied().chain([WordId::EOS]);
        for (word, id) in words.zip(theirs.iter().copied().chain([ken.end_sentence_index()])) {
            let (next, log_prob) = fast.advance(&state, word);
            let score = ken.base_score(&other, id, &mut after).unwrap();
            worst = worst.max((log_prob.log10() - f64::from(score)).abs());
            std::mem::swap(&mut other, &mut after);
            state = next;
        }
    }
    assert!(worst < 1e-5, "{worst}");
    println!(
        "    {} sentences, largest difference of a word's log10: {worst:.1e}",
        ours.len()
    );
}
