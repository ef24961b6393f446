//! Queries on the fast layout.

use super::{FastModel, HASHED, HEADER, LINEAR, State, slot};
use crate::bounds::excess;
use pgen_core::{LanguageModel, LogProb, RowHit, WordId};

/// A state's next words.
#[derive(Clone, Copy)]
enum Table<'a> {
    /// Words, then values.
    Linear(&'a [u32], &'a [u32]),
    Hashed(&'a [u32], u32),
}

impl<'a> Table<'a> {
    /// Where a word stands: its number, or its slot.
    fn place(self, word: u32) -> Option<usize> {
        match self {
            Table::Linear(words, _) => words.iter().position(|&key| key == word),
            Table::Hashed(table, slots) => {
                let mut at = slot(word, slots) as usize;
                loop {
                    // Words ascend along the way, and a free slot is the largest.
                    let key = *table.get(3 * at)?;
                    if key >= word {
                        return (key == word).then_some(at);
                    }
                    at = if at + 1 == slots as usize { 0 } else { at + 1 };
                }
            }
        }
    }

    #[inline]
    fn find(self, word: u32) -> Option<(f32, u32)> {
        match self {
            Table::Linear(words, values) => {
                let at = words.iter().position(|&key| key == word)?;
                let value = values.get(2 * at..2 * at + 2)?;
                Some((f32::from_bits(value[0]), value[1]))
            }
            Table::Hashed(table, slots) => {
                let mut at = slot(word, slots) as usize;
                loop {
                    let entry = table.get(3 * at..3 * at + 3)?;
                    if entry[0] >= word {
                        let value = (f32::from_bits(entry[1]), entry[2]);
                        return (entry[0] == word).then_some(value);
                    }
                    at = if at + 1 == slots as usize { 0 } else { at + 1 };
                }
            }
        }
    }

    /// Reports the hits among ascending words: place of the word, ln P, next state.
    #[inline]
    fn row(
        self,
        words: &[WordId],
        canonical: impl Fn(WordId) -> u32,
        mut hit: impl FnMut(usize, f32, u32),
    ) {
        match self {
            // Several of the words may be `<unk>` to the model: then each must be asked.
            Table::Linear(keys, values) if keys.first() != Some(&WordId::UNK.raw()) => {
                for (&key, value) in keys.iter().zip(values.chunks_exact(2)) {
                    // Counting takes no branch that could be guessed wrong.
                    let smaller = words.iter().map(|word| u32::from(word.raw() < key));
                    let at = smaller.sum::<u32>() as usize;
                    if words.get(at).is_some_and(|word| word.raw() == key) {
                        hit(at, f32::from_bits(value[0]), value[1]);
                    }
                }
            }
            table => {
                for (at, &word) in words.iter().enumerate() {
                    if let Some((log_prob, next)) = table.find(canonical(word)) {
                        hit(at, log_prob, next);
                    }
                }
            }
        }
    }
}

impl FastModel {
    /// The order: words of the longest n-grams.
    #[must_use]
    pub fn order(&self) -> usize {
        self.counts.len()
    }

    /// Number of n-grams of each order.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Length of the vocabulary that the model was made with.
    #[must_use]
    pub fn vocabulary(&self) -> usize {
        self.unigrams.len()
    }

    /// True if the word is a unigram of the model.
    #[must_use]
    pub fn knows(&self, word: WordId) -> bool {
        let block = self.known.get(word.index() / 64).copied().unwrap_or(0);
        block >> (word.raw() % 64) & 1 == 1
    }

