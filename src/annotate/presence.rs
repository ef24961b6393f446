//! Which feature keys may have weights: a bit each, small enough to stay in a cache where the weights
//! themselves are too many (Bloom 1970, with one hash function).

/// A bit for every value of a key's upper bits. Never wrong about keys that are there; one in ten or
/// fewer of the others passes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Presence {
    bits: Vec<u64>,
    shift: u32,
}

/// Bits for each key, at least.
const SPARSITY: usize = 10;

impl Presence {
    /// Knows these keys. About 16 bits a key.
    pub(crate) fn new(count: usize, keys: impl Iterator<Item = u32>) -> Self {
        let bits = count
            .saturating_mul(SPARSITY)
            .max(64)
            .next_power_of_two()
            .trailing_zeros()
            .min(32);
        let mut presence = Presence {
            bits: vec![0; 1 << (bits - 6)],
            shift: 32 - bits,
        };
        for key in keys {
            let at = presence.place(key);
            if let Some(word) = presence.bits.get_mut(at >> 6) {
                *word |= 1 << (at & 63);
            }
        }
        presence
    }

    #[inline]
    fn place(&self, key: u32) -> usize {
        // 32 bits of index would be a shift by 0; one bit alone never occurs.
        (u64::from(key) >> self.shift) as usize
    }

    /// Moves the keys that may be known to the front, in their order; how many they are.
    #[inline]
    pub(crate) fn sift(&self, keys: &mut [u32]) -> usize {
        let mut kept = 0;
        for at in 0..keys.len() {
            let key = keys[at];
            let place = self.place(key);
            // Without a branch: whether a feature is known is as good as random.
            let word = self.bits.get(place >> 6).copied().unwrap_or(0);
            keys[kept] = key;
            kept += (word >> (place & 63) & 1) as usize;
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::SplitMix64;

    #[test]
    fn known_keys_pass_in_order_and_few_others_do() {
        let mut rng = SplitMix64::new(3);
        let mut draw =
            |count: usize| -> Vec<u32> { (0..count).map(|_| rng.below(1 << 32) as u32).collect() };
        for count in [0, 1, 7, 5_000] {
            let (known, others) = (draw(count), draw(10_000));
            let presence = Presence::new(known.len(), known.iter().copied());
            let mut keys = known.clone();
            assert_eq!(presence.sift(&mut keys), known.len());
            assert_eq!(keys, known);
            let mut keys = others;
            let passed = presence.sift(&mut keys);
            assert!(passed <= 1_200, "{passed} of 10,000 beside {count}");
        }
    }
}
