//! Whole sentences, order by order: within an order no look-up waits for another.

use super::CompactModel;
use pgen_core::{LogProb, WordId};

/// Words of a sentence scored without allocation, `<s>` and `</s>` included.
const SHORT: usize = 64;
/// Words looked up together by [`CompactModel::sentences`].
const CHUNK: usize = 128;
/// In place of a word: the `<s>` before a sentence, which is not scored.
const GAP: u32 = u32::MAX;

/// A word and what is known of it so far.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    word: u32,
    /// What the next order stores for the word: the word itself, then its place among the words that follow
    /// the context found.
    key: u32,
    /// Words of the longest n-gram found, and its node.
    found: u32,
    node: u32,
    /// ln of the back-off weights from the contexts that lack the word.
    ln: f64,
}

/// A look-up to do: the word of a column after a context.
#[derive(Clone, Copy, Debug, Default)]
struct Query {
    column: u32,
    context: u32,
    /// The context's children; empty if the word is known not to be among them.
    start: u32,
    end: u32,
}

impl CompactModel {
    /// As `sentence`: bigrams of all words, then trigrams and so on, so that the waits for memory overlap.
    pub(super) fn layered_sentence(&self, words: &[WordId]) -> LogProb {
        let length = words.len() + 2;
        if length > SHORT {
            return self.sentences(&[words])[0];
        }
        let mut columns = [Column::default(); SHORT];
        let mut queries = [Query::default(); SHORT];
        self.fill(&mut columns[..length], words);
        self.score(&mut columns[..length], &mut queries);
        sum(&columns[1..length])
    }

    /// ln P of each sentence, `</s>` included, as [`sentence`](pgen_core::LanguageModel::sentence) gives it,
    /// bit for bit. Sentences are looked up together, so that waiting for memory overlaps.
    #[must_use]
    pub fn sentences<S: AsRef<[WordId]>>(&self, sentences: &[S]) -> Vec<LogProb> {
        let mut scores = Vec::with_capacity(sentences.len());
        let mut columns: Vec<Column> = Vec::with_capacity(CHUNK + SHORT);
        let mut queries: Vec<Query> = Vec::new();
        let mut ends: Vec<usize> = Vec::new();
        for (at, sentence) in sentences.iter().enumerate() {
            let words = sentence.as_ref();
            let start = columns.len();
            columns.resize(start + words.len() + 2, Column::default());
            self.fill(&mut columns[start..], words);
            ends.push(columns.len());
            if columns.len() < CHUNK && at + 1 < sentences.len() {
                continue;
            }
            if queries.len() < columns.len() {
                queries.resize(columns.len(), Query::default());
            }
            self.score(&mut columns, &mut queries);
            let mut start = 0;
            for end in ends.drain(..) {
                scores.push(sum(&columns[start + 1..end]));
                start = end;
            }
            columns.clear();
        }
        scores
    }

    /// Columns of a sentence with what unigrams say.
    fn fill(&self, columns: &mut [Column], words: &[WordId]) {
        let Some((first, rest)) = columns.split_first_mut() else {
            return;
        };
        first.word = GAP;
        first.key = WordId::BOS.raw();
        for (column, &word) in rest.iter_mut().zip(words.iter().chain(&[WordId::EOS])) {
            let word = self.canonical(word);
            *column = Column {
                word,
                key: word,
                found: 1,
                node: word,
                ln: 0.0,
            };
        }
    }

    fn score(&self, columns: &mut [Column], queries: &mut [Query]) {
        let mut count = 0;
        if self.levels.len() > 1 {
            for at in 1..columns.len() {
                if columns[at].word != GAP {
                    queries[count] = Query {
                        column: at as u32,
                        context: columns[at - 1].key,
                        ..Query::default()
                    };
                    count += 1;
                }
            }
        }
        let mut depth = 1;
        while count > 0 {
            self.open(depth, columns, &mut queries[..count]);
            count = self.layer(depth, columns, queries, count);
            depth += 1;
        }
        self.add_log_probs(columns);
    }

    /// Adds what the longest n-grams found say.
    fn add_log_probs(&self, columns: &mut [Column]) {
        for column in columns {
            if column.word != GAP {
                let level = self.levels.get(column.found.wrapping_sub(1) as usize);
                let ln = level.map_or(f32::NEG_INFINITY, |level| {
                    level.log_probs.get(column.node as usize)
                });
                column.ln += f64::from(ln);
            }
        }
    }

    /// Finds the children of all contexts of words that may be among them.
    fn open(&self, depth: usize, columns: &[Column], queries: &mut [Query]) {
        if depth > 1 {
            for query in queries.iter() {
                self.levels[depth - 1]
                    .children
                    .ask_bits(query.context as usize);
            }
        }
        for query in queries {
            if columns[query.column as usize].found == depth as u32 {
                let (start, end) = self.children(depth - 1, query.context);
                (query.start, query.end) = (start as u32, end as u32);
                self.levels[depth].keys.ask(usize::midpoint(start, end));
            }
        }
    }

    /// One order; the answer is the number of look-ups that the next one needs.
    fn layer(
        &self,
        depth: usize,
        columns: &mut [Column],
        queries: &mut [Query],
        count: usize,
    ) -> usize {
        let (above, level) = (&self.levels[depth - 1], &self.levels[depth]);
        let mut next_count = 0;
        for at in 0..count {
            let query = queries[at];
            let column = query.column as usize;
            let (start, end) = (query.start as usize, query.end as usize);
            let Some(found) = level.keys.find(start, end, columns[column].key) else {
                columns[column].ln += f64::from(above.backoffs.get(query.context as usize));
                continue;
            };
            let known = &mut columns[column];
            known.node = found as u32;
            level.log_probs.ask(found);
            level.backoffs.ask(found);
            level.children.ask_mark(found);
            known.key = (found - start) as u32;
            known.found = depth as u32 + 1;
            let follower = columns.get(column + 1).map_or(GAP, |column| column.word);
            queries[next_count] = Query {
                column: query.column + 1,
                context: found as u32,
                ..Query::default()
            };
            next_count += usize::from(follower != GAP && depth + 1 < self.levels.len());
        }
        next_count
    }
}

fn sum(columns: &[Column]) -> LogProb {
    LogProb::from_ln(columns.iter().map(|column| column.ln).sum())
}
