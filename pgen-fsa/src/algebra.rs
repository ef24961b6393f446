//! Union and intersection.

use crate::build::relabel;
use crate::error::Result;
use crate::fsa::{Fsa, StateId, Transition};
use crate::symbols::{Label, Symbols};
use hashbrown::HashMap;
use pgen_core::{Limits, Stop};
use std::sync::Arc;

impl Fsa {
    /// The automaton of all strings of the given ones, with ε from a new start to theirs. None gives the
    /// empty automaton.
    ///
    /// # Errors
    /// [`LimitExceeded`](pgen_core::Error::LimitExceeded) above `limits.nodes` states or `limits.edges`
    /// transitions.
    pub fn union(parts: &[&Fsa], limits: &Limits) -> Result<Fsa> {
        let states: usize = 1 + parts.iter().map(|part| part.state_count()).sum::<usize>();
        let arcs = parts.iter().map(|part| part.transitions.len() + 1).sum();
        Limits::check("number of states", states, limits.nodes)?;
        Limits::check("number of transitions", arcs, limits.edges)?;
        let symbols = common_symbols(parts)?;
        let mut transitions = Vec::with_capacity(arcs);
        let mut finals = vec![f32::NEG_INFINITY];
        let mut offset = 1;
        for part in parts {
            let to = StateId::new(offset);
            let label = Label::EPSILON;
            transitions.push(Transition {
                from: StateId::new(0),
                label,
                to,
                weight: 0.0,
            });
            offset += part.state_count() as u32;
        }
        offset = 1;
        for part in parts {
            let shared = Arc::ptr_eq(&part.symbols, &symbols);
            let labels = if shared {
                Vec::new()
            } else {
                relabel(&part.symbols, &symbols)
            };
            let place = |state: StateId| StateId::new(state.raw() + offset);
            transitions.extend(part.transitions.iter().map(|t| Transition {
                from: place(t.from),
                label: if shared {
                    t.label
                } else {
                    labels[t.label.index()].unwrap_or(Label::EPSILON)
                },
                to: place(t.to),
                weight: t.weight,
            }));
            finals.extend_from_slice(&part.finals);
            offset += part.state_count() as u32;
        }
        Fsa::assemble(symbols, transitions, &finals, StateId::new(0))
    }

    /// The strings that both have; weights add up.
    ///
    /// Output-sensitive, at most O(product of the sizes).
    ///
    /// # Errors
    /// [`LimitExceeded`](pgen_core::Error::LimitExceeded) above `limits.nodes` states or `limits.edges`
    /// transitions; what `stop` says.
    pub fn intersect(&self, other: &Fsa, limits: &Limits, stop: &Stop) -> Result<Fsa> {
        let (a, b) = (
            self.remove_epsilon(limits, stop)?,
            other.remove_epsilon(limits, stop)?,
        );
        let labels = relabel(&a.symbols, &b.symbols);
        let mut numbers: HashMap<(StateId, StateId), u32> = HashMap::new();
        let mut pairs = vec![(a.start(), b.start())];
        numbers.insert(pairs[0], 0);
        let (mut transitions, mut finals) = (Vec::new(), Vec::new());
        let mut ticker = stop.ticker();
        let mut at = 0;
        while let Some(&(x, y)) = pairs.get(at) {
            ticker.tick()?;
            finals.push(a.finals[x.index()] + b.finals[y.index()]);
            for left in a.out(x) {
                let Some(label) = labels[left.label.index()] else {
                    continue;
                };
                let rights = b.out(y);
                let first = rights.partition_point(|right| right.label < label);
                for right in rights[first..]
                    .iter()
                    .take_while(|right| right.label == label)
                {
                    let next = pairs.len() as u32;
                    let to = *numbers.entry((left.to, right.to)).or_insert(next);
                    if to == next {
                        pairs.push((left.to, right.to));
                    }
                    let from = StateId::new(at as u32);
                    let weight = left.weight + right.weight;
                    transitions.push(Transition {
                        from,
                        label: left.label,
                        to: StateId::new(to),
                        weight,
                    });
                }
            }
            Limits::check("number of states", pairs.len(), limits.nodes)?;
            Limits::check("number of transitions", transitions.len(), limits.edges)?;
            at += 1;
        }
        Fsa::assemble(a.symbols, transitions, &finals, StateId::new(0))
    }
}

/// Symbols that hold the words of all parts; shared ones are not copied.
fn common_symbols(parts: &[&Fsa]) -> Result<Arc<Symbols>> {
    match parts {
        [] => Symbols::new::<&str>([]),
        [first, rest @ ..]
            if rest
                .iter()
                .all(|part| Arc::ptr_eq(&part.symbols, &first.symbols)) =>
        {
            Ok(first.symbols.clone())
        }
        _ => Symbols::new(
            parts
                .iter()
                .flat_map(|part| part.symbols.words().map(|(_, word)| word)),
        ),
    }
}
