//! The fuzz targets without a fuzzer: kept inputs, good files, and mutations of both with fixed seeds.
//! `PGEN_FUZZ_SECONDS` makes each target run that long; `PGEN_FUZZ_TARGET` chooses one.
#![cfg(not(debug_assertions))]
#![allow(clippy::print_stdout)]

#[allow(dead_code)]
mod damage;
#[allow(unreachable_pub)]
#[path = "../../fuzz/src/targets.rs"]
mod targets;

use pgen::core::SplitMix64;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Good inputs of a target, to be mutated.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let texts: &[&str] = match target {
        "arpa" => &[
            "\\data\\\nngram 1=5\nngram 2=3\n\n\\1-grams:\n-1.0\t<unk>\n-99\t<s>\t-0.4\n-1.1\t</s>\n-0.7\ta\t-0.3\n-0.9\tb\n\n\\2-grams:\n-0.3\t<s> a\n-0.4\ta b\n-0.6\tb </s>\n\n\\end\\\n",
        ],
        "phrase_table" => &[
            "a b ||| c ||| 0.5 1 ||| 0-0 1-0 ||| 3 2 1 ||| x= 1 ||| {{Tree [X]}}\nb ||| &#124; d ||| 1 0.25\n",
            "[NN] ||| car ||| auto ||| PPDB2.0Score=5.3 -logp(e2|e1)=1.5 X=NA ||| 0-0 ||| Equivalence\n",
            "0 ||| the |0-1| house |2-2| ||| LM0= -1.5 TM= 0 ||| -3 ||| 0-1=0 2=1 ||| 0-0\n",
            "0.125\na b\nc\n",
            "a\tb\t0.25\n",
        ],
        "packed" => &["one\r\ntwo\n\u{feff}three"],
        "alignment" => &[
            "0-0 1?1 2p2 T:3-3\n\n4-1\n",
            "0001 1 2 S 0.5\n0001 2 0 P\n",
            "# Sentence pair (1) source length 2 target length 3 alignment score : 0.5\nx y z\nNULL ({ 2 }) a ({ 1 }) b ({ 3 })\n",
            "id\ta b\tc d\t0-0 1-1\t0-1\n",
        ],
        "tree" => &[
            "( (S (NP-SBJ-1 (DT The) (NN dog)) (VP (VBD ran) (-NONE- *T*-1))) )\n(S (A -LRB-))\n\n(ROOT (X y))\n",
        ],
        "conll" => &[
            "# sent_id = 1\n# text = The cat\n1-2\tThecat\t_\t_\t_\t_\t_\t_\t_\t_\n1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\tSpaceAfter=No\n1.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n2\tcat\tcat\tNOUN\tNN\t_\t0\troot\t_\t_\n\n",
        ],
        "automaton" => &[
            "0\t1\ta\t0.5\n0 1 b\n1 2 <eps>\n1 2 c 1\n2\n\n0 1 a\n1 2 d d 0.25\n2 0.5\n",
            "<eps>\t0\na\t1\nb\t2\n",
        ],
        "sentence" | "answer" => &[
            "We must find a solution to this problem.",
            "Don't pay Mr. X $1,000 at http://a.b/c or e@f.gh! \"The cat,\" he said (very) slowly...",
            "\u{130}stanbul caf\u{e9} e\u{301} \u{1F468}\u{200D}\u{1F469} {x} <y> [z] 50% 3rd I'm",
        ],
        _ => &[],
    };
    let mut seeds: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    let starts = match target {
        "language_model" => "language model|compact",
        "table_file" => "table|packed table",
        "aligner" => "aligner",
        "bundle" => "bundle|packed bundle",
        "annotator" => "annotator",
        _ => "-",
    };
    let formats = damage::formats().expect("good files").into_iter();
    let mine = formats.filter(|f| starts.split('|').any(|start| f.name.starts_with(start)));
    seeds.extend(
        mine.filter(|f| !f.name.contains("compact") || target == "language_model")
            .map(|f| f.bytes),
    );
    if target == "packed" {
        use std::io::Write;
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(b"one\ntwo\nthree\n").expect("memory");
        seeds.push(packer.finish().expect("memory"));
    }
    seeds
}

