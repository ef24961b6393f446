//! What will be read is asked for in time, so that waits for memory overlap.
//!
//! An instruction fetches a line of memory without waiting for it and without any effect but on time; on
//! processors without one nothing happens.

use super::{FastModel, HASHED, HEADER, slot};
use pgen_core::WordId;
use prefetch_index::prefetch_index;

/// From a line's first word to the next line's.
const LINE: usize = 16;

impl FastModel {
    /// Asks for the beginning of a state's table: its head, and all or most of a small table.
    #[inline]
    pub(super) fn ask_head(&self, state: u32) {
        prefetch_index(&self.arena, state as usize);
        prefetch_index(&self.arena, state as usize + LINE - 1);
    }

    /// Asks for the place where a word would be; reads the head.
    #[inline]
    pub(super) fn ask_slot(&self, state: u32, word: u32) {
        let state = state as usize;
        let size = self.arena.get(state + 2).copied().unwrap_or(0);
        if size & HASHED != 0 {
            let place = 3 * slot(word, size & !HASHED) as usize;
            prefetch_index(&self.arena, state + HEADER + place);
        }
    }

    /// As [`ask_slot`](Self::ask_slot) for many words, as they come from outside.
    #[inline]
    pub(super) fn ask_slots(&self, state: u32, words: &[WordId]) {
        let state = state as usize;
        let size = self.arena.get(state + 2).copied().unwrap_or(0);
        if size & HASHED != 0 {
            for &word in words {
                let place = 3 * slot(self.canonical(word), size & !HASHED) as usize;
                prefetch_index(&self.arena, state + HEADER + place);
            }
        }
    }
}
