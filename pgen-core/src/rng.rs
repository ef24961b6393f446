//! SplitMix64 (Steele, Lea & Flood 2014): a small seeded generator whose stream is part of pgen's
//! promise. The same seed gives the same choices on every machine and in every release.

/// A seeded generator. Not for secrets.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A generator from a seed; any seed is as good as any other.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        SplitMix64 { state: seed }
    }

    /// An independent stream for item `index` under one seed, so that results do not depend on the
    /// order in which threads take items.
    #[must_use]
    pub fn stream(seed: u64, index: u64) -> Self {
        let mut seeder = SplitMix64::new(seed ^ index.wrapping_mul(0xD134_2543_DE82_EF95));
        SplitMix64::new(seeder.next_u64())
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// A position in a slice of this length; `None` if it is empty.
    pub fn index(&mut self, length: usize) -> Option<usize> {
        (length > 0).then(|| self.below(length as u64) as usize)
    }

    /// A number in `[0, 1)` with 53 random bits.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Shuffles in place (Fisher–Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1) as usize;
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_frozen() {
        // The reference stream of the published algorithm for seed 1234567.
        let mut rng = SplitMix64::new(1_234_567);
        assert_eq!(rng.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(rng.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn bounds_hold() {
        let mut rng = SplitMix64::new(7);
        assert!((0..1000).all(|_| rng.below(3) < 3));
        assert!((0..1000).all(|_| (0.0..1.0).contains(&rng.unit())));
        assert_eq!((rng.below(0), rng.index(0)), (0, None));
    }
}