/// With `PGEN_FUZZ_SEEDS=FOLDER` writes the good inputs to `FOLDER/TARGET/`, for a fuzzer to begin with.
#[test]
fn good_inputs_are_written_for_a_fuzzer() {
    let Some(folder) = std::env::var_os("PGEN_FUZZ_SEEDS").map(PathBuf::from) else {
        println!("skipped: PGEN_FUZZ_SEEDS is not set");
        return;
    };
    for (name, _) in targets::TARGETS {
        let folder = folder.join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        for (at, seed) in seeds(name).into_iter().chain(kept(name)).enumerate() {
            std::fs::write(folder.join(format!("seed-{at}")), seed).expect("a file");
        }
    }
}

/// Inputs that once broke something, kept for ever: `fuzz/kept/TARGET/*`.
fn kept(target: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz/kept")
        .join(target);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| std::fs::read(entry.path()).ok())
        .collect()
}

const TOKENS: [&str; 26] = [
    " ||| ",
    "|||",
    "\n",
    "\t",
    " ",
    "-",
    "0",
    "1",
    "99999999999999999999",
    "NaN",
    "inf",
    "-1",
    "1e999",
    "\\end\\",
    "\\1-grams:",
    "\\data\\",
    "ngram 1=",
    "(",
    ")",
    "<eps>",
    "<s>",
    "\u{feff}",
    "\u{301}",
    "({",
    "})",
    "\0",
];

fn mutate(rng: &mut SplitMix64, seeds: &[Vec<u8>]) -> Vec<u8> {
    let pick = |rng: &mut SplitMix64, n: usize| rng.below(n.max(1) as u64) as usize;
    let mut data = seeds[pick(rng, seeds.len())].clone();
    for _ in 0..1 + rng.below(5) {
        let at = pick(rng, data.len() + 1);
        match rng.below(9) {
            0 if at < data.len() => data[at] ^= 1 << rng.below(8),
            1 if at < data.len() => data[at] = rng.next_u64() as u8,
            2 => data.truncate(at),
            3 => {
                let token = TOKENS[pick(rng, TOKENS.len())];
                data.splice(at..at, token.bytes());
            }
            4 => {
                let end = (at + pick(rng, 16)).min(data.len());
                data.drain(at..end);
            }
            5 => {
                let end = (at + pick(rng, 64)).min(data.len());
                let copy = data[at..end].to_vec();
                let to = pick(rng, data.len() + 1);
                data.splice(to..to, copy);
            }
            6 => {
                let other = &seeds[pick(rng, seeds.len())];
                let cut = pick(rng, other.len() + 1);
                data.truncate(at);
                data.extend_from_slice(&other[cut..]);
            }
            7 if at + 8 <= data.len() => {
                let value = [
                    0,
                    1,
                    0xFF,
                    0xFFFF,
                    u64::from(u32::MAX),
                    1 << 31,
                    1 << 63,
                    u64::MAX,
                ];
                data[at..at + 8].copy_from_slice(&value[pick(rng, 8)].to_le_bytes());
            }
            _ if at < data.len() => {
                data[at] = data[at].wrapping_add(rng.below(3) as u8).wrapping_sub(1)
            }
            _ => {}
        }
    }
    data.truncate(1 << 16);
    data
}

#[test]
fn no_input_breaks_a_promise() {
    let seconds = std::env::var("PGEN_FUZZ_SECONDS")
        .ok()
        .and_then(|s| s.parse::<f64>().ok());
    let time = Duration::from_secs_f64(seconds.unwrap_or(0.7));
    let wanted = std::env::var("PGEN_FUZZ_TARGET").ok();
    let mut findings = Vec::new();
    for (name, target) in targets::TARGETS {
        if wanted.as_deref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        let good = seeds(name);
        let mut rng = SplitMix64::new(seconds.map_or(1, |s| s.to_bits()));
        let (started, mut runs) = (Instant::now(), 0u64);
        let mut slowest = Duration::ZERO;
        let mut inputs = kept(name).into_iter().chain(good.clone());
        while started.elapsed() < time {
            let data = inputs.next().unwrap_or_else(|| mutate(&mut rng, &good));
            let before = Instant::now();
            if catch_unwind(AssertUnwindSafe(|| target(&data))).is_err() {
                let file = std::env::temp_dir().join(format!("pgen-fuzz-{name}-{runs}"));
                let _ = std::fs::write(&file, &data);
                findings.push(format!("{name}: {}", file.display()));
                if findings.len() > 20 {
                    break;
                }
            }
            slowest = slowest.max(before.elapsed());
            runs += 1;
        }
        println!("fuzz: {name}: {runs} runs, slowest {slowest:?}");
        assert!(slowest < Duration::from_secs(10), "{name} took {slowest:?}");
    }
    assert!(findings.is_empty(), "{findings:#?}");
}
