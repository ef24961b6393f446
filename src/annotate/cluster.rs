//! Word classes from plain text by the exchange algorithm (Kneser & Ney 1993; Martin, Liermann & Ney
//! 1998): each word in turn moves to the class where the classes' bigrams explain the text best.

use super::classes::WordClasses;
use super::feature::spelling;
use super::look::class_form;
use super::pieces::pieces;
use pgen_core::text::{TextOptions, split_sentences};
use pgen_core::{Limits, Result, Sentence, Stop, Vocab};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Number of classes in the two divisions, most words that get a class, fewest occurrences of such a
/// word, rounds over all words.
const FINE: usize = 400;
const COARSE: usize = 48;
const WORDS: usize = 30_000;
const LEAST: u32 = 8;
const ROUNDS: usize = 4;

/// Two classes of their own: what lies around a sentence, and words without a class.
const BORDER: usize = 0;
const OTHER: usize = 1;
const FIXED: usize = 2;

/// Collects plain text and learns word classes from it.
#[derive(Debug, Default)]
pub struct ClassLearner {
    ids: HashMap<String, u32>,
    spellings: Vec<String>,
    counts: Vec<u32>,
    /// Pairs of neighbours, 0 for the border, else word + 1.
    pairs: HashMap<(u32, u32), u32>,
}

impl ClassLearner {
    /// Without text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a line of raw text, which may hold several sentences.
    ///
    /// # Errors
    /// [`pgen_core::Error::LimitExceeded`]; what came before stays.
    pub fn text(&mut self, line: &str, limits: &Limits) -> Result<()> {
        let (vocab, options) = (Arc::new(Vocab::new()), TextOptions::default());
        for span in split_sentences(line, limits)? {
            let text = line.get(span.range()).unwrap_or("");
            let sentence = Sentence::tokenize(text, &vocab, &options, limits)?;
            self.words(&pieces(&sentence).0);
        }
        Ok(())
    }

    /// Adds a sentence of words.
    pub fn words<S: AsRef<str>>(&mut self, words: &[S]) {
        let mut before = 0;
        for word in words {
            let now = self.id(class_form(word.as_ref())) + 1;
            *self.pairs.entry((before, now)).or_default() += 1;
            before = now;
        }
        *self.pairs.entry((before, 0)).or_default() += 1;
    }

    fn id(&mut self, word: String) -> u32 {
        let next = self.spellings.len() as u32;
        let id = *self.ids.entry(word).or_insert_with_key(|word| {
            self.spellings.push(word.clone());
            self.counts.push(0);
            next
        });
        self.counts[id as usize] += 1;
        id
    }

    /// Learns both divisions. O(rounds × classes × different neighbours).
    ///
    /// # Errors
    /// As [`Stop::check`].
    pub fn learn(&self, stop: &Stop) -> Result<WordClasses> {
        let mut order: Vec<u32> = (0..self.spellings.len() as u32).collect();
        let count = |id: u32| self.counts[id as usize];
        order.retain(|&id| count(id) >= LEAST);
        let text = |id: u32| self.spellings[id as usize].as_str();
        order.sort_by(|&a, &b| count(b).cmp(&count(a)).then_with(|| text(a).cmp(text(b))));
        order.truncate(WORDS);
        let graph = self.graph(&order);
        let fine = graph.exchange(FINE, stop)?;
        let coarse = graph.exchange(COARSE, stop)?;
        let mut rows = BTreeMap::new();
        for (rank, &id) in order.iter().enumerate() {
            // Of two words with one hash the more frequent one counts.
            rows.entry(spelling(text(id)))
                .or_insert((fine[rank], coarse[rank]));
        }
        let rows: Vec<_> = rows
            .into_iter()
            .map(|(word, (f, c))| (word, f, c))
            .collect();
        WordClasses::new(&rows)
    }

