//! How much a paraphrase may change, and how different the listed ones must be.

use crate::answer::TextEdit;

/// Bounds on change, and what may not be listed twice.
///
/// | field | default | meaning |
/// |---|---|---|
/// | `min_change`, `max_change` | 0, no limit | words inserted plus words deleted against the source |
/// | `min_edits`, `max_edits` | 0, no limit | number of replacements |
/// | `distinct` | texts | what no two listed paraphrases may share |
/// | `same` | 1 | how many listed paraphrases may share it |
///
/// Bounds are kept by every answer. `distinct` is kept greedily: better texts come first, and a text too
/// much like `same` better ones is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, rename_all = "kebab-case", deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(missing_docs)] // the table above says what each one means
pub struct Diversity {
    pub min_change: usize,
    pub max_change: usize,
    pub min_edits: usize,
    pub max_edits: usize,
    pub distinct: Distinct,
    pub same: usize,
}

impl Default for Diversity {
    fn default() -> Self {
        Diversity {
            min_change: 0,
            max_change: usize::MAX,
            min_edits: 0,
            max_edits: usize::MAX,
            distinct: Distinct::Texts,
            same: 1,
        }
    }
}

/// What no two listed paraphrases may share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Distinct {
    /// The text; spelling with a hyphen, a blank or neither counts as one (`home town`, `hometown`).
    #[default]
    Texts,
    /// The places that were changed: one paraphrase for each choice of places.
    Places,
    /// The kinds of change: one paraphrase for each sequence of [`EditKind`]s.
    Kinds,
    /// A rule: every rule is used at most once in the whole list.
    Rules,
}

/// What kind of change an edit is, by its shape.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum EditKind {
    /// One word for one word.
    Word,
    /// Several words on either side.
    Phrase,
    /// Words go, none come.
    Deletion,
    /// Words come, none go.
    Insertion,
    /// The same words in another order.
    Order,
}

impl EditKind {
    /// The kind of a replacement of `from` by `to`.
    #[must_use]
    pub fn of(from: &str, to: &str) -> Self {
        let words = |text: &str| -> Vec<String> {
            let mut words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
            words.sort_unstable();
            words
        };
        let (from, to) = (words(from), words(to));
        match (from.len(), to.len()) {
            (_, 0) => EditKind::Deletion,
            (0, _) => EditKind::Insertion,
            (1, 1) => EditKind::Word,
            _ if from == to => EditKind::Order,
            _ => EditKind::Phrase,
        }
    }
}

/// Remembers what the listed paraphrases have, to tell which further ones are too much like them.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    signs: Vec<(String, usize)>,
}

impl Listed {
    /// Takes a paraphrase into the list if its edits are not too much like those before.
    pub(crate) fn accept(&mut self, diversity: &Diversity, edits: &[TextEdit]) -> bool {
        let signs = signs(diversity.distinct, edits);
        let used = |sign: &String| {
            let found = self.signs.iter().find(|(known, _)| known == sign);
            found.map_or(0, |&(_, times)| times)
        };
        if signs.iter().any(|sign| used(sign) >= diversity.same.max(1)) {
            return false;
        }
        for sign in signs {
            match self.signs.iter_mut().find(|(known, _)| *known == sign) {
                Some((_, times)) => *times += 1,
                None => self.signs.push((sign, 1)),
            }
        }
        true
    }
}

/// What must not be shared, as text.
fn signs(distinct: Distinct, edits: &[TextEdit]) -> Vec<String> {
    let one = |part: fn(&TextEdit) -> String| {
        let parts: Vec<String> = edits.iter().map(part).collect();
        vec![parts.join(" ")]
    };
    match distinct {
        Distinct::Texts => Vec::new(),
        Distinct::Places => one(|edit| format!("{}-{}", edit.source.start(), edit.source.end())),
        Distinct::Kinds => one(|edit| format!("{:?}", edit.kind)),
        Distinct::Rules => edits
            .iter()
            .map(|edit| format!("{} {}", edit.table, edit.rule))
            .collect(),
    }
}

/// Texts that differ only in hyphens, blanks and case have the same key.
pub(crate) fn spelling_key(text: &str) -> String {
    let kept = text
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{AD}'));
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_go_by_shape() {
        assert_eq!(EditKind::of("big", "large"), EditKind::Word);
        assert_eq!(EditKind::of("a lot of", "many"), EditKind::Phrase);
        assert_eq!(EditKind::of("not only", "only not"), EditKind::Order);
        assert_eq!(EditKind::of("very ", ""), EditKind::Deletion);
        assert_eq!(EditKind::of("", "very"), EditKind::Insertion);
    }

    #[test]
    fn hyphens_and_blanks_make_no_other_text() {
        assert_eq!(spelling_key("My home town"), spelling_key("my home-town"));
        assert_eq!(spelling_key("hometown"), spelling_key("Home‑town"));
        assert_ne!(spelling_key("home"), spelling_key("town"));
    }
}
