//! Settings: weights, requests, deadlines, names, JSON.

use super::{Decoded, decode, must};
use crate::probes::{Failure, Result, broken};
use pgen::core::{
    CancelToken, FeatureSet, Limits, Lines, LogProb, Stop, TableBuilder, Vocab, Weight,
};
use pgen::decode::{Beam, Decoder, Exact, LogLinear, MonteCarlo, Request, testing};
use pgen::lm::{EstimateParams, Estimator, Layout, NgramModel, Precision};
use pgen::{Options, Paraphraser};
use std::time::{Duration, Instant};

pub(crate) fn run(name: &str) -> Option<Result> {
    if let Some(text) = name.strip_prefix("settings from ") {
        return Some(settings(text));
    }
    Some(match name {
        "a beam of nothing" => Beam::new(0)
            .map(|_| "accepted".into())
            .map_err(Failure::from),
        "more answers than the limit" => many_answers(),
        "a weight of NaN" => weight(f64::NAN),
        "infinite weights" => weight(f64::INFINITY).and_then(|_| weight(f64::NEG_INFINITY)),
        "a weight that overflows" => overflow(),
        "a weight of minus zero" => minus_zero(),
        "a subnormal weight" => weight(5e-324),
        "fewer weights than features" => names_of_weights(&["tm"]),
        "more weights than features" => names_of_weights(&["tm", "identity", "unknown", "x"]),
        "no episodes" => MonteCarlo::default()
            .with_episodes(0)
            .map(|_| "accepted".into())
            .map_err(Failure::from),
        "one episode" => episodes(1, 0).map(|texts| texts.len().to_string()),
        "odd visits of RAVE" => rave(),
        "seeds at the ends" => seeds(),
        "a deadline in the past" => {
            let now = Instant::now();
            let past = now.checked_sub(Duration::from_secs(1)).unwrap_or(now);
            Stop::at(past)
                .check()
                .map(|()| "runs".into())
                .map_err(Failure::from)
        }
        "a deadline that never comes" => Stop::after(Duration::MAX)
            .check()
            .map(|()| "runs".into())
            .map_err(Failure::from),
        "a token already pulled" => pulled(),
        "counting with a megabyte" => little_memory(),
        "a vocabulary beyond its limit" => small_vocabulary(),
        "lengths that exclude one another" => length(5, 2),
        "texts of no words" => length(0, 0),
        "texts of any length" => length(0, usize::MAX),
        "odd names of features" => odd_names(),
        "settings with tabs and line ends" => settings("\t{\r\n\t\"order\"\t:\r\n4 }"),
        "settings in another order" => other_order(),
        "a table of another vocabulary" => other_vocabulary(),
        "a language model of another vocabulary" => other_language(),
        "a paraphraser after an error" => after_an_error(),
        "the clock of deadlines" => clock(),
        _ => return None,
    })
}

/// Reads JSON; its errors have the code `json`.
pub(crate) fn json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| Failure {
        code: "json".to_owned(),
        message: error.to_string(),
    })
}

fn settings(text: &str) -> Result {
    let params: EstimateParams = json(text)?;
    match params == EstimateParams::default() {
        true => Ok("defaults".into()),
        false => Ok(format!("order {}", params.order)),
    }
}

fn some(request: &Request) -> Result<Decoded> {
    decode(
        &["a", "b"],
        &[("a", "x", -1.0), ("b", "y", -1.0), ("a b", "z", -1.5)],
        request,
    )
}

fn many_answers() -> Result {
    let mut limits = Limits::default();
    limits.n_best = 2;
    let list = some(&Request::best(3).with_limits(limits))?;
    Ok(format!(
        "{} answers, {}",
        list.texts.len(),
        list.certificate
    ))
}

fn weight(value: f64) -> Result {
    Ok(format!("{:e}", Weight::new(value)?.get()))
}

