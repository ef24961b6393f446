//! Many sentences at once: their look-ups are interleaved, so that waiting for memory overlaps.

use super::FastModel;
use pgen_core::{LogProb, WordId};
use prefetch_index::prefetch_index;

/// Sentences in flight.
const LANES: usize = 32;
/// How many turns before it is needed the place in a table is asked for; its head is by then there.
const AHEAD: usize = 8;
/// How many sentences before it begins a sentence is asked for.
const LATER: usize = 8;

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
    /// Thirty-two sentences advance in turn; what each needs next is asked for some turns before.
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
            let mut at = 0;
            while at < active {
                let ahead = match at + AHEAD {
                    ahead if ahead < active => ahead,
                    ahead => ahead % active,
                };
                self.ask_slot(lanes[ahead].state, lanes[ahead].word);
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
                        if let Some(later) = sentences.get(next + LATER) {
                            ask_sentence(later.as_ref());
                        }
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

    /// One look-up; true when the sentence is complete.
    #[inline]
    fn turn(&self, lane: &mut Lane, words: &[WordId]) -> bool {
        let (hit, suffix, weight) = self.look(lane.state, lane.word);
        let Some((log_prob, next)) = hit else {
            lane.sum += f64::from(weight);
            lane.state = suffix;
            self.ask_head(suffix);
            return false;
        };
        lane.sum += f64::from(log_prob);
        lane.state = next;
        self.ask_head(next);
        lane.at += 1;
        if lane.at > words.len() {
            return true;
        }
        lane.word = self.word_at(words, lane.at);
        false
    }
}

/// Asks for the first words of a sentence.
fn ask_sentence(words: &[WordId]) {
    const LINE: usize = 16;
    for line in 0..3 {
        prefetch_index(words, LINE * line);
    }
}
