//! Counts of paths and derivations: numbers grow with the product of choices, so that they are exact up to
//! more than a thousand digits and rounded beyond.

use num_bigint::BigUint;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul};

/// A natural number, exact below 2⁴⁰⁹⁶ (1,233 digits); small ones cost no allocation. Larger ones keep 64
/// leading bits, are rounded down at each step and written `≈1.23e4567`, so that no count of paths, however
/// many, costs more than half a kilobyte.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Count(Repr);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Repr {
    Small(u64),
    /// Always above `u64::MAX` and of at most `EXACT_BITS`, so that equal numbers have equal forms.
    Big(Box<BigUint>),
    /// Always of more than `EXACT_BITS`.
    Rounded(Rounded),
}

/// Longest number that is kept exactly, in bits.
const EXACT_BITS: u64 = 4_096;

/// `leading · 2^shift`; the highest bit of `leading` is set, but for 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Rounded {
    leading: u64,
    shift: i64,
}

impl Rounded {
    fn new(number: u128, shift: i64) -> Self {
        let bits = i64::from(number.leading_zeros());
        let high = (number << (bits & 127)) >> 64;
        Rounded {
            leading: high as u64,
            shift: shift.saturating_add(64 - bits),
        }
    }

    fn ln(self) -> f64 {
        (self.leading as f64).ln() + self.shift as f64 * std::f64::consts::LN_2
    }

    fn plus(self, other: Self) -> Self {
        let (large, small) = if (self.shift, self.leading) < (other.shift, other.leading) {
            (other, self)
        } else {
            (self, other)
        };
        // 63 bits more than the result keeps.
        let apart = large.shift.saturating_sub(small.shift);
        let less = match u32::try_from(apart) {
            Ok(apart) if apart < 127 => (u128::from(small.leading) << 63) >> apart,
            _ => 0,
        };
        let sum = (u128::from(large.leading) << 63) + less;
        Rounded::new(sum, large.shift.saturating_sub(63))
    }

    fn times(self, other: Self) -> Self {
        let product = u128::from(self.leading) * u128::from(other.leading);
        Rounded::new(product, self.shift.saturating_add(other.shift))
    }
}

impl Count {
    /// 0.
    pub const ZERO: Count = Count(Repr::Small(0));
    /// 1.
    pub const ONE: Count = Count(Repr::Small(1));

    /// The number itself if it is exact.
    fn exact(&self) -> Option<BigUint> {
        match &self.0 {
            Repr::Small(n) => Some(BigUint::from(*n)),
            Repr::Big(n) => Some((**n).clone()),
            Repr::Rounded(_) => None,
        }
    }

    fn from_big(n: BigUint) -> Self {
        match u64::try_from(&n) {
            Ok(small) => Count(Repr::Small(small)),
            Err(_) if n.bits() > EXACT_BITS => {
                let (leading, shift) = top_bits(&n);
                Count(Repr::Rounded(Rounded::new(leading.into(), shift)))
            }
            Err(_) => Count(Repr::Big(Box::new(n))),
        }
    }

    fn rounded(&self) -> Rounded {
        match &self.0 {
            Repr::Small(n) => Rounded::new((*n).into(), 0),
            Repr::Big(n) => {
                let (leading, shift) = top_bits(n);
                Rounded::new(leading.into(), shift)
            }
            Repr::Rounded(n) => *n,
        }
    }

    /// The number if it fits 64 bits.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        match self.0 {
            Repr::Small(n) => Some(n),
            Repr::Big(_) | Repr::Rounded(_) => None,
        }
    }

    /// True for 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0 == Repr::Small(0)
    }

    /// False for a number of 2⁴⁰⁹⁶ or more, of which the leading digits are known alone.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        !matches!(self.0, Repr::Rounded(_))
    }

    /// The nearest `f64`; +∞ above its range.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small(n) => *n as f64,
            Repr::Big(n) => {
                let (top, shift) = top_bits(n);
                top as f64 * 2f64.powf(shift as f64)
            }
            Repr::Rounded(_) => f64::INFINITY,
        }
    }

    /// Natural logarithm; −∞ for 0. Finite for numbers beyond the range of `f64` too.
    #[must_use]
    pub fn ln(&self) -> f64 {
        match &self.0 {
            Repr::Small(n) => (*n as f64).ln(),
            Repr::Big(n) => {
                let (top, shift) = top_bits(n);
                (top as f64).ln() + shift as f64 * std::f64::consts::LN_2
            }
            Repr::Rounded(n) => n.ln(),
        }
    }
}

