//! Places of states and words in a layered drawing (after Sugiyama et al. 1981).
//!
//! States stand in even layers; words stand in the odd layer behind their first state, each bundle in a
//! spot of its own, so that no word covers another word or a line.

use crate::error::Result;
use crate::fsa::Fsa;
use pgen_core::{Limits, Stop};
use std::collections::BTreeMap;

/// Rows that a line needs where nothing else stands.
const PASSING: f64 = 0.7;
/// Rows from one word of a bundle to the next.
pub(crate) const WORD: f64 = 0.62;

/// A place of a layer where a state stands or an arc passes.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    pub(crate) layer: usize,
    /// Place from the top, in rows.
    pub(crate) row: f64,
    /// Rows it needs: one for each word on it.
    height: f64,
    left: Vec<usize>,
    right: Vec<usize>,
}

/// All arcs between the same two states.
#[derive(Clone, Debug)]
pub(crate) struct Bundle {
    /// Places in the automaton's list of transitions.
    pub(crate) transitions: Vec<usize>,
    /// The spots that it passes, both states included; words stand at the second.
    pub(crate) spots: Vec<usize>,
}

/// A drawing before any ink.
#[derive(Debug)]
pub(crate) struct Layout {
    /// First the states, then places where arcs pass a layer.
    pub(crate) spots: Vec<Spot>,
    pub(crate) bundles: Vec<Bundle>,
    pub(crate) layers: usize,
    pub(crate) rows: f64,
}

impl Layout {
    pub(crate) fn new(fsa: &Fsa, limits: &Limits, stop: &Stop) -> Result<Self> {
        let mut layer = vec![0usize; fsa.state_count()];
        for transition in fsa.transitions() {
            let next = layer[transition.from.index()] + 1;
            let known = &mut layer[transition.to.index()];
            *known = next.max(*known);
        }
        layer.iter_mut().for_each(|layer| *layer *= 2);
        let spot = |layer| Spot {
            layer,
            row: 0.0,
            height: PASSING,
            left: Vec::new(),
            right: Vec::new(),
        };
        let mut layout = Layout {
            spots: layer.iter().map(|&layer| spot(layer)).collect(),
            bundles: Vec::new(),
            layers: layer.iter().max().map_or(1, |last| last + 1),
            rows: 1.0,
        };
        let mut between: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for (at, transition) in fsa.transitions().iter().enumerate() {
            between
                .entry((transition.from.index(), transition.to.index()))
                .or_default()
                .push(at);
        }
        let mut ticker = stop.ticker();
        for ((from, to), transitions) in between {
            let spots = layout.spots.len() + layer[to] - layer[from] - 1;
            Limits::check("places of the picture", spots, limits.nodes)?;
            let mut spots = vec![from];
            for passed in layer[from] + 1..layer[to] {
                ticker.tick()?;
                layout.spots.push(spot(passed));
                if spots.len() == 1 {
                    let words = layout.spots.last_mut();
                    words.into_iter().for_each(|words| {
                        words.height = transitions.len() as f64 * WORD + 1.0 - WORD;
                    });
                }
                spots.push(layout.spots.len() - 1);
            }
            spots.push(to);
            for pair in spots.windows(2) {
                layout.spots[pair[0]].right.push(pair[1]);
                layout.spots[pair[1]].left.push(pair[0]);
            }
            layout.bundles.push(Bundle { transitions, spots });
        }
        layout.arrange(stop)?;
        Ok(layout)
    }

    /// Orders each layer by the mean row of its neighbours, there and back, then spreads it.
    fn arrange(&mut self, stop: &Stop) -> Result<()> {
        let mut layers: Vec<Vec<usize>> = vec![Vec::new(); self.layers];
        for (at, spot) in self.spots.iter().enumerate() {
            layers[spot.layer].push(at);
        }
        for layer in &layers {
            self.stack(layer, None);
        }
        for round in 0..12 {
            stop.check()?;
            let forward = round % 2 == 0;
            let order: Vec<usize> = if forward {
                (0..self.layers).collect()
            } else {
                (0..self.layers).rev().collect()
            };
            for at in order {
                let wish = |spot: &Spot| {
                    let sides = if forward { &spot.left } else { &spot.right };
                    let rows = sides.iter().map(|&other| self.spots[other].row);
                    (!sides.is_empty()).then(|| rows.sum::<f64>() / sides.len() as f64)
                };
                let wishes: Vec<f64> = layers[at]
                    .iter()
                    .map(|&spot| wish(&self.spots[spot]).unwrap_or(self.spots[spot].row))
                    .collect();
                let mut places: Vec<usize> = (0..wishes.len()).collect();
                places.sort_by(|&a, &b| wishes[a].total_cmp(&wishes[b]).then(a.cmp(&b)));
                layers[at] = places.iter().map(|&place| layers[at][place]).collect();
                let wishes: Vec<f64> = places.iter().map(|&place| wishes[place]).collect();
                self.stack(&layers[at].clone(), Some(&wishes));
            }
        }
        let top = self
            .spots
            .iter()
            .map(|spot| spot.row - spot.height / 2.0)
            .fold(f64::INFINITY, f64::min);
        self.spots.iter_mut().for_each(|spot| spot.row -= top);
        self.rows = self
            .spots
            .iter()
            .map(|spot| spot.row + spot.height / 2.0)
            .fold(1.0, f64::max);
        Ok(())
    }

    /// Gives rows to a layer from top to bottom: as near as may be to the wishes, without overlap.
    fn stack(&mut self, layer: &[usize], wishes: Option<&[f64]>) {
        let mut bottom = f64::NEG_INFINITY;
        let mut shift = 0.0;
        for (at, &spot) in layer.iter().enumerate() {
            let half = self.spots[spot].height / 2.0;
            let wish = wishes.map_or(if at == 0 { 0.0 } else { bottom + half }, |wishes| {
                wishes[at]
            });
            let row = wish.max(bottom + half);
            shift += row - wish;
            self.spots[spot].row = row;
            bottom = row + half;
        }
        // What was pushed down comes half way back, all together.
        let back = shift / layer.len().max(1) as f64;
        layer.iter().for_each(|&spot| self.spots[spot].row -= back);
    }
}
