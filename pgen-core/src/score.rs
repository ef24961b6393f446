//! Numbers with a meaning: unweighted natural-log values, weights, weighted scores.
//!
//! All three are `f64` newtypes that cannot hold NaN or +∞, so that a comparison always has an answer.
//! [`LogProb`] (unweighted) and [`Score`] (weighted) do not mix: only a [`Weight`] turns one into the
//! other.

use crate::error::{Error, Result};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub};

macro_rules! log_number {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[cfg_attr(feature = "serde", serde(transparent))]
        pub struct $name(f64);

        impl $name {
            /// ln 1 = 0: certain, or no contribution.
            pub const ONE: $name = $name(0.0);
            /// ln 0 = −∞: impossible.
            pub const ZERO: $name = $name(f64::NEG_INFINITY);

            /// Checks a natural logarithm.
            ///
            /// # Errors
            /// [`Error::NotFinite`] for NaN and +∞; −∞ is legal and means impossible.
            pub fn new(ln: f64) -> Result<Self> {
                if ln.is_nan() || ln == f64::INFINITY {
                    return Err(Error::NotFinite { what: stringify!($name), value: ln });
                }
                Ok($name(ln))
            }

            /// A natural logarithm that the caller has computed from valid values. NaN becomes
            /// impossible and +∞ the largest number, so that the type's promise holds all the same;
            /// debug builds assert that this never happens.
            #[inline]
            #[must_use]
            pub fn from_ln(ln: f64) -> Self {
                debug_assert!(!ln.is_nan() && ln != f64::INFINITY, "{} from {ln}", stringify!($name));
                if ln.is_nan() {
                    return Self::ZERO;
                }
                $name(ln.min(f64::MAX))
            }

            /// The natural logarithm.
            #[inline]
            #[must_use]
            pub const fn ln(self) -> f64 {
                self.0
            }

            /// True for ln 0.
            #[inline]
            #[must_use]
            pub fn is_zero(self) -> bool {
                self.0 == f64::NEG_INFINITY
            }

            /// The larger of two; the first if equal.
            #[inline]
            #[must_use]
            pub fn max(self, other: Self) -> Self {
                if other.0 > self.0 { other } else { self }
            }

            /// ln(e^self + e^other), computed without overflow.
            #[must_use]
            pub fn log_add(self, other: Self) -> Self {
                let (high, low) = if self.0 >= other.0 { (self.0, other.0) } else { (other.0, self.0) };
                if high == f64::NEG_INFINITY {
                    return Self::ZERO;
                }
                Self::from_ln(high + (low - high).exp().ln_1p())
            }

            /// Total order: larger is better.
            #[inline]
            #[must_use]
            pub fn total_cmp(&self, other: &Self) -> std::cmp::Ordering {
                // −0.0 and 0.0 are the same score.
                (self.0 + 0.0).total_cmp(&(other.0 + 0.0))
            }
        }

        impl Add for $name {
            type Output = Self;
            #[inline]
            fn add(self, other: Self) -> Self {
                Self::from_ln(self.0 + other.0)
            }
        }

        impl AddAssign for $name {
            #[inline]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(values: I) -> Self {
                values.fold(Self::ONE, |a, b| a + b)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
                $name::new(f64::deserialize(from)?).map_err(serde::de::Error::custom)
            }
        }
    };
}

log_number!(
    /// An unweighted natural-log value: a log probability, a back-off weight or any other feature
    /// value. It may exceed 0 (back-off weights do).
    LogProb
);
log_number!(
    /// A weighted natural-log score: what decoders compare.
    Score
);

impl LogProb {
    /// ln of a probability.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN and infinities, [`Error::ProbabilityOutOfRange`] below 0 or above
    /// 1 + 10⁻⁹ (rounding up to there is clamped to 1).
    pub fn from_probability(p: f64) -> Result<Self> {
        if !p.is_finite() {
            return Err(Error::NotFinite {
                what: "probability",
                value: p,
            });
        }
        if !(0.0..=1.0 + 1e-9).contains(&p) {
            return Err(Error::ProbabilityOutOfRange { value: p });
        }
        Ok(LogProb(p.min(1.0).ln()))
    }

    /// From a base-10 logarithm, the unit of ARPA files.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN and +∞.
    pub fn from_log10(log10: f64) -> Result<Self> {
        Self::new(log10 * std::f64::consts::LN_10)
    }

    /// The base-10 logarithm.
    #[inline]
    #[must_use]
    pub fn log10(self) -> f64 {
        self.0 / std::f64::consts::LN_10
    }

    /// e^self.
    #[inline]
    #[must_use]
    pub fn probability(self) -> f64 {
        self.0.exp()
    }
}

impl Sub for Score {
    type Output = f64;
    /// The distance between two scores; 0 between two impossible ones.
    #[inline]
    fn sub(self, other: Self) -> f64 {
        if self.0 == other.0 {
            0.0
        } else {
            self.0 - other.0
        }
    }
}

/// A finite model weight (λ). Negative weights are legal.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct Weight(f64);

impl Weight {
    /// 1: the feature counts as it is.
    pub const ONE: Weight = Weight(1.0);
    /// 0: the feature does not count.
    pub const ZERO: Weight = Weight(0.0);

    /// Checks a weight.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN and infinities.
    pub fn new(value: f64) -> Result<Self> {
        if value.is_finite() {
            Ok(Weight(value))
        } else {
            Err(Error::NotFinite {
                what: "weight",
                value,
            })
        }
    }

    /// The number.
    #[inline]
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl Default for Weight {
    fn default() -> Self {
        Weight::ONE
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Weight {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        Weight::new(f64::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}

impl Mul<LogProb> for Weight {
    type Output = Score;

    /// λ · h, with 0 · (−∞) = 0: a feature without weight cannot forbid anything. A negative weight
    /// times impossible stays impossible.
    #[inline]
    fn mul(self, value: LogProb) -> Score {
        if self.0 == 0.0 {
            return Score::ONE;
        }
        if value.is_zero() {
            return Score::ZERO;
        }
        Score::from_ln(self.0 * value.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_and_infinity_are_refused() {
        assert!(LogProb::new(f64::NAN).is_err());
        assert!(LogProb::new(f64::INFINITY).is_err());
        assert!(LogProb::new(f64::NEG_INFINITY).unwrap().is_zero());
        assert!(Weight::new(f64::NEG_INFINITY).is_err());
    }

    #[test]
    fn probabilities_are_checked() {
        assert_eq!(
            LogProb::from_probability(1.0 + 1e-12).unwrap(),
            LogProb::ONE
        );
        assert!(LogProb::from_probability(0.0).unwrap().is_zero());
        assert_eq!(
            LogProb::from_probability(1.1).unwrap_err().code(),
            "probability-out-of-range"
        );
        assert_eq!(
            LogProb::from_probability(-0.1).unwrap_err().code(),
            "probability-out-of-range"
        );
    }

    #[test]
    fn zero_weight_switches_an_impossible_feature_off() {
        assert_eq!(Weight::ZERO * LogProb::ZERO, Score::ONE);
        assert!((Weight::new(-2.0).unwrap() * LogProb::ZERO).is_zero());
    }

    #[test]
    fn log_add_is_a_sum_of_probabilities() {
        let a = LogProb::from_probability(0.25).unwrap();
        let b = LogProb::from_probability(0.5).unwrap();
        assert!((a.log_add(b).probability() - 0.75).abs() < 1e-15);
        assert_eq!(a.log_add(LogProb::ZERO), a);
        assert!(LogProb::ZERO.log_add(LogProb::ZERO).is_zero());
    }
}
