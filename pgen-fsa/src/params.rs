//! Settings of merging and alignment.

use pgen_core::{Error, Result};

/// How trees are merged into a forest and the automaton squeezed (Pang et al. 2003, §3).
///
/// | field | default | meaning |
/// |---|---|---|
/// | `keyword_check` | true | constituents whose keywords cross are not merged |
/// | `squeeze` | true | states with the same label into or out of them are merged |
/// | `keyword_tags` | `NN`, `VB`, `JJ` | prefixes of the tags whose words are keywords |
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct MergeParams {
    pub keyword_check: bool,
    pub squeeze: bool,
    pub keyword_tags: Vec<String>,
}

impl Default for MergeParams {
    fn default() -> Self {
        MergeParams {
            keyword_check: true,
            squeeze: true,
            keyword_tags: ["NN", "VB", "JJ"].map(str::to_owned).into(),
        }
    }
}

/// Which words may be aligned (Shen et al. 2006, §4.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Version {
    /// Equal words.
    V1,
    /// Equal words but commas.
    V2,
    /// Equal words but commas and stop words.
    V3,
    /// Syntactically matching words but commas and stop words.
    V4,
    /// Syntactically matching words but commas.
    V5,
}

impl Version {
    /// All versions in order.
    pub const ALL: [Version; 5] = [
        Version::V1,
        Version::V2,
        Version::V3,
        Version::V4,
        Version::V5,
    ];

    /// True if words must match in tag, chunk, trace and position too.
    #[must_use]
    pub const fn is_syntactic(self) -> bool {
        matches!(self, Version::V4 | Version::V5)
    }

    /// True if commas never match.
    #[must_use]
    pub const fn skips_commas(self) -> bool {
        !matches!(self, Version::V1)
    }

    /// True if stop words never match.
    #[must_use]
    pub const fn skips_stop_words(self) -> bool {
        matches!(self, Version::V3 | Version::V4)
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::str::FromStr for Version {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Version::ALL
            .into_iter()
            .find(|version| version.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| Error::parameter("version", text, "v1, v2, v3, v4 or v5"))
    }
}

/// Where alignments may start and end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Boundary {
    /// Gaps before the first aligned words are free: `D[i][0] = D[0][j] = 0`, as the paper prints it.
    #[default]
    Free,
    /// Every gap costs.
    Gap,
}

/// Settings of the multiple alignment.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `version` | V4 | which words may be aligned |
/// | `boundary` | free | whether leading gaps cost |
/// | `matched`, `mismatched`, `gap` | 2, −1, −1 | scores of the edit distance |
/// | `full`, `partial`, `none` | 1, 0, −1 | scores of equal, half equal and other tags |
/// | `decay`, `length_penalty` | 0.5, 0.5 | weight of a trace's tags and of its difference in length |
/// | `position` | (2, 5) | largest difference of relative positions, as a fraction |
/// | `by_length` | false | pair scores are divided by the sum of both lengths |
/// | `lattice` | false | sentences are aligned to the automaton of all before, not to the most similar one |
/// | `stop_words` | 40 English words | words that V3 and V4 never align |
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct MsaParams {
    pub version: Version,
    pub boundary: Boundary,
    pub matched: i32,
    pub mismatched: i32,
    pub gap: i32,
    pub full: f64,
    pub partial: f64,
    pub none: f64,
    pub decay: f64,
    pub length_penalty: f64,
    pub position: (u32, u32),
    pub by_length: bool,
    pub lattice: bool,
    pub stop_words: Vec<String>,
}

const STOP_WORDS: &str = "a an and are as at be been but by for from had has have he i in is it its \
    just not of on or out she that the they this to was we were which while who with you";

impl Default for MsaParams {
    fn default() -> Self {
        MsaParams {
            version: Version::V4,
            boundary: Boundary::Free,
            matched: 2,
            mismatched: -1,
            gap: -1,
            full: 1.0,
            partial: 0.0,
            none: -1.0,
            decay: 0.5,
            length_penalty: 0.5,
            position: (2, 5),
            by_length: false,
            lattice: false,
            stop_words: STOP_WORDS.split_whitespace().map(str::to_owned).collect(),
        }
    }
}

impl MsaParams {
    /// Defaults of a version.
    #[must_use]
    pub fn new(version: Version) -> Self {
        MsaParams {
            version,
            ..Self::default()
        }
    }

    /// Settings after Barzilay & Lee (2003): each sentence is aligned to the lattice of all before, equal
    /// words count 1, different ones −0.5, gaps −0.01 (all times 100).
    #[must_use]
    pub fn barzilay_lee() -> Self {
        MsaParams {
            version: Version::V1,
            boundary: Boundary::Gap,
            matched: 100,
            mismatched: -50,
            gap: -1,
            lattice: true,
            ..Self::default()
        }
    }

    /// Sets a number or switch by its name in the table; `position` is written `2/5`, `boundary` `free` or
    /// `gap`. Lists are not set here.
    ///
    /// # Errors
    /// [`Error::BadParameter`](pgen_core::Error::BadParameter) for an unknown name or a value of another
    /// kind; [`MsaParams::check`] says more.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let wrong = |expected| Error::parameter("setting", format!("{name}={value}"), expected);
        let switch = || value.parse().map_err(|_| wrong("true or false"));
        let number = || value.parse().map_err(|_| wrong("a whole number"));
        let real = || value.parse().map_err(|_| wrong("a number"));
        match name {
            "boundary" => {
                self.boundary = match value {
                    "free" => Boundary::Free,
                    "gap" => Boundary::Gap,
                    _ => return Err(wrong("free or gap")),
                }
            }
            "matched" => self.matched = number()?,
            "mismatched" => self.mismatched = number()?,
            "gap" => self.gap = number()?,
            "full" => self.full = real()?,
            "partial" => self.partial = real()?,
            "none" => self.none = real()?,
            "decay" => self.decay = real()?,
            "length_penalty" => self.length_penalty = real()?,
            "position" => {
                let parts = value.split_once('/');
                let parts = parts.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
                self.position = parts.ok_or_else(|| wrong("a fraction like 2/5"))?;
            }
            "by_length" => self.by_length = switch()?,
            "lattice" => self.lattice = switch()?,
            _ => return Err(wrong("name=value with a name of the alignment's settings")),
        }
        Ok(())
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// [`Error::BadParameter`](pgen_core::Error::BadParameter) for scores beyond ±1,000, numbers that
    /// are not finite, and a fraction with denominator 0.
    pub fn check(&self) -> Result<()> {
        for (name, value) in [
            ("matched", self.matched),
            ("mismatched", self.mismatched),
            ("gap", self.gap),
        ] {
            if value.abs() > 1_000 {
                return Err(Error::parameter(name, value, "between -1000 and 1000"));
            }
        }
        let numbers = [
            ("full", self.full),
            ("partial", self.partial),
            ("none", self.none),
            ("decay", self.decay),
            ("length_penalty", self.length_penalty),
        ];
        for (name, value) in numbers {
            if !value.is_finite() {
                return Err(Error::parameter(name, value, "a finite number"));
            }
        }
        if self.position.1 == 0 {
            return Err(Error::parameter(
                "position",
                "x/0",
                "a fraction with a denominator above 0",
            ));
        }
        Ok(())
    }
}
