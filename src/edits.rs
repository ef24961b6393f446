//! Edits in bytes, such that source and text are equal outside of them.

use pgen_core::ByteSpan;

/// The spans of an edit in source and text.
pub(crate) type Pair = (ByteSpan, ByteSpan);

/// Widens edits until everything outside of them is equal in source and text: to the blanks that
/// detokenising adds or takes away before a clitic (`I am` → `I'm`), to a capital that moves, to a stem
/// that a contraction changes. The edits must ascend on both sides; one inside another is left as it is.
pub(crate) fn cover_differences(source: &str, text: &str, edits: &mut [Pair]) {
    let outer = outermost(edits);
    let mut before: Option<usize> = None;
    for after in outer.into_iter().map(Some).chain([None]) {
        let start = |side: fn(&Pair) -> ByteSpan| before.map_or(0, |at| side(&edits[at]).end());
        let (from, to) = (start(|pair| pair.0), start(|pair| pair.1));
        let end = |side: fn(&Pair) -> ByteSpan, length: usize| {
            after.map_or(length as u32, |at| side(&edits[at]).start())
        };
        let (from_end, to_end) = (
            end(|pair| pair.0, source.len()),
            end(|pair| pair.1, text.len()),
        );
        let cut = |text, start: u32, end: u32| str::get(text, start as usize..end as usize);
        let gap = cut(source, from, from_end).zip(cut(text, to, to_end));
        if let Some((a, b)) = gap.filter(|(a, b)| a != b) {
            let (left, right) = common_ends(a, b);
            let cover = |span: ByteSpan, start, end| {
                span.cover(ByteSpan::empty(start))
                    .cover(ByteSpan::empty(end))
            };
            // What differs goes to the edit that it touches.
            match (before, after) {
                (Some(at), _) if left < right || after.is_none() => {
                    let (x, y) = edits[at];
                    let (s, t) = (from_end - right as u32, to_end - right as u32);
                    edits[at] = (cover(x, x.start(), s), cover(y, y.start(), t));
                }
                (_, Some(at)) => {
                    let (x, y) = edits[at];
                    let (s, t) = (from + left as u32, to + left as u32);
                    edits[at] = (cover(x, s, x.end()), cover(y, t, y.end()));
                }
                (_, None) => {}
            }
        }
        before = after;
    }
}

/// Edits that lie in no earlier one, in order.
fn outermost(edits: &[Pair]) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    for (at, edit) in edits.iter().enumerate() {
        let last = kept.last().map(|&last| edits[last]);
        let behind = last
            .is_none_or(|last| last.0.end() <= edit.0.start() && last.1.end() <= edit.1.start());
        if behind {
            kept.push(at);
        }
    }
    kept
}

/// Lengths of the longest common beginning and, of what is left, the longest common end, both cut back
/// to where no word is cut.
fn common_ends(a: &str, b: &str) -> (usize, usize) {
    let same = |(x, y): &(char, char)| x == y;
    let count = |chars: &[char]| chars.iter().map(|c| c.len_utf8()).sum::<usize>();
    let mut left: Vec<char> = a
        .chars()
        .zip(b.chars())
        .take_while(same)
        .map(|(c, _)| c)
        .collect();
    let word = |text: &str, at: usize| {
        text.get(at..)
            .and_then(|rest| rest.chars().next())
            .is_some_and(char::is_alphanumeric)
    };
    while left.last().is_some_and(|c| c.is_alphanumeric())
        && (word(a, count(&left)) || word(b, count(&left)))
    {
        left.pop();
    }
    let start = count(&left);
    let (rest_a, rest_b) = (a.get(start..).unwrap_or(""), b.get(start..).unwrap_or(""));
    let pairs = rest_a.chars().rev().zip(rest_b.chars().rev());
    let mut right: Vec<char> = pairs.take_while(same).map(|(c, _)| c).collect();
    let before = |text: &str, taken: usize| {
        let head = text.get(..text.len() - taken).unwrap_or("");
        head.chars().next_back().is_some_and(char::is_alphanumeric)
    };
    while right.last().is_some_and(|c| c.is_alphanumeric())
        && (before(rest_a, count(&right)) || before(rest_b, count(&right)))
    {
        right.pop();
    }
    (start, count(&right))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(source: &str, text: &str, edits: &[([u32; 2], [u32; 2])]) -> Vec<(String, String)> {
        let span = |[start, end]: [u32; 2]| ByteSpan::new(start, end).unwrap();
        let mut edits: Vec<Pair> = edits.iter().map(|&(a, b)| (span(a), span(b))).collect();
        cover_differences(source, text, &mut edits);
        let mut rebuilt = String::new();
        let mut at = 0;
        for (from, to) in &edits {
            rebuilt.push_str(&source[at..from.start() as usize]);
            rebuilt.push_str(&text[to.range()]);
            at = from.end() as usize;
        }
        rebuilt.push_str(&source[at..]);
        assert_eq!(rebuilt, text);
        let cut = |(a, b): &Pair| (source[a.range()].to_owned(), text[b.range()].to_owned());
        edits.iter().map(cut).collect()
    }

    #[test]
    fn blanks_before_clitics_belong_to_the_edit() {
        let found = covered("I am here", "I'm here", &[([2, 4], [1, 3])]);
        assert_eq!(found, [(" am".into(), "'m".into())]);
        let found = covered("Yes, I'm here", "Yes, I am here", &[([6, 8], [7, 9])]);
        assert_eq!(found, [("'m".into(), " am".into())]);
    }

    #[test]
    fn capitals_and_stems_belong_to_the_edit() {
        let found = covered("Perhaps he left", "He left", &[([0, 7], [0, 0])]);
        assert_eq!(found, [("Perhaps he".into(), "He".into())]);
        let found = covered("I will not go", "I won't go", &[([7, 10], [4, 7])]);
        assert_eq!(found, [("will not".into(), "won't".into())]);
        let found = covered("a big x", "a large x", &[([2, 5], [2, 7])]);
        assert_eq!(found, [("big".into(), "large".into())]);
    }
}
