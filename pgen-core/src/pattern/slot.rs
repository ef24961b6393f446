//! Slots in the text of patterns: `[NN_1]`, also written `[NN-1]` and `[NN,1]`.

use crate::error::{Error, Place, Result};

/// A slot: any filler whose head has this tag; slots of one tag are told apart by their index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot<'a> {
    /// Part of speech of the filler's head.
    pub tag: &'a str,
    /// Number among the slots of this tag, from 1.
    pub index: u32,
}

impl<'a> Slot<'a> {
    /// Reads a slot; `None` for a token that is none.
    #[must_use]
    pub fn parse(token: &'a str) -> Option<Self> {
        let inner = token.strip_prefix('[')?.strip_suffix(']')?;
        let at = inner.rfind(['_', '-', ','])?;
        let (tag, index) = (&inner[..at], &inner[at + 1..]);
        let digits = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
        let index = index.parse().ok().filter(|&index| digits && index > 0)?;
        (!tag.is_empty() && !tag.contains(['[', ']'])).then_some(Slot { tag, index })
    }

    /// The slot as `[TAG_index]`.
    #[must_use]
    pub fn spell(self) -> String {
        format!("[{}_{}]", self.tag, self.index)
    }
}

/// A pattern in its normal form: slots written `[TAG_n]`, those of one tag numbered from 1 in the order
/// of the source. Equal patterns have equal texts.
///
/// # Errors
/// [`Error::BadTable`] for a bracket that belongs to no slot; a slot that stands twice on a side or on
/// one side only; a source of one slot and nothing else; an empty source.
pub fn normalize_pattern(source: &str, target: &str) -> Result<(String, String)> {
    let source: Vec<&str> = crate::table::words(source).collect();
    let target: Vec<&str> = crate::table::words(target).collect();
    let (slots, target_slots) = (slots_of(&source)?, slots_of(&target)?);
    if let Some(slot) = slots.iter().find(|slot| !target_slots.contains(slot)) {
        return bad(format!("{} is not on the target side", slot.spell()));
    }
    if let Some(slot) = target_slots.iter().find(|slot| !slots.contains(slot)) {
        return bad(format!("{} is not on the source side", slot.spell()));
    }
    if source.is_empty() {
        return bad("the source is empty".to_owned());
    }
    if source.len() == 1 && slots.len() == 1 {
        return bad("a source of one slot and no word matches everything".to_owned());
    }
    // The number of each slot among those of its tag.
    let numbered = |slot: Slot<'_>| {
        let place = slots.iter().position(|&known| known == slot)?;
        let same = slots[..=place].iter().filter(|known| known.tag == slot.tag);
        Some(
            Slot {
                tag: slot.tag,
                index: same.count() as u32,
            }
            .spell(),
        )
    };
    let side = |tokens: &[&str]| -> String {
        let spelled: Vec<String> = tokens
            .iter()
            .map(|&token| {
                Slot::parse(token)
                    .and_then(numbered)
                    .unwrap_or_else(|| token.to_owned())
            })
            .collect();
        spelled.join(" ")
    };
    Ok((side(&source), side(&target)))
}

fn slots_of<'a>(tokens: &[&'a str]) -> Result<Vec<Slot<'a>>> {
    let mut slots: Vec<Slot<'a>> = Vec::new();
    for &token in tokens {
        match Slot::parse(token) {
            Some(slot) if slots.contains(&slot) => {
                return bad(format!("{} stands twice on a side", slot.spell()));
            }
            Some(slot) => slots.push(slot),
            None if looks_like_slot(token) => {
                return bad(format!(
                    "the brackets of {} make no slot; write [NN_1]",
                    crate::error::quote(token)
                ));
            }
            None => {}
        }
    }
    Ok(slots)
}

/// Brackets that are more than a token of punctuation.
fn looks_like_slot(token: &str) -> bool {
    token.len() > 1 && (token.starts_with('[') || token.ends_with(']'))
}

fn bad<T>(reason: String) -> Result<T> {
    Err(Error::table(Place::default(), reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_spellings_are_one() {
        for text in ["[NN_1]", "[NN-1]", "[NN,1]"] {
            assert_eq!(
                Slot::parse(text),
                Some(Slot {
                    tag: "NN",
                    index: 1
                }),
                "{text}"
            );
        }
        let dollar = Slot::parse("[PRP$_2]").unwrap();
        assert_eq!((dollar.tag, dollar.index), ("PRP$", 2));
        for text in [
            "[NN]", "NN_1", "[_1]", "[NN_0]", "[NN_x]", "[NN_1", "[", "]", "[]", "[NN_+1]",
        ] {
            assert_eq!(Slot::parse(text), None, "{text}");
        }
    }

    #[test]
    fn slots_are_numbered_in_source_order() {
        let (source, target) = normalize_pattern(
            "the [NN-2] of [NN,7] is [JJ_1]",
            "[NN_7] 's [NN_2] is [JJ_1]",
        )
        .unwrap();
        assert_eq!(source, "the [NN_1] of [NN_2] is [JJ_1]");
        assert_eq!(target, "[NN_2] 's [NN_1] is [JJ_1]");
        assert!(normalize_pattern("a [ b", "a ] b").is_ok());
        assert!(normalize_pattern("[NN_1] [VB_1]", "[VB_1] [NN_1]").is_ok());
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for (source, target) in [
            ("a [NN_1]", "b"),
            ("a", "b [NN_1]"),
            ("a [NN_1]", "b [VB_1]"),
            ("a [NN_1] [NN_1]", "b [NN_1] [NN_1]"),
            ("[NN_1]", "the [NN_1]"),
            ("", "b"),
            ("a [NN_1", "b [NN_1"),
            ("a NN_1]", "b"),
        ] {
            let error = normalize_pattern(source, target).unwrap_err();
            assert_eq!(error.code(), "bad-table", "{source} → {target}");
        }
    }
}
