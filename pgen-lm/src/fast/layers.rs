//! Whole sentences, order by order: within an order no look-up waits for another.

use super::{FREE, FastModel};
use pgen_core::{LogProb, WordId};

/// Words of a sentence scored without allocation, `<s>` and `</s>` included.
const SHORT: usize = 64;
/// A word and what is known of it so far.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    /// [`FREE`] for the `<s>` before a sentence, which is not scored.
    word: u32,
    /// The state after the longest n-gram found.
    next: u32,
    /// ln P by the orders so far.
    ln: f64,
}

/// A look-up to do: the word of a column after a state.
#[derive(Clone, Copy, Debug, Default)]
struct Query {
    column: u32,
    state: u32,
}

impl FastModel {
    /// As `sentence`. Top down, from the longest context, each look-up needs the state that the one before
    /// found. Bottom up, order n of a word needs only order n − 1 of the word before, so all words of a
    /// sentence are looked up in bigrams, then in trigrams and so on, and the processor overlaps the waits
    /// for memory.
    pub(super) fn layered_sentence(&self, words: &[WordId]) -> LogProb {
        let length = words.len() + 2;
        if length > SHORT {
            let mut columns = vec![Column::default(); length];
            let mut queries = vec![Query::default(); length];
            return self.in_columns(&mut columns, &mut queries, words);
        }
        let mut columns = [Column::default(); SHORT];
        let mut queries = [Query::default(); SHORT];
        self.in_columns(&mut columns[..length], &mut queries, words)
    }

    fn in_columns(
        &self,
        columns: &mut [Column],
        queries: &mut [Query],
        words: &[WordId],
    ) -> LogProb {
        self.fill(columns, words);
        self.score(columns, queries);
        let scored = columns.iter().skip(1);
        LogProb::from_ln(scored.map(|column| column.ln).sum())
    }

    /// Columns of a sentence with what unigrams say.
    #[inline]
    fn fill(&self, columns: &mut [Column], words: &[WordId]) {
        let Some((first, rest)) = columns.split_first_mut() else {
            return;
        };
        *first = Column {
            word: FREE,
            next: self.start,
            ln: 0.0,
        };
        for (column, &word) in rest.iter_mut().zip(words.iter().chain(&[WordId::EOS])) {
            let word = self.canonical(word);
            let (log_prob, next) = self.unigram(word);
            *column = Column {
                word,
                next,
                ln: f64::from(log_prob),
            };
        }
    }

    /// Looks all words up in bigrams, trigrams and so on, as long as there are contexts.
    fn score(&self, columns: &mut [Column], queries: &mut [Query]) {
        let mut count = 0;
        for at in 1..columns.len() {
            let state = columns[at - 1].next;
            queries[count] = Query {
                column: at as u32,
                state,
            };
            self.ask_head(state);
            count += usize::from(state != 0 && columns[at].word != FREE);
        }
        while count > 0 {
            for query in &queries[..count] {
                self.ask_slot(query.state, columns[query.column as usize].word);
            }
            count = self.layer(columns, queries, count);
        }
    }

    /// One order; the answer is the number of look-ups that the next one needs.
    #[inline]
    fn layer(&self, columns: &mut [Column], queries: &mut [Query], count: usize) -> usize {
        let mut next_count = 0;
        for at in 0..count {
            let Query { column, state } = queries[at];
            let column = column as usize;
            let (hit, _, weight) = self.look(state, columns[column].word);
            let Some((log_prob, next)) = hit else {
                columns[column].ln += f64::from(weight);
                continue;
            };
            // An n-gram that is no state leads where its suffix led: nothing new to ask then.
            let fresh = next != columns[column].next;
            columns[column].ln = f64::from(log_prob);
            columns[column].next = next;
            let follower = columns.get(column + 1).map_or(FREE, |column| column.word);
            queries[next_count] = Query {
                column: column as u32 + 1,
                state: next,
            };
            self.ask_head(next);
            next_count += usize::from(fresh && next != 0 && follower != FREE);
        }
        next_count
    }
}
