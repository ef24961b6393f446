//! Half-open intervals: [`Span`] counts tokens, [`ByteSpan`] counts bytes. They do not mix.

use crate::error::{Error, Place, Result};

macro_rules! span {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(into = "[u32; 2]", try_from = "[u32; 2]"))]
        pub struct $name {
            start: u32,
            end: u32,
        }

        impl $name {
            /// The interval `start..end`.
            ///
            /// # Errors
            /// [`Error::BadSpan`] if it ends before it starts.
            pub fn new(start: u32, end: u32) -> Result<Self> {
                if start > end {
                    return Err(Error::BadSpan {
                        place: Place::default(),
                        what: $what,
                        start: start.into(),
                        end: end.into(),
                        length: end.into(),
                    });
                }
                Ok($name { start, end })
            }

            /// The interval of one item.
            #[must_use]
            pub const fn single(at: u32) -> Self {
                $name { start: at, end: at.saturating_add(1) }
            }

            /// The empty interval at a position.
            #[must_use]
            pub const fn empty(at: u32) -> Self {
                $name { start: at, end: at }
            }

            /// First position inside.
            #[inline]
            #[must_use]
            pub const fn start(self) -> u32 {
                self.start
            }

            /// First position behind.
            #[inline]
            #[must_use]
            pub const fn end(self) -> u32 {
                self.end
            }

            /// Number of positions.
            #[inline]
            #[must_use]
            pub const fn len(self) -> usize {
                (self.end - self.start) as usize
            }

            /// True if no position lies inside.
            #[inline]
            #[must_use]
            pub const fn is_empty(self) -> bool {
                self.start == self.end
            }

            /// As a range for slicing.
            #[inline]
            #[must_use]
            pub const fn range(self) -> std::ops::Range<usize> {
                self.start as usize..self.end as usize
            }

            /// True if every position of `inner` lies inside (an empty one at either border too).
            #[inline]
            #[must_use]
            pub const fn contains(self, inner: $name) -> bool {
                self.start <= inner.start && inner.end <= self.end
            }

            /// True if a position lies in both.
            #[inline]
            #[must_use]
            pub const fn overlaps(self, other: $name) -> bool {
                let start = if self.start > other.start { self.start } else { other.start };
                let end = if self.end < other.end { self.end } else { other.end };
                start < end
            }

            /// The smallest interval that holds both.
            #[must_use]
            pub fn cover(self, other: $name) -> Self {
                $name { start: self.start.min(other.start), end: self.end.max(other.end) }
            }
        }

        impl From<$name> for [u32; 2] {
            fn from(span: $name) -> Self {
                [span.start, span.end]
            }
        }

        impl TryFrom<[u32; 2]> for $name {
            type Error = Error;

            fn try_from([start, end]: [u32; 2]) -> Result<Self> {
                $name::new(start, end)
            }
        }
    };
}

span!(
    /// An interval of token positions within a sentence.
    Span,
    "token span"
);
span!(
    /// An interval of byte positions within a text.
    ByteSpan,
    "byte span"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_of_intervals() {
        let span = Span::new(2, 5).unwrap();
        assert_eq!((span.len(), span.range()), (3, 2..5));
        assert!(
            span.contains(Span::empty(5)) && !span.overlaps(Span::empty(3).cover(Span::empty(3)))
        );
        assert!(span.overlaps(Span::single(4)) && !span.overlaps(Span::single(5)));
        assert_eq!(
            Span::single(1).cover(Span::single(3)),
            Span::new(1, 4).unwrap()
        );
        assert_eq!(Span::new(3, 2).unwrap_err().code(), "bad-span");
    }
}
