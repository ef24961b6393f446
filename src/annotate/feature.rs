//! Feature keys: a template number and up to four values, hashed to 32 bits by a fixed function.

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
const FINISHER: u64 = 0xD6E8_FEB8_6659_FD93;

/// A 32-bit hash of up to four values under a template number. Part of the file format.
#[inline]
fn key(template: u64, first: u64, second: u64) -> u32 {
    let mut hash = (first ^ template.wrapping_mul(FINISHER)).wrapping_mul(MULTIPLIER);
    hash = (hash ^ (hash >> 32) ^ second.rotate_left(17)).wrapping_mul(FINISHER);
    ((hash ^ (hash >> 29)).wrapping_mul(MULTIPLIER) >> 32) as u32
}

/// A 64-bit hash of two values, for memory within a sentence.
#[inline]
pub(crate) fn signature(first: u64, second: u64) -> u64 {
    let mixed = (first ^ second.wrapping_mul(FINISHER).rotate_left(32)).wrapping_mul(MULTIPLIER);
    (mixed ^ (mixed >> 32)).wrapping_mul(FINISHER)
}

/// Two values as one.
#[inline]
pub(crate) fn pair(first: u32, second: u32) -> u32 {
    key(0, (u64::from(first) << 32) | u64::from(second), 1)
}

/// The hash of a spelling (FNV-1a, folded). Part of the file format.
pub(crate) fn spelling(text: &str) -> u32 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    }
    (hash ^ (hash >> 32)) as u32
}

/// Collects feature keys; each call takes the next template number, so the order of calls is the set of
/// templates.
#[derive(Debug)]
pub(crate) struct Features<'a> {
    keys: &'a mut Vec<u32>,
    template: u64,
}

impl<'a> Features<'a> {
    /// Begins an empty list with templates from `first`.
    pub(crate) fn new(keys: &'a mut Vec<u32>, first: u64) -> Self {
        keys.clear();
        Self::more(keys, first)
    }

    /// Goes on after what the list holds.
    pub(crate) fn more(keys: &'a mut Vec<u32>, first: u64) -> Self {
        Features {
            keys,
            template: first,
        }
    }

    #[inline]
    pub(crate) fn one(&mut self, a: u32) {
        self.put(u64::from(a), 0);
    }

    #[inline]
    pub(crate) fn two(&mut self, a: u32, b: u32) {
        self.put((u64::from(a) << 32) | u64::from(b), 0);
    }

    #[inline]
    pub(crate) fn three(&mut self, a: u32, b: u32, c: u32) {
        self.put((u64::from(a) << 32) | u64::from(b), u64::from(c));
    }

    #[inline]
    pub(crate) fn four(&mut self, a: u32, b: u32, c: u32, d: u32) {
        let second = (u64::from(c) << 32) | u64::from(d);
        self.put((u64::from(a) << 32) | u64::from(b), second);
    }

    #[inline]
    fn put(&mut self, first: u64, second: u64) {
        self.template += 1;
        self.keys.push(key(self.template, first, second));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_frozen() {
        // Model files hold these keys: a change here is a new format version.
        assert_eq!(spelling("word"), 1_177_600_971);
        assert_eq!(key(3, 5, 7), 2_535_788_471);
        assert_eq!(pair(1, 2), 342_704_760);
    }

    #[test]
    fn near_values_have_far_keys() {
        let mut keys: Vec<u32> = (0..1 << 16).map(|i| pair(i & 255, i >> 8)).collect();
        keys.sort_unstable();
        keys.dedup();
        assert!(keys.len() > (1 << 16) - 4);
    }
}