    /// Neighbours of each word by rank; the border and all other words are the last two nodes.
    fn graph(&self, order: &[u32]) -> Graph {
        let nodes = order.len() + FIXED;
        let mut node = vec![order.len() + OTHER; self.spellings.len() + 1];
        node[0] = order.len() + BORDER;
        for (rank, &id) in order.iter().enumerate() {
            node[id as usize + 1] = rank;
        }
        let mut sums: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        for (&(a, b), &count) in &self.pairs {
            *sums
                .entry((node[a as usize], node[b as usize]))
                .or_default() += count;
        }
        let mut graph = Graph {
            right: vec![Vec::new(); nodes],
            left: vec![Vec::new(); nodes],
        };
        for ((a, b), count) in sums {
            graph.right[a].push((b as u32, count));
            graph.left[b].push((a as u32, count));
        }
        graph
    }
}

/// Words by rank with the words after and before them, and how often.
struct Graph {
    right: Vec<Vec<(u32, u32)>>,
    left: Vec<Vec<(u32, u32)>>,
}

impl Graph {
    /// A class of each word, from 0.
    fn exchange(&self, classes: usize, stop: &Stop) -> Result<Vec<u16>> {
        let words = self.right.len() - FIXED;
        let mut class: Vec<usize> = (0..words).map(|rank| FIXED + rank % classes).collect();
        class.extend([BORDER, OTHER]);
        let mut table = Table::new(self, &class, classes + FIXED);
        for _ in 0..ROUNDS {
            let mut moved = 0;
            for word in 0..words {
                stop.check()?;
                let near = table.neighbours(self, &class, word);
                let old = class[word];
                table.add(old, &near, -1);
                let new = table.best(&near).unwrap_or(old);
                table.add(new, &near, 1);
                class[word] = new;
                moved += usize::from(new != old);
            }
            if moved == 0 {
                break;
            }
        }
        Ok(class[..words]
            .iter()
            .map(|&class| (class - FIXED) as u16)
            .collect())
    }
}

/// A word's neighbours by class, without itself, and how often it follows itself.
struct Near {
    right: Vec<(usize, i64)>,
    left: Vec<(usize, i64)>,
    itself: i64,
}

impl Near {
    /// How often the word occurs with a neighbour on this side.
    fn total(&self, side: &[(usize, i64)]) -> i64 {
        side.iter().map(|near| near.1).sum::<i64>() + self.itself
    }
}

/// Bigram counts of classes, by rows and by columns, and their sums.
struct Table {
    size: usize,
    rows: Vec<i64>,
    columns: Vec<i64>,
    row_sums: Vec<i64>,
    column_sums: Vec<i64>,
    /// n ln n for small n.
    logs: Vec<f64>,
}

impl Table {
    fn new(graph: &Graph, class: &[usize], size: usize) -> Self {
        let mut table = Table {
            size,
            rows: vec![0; size * size],
            columns: vec![0; size * size],
            row_sums: vec![0; size],
            column_sums: vec![0; size],
            logs: (0..1 << 16).map(entropy).collect(),
        };
        for (word, right) in graph.right.iter().enumerate() {
            for &(next, count) in right {
                table.count(class[word], class[next as usize], i64::from(count));
            }
        }
        table
    }

    fn count(&mut self, first: usize, second: usize, count: i64) {
        self.cell(first, second, count);
        self.row_sums[first] += count;
        self.column_sums[second] += count;
    }

    fn cell(&mut self, first: usize, second: usize, count: i64) {
        self.rows[first * self.size + second] += count;
        self.columns[second * self.size + first] += count;
    }

    fn neighbours(&self, graph: &Graph, class: &[usize], word: usize) -> Near {
        let mut itself = 0;
        let mut by_class = |neighbours: &[(u32, u32)]| {
            let mut sums = vec![0i64; self.size];
            for &(other, count) in neighbours {
                if other as usize == word {
                    itself = i64::from(count);
                } else {
                    sums[class[other as usize]] += i64::from(count);
                }
            }
            sums.into_iter()
                .enumerate()
                .filter(|sum| sum.1 > 0)
                .collect::<Vec<_>>()
        };
        let (right, left) = (by_class(&graph.right[word]), by_class(&graph.left[word]));
        Near {
            right,
            left,
            itself,
        }
    }

    /// Puts a word into a class, or takes it out. Its neighbours occur as often as before, so only the
    /// sums of its own class change.
    fn add(&mut self, class: usize, near: &Near, sign: i64) {
        for &(other, count) in &near.right {
            self.cell(class, other, sign * count);
        }
        for &(other, count) in &near.left {
            self.cell(other, class, sign * count);
        }
        self.cell(class, class, sign * near.itself);
        self.row_sums[class] += sign * near.total(&near.right);
        self.column_sums[class] += sign * near.total(&near.left);
    }

