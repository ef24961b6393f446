//! Between pgen's tokens and the treebank's: the treebank cuts `well-known`, `$5`, `5%` and `and/or`,
//! pgen keeps them whole. Tokens are cut for the models, and what is found is folded back.

use pgen_core::{Sentence, TokenKind};

/// First parts that the treebank leaves joined to what follows.
const PREFIXES: [&str; 21] = [
    "anti", "co", "counter", "e", "eco", "ex", "inter", "mid", "mini", "multi", "non", "over",
    "post", "pre", "pro", "re", "semi", "sub", "ultra", "un", "vice",
];

/// The pieces of a sentence's tokens in order, and the token that each belongs to.
pub(crate) fn pieces(sentence: &Sentence) -> (Vec<&str>, Vec<u32>) {
    let (mut pieces, mut tokens) = (Vec::new(), Vec::new());
    for (at, token) in sentence.tokens().iter().enumerate() {
        let surface = sentence.surface(at);
        let whole = matches!(token.kind, TokenKind::Address | TokenKind::Placeholder);
        let before = pieces.len();
        if !whole {
            cut(surface, &mut pieces);
        }
        if whole || pieces.len() == before {
            pieces.push(surface);
        }
        tokens.resize(pieces.len(), at as u32);
    }
    (pieces, tokens)
}

/// Cuts a token at the signs where the treebank does. The pieces make up the token again.
fn cut<'a>(token: &'a str, pieces: &mut Vec<&'a str>) {
    let mut rest = token;
    if let Some(sign) = rest.chars().next().filter(|c| "$£€¥".contains(*c))
        && rest[sign.len_utf8()..].starts_with(|c: char| c.is_ascii_digit() || c == '.')
    {
        let (sign, amount) = rest.split_at(sign.len_utf8());
        pieces.push(sign);
        rest = amount;
    }
    let number = rest
        .strip_suffix('%')
        .filter(|number| number.ends_with(|c: char| c.is_numeric()));
    joined(number.unwrap_or(rest), pieces);
    if number.is_some() {
        pieces.push(&rest[rest.len() - 1..]);
    }
}

/// Cuts at hyphens and slashes between letters, and at hyphens between digits and letters.
fn joined<'a>(token: &'a str, pieces: &mut Vec<&'a str>) {
    let mut start = 0;
    for (at, sign) in token.char_indices() {
        let (before, after) = (&token[start..at], &token[at + sign.len_utf8()..]);
        let letters = |c: char| c.is_alphabetic() || (sign == '-' && c.is_numeric());
        let between = before.ends_with(letters) && after.starts_with(letters);
        let long = sign == '-' || (before.chars().count() > 2 && after.chars().count() > 2);
        let prefix = PREFIXES
            .iter()
            .any(|prefix| prefix.eq_ignore_ascii_case(before));
        if matches!(sign, '-' | '/') && between && long && !prefix {
            pieces.extend([before, &token[at..=at]]);
            start = at + 1;
        }
    }
    if start < token.len() {
        pieces.push(&token[start..]);
    }
}

/// What is known of pieces, folded back to tokens: each token takes head and relation of its piece
/// nearest to the root. `heads` holds the number of pieces for the root; no cycle can arise, since every
/// step up from a token leads to one nearer to the root.
pub(crate) fn fold(heads: &[u32], tokens: &[u32], count: usize) -> Vec<(u32, Option<u32>)> {
    let depths = depths(heads);
    let mut chosen: Vec<Option<u32>> = vec![None; count];
    for (piece, &token) in tokens.iter().enumerate() {
        let slot = &mut chosen[token as usize];
        if slot.is_none_or(|other| depths[piece] < depths[other as usize]) {
            *slot = Some(piece as u32);
        }
    }
    let chosen = chosen.into_iter().map(|piece| piece.unwrap_or(0));
    chosen
        .map(|piece| {
            let head = heads.get(piece as usize).copied().unwrap_or(u32::MAX);
            (piece, tokens.get(head as usize).copied())
        })
        .collect()
}

