//! What parser and labeller see of a state: the words' hashed properties, and feature templates over
//! the stack, the next words and their dependents (after Zhang & Nivre 2011).

use super::feature::{Features, pair, signature};
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

/// The parts of a state that a group of features looks at, and a hash of just these. States that agree
/// in a part agree in its features, so a search scores each part once.
#[derive(Debug)]
pub(crate) struct Parts<'a> {
    s0: &'a Item,
    s1: &'a Item,
    s2: &'a Item,
    b0: &'a Item,
}

/// Number of feature groups.
pub(crate) const GROUPS: usize = 8;

impl<'a> Parts<'a> {
    pub(crate) fn new(chart: &'a Chart, state: &'a State) -> Self {
        let top = chart.cell(state.top);
        let below = top.and_then(|cell| chart.cell(cell.below));
        let third = below.and_then(|cell| chart.cell(cell.below));
        Parts {
            s0: top.map_or(&NO_ITEM, |cell| &cell.item),
            s1: below.map_or(&NO_ITEM, |cell| &cell.item),
            s2: third.map_or(&NO_ITEM, |cell| &cell.item),
            b0: &state.next,
        }
    }

    /// What group `group` looks at.
    #[inline]
    pub(crate) fn signature(&self, group: usize) -> u64 {
        let two = |a: u32, b: u32| (u64::from(a) << 32) | u64::from(b);
        let (s0, s1, s2, b0) = (self.s0.word, self.s1.word, self.s2.word, self.b0.word);
        let (first, second) = match group {
            0 => (two(s0, b0), 0),
            1 => (two(s1, s0), 0),
            2 => (two(s1, b0), 0),
            3 => (two(s1, s0), u64::from(b0)),
            4 => (two(s1, s0), two(s2, b0)),
            5 => (two(s1, b0), self.s0.print),
            6 => (two(s0, b0), self.s1.print),
            _ => (
                signature(self.s0.left_set, self.s1.print),
                signature(two(s0, 0), self.b0.print),
            ),
        };
        signature(signature(first, group as u64), second)
    }

    /// The features of a group, added to `keys`.
    pub(crate) fn features(&self, group: usize, atoms: &Atoms, keys: &mut Vec<u32>) {
        let mut f = Features::more(keys, 1000 + 100 * group as u64);
        match group {
            0 => top_and_next(atoms, self, &mut f),
            1 => top_two(atoms, self, &mut f),
            2 => below_and_next(atoms, self, &mut f),
            3 => three(atoms, self, &mut f),
            4 => four(atoms, self, &mut f),
            5 => top_children(atoms, self, &mut f),
            6 => below_children(atoms, self, &mut f),
            _ => next_children(atoms, self, &mut f),
        }
    }
}

fn single(atom: &Atom, f: &mut Features<'_>) {
    f.one(atom.word);
    f.one(atom.tag);
    f.one(atom.both);
    f.one(atom.fine);
    f.two(atom.coarse, atom.tag);
}

fn double(x: &Atom, y: &Atom, gap: u32, f: &mut Features<'_>) {
    f.two(x.both, y.both);
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
    f.two(gap, x.tag);
    f.two(gap, y.tag);
    f.three(gap, x.tag, y.tag);
    f.two(gap, x.word);
    f.two(gap, y.word);
}

fn top_and_next(a: &Atoms, p: &Parts<'_>, f: &mut Features<'_>) {
    let (s0, b0) = (a.at(p.s0.word), a.at(p.b0.word));
    let [b1, b2] = [1, 2].map(|k| a.near(p.b0.word, k));
    f.one(0);
    single(s0, f);
    single(b0, f);
    for atom in [b1, b2] {
        f.one(atom.both);
        f.one(atom.tag);
        f.one(atom.fine);
    }
    double(s0, b0, distance(p.s0.word, p.b0.word), f);
    for atom in [
        a.near(p.s0.word, 1),
        a.near(p.s0.word, -1),
        a.near(p.b0.word, -1),
    ] {
        f.two(atom.tag, s0.tag);
        f.three(atom.tag, s0.tag, b0.tag);
    }
    f.two(b0.tag, b1.tag);
    f.two(b0.word, b1.word);
    f.two(s0.word, b1.word);
    f.two(s0.tag, b1.both);
    f.three(s0.tag, b0.tag, b1.tag);
    f.four(s0.tag, b0.tag, b1.tag, b2.tag);
    f.three(s0.both, b0.tag, b1.tag);
    f.three(s0.tag, b0.both, b1.tag);
    f.three(s0.tag, b0.tag, b1.both);
    f.three(s0.coarse, b0.coarse, b1.coarse);
}

fn top_two(a: &Atoms, p: &Parts<'_>, f: &mut Features<'_>) {
    let (s1, s0) = (a.at(p.s1.word), a.at(p.s0.word));
    single(s1, f);
    double(s1, s0, distance(p.s1.word, p.s0.word), f);
}

fn below_and_next(a: &Atoms, p: &Parts<'_>, f: &mut Features<'_>) {
    let (s1, b0) = (a.at(p.s1.word), a.at(p.b0.word));
    double(s1, b0, distance(p.s1.word, p.b0.word), f);
}

