//! Pictures of automata as SVG: states in layers, words on arcs, the best path thick.

use crate::fsa::Fsa;
use crate::layout::{Bundle, Layout};
use std::collections::BTreeSet;
use std::fmt::Write;

const ROW: f64 = 24.0;
const RADIUS: f64 = 6.0;
const MARGIN: f64 = 24.0;
/// Mean width of a letter at 12 px.
const LETTER: f64 = 6.6;

impl Fsa {
    /// A picture that any browser shows. Arcs between the same states are one line with their words one
    /// above the other; ends have a double border; the best path (or, without weights, the first by its
    /// words) is thick.
    ///
    /// Meant for automata of up to some hundred states; O(arcs · layers).
    #[must_use]
    pub fn to_svg(&self, title: &str) -> String {
        let layout = Layout::new(self);
        let best: BTreeSet<usize> = self.best_path().unwrap_or_default().into_iter().collect();
        let picture = Picture {
            fsa: self,
            xs: columns(self, &layout),
            layout: &layout,
            best: &best,
        };
        picture.draw(title)
    }
}

/// The x of each layer: far enough apart for the words between.
fn columns(fsa: &Fsa, layout: &Layout) -> Vec<f64> {
    let mut widths = vec![0.0f64; layout.layers];
    for bundle in &layout.bundles {
        let layer = layout.spots[bundle.spots[0]].layer;
        for &at in &bundle.transitions {
            let letters = fsa.text(fsa.transitions()[at].label).chars().count();
            widths[layer] = widths[layer].max(letters as f64 * LETTER);
        }
    }
    let mut x = MARGIN;
    let step = |width: f64| {
        let here = x;
        x += width + 4.0 * RADIUS + 20.0;
        here
    };
    widths.into_iter().map(step).collect()
}

struct Picture<'a> {
    fsa: &'a Fsa,
    layout: &'a Layout,
    xs: Vec<f64>,
    best: &'a BTreeSet<usize>,
}

impl Picture<'_> {
    fn point(&self, spot: usize) -> (f64, f64) {
        let spot = &self.layout.spots[spot];
        (self.xs[spot.layer], spot.row * ROW + 2.0 * MARGIN)
    }

    fn draw(&self, title: &str) -> String {
        let width = self.xs.last().copied().unwrap_or(0.0) + MARGIN;
        let height = self.layout.rows * ROW + 3.0 * MARGIN;
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
        let thick = bundle.transitions.iter().any(|at| self.best.contains(at));
        let (color, width) = if thick {
            ("#14508c", 3.0)
        } else {
            ("#888", 1.0)
        };
        let last = bundle.spots.len() - 1;
        let points = bundle.spots.iter().enumerate().map(|(at, &spot)| {
            let (x, y) = self.point(spot);
            // Lines begin and end at the borders of the circles.
            let shift = if at == 0 {
                RADIUS
            } else if at == last {
                -RADIUS - 1.0
            } else {
                0.0
            };
            (x + shift, y)
        });
        let points: Vec<_> = points.collect();
        let _ = write!(svg, "<path d=\"M{:.1} {:.1}", points[0].0, points[0].1);
        for pair in points.windows(2) {
            let ((x, y), (to_x, to_y)) = (pair[0], pair[1]);
            let middle = (x + to_x) / 2.0;
            let _ = write!(
                svg,
                "C{middle:.1} {y:.1} {middle:.1} {to_y:.1} {to_x:.1} {to_y:.1}"
            );
        }
        let _ = writeln!(
            svg,
            "\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" marker-end=\"url(#a)\"/>"
        );
    }

    /// The words near the end of the first stretch, where lines have parted.
    fn words(&self, bundle: &Bundle, svg: &mut String) {
        let (x, _) = self.point(bundle.spots[0]);
        let (to_x, to_y) = self.point(bundle.spots[1]);
        let (x, y) = (x + (to_x - x) * 0.55, to_y);
        let count = bundle.transitions.len() as f64;
        for (at, &transition) in bundle.transitions.iter().enumerate() {
            let label = self.fsa.transitions()[transition].label;
            let word = if label.is_epsilon() {
                "ε".to_owned()
            } else {
                escape(self.fsa.text(label))
            };
            let bold = if self.best.contains(&transition) {
                " font-weight=\"bold\""
            } else {
                ""
            };
            let y = y + (at as f64 - (count - 1.0) / 2.0) * ROW * 0.7 - 4.0;
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" fill=\"#111\" stroke=\"#fff\" \
                 stroke-width=\"3\" paint-order=\"stroke\"{bold}>{word}</text>"
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
