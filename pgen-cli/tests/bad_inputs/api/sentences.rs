//! Sentences and phrase tables.

use super::{decode, must, unlimited};
use crate::probes::{self, Failure, Result, broken, show_table};
use pgen::core::formats::{TableOptions, moses};
use pgen::core::text::{TextOptions, normalize};
use pgen::core::{
    CancelToken, Certificate, Limits, Lines, Sentence, Stop, TokenKind, Vocab, WordId,
};
use pgen::decode::Request;
use pgen::lm::{ArpaOptions, CompactModel, EstimateParams, Estimator, FastModel, Precision};
use pgen::{Options, Paraphraser, Search};
use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) fn run(name: &str) -> Option<Result> {
    Some(match name {
        "work of repeated words" => work_of_repeated_words(),
        "unknown words are copied" => unknown_words(),
        "composed and decomposed words differ" => composed(),
        "bars are written escaped" => bars(),
        "control symbols are words" => control_symbols(),
        "escapes come back" => escapes(),
        "marks of ARPA files as words" => marks_of_arpa(),
        "lower case of another length" => lower_case(),
        "lower case of a final sigma" => final_sigma(),
        "many different characters" => many_characters(),
        "two threads, one sentence" => two_threads(),
        "work of overlapping phrases" => overlapping(),
        "many options for every word" => many_options(),
        "a deadline of nothing" => no_time(),
        "cancelled from another thread" => cancelled(),
        "a million targets" => million_targets(),
        "a missing suffix in every layout" => missing_suffix(),
        "sums of unigrams are told" => unigram_sums(),
        _ => return None,
    })
}

/// Twice as many words cost at most 2.3 times as many states.
fn work_of_repeated_words() -> Result {
    let rows = [("a", "b", -1.0), ("a a", "c", -1.5), ("a", "d e", -2.0)];
    doubling(|n| vec!["a"; n], &rows)
}

fn overlapping() -> Result {
    let phrases: Vec<String> = (1..=8).map(|n| vec!["a"; n].join(" ")).collect();
    let mut rows: Vec<(&str, &str, f32)> = Vec::new();
    for phrase in &phrases {
        rows.push((phrase, "x", -1.0));
        rows.push((phrase, "y z", -1.25));
    }
    doubling(|n| ["a", "a", "a", "b"].repeat(n / 4), &rows)
}

fn doubling(words: impl Fn(usize) -> Vec<&'static str>, rows: &[(&str, &str, f32)]) -> Result {
    let states = |n| Ok::<_, Failure>(decode(&words(n), rows, &Request::best(10))?.states);
    let counts = [states(256)?, states(512)?, states(1024)?];
    let ratios: Vec<f64> = counts
        .windows(2)
        .map(|two| two[1] as f64 / two[0] as f64)
        .collect();
    must(
        ratios.iter().all(|ratio| *ratio <= 2.3),
        &format!("ratios {ratios:?}"),
    )?;
    Ok(format!("{counts:?} states, ratios {ratios:.2?}"))
}

