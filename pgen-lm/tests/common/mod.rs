//! A naive back-off model, straight from the definition, and random ARPA files.
#![allow(dead_code, unreachable_pub)] // each test file uses its share
#![allow(clippy::print_stderr)] // what is skipped must be seen

use pgen_core::{Limits, Lines, SplitMix64, Vocab, WordId};
use pgen_lm::{ArpaOptions, Ngrams, read_arpa_lines};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// N-grams by their words: log10 P and log10 of the back-off weight.
#[derive(Debug, Default)]
pub struct Naive {
    pub grams: BTreeMap<Vec<String>, (f64, f64)>,
    pub order: usize,
}

impl Naive {
    /// log10 P(word | all words before).
    pub fn log10(&self, history: &[String], word: &str) -> f64 {
        let known = |w: &str| {
            let known = self.grams.contains_key(&vec![w.to_owned()]);
            if known {
                w.to_owned()
            } else {
                "<unk>".to_owned()
            }
        };
        let from = history.len().saturating_sub(self.order - 1);
        let mut gram: Vec<String> = history[from..].iter().map(|w| known(w)).collect();
        gram.push(known(word));
        let mut backoff = 0.0;
        loop {
            if let Some(&(log10, _)) = self.grams.get(&gram) {
                return log10 + backoff;
            }
            let context = &gram[..gram.len() - 1];
            backoff += self.grams.get(context).map_or(0.0, |numbers| numbers.1);
            gram.remove(0);
        }
    }

    /// The model as an ARPA file.
    pub fn arpa(&self) -> String {
        let mut text = "\\data\\\n".to_owned();
        let of = |order| {
            self.grams
                .iter()
                .filter(move |(gram, _)| gram.len() == order)
        };
        for order in 1..=self.order {
            writeln!(text, "ngram {order}={}", of(order).count()).unwrap();
        }
        for order in 1..=self.order {
            writeln!(text, "\n\\{order}-grams:").unwrap();
            for (gram, (log10, backoff)) in of(order) {
                write!(text, "{log10}\t{}", gram.join(" ")).unwrap();
                if order < self.order && *backoff != 0.0 {
                    write!(text, "\t{backoff}").unwrap();
                }
                text.push('\n');
            }
        }
        text + "\n\\end\\\n"
    }
}

/// A random model: not closed, with back-off weights of both signs and zero, sometimes n-grams with
/// `<unk>`.
pub fn random_model(seed: u64) -> Naive {
    let mut rng = SplitMix64::new(seed);
    let order = 1 + rng.below(5) as usize;
    let types = 2 + rng.below(12);
    let words: Vec<String> = (0..types).map(|w| format!("w{w}")).collect();
    let mut model = Naive {
        order,
        ..Naive::default()
    };
    let number = |rng: &mut SplitMix64| -(rng.below(4000) as f64 + 1.0) / 1000.0;
    for word in words
        .iter()
        .map(String::as_str)
        .chain(["<unk>", "<s>", "</s>"])
    {
        let backoff = if rng.below(3) == 0 {
            0.0
        } else {
            number(&mut rng) + 1.0
        };
        let log10 = if word == "<s>" {
            -99.0
        } else {
            number(&mut rng)
        };
        model.grams.insert(vec![word.to_owned()], (log10, backoff));
    }
    for length in 2..=order {
        for _ in 0..rng.below(40) {
            let mut gram: Vec<String> = Vec::new();
            for at in 0..length {
                let pick = rng.below(types + 3);
                gram.push(match pick.checked_sub(types) {
                    None => words[pick as usize].clone(),
                    Some(0) if at == 0 => "<s>".to_owned(),
                    Some(1) if at + 1 == length => "</s>".to_owned(),
                    Some(2) => "<unk>".to_owned(),
                    _ => words[0].clone(),
                });
            }
            let backoff = if rng.below(3) == 0 {
                0.0
            } else {
                number(&mut rng) + 1.0
            };
            model.grams.insert(gram, (number(&mut rng), backoff));
        }
    }
    // An empty order would end the model there.
    for length in 2..=order {
        let gram = vec![words[0].clone(); length];
        model.grams.entry(gram).or_insert((-0.5, 0.25));
    }
    for (gram, numbers) in &mut model.grams {
        if gram.len() == order {
            numbers.1 = 0.0;
        }
    }
    model
}

pub fn read(text: &str, vocab: &mut Vocab) -> Ngrams {
    let lines = Lines::from_text(text, &Limits::default()).unwrap();
    read_arpa_lines(lines, vocab, &ArpaOptions::default())
        .unwrap()
        .0
}

/// A random sentence of model words and unknown ones.
pub fn random_sentence(rng: &mut SplitMix64) -> Vec<String> {
    (0..rng.below(12))
        .map(|_| format!("w{}", rng.below(15)))
        .collect()
}

/// The id, or one beyond the vocabulary.
pub fn id(vocab: &Vocab, word: &str) -> WordId {
    vocab.get_symbol(word).unwrap_or(WordId::new(u32::MAX - 7))
}

/// A file of the shared data, or `None` with a visible line if it is absent.
pub fn data(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("PGEN_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data")),
        PathBuf::from,
    );
    let path = root.join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {name} is absent");
    None
}
