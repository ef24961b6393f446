//! How alike two words of one language look: the prior knowledge of monolingual alignment.

/// Likeness of two spellings in 0..=1: 1 for equal words, 0.95 for words equal but for case, otherwise
/// the larger of two measures of their shared material, 0 where it is less than half or where a word
/// holds no letter.
///
/// The measures: Dice's coefficient of letter bigrams with word ends, and the share of the longer word
/// that a common beginning of at least four letters covers (stems). O(length of the words).
#[must_use]
pub fn similarity(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    let lower = |word: &str| {
        word.chars()
            .flat_map(char::to_lowercase)
            .collect::<Vec<char>>()
    };
    let (a, b) = (lower(a), lower(b));
    if a == b {
        return 0.95;
    }
    if !(a.iter().any(|c| c.is_alphabetic()) && b.iter().any(|c| c.is_alphabetic())) {
        return 0.0;
    }
    let likeness = dice(&a, &b).max(stem(&a, &b));
    if likeness < 0.5 {
        0.0
    } else {
        likeness.min(0.9)
    }
}

/// 2·|common bigrams| / (|bigrams of a| + |bigrams of b|), word ends included.
fn dice(a: &[char], b: &[char]) -> f64 {
    let bigrams = |word: &[char]| {
        let ends = std::iter::once('\0').chain(word.iter().copied());
        let mut all: Vec<_> = ends.zip(word.iter().copied().chain(['\0'])).collect();
        all.sort_unstable();
        all
    };
    let (a, b) = (bigrams(a), bigrams(b));
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, common) = (i + 1, j + 1, common + 1),
        }
    }
    2.0 * common as f64 / (a.len() + b.len()) as f64
}

/// Length of the common beginning over that of the longer word, if at least four letters are common.
fn stem(a: &[char], b: &[char]) -> f64 {
    let common = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    if common < 4 {
        0.0
    } else {
        common as f64 / a.len().max(b.len()) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn related_words_look_alike() {
        assert_eq!(similarity("The", "the"), 0.95);
        assert_eq!(similarity("5", "50"), 0.0);
        assert!(similarity("comedienne", "comedian") > 0.5);
        assert!(similarity("indicated", "indicating") > 0.6);
        assert_eq!(similarity("ruling", "verdict"), 0.0);
        assert_eq!(similarity(",", "."), 0.0);
        assert!(similarity("Ahmadinejad", "Ahmedinejad") > 0.6);
    }
}
