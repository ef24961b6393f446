//! Constituents from dependencies, so that any dependency parser's output can be merged.
//!
//! Each word with dependents, and each bare word that is an argument, projects constituents over itself
//! and them, in surface order; a part of a dependent that is cut off by other words (a non-projective arc)
//! moves up to where it is contiguous. What constituents a head projects says [`crate::phrase`].

use crate::error::Result;
use pgen_core::{Dependencies, Error, Limits, Tree, TreeBuilder};

/// Pieces with the token that each belongs to.
type Handed = Vec<(u32, u32)>;

/// A piece of the sentence: a word, or a constituent over pieces.
#[derive(Debug)]
pub(crate) struct Piece {
    start: u32,
    end: u32,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Word(u32),
    Over {
        label: &'static str,
        children: Vec<u32>,
    },
}

/// The constituency tree of a sentence, from its tags and dependencies. Several roots stand under one
/// `S`. Preterminals keep their tags.
///
/// Time O(n · depth) in the worst case, O(n log n) for trees that are nearly projective.
///
/// # Errors
/// [`Mismatch`](pgen_core::Error::Mismatch) if words, tags and dependencies differ in number; as
/// [`TreeBuilder`] for empty sentences and words with white space.
///
/// ```
/// use pgen_core::{Dependencies, Limits};
///
/// let arcs = [(Some(1), "det"), (Some(2), "nsubj"), (None, "ROOT"), (Some(2), "prep"), (Some(3), "pobj")];
/// let (words, tags) = (["the", "dog", "ran", "to", "me"], ["DT", "NN", "VBD", "TO", "PRP"]);
/// let tree = pgen_fsa::constituents(&words, &tags, &Dependencies::new(&arcs)?, &Limits::default())?;
/// let wanted = "(S (NP (DT the) (NN dog)) (VP (VBD ran) (PP (TO to) (NP (PRP me)))))";
/// assert_eq!(tree.to_string(), wanted);
/// # Ok::<(), pgen_fsa::Error>(())
/// ```
pub fn constituents<W: AsRef<str>, T: AsRef<str>>(
    words: &[W],
    tags: &[T],
    dependencies: &Dependencies,
    limits: &Limits,
) -> Result<Tree> {
    let count = dependencies.len();
    if words.len() != count || tags.len() != count {
        let reason = format!("{} words, {} tags, {count} heads", words.len(), tags.len());
        return Err(Error::Mismatch {
            what: "words, tags and heads",
            reason: reason.into(),
        }
        .into());
    }
    let tags: Vec<&str> = tags.iter().map(AsRef::as_ref).collect();
    let mut projector = Projector {
        tags: &tags,
        dependencies,
        pieces: Vec::new(),
    };
    let roots = projector.project_all();
    let root = match *roots.as_slice() {
        [only] if !matches!(projector.pieces[only as usize].kind, Kind::Word(_)) => only,
        _ => projector.over("S", roots),
    };
    projector.build(root, words, limits)
}

pub(crate) struct Projector<'a> {
    pub(crate) tags: &'a [&'a str],
    pub(crate) dependencies: &'a Dependencies,
    pub(crate) pieces: Vec<Piece>,
}