/// The distance of every piece from the root. Linear.
fn depths(heads: &[u32]) -> Vec<u32> {
    let mut depths = vec![0; heads.len()];
    let mut path = Vec::new();
    for start in 0..heads.len() {
        let mut at = start;
        while depths.get(at) == Some(&0) && path.len() <= heads.len() {
            path.push(at);
            at = heads[at] as usize;
        }
        let mut depth = depths.get(at).copied().unwrap_or(0);
        while let Some(piece) = path.pop() {
            depth += 1;
            depths[piece] = depth;
        }
    }
    depths
}

/// The tag of a token of several pieces: a compound that modifies is an adjective, an amount or share
/// a number, else the tag of the piece that stands for it.
pub(crate) fn compound_tag<'a>(tags: &[&'a str], chosen: &'a str, relation: &str) -> &'a str {
    if tags.len() == 1 {
        return chosen;
    }
    if tags.contains(&"CD")
        && tags
            .iter()
            .all(|tag| matches!(*tag, "CD" | "$" | "NN" | "SYM"))
    {
        return "CD";
    }
    let modifies = matches!(relation, "amod" | "compound");
    if modifies && matches!(chosen, "VBN" | "VBG" | "VBD" | "NN" | "JJ" | "RB" | "CD") {
        return "JJ";
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut_of(token: &str) -> Vec<&str> {
        let mut pieces = Vec::new();
        cut(token, &mut pieces);
        pieces
    }

    #[test]
    fn tokens_are_cut_as_the_treebank_does() {
        assert_eq!(cut_of("well-known"), ["well", "-", "known"]);
        assert_eq!(
            cut_of("state-of-the-art"),
            ["state", "-", "of", "-", "the", "-", "art"]
        );
        assert_eq!(cut_of("$1,000.50"), ["$", "1,000.50"]);
        assert_eq!(cut_of("5%"), ["5", "%"]);
        assert_eq!(cut_of("either/neither"), ["either", "/", "neither"]);
        assert_eq!(cut_of("10-year"), ["10", "-", "year"]);
        for whole in [
            "e-mail", "-3.5", "w/o", "1/2/03", "--", "-", "%", "$", "o'clock",
        ] {
            assert_eq!(cut_of(whole), [whole]);
        }
    }

    #[test]
    fn compounds_have_one_tag() {
        assert_eq!(compound_tag(&["RB", "HYPH", "VBN"], "VBN", "amod"), "JJ");
        assert_eq!(compound_tag(&["$", "CD"], "$", "obj"), "CD");
        assert_eq!(compound_tag(&["NN", "HYPH", "NN"], "NN", "obj"), "NN");
        assert_eq!(compound_tag(&["VBN"], "VBN", "amod"), "VBN");
    }

    proptest! {
        #[test]
        fn pieces_make_up_the_token(token in "[a-z$%/\\-0-9é]{1,12}") {
            prop_assert_eq!(cut_of(&token).concat(), token);
        }

        #[test]
        fn folding_makes_no_cycle(
            parents in proptest::collection::vec(any::<u32>(), 1..12),
            joints in proptest::collection::vec(any::<bool>(), 12),
        ) {
            // Heads among later pieces or the root, in shuffled numbering by reversal of halves.
            let n = parents.len() as u32;
            let heads: Vec<u32> = (0..n).map(|i| i + 1 + parents[i as usize] % (n - i)).collect();
            let mut tokens = vec![0u32];
            for at in 1..n as usize {
                tokens.push(tokens[at - 1] + u32::from(joints[at]));
            }
            let count = tokens[tokens.len() - 1] as usize + 1;
            let folded = fold(&heads, &tokens, count);
            let arcs: Vec<_> = folded.iter().map(|&(_, head)| (head, "x")).collect();
            prop_assert!(pgen_core::Dependencies::new(&arcs).is_ok());
        }
    }
}
