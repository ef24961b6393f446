//! The lattice as SVG: source words on a line between nodes, replacements in lanes above them.

use super::page::Places;
use super::words::escape;
use super::{Alternative, Explanation};
use pgen_core::ByteSpan;
use std::fmt::Write;

/// Width of a letter at 12–13 px, rather too wide than too narrow.
const LETTER: f64 = 7.4;
const LANE: f64 = 30.0;
const BOX: f64 = 22.0;
const MARGIN: f64 = 16.0;
/// Replacements drawn of each stretch, besides those that paraphrases use.
const SHOWN: usize = 3;

/// A replacement in its place.
struct Drawn<'a> {
    one: &'a Alternative,
    lane: usize,
}

/// The picture; O(replacements · lanes).
pub(super) fn lattice(explanation: &Explanation, places: &Places) -> String {
    let drawn = lanes(&chosen(explanation));
    let borders = borders(explanation, &drawn);
    let lanes = drawn.iter().map(|one| one.lane + 1).max().unwrap_or(0);
    let base = MARGIN + lanes as f64 * LANE + 24.0;
    let width = borders.last().copied().unwrap_or(0.0) + MARGIN;
    let height = base + 34.0;
    let picture = Picture {
        explanation,
        places,
        borders: &borders,
        base,
    };
    let mut out = format!(
        "<svg width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         role=\"img\" aria-label=\"lattice\">"
    );
    picture.words(&mut out);
    drawn.iter().for_each(|one| picture.line(&mut out, one));
    drawn
        .iter()
        .for_each(|one| picture.replacement(&mut out, one));
    picture.nodes(&mut out);
    out + "</svg>"
}

/// Those that paraphrases use and the best others of each stretch.
fn chosen(explanation: &Explanation) -> Vec<&Alternative> {
    let mut shown: Vec<&Alternative> = Vec::new();
    let (mut before, mut others) = (None, 0);
    for one in &explanation.alternatives {
        if before != Some(one.span) {
            (before, others) = (Some(one.span), 0);
        }
        let used = !one.used_by.is_empty();
        if used || others < SHOWN {
            others += usize::from(!used);
            shown.push(one);
        }
    }
    shown
}

/// Gives each replacement the lowest lane that is free over its stretch; used ones first.
fn lanes<'a>(shown: &[&'a Alternative]) -> Vec<Drawn<'a>> {
    let mut order: Vec<&Alternative> = shown.to_vec();
    order.sort_by_key(|one| {
        (
            one.used_by.first().copied().unwrap_or(usize::MAX),
            one.span.len(),
        )
    });
    let mut lanes: Vec<Vec<&Alternative>> = Vec::new();
    let mut drawn = Vec::new();
    for one in order {
        let free =
            |lane: &Vec<&Alternative>| !lane.iter().any(|other| other.span.overlaps(one.span));
        let lane = lanes.iter().position(free).unwrap_or(lanes.len());
        if lane == lanes.len() {
            lanes.push(Vec::new());
        }
        lanes[lane].push(one);
        drawn.push(Drawn { one, lane });
    }
    drawn
}

/// Where nodes stand: words and the replacements above them must fit between.
fn borders(explanation: &Explanation, drawn: &[Drawn<'_>]) -> Vec<f64> {
    let need = |text: &str| text.chars().count() as f64 * LETTER + 34.0;
    let text = |bytes: &ByteSpan| explanation.answer.source.get(bytes.range()).unwrap_or("");
    let mut widths: Vec<f64> = explanation
        .tokens
        .iter()
        .map(|bytes| need(text(bytes)).max(44.0))
        .collect();
    let mut by_length: Vec<&Alternative> = drawn.iter().map(|drawn| drawn.one).collect();
    by_length.sort_by_key(|one| one.span.len());
    for one in by_length {
        let Some(columns) = widths.get_mut(one.span.range()) else {
            continue;
        };
        let missing = need(&one.to) - columns.iter().sum::<f64>();
        if missing > 0.0 && !columns.is_empty() {
            let each = missing / columns.len() as f64;
            columns.iter_mut().for_each(|width| *width += each);
        }
    }
    let mut at = MARGIN;
    let mut borders = vec![at];
    for width in widths {
        at += width;
        borders.push(at);
    }
    borders
}

struct Picture<'a> {
    explanation: &'a Explanation,
    places: &'a Places,
    borders: &'a [f64],
    base: f64,
}