impl Projector<'_> {
    /// Projects every word, dependents before heads; returns the pieces at the top in order.
    fn project_all(&mut self) -> Vec<u32> {
        let mut order: Vec<u32> = self.dependencies.roots().collect();
        let mut at = 0;
        while let Some(&token) = order.get(at) {
            order.extend(self.dependencies.children(token as usize));
            at += 1;
        }
        // What each word hands to its head: pieces with the token that each belongs to.
        let mut handed: Vec<Handed> = vec![Vec::new(); self.dependencies.len()];
        let mut top = Vec::new();
        for &token in order.iter().rev() {
            let mut pieces = std::mem::take(&mut handed[token as usize]);
            pieces.push((self.word(token), token));
            pieces.sort_unstable_by_key(|&(piece, _)| self.pieces[piece as usize].start);
            let (mine, rest) = self.contiguous(pieces, token);
            let whole = (self.constituent(token, &mine), token);
            let up = match self.dependencies.head(token as usize) {
                Some(head) => &mut handed[head as usize],
                None => &mut top,
            };
            up.push(whole);
            up.extend(rest);
        }
        top.sort_unstable_by_key(|&(piece, _)| self.pieces[piece as usize].start);
        top.into_iter().map(|(piece, _)| piece).collect()
    }

    fn word(&mut self, token: u32) -> u32 {
        self.pieces.push(Piece {
            start: token,
            end: token + 1,
            kind: Kind::Word(token),
        });
        self.pieces.len() as u32 - 1
    }

    pub(crate) fn over(&mut self, label: &'static str, children: Vec<u32>) -> u32 {
        let at = |place: Option<&u32>| place.map(|&piece| &self.pieces[piece as usize]);
        let start = at(children.first()).map_or(0, |piece| piece.start);
        let end = at(children.last()).map_or(0, |piece| piece.end);
        self.pieces.push(Piece {
            start,
            end,
            kind: Kind::Over { label, children },
        });
        self.pieces.len() as u32 - 1
    }

    /// The run of pieces around the head's word without a gap, and the others.
    fn contiguous(&self, pieces: Handed, head: u32) -> (Handed, Handed) {
        let joins = |a: &(u32, u32), b: &(u32, u32)| {
            self.pieces[a.0 as usize].end == self.pieces[b.0 as usize].start
        };
        let (mut mine, mut rest) = (Vec::new(), Vec::new());
        for run in pieces.chunk_by(joins) {
            let with_head = run.iter().any(|&(piece, token)| {
                token == head && matches!(self.pieces[piece as usize].kind, Kind::Word(_))
            });
            let to = if with_head { &mut mine } else { &mut rest };
            to.extend_from_slice(run);
        }
        (mine, rest)
    }

    fn build<W: AsRef<str>>(&self, root: u32, words: &[W], limits: &Limits) -> Result<Tree> {
        let mut builder = TreeBuilder::new(limits);
        let mut open = vec![Some(root)];
        while let Some(next) = open.pop() {
            let Some(piece) = next else {
                builder.close()?;
                continue;
            };
            match &self.pieces[piece as usize].kind {
                Kind::Word(token) => {
                    let token = *token as usize;
                    builder.leaf(self.tags[token], words[token].as_ref())?;
                }
                Kind::Over { label, children } => {
                    builder.open(label)?;
                    open.push(None);
                    open.extend(children.iter().rev().map(|&child| Some(child)));
                }
            }
        }
        Ok(builder.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> String {
        let rows: Vec<Vec<&str>> = text
            .split(' ')
            .map(|row| row.split('/').collect())
            .collect();
        let column = |at: usize| -> Vec<&str> { rows.iter().map(|row| row[at]).collect() };
        let arcs: Vec<_> = rows
            .iter()
            .map(|row| (row[2].parse::<u32>().unwrap().checked_sub(1), row[3]))
            .collect();
        let dependencies = Dependencies::new(&arcs).unwrap();
        constituents(&column(0), &column(1), &dependencies, &Limits::default())
            .unwrap()
            .to_string()
    }

    #[test]
    fn clauses_and_phrases() {
        let clear = "yesterday/NN/3/npadvmod people/NNS/3/nsubj died/VBD/0/ROOT in/IN/3/prep \
            the/DT/6/det battle/NN/4/pobj ././3/punct";
        let wanted = "(S (NP (NN yesterday)) (NP (NNS people)) (VP (VBD died) (PP (IN in) \
            (NP (DT the) (NN battle)))) (. .))";
        assert_eq!(tree(clear), wanted);
        let universal = "she/PRP/2/nsubj lives/VBZ/0/root in/IN/5/case the/DT/5/det city/NN/2/obl";
        let wanted = "(S (NP (PRP she)) (VP (VBZ lives) (PP (IN in) (NP (DT the) (NN city)))))";
        assert_eq!(tree(universal), wanted);
        let inverted = "said/VBD/0/ROOT the/DT/3/det officer/NN/1/nsubj";
        assert_eq!(
            tree(inverted),
            "(S (VP (VBD said)) (NP (DT the) (NN officer)))"
        );
    }

    #[test]
    fn verbs_with_auxiliaries_and_conjuncts() {
        let shared = "he/PRP/4/nsubj will/MD/4/aux not/RB/4/neg eat/VB/0/ROOT fish/NN/4/dobj \
            and/CC/4/cc drink/VB/4/conj";
        let wanted = "(S (NP (PRP he)) (VP (MD will) (RB not) (VP (VP (VB eat) (NP (NN fish))) \
            (CC and) (VP (VB drink)))))";
        assert_eq!(tree(shared), wanted);
        let clauses = "he/PRP/2/nsubj ate/VBD/0/ROOT ,/,/2/punct and/CC/2/cc she/PRP/6/nsubj \
            drank/VBD/2/conj ././2/punct";
        let wanted = "(S (S (NP (PRP he)) (VP (VBD ate))) (, ,) (CC and) \
            (S (NP (PRP she)) (VP (VBD drank))) (. .))";
        assert_eq!(tree(clauses), wanted);
        let copula = "she/PRP/4/nsubj was/VBD/4/cop very/RB/4/advmod glad/JJ/0/root";
        let wanted = "(S (NP (PRP she)) (VP (VBD was) (ADJP (RB very) (JJ glad))))";
        assert_eq!(tree(copula), wanted);
    }

    #[test]
    fn nouns_with_what_follows_and_subordinate_clauses() {
        let relative = "the/DT/2/det man/NN/7/nsubj who/WP/4/nsubj died/VBD/2/relcl in/IN/4/prep \
            may/NNP/5/pobj was/VBD/0/ROOT old/JJ/7/acomp";
        let wanted = "(S (NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD died) \
            (PP (IN in) (NP (NNP may))))))) (VP (VBD was) (ADJP (JJ old))))";
        assert_eq!(tree(relative), wanted);
        let marked = "he/PRP/2/nsubj left/VBD/0/ROOT because/IN/5/mark she/PRP/5/nsubj \
            came/VBD/2/advcl";
        let wanted = "(S (NP (PRP he)) (VP (VBD left) (SBAR (IN because) \
            (S (NP (PRP she)) (VP (VBD came))))))";
        assert_eq!(tree(marked), wanted);
        let infinitive = "dogs/NNS/2/nsubj want/VBP/0/ROOT to/TO/4/aux eat/VB/2/xcomp \
            cats/NNS/4/dobj and/CC/5/cc mice/NNS/5/conj";
        let wanted = "(S (NP (NNS dogs)) (VP (VBP want) (S (VP (TO to) (VP (VB eat) \
            (NP (NP (NNS cats)) (CC and) (NP (NNS mice))))))))";
        assert_eq!(tree(infinitive), wanted);
    }

    #[test]
    fn several_roots_and_single_words() {
        assert_eq!(tree("hi/UH/0/ROOT"), "(S (UH hi))");
        assert_eq!(
            tree("go/VB/0/ROOT old/JJ/3/amod dogs/NNS/0/ROOT"),
            "(S (S (VP (VB go))) (NP (JJ old) (NNS dogs)))"
        );
    }

    #[test]
    fn crossing_arcs_keep_the_order() {
        // a's dependent c is cut off by b, which hangs elsewhere.
        let crossing = "a/NN/4/x b/NN/4/x c/NN/1/x d/VB/0/ROOT e/RB/2/x";
        assert_eq!(
            tree(crossing),
            "(S (VP (NN a) (NN b) (NN c) (VB d) (RB e)))"
        );
    }
}
