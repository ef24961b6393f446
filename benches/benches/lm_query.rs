//! Language-model queries against KenLM in the same process: same ARPA file, same sentences.
//!
//! `cargo bench --bench lm_query` works on ../shared/data/lm-case (or `PGEN_DATA`): it estimates models of
//! the orders in `ORDERS` (default "3 5"), writes them as ARPA text, loads them here and in KenLM (probing,
//! trie, trie with 8 bits), compares every word's log10 and prints nanoseconds of this thread's processor
//! time a query, least of `ROUNDS` (default 5) rounds in which all take turns. `ARPA=file TEXT=file:file…` takes
//! another model and other texts; `ONLY=words` runs the lines whose name holds them; `COMPARE=1` only compares
//! (for orders 2 to 5).

mod kenlm_tools;

use kenlm::{ArpaLoadComplain, Config, Model, State as KenState};
use pgen_core::{LanguageModel, Limits, Lines, Vocab, WordId};
use pgen_lm::{
    ArpaOptions, CompactModel, EstimateParams, Estimator, FastModel, Precision, read_arpa,
    write_arpa,
};
use std::hint::black_box;
use std::path::{Path, PathBuf};

const SENTENCES: usize = 100_000;
const LN_10: f64 = std::f64::consts::LN_10;

fn main() {
    let folder = std::env::temp_dir().join(format!("pgen-lm-query-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    if let Some(arpa) = std::env::var_os("ARPA") {
        let text = std::env::var("TEXT").expect("TEXT names the texts");
        let texts: Vec<_> = text.split(':').map(|file| (file, file.into())).collect();
        run(Path::new(&arpa), &texts, &folder);
    } else {
        lm_case(&folder);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

fn lm_case(folder: &Path) {
    let root = std::env::var_os("PGEN_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data")),
        PathBuf::from,
    );
    let case = root.join("lm-case");
    if !case.exists() {
        println!("skipped: {} is absent", case.display());
        return;
    }
    let orders = if compares() { "2 3 4 5" } else { "3 5" };
    let orders = std::env::var("ORDERS").unwrap_or_else(|_| orders.to_owned());
    for order in orders.split(' ').map(|order| order.parse().unwrap()) {
        let arpa = folder.join(format!("{order}.arpa"));
        let start = cpu();
        estimate(&case.join("train.txt.gz"), order, &arpa);
        println!(
            "order {order}: estimated and written in {:.2} CPU s",
            cpu() - start
        );
        let texts = [
            ("held-out", case.join("test.txt.gz")),
            ("training", case.join("train.txt.gz")),
        ];
        run(&arpa, &texts, folder);
    }
}

fn compares() -> bool {
    std::env::var_os("COMPARE").is_some()
}

/// Processor seconds of this thread: other work on the machine does not count.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    stat.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

fn quiet() -> Config {
    Config {
        arpa_complain: ArpaLoadComplain::None,
        show_progress: false,
        ..Config::default()
    }
}

/// KenLM's trie of an ARPA file, as its `build_binary` makes it.
fn trie(arpa: &Path, folder: &Path, options: &[&str]) -> Model {
    let out = folder.join(format!("trie{}", options.len()));
    let arguments = options.iter().chain(&["trie"]).map(Into::into);
    let files = [arpa.into(), out.clone().into()];
    assert_eq!(kenlm_tools::build_binary(arguments.chain(files)), 0);
    let bytes = std::fs::metadata(&out).unwrap().len();
    println!("  KenLM trie {options:?}: {bytes} bytes");
    Model::with_config(&out, quiet()).unwrap()
}

fn run(arpa: &Path, texts: &[(&str, PathBuf)], folder: &Path) {
    let mut vocab = Vocab::new();
    let start = cpu();
    let (ngrams, _) = read_arpa(arpa, &mut vocab, &ArpaOptions::default()).unwrap();
    println!("  ARPA read in {:.2} CPU s", cpu() - start);
    let start = cpu();
    let fast = FastModel::new(&ngrams).unwrap();
    println!("  fast layout built in {:.2} CPU s", cpu() - start);
    let probing = Model::with_config(arpa, quiet()).unwrap();
    if compares() {
        for (_, file) in texts {
            let text = lines(file);
            let ids: Vec<_> = text.iter().map(|line| known(&vocab, line)).collect();
            compare(&fast, &ids, &probing, &kenlm(&probing, &text));
        }
        return;
    }
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
    let tries = [
        trie(arpa, folder, &[]),
        trie(arpa, folder, &["-q", "8", "-b", "8", "-a", "64"]),
    ];
    let models = Models {
        vocab,
        fast,
        exact,
        small,
        probing,
        tries,
    };
    for (name, file) in texts {
        println!("  {name} text");
        models.time(&lines(file));
    }
}

struct Models {
    vocab: Vocab,
    fast: FastModel,
    exact: CompactModel,
    small: CompactModel,
    probing: Model,
    tries: [Model; 2],
}

type Work<'a> = (&'a str, Box<dyn Fn() -> f64 + 'a>);

impl Models {
    fn time(&self, text: &[String]) {
        let ids: Vec<Vec<WordId>> = text.iter().map(|line| known(&self.vocab, line)).collect();
        let ken = kenlm(&self.probing, text);
        let ken_tries = [kenlm(&self.tries[0], text), kenlm(&self.tries[1], text)];
        compare(&self.fast, &ids, &self.probing, &ken);
        let queries: usize = ids.iter().map(|ids| ids.len() + 1).sum();
        let all = |score: &dyn Fn(&Vec<WordId>) -> f64| ids.iter().map(score).sum::<f64>() / LN_10;
        let (fast, exact, small) = (&self.fast, &self.exact, &self.small);
        let strings = |line: &String| fast.sentence(&known(&self.vocab, line)).ln();
        let works: Vec<Work<'_>> = vec![
            (
                "KenLM probing, ids",
                Box::new(|| kenlm_sum(&self.probing, &ken)),
            ),
            (
                "fast, one stream",
                Box::new(|| all(&|s| fast.sentence(s).ln())),
            ),
            (
                "fast, word by word",
                Box::new(|| all(&|s| word_by_word(fast, s))),
            ),
            (
                "fast, batch",
                Box::new(|| fast.sentences(&ids).iter().map(|p| p.ln()).sum::<f64>() / LN_10),
            ),
            (
                "KenLM trie, ids",
                Box::new(|| kenlm_sum(&self.tries[0], &ken_tries[0])),
            ),
            (
                "compact exact, one stream",
                Box::new(|| all(&|s| exact.sentence(s).ln())),
            ),
            (
                "KenLM trie 8 bits, ids",
                Box::new(|| kenlm_sum(&self.tries[1], &ken_tries[1])),
            ),
            (
                "compact 8 bits, one stream",
                Box::new(|| all(&|s| small.sentence(s).ln())),
            ),
            (
                "KenLM probing, strings",
                Box::new(|| {
                    text.iter()
                        .map(|line| kenlm_line(&self.probing, line))
                        .sum()
                }),
            ),
            (
                "fast, strings",
                Box::new(|| text.iter().map(strings).sum::<f64>() / LN_10),
            ),
        ];
        report(&works, queries);
        self.rows(&ids);
    }

    /// All next words of a state at once, against one step for each: the 16 words are those of the sentence
    /// and the ones around.
    fn rows(&self, ids: &[Vec<WordId>]) {
        let mut asked: Vec<(Vec<WordId>, Vec<WordId>)> = Vec::new();
        for sentence in ids.iter().filter(|ids| ids.len() >= 16).take(5_000) {
            let mut words = sentence.clone();
            words.sort_unstable();
            words.dedup();
            asked.push((sentence.clone(), words));
        }
        let queries: usize = asked.iter().map(|(s, words)| s.len() * words.len()).sum();
        let fast = &self.fast;
        let steps = || {
            let mut total = 0.0;
            for (sentence, words) in &asked {
                let mut state = fast.start();
                for &word in sentence {
                    let each = words.iter().map(|&word| fast.advance(&state, word).1.ln());
                    total += each.sum::<f64>();
                    state = fast.advance(&state, word).0;
                }
            }
            total / LN_10
        };
        let rows = || {
            let (mut total, mut left, mut hits) = (0.0, Vec::new(), Vec::new());
            for (sentence, words) in &asked {
                let mut state = fast.start();
                for &word in sentence {
                    total += row(fast, state, words, &mut left, &mut hits);
                    state = fast.advance(&state, word).0;
                }
            }
            total / LN_10
        };
        println!("    rows of all words of a sentence, {queries} probabilities:");
        let works: Vec<Work<'_>> = vec![
            ("fast, steps", Box::new(steps)),
            ("fast, rows", Box::new(rows)),
        ];
        report(&works, queries);
    }
}

