//! Pictures of automata as SVG: states in layers, words on arcs, the best path thick.

use crate::error::Result;
use crate::fsa::Fsa;
use crate::layout::{Bundle, Layout, WORD};
use pgen_core::{Limits, Stop};
use std::fmt::Write;

const ROW: f64 = 24.0;
const RADIUS: f64 = 6.0;
/// Room between a layer of states and one of words, for lines to bend.
const GAP: f64 = 16.0;
const MARGIN: f64 = 24.0;
/// Width of a letter at 12 px, rather too wide than too narrow.
const LETTER: f64 = 6.8;

impl Fsa {
    /// A picture that any browser shows. Arcs between the same states are one line with their words on it,
    /// several in a box; the start is filled, ends have a double border; the best path (or, without
    /// weights, the first by its words) is thick.
    ///
    /// Meant for automata of up to some hundred states; O(arcs · layers).
    ///
    /// # Errors
    /// [`LimitExceeded`](pgen_core::Error::LimitExceeded) for more than `limits.nodes` places where a state
    /// stands or a line passes a layer; what `stop` says.
    pub fn to_svg(&self, title: &str, limits: &Limits, stop: &Stop) -> Result<String> {
        let layout = Layout::new(self, limits, stop)?;
        // In ascending order.
        let best = self.best_path().unwrap_or_default();
        let picture = Picture {
            fsa: self,
            columns: columns(self, &layout),
            layout: &layout,
            best: &best,
        };
        Ok(picture.draw(title))
    }
}

/// The left and right border of each layer; layers of words are as wide as the widest word.
fn columns(fsa: &Fsa, layout: &Layout) -> Vec<(f64, f64)> {
    let mut widths = vec![0.0f64; layout.layers];
    widths
        .iter_mut()
        .step_by(2)
        .for_each(|width| *width = 2.0 * RADIUS);
    for bundle in &layout.bundles {
        let width = &mut widths[layout.spots[bundle.spots[1]].layer];
        for &at in &bundle.transitions {
            let letters = fsa.text(fsa.transitions()[at].label).chars().count();
            *width = width.max(letters as f64 * LETTER + LETTER);
        }
    }
    let mut x = MARGIN;
    let step = |width: f64| {
        let left = x;
        x += width + GAP;
        (left, left + width)
    };
    widths.into_iter().map(step).collect()
}

struct Picture<'a> {
    fsa: &'a Fsa,
    layout: &'a Layout,
    columns: Vec<(f64, f64)>,
    best: &'a [usize],
}

impl Picture<'_> {
    /// The middle of a spot.
    fn point(&self, spot: usize) -> (f64, f64) {
        let spot = &self.layout.spots[spot];
        let (left, right) = self.columns[spot.layer];
        ((left + right) / 2.0, spot.row * ROW + 2.0 * MARGIN)
    }

    fn draw(&self, title: &str) -> String {
        let width = self.columns.last().map_or(0.0, |column| column.1) + MARGIN;
        let height = self.layout.rows * ROW + 3.0 * MARGIN;
        // The title has room even above a short automaton.
        let width = width.max(title.chars().count() as f64 * 8.0 + 2.0 * MARGIN);
        let title = escape(title);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
             <text x=\"{MARGIN}\" y=\"{MARGIN}\" font-size=\"14\" fill=\"#333\">{title}</text>\n\
             <defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" \
             markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
             <path d=\"M0 0L8 4L0 8z\" fill=\"#555\"/></marker></defs>\n"
        );
        for bundle in &self.layout.bundles {
            self.line(bundle, &mut svg);
        }
        for bundle in &self.layout.bundles {
            self.words(bundle, &mut svg);
        }
        for state in self.fsa.states() {
            let (x, y) = self.point(state.index());
            let fill = if state == self.fsa.start() {
                "#cde"
            } else {
                "#fff"
            };
            let circle = |radius: f64, svg: &mut String| {
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#333\"/>"
                );
            };
            circle(RADIUS, &mut svg);
            if self.fsa.is_final(state) {
                circle(RADIUS - 2.5, &mut svg);
            }
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn line(&self, bundle: &Bundle, svg: &mut String) {
        let thick = bundle
            .transitions
            .iter()
            .any(|at| self.best.binary_search(at).is_ok());
        let (color, width) = if thick {
            ("#14508c", 3.0)
        } else {
            ("#888", 1.0)
        };
        let (mut x, mut y) = self.point(bundle.spots[0]);
        x += RADIUS;
        let _ = write!(svg, "<path d=\"M{x:.1} {y:.1}");
        let last = bundle.spots.len() - 1;
        for (at, &spot) in bundle.spots.iter().enumerate().skip(1) {
            let (left, right) = self.columns[self.layout.spots[spot].layer];
            let to_y = self.point(spot).1;
            let middle = (x + left) / 2.0;
            // The arrow's tip touches the circle.
            let to_x = left - if at == last { 1.0 } else { 0.0 };
            let _ = write!(
                svg,
                "C{middle:.1} {y:.1} {middle:.1} {to_y:.1} {to_x:.1} {to_y:.1}"
            );
            if at != last {
                let _ = write!(svg, "H{right:.1}");
            }
            (x, y) = (right, to_y);
        }
        let _ = writeln!(
            svg,
            "\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" marker-end=\"url(#a)\"/>"
        );
    }

    /// The words on the line, one above the other.
    fn words(&self, bundle: &Bundle, svg: &mut String) {
        let (x, y) = self.point(bundle.spots[1]);
        let count = bundle.transitions.len() as f64;
        if bundle.transitions.len() > 1 {
            let (left, right) = self.columns[self.layout.spots[bundle.spots[1]].layer];
            let (width, height) = (right - left, count * ROW * WORD + 4.0);
            let top = y - height / 2.0;
            let _ = writeln!(
                svg,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
                 rx=\"7\" fill=\"#fff\" stroke=\"#bbb\"/>"
            );
        }
        for (at, &transition) in bundle.transitions.iter().enumerate() {
            let label = self.fsa.transitions()[transition].label;
            let word = if label.is_epsilon() {
                "ε".to_owned()
            } else {
                escape(self.fsa.text(label))
            };
            let bold = if self.best.binary_search(&transition).is_ok() {
                " font-weight=\"bold\" fill=\"#14508c\""
            } else {
                " fill=\"#111\""
            };
            let y = y + (at as f64 - (count - 1.0) / 2.0) * ROW * WORD + 4.0;
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" stroke=\"#fff\" \
                 stroke-width=\"5\" paint-order=\"stroke\"{bold}>{word}</text>"
            );
        }
    }
}

fn escape(text: &str) -> String {
    let printable = |c: char| !c.is_control();
    let text: String = text.chars().filter(|&c| printable(c)).collect();
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