    /// Bytes of memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let after = &self.after;
        4 * (self.arena.len() + self.canonical.len() + self.bounds.len())
            + 4 * (after.unlisted.len() + after.starts.len())
            + after.codes.len()
            + 8 * (self.unigrams.len() + self.known.len())
    }

    #[inline]
    pub(super) fn canonical(&self, word: WordId) -> u32 {
        if self.canonical.is_empty() {
            let inside = word.index() < self.unigrams.len();
            return if inside {
                word.raw()
            } else {
                WordId::UNK.raw()
            };
        }
        self.canonical.get(word.index()).copied().unwrap_or(0)
    }

    #[inline]
    pub(super) fn unigram(&self, word: u32) -> (f32, u32) {
        let found = self.unigrams.get(word as usize);
        found.copied().unwrap_or((f32::NEG_INFINITY, 0))
    }

    /// A state's suffix, its back-off weight and its next words.
    #[inline]
    fn open(&self, state: u32) -> (u32, f32, Table<'_>) {
        let Some((header, rest)) = self
            .arena
            .get(state as usize..)
            .and_then(|table| table.split_at_checked(HEADER))
        else {
            return (0, 0.0, Table::Linear(&[], &[]));
        };
        let size = header[2];
        let table = if size & HASHED == 0 {
            let size = (size as usize).min(rest.len() / 3);
            let (words, values) = rest.split_at(size);
            Table::Linear(words, &values[..2 * size])
        } else {
            Table::Hashed(rest, size & !HASHED)
        };
        (header[0], f32::from_bits(header[1]), table)
    }

    /// Where a word stands in a state's table.
    pub(super) fn place_of(&self, state: u32, word: u32) -> Option<usize> {
        self.open(state).2.place(word)
    }

    /// The bound of a word after a previous one, both canonical; infinite if there is none but the word's.
    fn bound_after(&self, previous: u32, word: u32) -> f64 {
        let (log_prob, _) = self.unigram(word);
        let state = self.unigram(previous).1;
        let unlisted = |gain: Option<&f32>| match gain {
            Some(&gain) => f64::from(log_prob) + f64::from(gain),
            None => f64::INFINITY,
        };
        let gain = self.after.unlisted.get(previous as usize);
        if state == 0 {
            return unlisted(gain);
        }
        let table = self.open(state).2;
        let (Some(at), Some((bigram, _))) = (table.place(word), table.find(word)) else {
            return unlisted(gain);
        };
        let start = self.after.starts.get(previous as usize);
        let code = start.and_then(|&start| self.after.codes.get(start as usize + at));
        f64::from(bigram) + code.map_or(f64::INFINITY, |&code| excess(code))
    }

    /// One look at one state: the hit, or else the suffix state and the weight to it. The empty state
    /// always hits. Small tables are searched without a branch on where the word is: among independent
    /// look-ups a wrong guess costs more than the comparisons.
    #[inline]
    pub(super) fn look(&self, state: u32, word: u32) -> (Option<(f32, u32)>, u32, f32) {
        if state == 0 {
            return (Some(self.unigram(word)), 0, 0.0);
        }
        let table = self.arena.get(state as usize..).unwrap_or(&[]);
        let Some(head) = table.first_chunk::<{ HEADER + LINEAR }>() else {
            return (None, 0, 0.0);
        };
        let (suffix, weight, size) = (head[0], f32::from_bits(head[1]), head[2]);
        if size & HASHED != 0 {
            let entries = Table::Hashed(&table[HEADER..], size & !HASHED);
            return (entries.find(word), suffix, weight);
        }
        let keys = head[HEADER..].iter();
        let equal = keys.fold(0u32, |bits, &key| bits >> 1 | u32::from(key == word) << 7);
        let found = equal & ((1 << size.min(8)) - 1);
        let at = HEADER + (size + 2 * found.trailing_zeros()) as usize;
        match table.get(at..at + 2) {
            Some(value) if found != 0 => {
                (Some((f32::from_bits(value[0]), value[1])), suffix, weight)
            }
            _ => (None, suffix, weight),
        }
    }

    #[inline]
    pub(super) fn step(&self, state: u32, word: u32) -> (u32, f64) {
        let mut state = state;
        let mut sum = 0.0;
        while state != 0 {
            let (suffix, weight, table) = self.open(state);
            if let Some((log_prob, next)) = table.find(word) {
                return (next, sum + f64::from(log_prob));
            }
            sum += f64::from(weight);
            state = suffix;
        }
        let (log_prob, next) = self.unigram(word);
        (next, sum + f64::from(log_prob))
    }
}

impl LanguageModel for FastModel {
    type State = State;

    #[inline]
    fn start(&self) -> State {
        State(self.start)
    }

    #[inline]
    fn null(&self) -> State {
        State(0)
    }

    #[inline]
    fn advance(&self, state: &State, word: WordId) -> (State, LogProb) {
        let (next, ln) = self.step(state.0, self.canonical(word));
        (State(next), LogProb::from_ln(ln))
    }

    fn phrase(&self, state: &State, words: &[WordId]) -> (State, LogProb) {
        let mut state = state.0;
        let mut sum = 0.0;
        for &word in words {
            let (next, ln) = self.step(state, self.canonical(word));
            state = next;
            sum += ln;
        }
        (State(state), LogProb::from_ln(sum))
    }

    fn sentence(&self, words: &[WordId]) -> LogProb {
        self.layered_sentence(words)
    }

    fn row(
        &self,
        state: &State,
        words: &[WordId],
        hits: &mut Vec<RowHit<State>>,
    ) -> Option<(State, LogProb)> {
        let mut hit = |at: usize, log_prob: f32, next: u32| {
            hits.push(RowHit {
                at: at as u32,
                next: State(next),
                log_prob: LogProb::from_ln(f64::from(log_prob)),
            });
        };
        if state.0 == 0 {
            for (at, &word) in words.iter().enumerate() {
                let (log_prob, next) = self.unigram(self.canonical(word));
                hit(at, log_prob, next);
            }
            return None;
        }
        if let [word] = *words {
            let (found, suffix, weight) = self.look(state.0, self.canonical(word));
            if let Some((log_prob, next)) = found {
                hit(0, log_prob, next);
            }
            return Some((State(suffix), LogProb::from_ln(f64::from(weight))));
        }
        let (suffix, weight, table) = self.open(state.0);
        table.row(words, |word| self.canonical(word), hit);
        Some((State(suffix), LogProb::from_ln(f64::from(weight))))
    }

    #[inline]
    fn back_off(&self, state: &State) -> Option<(State, LogProb)> {
        if state.0 == 0 {
            return None;
        }
        let (suffix, weight, _) = self.open(state.0);
        Some((State(suffix), LogProb::from_ln(f64::from(weight))))
    }

    fn is_nested(&self) -> bool {
        // `Ngrams` are closed.
        true
    }

    /// Costs an instruction or two a state, or a state and word; nothing is waited for but the heads of the
    /// states if there are words.
    #[inline]
    fn prefetch(&self, states: &[State], words: &[WordId]) {
        for state in states {
            if words.is_empty() {
                self.ask_head(state.0);
            }
            self.ask_slots(state.0, words);
        }
    }

    fn upper_bound(&self, word: WordId) -> LogProb {
        let bound = self.bounds.get(self.canonical(word) as usize);
        LogProb::from_ln(f64::from(bound.copied().unwrap_or(0.0)))
    }

    fn upper_bound_after(&self, previous: WordId, word: WordId) -> LogProb {
        let after = self.bound_after(self.canonical(previous), self.canonical(word));
        LogProb::from_ln(after.min(self.upper_bound(word).ln()))
    }
}
