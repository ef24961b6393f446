//! Links: extraction and symmetrisation.

use super::must;
use crate::probes::Result;
use pgen::align::{ExtractParams, Heuristic, for_each_phrase_pair, symmetrize};
use pgen::core::formats::alignment::pharaoh;
use pgen::core::{Alignment, Link};

pub(crate) fn run(name: &str) -> Option<Result> {
    Some(match name {
        "links beyond the source" => extract("5-0", 5, 5),
        "links beyond the target" => extract("0-5", 5, 5),
        "a thousand by a thousand links" => many_links(),
        "one word linked to ten thousand" => fan_out(),
        "symmetrised with an empty side" => empty_side(),
        "symmetrised beyond the pair" => beyond(),
        "grow-diag over a million links" => grow(),
        _ => return None,
    })
}

fn extract(links: &str, m: usize, n: usize) -> Result {
    let mut found = 0;
    for_each_phrase_pair(
        (m, n),
        &pharaoh::parse(links)?,
        &ExtractParams::default(),
        |_| found += 1,
    )?;
    Ok(found.to_string())
}

fn many_links() -> Result {
    let all: Alignment = (0..1000u32)
        .flat_map(|i| (0..1000).map(move |j| Link::new(i, j)))
        .collect();
    let text = pharaoh::format(&all);
    let again = pharaoh::parse(&text)?;
    must(again == all, "links come back")?;
    Ok(format!("{} links", again.len()))
}

fn fan_out() -> Result {
    let links: Alignment = (0..10_000u32).map(|j| Link::new(0, j)).collect();
    let mut found = 0;
    let params = ExtractParams::default().with_max_words(7);
    for_each_phrase_pair((1, 10_000), &links, &params, |_| found += 1)?;
    must(found == 0, "a phrase of ten thousand words is none")?;
    Ok(String::new())
}

const HEURISTICS: [Heuristic; 7] = [
    Heuristic::Intersection,
    Heuristic::Union,
    Heuristic::Grow,
    Heuristic::GrowDiag,
    Heuristic::GrowDiagFinal,
    Heuristic::GrowDiagFinalAnd,
    Heuristic::Och,
];

fn empty_side() -> Result {
    let none = Alignment::new();
    for heuristic in HEURISTICS {
        for sizes in [(0, 0), (0, 3), (3, 0)] {
            must(
                symmetrize(&none, &none, sizes, heuristic)?.is_empty(),
                "no links of nothing",
            )?;
        }
    }
    Ok(String::new())
}

fn beyond() -> Result {
    let links = pharaoh::parse("0-0 3-1")?;
    Ok(pharaoh::format(&symmetrize(
        &links,
        &links,
        (3, 2),
        Heuristic::GrowDiag,
    )?))
}

fn grow() -> Result {
    let all: Alignment = (0..1000u32)
        .flat_map(|i| (0..1000).map(move |j| Link::new(i, j)))
        .collect();
    let few: Alignment = (0..1000u32).map(|i| Link::new(i, i)).collect();
    for heuristic in HEURISTICS {
        let made = symmetrize(&all, &few, (1000, 1000), heuristic)?;
        must(made.len() >= 1000, "between intersection and union")?;
    }
    Ok(String::new())
}
