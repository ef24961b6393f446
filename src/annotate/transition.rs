//! The arc-hybrid transition system (Kuhlmann, Gómez-Rodríguez & Satta 2011) with the root behind the
//! last word (Ballesteros & Nivre 2013), and its oracle.
//!
//! A sentence of n words takes 2n moves: n shifts and n arcs. Exactly one word hangs on the root.

use super::feature::signature;

/// No word.
pub(crate) const NONE: u32 = u32::MAX;

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Move {
    /// The next word goes onto the stack.
    Shift,
    /// The top of the stack hangs on the next word.
    Left,
    /// The top of the stack hangs on what lies below it.
    Right,
}

impl Move {
    pub(crate) const ALL: [Move; 3] = [Move::Shift, Move::Left, Move::Right];
}

/// A dependent as seen from its head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Child {
    pub(crate) word: u32,
    pub(crate) relation: u8,
}

const NO_CHILD: Child = Child {
    word: NONE,
    relation: u8::MAX,
};

/// A word with the dependents it has so far: the outermost and the last but one on either side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) word: u32,
    pub(crate) left: [Child; 2],
    pub(crate) right: [Child; 2],
    /// Relations present, as bits modulo 64.
    pub(crate) left_set: u64,
    pub(crate) right_set: u64,
    pub(crate) left_count: u16,
    pub(crate) right_count: u16,
    /// A hash of the word and every arc to a dependent: equal for items that look alike.
    pub(crate) print: u64,
}

impl Item {
    pub(crate) const fn new(word: u32) -> Self {
        Item {
            word,
            left: [NO_CHILD; 2],
            right: [NO_CHILD; 2],
            left_set: 0,
            right_set: 0,
            left_count: 0,
            right_count: 0,
            print: word as u64,
        }
    }

    fn with_left(mut self, word: u32, relation: u8) -> Self {
        self.left = [Child { word, relation }, self.left[0]];
        self.left_set |= 1 << (relation & 63);
        self.left_count = self.left_count.saturating_add(1);
        self.printed(word, relation)
    }

    fn with_right(mut self, word: u32, relation: u8) -> Self {
        self.right = [Child { word, relation }, self.right[0]];
        self.right_set |= 1 << (relation & 63);
        self.right_count = self.right_count.saturating_add(1);
        self.printed(word, relation)
    }

    /// Which side the dependent is on follows from its number.
    fn printed(mut self, word: u32, relation: u8) -> Self {
        self.print = signature(self.print, (u64::from(word) << 8) | u64::from(relation));
        self
    }
}

/// A place on a stack; stacks of many states share their lower parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) item: Item,
    pub(crate) below: u32,
}

/// A state: the stack's top cell, and the next word with its left dependents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    pub(crate) top: u32,
    pub(crate) next: Item,
    pub(crate) score: i64,
    /// The state before and the move that led here, with the relation of its arc.
    pub(crate) from: u32,
    pub(crate) by: Move,
    pub(crate) relation: u8,
}

/// All states and stack cells of one sentence. Every move adds at most one of each.
#[derive(Debug, Default)]
pub(crate) struct Chart {
    pub(crate) states: Vec<State>,
    cells: Vec<Cell>,
    words: u32,
}

impl Chart {
    /// Begins a sentence of so many words; state 0 is the first.
    pub(crate) fn start(&mut self, words: usize) {
        self.states.clear();
        self.cells.clear();
        self.words = words as u32;
        self.states.push(State {
            top: NONE,
            next: Item::new(0),
            score: 0,
            from: NONE,
            by: Move::Shift,
            relation: u8::MAX,
        });
    }

    /// The cell at an index; `None` below the bottom.
    #[inline]
    pub(crate) fn cell(&self, at: u32) -> Option<&Cell> {
        self.cells.get(at as usize)
    }

    /// True if a move may be made.
    #[inline]
    pub(crate) fn allows(&self, state: &State, by: Move) -> bool {
        let top = self.cell(state.top);
        let at_root = state.next.word >= self.words;
        match by {
            Move::Shift => !at_root,
            Move::Left => top.is_some_and(|top| !at_root || top.below == NONE),
            Move::Right => top.is_some_and(|top| top.below != NONE),
        }
    }

