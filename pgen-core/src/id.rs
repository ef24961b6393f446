//! Typed `u32` identifiers. An id never stands for two different things.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
        pub struct $name(u32);

        impl $name {
            /// The id with this number.
            #[inline]
            #[must_use]
            pub const fn new(raw: u32) -> Self {
                Self(raw)
            }

            /// The id for a position in a vector; `None` if it does not fit 32 bits.
            #[inline]
            #[must_use]
            pub fn from_index(index: usize) -> Option<Self> {
                u32::try_from(index).ok().map(Self)
            }

            /// The number itself.
            #[inline]
            #[must_use]
            pub const fn raw(self) -> u32 {
                self.0
            }

            /// The number as a position in a vector.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(&self.0, f)
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    };
}

id!(
    /// A word: its place in a [`Vocab`](crate::Vocab) or, from the vocabulary's length on, in a
    /// request's [`Lexicon`](crate::Lexicon). Order of ids is order of insertion and means nothing:
    /// whenever order reaches an output, compare the texts.
    WordId
);
id!(
    /// A node of a [`Lattice`](crate::Lattice).
    NodeId
);
id!(
    /// An edge of a [`Lattice`](crate::Lattice).
    EdgeId
);
id!(
    /// One replacement as one decision, however many edges it needs.
    UnitId
);
id!(
    /// A feature of the log-linear model: a place in a [`FeatureSet`](crate::FeatureSet).
    FeatureId
);
id!(
    /// A replacement table of a plan, numbered from 0 in the order given.
    TableId
);
id!(
    /// A rule (row) within its table.
    RuleId
);

impl WordId {
    /// `<unk>`: every word a model does not know.
    pub const UNK: WordId = WordId::new(0);
    /// `<s>`: the start of a sentence; context only, never predicted.
    pub const BOS: WordId = WordId::new(1);
    /// `</s>`: the end of a sentence.
    pub const EOS: WordId = WordId::new(2);

    /// True for `<unk>`, `<s>` and `</s>`.
    #[inline]
    #[must_use]
    pub const fn is_control(self) -> bool {
        self.raw() <= 2
    }
}
