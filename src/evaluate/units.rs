//! What one text has instead of another: runs of words that a word-by-word difference finds.

/// Most cells of the difference's table; beyond it what lies between the common ends is one unit.
const CELLS: usize = 4_000_000;

/// A run of words that was replaced; one side may be empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unit<'w> {
    pub(super) from: &'w [String],
    pub(super) to: &'w [String],
}

/// The units of a difference with as few words deleted and inserted as can be; O(|source| · |text|)
/// between the ends that both have.
pub(super) fn units<'w>(source: &'w [String], text: &'w [String]) -> Vec<Unit<'w>> {
    let start = source.iter().zip(text).take_while(|(a, b)| a == b).count();
    let (source, text) = (&source[start..], &text[start..]);
    let ends = source.iter().rev().zip(text.iter().rev());
    let end = ends.take_while(|(a, b)| a == b).count();
    let (source, text) = (&source[..source.len() - end], &text[..text.len() - end]);
    if source.len().saturating_mul(text.len()) > CELLS {
        return vec![Unit {
            from: source,
            to: text,
        }];
    }
    let common = Common::of(source, text);
    let mut found = Vec::new();
    let (mut at, mut by) = (0, 0);
    while at < source.len() || by < text.len() {
        let (from, to) = (at, by);
        while (at < source.len() || by < text.len()) && !common.is_match(source, text, at, by) {
            if by == text.len()
                || at < source.len() && common.get(at + 1, by) >= common.get(at, by + 1)
            {
                at += 1;
            } else {
                by += 1;
            }
        }
        if (from, to) != (at, by) {
            found.push(Unit {
                from: &source[from..at],
                to: &text[to..by],
            });
        }
        while common.is_match(source, text, at, by) {
            at += 1;
            by += 1;
        }
    }
    found
}

/// Lengths of the longest common subsequences of what is left from each pair of places.
struct Common {
    width: usize,
    lengths: Vec<u32>,
}

impl Common {
    fn of(source: &[String], text: &[String]) -> Self {
        let width = text.len() + 1;
        let mut lengths = vec![0; (source.len() + 1) * width];
        for at in (0..source.len()).rev() {
            for by in (0..text.len()).rev() {
                lengths[at * width + by] = if source[at] == text[by] {
                    lengths[(at + 1) * width + by + 1] + 1
                } else {
                    lengths[(at + 1) * width + by].max(lengths[at * width + by + 1])
                };
            }
        }
        Common { width, lengths }
    }

    fn get(&self, at: usize, by: usize) -> u32 {
        self.lengths[at * self.width + by]
    }

    fn is_match(&self, source: &[String], text: &[String], at: usize, by: usize) -> bool {
        at < source.len() && by < text.len() && source[at] == text[by]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn runs_are_found() {
        let (a, b) = (words("a b c d e"), words("a x c e f"));
        let found: Vec<String> = units(&a, &b)
            .iter()
            .map(|unit| format!("{}>{}", unit.from.join(" "), unit.to.join(" ")))
            .collect();
        assert_eq!(found, ["b>x", "d>", ">f"]);
        assert!(units(&a, &a).is_empty());
    }

    proptest! {
        #[test]
        fn units_turn_one_text_into_the_other(a in "[abc ]{0,24}", b in "[abc ]{0,24}") {
            let (a, b) = (words(&a), words(&b));
            let found = units(&a, &b);
            let changed: usize = found.iter().map(|unit| unit.from.len() + unit.to.len()).sum();
            // What no unit touches is common to both, so both lengths agree.
            let kept = a.len() - found.iter().map(|unit| unit.from.len()).sum::<usize>();
            prop_assert_eq!(kept + found.iter().map(|unit| unit.to.len()).sum::<usize>(), b.len());
            prop_assert_eq!(changed, a.len() + b.len() - 2 * Common::of(&a, &b).get(0, 0) as usize);
            prop_assert!(found.iter().all(|unit| unit.from != unit.to));
        }
    }
}
