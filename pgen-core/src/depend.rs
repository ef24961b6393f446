//! Dependency analyses: each token's head and its relation to it.

use crate::error::{Error, Place, Result};

const ROOT: u32 = u32::MAX;

/// A forest over the tokens of a sentence: every token has one head or is a root, and no token is above
/// itself. Several roots are legal.
///
/// ```
/// use pgen_core::Dependencies;
///
/// let dogs = Dependencies::new(&[(Some(1), "det"), (Some(2), "nsubj"), (None, "root")])?;
/// assert_eq!(dogs.head(0), Some(1));
/// assert_eq!(dogs.children(2).collect::<Vec<_>>(), [1]);
/// assert!(Dependencies::new(&[(Some(1), "x"), (Some(0), "x")]).is_err());
/// # Ok::<(), pgen_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dependencies {
    heads: Vec<u32>,
    relations: Vec<Box<str>>,
    /// Children by head, then in order; those of the last bucket are roots.
    children: Vec<u32>,
    first_child: Vec<u32>,
}

impl Dependencies {
    /// An analysis from each token's head and relation. Linear.
    ///
    /// # Errors
    /// [`Error::BadSpan`] for a head outside the sentence, [`Error::BadTree`] for a cycle.
    pub fn new<S: AsRef<str>>(arcs: &[(Option<u32>, S)]) -> Result<Self> {
        let count = arcs.len();
        let mut heads = Vec::with_capacity(count);
        for (token, (head, _)) in arcs.iter().enumerate() {
            match *head {
                Some(head) if head as usize >= count => {
                    return Err(Error::BadSpan {
                        place: Place::default(),
                        what: "head of a token",
                        start: head.into(),
                        end: u64::from(head) + 1,
                        length: count as u64,
                    });
                }
                Some(head) if head as usize == token => return Err(cycle()),
                head => heads.push(head.unwrap_or(ROOT)),
            }
        }
        let relations = arcs
            .iter()
            .map(|(_, relation)| relation.as_ref().into())
            .collect();
        let (children, first_child) = by_head(&heads);
        let made = Dependencies {
            heads,
            relations,
            children,
            first_child,
        };
        made.check_acyclic()?;
        Ok(made)
    }

    /// From the roots downwards every token is met exactly once, unless there is a cycle.
    fn check_acyclic(&self) -> Result<()> {
        let mut open: Vec<u32> = self.roots().collect();
        let mut met = 0;
        while let Some(token) = open.pop() {
            met += 1;
            open.extend(self.children(token as usize));
        }
        if met == self.len() {
            Ok(())
        } else {
            Err(cycle())
        }
    }

    /// Number of tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// True without tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The head of a token; `None` for a root or a token that is none of the sentence.
    #[must_use]
    pub fn head(&self, token: usize) -> Option<u32> {
        self.heads.get(token).copied().filter(|&head| head != ROOT)
    }

    /// The relation of a token to its head; empty for a token that is none of the sentence.
    #[must_use]
    pub fn relation(&self, token: usize) -> &str {
        self.relations.get(token).map_or("", |relation| relation)
    }

    /// The tokens whose head is `token`, ascending.
    pub fn children(&self, token: usize) -> impl DoubleEndedIterator<Item = u32> + Clone {
        let token = if token < self.len() {
            token
        } else {
            usize::MAX - 1
        };
        self.bucket(token)
    }

    /// The tokens without a head, ascending.
    pub fn roots(&self) -> impl DoubleEndedIterator<Item = u32> + Clone {
        self.bucket(self.len())
    }

    fn bucket(&self, at: usize) -> impl DoubleEndedIterator<Item = u32> + Clone {
        let start = self.first_child.get(at).copied().unwrap_or(0) as usize;
        let end = self
            .first_child
            .get(at + 1)
            .map_or(start, |&end| end as usize);
        self.children.get(start..end).unwrap_or(&[]).iter().copied()
    }
}

/// Buckets of children by head, the roots last.
fn by_head(heads: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let bucket = |head: u32| {
        if head == ROOT {
            heads.len()
        } else {
            head as usize
        }
    };
    let mut first = vec![0u32; heads.len() + 2];
    for &head in heads {
        first[bucket(head) + 1] += 1;
    }
    for at in 1..first.len() {
        first[at] += first[at - 1];
    }
    let mut next = first.clone();
    let mut children = vec![0u32; heads.len()];
    for (token, &head) in heads.iter().enumerate() {
        let slot = &mut next[bucket(head)];
        children[*slot as usize] = token as u32;
        *slot += 1;
    }
    (children, first)
}

fn cycle() -> Error {
    crate::tree::bad("heads form a cycle")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_roots_are_legal_and_cycles_are_not() {
        let made = Dependencies::new(&[(None, "a"), (Some(0), "b"), (None, "c")]).unwrap();
        assert_eq!(made.roots().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(
            (made.relation(1), made.head(0), made.head(9)),
            ("b", None, None)
        );
        assert_eq!(made.children(9).count(), 0);
        let loops: [&[(Option<u32>, &str)]; 2] = [
            &[(Some(0), "x")],
            &[(None, "x"), (Some(2), "x"), (Some(1), "x")],
        ];
        for arcs in loops {
            assert_eq!(Dependencies::new(arcs).unwrap_err().code(), "bad-tree");
        }
        assert_eq!(
            Dependencies::new(&[(Some(7), "x")]).unwrap_err().code(),
            "bad-span"
        );
        assert!(Dependencies::new::<&str>(&[]).unwrap().is_empty());
    }

    #[test]
    fn a_chain_of_a_million_is_no_problem() {
        let arcs: Vec<_> = (0..1_000_000u32)
            .map(|token| (token.checked_sub(1), "x"))
            .collect();
        assert_eq!(Dependencies::new(&arcs).unwrap().len(), 1_000_000);
    }
}
