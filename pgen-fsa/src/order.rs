//! A priority queue of small numbers: what is ready in Kahn's algorithm, smallest first.

/// A set of numbers below a bound as a tree of bit masks. Insertion and removal of the smallest take
/// O(log₆₄ n).
#[derive(Clone, Debug)]
pub(crate) struct Kahn {
    /// Level 0 holds the numbers; a bit of a level above says that a word below is not empty.
    levels: Vec<Vec<u64>>,
}

impl Kahn {
    pub(crate) fn new(bound: usize) -> Self {
        let mut levels = Vec::new();
        let mut words = bound.max(1).div_ceil(64);
        loop {
            levels.push(vec![0; words]);
            if words == 1 {
                return Kahn { levels };
            }
            words = words.div_ceil(64);
        }
    }

    pub(crate) fn insert(&mut self, number: u32) {
        let mut at = number as usize;
        for level in &mut self.levels {
            let word = &mut level[at / 64];
            let known = *word != 0;
            *word |= 1 << (at % 64);
            if known {
                break;
            }
            at /= 64;
        }
    }

    pub(crate) fn pop(&mut self) -> Option<u32> {
        let mut at = 0usize;
        for level in self.levels.iter().rev() {
            let word = level[at];
            if word == 0 {
                return None;
            }
            at = at * 64 + word.trailing_zeros() as usize;
        }
        let number = at as u32;
        for level in &mut self.levels {
            let word = &mut level[at / 64];
            *word &= !(1 << (at % 64));
            if *word != 0 {
                break;
            }
            at /= 64;
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_comes_first() {
        let mut kahn = Kahn::new(5000);
        let numbers = [4999, 3, 64, 4096, 0, 65, 3];
        numbers.iter().for_each(|&number| kahn.insert(number));
        let popped: Vec<_> = std::iter::from_fn(|| kahn.pop()).collect();
        assert_eq!(popped, [0, 3, 64, 65, 4096, 4999]);
        assert_eq!(Kahn::new(0).pop(), None);
    }
}
