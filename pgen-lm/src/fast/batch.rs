//! Many sentences at once: their look-ups are interleaved, so that waiting for memory overlaps.

use super::{FastModel, HASHED, HEADER, slot};
use pgen_core::{LogProb, WordId};

/// Sentences in flight.
const LANES: usize = 32;

/// A sentence in flight.
#[derive(Clone, Copy, Debug, Default)]
struct Lane {
    /// Which sentence.
    sentence: usize,
    /// Which of its words comes next; its length stands for `</s>`.
    at: usize,
    word: u32,
    state: u32,
    sum: f64,
}

impl FastModel {
    /// ln P of each sentence, `</s>` included, as [`sentence`](pgen_core::LanguageModel::sentence) gives it,
    /// bit for bit.
    ///
    /// Thirty-two sentences advance in turn. Each turn first reads what all of them need, without deciding
    /// anything, so the processor fetches it at once; this is as near to prefetching as safe code gets.
    #[must_use]
    pub fn sentences<S: AsRef<[WordId]>>(&self, sentences: &[S]) -> Vec<LogProb> {
        let mut scores = vec![LogProb::ONE; sentences.len()];
        let mut lanes = [Lane::default(); LANES];
        let mut active = 0;
        let mut waiting = 0..sentences.len();
        while active < LANES
            && let Some(sentence) = waiting.next()
        {
            lanes[active] = self.lane(sentence, sentences[sentence].as_ref());
            active += 1;
        }
        while active > 0 {
            self.touch(&lanes[..active]);
            let mut at = 0;
            while at < active {
                let lane = &mut lanes[at];
                let words = sentences[lane.sentence].as_ref();
                if !self.turn(lane, words) {
                    at += 1;
                    continue;
                }
                scores[lane.sentence] = LogProb::from_ln(lane.sum);
                match waiting.next() {
                    Some(next) => {
                        *lane = self.lane(next, sentences[next].as_ref());
                        at += 1;
                    }
                    None => {
                        active -= 1;
                        lanes[at] = lanes[active];
                    }
                }
            }
        }
        scores
    }

    fn lane(&self, sentence: usize, words: &[WordId]) -> Lane {
        Lane {
            sentence,
            at: 0,
            word: self.word_at(words, 0),
            state: self.start,
            sum: 0.0,
        }
    }

    #[inline]
    fn word_at(&self, words: &[WordId], at: usize) -> u32 {
        self.canonical(words.get(at).copied().unwrap_or(WordId::EOS))
    }

    /// Reads the tables' heads, then the places where the words would be.
    #[inline]
    fn touch(&self, lanes: &[Lane]) {
        let read = |at: usize| self.arena.get(at).copied().unwrap_or(0);
        let mut sizes = [0u32; LANES];
        for (size, lane) in sizes.iter_mut().zip(lanes) {
            *size = read(lane.state as usize + 2);
        }
        let mut seen = 0;
        for (&size, lane) in sizes.iter().zip(lanes) {
            let place = slot(lane.word, size & !HASHED) as usize * 3;
            let offset = if size & HASHED == 0 { 0 } else { place };
            seen ^= read(lane.state as usize + HEADER + offset);
        }
        std::hint::black_box(seen);
    }

    /// One look-up; true when the sentence is complete.
    #[inline]
    fn turn(&self, lane: &mut Lane, words: &[WordId]) -> bool {
        let (hit, suffix, weight) = self.look(lane.state, lane.word);
        let Some((log_prob, next)) = hit else {
            lane.sum += f64::from(weight);
            lane.state = suffix;
            return false;
        };
        lane.sum += f64::from(log_prob);
        lane.state = next;
        lane.at += 1;
        if lane.at > words.len() {
            return true;
        }
        lane.word = self.word_at(words, lane.at);
        false
    }
}
