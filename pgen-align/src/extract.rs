//! Phrase pairs of an aligned sentence pair, counted in cepts (Quirk et al. 2004, §3.3).
//!
//! A cept is a connected component of the links; a word without links is a cept of its own. A phrase
//! pair is a set of cepts that fills one span on either side and holds a link.

use crate::error::Result;
use crate::params::check_count;
use pgen_core::{Alignment, Span};

/// What words without links count for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Unaligned {
    /// Each is a cept and counts towards the limit.
    #[default]
    Singleton,
    /// They are allowed and do not count.
    NotCounted,
    /// A phrase pair has none.
    Forbid,
}

/// Settings of extraction.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `max_cepts` | 5 | most cepts of a phrase pair |
/// | `max_words` | none | most words of either side |
/// | `unaligned` | singleton | what words without links count for |
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct ExtractParams {
    pub max_cepts: usize,
    pub max_words: Option<usize>,
    pub unaligned: Unaligned,
}

impl Default for ExtractParams {
    fn default() -> Self {
        ExtractParams {
            max_cepts: 5,
            max_words: None,
            unaligned: Unaligned::default(),
        }
    }
}

impl ExtractParams {
    /// Sets the most cepts of a phrase pair.
    #[must_use]
    pub fn with_max_cepts(mut self, most: usize) -> Self {
        self.max_cepts = most;
        self
    }

    /// Sets the most words of either side.
    #[must_use]
    pub fn with_max_words(mut self, most: usize) -> Self {
        self.max_words = Some(most);
        self
    }

    /// Sets what words without links count for.
    #[must_use]
    pub fn with_unaligned(mut self, unaligned: Unaligned) -> Self {
        self.unaligned = unaligned;
        self
    }

    /// Checks every field.
    ///
    /// # Errors
    /// [`pgen_core::Error::BadParameter`] for the first that is out of range.
    pub fn check(&self) -> Result<()> {
        check_count("max_cepts", self.max_cepts, 1)?;
        check_count("max_words", self.max_words.unwrap_or(1), 1)
    }
}

/// A phrase pair as spans of its sentences.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PhraseSpans {
    /// Source words.
    pub source: Span,
    /// Target words.
    pub target: Span,
    /// Number of cepts, words without links included.
    pub cepts: u32,
}

/// Cepts of a sentence pair, laid out for constant-time questions about spans.
#[derive(Debug)]
pub(crate) struct Cepts {
    /// Cept of each source word, none if it has no link.
    pub(crate) of_source: Vec<Option<u32>>,
    /// For each cept: words on either side and the target hull.
    pub(crate) cepts: Vec<Cept>,
    /// Linked target words before each position.
    linked_before: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Cept {
    pub(crate) sources: u32,
    pub(crate) targets: u32,
    first: u32,
    last: u32,
}

impl Cepts {
    pub(crate) fn new(m: usize, n: usize, alignment: &Alignment) -> Result<Self> {
        alignment.check(m, n)?;
        let mut parent: Vec<u32> = (0..(m + n) as u32).collect();
        let mut linked = vec![false; m + n];
        for link in alignment.links() {
            let (a, b) = (link.source, m as u32 + link.target);
            linked[a as usize] = true;
            linked[b as usize] = true;
            let (a, b) = (root(&mut parent, a), root(&mut parent, b));
            // The smaller one leads: the root of a cept is its first source word.
            parent[a.max(b) as usize] = a.min(b);
        }
        let mut cepts = Cepts {
            of_source: vec![None; m],
            cepts: Vec::new(),
            linked_before: Vec::with_capacity(n + 1),
        };
        let mut numbers = vec![u32::MAX; m];
        for at in (0..m).filter(|&at| linked[at]) {
            let number = &mut numbers[root(&mut parent, at as u32) as usize];
            if *number == u32::MAX {
                *number = cepts.cepts.len() as u32;
                cepts.cepts.push(Cept {
                    sources: 0,
                    targets: 0,
                    first: u32::MAX,
                    last: 0,
                });
            }
            cepts.of_source[at] = Some(*number);
            cepts.cepts[*number as usize].sources += 1;
        }
        let mut before = 0;
        for at in 0..n {
            cepts.linked_before.push(before);
            if linked[m + at] {
                before += 1;
                let number = numbers[root(&mut parent, (m + at) as u32) as usize];
                let cept = &mut cepts.cepts[number as usize];
                cept.targets += 1;
                cept.first = cept.first.min(at as u32);
                cept.last = at as u32;
            }
        }
        cepts.linked_before.push(before);
        Ok(cepts)
    }

