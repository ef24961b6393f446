//! Estimation against KenLM's lmplz: processor time and peak memory, each in a process of its own.
//!
//! `cargo bench --features estimation --bench lm_estimate -- TEXT` (one sentence a line, plain or gzip; Boost
//! must be installed) estimates modified Kneser-Ney models with both, of the orders in `ORDERS` (default
//! "5"), under the memory limit `MEMORY` in MB (default 1024, for counting here and sorting there), prints
//! user and system seconds and peak resident memory, and compares the sizes of the ARPA files.

#[cfg(feature = "estimation")]
mod kenlm_tools;

use pgen_core::{Limits, Lines, Vocab};
use pgen_lm::{EstimateParams, Estimator, write_arpa};
use std::io::{BufWriter, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["ours", text, order, memory, out] => ours(text, order, memory, out),
        ["theirs", text, order, memory, out] => theirs(text, order, memory, out),
        [text] => parent(Path::new(text)),
        _ => println!("skipped: no text (one path is the argument)"),
    }
}

fn parent(text: &Path) {
    let folder = std::env::temp_dir().join(format!("pgen-lm-estimate-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let plain = plain(text, &folder);
    let memory = std::env::var("MEMORY").unwrap_or_else(|_| "1024".to_owned());
    let orders = std::env::var("ORDERS").unwrap_or_else(|_| "5".to_owned());
    let kinds: &[&str] = if cfg!(feature = "estimation") {
        &["ours", "theirs"]
    } else {
        &["ours"]
    };
    println!(
        "text of {} bytes, {memory} MB",
        std::fs::metadata(&plain).unwrap().len()
    );
    for order in orders.split(' ') {
        for kind in kinds {
            let out = folder.join(format!("{kind}.arpa"));
            let mut child = Command::new(std::env::current_exe().unwrap());
            child.arg(kind).arg(&plain).args([order, &memory]).arg(&out);
            // kenlm-rs's lmplz has made the model when it falls off the end of what was a C++ `main` and
            // crashes; so what counts is whether the model is whole.
            let status = child.status().unwrap();
            assert!(status.success() || *kind == "theirs" && is_whole(&out));
            println!("    ARPA: {} bytes", std::fs::metadata(&out).unwrap().len());
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// True if an ARPA file has its end.
fn is_whole(arpa: &Path) -> bool {
    let mut file = std::fs::File::open(arpa).unwrap();
    let mut end = Vec::new();
    file.seek(SeekFrom::End(-64)).unwrap();
    file.read_to_end(&mut end).unwrap();
    end.trim_ascii_end().ends_with(b"\\end\\")
}

/// lmplz of this build reads plain text only.
fn plain(text: &Path, folder: &Path) -> PathBuf {
    if text.extension().is_none_or(|extension| extension != "gz") {
        return text.to_owned();
    }
    let out = folder.join("text");
    let file = std::fs::File::open(text).unwrap();
    let mut reader = flate2::read::MultiGzDecoder::new(file);
    std::io::copy(&mut reader, &mut std::fs::File::create(&out).unwrap()).unwrap();
    out
}

fn ours(text: &str, order: &str, memory: &str, out: &str) {
    let params = EstimateParams::new(order.parse().unwrap())
        .with_memory(memory.parse::<usize>().unwrap() << 20);
    let mut vocab = Vocab::new();
    let mut estimator = Estimator::new(params).unwrap();
    let lines = Lines::open(Path::new(text), &Limits::default()).unwrap();
    estimator.add_lines(lines, &mut vocab, &()).unwrap();
    usage("ours, text read", order);
    let (ngrams, _) = estimator.finish(&vocab, &()).unwrap();
    usage("ours, estimated", order);
    let mut file = BufWriter::new(std::fs::File::create(out).unwrap());
    write_arpa(&ngrams, &vocab, &mut file).unwrap();
    usage("ours, written", order);
}

#[cfg(feature = "estimation")]
fn theirs(text: &str, order: &str, memory: &str, out: &str) {
    let size = format!("{memory}M");
    let folder = std::env::temp_dir();
    let arguments = [
        "-o", order, "-S", &size, "--text", text, "--arpa", out, "-T",
    ];
    let arguments = arguments.iter().map(Into::into).chain([folder.into()]);
    println!("  order {order}, lmplz: its own figures are the last line here");
    kenlm_tools::lmplz(arguments);
}

#[cfg(not(feature = "estimation"))]
fn theirs(_: &str, _: &str, _: &str, _: &str) {}

/// Processor seconds of all threads and peak resident memory of this process so far.
fn usage(name: &str, order: &str) {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat
        .rsplit_once(')')
        .unwrap()
        .1
        .split_whitespace()
        .collect();
    let seconds = |field: usize| fields[field].parse::<f64>().unwrap() / 100.0;
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap();
    let kilobytes: f64 = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
    println!(
        "  order {order}, {name:16} user {:7.2} s, system {:6.2} s, peak {:7.1} MB",
        seconds(11),
        seconds(12),
        kilobytes / 1024.0
    );
}
