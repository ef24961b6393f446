//! Class tokens: numbers, dates and addresses as symbols, and back (Quirk, Brockett & Dolan 2004).

use super::entity::EntityClass;
use crate::error::{Error, Result};

/// A token sequence whose entities are replaced by class symbols, with their values.
///
/// Tokens of the input that are spelled like a symbol are escaped by a backslash, so that they come
/// back as they were.
///
/// ```
/// use pgen_core::text::Abstraction;
///
/// let made = Abstraction::new(&["up", "5%", "on", "3rd"]);
/// assert_eq!(made.words(), ["up", "__PCT__", "on", "__ORD__"]);
/// assert_eq!(made.restore(&["__ORD__", ":", "+", "__PCT__"])?, ["3rd", ":", "+", "5%"]);
/// assert!(made.restore(&["__PCT__"]).is_err());
/// # Ok::<(), pgen_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Abstraction {
    words: Vec<String>,
    values: Vec<(EntityClass, String)>,
}

impl Abstraction {
    /// Replaces every token that has a class. Linear.
    #[must_use]
    pub fn new<S: AsRef<str>>(tokens: &[S]) -> Self {
        let mut made = Abstraction::default();
        for token in tokens.iter().map(AsRef::as_ref) {
            let word = match EntityClass::of_token(token) {
                Some(class) => {
                    made.values.push((class, token.to_owned()));
                    class.symbol().to_owned()
                }
                None if is_spelled_like_symbol(token) => format!("\\{token}"),
                None => token.to_owned(),
            };
            made.words.push(word);
        }
        made
    }

    /// The tokens with symbols in place of entities.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The entities in order.
    #[must_use]
    pub fn values(&self) -> &[(EntityClass, String)] {
        &self.values
    }

    /// Puts the values back: the k-th symbol of a class takes the k-th value of that class.
    ///
    /// # Errors
    /// [`Error::SlotMismatch`] if a class does not occur as often as in the source.
    pub fn restore<S: AsRef<str>>(&self, target: &[S]) -> Result<Vec<String>> {
        let classes = || {
            target
                .iter()
                .filter_map(|word| EntityClass::of_symbol(word.as_ref()))
        };
        for class in EntityClass::ALL {
            let expected = self.values.iter().filter(|value| value.0 == class).count();
            let found = classes().filter(|&found| found == class).count();
            if expected != found {
                let class = class.symbol().into();
                return Err(Error::SlotMismatch {
                    class,
                    expected,
                    found,
                });
            }
        }
        let mut queues = EntityClass::ALL.map(|class| {
            let of_class = move |value: &&(EntityClass, String)| value.0 == class;
            self.values.iter().filter(of_class)
        });
        let mut restored = Vec::with_capacity(target.len());
        for word in target.iter().map(AsRef::as_ref) {
            let value = EntityClass::of_symbol(word)
                .and_then(|class| queues.get_mut(class as usize)?.next());
            restored.push(match value {
                Some((_, value)) => value.clone(),
                None => match word
                    .strip_prefix('\\')
                    .filter(|rest| is_spelled_like_symbol(rest))
                {
                    Some(rest) => rest.to_owned(),
                    None => word.to_owned(),
                },
            });
        }
        Ok(restored)
    }
}

/// `__NUM__`, and its escaped forms `\__NUM__`, `\\__NUM__` …
fn is_spelled_like_symbol(token: &str) -> bool {
    EntityClass::of_symbol(token.trim_start_matches('\\')).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_cases_go_there_and_back() {
        let golden: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/golden/q12_ne.json")).unwrap();
        for case in golden["cases"].as_array().unwrap() {
            let words = |key: &str| -> Vec<String> {
                case[key]
                    .as_str()
                    .unwrap()
                    .split(' ')
                    .map(str::to_owned)
                    .collect()
            };
            let made = Abstraction::new(&words("in"));
            assert_eq!(made.words(), words("abstract"));
            let restored = made.restore(&words("target_abstract")).ok();
            let wanted = case["reinstantiated"].as_str();
            assert_eq!(restored.map(|words| words.join(" ")).as_deref(), wanted);
        }
    }

    #[test]
    fn literal_symbols_survive() {
        let tokens = ["__NUM__", "7", "\\__NUM__", "\\\\__URL__", "\\"];
        let made = Abstraction::new(&tokens);
        assert_eq!(made.values().len(), 1);
        assert_eq!(made.restore(made.words()).unwrap(), tokens);
    }
}
