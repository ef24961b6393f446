//! Word alignments: links between two sentences. Readers and writers are in
//! [`formats::alignment`](crate::formats::alignment).

use crate::error::{Error, Place, Result};

/// A link between a source and a target token, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Link {
    /// Source token.
    pub source: u32,
    /// Target token.
    pub target: u32,
}

impl Link {
    /// The link `source-target`.
    #[must_use]
    pub const fn new(source: u32, target: u32) -> Self {
        Link { source, target }
    }
}

/// Pharaoh's form: `0-1`.
impl std::fmt::Display for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.source, self.target)
    }
}

/// A set of links, kept ascending by (source, target). A token without a link is aligned to nothing;
/// there is no NULL position.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<Link>", into = "Vec<Link>"))]
pub struct Alignment {
    links: Vec<Link>,
}

impl Alignment {
    /// No links.
    #[must_use]
    pub const fn new() -> Self {
        Alignment { links: Vec::new() }
    }

    /// The links, ascending, each once.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Number of links.
    #[must_use]
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// True without links.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// True if the link is in the set; O(log n).
    #[must_use]
    pub fn contains(&self, link: Link) -> bool {
        self.links.binary_search(&link).is_ok()
    }

    /// The same links with source and target exchanged.
    #[must_use]
    pub fn transposed(&self) -> Self {
        self.links
            .iter()
            .map(|link| Link::new(link.target, link.source))
            .collect()
    }

    /// Links that are in both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Alignment {
            links: self
                .links
                .iter()
                .copied()
                .filter(|&link| other.contains(link))
                .collect(),
        }
    }

    /// Links that are in either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.links.iter().chain(&other.links).copied().collect()
    }

    /// Checks that every link lies within sentences of these lengths.
    ///
    /// # Errors
    /// [`Error::BadSpan`] for the first that does not: often a 1-based file read as 0-based.
    pub fn check(&self, source_length: usize, target_length: usize) -> Result<()> {
        for link in &self.links {
            for (what, at, length) in [
                ("source position", link.source, source_length),
                ("target position", link.target, target_length),
            ] {
                if at as usize >= length {
                    return Err(Error::BadSpan {
                        place: Place::default(),
                        what,
                        start: at.into(),
                        end: u64::from(at) + 1,
                        length: length as u64,
                    });
                }
            }
        }
        Ok(())
    }
}

/// Pharaoh's form: links separated by spaces, nothing for none.
impl std::fmt::Display for Alignment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, link) in self.links.iter().enumerate() {
            let space = if at > 0 { " " } else { "" };
            write!(f, "{space}{link}")?;
        }
        Ok(())
    }
}

impl FromIterator<Link> for Alignment {
    fn from_iter<I: IntoIterator<Item = Link>>(links: I) -> Self {
        Alignment::from(links.into_iter().collect::<Vec<_>>())
    }
}

impl From<Vec<Link>> for Alignment {
    fn from(mut links: Vec<Link>) -> Self {
        links.sort_unstable();
        links.dedup();
        Alignment { links }
    }
}

impl From<Alignment> for Vec<Link> {
    fn from(alignment: Alignment) -> Self {
        alignment.links
    }
}

/// A hand-made alignment: sure links and possible ones, where every sure link is possible too.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GoldAlignment {
    sure: Alignment,
    possible: Alignment,
}

impl GoldAlignment {
    /// From sure links and possible links; sure ones need not be repeated among the possible.
    #[must_use]
    pub fn new(sure: Alignment, possible: Alignment) -> Self {
        let possible = possible.union(&sure);
        GoldAlignment { sure, possible }
    }

    /// Links that must be there (S).
    #[must_use]
    pub fn sure(&self) -> &Alignment {
        &self.sure
    }

    /// Links that may be there (P ⊇ S).
    #[must_use]
    pub fn possible(&self) -> &Alignment {
        &self.possible
    }

    /// Two annotators' alignments as one: sure where both are sure, possible where either is
    /// (Quirk et al. 2004, §3.2).
    #[must_use]
    pub fn combined(&self, other: &Self) -> Self {
        GoldAlignment {
            sure: self.sure.intersection(&other.sure),
            possible: self.possible.union(&other.possible),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_a_sorted_set() {
        let a: Alignment = [Link::new(1, 0), Link::new(0, 2), Link::new(1, 0)]
            .into_iter()
            .collect();
        assert_eq!(a.links(), [Link::new(0, 2), Link::new(1, 0)]);
        assert_eq!(a.transposed().links(), [Link::new(0, 1), Link::new(2, 0)]);
        assert_eq!(a.to_string(), "0-2 1-0");
        assert!(a.check(2, 3).is_ok());
        assert_eq!(a.check(2, 2).unwrap_err().code(), "bad-span");
    }

    #[test]
    fn possible_contains_sure() {
        let sure: Alignment = [Link::new(0, 0)].into_iter().collect();
        let gold = GoldAlignment::new(sure.clone(), Alignment::new());
        assert_eq!(gold.possible(), &sure);
        let other = GoldAlignment::new(Alignment::new(), Alignment::new());
        assert!(gold.combined(&other).sure().is_empty());
        assert_eq!(gold.combined(&other).possible(), &sure);
    }
}
