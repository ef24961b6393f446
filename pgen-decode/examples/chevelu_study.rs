//! The studies of Chevelu et al. 2010 on the recorded Moses case: how far the lists of a phrase-based
//! decoder are from the order of the true score (§3.3), and how Monte-Carlo generation compares (§4.3).
//!
//! `cargo run --release -p pgen-decode --example chevelu_study -- [sentences [episodes [curve.svg]]]`

#![allow(clippy::print_stdout, clippy::print_stderr)] // a report is the point

#[path = "../tests/common/mod.rs"]
mod common;

use common::MosesCase;
use pgen_core::formats::nbest::Entry;
use pgen_core::{Lattice, Limits, WordId};
use pgen_decode::{
    Beam, Decoder, Exact, LogLinear, Mode, Moments, MonteCarlo, Plan, Request, RerankStudy,
    TrueScore,
};
use pgen_lm::FastModel;
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write;

/// What 32-bit scores round away.
const TOLERANCE: f64 = 1e-3;

/// Episodes at which the curve is drawn.
const POINTS: [u64; 13] = [
    10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000,
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let sentences = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let episodes = arguments.next().map_or(Ok(1_000), |text| text.parse())?;
    let svg = arguments.next();
    for name in ["a", "b"] {
        let Some(case) = MosesCase::load(name) else {
            return Ok(());
        };
        println!("## Table {name}\n");
        for kind in ["moses_s0_nondistinct", "moses_s0"] {
            rerank(&case, kind)?;
        }
        let curve = monte_carlo(&case, sentences, episodes)?;
        if let Some(path) = svg.as_ref().filter(|_| name == "a") {
            std::fs::write(path, draw(&curve))?;
        }
    }
    Ok(())
}

fn lattices(case: &MosesCase) -> Result<Vec<Lattice>, Box<dyn Error>> {
    let plan = Plan::new(Limits::default()).with_table("tm", &case.table);
    let lattices = case.sentences.iter().map(|s| Ok(plan.build(s)?.lattice));
    lattices.collect()
}

fn words(lattice: &Lattice, entry: &Entry) -> Result<Vec<WordId>, Box<dyn Error>> {
    let (words, _) = entry.phrases()?;
    let id = |word: &&str| lattice.lexicon().get(word).unwrap_or(WordId::UNK);
    Ok(words.iter().map(id).collect())
}

/// §3.3 on recorded lists: entry by entry, and with repeated texts taken out (the first one counts).
fn rerank(case: &MosesCase, kind: &str) -> Result<(), Box<dyn Error>> {
    let model = LogLinear::new(&case.model);
    let (mut entries, mut texts) = (RerankStudy::default(), RerankStudy::default());
    let mut ties: [Moments; 2] = Default::default();
    for (lattice, list) in lattices(case)?.iter().zip(case.lists(kind)) {
        let (mut seen, mut all, mut distinct) = (BTreeSet::new(), Vec::new(), Vec::new());
        for entry in &list {
            let text = words(lattice, entry)?;
            let truth = TrueScore::new(lattice, &model, &text)?.score().ln();
            all.push((entry.total, truth));
            let (plain, _) = entry.phrases()?;
            if seen.insert(plain.join(" ")) {
                distinct.push((entry.total, truth));
            }
        }
        entries.add(&all, TOLERANCE);
        ties[0].add(tau_without_ties(&all[..all.len().min(5)]));
        ties[1].add(tau_without_ties(&all));
        texts.add(&distinct, TOLERANCE);
    }
    let [five, hundred] = ties.map(|moments| moments.mean);
    report(&format!("{kind}, entries"), &entries);
    println!("tau at 5 and 100, ties counting neither way: {five:.3}, {hundred:.3}\n");
    report(&format!("{kind}, distinct texts"), &texts);
    Ok(())
}

/// τ of a list in the decoder's order where equal true scores count neither way.
fn tau_without_ties(list: &[(f64, f64)]) -> f64 {
    let (mut balance, mut pairs) = (0.0, 0.0);
    for (at, (_, first)) in list.iter().enumerate() {
        for (_, second) in &list[at + 1..] {
            let order = (first - second).partial_cmp(&0.0);
            balance += order.map_or(0.0, |order| f64::from(order as i8));
            pairs += 1.0;
        }
    }
    balance / pairs
}

fn report(what: &str, study: &RerankStudy) {
    println!("### {what}: {} lists, {} items\n", study.lists, study.items);
    println!("modified: {:.1} %", 100.0 * study.share_modified());
    println!(
        "first answers not optimal: {:.1} %",
        100.0 * study.share_first_not_optimal()
    );
    for (length, tau) in &study.tau {
        println!(
            "tau at {length}: {:.3} ± {:.3} ({} lists)",
            tau.mean, tau.sd, tau.count
        );
    }
    let show = |what: &str, [all, moved]: &[Moments; 2]| {
        println!(
            "{what}: {:.2} ± {:.2} (largest {}); where it moved {:.2} ± {:.2}",
            all.mean, all.sd, all.max, moved.mean, moved.sd
        );
    };
    show("new rank of the old first", &study.new_rank_of_old_first);
    show("old rank of the new first", &study.old_rank_of_new_first);
    println!(
        "gap from best to last: {:.2} ± {:.2}\n",
        study.gap.mean, study.gap.sd
    );
}