fn overflow() -> Result {
    let random = testing::random_lattice(3)?;
    let large = Weight::new(1e308)?;
    let refused = LogLinear::new(&random.model)
        .with_language_weight(large)
        .err();
    must(
        refused.is_some_and(|e| e.code() == "bad-parameter"),
        "above 1e12 is refused",
    )?;
    let model = LogLinear::new(&random.model).with_language_weight(Weight::new(1e12)?)?;
    let list = Exact::new().decode(&random.lattice, &model, &Request::best(5))?;
    must(
        list.items.iter().all(|item| item.score.ln().is_finite()),
        "scores are finite",
    )?;
    Ok(String::new())
}

fn minus_zero() -> Result {
    let random = testing::random_lattice(3)?;
    let list = |value| {
        let model = LogLinear::new(&random.model).with_language_weight(Weight::new(value)?)?;
        let list = Exact::new().decode(&random.lattice, &model, &Request::best(9))?;
        let items = list
            .items
            .into_iter()
            .map(|item| (item.words, item.score.ln().to_bits()));
        Ok::<_, Failure>(items.collect::<Vec<_>>())
    };
    must(list(0.0)? == list(-0.0)?, "0 and -0 are one weight")?;
    Ok(String::new())
}

/// Weights are given by name: those not named weigh 1, names that no feature has are refused.
fn names_of_weights(names: &[&str]) -> Result {
    let features = FeatureSet::new(["tm", "identity", "unknown"].map(str::to_owned).to_vec());
    let language = testing::BackoffModel::uniform(LogProb::from_ln(-1.0));
    let mut model = LogLinear::new(&language);
    for name in names {
        model = model.with_named_weight(&features, name, Weight::new(0.5)?)?;
    }
    let other = features
        .find("unknown")
        .ok_or_else(|| broken("there is such a feature"))?;
    let expected = if names.len() == 1 { 1.0 } else { 0.5 };
    must(
        model.weight(other).get() == expected,
        "features without a weight weigh 1",
    )?;
    Ok(String::new())
}

fn episodes(count: u64, seed: u64) -> Result<Vec<String>> {
    // Monte-Carlo generation wants edges that are phrases of the source.
    let paraphraser = Paraphraser::english()?;
    let text = "We must find a solution to this problem.";
    let search = pgen::Search::MonteCarlo { seed };
    let mut options = Options::best(3).with_search(search);
    options.limits.pops = usize::try_from(count).unwrap_or(usize::MAX);
    let answer = paraphraser.answer(text, &options)?;
    Ok(answer.items.into_iter().map(|item| item.text).collect())
}

fn rave() -> Result {
    for odd in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = MonteCarlo::default().with_rave_visits(odd).err();
        must(
            refused.is_some_and(|e| e.code() == "bad-parameter"),
            "odd visits are refused",
        )?;
    }
    MonteCarlo::default().with_rave_visits(0.0)?;
    Ok(String::new())
}

fn seeds() -> Result {
    for seed in [0, u64::MAX] {
        must(
            episodes(2000, seed)? == episodes(2000, seed)?,
            "a seed gives one list",
        )?;
    }
    Ok(String::new())
}

fn pulled() -> Result {
    let token = CancelToken::new();
    token.cancel();
    let stop = Stop::never().with_token(token);
    let list = some(&Request::best(5).with_stop(stop.clone()))?;
    must(
        list.certificate.starts_with("Bounded"),
        "the certificate promises nothing",
    )?;
    stop.check()?;
    Ok("runs".into())
}

fn little_memory() -> Result {
    let model = |memory: usize| {
        let folder = tempfile::tempdir().map_err(broken)?;
        let params = EstimateParams::new(3)
            .with_memory(memory)
            .with_folder(folder.path());
        let mut estimator = Estimator::new(params)?;
        let mut vocab = Vocab::new();
        let mut text = String::new();
        for at in 0..40_000u32 {
            let word = |k: u32| at.wrapping_mul(2_654_435_761 + k) >> 20;
            text.push_str(&format!("w{} w{} w{}\n", word(0), word(2), word(4)));
        }
        estimator.add_lines(
            Lines::from_text(&text, &Limits::default())?,
            &mut vocab,
            &(),
        )?;
        let (ngrams, report) = estimator.finish(&vocab, &())?;
        let mut out = Vec::new();
        pgen::lm::write_arpa(&ngrams, &vocab, &mut out)?;
        let left = std::fs::read_dir(folder.path()).map_err(broken)?.count();
        must(left == 0, "nothing is left in the folder")?;
        Ok::<_, Failure>((out, report.runs))
    };
    let (large, _) = model(1 << 30)?;
    let (small, runs) = model(1 << 20)?;
    must(large == small, "memory changes no byte")?;
    Ok(format!("{runs} runs"))
}

