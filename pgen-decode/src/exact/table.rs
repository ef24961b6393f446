//! A set of numbered things, found by their contents; the things live elsewhere.

use super::network::NONE;
use std::hash::{BuildHasher, Hash, Hasher};

/// A multiply-and-rotate hash: fast on small keys and the same on every machine. Not for hostile keys:
/// a bad key costs time, not correctness, and budgets bound that.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mix(u64);

impl Hasher for Mix {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct BuildMix;

impl BuildHasher for BuildMix {
    type Hasher = Mix;
    fn build_hasher(&self) -> Mix {
        Mix::default()
    }
}

#[inline]
pub(super) fn hash_of(key: impl Hash) -> u64 {
    BuildMix.hash_one(key)
}

/// A place in the index: the upper half of a hash, and the number with that hash or [`NONE`].
type Slot = (u32, u32);

/// Slots of an index that was never used.
const FEWEST: usize = 1 << 10;

/// Numbers with their hashes: open addressing in a table that is at most half full.
#[derive(Debug, Default)]
pub(super) struct Index {
    slots: Vec<Slot>,
    len: usize,
}

impl Index {
    /// Empties it. A table that was much too large is given back, so that one giant request does not
    /// slow down all later ones.
    pub(super) fn clear(&mut self) {
        let wanted = (self.len * 4).next_power_of_two().max(FEWEST);
        if self.slots.len() > wanted * 8 || self.slots.is_empty() {
            self.slots = vec![(0, NONE); wanted];
        } else {
            self.slots.fill((0, NONE));
        }
        self.len = 0;
    }

    /// The number with this hash for which `same` holds, or `new`, which joins the index.
    #[inline]
    pub(super) fn find_or_insert(
        &mut self,
        hash: u64,
        new: u32,
        mut same: impl FnMut(u32) -> bool,
    ) -> u32 {
        if self.len * 2 >= self.slots.len() {
            self.grow();
        }
        let tag = (hash >> 32) as u32;
        let mask = self.slots.len() - 1;
        let mut at = self.first(tag);
        loop {
            let slot = &mut self.slots[at & mask];
            if slot.1 == NONE {
                *slot = (tag, new);
                self.len += 1;
                return new;
            }
            if slot.0 == tag && same(slot.1) {
                return slot.1;
            }
            at += 1;
        }
    }

    /// Where the search for a tag begins.
    #[inline]
    fn first(&self, tag: u32) -> usize {
        ((u64::from(tag) * self.slots.len() as u64) >> 32) as usize
    }

    #[cold]
    fn grow(&mut self) {
        let wanted = (self.slots.len() * 2).max(FEWEST);
        let old = std::mem::replace(&mut self.slots, vec![(0, NONE); wanted]);
        let mask = wanted - 1;
        for slot in old.into_iter().filter(|slot| slot.1 != NONE) {
            let mut at = self.first(slot.0);
            while self.slots[at & mask].1 != NONE {
                at += 1;
            }
            self.slots[at & mask] = slot;
        }
    }
}