impl Picture<'_> {
    fn x(&self, node: u32) -> f64 {
        self.borders.get(node as usize).copied().unwrap_or(0.0)
    }

    fn y(&self, lane: usize) -> f64 {
        self.base - 24.0 - (lane as f64 + 0.5) * LANE
    }

    /// True for source tokens that the first paraphrase leaves.
    fn is_kept(&self, token: ByteSpan) -> bool {
        let first = self.explanation.answer.items.first();
        first.is_some_and(|item| !item.edits.iter().any(|edit| edit.source.overlaps(token)))
    }

    fn words(&self, out: &mut String) {
        for (at, bytes) in (0u32..).zip(&self.explanation.tokens) {
            let (left, right) = (self.x(at), self.x(at + 1));
            let text = self
                .explanation
                .answer
                .source
                .get(bytes.range())
                .unwrap_or("");
            let best = if self.is_kept(*bytes) { " best" } else { "" };
            let locked = self.explanation.protected.get(at as usize) == Some(&true);
            let _ = write!(
                out,
                "<line class=\"line{best}\" x1=\"{left:.1}\" y1=\"{1:.1}\" x2=\"{right:.1}\" y2=\"{1:.1}\"/>\
                 <text class=\"w\" x=\"{0:.1}\" y=\"{2:.1}\" text-anchor=\"middle\">{3}{4}</text>",
                (left + right) / 2.0,
                self.base,
                self.base + 21.0,
                escape(text),
                if locked { " 🔒" } else { "" },
            );
        }
    }

    fn nodes(&self, out: &mut String) {
        for x in self.borders {
            let _ = write!(
                out,
                "<circle class=\"node\" cx=\"{x:.1}\" cy=\"{:.1}\" r=\"4.5\"/>",
                self.base
            );
        }
    }

    fn line(&self, out: &mut String, drawn: &Drawn<'_>) {
        let span = drawn.one.span;
        let (left, right, y) = (self.x(span.start()), self.x(span.end()), self.y(drawn.lane));
        let best = if drawn.one.used_by.first() == Some(&0) {
            " best"
        } else {
            ""
        };
        let _ = write!(
            out,
            "<path class=\"line{best}\" d=\"M{left:.1} {0:.1} C{left:.1} {y:.1} {left:.1} {y:.1} {1:.1} {y:.1}\
             M{2:.1} {y:.1} C{right:.1} {y:.1} {right:.1} {y:.1} {right:.1} {0:.1}\"/>",
            self.base,
            left + 10.0,
            right - 10.0,
        );
    }

    fn replacement(&self, out: &mut String, drawn: &Drawn<'_>) {
        let one = drawn.one;
        let (left, right) = (
            self.x(one.span.start()) + 10.0,
            self.x(one.span.end()) - 10.0,
        );
        let y = self.y(drawn.lane);
        let bytes = self.explanation.tokens.get(one.span.range());
        let bytes = bytes.and_then(|tokens| tokens.iter().copied().reduce(ByteSpan::cover));
        let class = bytes.and_then(|bytes| self.places.class(bytes));
        let mut classes = String::new();
        if let Some(class) = class.filter(|_| !one.used_by.is_empty()) {
            let _ = write!(classes, "k{class} ");
        }
        if one.used_by.first() == Some(&0) {
            classes.push_str("best");
        }
        let text = if one.to.is_empty() { "∅" } else { &one.to };
        let _ = write!(
            out,
            "<g><title>{} → {} ({} · {})</title><rect class=\"{classes}\" x=\"{left:.1}\" y=\"{:.1}\" \
             width=\"{:.1}\" height=\"{BOX}\" rx=\"6\"/><text class=\"a\" x=\"{:.1}\" y=\"{:.1}\" \
             text-anchor=\"middle\">{}</text></g>",
            escape(&one.from),
            escape(&one.to),
            escape(&one.table),
            one.rule,
            y - BOX / 2.0,
            (right - left).max(1.0),
            (left + right) / 2.0,
            y + 4.5,
            escape(text),
        );
    }
}
