//! Numbers of few bits, and bit vectors with rank and select.

use pgen_core::Result;
use pgen_core::codec::{Cursor, Encoder};
use prefetch_index::prefetch_index;

/// Numbers of the same width, packed.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Packed {
    bits: u32,
    length: usize,
    blocks: Vec<u64>,
}

impl Packed {
    /// Packs numbers in as few bits as the largest needs.
    pub(crate) fn new(numbers: &[u32]) -> Self {
        let largest = numbers.iter().copied().max().unwrap_or(0);
        let bits = 32 - largest.leading_zeros();
        // One block more, so that a number's two blocks can be read without asking.
        let mut blocks = vec![0u64; (numbers.len() * bits as usize).div_ceil(64) + 1];
        for (at, &number) in numbers.iter().enumerate() {
            let bit = at * bits as usize;
            let wide = u128::from(number) << (bit % 64);
            blocks[bit / 64] |= wide as u64;
            if let Some(block) = blocks.get_mut(bit / 64 + 1) {
                *block |= (wide >> 64) as u64;
            }
        }
        Packed {
            bits,
            length: numbers.len(),
            blocks,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// The number at a position; 0 beyond the end.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> u32 {
        let bit = at * self.bits as usize;
        let Some(&[low, high]) = self.blocks.get(bit / 64..bit / 64 + 2) else {
            return 0;
        };
        let shift = bit % 64;
        let wide = low >> shift | high << 1 << (63 - shift);
        wide as u32 & ((1u64 << self.bits) - 1) as u32
    }

    /// Asks for the number at a position.
    #[inline]
    pub(crate) fn ask(&self, at: usize) {
        prefetch_index(&self.blocks, at * self.bits as usize / 64);
    }

    /// The position of a number among ascending ones.
    #[inline]
    pub(crate) fn find(&self, from: usize, to: usize, number: u32) -> Option<usize> {
        // Without branches on what is found, so that searches overlap.
        let (mut first, mut size) = (from, to.saturating_sub(from));
        while size > 1 {
            let half = size / 2;
            let beyond = self.get(first + half) <= number;
            first += if beyond { half } else { 0 };
            size -= half;
        }
        (size > 0 && self.get(first) == number).then_some(first)
    }

    pub(crate) fn bytes(&self) -> usize {
        8 * self.blocks.len()
    }

    pub(crate) fn write(&self, out: &mut Encoder) {
        out.u32(self.bits);
        out.u64(self.length as u64);
        out.u64s(&self.blocks);
    }

    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self> {
        let bits = cursor.u32()?;
        let length = usize::try_from(cursor.u64()?).unwrap_or(usize::MAX);
        let blocks = cursor.u64s()?;
        let needed = length
            .checked_mul(bits as usize)
            .map(|bits| bits.div_ceil(64) + 1);
        if bits > 32 || needed != Some(blocks.len()) {
            return Err(cursor.error("packed numbers have a wrong length"));
        }
        Ok(Packed {
            bits,
            length,
            blocks,
        })
    }
}

/// Bits in one entry of the rank directory, and its blocks.
const SPAN: usize = 512;
const BLOCKS: usize = SPAN / 64;
/// Zeros between two entries of their directory.
const SAMPLE: usize = 256;
/// Ones between two of which the place is kept.
const MARK: usize = 32;

/// How many children each node has, in unary: for each node a one, then a zero for each child; a one ends
/// it (Jacobson 1989). Takes nodes + children bits, 6 % for the directories and a bit a node for marks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Degrees {
    blocks: Vec<u64>,
    length: usize,
    /// Ones before each span.
    ranks: Vec<u32>,
    /// The span of every 256th one; of every 256th zero.
    ones: Vec<u32>,
    zeros: Vec<u32>,
    /// The bit of every 32nd one; empty if bits are too many for that.
    marks: Vec<u32>,
    /// First children as they are, where there are few nodes with many: see [`Degrees::with_starts`].
    starts: Vec<u32>,
}

impl Degrees {
    /// From first children, with one more entry for the end.
    pub(crate) fn new(starts: &[u32]) -> Self {
        let children = starts.last().copied().unwrap_or(0) as usize;
        let length = starts.len() + children;
        let mut blocks = vec![0u64; length.div_ceil(64)];
        for (node, &start) in starts.iter().enumerate() {
            let bit = node + start as usize;
            blocks[bit / 64] |= 1 << (bit % 64);
        }
        Self::index(blocks, length)
    }