fn unknown_words() -> Result {
    let words: Vec<String> = (0..4000).map(|at| format!("w{at}")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let decoded = decode(&words, &[("x", "y", -1.0)], &Request::best(1))?;
    must(decoded.texts == [words.join(" ")], "every word is copied")?;
    Ok(format!("{} words", decoded.texts[0].split(' ').count()))
}

fn composed() -> Result {
    let mut vocab = Vocab::new();
    let (one, two) = (vocab.intern("\u{e9}")?, vocab.intern("e\u{301}")?);
    must(one != two, "words are bytes")?;
    Ok(String::new())
}

/// A table whose words hold bars, brackets and ampersands comes back whole.
fn bars() -> Result {
    let mut vocab = Vocab::new();
    let text = "a|||b ||| &amp; ||| 0.5\n".replace("a|||b", "a&#124;&#124;&#124;b");
    let mut options = TableOptions::default();
    options.unescape = true;
    let read = |text: &str, vocab: &mut Vocab| {
        let mut lines = Lines::from_text(text, &Limits::default())?;
        moses::load(&mut lines, vocab, &options)
    };
    let (table, _) = read(&text, &mut vocab)?;
    must(vocab.get("a|||b").is_some(), "bars are part of the word")?;
    let mut out = Vec::new();
    moses::write(&mut out, &table, &vocab, true).map_err(broken)?;
    let written = String::from_utf8(out).map_err(broken)?;
    must(
        !written.contains("a|||b"),
        "a bar in a word is written as an escape",
    )?;
    let mut again = Vocab::new();
    let (second, _) = read(&written, &mut again)?;
    let same = show_table(&table, &vocab) == show_table(&second, &again);
    must(same, "what is written can be read")?;
    Ok(written.trim_end().to_owned())
}

fn control_symbols() -> Result {
    let vocab = Arc::new(Vocab::new());
    let text = "<s> </s> <unk> <eps>";
    let limits = Limits::default();
    let sentence = Sentence::tokenize(text, &vocab, &TextOptions::default(), &limits)?;
    let control = [WordId::UNK, WordId::BOS, WordId::EOS];
    must(
        sentence.words().iter().all(|word| !control.contains(word)),
        "typed words are never control symbols",
    )?;
    let mut estimator = Estimator::new(EstimateParams::new(2))?;
    let mut vocab = Vocab::new();
    estimator.add_lines(
        Lines::from_text("a <s> b </s> <unk>\n", &limits)?,
        &mut vocab,
        &(),
    )?;
    let (_, report) = estimator.finish(&vocab, &())?;
    must(
        report.symbols == 3,
        "control symbols in text are counted and left out",
    )?;
    Ok(String::new())
}

fn escapes() -> Result {
    for text in ["a|b", "<&>", "[x] 'q' \"r\"", "&amp;", "&#124;"] {
        must(moses::unescape(&moses::escape(text)) == text, text)?;
    }
    Ok(String::new())
}

/// A model of words that are marks of its own format is written and read, or refused.
fn marks_of_arpa() -> Result {
    let mut estimator = Estimator::new(EstimateParams::new(2))?;
    let mut vocab = Vocab::new();
    let text = "\\data\\ \\end\\ \\1-grams: a\na \\data\\ ngram 1=5\n";
    estimator.add_lines(Lines::from_text(text, &Limits::default())?, &mut vocab, &())?;
    let (ngrams, _) = estimator.finish(&vocab, &())?;
    let mut out = Vec::new();
    pgen::lm::write_arpa(&ngrams, &vocab, &mut out)?;
    let lines = Lines::from_reader(std::io::Cursor::new(out), "t", &Limits::default())?;
    let mut again = Vocab::new();
    let (read, _) = pgen::lm::read_arpa_lines(lines, &mut again, &ArpaOptions::default())?;
    must(read.counts() == ngrams.counts(), "nothing is lost")?;
    must(again.get("\\end\\").is_some(), "the mark is a word")?;
    Ok(String::new())
}

fn lower_case() -> Result {
    let limits = Limits::default();
    let text = "\u{130}stanbul \u{1E9E}TRASSE I\u{131}";
    let vocab = Arc::new(Vocab::new());
    let sentence = Sentence::tokenize(text, &vocab, &TextOptions::default(), &limits)?;
    let surfaces: Vec<&str> = (0..sentence.len()).map(|at| sentence.surface(at)).collect();
    must(
        surfaces.join(" ") == text,
        "offsets are those of the text as given",
    )?;
    Ok(sentence.lexicon().join(sentence.words()))
}

fn final_sigma() -> Result {
    Ok(normalize("\u{3A3}\u{391}\u{3A3}", TokenKind::Word, true).into_owned())
}

fn many_characters() -> Result {
    let text: String = (0x4E00u32..0x9FFF)
        .chain(0xAC00..0xD7A0)
        .chain(0x20000..0x2E000)
        .filter_map(char::from_u32)
        .take(100_000)
        .collect();
    match pgen::core::text::tokenize(&text, &unlimited()) {
        Ok(tokens) => Ok(format!("{} tokens", tokens.len())),
        Err(error) if error.code() == "limit-exceeded" => Ok(error.to_string()),
        Err(error) => Err(error.into()),
    }
}

fn two_threads() -> Result {
    let paraphraser = Paraphraser::english()?;
    let ask = || -> Result<String> {
        let mut all = String::new();
        for _ in 0..50 {
            let answer = paraphraser.paraphrase("We must solve this problem.", 5)?;
            for item in &answer.items {
                let _ = write!(all, "{} {};", item.text, item.score.ln().to_bits());
            }
        }
        Ok(all)
    };
    let (first, second) = std::thread::scope(|scope| {
        let other = scope.spawn(ask);
        (ask(), other.join())
    });
    let second = second.map_err(|_| broken("a thread panicked"))??;
    must(first? == second, "answers do not depend on threads")?;
    Ok(String::new())
}

fn many_options() -> Result {
    let targets: Vec<String> = (0..2000).map(|at| format!("t{at}")).collect();
    let mut rows = Vec::new();
    for source in ["a", "b", "c"] {
        let options = targets.iter().enumerate();
        rows.extend(options.map(|(at, target)| (source, &**target, -(at as f32) / 1000.0)));
    }
    let words = ["a", "b", "c"].repeat(20);
    let decoded = decode(&words, &rows, &Request::best(5))?;
    must(decoded.texts.len() == 5, "five answers")?;
    let mut limits = Limits::default();
    limits.edges = 1000;
    let refused = decode(&words, &rows, &Request::best(5).with_limits(limits));
    must(
        refused.is_err_and(|e| e.code == "limit-exceeded"),
        "the limit on edges holds",
    )?;
    Ok(format!("{} edges", decoded.edges))
}

/// No time is no error: the certificate says so, and the next question is answered as ever.
fn no_time() -> Result {
    let paraphraser = Paraphraser::english()?;
    let text = "We must find a solution to this problem.";
    let options = Options::best(5).with_stop(Stop::after(Duration::ZERO));
    for search in [Search::Exact, Search::Beam, Search::MonteCarlo { seed: 0 }] {
        let answer = paraphraser.answer(text, &options.clone().with_search(search))?;
        let honest = !matches!(
            answer.certificate,
            Certificate::Exact | Certificate::Exhausted
        );
        must(honest, "the certificate promises nothing")?;
    }
    let before = Paraphraser::english()?.paraphrase(text, 5)?;
    must(
        paraphraser.paraphrase(text, 5)? == before,
        "nothing is left behind",
    )?;
    Ok(String::new())
}

fn cancelled() -> Result {
    let paraphraser = Paraphraser::english()?;
    let text = "We must find a solution to this important problem before the end of the year, \
        because the other members of the group want to make a decision about it very soon.";
    let token = CancelToken::new();
    let mut options = Options::best(100_000).with_stop(Stop::never().with_token(token.clone()));
    options.limits.pops = usize::MAX;
    let late = std::thread::scope(|scope| -> Result<Duration> {
        let puller = scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            token.cancel();
            Instant::now()
        });
        paraphraser.answer(text, &options)?;
        let ended = Instant::now();
        let pulled = puller.join().map_err(|_| broken("a thread panicked"))?;
        Ok(ended.saturating_duration_since(pulled))
    })?;
    must(
        late < Duration::from_millis(500),
        &format!("{late:?} after the token was pulled"),
    )?;
    Ok(String::new())
}

