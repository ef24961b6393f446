//! Edit distance between a sentence and the nearest string of an automaton.

use crate::error::Result;
use crate::fsa::{Fsa, StateId};
use crate::symbols::Label;
use pgen_core::{Limits, Stop, Ticker};

/// The nearest string and how far it is: insertions, deletions and substitutions of words, 1 each.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Distance {
    /// The number of edits.
    pub edits: usize,
    /// The labels of the nearest string. Of several paths the one whose edits come last is taken.
    pub nearest: Vec<Label>,
}

const FAR: u32 = u32::MAX / 2;

impl Fsa {
    /// The distance of a sentence from the automaton's language; `None` if that is empty.
    ///
    /// Time O(transitions · words), memory O(states · words).
    ///
    /// # Errors
    /// [`LimitExceeded`](pgen_core::Error::LimitExceeded) for more than `limits.pops` pairs of a state and
    /// a part of the sentence; what `stop` says.
    pub fn distance<S: AsRef<str>>(
        &self,
        words: &[S],
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Option<Distance>> {
        let words: Vec<Option<Label>> = words
            .iter()
            .map(|word| self.symbols().label(word.as_ref()))
            .collect();
        let table = DistanceTable::new(self, &words, limits, stop)?;
        let width = words.len() + 1;
        let ends = self
            .finals()
            .map(|state| (table.at(state, width - 1), state));
        let Some((edits, end)) = ends.min() else {
            return Ok(None);
        };
        Ok(Some(Distance {
            edits: edits as usize,
            nearest: table.trace(self, &words, end),
        }))
    }
}

/// Least edits from the start to each state having read each prefix.
struct DistanceTable {
    width: usize,
    cells: Vec<u32>,
    /// Positions in the automaton's list by target: those into state s at `first[s]..first[s + 1]`.
    incoming: Vec<u32>,
    first: Vec<u32>,
}

impl DistanceTable {
    fn new(fsa: &Fsa, words: &[Option<Label>], limits: &Limits, stop: &Stop) -> Result<Self> {
        let width = words.len() + 1;
        let size = width.saturating_mul(fsa.state_count());
        Limits::check("cells of the table of distances", size, limits.pops)?;
        let (incoming, first) = incoming(fsa);
        let mut table = DistanceTable {
            width,
            cells: vec![FAR; size],
            incoming,
            first,
        };
        for (prefix, cell) in table.cells[..width].iter_mut().enumerate() {
            *cell = prefix as u32;
        }
        let mut ticker = stop.ticker();
        for state in 1..fsa.state_count() {
            table.fill(fsa, state, words, &mut ticker)?;
        }
        Ok(table)
    }

    fn fill(
        &mut self,
        fsa: &Fsa,
        state: usize,
        words: &[Option<Label>],
        ticker: &mut Ticker<'_>,
    ) -> Result<()> {
        let width = self.width;
        let (done, rest) = self.cells.split_at_mut(state * width);
        let row = &mut rest[..width];
        for &at in &self.incoming[self.first[state] as usize..self.first[state + 1] as usize] {
            ticker.tick()?;
            let transition = fsa.transitions()[at as usize];
            let from = &done[transition.from.index() * width..][..width];
            let epsilon = transition.label.is_epsilon();
            row[0] = row[0].min(from[0] + u32::from(!epsilon));
            for prefix in 1..width {
                let pass = from[prefix] + u32::from(!epsilon);
                let differs = words[prefix - 1] != Some(transition.label);
                let read = if epsilon {
                    FAR
                } else {
                    from[prefix - 1] + u32::from(differs)
                };
                row[prefix] = row[prefix].min(pass).min(read);
            }
        }
        for prefix in 1..width {
            row[prefix] = row[prefix].min(row[prefix - 1] + 1);
        }
        Ok(())
    }

    fn at(&self, state: StateId, prefix: usize) -> u32 {
        self.cells[state.index() * self.width + prefix]
    }

    fn into(&self, state: StateId) -> &[u32] {
        let (first, end) = (self.first[state.index()], self.first[state.index() + 1]);
        &self.incoming[first as usize..end as usize]
    }

    /// The labels of a best path, from its end backwards: matches before edits.
    fn trace(&self, fsa: &Fsa, words: &[Option<Label>], end: StateId) -> Vec<Label> {
        let mut labels = Vec::new();
        let (mut state, mut prefix) = (end, words.len());
        'steps: while state != fsa.start() || prefix > 0 {
            let here = self.at(state, prefix);
            for &at in self.into(state) {
                let transition = fsa.transitions()[at as usize];
                let epsilon = transition.label.is_epsilon();
                let reads = prefix > 0 && !epsilon && {
                    let differs = words[prefix - 1] != Some(transition.label);
                    self.at(transition.from, prefix - 1) + u32::from(differs) == here
                };
                let passes = self.at(transition.from, prefix) + u32::from(!epsilon) == here;
                if reads || passes {
                    if !epsilon {
                        labels.push(transition.label);
                    }
                    state = transition.from;
                    prefix -= usize::from(reads);
                    continue 'steps;
                }
            }
            // The word was inserted.
            prefix = prefix.saturating_sub(1);
            if state == fsa.start() && prefix == 0 {
                break;
            }
        }
        labels.reverse();
        labels
    }
}

/// Transitions by target, and where those of each state begin.
fn incoming(fsa: &Fsa) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0u32; fsa.state_count() + 1];
    for transition in fsa.transitions() {
        first[transition.to.index() + 1] += 1;
    }
    for state in 0..fsa.state_count() {
        first[state + 1] += first[state];
    }
    let mut next = first.clone();
    let mut list = vec![0u32; fsa.transitions().len()];
    for (at, transition) in (0u32..).zip(fsa.transitions()) {
        let slot = &mut next[transition.to.index()];
        list[*slot as usize] = at;
        *slot += 1;
    }
    (list, first)
}

/// Edit distance of two sentences in words. O(n · m) time, O(m) memory.
#[must_use]
pub fn word_distance<S: AsRef<str>, T: AsRef<str>>(a: &[S], b: &[T]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let read = diagonal + usize::from(x.as_ref() != y.as_ref());
            diagonal = row[j + 1];
            row[j + 1] = read.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