fn small_vocabulary() -> Result {
    let (vocab, model) = tiny_model("a b c d e f")?;
    let bytes = model.to_bytes(&vocab, pgen::core::codec::Packing::Plain)?;
    let mut limits = Limits::default();
    limits.words = 5;
    NgramModel::from_bytes(bytes, &limits)?;
    Ok("accepted".into())
}

fn tiny_model(text: &str) -> Result<(Vocab, NgramModel)> {
    let mut estimator = Estimator::new(EstimateParams::new(2))?;
    let mut vocab = Vocab::new();
    estimator.add_lines(Lines::from_text(text, &Limits::default())?, &mut vocab, &())?;
    let (ngrams, _) = estimator.finish(&vocab, &())?;
    let model = NgramModel::new(&ngrams, &vocab, Layout::Fast, Precision::Exact)?;
    Ok((vocab, model))
}

fn length(fewest: usize, most: usize) -> Result {
    Ok(some(&Request::best(9).with_length(fewest, most))?
        .texts
        .len()
        .to_string())
}

fn odd_names() -> Result {
    let long = "x".repeat(1 << 20);
    for name in ["", &long, "a\0b", "constructor", "\u{202E}"] {
        let features = FeatureSet::new(vec![name.to_owned()]);
        must(
            features.find(name).is_some() && features.find("other").is_none(),
            "a name is data",
        )?;
        let table = TableBuilder::new([name]);
        must(table.is_empty(), "and names a feature of a table")?;
    }
    Ok(String::new())
}

fn other_order() -> Result {
    let one = EstimateParams::new(4)
        .with_max_words(10)
        .with_fallback(false);
    let mut two = EstimateParams::default()
        .with_fallback(false)
        .with_max_words(10);
    two.order = 4;
    must(one == two, "settings have no order")?;
    Ok(String::new())
}

fn other_vocabulary() -> Result {
    let mut vocab = Vocab::new();
    let mut table = TableBuilder::new(["p"]);
    table.push_text(&mut vocab, "a", "b", &[-1.0])?;
    let table = table.build(&vocab)?;
    let mut other = Vocab::new();
    for word in ["x", "y", "z"] {
        other.intern(word)?;
    }
    table.check_vocab(&other)?;
    Ok("accepted".into())
}

fn other_language() -> Result {
    let (_, model) = tiny_model("a b c")?;
    let (other, _) = tiny_model("x y z")?;
    model.check_vocab(&other)?;
    Ok("accepted".into())
}

fn after_an_error() -> Result {
    let paraphraser = Paraphraser::english()?;
    let text = "We must find a solution to this problem.";
    let before = paraphraser.paraphrase(text, 5)?;
    let mut small = Options::best(5);
    small.limits.tokens = 2;
    must(paraphraser.answer(text, &small).is_err(), "the limit holds")?;
    small.limits = Limits::default();
    small.limits.edges = 3;
    must(paraphraser.answer(text, &small).is_err(), "the limit holds")?;
    must(
        paraphraser.paraphrase(text, 5)? == before,
        "the same answer as before",
    )?;
    Ok(String::new())
}

/// Deadlines are instants, which never go backwards, whatever happens to the time of day.
fn clock() -> Result {
    let first = Instant::now();
    for _ in 0..100_000 {
        must(Instant::now() >= first, "the clock goes on")?;
    }
    Ok(String::new())
}
