//! The class-token constraint (Quirk et al. 2004, §4.1): a phrase pair must hold the same class tokens
//! (`__NUM__` …) on either side, so that their values can be put back.

use pgen_core::text::EntityClass;
use pgen_core::{Vocab, WordId};

/// Which words of a vocabulary are class tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassTokens {
    /// Class tokens, ascending by id; a vocabulary has at most as many as there are classes.
    words: Vec<WordId>,
}

impl ClassTokens {
    /// The class tokens among the words of a vocabulary.
    #[must_use]
    pub fn of(vocab: &Vocab) -> Self {
        let known = EntityClass::ALL.iter();
        let mut words: Vec<WordId> = known
            .filter_map(|class| vocab.get(class.symbol()))
            .collect();
        words.sort_unstable();
        ClassTokens { words }
    }

    /// True if both phrases hold each class token equally often. O(words · classes in use).
    #[must_use]
    pub fn agree(&self, source: &[WordId], target: &[WordId]) -> bool {
        let count =
            |phrase: &[WordId], class: &WordId| phrase.iter().filter(|word| *word == class).count();
        self.words
            .iter()
            .all(|class| count(source, class) == count(target, class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_must_hold_the_same_class_tokens() {
        let mut vocab = Vocab::new();
        let mut ids = |text: &str| -> Vec<WordId> {
            text.split(' ')
                .map(|word| vocab.intern(word).unwrap())
                .collect()
        };
        let cases = [
            ("rose __NUM__", "up __NUM__", true),
            ("__NUM__ to __NUM__", "__NUM__ : __NUM__", true),
            ("__NUM__ to __NUM__", "__NUM__", false),
            ("on __DATE__", "at __TIME__", false),
            ("rose", "fell", true),
            ("\\__NUM__", "number", true),
        ];
        let cases = cases.map(|(s, t, agree)| (ids(s), ids(t), agree));
        let classes = ClassTokens::of(&vocab);
        for (source, target, agree) in cases {
            assert_eq!(classes.agree(&source, &target), agree);
        }
        assert!(ClassTokens::default().agree(&[WordId::new(7)], &[]));
    }
}
