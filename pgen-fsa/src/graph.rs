//! A graph under construction: numbers of states are those of creation, which squeezing depends on.

use crate::error::Result;
use crate::fsa::{Fsa, StateId, Transition};
use crate::symbols::{Label, Symbols};
use std::sync::Arc;

/// Where every path starts.
pub(crate) const BEGIN: u32 = 0;
/// Where every path ends.
pub(crate) const END: u32 = 1;

/// Transitions between BEGIN and END, sorted and without repetition.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) symbols: Arc<Symbols>,
    pub(crate) states: u32,
    pub(crate) arcs: Vec<(u32, Label, u32)>,
}

impl Graph {
    pub(crate) fn new(
        symbols: Arc<Symbols>,
        states: u32,
        mut arcs: Vec<(u32, Label, u32)>,
    ) -> Self {
        arcs.sort_unstable();
        arcs.dedup();
        Graph {
            symbols,
            states,
            arcs,
        }
    }

    /// The automaton, its states renumbered topologically.
    pub(crate) fn into_fsa(self) -> Result<Fsa> {
        let transitions = self.arcs.iter().map(|&(from, label, to)| Transition {
            from: StateId::new(from),
            label,
            to: StateId::new(to),
            weight: 0.0,
        });
        let mut finals = vec![f32::NEG_INFINITY; self.states.max(2) as usize];
        finals[END as usize] = 0.0;
        Fsa::assemble(
            self.symbols,
            transitions.collect(),
            &finals,
            StateId::new(BEGIN),
        )
    }
}
