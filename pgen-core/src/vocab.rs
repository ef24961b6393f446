//! The vocabulary: words ↔ ids, append-only, with `<unk>`, `<s>` and `</s>` at ids 0, 1, 2.

use crate::error::{Error, Place, Result};
use crate::id::WordId;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// Spellings of the three control symbols, by id.
pub(crate) const CONTROL: [&str; 3] = ["<unk>", "<s>", "</s>"];

/// Words in order of insertion. One vocabulary serves all models of a bundle; each model remembers how
/// many words it was made with and their [`Vocab::fingerprint`].
///
/// Control symbols have ids but are not found by their spelling through [`Vocab::get`] or
/// [`Vocab::intern`]: a user who types `<s>` types an ordinary word. Readers of formats in which the
/// spelling does mean the symbol use [`Vocab::get_symbol`] and [`Vocab::intern_symbol`].
///
/// Look-up takes O(length of the word); memory is the text plus about 13 bytes a word.
#[derive(Clone, Debug)]
pub struct Vocab {
    text: String,
    /// End of each word in `text`; the start is the end of the word before.
    ends: Vec<u64>,
    table: HashTable<u32>,
}

impl Default for Vocab {
    fn default() -> Self {
        Self::new()
    }
}

impl Vocab {
    /// A vocabulary of the three control symbols.
    #[must_use]
    pub fn new() -> Self {
        let mut vocab = Vocab {
            text: String::new(),
            ends: Vec::new(),
            table: HashTable::new(),
        };
        for word in CONTROL {
            vocab.text.push_str(word);
            vocab.ends.push(vocab.text.len() as u64);
        }
        vocab
    }

    /// Number of words, control symbols included. Never less than 3.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // it never is
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The spelling of an id; `None` if the id is not of this vocabulary.
    #[must_use]
    pub fn word(&self, id: WordId) -> Option<&str> {
        let end = *self.ends.get(id.index())? as usize;
        let start = if id.index() == 0 {
            0
        } else {
            *self.ends.get(id.index() - 1)? as usize
        };
        self.text.get(start..end)
    }

    /// All words in order of their ids.
    pub fn words(&self) -> impl Iterator<Item = (WordId, &str)> {
        (0..self.ends.len() as u32).filter_map(|raw| {
            let id = WordId::new(raw);
            Some((id, self.word(id)?))
        })
    }

    /// The id of an ordinary word. Spellings of control symbols are never found here unless such a word
    /// was interned as text.
    #[must_use]
    pub fn get(&self, word: &str) -> Option<WordId> {
        let raw = *self
            .table
            .find(hash(word), |&raw| self.word(WordId::new(raw)) == Some(word))?;
        Some(WordId::new(raw))
    }

    /// The id of an ordinary word, which is added if it is new.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] when 2³² − 1 words are reached.
    pub fn intern(&mut self, word: &str) -> Result<WordId> {
        let Vocab { text, ends, table } = self;
        let spelling = |raw: u32| {
            let start = if raw == 0 {
                0
            } else {
                ends[raw as usize - 1] as usize
            };
            &text[start..ends[raw as usize] as usize]
        };
        let entry = table.entry(
            hash(word),
            |&raw| spelling(raw) == word,
            |&raw| hash(spelling(raw)),
        );
        match entry {
            Entry::Occupied(found) => Ok(WordId::new(*found.get())),
            Entry::Vacant(free) => {
                let id = WordId::from_index(ends.len())
                    .filter(|id| id.raw() < u32::MAX)
                    .ok_or(Error::LimitExceeded {
                        place: Place::default(),
                        what: "number of words",
                        limit: u64::from(u32::MAX),
                        found: ends.len() as u64,
                    })?;
                free.insert(id.raw());
                text.push_str(word);
                ends.push(text.len() as u64);
                Ok(id)
            }
        }
    }

    /// As [`Vocab::get`], but the spelling of a control symbol (`<unk>`, also `<UNK>`; `<s>`; `</s>`)
    /// means the symbol. For readers of formats in which it does.
    #[must_use]
    pub fn get_symbol(&self, word: &str) -> Option<WordId> {
        control(word).or_else(|| self.get(word))
    }