    /// Head and dependent of the arc a move would make.
    pub(crate) fn arc(&self, state: &State, by: Move) -> Option<(Item, Item)> {
        let top = self.cell(state.top)?;
        match by {
            Move::Shift => None,
            Move::Left => Some((state.next, top.item)),
            Move::Right => Some((self.cell(top.below)?.item, top.item)),
        }
    }

    /// Makes an allowed move; the index of the new state.
    pub(crate) fn make(&mut self, from: u32, by: Move, relation: u8, score: i64) -> u32 {
        let old = self.states[from as usize];
        let (mut top, mut next) = (old.top, old.next);
        match (by, self.cell(old.top).copied()) {
            (Move::Left, Some(cell)) => {
                top = cell.below;
                next = next.with_left(cell.item.word, relation);
            }
            (Move::Right, Some(cell)) => {
                if let Some(&head) = self.cell(cell.below) {
                    top = self.push(Cell {
                        item: head.item.with_right(cell.item.word, relation),
                        below: head.below,
                    });
                }
            }
            _ => {
                top = self.push(Cell {
                    item: next,
                    below: top,
                });
                next = Item::new(next.word + 1);
            }
        }
        self.states.push(State {
            top,
            next,
            score,
            from,
            by,
            relation,
        });
        self.states.len() as u32 - 1
    }

    fn push(&mut self, cell: Cell) -> u32 {
        self.cells.push(cell);
        self.cells.len() as u32 - 1
    }

    /// Heads (the number of words stands for the root) and relations of a last state.
    pub(crate) fn arcs(&self, last: u32) -> (Vec<u32>, Vec<u8>) {
        let mut heads = vec![self.words; self.words as usize];
        let mut relations = vec![u8::MAX; self.words as usize];
        let mut at = last;
        while let Some(state) = self.states.get(at as usize) {
            let made = self.states.get(state.from as usize);
            if let Some((head, dependent)) = made.and_then(|made| self.arc(made, state.by))
                && let Some(slot) = heads.get_mut(dependent.word as usize)
            {
                *slot = head.word;
                relations[dependent.word as usize] = state.relation;
            }
            at = state.from;
        }
        (heads, relations)
    }
}

/// The moves that build a projective tree with one root, leftmost arcs as early as they may be made.
/// Linear time.
#[derive(Debug)]
pub(crate) struct Oracle<'a> {
    heads: &'a [u32],
    /// How many dependents to the right each word has.
    waiting: Vec<u32>,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(heads: &'a [u32]) -> Self {
        let mut waiting = vec![0; heads.len()];
        for (word, &head) in heads.iter().enumerate() {
            if (head as usize) < word {
                waiting[head as usize] += 1;
            }
        }
        Oracle { heads, waiting }
    }

    /// The right move in a state on the way to the tree.
    pub(crate) fn next(&self, chart: &Chart, state: &State) -> Move {
        let Some(top) = chart.cell(state.top) else {
            return Move::Shift;
        };
        let word = top.item.word as usize;
        let head = self.heads.get(word).copied().unwrap_or(NONE);
        let complete = self.waiting.get(word) == Some(&top.item.right_count.into());
        if head == state.next.word {
            return Move::Left;
        }
        match chart.cell(top.below) {
            Some(below) if complete && below.item.word == head => Move::Right,
            _ => Move::Shift,
        }
    }
}

/// The dependent of a shortest arc over a word that does not descend from the arc's head, which is where
/// arcs cross; `None` for a projective tree.
fn crossing(heads: &[u32]) -> Option<usize> {
    let mut found: Option<(u32, usize)> = None;
    for (word, &head) in heads.iter().enumerate() {
        let (low, high) = (head.min(word as u32), head.max(word as u32));
        let inside = (low + 1..high).all(|between| descends(heads, between, head));
        if !inside && found.is_none_or(|best| high - low < best.0) {
            found = Some((high - low, word));
        }
    }
    found.map(|found| found.1)
}