fn three(a: &Atoms, p: &Parts<'_>, f: &mut Features<'_>) {
    let [s0, s1, b0] = [p.s0, p.s1, p.b0].map(|item| a.at(item.word));
    let b1 = a.near(p.b0.word, 1);
    f.three(s1.tag, s0.tag, b0.tag);
    f.four(s1.tag, s0.tag, b0.tag, b1.tag);
    f.three(s1.both, s0.tag, b0.tag);
    f.three(s1.tag, s0.both, b0.tag);
    f.three(s1.tag, s0.tag, b0.both);
    f.three(s1.fine, s0.fine, b0.fine);
    f.three(s1.coarse, s0.coarse, b0.coarse);
    f.three(s1.word, s0.word, b0.tag);
    f.three(s1.tag, s0.word, b0.word);
    f.three(s1.word, s0.tag, b0.word);
}

fn four(a: &Atoms, p: &Parts<'_>, f: &mut Features<'_>) {
    let [s0, s1, s2, b0] = [p.s0, p.s1, p.s2, p.b0].map(|item| a.at(item.word));
    f.one(s2.both);
    f.one(s2.tag);
    f.two(s2.tag, b0.tag);
    f.two(s2.word, b0.word);
    f.two(s2.tag, s0.tag);
    f.three(s2.tag, s1.tag, s0.tag);
    f.four(s2.tag, s1.tag, s0.tag, b0.tag);
}

/// What an item says of its dependents as a whole.
fn frame(atom: &Atom, item: &Item, f: &mut Features<'_>) {
    let (left, right) = (set(item.left_set), set(item.right_set));
    let counts = u32::from(item.left_count) << 16 | u32::from(item.right_count);
    f.two(atom.tag, counts);
    f.two(atom.both, counts);
    f.two(atom.tag, left);
    f.two(atom.tag, right);
    f.two(atom.word, left);
    f.two(atom.word, right);
}

/// A dependent between two other words.
fn dependent(c: &Atom, child: Child, x: &Atom, y: &Atom, f: &mut Features<'_>) {
    f.three(x.tag, y.tag, c.tag);
    f.three(x.tag, y.tag, c.word);
    f.three(x.tag, y.tag, label(child));
}

fn top_children(a: &Atoms, p: &Parts<'_>, f: &mut Features<'_>) {
    let [s0, s1, b0] = [p.s0, p.s1, p.b0].map(|item| a.at(item.word));
    frame(s0, p.s0, f);
    for child in [p.s0.left[0], p.s0.right[0]] {
        let c = a.at(child.word);
        f.one(c.both);
        f.two(c.word, label(child));
        dependent(c, child, s0, b0, f);
        dependent(c, child, s1, s0, f);
    }
    for child in [p.s0.left[1], p.s0.right[1]] {
        let c = a.at(child.word);
        f.two(c.word, label(child));
        f.three(s0.tag, b0.tag, c.tag);
        f.three(s1.tag, s0.tag, c.tag);
    }
    let inner = a.at(p.s0.left[0].word);
    f.three(s1.word, inner.word, s0.word);
    f.three(s1.word, inner.word, s0.tag);
    f.three(s1.tag, inner.word, s0.word);
    f.three(s1.tag, inner.word, s0.fine);
    f.four(s0.tag, b0.tag, set(p.s0.left_set), set(p.s0.right_set));
}

fn below_children(a: &Atoms, p: &Parts<'_>, f: &mut Features<'_>) {
    let [s0, s1, b0] = [p.s0, p.s1, p.b0].map(|item| a.at(item.word));
    frame(s1, p.s1, f);
    for child in [p.s1.right[0], p.s1.left[0]] {
        let c = a.at(child.word);
        f.one(c.both);
        f.two(c.word, label(child));
        dependent(c, child, s1, s0, f);
        f.three(s1.tag, b0.tag, label(child));
    }
    let c = a.at(p.s1.right[1].word);
    f.three(s1.tag, s0.tag, c.tag);
}

fn next_children(a: &Atoms, p: &Parts<'_>, f: &mut Features<'_>) {
    let [s0, s1, b0] = [p.s0, p.s1, p.b0].map(|item| a.at(item.word));
    let (left, right) = (set(p.b0.left_set), set(p.s1.right_set));
    f.two(b0.tag, u32::from(p.b0.left_count));
    f.two(b0.tag, left);
    f.two(b0.word, left);
    f.four(s1.tag, s0.tag, right, set(p.s0.left_set));
    f.four(s0.tag, b0.tag, set(p.s0.left_set), left);
    f.four(s1.tag, b0.tag, right, left);
    let child = p.b0.left[0];
    let c = a.at(child.word);
    f.one(c.both);
    f.two(c.word, label(child));
    dependent(c, child, s0, b0, f);
    dependent(c, child, s1, s0, f);
    f.three(s0.word, c.word, b0.word);
    f.three(s0.word, c.word, b0.tag);
    f.three(s0.tag, c.word, b0.word);
    f.three(s1.word, c.word, b0.tag);
    f.three(s1.word, c.word, b0.word);
    f.four(s1.tag, s0.tag, c.word, b0.tag);
    f.four(s1.fine, s0.fine, c.word, b0.tag);
    let c = a.at(p.b0.left[1].word);
    f.three(s0.tag, b0.tag, c.tag);
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
    for x in [
        h.word, h.tag, h.both, h.fine, d.word, d.tag, d.both, d.fine, d.suffix,
    ] {
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
