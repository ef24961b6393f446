//! Alignment of a sentence to all that were aligned before, in the manner of Barzilay & Lee (2003).

use crate::msa::border;
use crate::params::MsaParams;
use crate::syntactic::{Item, is_match};
use std::collections::BTreeSet;

/// Classes of aligned words as they grow: an acyclic graph with a way for each sentence.
#[derive(Debug, Default)]
pub(crate) struct Profile {
    /// The first word of each class: its sentence and place.
    first: Vec<(usize, usize)>,
    /// The classes before each class; 0 is the start, class c stands at c + 1.
    before: Vec<BTreeSet<usize>>,
    /// Nodes at which a sentence ends.
    ends: BTreeSet<usize>,
}

/// Where the best score of a cell comes from.
#[derive(Clone, Copy, Debug)]
enum Step {
    Stop,
    /// The class and the word, matched or not.
    Both(usize),
    /// A gap in the class's place.
    Word,
    /// A gap in the word's place.
    Class(usize),
}

impl Profile {
    /// Adds a sentence with its classes.
    pub(crate) fn add(&mut self, sentence: usize, column: &[u32]) {
        let mut from = 0;
        for (at, &class) in column.iter().enumerate() {
            let node = class as usize + 1;
            if self.before.len() <= node {
                self.before.resize_with(node + 1, BTreeSet::new);
                self.first.resize(node, (sentence, at));
            }
            self.before[node].insert(from);
            from = node;
        }
        self.ends.insert(from);
    }

    /// The matched words of the best alignment of a sentence to any way through the classes: word, class.
    /// Of equal ones, the way through classes that were made first.
    ///
    /// O(links between classes · words) time and O(classes · words) space.
    pub(crate) fn aligned(
        &self,
        sentences: &[Vec<Item>],
        words: &[Item],
        params: &MsaParams,
    ) -> Vec<(usize, u32)> {
        let width = words.len() + 1;
        let mut cells = vec![(i32::MIN, Step::Stop); self.before.len() * width];
        for (j, cell) in cells[..width].iter_mut().enumerate() {
            *cell = (border(j, params), Step::Stop);
        }
        for node in self.topological() {
            let (sentence, at) = self.first[node - 1];
            let class = (sentences[sentence].as_slice(), at);
            for j in 0..width {
                let mut best = (i32::MIN, Step::Stop);
                let mut offer = |score: i32, step| {
                    if score > best.0 {
                        best = (score, step);
                    }
                };
                for &before in &self.before[node] {
                    if j > 0 {
                        let matched = is_match((words, j - 1), class, params);
                        let step = if matched {
                            params.matched
                        } else {
                            params.mismatched
                        };
                        offer(cells[before * width + j - 1].0 + step, Step::Both(before));
                    }
                    let gap = if j == 0 { free_or(params) } else { params.gap };
                    offer(cells[before * width + j].0 + gap, Step::Class(before));
                }
                if j > 0 {
                    offer(cells[node * width + j - 1].0 + params.gap, Step::Word);
                }
                cells[node * width + j] = best;
            }
        }
        self.back(sentences, words, params, &cells)
    }

    fn back(
        &self,
        sentences: &[Vec<Item>],
        words: &[Item],
        params: &MsaParams,
        cells: &[(i32, Step)],
    ) -> Vec<(usize, u32)> {
        let width = words.len() + 1;
        let mut node = 0;
        for &end in &self.ends {
            if node == 0 || cells[end * width + words.len()].0 > cells[node * width + words.len()].0
            {
                node = end;
            }
        }
        let (mut j, mut found) = (words.len(), Vec::new());
        loop {
            match cells[node * width + j].1 {
                Step::Stop => break,
                Step::Word => j -= 1,
                Step::Class(before) => node = before,
                Step::Both(before) => {
                    let (sentence, at) = self.first[node - 1];
                    if is_match((words, j - 1), (&sentences[sentence], at), params) {
                        found.push((j - 1, node as u32 - 1));
                    }
                    (node, j) = (before, j - 1);
                }
            }
        }
        found.reverse();
        found
    }

    /// The classes, as nodes, each behind all before it.
    fn topological(&self) -> Vec<usize> {
        let count = self.before.len();
        let mut behind = vec![Vec::new(); count];
        let mut open: Vec<usize> = self.before.iter().map(BTreeSet::len).collect();
        for (node, before) in self.before.iter().enumerate() {
            before.iter().for_each(|&from| behind[from].push(node));
        }
        let (mut order, mut at) = (vec![0], 0);
        while let Some(&node) = order.get(at) {
            at += 1;
            for &next in &behind[node] {
                open[next] -= 1;
                if open[next] == 0 {
                    order.push(next);
                }
            }
        }
        order.remove(0);
        order
    }
}

/// The cost of a class before any word.
fn free_or(params: &MsaParams) -> i32 {
    border(1, params)
}