    fn index(mut blocks: Vec<u64>, length: usize) -> Self {
        blocks.resize(length.div_ceil(SPAN) * BLOCKS, 0);
        let mut degrees = Degrees {
            length,
            ..Self::default()
        };
        let mut ones = 0usize;
        for (span, part) in blocks.chunks(BLOCKS).enumerate() {
            degrees.ranks.push(ones as u32);
            let inside: u32 = part.iter().map(|block| block.count_ones()).sum();
            let (before, after) = (ones, ones + inside as usize);
            let zeros_after = (span + 1) * SPAN - after;
            // The span in which the one (zero) of each multiple of 256 lies.
            while degrees.ones.len() * SAMPLE < after {
                degrees.ones.push(span as u32);
            }
            while degrees.zeros.len() * SAMPLE < zeros_after {
                degrees.zeros.push(span as u32);
            }
            debug_assert!(before <= after);
            ones = after;
        }
        degrees.blocks = blocks;
        if u32::try_from(length).is_ok() {
            degrees.mark();
        }
        degrees
    }

    fn mark(&mut self) {
        let mut ones = 0;
        for (at, &block) in self.blocks.iter().enumerate() {
            let mut rest = block;
            while rest != 0 {
                if ones % MARK == 0 {
                    self.marks.push((64 * at) as u32 + rest.trailing_zeros());
                }
                ones += 1;
                rest &= rest - 1;
            }
        }
    }

    /// Keeps first children uncoded too: for the level of unigrams, whose many children would be counted
    /// through at each look-up.
    pub(crate) fn with_starts(mut self) -> Self {
        let (nodes, children) = self.sizes();
        self.starts.clear();
        let firsts = (0..nodes).map(|node| self.children(node).0 as u32);
        let starts: Vec<u32> = firsts.chain([children as u32]).collect();
        self.starts = starts;
        self
    }

    /// Nodes and children.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        let ones: u32 = self.blocks.iter().map(|block| block.count_ones()).sum();
        let nodes = (ones as usize).saturating_sub(1);
        (nodes, self.length.saturating_sub(ones as usize))
    }

    /// Asks for where a node's bits are noted.
    #[inline]
    pub(crate) fn ask_mark(&self, node: usize) {
        prefetch_index(&self.marks, node / MARK);
    }

    /// Asks for a node's bits; reads where they are.
    #[inline]
    pub(crate) fn ask_bits(&self, node: usize) {
        if let Some(&mark) = self.marks.get(node / MARK) {
            prefetch_index(&self.blocks, mark as usize / 64);
        }
    }

    /// The children of a node, as positions in the next level.
    #[inline]
    pub(crate) fn children(&self, node: usize) -> (usize, usize) {
        if let Some(&[start, end]) = self.starts.get(node..node + 2) {
            return (start as usize, end as usize);
        }
        let Some(bit) = self.one(node) else {
            return (0, 0);
        };
        // The next one ends the run of zeros.
        let mut at = bit + 1;
        let mut block = self
            .blocks
            .get(at / 64)
            .map_or(0, |block| block >> (at % 64));
        if block != 0 {
            at += block.trailing_zeros() as usize;
        } else {
            at = (at / 64 + 1) * 64;
            loop {
                block = match self.blocks.get(at / 64) {
                    Some(&block) => block,
                    None => return (0, 0),
                };
                if block != 0 {
                    at += block.trailing_zeros() as usize;
                    break;
                }
                at += 64;
            }
        }
        (bit - node, at - node - 1)
    }

    /// The node that a child belongs to.
    #[inline]
    pub(crate) fn parent(&self, child: usize) -> usize {
        let bit = self.select(child, false).unwrap_or(0);
        (bit - child.min(bit)).saturating_sub(1)
    }

    /// The bit of the one with so many before it, from the mark before it.
    #[inline]
    fn one(&self, rank: usize) -> Option<usize> {
        let Some(&mark) = self.marks.get(rank / MARK) else {
            return self.select(rank, true);
        };
        let mut at = mark as usize / 64;
        let mut block = *self.blocks.get(at)? & (u64::MAX << (mark % 64));
        let mut left = (rank % MARK) as u32;
        loop {
            let count = block.count_ones();
            if left < count {
                return Some(64 * at + select_in(block, left));
            }
            left -= count;
            at += 1;
            block = *self.blocks.get(at)?;
        }
    }

    /// The bit of the one (or zero) with so many before it.
    fn select(&self, rank: usize, one: bool) -> Option<usize> {
        let samples = if one { &self.ones } else { &self.zeros };
        let first = *samples.get(rank / SAMPLE)? as usize;
        let last = samples
            .get(rank / SAMPLE + 1)
            .map_or(self.ranks.len(), |&s| s as usize + 1);
        let before = |span: usize| {
            let ones = self.ranks[span] as usize;
            if one { ones } else { span * SPAN - ones }
        };
        // The last span that has at most `rank` before it.
        let (mut low, mut high) = (first, last.min(self.ranks.len()));
        while low + 1 < high {
            let middle = usize::midpoint(low, high);
            if before(middle) <= rank {
                low = middle;
            } else {
                high = middle;
            }
        }
        let mut left = rank - before(low);
        for (at, &block) in self
            .blocks
            .get(low * BLOCKS..(low + 1) * BLOCKS)?
            .iter()
            .enumerate()
        {
            let block = if one { block } else { !block };
            let count = block.count_ones() as usize;
            if left < count {
                return Some(low * SPAN + 64 * at + select_in(block, left as u32));
            }
            left -= count;
        }
        None
    }

    pub(crate) fn bytes(&self) -> usize {
        let directories = self.ranks.len() + self.ones.len() + self.zeros.len();
        8 * self.blocks.len() + 4 * (directories + self.marks.len() + self.starts.len())
    }

    pub(crate) fn write(&self, out: &mut Encoder) {
        out.u64(self.length as u64);
        out.u64s(&self.blocks[..self.length.div_ceil(64)]);
    }

    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self> {
        let length = usize::try_from(cursor.u64()?).unwrap_or(usize::MAX);
        let blocks = cursor.u64s()?;
        let beyond = |length: usize| match (length % 64, blocks.last()) {
            (0, _) | (_, None) => 0,
            (used, Some(last)) => last >> used,
        };
        if length.div_ceil(64) != blocks.len() || beyond(length) != 0 {
            return Err(cursor.error("a bit vector has a wrong length"));
        }
        Ok(Self::index(blocks, length))
    }
}

