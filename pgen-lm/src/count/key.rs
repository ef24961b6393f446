//! N-grams as numbers that sort as their words do.

/// Words of the longest n-grams.
pub(super) const MAX_ORDER: usize = 8;

/// Keys of one width. A word takes a fixed share of the bits as id + 1; 0 fills what a short n-gram lacks.
pub(super) enum Buffer {
    Narrow(Vec<u64>, u32),
    Middle(Vec<u128>, u32),
    Wide(Vec<[u32; MAX_ORDER]>),
}

impl Buffer {
    /// Narrow enough for speed, wide enough for two million words (order 8: 65,000).
    pub(super) fn for_order(order: usize) -> Self {
        match order {
            0..=3 => Buffer::Narrow(Vec::new(), (64 / order.max(2) as u32).min(32)),
            _ => Buffer::Middle(Vec::new(), 128 / order as u32),
        }
    }

    pub(super) fn widest() -> Self {
        Buffer::Wide(Vec::new())
    }

    /// An empty buffer of the same width.
    pub(super) fn widest_if(other: &Buffer) -> Self {
        match other {
            Buffer::Narrow(_, bits) => Buffer::Narrow(Vec::new(), *bits),
            Buffer::Middle(_, bits) => Buffer::Middle(Vec::new(), *bits),
            Buffer::Wide(_) => Buffer::Wide(Vec::new()),
        }
    }

    pub(super) fn key_bytes(&self) -> usize {
        match self {
            Buffer::Narrow(..) => 8,
            Buffer::Middle(..) => 16,
            Buffer::Wide(_) => 4 * MAX_ORDER,
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Buffer::Narrow(keys, _) => keys.len(),
            Buffer::Middle(keys, _) => keys.len(),
            Buffer::Wide(keys) => keys.len(),
        }
    }

    pub(super) fn clear(&mut self) {
        match self {
            Buffer::Narrow(keys, _) => keys.clear(),
            Buffer::Middle(keys, _) => keys.clear(),
            Buffer::Wide(keys) => keys.clear(),
        }
    }

    /// Gives the memory back.
    pub(super) fn free(&mut self) {
        *self = Buffer::widest_if(self);
    }

    /// Adds an n-gram of at least one word; false if an id does not fit.
    #[inline]
    pub(super) fn push(&mut self, gram: &[u32]) -> bool {
        let fits = |bits: u32| gram.iter().all(|&word| (u64::from(word) + 1) >> bits == 0);
        match self {
            Buffer::Narrow(keys, bits) => {
                if !fits(*bits) {
                    return false;
                }
                let shift = |at: usize| 64 - *bits * (at as u32 + 1);
                let part = |(at, &word): (usize, &u32)| (u64::from(word) + 1) << shift(at);
                keys.push(gram.iter().enumerate().map(part).sum());
            }
            Buffer::Middle(keys, bits) => {
                if !fits(*bits) {
                    return false;
                }
                let shift = |at: usize| 128 - *bits * (at as u32 + 1);
                let part = |(at, &word): (usize, &u32)| (u128::from(word) + 1) << shift(at);
                keys.push(gram.iter().enumerate().map(part).sum());
            }
            Buffer::Wide(keys) => {
                let mut key = [0; MAX_ORDER];
                for (slot, &word) in key.iter_mut().zip(gram) {
                    *slot = word + 1;
                }
                keys.push(key);
            }
        }
        true
    }

    pub(super) fn sort(&mut self) {
        match self {
            Buffer::Narrow(keys, _) => sort(keys),
            Buffer::Middle(keys, _) => sort(keys),
            Buffer::Wide(keys) => sort(keys),
        }
    }

    /// Calls `each` for every distinct key of the sorted buffer.
    pub(super) fn for_each(&self, mut each: impl FnMut(&[u32], u64)) {
        let mut words = [0; MAX_ORDER];
        match self {
            Buffer::Narrow(keys, bits) => {
                let mask = u64::MAX >> (64 - *bits);
                for group in keys.chunk_by(|a, b| a == b) {
                    let part = |at: u32| (group[0] >> (64 - *bits * (at + 1)) & mask) as u32;
                    each(unpack(&mut words, 64 / *bits, part), group.len() as u64);
                }
            }
            Buffer::Middle(keys, bits) => {
                let mask = u128::MAX >> (128 - *bits);
                for group in keys.chunk_by(|a, b| a == b) {
                    let part = |at: u32| (group[0] >> (128 - *bits * (at + 1)) & mask) as u32;
                    each(unpack(&mut words, 128 / *bits, part), group.len() as u64);
                }
            }
            Buffer::Wide(keys) => {
                for group in keys.chunk_by(|a, b| a == b) {
                    let part = |at: u32| group[0][at as usize];
                    each(
                        unpack(&mut words, MAX_ORDER as u32, part),
                        group.len() as u64,
                    );
                }
            }
        }
    }
}

/// The words of a key, up to the first gap.
fn unpack(words: &mut [u32; MAX_ORDER], parts: u32, part: impl Fn(u32) -> u32) -> &[u32] {
    let mut length = 0;
    while length < parts as usize {
        match part(length as u32).checked_sub(1) {
            Some(word) => words[length] = word,
            None => break,
        }
        length += 1;
    }
    &words[..length]
}

#[cfg(feature = "parallel")]
fn sort<K: Ord + Send>(keys: &mut [K]) {
    use rayon::slice::ParallelSliceMut;
    keys.par_sort_unstable();
}

#[cfg(not(feature = "parallel"))]
fn sort<K: Ord>(keys: &mut [K]) {
    keys.sort_unstable();
}
