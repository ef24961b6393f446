//! Votes on a row from sources that do not generate it: a thesaurus and synonym lists.

use crate::words::is_function_word;
use hashbrown::HashSet;
use pgen_core::thesaurus::Thesaurus;
use pgen_core::{Error, Limits, Lines, Result, Vocab, WordId};
use std::path::Path;

/// Word pairs that a list calls synonyms, in both directions.
#[derive(Debug, Default)]
pub struct SynonymList {
    words: Vocab,
    pairs: HashSet<(WordId, WordId)>,
}

impl SynonymList {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of pairs, each direction counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// True without pairs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Adds a pair, both ways.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] for too many words.
    pub fn add(&mut self, a: &str, b: &str) -> Result<()> {
        let [a, b] = [self.words.intern(a)?, self.words.intern(b)?];
        self.pairs.extend([(a, b), (b, a)]);
        Ok(())
    }

    /// Reads a list: two tab-separated words a line, or a word and its synonyms separated by spaces.
    ///
    /// # Errors
    /// Those of [`Lines`]; [`Error::Syntax`] for a line with a single word.
    pub fn read(&mut self, path: &Path, limits: &Limits) -> Result<()> {
        let mut lines = Lines::open(path, limits)?;
        let whole = lines.place();
        while let Some((number, line)) = lines.next_line()? {
            if line.trim().is_empty() {
                continue;
            }
            let separator = if line.contains('\t') { '\t' } else { ' ' };
            let mut words = line
                .split(separator)
                .map(str::trim)
                .filter(|word| !word.is_empty());
            let head = words.next().unwrap_or("").to_lowercase();
            let mut any = false;
            for other in words {
                any = true;
                self.add(&head, &other.to_lowercase())?;
            }
            if !any {
                return Err(Error::syntax(
                    whole.at_line(number),
                    "a word and its synonyms",
                    line,
                    "",
                ));
            }
        }
        Ok(())
    }

    /// True if the list has the pair.
    #[must_use]
    pub fn contains(&self, a: &str, b: &str) -> bool {
        match (self.words.get(a), self.words.get(b)) {
            (Some(a), Some(b)) => self.pairs.contains(&(a, b)),
            _ => false,
        }
    }
}

/// The sources that vote.
#[derive(Clone, Copy, Debug)]
pub struct Voters<'a> {
    /// A thesaurus, if there is one.
    pub thesaurus: Option<&'a Thesaurus>,
    /// Synonym lists.
    pub synonyms: &'a SynonymList,
}

/// How the sources vote on a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Votes {
    /// The thesaurus has both in one set, in the same inflection.
    pub thesaurus: bool,
    /// A synonym list has the pair.
    pub synonyms: bool,
}

impl Voters<'_> {
    /// The votes on a row of lower-cased words: on the phrases as wholes, and on the one content word
    /// that changes if there is exactly one on either side.
    #[must_use]
    pub fn votes(&self, source: &[&str], target: &[&str]) -> Votes {
        let whole = [source.join(" "), target.join(" ")];
        let mut votes = self.pair(&whole[0], &whole[1]);
        if let Some((a, b)) = only_change(source, target)
            && (a, b) != (whole[0].as_str(), whole[1].as_str())
        {
            let word = self.pair(a, b);
            votes.thesaurus |= word.thesaurus;
            votes.synonyms |= word.synonyms;
        }
        votes
    }

    fn pair(&self, a: &str, b: &str) -> Votes {
        let thesaurus = self.thesaurus.is_some_and(|thesaurus| {
            let others = thesaurus.analyses(b);
            thesaurus.analyses(a).iter().any(|(class, lemma, form)| {
                others.iter().any(|(other_class, other, other_form)| {
                    (class, form) == (other_class, other_form)
                        && lemma != other
                        && thesaurus.are_synonyms(lemma, other, *class)
                })
            })
        });
        Votes {
            thesaurus,
            synonyms: self.synonyms.contains(a, b),
        }
    }
}

/// The content word that changes, if exactly one does on either side.
fn only_change<'w>(source: &[&'w str], target: &[&'w str]) -> Option<(&'w str, &'w str)> {
    let only = |here: &[&'w str], there: &[&'w str]| {
        let mut changed = here
            .iter()
            .copied()
            .filter(|word| !there.contains(word) && !is_function_word(word));
        let first = changed.next()?;
        changed.next().is_none().then_some(first)
    };
    Some((only(source, target)?, only(target, source)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::thesaurus::ThesaurusBuilder;

    #[test]
    fn votes_on_words_and_on_phrases_around_them() {
        let mut builder = ThesaurusBuilder::new();
        builder.synset_line(1, "v1\tbuy purchase\t").unwrap();
        builder.synset_line(2, "v2\tput_off postpone\t").unwrap();
        let thesaurus = builder.build().unwrap();
        let mut synonyms = SynonymList::new();
        synonyms.add("important", "significant").unwrap();
        let voters = Voters {
            thesaurus: Some(&thesaurus),
            synonyms: &synonyms,
        };
        let votes = |a: &str, b: &str| {
            let [a, b]: [Vec<&str>; 2] = [a, b].map(|side| side.split(' ').collect());
            let votes = voters.votes(&a, &b);
            (votes.thesaurus, votes.synonyms)
        };
        assert_eq!(votes("buys", "purchases"), (true, false));
        assert_eq!(votes("buys", "purchase"), (false, false));
        assert_eq!(votes("postponed", "put off"), (true, false));
        assert_eq!(votes("a very important", "a significant"), (false, true));
        assert_eq!(votes("important", "big"), (false, false));
    }
}