    fn target_linked(&self, at: usize) -> bool {
        self.linked_before[at + 1] > self.linked_before[at]
    }
}

fn root(parent: &mut [u32], mut at: u32) -> u32 {
    while parent[at as usize] != at {
        let up = parent[parent[at as usize] as usize];
        parent[at as usize] = up;
        at = up;
    }
    at
}

/// Calls `visit` with every phrase pair of a sentence pair of `m` and `n` words, by source start, source
/// end, target start, target end. Words without links may stand inside and at the edges.
///
/// O(m · reach), where reach is how far `max_cepts` cepts extend, plus the number of pairs.
///
/// # Errors
/// A setting out of range; [`pgen_core::Error::BadSpan`] for a link outside the sentences.
pub fn for_each_phrase_pair(
    (m, n): (usize, usize),
    alignment: &Alignment,
    params: &ExtractParams,
    mut visit: impl FnMut(PhraseSpans),
) -> Result<()> {
    params.check()?;
    let cepts = Cepts::new(m, n, alignment)?;
    let mut seen = vec![usize::MAX; cepts.cepts.len()];
    for start in 0..m {
        let mut span = Growing::default();
        let longest = params.max_words.unwrap_or(m).min(m - start);
        for end in start + 1..=start + longest {
            match cepts.of_source[end - 1] {
                Some(number) => {
                    span.linked += 1;
                    if seen[number as usize] != start {
                        seen[number as usize] = start;
                        span.take(cepts.cepts[number as usize]);
                    }
                }
                None if params.unaligned == Unaligned::Forbid => break,
                None => span.unlinked += 1,
            }
            if span.counted(params.unaligned) > params.max_cepts {
                break;
            }
            if span.cepts > 0 && span.is_closed(&cepts) {
                let source = Span::new(start as u32, end as u32)?;
                targets(source, &span, &cepts, params, n, &mut visit)?;
            }
        }
    }
    Ok(())
}

/// A source span while it grows to the right.
#[derive(Default)]
struct Growing {
    cepts: usize,
    linked: u32,
    unlinked: usize,
    /// Words of the cepts met.
    sources: u32,
    targets: u32,
    hull: Option<(u32, u32)>,
}

impl Growing {
    fn take(&mut self, cept: Cept) {
        self.cepts += 1;
        self.sources += cept.sources;
        self.targets += cept.targets;
        let (first, last) = self.hull.unwrap_or((cept.first, cept.last));
        self.hull = Some((first.min(cept.first), last.max(cept.last)));
    }

    fn counted(&self, unaligned: Unaligned) -> usize {
        self.cepts
            + if unaligned == Unaligned::Singleton {
                self.unlinked
            } else {
                0
            }
    }

    /// True if no cept reaches out of the source span and no other one into the target hull.
    fn is_closed(&self, cepts: &Cepts) -> bool {
        let Some((first, last)) = self.hull else {
            return false;
        };
        let inside = cepts.linked_before[last as usize + 1] - cepts.linked_before[first as usize];
        self.linked == self.sources && inside == self.targets
    }
}

/// Visits the target spans that go with a closed source span: the hull and its extensions over words
/// without links.
fn targets(
    source: Span,
    span: &Growing,
    cepts: &Cepts,
    params: &ExtractParams,
    n: usize,
    visit: &mut impl FnMut(PhraseSpans),
) -> Result<()> {
    let Some((first, last)) = span.hull else {
        return Ok(());
    };
    let (first, end) = (first as usize, last as usize + 1);
    let longest = params.max_words.unwrap_or(n);
    let extend = params.unaligned != Unaligned::Forbid;
    let inside = |start: usize, end: usize| (end - start) - span.targets as usize;
    let fits = |start: usize, end: usize| {
        let free = inside(start, end);
        let counted = match params.unaligned {
            Unaligned::Singleton => span.cepts + span.unlinked + free,
            Unaligned::NotCounted => span.cepts,
            Unaligned::Forbid if free > 0 => return false,
            Unaligned::Forbid => span.cepts,
        };
        counted <= params.max_cepts && end - start <= longest
    };
    let lowest = (0..first)
        .rev()
        .take_while(|&at| extend && !cepts.target_linked(at))
        .last();
    let highest = (end..n)
        .take_while(|&at| extend && !cepts.target_linked(at))
        .last();
    for start in lowest.unwrap_or(first)..=first {
        for end in end..=highest.map_or(end, |at| at + 1) {
            if !fits(start, end) {
                // A longer target holds more.
                break;
            }
            let target = Span::new(start as u32, end as u32)?;
            let cepts = (span.cepts + span.unlinked + inside(start, end)) as u32;
            visit(PhraseSpans {
                source,
                target,
                cepts,
            });
        }
    }
    Ok(())
}
