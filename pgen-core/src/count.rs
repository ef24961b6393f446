//! Counts of paths and derivations, exact however large: numbers grow with the product of choices.

use num_bigint::BigUint;
use std::fmt;
use std::ops::{Add, AddAssign, Mul};

/// An exact natural number; small ones cost no allocation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Count(Repr);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Repr {
    Small(u64),
    /// Always above `u64::MAX`, so that equal numbers have equal forms.
    Big(Box<BigUint>),
}

impl Count {
    /// 0.
    pub const ZERO: Count = Count(Repr::Small(0));
    /// 1.
    pub const ONE: Count = Count(Repr::Small(1));

    fn big(&self) -> BigUint {
        match &self.0 {
            Repr::Small(n) => BigUint::from(*n),
            Repr::Big(n) => (**n).clone(),
        }
    }

    fn from_big(n: BigUint) -> Self {
        match u64::try_from(&n) {
            Ok(small) => Count(Repr::Small(small)),
            Err(_) => Count(Repr::Big(Box::new(n))),
        }
    }

    /// The number if it fits 64 bits.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        match self.0 {
            Repr::Small(n) => Some(n),
            Repr::Big(_) => None,
        }
    }

    /// True for 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0 == Repr::Small(0)
    }

    /// The nearest `f64`; +∞ above its range.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small(n) => *n as f64,
            Repr::Big(n) => {
                let (top, shift) = top_bits(n);
                top * 2f64.powf(shift)
            }
        }
    }

    /// Natural logarithm; −∞ for 0. Finite for numbers beyond the range of `f64` too.
    #[must_use]
    pub fn ln(&self) -> f64 {
        match &self.0 {
            Repr::Small(n) => (*n as f64).ln(),
            Repr::Big(n) => {
                let (top, shift) = top_bits(n);
                top.ln() + shift * std::f64::consts::LN_2
            }
        }
    }
}

/// The leading 64 bits as a float and the number of bits cut off.
fn top_bits(n: &BigUint) -> (f64, f64) {
    let shift = n.bits().saturating_sub(64);
    let top = u64::try_from(n >> shift).unwrap_or(u64::MAX);
    (top as f64, shift as f64)
}

impl Default for Count {
    fn default() -> Self {
        Count::ZERO
    }
}

impl From<u64> for Count {
    fn from(n: u64) -> Self {
        Count(Repr::Small(n))
    }
}

impl Add<&Count> for &Count {
    type Output = Count;
    fn add(self, other: &Count) -> Count {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(sum) = a.checked_add(*b)
        {
            return Count(Repr::Small(sum));
        }
        Count::from_big(self.big() + other.big())
    }
}

impl Mul<&Count> for &Count {
    type Output = Count;
    fn mul(self, other: &Count) -> Count {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
            && let Some(product) = a.checked_mul(*b)
        {
            return Count(Repr::Small(product));
        }
        Count::from_big(self.big() * other.big())
    }
}

impl AddAssign<&Count> for Count {
    fn add_assign(&mut self, other: &Count) {
        *self = &*self + other;
    }
}

impl PartialOrd for Count {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Count {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            (Repr::Small(_), Repr::Big(_)) => std::cmp::Ordering::Less,
            (Repr::Big(_), Repr::Small(_)) => std::cmp::Ordering::Greater,
            (Repr::Big(a), Repr::Big(b)) => a.cmp(b),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(n) => n.fmt(f),
            Repr::Big(n) => n.fmt(f),
        }
    }
}

/// Numbers up to 2⁵³ as JSON numbers, larger ones as decimal strings (every JSON reader keeps those).
#[cfg(feature = "serde")]
impl serde::Serialize for Count {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.to_u64() {
            Some(n) if n <= 1 << 53 => to.serialize_u64(n),
            _ => to.collect_str(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_do_not_wrap() {
        let mut n = Count::from(u64::MAX);
        n += &Count::ONE;
        assert_eq!(n.to_string(), "18446744073709551616");
        assert_eq!(n.to_u64(), None);
        assert!((n.to_f64() - 2f64.powi(64)).abs() < 1.0);
        let square = &n * &n;
        assert_eq!(
            square.to_string(),
            "340282366920938463463374607431768211456"
        );
        assert!((square.ln() - 128.0 * std::f64::consts::LN_2).abs() < 1e-12);
        assert!(Count::ONE < n && n < square);
    }

    #[test]
    fn huge_counts_have_finite_logarithms() {
        let mut n = Count::ONE;
        for _ in 0..2000 {
            n = &n * &Count::from(10);
        }
        assert_eq!(n.to_f64(), f64::INFINITY);
        assert!((n.ln() - 2000.0 * std::f64::consts::LN_10).abs() < 1e-9);
    }
}
