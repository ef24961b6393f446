//! How alike two words are in the company they keep.

use super::text::TextStream;
use hashbrown::HashMap;
use pgen_core::WordId;

/// Frequent words that count as company.
const COMPANY: u32 = 1000;

/// Words that get a vector, the most frequent ones.
const WORDS: u32 = 60_000;

/// The first word of a vocabulary by frequency; ids below are reserved.
const FIRST: u32 = 3;

/// Places beside a word that are looked at: two to the left, two to the right.
const PLACES: [isize; 4] = [-2, -1, 1, 2];

/// Distributional similarity of words: the cosine of their vectors of positive pointwise mutual
/// information with the most frequent words at each of the two places on either side.
///
/// Where a word may stand for another, it stands in the same places; words that merely share a topic do
/// not. Memory: about 8 bytes for each pair of a word and a companion that goes with it more often than
/// by chance; 30 MB for twenty million tokens of text.
#[derive(Debug, Default)]
pub struct Similarity {
    /// Where the entries of each word begin, by word id less [`FIRST`].
    starts: Vec<u32>,
    /// Companion and value of unit vectors, by companion within a word.
    entries: Vec<(u32, f32)>,
}

impl Similarity {
    /// Counts a text whose words are numbered by frequency.
    #[must_use]
    pub fn of(text: &TextStream) -> Self {
        let mut pairs: HashMap<(u32, u32), u32> = HashMap::new();
        for sentence in text.sentences() {
            count(sentence, &mut pairs);
        }
        let mut counts: Vec<((u32, u32), u32)> = pairs.into_iter().collect();
        counts.sort_unstable();
        let words = counts.last().map_or(0, |&((word, _), _)| word as usize + 1);
        let mut by_word = vec![0f64; words];
        let mut by_company = vec![0f64; COMPANY as usize * PLACES.len()];
        for &((word, company), times) in &counts {
            by_word[word as usize] += f64::from(times);
            by_company[company as usize] += f64::from(times);
        }
        let total: f64 = by_word.iter().sum();
        let mut entries = Vec::new();
        let mut starts = Vec::with_capacity(words + 1);
        for &((word, company), times) in &counts {
            while starts.len() <= word as usize {
                starts.push(entries.len() as u32);
            }
            let expected = by_word[word as usize] * by_company[company as usize] / total;
            let information = (f64::from(times) / expected).ln();
            if information > 0.0 {
                entries.push((company, information as f32));
            }
        }
        starts.push(entries.len() as u32);
        let mut similarity = Similarity { starts, entries };
        similarity.normalize();
        similarity
    }

    /// Makes each vector of length 1.
    fn normalize(&mut self) {
        for at in 1..self.starts.len() {
            let range = self.starts[at - 1] as usize..self.starts[at] as usize;
            let vector = &mut self.entries[range];
            let square: f64 = vector.iter().map(|&(_, x)| f64::from(x).powi(2)).sum();
            let length = square.sqrt().max(1e-9);
            for (_, value) in vector {
                *value = (f64::from(*value) / length) as f32;
            }
        }
    }

    fn vector(&self, word: WordId) -> &[(u32, f32)] {
        let at = (word.raw().wrapping_sub(FIRST)) as usize;
        match (self.starts.get(at), self.starts.get(at.wrapping_add(1))) {
            (Some(&start), Some(&end)) => &self.entries[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The cosine of two words' vectors, 0 to 1; `None` if either is too rare to have one. Linear in the
    /// vectors' entries.
    #[must_use]
    pub fn cosine(&self, a: WordId, b: WordId) -> Option<f64> {
        let (mut a, mut b) = (self.vector(a), self.vector(b));
        if a.is_empty() || b.is_empty() {
            return None;
        }
        let mut sum = 0.0;
        while let (Some(&(left, x)), Some(&(right, y))) = (a.first(), b.first()) {
            if left == right {
                sum += f64::from(x) * f64::from(y);
            }
            a = if left <= right { &a[1..] } else { a };
            b = if right <= left { &b[1..] } else { b };
        }
        Some(sum)
    }
}

/// Counts the company of each word of a sentence.
fn count(sentence: &[WordId], pairs: &mut HashMap<(u32, u32), u32>) {
    for (at, word) in sentence.iter().enumerate() {
        let Some(word) = word.raw().checked_sub(FIRST).filter(|&word| word < WORDS) else {
            continue;
        };
        for (place, offset) in (0u32..).zip(PLACES) {
            let beside = at
                .checked_add_signed(offset)
                .and_then(|at| sentence.get(at));
            let company = beside.and_then(|beside| beside.raw().checked_sub(FIRST));
            if let Some(company) = company.filter(|&company| company < COMPANY) {
                let slot = pairs.entry((word, place * COMPANY + company)).or_default();
                *slot = slot.saturating_add(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::casing::Casing;
    use pgen_core::Limits;

    #[test]
    fn words_in_the_same_places_are_alike() {
        let (mut text, mut casing) = (TextStream::new(), Casing::default());
        let mut add = |line: &str| text.add(line, &mut casing, &Limits::default()).unwrap();
        for _ in 0..5 {
            for animal in ["dog", "cat"] {
                add(&format!("the {animal} sleeps on a mat"));
                add(&format!("i saw the {animal} run away"));
            }
            add("they sleep quickly when it rains");
        }
        let (vocab, _) = text.renumber(1).unwrap();
        let similarity = Similarity::of(&text);
        let cosine = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|word| vocab.get(word).unwrap());
            similarity.cosine(a, b)
        };
        assert!(cosine("dog", "cat").unwrap() > 0.999);
        assert!(cosine("dog", "rains").unwrap() < 0.2);
        assert_eq!(similarity.cosine(WordId::UNK, WordId::UNK), None);
    }
}
