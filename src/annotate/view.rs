//! What parser and labeller see of a state: the words' hashed properties, and feature templates over
//! the stack, the next words and their dependents (after Zhang & Nivre 2011).

use super::feature::{Features, pair};
use super::look::Look;
use super::transition::{Chart, Child, Item, NONE, State};

/// A word in context.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Atom {
    word: u32,
    tag: u32,
    /// Word and tag together.
    both: u32,
    fine: u32,
    coarse: u32,
    suffix: u32,
}

const ROOT: Atom = fixed(1);
const NOTHING: Atom = fixed(2);

const fn fixed(mark: u32) -> Atom {
    Atom {
        word: mark,
        tag: 1000 + mark,
        both: mark,
        fine: 60_000 + mark,
        coarse: 60_000 + mark,
        suffix: mark,
    }
}

/// The words of a sentence as atoms, the root behind the last.
#[derive(Debug, Default)]
pub(crate) struct Atoms {
    atoms: Vec<Atom>,
}

impl Atoms {
    pub(crate) fn set(&mut self, looks: &[Look], tags: &[u8]) {
        self.atoms.clear();
        let atoms = looks.iter().zip(tags).map(|(look, &tag)| {
            let tag = u32::from(tag) + 1;
            Atom {
                word: look.lower,
                tag,
                both: pair(look.lower, tag),
                fine: look.fine,
                coarse: look.coarse,
                suffix: look.suffixes[2],
            }
        });
        self.atoms.extend(atoms);
        self.atoms.push(ROOT);
    }

    #[inline]
    fn at(&self, word: u32) -> &Atom {
        self.atoms.get(word as usize).unwrap_or(&NOTHING)
    }

    /// The word `steps` after `word`, or before it.
    #[inline]
    fn near(&self, word: u32, steps: i32) -> &Atom {
        if word == NONE {
            return &NOTHING;
        }
        self.at(word.wrapping_add_signed(steps))
    }
}

const NO_ITEM: Item = Item::new(NONE);

/// Distance in steps that grow.
fn distance(from: u32, to: u32) -> u32 {
    if from == NONE || to == NONE {
        return 0;
    }
    match to.abs_diff(from) {
        near @ 0..=4 => near,
        5..=6 => 5,
        7..=10 => 6,
        11..=20 => 7,
        _ => 8,
    }
}

fn label(child: Child) -> u32 {
    u32::from(child.relation)
}

fn set(bits: u64) -> u32 {
    pair(bits as u32, (bits >> 32) as u32)
}

/// The features of a state for the choice of the next move.
pub(crate) fn move_features(atoms: &Atoms, chart: &Chart, state: &State, keys: &mut Vec<u32>) {
    let top = chart.cell(state.top);
    let below = top.and_then(|cell| chart.cell(cell.below));
    let third = below.and_then(|cell| chart.cell(cell.below));
    let s0 = top.map_or(&NO_ITEM, |cell| &cell.item);
    let s1 = below.map_or(&NO_ITEM, |cell| &cell.item);
    let s2 = third.map_or(&NO_ITEM, |cell| &cell.item);
    let b0 = &state.next;
    let mut f = Features::new(keys, 1000);
    words(atoms, [s0, s1, s2, b0], &mut f);
    pairs(atoms, [s0, s1, s2, b0], &mut f);
    tags(atoms, [s0, s1, s2, b0], &mut f);
    shape(atoms, [s0, s1, b0], &mut f);
    children(atoms, [s0, s1, b0], &mut f);
}

fn words(a: &Atoms, [i0, i1, i2, j0]: [&Item; 4], f: &mut Features<'_>) {
    let [s0, s1, s2, b0] = [i0, i1, i2, j0].map(|item| a.at(item.word));
    let [b1, b2] = [1, 2].map(|k| a.near(j0.word, k));
    f.one(0);
    for atom in [s0, s1, b0] {
        f.one(atom.word);
        f.one(atom.tag);
        f.one(atom.both);
        f.one(atom.fine);
        f.two(atom.coarse, atom.tag);
    }
    for atom in [s2, b1, b2] {
        f.one(atom.both);
        f.one(atom.tag);
        f.one(atom.fine);
    }
    for atom in [a.near(i0.word, 1), a.near(i0.word, -1), a.near(j0.word, -1)] {
        f.two(atom.tag, s0.tag);
        f.three(atom.tag, s0.tag, b0.tag);
    }
}