    #[inline]
    fn gain(&self, before: i64, more: i64) -> f64 {
        let log = |n: i64| {
            self.logs
                .get(n as usize)
                .copied()
                .unwrap_or_else(|| entropy(n))
        };
        log(before + more) - log(before)
    }

    /// The class in which the word raises the likelihood most; the first of equals.
    fn best(&self, near: &Near) -> Option<usize> {
        let mut gains = vec![0.0; self.size];
        for (lists, matrix) in [(&near.right, &self.columns), (&near.left, &self.rows)] {
            for &(other, count) in lists {
                let line = &matrix[other * self.size..(other + 1) * self.size];
                for (gain, &before) in gains.iter_mut().zip(line) {
                    *gain += self.gain(before, count);
                }
            }
        }
        let of = |list: &[(usize, i64)], class| {
            list.binary_search_by_key(&class, |n| n.0)
                .map_or(0, |at| list[at].1)
        };
        let (right_total, left_total) = (near.total(&near.right), near.total(&near.left));
        let mut best: Option<(f64, usize)> = None;
        for (class, &gain) in gains.iter().enumerate().skip(FIXED) {
            // Neighbours that are in the class itself: both directions fall on one count.
            let (right, left) = (of(&near.right, class), of(&near.left, class));
            let own = self.rows[class * self.size + class];
            let mut gain = gain - self.gain(own, right) - self.gain(own, left);
            gain += self.gain(own, right + left + near.itself);
            gain -= self.gain(self.row_sums[class], right_total);
            gain -= self.gain(self.column_sums[class], left_total);
            if best.is_none_or(|best| gain > best.0) {
                best = Some((gain, class));
            }
        }
        best.map(|best| best.1)
    }
}

fn entropy(n: i64) -> f64 {
    if n > 0 {
        n as f64 * (n as f64).ln()
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_like_neighbourhoods_share_a_class() {
        let mut learner = ClassLearner::new();
        for i in 0..40 {
            let noun = ["dog", "cat", "man"][i % 3];
            let verb = ["runs", "sleeps", "eats"][i / 3 % 3];
            learner.words(&["the", noun, verb, "."]);
        }
        let order: Vec<u32> = (0..learner.spellings.len() as u32).collect();
        let class = learner.graph(&order).exchange(4, &Stop::never()).unwrap();
        let of = |word: &str| class[learner.ids[word] as usize];
        assert!(of("dog") == of("cat") && of("cat") == of("man"));
        assert!(of("runs") == of("sleeps") && of("sleeps") == of("eats"));
        assert!(of("dog") != of("runs") && of("the") != of("dog"));
    }

    #[test]
    fn the_gain_of_a_move_is_the_change_of_the_likelihood() {
        let mut learner = ClassLearner::new();
        for words in [
            ["a", "b", "a"],
            ["b", "b", "c"],
            ["c", "a", "b"],
            ["a", "a", "c"],
        ] {
            learner.words(&words);
        }
        let graph = learner.graph(&[0, 1, 2]);
        let class = [2, 3, 2, BORDER, OTHER];
        let likelihood = |class: &[usize]| {
            let table = Table::new(&graph, class, 4);
            let joint: f64 = table.rows.iter().map(|&n| entropy(n)).sum();
            let sums = table.row_sums.iter().chain(&table.column_sums);
            joint - sums.map(|&n| entropy(n)).sum::<f64>()
        };
        for word in 0..3 {
            let mut table = Table::new(&graph, &class, 4);
            let near = table.neighbours(&graph, &class, word);
            table.add(class[word], &near, -1);
            let best = table.best(&near).unwrap();
            let scores = [2, 3].map(|to| {
                let mut moved = class;
                moved[word] = to;
                likelihood(&moved)
            });
            let expected = if scores[1] > scores[0] + 1e-9 { 3 } else { 2 };
            assert!((scores[0] - scores[1]).abs() < 1e-9 || best == expected);
        }
    }
}