/// The leading 64 bits and the number of bits cut off.
fn top_bits(n: &BigUint) -> (u64, i64) {
    let shift = n.bits().saturating_sub(64);
    let top = u64::try_from(n >> shift).unwrap_or(u64::MAX);
    (top, shift as i64)
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
        let mut sum = self.clone();
        sum += other;
        sum
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
        if self.is_zero() || other.is_zero() {
            return Count::ZERO;
        }
        match (self.exact(), other.exact()) {
            (Some(a), Some(b)) => Count::from_big(a * b),
            _ => Count(Repr::Rounded(self.rounded().times(other.rounded()))),
        }
    }
}

impl AddAssign<&Count> for Count {
    fn add_assign(&mut self, other: &Count) {
        match (&mut self.0, &other.0) {
            (_, Repr::Small(0)) => return,
            (Repr::Small(0), _) => {
                *self = other.clone();
                return;
            }
            (Repr::Small(a), Repr::Small(b)) => {
                if let Some(sum) = a.checked_add(*b) {
                    *a = sum;
                    return;
                }
            }
            // In place while it fits: counting adds far more often than it copies.
            (Repr::Big(a), Repr::Small(b)) if a.bits() < EXACT_BITS => {
                **a += *b;
                return;
            }
            (Repr::Big(a), Repr::Big(b)) if a.bits().max(b.bits()) < EXACT_BITS => {
                **a += &**b;
                return;
            }
            _ => {}
        }
        *self = match (self.exact(), other.exact()) {
            (Some(a), Some(b)) => Count::from_big(a + b),
            _ => Count(Repr::Rounded(self.rounded().plus(other.rounded()))),
        };
    }
}

impl PartialOrd for Count {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Count {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            (Repr::Big(a), Repr::Big(b)) => a.cmp(b),
            (Repr::Rounded(a), Repr::Rounded(b)) => (a.shift, a.leading).cmp(&(b.shift, b.leading)),
            (Repr::Small(_), _) | (_, Repr::Rounded(_)) => Ordering::Less,
            (_, Repr::Small(_)) | (Repr::Rounded(_), _) => Ordering::Greater,
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(n) => n.fmt(f),
            Repr::Big(n) => n.fmt(f),
            Repr::Rounded(n) => {
                let log10 = n.ln() / std::f64::consts::LN_10;
                let digits = (10f64.powf(log10.fract()) * 100.0).floor() / 100.0;
                write!(f, "≈{digits:.2}e{:.0}", log10.trunc())
            }
        }
    }
}

/// Numbers up to 2⁵³ as JSON numbers, larger ones as strings, as they are displayed (every JSON reader keeps those).
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

    #[test]
    fn beyond_the_exact_they_are_rounded() {
        let power = |two: u32| (0..two).fold(Count::ONE, |n, _| &n + &n);
        let last = power(4095);
        assert!(last.is_exact() && last.to_string().len() == 1233);
        let mut n = &last + &last;
        assert!(!n.is_exact() && last < n && n == power(4096));
        assert_eq!((n.to_f64(), n.to_u64()), (f64::INFINITY, None));
        assert!((n.ln() - 4096.0 * std::f64::consts::LN_2).abs() < 1e-9);
        assert_eq!(n.to_string(), "≈1.04e1233");
        // What is too small to count is lost, and nothing else.
        let same = n.clone();
        n += &Count::ONE;
        assert_eq!(n, same);
        n += &last;
        assert!((n.ln() - same.ln() - 1.5f64.ln()).abs() < 1e-9 && same < n);
        let square = &n * &same;
        assert!((square.ln() - n.ln() - same.ln()).abs() < 1e-9);
        assert_eq!(&square * &Count::ZERO, Count::ZERO);
        // A hundred thousand choices of ten.
        let ten = Count::from(10);
        let many = (0..100_000).fold(Count::ONE, |n, _| &n * &ten);
        assert!((many.ln() / 10f64.ln() - 100_000.0).abs() < 1e-6);
    }
}
