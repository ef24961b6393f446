//! Which words are names: counted from running text.

use hashbrown::HashMap;

/// How often each word was seen capitalised and in small letters, not counting sentence starts.
#[derive(Clone, Debug, Default)]
pub struct Casing {
    counts: HashMap<String, [u32; 2]>,
}

impl Casing {
    /// Counts one sentence; its first word is left out, because there a capital tells nothing.
    pub fn count<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) {
        let mut after_stop = true;
        for word in words {
            let Some(first) = word.chars().next() else {
                continue;
            };
            if !first.is_alphabetic() {
                // Quotes, colons and points may start a sentence of their own.
                after_stop = !matches!(first, ',' | ';' | '-');
                continue;
            }
            if !std::mem::take(&mut after_stop) {
                let upper = usize::from(first.is_uppercase());
                let counts = self.counts.entry(word.to_lowercase()).or_default();
                counts[upper] = counts[upper].saturating_add(1);
            }
        }
    }

    /// True if the word (lower-cased) mostly stands with a capital.
    #[must_use]
    pub fn is_name(&self, word: &str) -> bool {
        self.counts
            .get(word)
            .is_some_and(|[lower, upper]| upper > lower)
    }

    /// The words that are names, ascending.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .counts
            .iter()
            .filter(|(_, [l, u])| u > l)
            .map(|(word, _)| word.as_str())
            .collect();
        names.sort_unstable();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_at_the_start_tell_nothing() {
        let mut casing = Casing::default();
        casing.count(["Dogs", "like", "Paris", ".", "Cats", "like", "dogs"]);
        assert_eq!(casing.names(), ["paris"]);
        assert!(casing.is_name("paris") && !casing.is_name("dogs") && !casing.is_name("cats"));
    }
}
