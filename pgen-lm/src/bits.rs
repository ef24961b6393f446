//! Numbers in few bits.

/// Writes numbers bit by bit, the lowest bits first.
#[derive(Debug, Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl BitWriter {
    /// Writes the low `width` bits of a number; at most 32.
    pub(crate) fn bits(&mut self, value: u32, width: u32) {
        self.pending |= u64::from(value) << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// A number in 2⌊log₂(value + 1)⌋ + 1 bits (Elias gamma of value + 1).
    pub(crate) fn gamma(&mut self, value: u32) {
        let value = u64::from(value) + 1;
        let width = value.ilog2();
        self.zeros_and_one(width);
        self.bits((value - (1 << width)) as u32, width);
    }

    /// A number as its part above `low` bits in unary and those bits (Golomb-Rice).
    pub(crate) fn rice(&mut self, value: u32, low: u32) {
        self.zeros_and_one(value >> low);
        self.bits(value & ((1 << low) - 1), low);
    }

    fn zeros_and_one(&mut self, mut zeros: u32) {
        while zeros >= 32 {
            self.bits(0, 32);
            zeros -= 32;
        }
        self.bits(1 << zeros.min(31), zeros + 1);
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push(self.pending as u8);
        }
        self.bytes
    }
}

/// Reads what [`BitWriter`] wrote; beyond the end, zeros, and [`BitReader::is_sound`] turns false.
#[derive(Debug)]
pub(crate) struct BitReader<'a> {
    rest: &'a [u8],
    pending: u64,
    count: u32,
    sound: bool,
}

impl<'a> BitReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        BitReader {
            rest: bytes,
            pending: 0,
            count: 0,
            sound: true,
        }
    }

    /// False once something was asked for beyond the end or a code was none.
    pub(crate) fn is_sound(&self) -> bool {
        self.sound
    }

    /// True if all was read and only zeros fill the last byte.
    pub(crate) fn is_finished(&self) -> bool {
        self.sound && self.rest.is_empty() && self.count < 8 && self.pending == 0
    }

    /// Makes at least 32 bits ready, as far as there are any.
    #[inline]
    fn fill(&mut self) {
        if self.count >= 32 {
            return;
        }
        if let Some((word, rest)) = self.rest.split_first_chunk::<4>() {
            self.pending |= u64::from(u32::from_le_bytes(*word)) << self.count;
            self.count += 32;
            self.rest = rest;
            return;
        }
        while let Some((&byte, rest)) = self.rest.split_first() {
            self.pending |= u64::from(byte) << self.count;
            self.count += 8;
            self.rest = rest;
        }
    }

    #[inline]
    fn take(&mut self, width: u32) {
        self.sound &= width <= self.count;
        self.pending >>= width;
        self.count = self.count.saturating_sub(width);
    }

    /// A number of `width` bits; at most 32.
    #[inline]
    pub(crate) fn bits(&mut self, width: u32) -> u32 {
        self.fill();
        let value = self.pending & ((1 << width) - 1);
        self.take(width);
        value as u32
    }

    /// The inverse of [`BitWriter::gamma`].
    #[inline]
    pub(crate) fn gamma(&mut self) -> u32 {
        let width = self.zeros_and_one(32);
        let value = (1u64 << width) + u64::from(self.bits(width)) - 1;
        u32::try_from(value).unwrap_or_else(|_| {
            self.sound = false;
            0
        })
    }

    /// The inverse of [`BitWriter::rice`].
    #[inline]
    pub(crate) fn rice(&mut self, low: u32) -> u32 {
        let high = u64::from(self.zeros_and_one(u32::MAX >> low));
        let low_bits = u64::from(self.bits(low));
        (high << low | low_bits) as u32
    }

    /// Number of zeros before a one; not sound if more than `most`.
    #[inline]
    fn zeros_and_one(&mut self, most: u32) -> u32 {
        let mut zeros = 0u32;
        loop {
            self.fill();
            if self.pending != 0 {
                let more = self.pending.trailing_zeros();
                zeros = zeros.saturating_add(more);
                self.take(more + 1);
                break;
            }
            zeros = zeros.saturating_add(self.count);
            self.take(self.count);
            if self.rest.is_empty() {
                self.sound = false;
                break;
            }
        }
        if zeros > most {
            self.sound = false;
            return 0;
        }
        zeros
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::SplitMix64;

    #[test]
    fn numbers_come_out_as_they_went_in() {
        let mut rng = SplitMix64::new(1);
        let numbers: Vec<(u32, u32)> = (0..5_000)
            .map(|_| {
                let width = rng.below(33) as u32;
                (rng.below(1 << width) as u32, width)
            })
            .collect();
        let mut writer = BitWriter::default();
        for &(value, width) in &numbers {
            writer.bits(value, width);
            writer.gamma(value);
            writer.rice(value, width.saturating_sub(4).min(31));
        }
        writer.gamma(u32::MAX);
        writer.rice(100, 0);
        let bytes = writer.finish();
        let mut reader = BitReader::new(&bytes);
        for &(value, width) in &numbers {
            assert_eq!(reader.bits(width), value);
            assert_eq!(reader.gamma(), value);
            assert_eq!(reader.rice(width.saturating_sub(4).min(31)), value);
        }
        assert_eq!((reader.gamma(), reader.rice(0)), (u32::MAX, 100));
        assert!(reader.is_sound() && reader.is_finished());
        reader.bits(32);
        assert!(!reader.is_sound());
    }

    #[test]
    fn any_bytes_are_read_without_harm() {
        let mut rng = SplitMix64::new(2);
        for length in 0..200 {
            let bytes: Vec<u8> = (0..length).map(|_| rng.below(3) as u8 * 127).collect();
            let mut reader = BitReader::new(&bytes);
            for step in 0..300 {
                match step % 3 {
                    0 => reader.gamma(),
                    1 => reader.rice(step / 10),
                    _ => reader.bits(step % 33),
                };
            }
            assert!(!reader.is_sound());
        }
    }
}
