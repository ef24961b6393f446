//! Which states reach which, while states are merged.

use crate::symbols::Label;

/// Up to so many states a bit matrix is kept; beyond, paths are searched.
const MATRIX: usize = 8_192;

type Links = [Vec<(Label, u32)>];

#[derive(Debug)]
pub(crate) enum Reach {
    Matrix { words: usize, bits: Vec<u64> },
    Search,
}

impl Reach {
    /// From the links out of and into each state of an acyclic graph.
    pub(crate) fn new(out: &Links, into: &Links) -> Self {
        if out.len() > MATRIX {
            return Reach::Search;
        }
        let words = out.len().div_ceil(64);
        let mut bits = vec![0u64; words * out.len()];
        // Backwards from the states without links out, each when all it leads to is done.
        let mut left: Vec<usize> = out.iter().map(Vec::len).collect();
        let mut ready: Vec<u32> = (0..out.len() as u32)
            .filter(|&s| left[s as usize] == 0)
            .collect();
        while let Some(state) = ready.pop() {
            for &(_, from) in &into[state as usize] {
                let (a, b) = (from as usize, state as usize);
                for word in 0..words {
                    bits[a * words + word] |= bits[b * words + word];
                }
                bits[a * words + b / 64] |= 1 << (b % 64);
                left[a] -= 1;
                if left[a] == 0 {
                    ready.push(from);
                }
            }
        }
        Reach::Matrix { words, bits }
    }

    /// Does one of the two reach the other?
    pub(crate) fn comparable(&self, x: u32, y: u32, out: &Links) -> bool {
        match self {
            Reach::Matrix { words, bits } => has(bits, *words, x, y) || has(bits, *words, y, x),
            Reach::Search => reaches(x, y, out) || reaches(y, x, out),
        }
    }

    /// After y was merged into x.
    pub(crate) fn merge(&mut self, x: u32, y: u32, alive: &[bool]) {
        let Reach::Matrix { words, bits } = self else {
            return;
        };
        let words = *words;
        let both: Vec<u64> = (0..words)
            .map(|word| bits[x as usize * words + word] | bits[y as usize * words + word])
            .collect();
        bits[x as usize * words..][..words].copy_from_slice(&both);
        for above in (0..alive.len() as u32).filter(|&state| alive[state as usize]) {
            if has(bits, words, above, x) || has(bits, words, above, y) {
                let row = &mut bits[above as usize * words..][..words];
                row.iter_mut()
                    .zip(&both)
                    .for_each(|(word, more)| *word |= more);
                row[x as usize / 64] |= 1 << (x % 64);
            }
        }
    }
}

fn has(bits: &[u64], words: usize, from: u32, to: u32) -> bool {
    bits[from as usize * words + to as usize / 64] >> (to % 64) & 1 == 1
}

fn reaches(from: u32, to: u32, out: &Links) -> bool {
    let mut seen = hashbrown::HashSet::new();
    let mut open = vec![from];
    while let Some(state) = open.pop() {
        for &(_, next) in &out[state as usize] {
            if next == to {
                return true;
            }
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}