    /// As [`Vocab::intern`], but the spelling of a control symbol means the symbol.
    ///
    /// # Errors
    /// As [`Vocab::intern`].
    pub fn intern_symbol(&mut self, word: &str) -> Result<WordId> {
        match control(word) {
            Some(id) => Ok(id),
            None => self.intern(word),
        }
    }

    /// A hash of the first `length` words, spelled out: models made with this prefix stay valid while
    /// words are appended. `None` if there are fewer words.
    #[must_use]
    pub fn fingerprint(&self, length: usize) -> Option<u64> {
        if length > self.len() {
            return None;
        }
        // FNV-1a over each word's bytes and a terminator that no UTF-8 text contains.
        let mut state = 0xCBF2_9CE4_8422_2325u64;
        for (_, word) in self.words().take(length) {
            for byte in word.bytes().chain([0xFF]) {
                state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
            }
        }
        Some(state)
    }
}

fn control(word: &str) -> Option<WordId> {
    match word {
        "<unk>" | "<UNK>" => Some(WordId::UNK),
        "<s>" => Some(WordId::BOS),
        "</s>" => Some(WordId::EOS),
        _ => None,
    }
}

/// A fixed, fast string hash; the same on every run, so that nothing can depend on a random seed.
pub(crate) fn hash(word: &str) -> u64 {
    use std::hash::Hasher;
    let mut state = FixedHasher(0x243F_6A88_85A3_08D3);
    state.write(word.as_bytes());
    state.finish()
}

/// Multiply-rotate over 8-byte blocks; good enough for words, not meant against attackers: limits on
/// vocabulary size bound what collisions can cost.
struct FixedHasher(u64);

impl std::hash::Hasher for FixedHasher {
    fn write(&mut self, bytes: &[u8]) {
        const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut mix = |block: u64| {
            self.0 = (self.0 ^ block).wrapping_mul(MULTIPLIER).rotate_left(29);
        };
        let mut blocks = bytes.chunks_exact(8);
        for block in &mut blocks {
            mix(block
                .iter()
                .rev()
                .fold(0, |sum, &byte| sum << 8 | u64::from(byte)));
        }
        let rest = blocks.remainder();
        mix(rest
            .iter()
            .rev()
            .fold(bytes.len() as u64, |sum, &byte| sum << 8 | u64::from(byte)));
    }

    fn finish(&self) -> u64 {
        let mut z = self.0;
        z = (z ^ (z >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        z ^ (z >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_ids() {
        let mut vocab = Vocab::new();
        let dog = vocab.intern("dog").unwrap();
        assert_eq!((dog.raw(), vocab.len()), (3, 4));
        assert_eq!(vocab.intern("dog").unwrap(), dog);
        assert_eq!(vocab.get("dog"), Some(dog));
        assert_eq!(vocab.word(dog), Some("dog"));
        assert_eq!((vocab.get("cat"), vocab.word(WordId::new(4))), (None, None));
    }

    #[test]
    fn user_text_never_becomes_a_control_symbol() {
        let mut vocab = Vocab::new();
        assert_eq!(vocab.get("<s>"), None);
        let typed = vocab.intern("<s>").unwrap();
        assert!(!typed.is_control());
        assert_eq!(vocab.get("<s>"), Some(typed));
        assert_eq!(vocab.get_symbol("<s>"), Some(WordId::BOS));
        assert_eq!(vocab.intern_symbol("<UNK>").unwrap(), WordId::UNK);
    }

    #[test]
    fn fingerprints_cover_a_prefix() {
        let mut vocab = Vocab::new();
        vocab.intern("ab").unwrap();
        let before = vocab.fingerprint(4);
        vocab.intern("c").unwrap();
        assert_eq!(vocab.fingerprint(4), before);
        assert_eq!(vocab.fingerprint(6), None);
        let mut other = Vocab::new();
        other.intern("a").unwrap();
        other.intern("bc").unwrap();
        assert_ne!(vocab.fingerprint(5), other.fingerprint(5));
    }

    #[test]
    fn many_words_are_all_found() {
        let mut vocab = Vocab::new();
        let ids: Vec<_> = (0..5000)
            .map(|i| vocab.intern(&format!("w{i}")).unwrap())
            .collect();
        assert!(
            ids.iter()
                .enumerate()
                .all(|(i, &id)| vocab.get(&format!("w{i}")) == Some(id))
        );
    }
}