/// The bit of the one with so many ones before it.
#[inline]
fn select_in(block: u64, rank: u32) -> usize {
    let (mut block, mut rank, mut at) = (block, rank, 0);
    for half in [32u32, 16, 8] {
        let low = (block & ((1u64 << half) - 1)).count_ones();
        if rank >= low {
            rank -= low;
            block >>= half;
            at += half as usize;
        }
    }
    for _ in 0..rank {
        block &= block.wrapping_sub(1);
    }
    at + block.trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::SplitMix64;

    #[test]
    fn degrees_find_children_and_parents() {
        let mut rng = SplitMix64::new(5);
        for nodes in [1, 2, 63, 700, 5000] {
            let most = 1 + rng.below(9);
            let mut starts = vec![0u32];
            for _ in 0..nodes {
                let far = if rng.below(500) == 0 { 2000 } else { 0 };
                starts.push(starts.last().unwrap() + (rng.below(most) + far) as u32);
            }
            let mut degrees = Degrees::new(&starts);
            if nodes % 2 == 0 {
                degrees = degrees.with_starts();
            } else if nodes == 63 {
                degrees.marks.clear();
            }
            assert_eq!(degrees.sizes(), (nodes, *starts.last().unwrap() as usize));
            for (node, pair) in starts.windows(2).enumerate() {
                let (start, end) = (pair[0] as usize, pair[1] as usize);
                assert_eq!(degrees.children(node), (start, end));
                for child in start..end {
                    assert_eq!(degrees.parent(child), node);
                }
            }
        }
    }

    #[test]
    fn packed_numbers_come_back() {
        let mut rng = SplitMix64::new(6);
        for bits in 0..=32u32 {
            let numbers: Vec<u32> = (0..300)
                .map(|_| (rng.next_u64() & ((1u64 << bits) - 1)) as u32)
                .collect();
            let packed = Packed::new(&numbers);
            let back: Vec<u32> = (0..packed.len()).map(|at| packed.get(at)).collect();
            assert_eq!(back, numbers);
        }
    }
}