/// §4.3: mean differences of first answers' true scores. Returns mean losses against the optimum by
/// number of episodes, in both modes.
fn monte_carlo(
    case: &MosesCase,
    sentences: usize,
    episodes: u64,
) -> Result<[Vec<f64>; 2], Box<dyn Error>> {
    let model = LogLinear::new(&case.model);
    let moses = case.lists("moses_s0");
    let mut differences: [Moments; 6] = Default::default();
    let mut losses = [
        vec![Moments::default(); POINTS.len()],
        vec![Moments::default(); POINTS.len()],
    ];
    for (at, lattice) in lattices(case)?.iter().enumerate().take(sentences) {
        let request = Request::best(1).with_source(case.sentences[at].words().to_vec());
        let first = |list: pgen_core::NBest| list.items.first().map_or(f64::NAN, |i| i.score.ln());
        let exact = first(Exact::new().decode(lattice, &model, &request)?);
        let beam = Beam::default().derivations(lattice, &model, 1, &request.stop)?;
        let beam = beam.first().map_or(f64::NAN, |item| item.score.ln());
        let mut best_of_moses = f64::NEG_INFINITY;
        for entry in &moses[at] {
            let truth = TrueScore::new(lattice, &model, &words(lattice, entry)?)?;
            best_of_moses = best_of_moses.max(truth.score().ln());
        }
        let run = |mode, losses: &mut [Moments]| {
            sample(case, lattice, &request, mode, episodes, exact, losses)
        };
        let by_truth = run(Mode::TrueScore, &mut losses[0])?;
        let translator = run(Mode::Translator, &mut losses[1])?;
        let values = [
            by_truth - translator,
            by_truth - best_of_moses,
            translator - best_of_moses,
            by_truth - exact,
            best_of_moses - exact,
            beam - exact,
        ];
        for (moments, value) in differences.iter_mut().zip(values) {
            moments.add(value);
        }
    }
    println!("### Monte-Carlo, {sentences} sentences, {episodes} episodes an action\n");
    let names = [
        "true-score mode − translator mode",
        "true-score mode − Moses reranked",
        "translator mode − Moses reranked",
        "true-score mode − exact",
        "Moses reranked − exact",
        "beam 200 − exact",
    ];
    for (name, moments) in names.iter().zip(&differences) {
        println!("{name}: {:.2} ± {:.2}", moments.mean, moments.sd);
    }
    println!();
    Ok(losses.map(|mode| mode.iter().map(|moments| moments.mean).collect()))
}

fn sample(
    case: &MosesCase,
    lattice: &Lattice,
    request: &Request,
    mode: Mode,
    episodes: u64,
    exact: f64,
    losses: &mut [Moments],
) -> Result<f64, Box<dyn Error>> {
    let model: LogLinear<'_, FastModel> = LogLinear::new(&case.model);
    let settings = MonteCarlo::default()
        .with_mode(mode)
        .with_episodes(episodes)?;
    let found = settings.search(lattice, &model, request)?;
    for (&point, losses) in POINTS.iter().zip(losses) {
        let reached = found.curve.iter().rev().find(|&&(at, _)| at <= point);
        if let Some(&(_, best)) = reached.filter(|(_, best)| best.is_finite()) {
            losses.add(exact - best);
        }
    }
    Ok(found.items.first().map_or(f64::NAN, |(score, _)| *score))
}

/// Loss against the optimum by episodes, both on logarithmic scales.
fn draw([truth, translator]: &[Vec<f64>; 2]) -> String {
    let x = |at: usize| 60.0 + 540.0 * (POINTS[at] as f64 / 10.0).log10() / 4.0;
    let y = |loss: f64| 320.0 - 100.0 * (loss.clamp(0.1, 200.0) / 0.1).log10();
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 370\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"640\" height=\"370\" fill=\"white\"/>\n",
    );
    for (loss, at) in [(0.1, 0), (1.0, 3), (10.0, 6), (100.0, 9)] {
        let (height, place) = (y(loss), x(at));
        let _ = writeln!(
            svg,
            "<path d=\"M60 {height:.1}H600\" stroke=\"#ddd\"/><text x=\"20\" y=\"{height:.1}\">{loss}</text>\
             <text x=\"{place:.1}\" y=\"340\" text-anchor=\"middle\">{}</text>",
            POINTS[at]
        );
    }
    for (name, losses, colour) in [
        ("true score", truth, "#1b6"),
        ("translator", translator, "#b31"),
    ] {
        let points: Vec<String> = losses
            .iter()
            .enumerate()
            .map(|(at, &loss)| format!("{:.1},{:.1}", x(at), y(loss)))
            .collect();
        let end = losses.last().map_or(0.0, |&loss| y(loss));
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"598\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{colour}\">{name}</text>",
            points.join(" "),
            end - 6.0
        );
    }
    svg.push_str(
        "<text x=\"330\" y=\"362\" text-anchor=\"middle\">episodes</text>\
         <text x=\"20\" y=\"14\">log score lost against the optimum (mean)</text>\n</svg>\n",
    );
    svg
}
