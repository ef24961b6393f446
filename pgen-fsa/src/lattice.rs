//! Automata as lattices, for the exact decoder.

use crate::error::Result;
use crate::fsa::Fsa;
use pgen_core::{
    EdgeSpec, FeatureId, FeatureSet, Lattice, LatticeBuilder, Lexicon, Limits, NodeId, Vocab,
};
use std::sync::Arc;

impl Fsa {
    /// The automaton as a lattice with one feature, `fsa`: the weight of each transition. Words are those
    /// of the vocabulary where it has them. Several ends are joined by edges without words.
    ///
    /// # Errors
    /// [`DisconnectedGraph`](pgen_core::Error::DisconnectedGraph) for an automaton without strings;
    /// [`LimitExceeded`](pgen_core::Error::LimitExceeded).
    pub fn to_lattice(&self, vocab: &Arc<Vocab>, limits: &Limits) -> Result<Lattice> {
        let features = Arc::new(FeatureSet::new(vec!["fsa".to_owned()]));
        let mut builder = LatticeBuilder::new(features, Lexicon::new(Arc::clone(vocab)), limits);
        let states = self.state_count();
        builder.add_nodes(states + 1)?;
        let end = NodeId::new(states as u32);
        let mut words = Vec::with_capacity(self.symbols().len());
        for (_, word) in self.symbols().words() {
            words.push(builder.intern(word)?);
        }
        let edge = |from: u32,
                    to: NodeId,
                    word: &[pgen_core::WordId],
                    weight: f32,
                    builder: &mut LatticeBuilder| {
            let features: &[(FeatureId, f32)] = &[(FeatureId::new(0), weight)];
            let features = if weight == 0.0 { &[] } else { features };
            let from = NodeId::new(from);
            builder.add_edge(EdgeSpec {
                from,
                to,
                span: None,
                words: word,
                features,
                unit: None,
            })
        };
        for transition in self.transitions() {
            let word = transition
                .label
                .index()
                .checked_sub(1)
                .map(|at| [words[at]]);
            let word = word.as_ref().map_or(&[][..], |word| word);
            let to = NodeId::new(transition.to.raw());
            edge(
                transition.from.raw(),
                to,
                word,
                transition.weight,
                &mut builder,
            )?;
        }
        for state in self.finals() {
            edge(
                state.raw(),
                end,
                &[],
                self.final_weight(state).unwrap_or(0.0),
                &mut builder,
            )?;
        }
        Ok(builder.build(NodeId::new(0), end)?)
    }
}
