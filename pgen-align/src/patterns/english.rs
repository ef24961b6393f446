//! What rules of English may not do.

use super::rules::AcquiredRule;
use pgen_core::Slot;

const NEGATION: [&str; 12] = [
    "not", "n't", "no", "never", "none", "nor", "neither", "without", "nothing", "nobody",
    "cannot", "hardly",
];

/// Words that carry grammar: a change of nothing else is a change of tense, number or definiteness.
const GRAMMAR: [&str; 34] = [
    "a", "an", "the", "am", "are", "be", "been", "being", "can", "could", "did", "do", "does",
    "had", "has", "have", "having", "is", "it", "may", "might", "must", "of", "shall", "should",
    "that", "this", "to", "was", "were", "will", "would", "'s", "'ve",
];

impl AcquiredRule {
    /// True if the rule keeps what a paraphrase must, and says something in other words. A filter for
    /// English, whose word lists it knows. It refuses rules
    ///
    /// - that lose or gain negation, numbers or punctuation;
    /// - that put `a` or `an` before a slot which had another word before it: the sound of what fills the
    ///   slot is the source's;
    /// - whose sides differ in words of grammar only (`[NNS_1] are` → `[NNS_1] have`), or in nothing but
    ///   the order of slots, unless these are adverbs.
    #[must_use]
    pub fn keeps_meaning_words(&self) -> bool {
        kept(&self.source) == kept(&self.target)
            && keeps_articles(&self.source, &self.target)
            && says_it_otherwise(&self.source, &self.target)
    }
}

fn kept(side: &str) -> Vec<&str> {
    let bound = |word: &&str| {
        let number = word.chars().any(char::is_numeric);
        let sign = !word.chars().any(char::is_alphanumeric);
        Slot::parse(word).is_none() && (number || sign || NEGATION.contains(word))
    };
    let mut words: Vec<&str> = side.split(' ').filter(bound).collect();
    words.sort_unstable();
    words
}

fn keeps_articles(source: &str, target: &str) -> bool {
    /// The slots that stand behind an article.
    fn behind<'s>(side: &'s str, article: &str) -> Vec<&'s str> {
        let words: Vec<&str> = side.split(' ').collect();
        let pairs = words.windows(2).filter(|pair| pair[0] == article);
        let slots = pairs.filter(|pair| Slot::parse(pair[1]).is_some());
        slots.map(|pair| pair[1]).collect()
    }
    ["a", "an"].into_iter().all(|article| {
        let known = behind(source, article);
        behind(target, article)
            .iter()
            .all(|slot| known.contains(slot))
    })
}

fn says_it_otherwise(source: &str, target: &str) -> bool {
    let mut left: Vec<&str> = source.split(' ').collect();
    let mut changed: Vec<&str> = Vec::new();
    for word in target.split(' ') {
        match left.iter().position(|known| *known == word) {
            Some(at) => {
                left.swap_remove(at);
            }
            None => changed.push(word),
        }
    }
    changed.append(&mut left);
    if changed.is_empty() {
        let mut slots = source.split(' ').filter_map(Slot::parse);
        return slots.clone().next().is_none() || slots.all(|slot| slot.tag.starts_with("RB"));
    }
    !changed.iter().all(|word| GRAMMAR.contains(word))
}