fn pairs(a: &Atoms, [i0, i1, i2, j0]: [&Item; 4], f: &mut Features<'_>) {
    let [s0, s1, s2, b0] = [i0, i1, i2, j0].map(|item| a.at(item.word));
    let b1 = a.near(j0.word, 1);
    for (x, y) in [(s0, b0), (s1, s0), (s1, b0)] {
        f.two(x.both, y.both);
        f.two(x.both, y.word);
        f.two(x.word, y.both);
        f.two(x.both, y.tag);
        f.two(x.tag, y.both);
        f.two(x.word, y.word);
        f.two(x.tag, y.tag);
        f.two(x.fine, y.fine);
        f.two(x.fine, y.tag);
        f.two(x.tag, y.fine);
        f.two(x.word, y.fine);
        f.two(x.fine, y.word);
        f.four(x.coarse, y.coarse, x.tag, y.tag);
    }
    f.two(s2.tag, b0.tag);
    f.two(s2.word, b0.word);
    f.two(s2.tag, s0.tag);
    f.two(b0.tag, b1.tag);
    f.two(b0.word, b1.word);
    f.two(s0.word, b1.word);
    f.two(s0.tag, b1.both);
}

fn tags(a: &Atoms, [i0, i1, i2, j0]: [&Item; 4], f: &mut Features<'_>) {
    let [s0, s1, s2, b0] = [i0, i1, i2, j0].map(|item| a.at(item.word));
    let [b1, b2] = [1, 2].map(|k| a.near(j0.word, k));
    f.three(s0.tag, b0.tag, b1.tag);
    f.four(s0.tag, b0.tag, b1.tag, b2.tag);
    f.three(s1.tag, s0.tag, b0.tag);
    f.four(s1.tag, s0.tag, b0.tag, b1.tag);
    f.three(s2.tag, s1.tag, s0.tag);
    f.four(s2.tag, s1.tag, s0.tag, b0.tag);
    f.three(s1.both, s0.tag, b0.tag);
    f.three(s1.tag, s0.both, b0.tag);
    f.three(s1.tag, s0.tag, b0.both);
    f.three(s0.both, b0.tag, b1.tag);
    f.three(s0.tag, b0.both, b1.tag);
    f.three(s0.tag, b0.tag, b1.both);
    f.three(s1.fine, s0.fine, b0.fine);
    f.three(s1.coarse, s0.coarse, b0.coarse);
    f.three(s0.coarse, b0.coarse, b1.coarse);
    f.four(s1.word, s0.word, b0.tag, 0);
    f.four(s1.tag, s0.word, b0.word, 0);
    f.four(s1.word, s0.tag, b0.word, 0);
}

fn shape(a: &Atoms, [i0, i1, j0]: [&Item; 3], f: &mut Features<'_>) {
    for (x, y) in [(i0, j0), (i1, i0), (i1, j0)] {
        let gap = distance(x.word, y.word);
        let (p, q) = (a.at(x.word), a.at(y.word));
        f.two(gap, p.tag);
        f.two(gap, q.tag);
        f.three(gap, p.tag, q.tag);
        f.two(gap, p.word);
        f.two(gap, q.word);
    }
    for item in [i0, i1, j0] {
        let atom = a.at(item.word);
        let (left, right) = (set(item.left_set), set(item.right_set));
        f.two(atom.tag, item.left_count.into());
        f.two(atom.tag, item.right_count.into());
        f.two(atom.both, item.left_count.into());
        f.two(atom.both, item.right_count.into());
        f.two(atom.tag, left);
        f.two(atom.tag, right);
        f.two(atom.word, left);
        f.two(atom.word, right);
    }
    let [s0, s1, b0] = [i0, i1, j0].map(|item| a.at(item.word));
    f.four(s1.tag, s0.tag, set(i1.right_set), set(i0.left_set));
    f.four(s0.tag, b0.tag, set(i0.left_set), set(j0.left_set));
    f.four(s0.tag, b0.tag, set(i0.left_set), set(i0.right_set));
    f.four(s1.tag, b0.tag, set(i1.right_set), set(j0.left_set));
}

