//! Which words are names, and how they are spelled: counted from running text.

use hashbrown::HashMap;

/// How often each word was seen capitalised and in small letters, not counting sentence starts.
#[derive(Clone, Debug, Default)]
pub struct Casing {
    counts: HashMap<String, [u32; 2]>,
    /// How often each spelling with a capital was seen.
    forms: HashMap<String, u32>,
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
                after_stop = !matches!(first, ',' | ';' | '-' | '\'' | '’');
                continue;
            }
            if std::mem::take(&mut after_stop) {
                continue;
            }
            let upper = first.is_uppercase();
            let counts = self.counts.entry(word.to_lowercase()).or_default();
            let slot = &mut counts[usize::from(upper)];
            *slot = slot.saturating_add(1);
            if upper {
                let form = self.forms.entry(word.to_owned()).or_default();
                *form = form.saturating_add(1);
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

    /// The usual spelling of each name, ascending; ties go to the spelling that comes first.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let mut forms: Vec<(&str, u32)> = self
            .forms
            .iter()
            .map(|(form, &count)| (form.as_str(), count))
            .collect();
        forms.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let mut seen = hashbrown::HashSet::new();
        let mut names: Vec<&str> = forms
            .into_iter()
            .filter(|(form, _)| {
                let word = form.to_lowercase();
                self.is_name(&word) && seen.insert(word)
            })
            .map(|(form, _)| form)
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
        casing.count([
            "Dogs", "like", "Paris", ".", "Cats", "like", "dogs", "in", "NATO",
        ]);
        assert_eq!(casing.names(), ["NATO", "Paris"]);
        assert!(casing.is_name("paris") && !casing.is_name("dogs") && !casing.is_name("cats"));
    }
}