/// The sum of ln P of all words after a state, each asked of the longest context that lists it.
fn row(
    fast: &FastModel,
    state: pgen_lm::State,
    words: &[WordId],
    left: &mut Vec<WordId>,
    hits: &mut Vec<pgen_core::RowHit<pgen_lm::State>>,
) -> f64 {
    let (mut state, mut weight, mut total) = (state, 0.0, 0.0);
    left.clear();
    left.extend_from_slice(words);
    loop {
        hits.clear();
        let shorter = fast.row(&state, left, hits);
        total += hits
            .iter()
            .map(|hit| hit.log_prob.ln() + weight)
            .sum::<f64>();
        let Some((suffix, back_off)) = shorter else {
            return total;
        };
        for hit in hits.iter() {
            left[hit.at as usize] = WordId::new(u32::MAX);
        }
        left.retain(|word| word.raw() != u32::MAX);
        weight += back_off.ln();
        state = suffix;
    }
}

/// Prints the least time of each work; they take turns.
fn report(works: &[Work<'_>], queries: usize) {
    let rounds = std::env::var("ROUNDS").map_or(5, |rounds| rounds.parse().unwrap());
    let only = std::env::var("ONLY").unwrap_or_default();
    let works: Vec<_> = works
        .iter()
        .filter(|(name, _)| name.contains(&only))
        .collect();
    // The clock's steps are some milliseconds.
    let times = (2_000_000 / queries).max(1);
    let mut best = vec![f64::INFINITY; works.len()];
    let mut sums = vec![0.0; works.len()];
    for _ in 0..rounds {
        for (at, (_, work)) in works.iter().enumerate() {
            let start = cpu();
            for _ in 0..times {
                sums[at] = black_box(work());
            }
            best[at] = best[at].min((cpu() - start) / times as f64);
        }
    }
    println!("    {queries} queries: ns a query");
    for ((name, _), (best, sum)) in works.iter().zip(best.iter().zip(&sums)) {
        println!(
            "    {name:28} {:8.1}   (log10 sum {sum:.2})",
            best * 1e9 / queries as f64
        );
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

fn word_by_word(fast: &FastModel, words: &[WordId]) -> f64 {
    let mut state = fast.start();
    let mut sum = 0.0;
    for &word in words.iter().chain(&[WordId::EOS]) {
        let (next, log_prob) = fast.advance(&state, word);
        sum += log_prob.ln();
        state = next;
    }
    sum
}

/// Every word's log10 within 1e-5, and whole sentences by all our doors the same bits.
fn compare(fast: &FastModel, ours: &[Vec<WordId>], ken: &Model, theirs: &[Vec<u32>]) {
    let mut worst = 0f64;
    let mut count = 0u64;
    let batch = fast.sentences(ours);
    for ((ours, theirs), together) in ours.iter().zip(theirs).zip(&batch) {
        let mut state = fast.start();
        let mut other = ken.begin_sentence_state();
        let mut after = ken.null_context_state();
        let words = ours.iter().copied().chain([WordId::EOS]);
        for (word, id) in words.zip(theirs.iter().copied().chain([ken.end_sentence_index()])) {
            let (next, log_prob) = fast.advance(&state, word);
            let score = ken.base_score(&other, id, &mut after).unwrap();
            worst = worst.max((log_prob.log10() - f64::from(score)).abs());
            count += 1;
            std::mem::swap(&mut other, &mut after);
            state = next;
        }
        let alone = word_by_word(fast, ours).to_bits();
        assert_eq!(fast.sentence(ours).ln().to_bits(), alone);
        assert_eq!(together.ln().to_bits(), alone);
    }
    assert!(worst < 1e-5, "{worst}");
    println!(
        "    {} sentences, {count} words: largest difference of a word's log10: {worst:.1e}",
        ours.len()
    );
}
