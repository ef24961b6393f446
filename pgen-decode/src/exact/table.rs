//! A set of numbered things, found by their contents; the things live elsewhere.

use hashbrown::HashTable;
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
        self.0 ^ (self.0 >> 29)
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

/// Numbers with their hashes.
#[derive(Debug, Default)]
pub(super) struct Index(HashTable<(u64, u32)>);

impl Index {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The number with this hash for which `same` holds, or `new`, which joins the index.
    #[inline]
    pub(super) fn find_or_insert(
        &mut self,
        hash: u64,
        new: u32,
        mut same: impl FnMut(u32) -> bool,
    ) -> u32 {
        let equal = |&(known, id): &(u64, u32)| known == hash && same(id);
        match self.0.entry(hash, equal, |&(hash, _)| hash) {
            hashbrown::hash_table::Entry::Occupied(found) => found.get().1,
            hashbrown::hash_table::Entry::Vacant(room) => {
                room.insert((hash, new));
                new
            }
        }
    }
}
