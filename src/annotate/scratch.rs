//! Scratch memory of an annotator, handed from call to call.

use super::look::Look;
use super::parser::Search;
use super::tagger::Context;
use std::sync::Mutex;

/// Memory for one sentence at a time.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) looks: Vec<Look>,
    pub(crate) context: Context,
    pub(crate) search: Search,
}

/// Scratch memories that no call uses. Says nothing of results, so clones begin without any.
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Vec<Scratch>>);

/// More at a time are not kept.
const MOST: usize = 64;

/// Memory of a longer sentence is not kept.
const LONGEST: usize = 1_000;

impl Clone for Pool {
    fn clone(&self) -> Self {
        Pool::default()
    }
}

impl Pool {
    /// Lends a scratch memory.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        // A call that panicked took its memory with it; what is left is sound.
        let lock = || {
            self.0
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner())
        };
        let taken = lock().pop();
        let mut scratch = taken.unwrap_or_default();
        let result = work(&mut scratch);
        if scratch.looks.capacity() <= LONGEST {
            let mut kept = lock();
            if kept.len() < MOST {
                kept.push(scratch);
            }
        }
        result
    }
}
