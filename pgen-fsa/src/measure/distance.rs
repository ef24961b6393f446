//! Edit distance between a sentence and the nearest string of an automaton.

use crate::fsa::{Fsa, StateId};
use crate::symbols::Label;

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
    /// Time and memory O(transitions · words).
    #[must_use]
    pub fn distance<S: AsRef<str>>(&self, words: &[S]) -> Option<Distance> {
        let words: Vec<Option<Label>> = words
            .iter()
            .map(|word| self.symbols().label(word.as_ref()))
            .collect();
        let table = DistanceTable::new(self, &words);
        let width = words.len() + 1;
        let ends = self
            .finals()
            .map(|state| (table.at(state, width - 1), state));
        let (edits, end) = ends.min()?;
        Some(Distance {
            edits: edits as usize,
            nearest: table.trace(self, &words, end),
        })
    }
}

/// Least edits from the start to each state having read each prefix.
struct DistanceTable {
    width: usize,
    cells: Vec<u32>,
    /// Incoming transitions by target state: positions in the automaton's list.
    incoming: Vec<Vec<u32>>,
}

impl DistanceTable {
    fn new(fsa: &Fsa, words: &[Option<Label>]) -> Self {
        let width = words.len() + 1;
        let mut cells = vec![FAR; width * fsa.state_count()];
        let mut incoming = vec![Vec::new(); fsa.state_count()];
        for (at, transition) in (0u32..).zip(fsa.transitions()) {
            incoming[transition.to.index()].push(at);
        }
        for (prefix, cell) in cells[..width].iter_mut().enumerate() {
            *cell = prefix as u32;
        }
        for (state, incoming) in incoming.iter().enumerate().skip(1) {
            let (done, rest) = cells.split_at_mut(state * width);
            let row = &mut rest[..width];
            for &at in incoming {
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
        }
        DistanceTable {
            width,
            cells,
            incoming,
        }
    }

    fn at(&self, state: StateId, prefix: usize) -> u32 {
        self.cells[state.index() * self.width + prefix]
    }

    /// The labels of a best path, from its end backwards: matches before edits.
    fn trace(&self, fsa: &Fsa, words: &[Option<Label>], end: StateId) -> Vec<Label> {
        let mut labels = Vec::new();
        let (mut state, mut prefix) = (end, words.len());
        'steps: while state != fsa.start() || prefix > 0 {
            let here = self.at(state, prefix);
            for &at in &self.incoming[state.index()] {
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