fn children(a: &Atoms, [i0, i1, j0]: [&Item; 3], f: &mut Features<'_>) {
    let [s0, s1, b0] = [i0, i1, j0].map(|item| a.at(item.word));
    for child in [i0.left[0], i0.right[0], i1.right[0], i1.left[0], j0.left[0]] {
        let atom = a.at(child.word);
        f.one(atom.both);
        f.two(atom.tag, label(child));
        f.two(atom.word, label(child));
        f.three(s0.tag, b0.tag, atom.tag);
        f.three(s1.tag, s0.tag, atom.tag);
        f.three(s0.tag, b0.tag, atom.word);
        f.three(s1.tag, s0.tag, atom.word);
        f.three(s1.tag, s0.tag, label(child));
        f.three(s0.tag, b0.tag, label(child));
    }
    for child in [i0.left[1], i0.right[1], i1.right[1], j0.left[1]] {
        let atom = a.at(child.word);
        f.two(atom.tag, label(child));
        f.one(atom.word);
        f.three(s0.tag, b0.tag, atom.tag);
        f.three(s1.tag, s0.tag, atom.tag);
    }
    let (inner, outer) = (a.at(i0.left[0].word), a.at(j0.left[0].word));
    f.three(s1.word, inner.word, s0.word);
    f.three(s1.word, inner.word, s0.tag);
    f.three(s1.tag, inner.word, s0.word);
    f.three(s1.tag, inner.word, s0.fine);
    f.three(s0.word, outer.word, b0.word);
    f.three(s0.word, outer.word, b0.tag);
    f.three(s0.tag, outer.word, b0.word);
    f.three(s1.word, outer.word, b0.tag);
    f.three(s1.word, outer.word, b0.word);
    f.four(s1.tag, s0.tag, outer.word, b0.tag);
    f.four(s1.fine, s0.fine, outer.word, b0.tag);
}

/// The features of an arc for the choice of its relation, when the dependent is complete.
pub(crate) fn arc_features(atoms: &Atoms, head: &Item, dependent: &Item, keys: &mut Vec<u32>) {
    let mut f = Features::new(keys, 2000);
    arc_words(atoms, head, dependent, &mut f);
    arc_children(atoms, head, dependent, &mut f);
}

fn arc_words(a: &Atoms, head: &Item, dependent: &Item, f: &mut Features<'_>) {
    let (h, d) = (a.at(head.word), a.at(dependent.word));
    let to_left = u32::from(dependent.word < head.word);
    let gap = to_left << 4 | distance(head.word, dependent.word);
    f.one(to_left);
    for x in [h.word, h.tag, h.both, h.fine, d.word, d.tag, d.both, d.fine, d.suffix] {
        f.two(x, to_left);
    }
    f.two(gap, h.tag);
    f.two(gap, d.tag);
    f.three(gap, h.tag, d.tag);
    for (x, y) in [
        (h.both, d.both),
        (h.word, d.word),
        (h.tag, d.tag),
        (h.both, d.tag),
        (h.tag, d.both),
        (h.fine, d.fine),
        (h.fine, d.tag),
        (h.tag, d.fine),
        (h.word, d.fine),
        (h.fine, d.word),
        (h.tag, d.suffix),
    ] {
        f.three(x, y, to_left);
    }
    f.four(h.coarse, d.coarse, h.tag, d.tag);
    let [d_before, d_after] = [-1, 1].map(|k| a.near(dependent.word, k));
    let [h_before, h_after] = [-1, 1].map(|k| a.near(head.word, k));
    for near in [d_before, d_after, h_before, h_after] {
        f.three(near.tag, d.tag, to_left);
        f.four(near.tag, h.tag, d.tag, to_left);
        f.three(near.word, d.tag, to_left);
    }
    f.four(d_before.tag, d.tag, d_after.tag, to_left);
}

fn arc_children(a: &Atoms, head: &Item, dependent: &Item, f: &mut Features<'_>) {
    let (h, d) = (a.at(head.word), a.at(dependent.word));
    let to_left = u32::from(dependent.word < head.word);
    for child in [dependent.left[0], dependent.left[1], dependent.right[0]] {
        let c = a.at(child.word);
        f.three(c.word, d.tag, to_left);
        f.three(c.both, h.tag, to_left);
        f.four(c.word, h.tag, d.tag, to_left);
        f.three(c.word, h.word, to_left);
        f.three(c.word, d.word, to_left);
        f.four(c.word, h.word, d.word, to_left);
        f.four(c.tag, h.tag, d.tag, to_left);
        f.three(label(child), d.tag, to_left);
        f.four(label(child), h.tag, d.tag, to_left);
    }
    let (dl, dr) = (set(dependent.left_set), set(dependent.right_set));
    let (hl, hr) = (set(head.left_set), set(head.right_set));
    f.three(dl, d.tag, to_left);
    f.three(dr, d.tag, to_left);
    f.four(dl, h.tag, d.tag, to_left);
    f.four(dl, dr, d.tag, to_left);
    f.four(hl, h.tag, d.tag, to_left);
    f.four(hr, h.tag, d.tag, to_left);
    f.four(hl, h.word, d.tag, to_left);
    f.four(hr, h.word, d.tag, to_left);
    f.four(hr, h.tag, d.word, to_left);
    for child in [head.left[0], head.right[0]] {
        let c = a.at(child.word);
        f.four(label(child), h.tag, d.tag, to_left);
        f.four(c.tag, h.tag, d.tag, to_left);
        f.four(c.word, h.tag, d.tag, to_left);
    }
}