fn descends(heads: &[u32], mut word: u32, ancestor: u32) -> bool {
    // An acyclic tree is no deeper than its words are many.
    for _ in 0..=heads.len() {
        if word == ancestor {
            return true;
        }
        match heads.get(word as usize) {
            Some(&head) => word = head,
            None => return false,
        }
    }
    false
}

/// Makes a tree projective by hanging dependents of crossing arcs one step higher, shortest arc first
/// (Nivre & Nilsson 2005); the number of steps.
pub(crate) fn projectivize(heads: &mut [u32]) -> usize {
    let mut lifts = 0;
    while let Some(word) = crossing(heads) {
        let above = heads.get(heads[word] as usize).copied();
        match above {
            Some(above) => heads[word] = above,
            None => break,
        }
        lifts += 1;
    }
    lifts
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgen_core::SplitMix64;
    use proptest::prelude::*;

    /// Any allowed moves to the end.
    fn random_walk(words: usize, seed: u64) -> (Vec<u32>, Vec<u8>) {
        let mut rng = SplitMix64::new(seed);
        let mut chart = Chart::default();
        chart.start(words);
        let mut at = 0;
        for _ in 0..2 * words {
            let state = chart.states[at as usize];
            let allowed: Vec<_> =
                (Move::ALL.into_iter().filter(|&by| chart.allows(&state, by))).collect();
            let by = allowed[rng.index(allowed.len()).unwrap()];
            at = chart.make(at, by, rng.below(5) as u8, 0);
        }
        let state = chart.states[at as usize];
        assert!(
            !Move::ALL.into_iter().any(|by| chart.allows(&state, by)),
            "moves are left"
        );
        chart.arcs(at)
    }

    /// A tree with one root and heads anywhere.
    fn random_tree(words: usize, seed: u64) -> Vec<u32> {
        let mut rng = SplitMix64::new(seed);
        let mut order: Vec<u32> = (0..words as u32).collect();
        rng.shuffle(&mut order);
        let mut heads = vec![words as u32; words];
        for rank in 1..words {
            heads[order[rank] as usize] = order[rng.below(rank as u64) as usize];
        }
        heads
    }

    fn is_tree(heads: &[u32]) -> bool {
        let root = heads.len() as u32;
        let one = heads.iter().filter(|&&head| head == root).count() == 1;
        one && (0..root).all(|word| descends(heads, word, root))
    }

    proptest! {
        #[test]
        fn any_walk_ends_in_a_projective_tree_with_one_root(words in 1usize..14, seed: u64) {
            let (heads, _) = random_walk(words, seed);
            prop_assert!(is_tree(&heads) && crossing(&heads).is_none());
        }

        #[test]
        fn the_oracle_builds_the_tree_it_was_given(words in 1usize..14, seed: u64) {
            let mut heads = random_tree(words, seed);
            projectivize(&mut heads);
            let oracle = Oracle::new(&heads);
            let mut chart = Chart::default();
            chart.start(words);
            let mut at = 0;
            for _ in 0..2 * words {
                let state = chart.states[at as usize];
                let by = oracle.next(&chart, &state);
                prop_assert!(chart.allows(&state, by));
                at = chart.make(at, by, 0, 0);
            }
            prop_assert_eq!(chart.arcs(at).0, heads);
        }

        #[test]
        fn lifting_ends_in_a_projective_tree_and_keeps_projective_ones(words in 1usize..14, seed: u64) {
            let mut heads = random_tree(words, seed);
            let before = heads.clone();
            let lifts = projectivize(&mut heads);
            prop_assert!(is_tree(&heads) && crossing(&heads).is_none());
            prop_assert_eq!(lifts == 0, heads == before);
            prop_assert_eq!(lifts == 0, crossing(&before).is_none());
        }

        #[test]
        fn crossing_means_that_two_arcs_cross(words in 1usize..9, seed: u64) {
            let heads = random_tree(words, seed);
            let arcs: Vec<(u32, u32)> = (heads.iter().enumerate())
                .map(|(word, &head)| (head.min(word as u32), head.max(word as u32)))
                .collect();
            let cross = arcs.iter().any(|a| arcs.iter().any(|b| a.0 < b.0 && b.0 < a.1 && a.1 < b.1));
            prop_assert_eq!(crossing(&heads).is_some(), cross);
        }
    }
}