fn million_targets() -> Result {
    let mut text = String::new();
    for at in 0..200_000 {
        let _ = writeln!(text, "a ||| t{at} ||| 0.5");
    }
    let mut vocab = Vocab::new();
    let mut options = TableOptions::default();
    let read = |options: &TableOptions, vocab: &mut Vocab| {
        moses::load(
            &mut Lines::from_text(&text, &options.limits)?,
            vocab,
            options,
        )
    };
    let (table, _) = read(&options, &mut vocab)?;
    must(table.len() == 200_000, "nothing is cut in silence")?;
    options.limits.rows = 100_000;
    let refused = read(&options, &mut Vocab::new());
    must(
        refused.is_err_and(|e| e.code() == "limit-exceeded"),
        "the limit on rows holds",
    )?;
    Ok(String::new())
}

/// `b b a` without `b a` below it: every layout gives the same scores.
fn missing_suffix() -> Result {
    let text = String::from_utf8(crate::input::bytes(
        "@arpa | -0.2\\t<s> a b => -0.2\\tb b a",
    ))
    .map_err(broken)?;
    let mut vocab = Vocab::new();
    let options = ArpaOptions::default();
    let lines = probes::lines(text.as_bytes(), &Limits::default())?;
    let (ngrams, report) = pgen::lm::read_arpa_lines(lines, &mut vocab, &options)?;
    let fast = FastModel::new(&ngrams)?;
    let compact = CompactModel::new(&ngrams, Precision::Exact)?;
    let ids = ["a", "b"].map(|word| vocab.get_symbol(word).unwrap_or(WordId::UNK));
    use pgen::core::LanguageModel;
    for case in 0..1u32 << 6 {
        let words: Vec<WordId> = (0..6).map(|at| ids[(case >> at & 1) as usize]).collect();
        let (a, b) = (fast.sentence(&words).ln(), compact.sentence(&words).ln());
        must((a - b).abs() < 1e-9, "layouts agree")?;
    }
    Ok(format!("{} inserted", report.inserted))
}

fn unigram_sums() -> Result {
    // A model is taken as it is; perplexities of it are finite, and nothing is renormalised.
    let text = crate::input::bytes("@arpa | -0.7\\ta => -0.01\\ta | -0.9\\tb => -0.01\\tb");
    let mut vocab = Vocab::new();
    let lines = probes::lines(&text, &Limits::default())?;
    let (ngrams, _) = pgen::lm::read_arpa_lines(lines, &mut vocab, &ArpaOptions::default())?;
    let mut sum = 0.0;
    ngrams.for_each(1, |words, p, _| {
        if words[0] != WordId::BOS {
            sum += p.probability();
        }
    });
    must(sum > 1.5, "the sum is what the file says")?;
    Ok(format!("{sum:.2}"))
}
