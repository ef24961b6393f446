//! Post-dominators: the states through which every path from a state goes on to its end.

use crate::fsa::Fsa;

/// The tree of post-dominators; its root, one more than the last state, is the end of every path.
#[derive(Debug)]
pub(crate) struct PostDominators {
    parent: Vec<u32>,
    /// An ancestor further up, so that any can be found in O(log depth) (Myers 1983).
    jump: Vec<u32>,
    depth: Vec<u32>,
}

impl PostDominators {
    /// O(transitions · log states), after Cooper, Harvey & Kennedy (2001).
    pub(crate) fn new(fsa: &Fsa) -> Self {
        let root = fsa.state_count() as u32;
        let mut tree = PostDominators {
            parent: vec![root; fsa.state_count() + 1],
            jump: vec![root; fsa.state_count() + 1],
            depth: vec![0; fsa.state_count() + 1],
        };
        for state in fsa.states().rev() {
            let last = fsa.is_final(state).then_some(root);
            let targets = fsa.out(state).iter().map(|t| t.to.raw());
            let common = targets.chain(last).reduce(|a, b| tree.common(a, b));
            tree.add(state.raw(), common.unwrap_or(root));
        }
        tree
    }

    /// The first state that all paths from this one share; the number of states if only their ends are.
    pub(crate) fn of(&self, state: u32) -> u32 {
        self.parent[state as usize]
    }

    fn add(&mut self, state: u32, parent: u32) {
        let (at, up) = (state as usize, parent as usize);
        let over = self.jump[up] as usize;
        let even = self.depth[up] - self.depth[over]
            == self.depth[over] - self.depth[self.jump[over] as usize];
        self.jump[at] = if even { self.jump[over] } else { parent };
        self.parent[at] = parent;
        self.depth[at] = self.depth[up] + 1;
    }

    /// The deepest ancestor of both.
    fn common(&self, mut a: u32, mut b: u32) -> u32 {
        let depth = |node: u32| self.depth[node as usize];
        if depth(a) < depth(b) {
            std::mem::swap(&mut a, &mut b);
        }
        while depth(a) > depth(b) {
            let far = self.jump[a as usize];
            a = if depth(far) >= depth(b) {
                far
            } else {
                self.parent[a as usize]
            };
        }
        while a != b {
            let (x, y) = (self.jump[a as usize], self.jump[b as usize]);
            (a, b) = if x == y {
                (self.parent[a as usize], self.parent[b as usize])
            } else {
                (x, y)
            };
        }
        a
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FsaBuilder;
    use pgen_core::SplitMix64;

    /// States on every path from one, by listing all paths.
    fn shared(fsa: &Fsa, from: u32) -> u32 {
        let root = fsa.state_count() as u32;
        let mut paths: Vec<Vec<u32>> = Vec::new();
        let mut open = vec![vec![from]];
        while let Some(path) = open.pop() {
            let here = crate::StateId::new(path[path.len() - 1]);
            if fsa.is_final(here) {
                paths.push(path.clone());
            }
            for t in fsa.out(here) {
                open.push([path.as_slice(), &[t.to.raw()]].concat());
            }
        }
        let on_all = |state: &u32| paths.iter().all(|path| path.contains(state));
        (from + 1..root).find(on_all).unwrap_or(root)
    }

    #[test]
    fn they_are_on_every_path() {
        for seed in 0..500 {
            let mut rng = SplitMix64::new(seed);
            let mut builder = FsaBuilder::new(&Default::default());
            let states: Vec<_> = (0..9).map(|_| builder.add_state().unwrap()).collect();
            for _ in 0..rng.below(20) {
                let from = rng.below(8);
                let to = from + 1 + rng.below(8 - from);
                let (from, to) = (states[from as usize], states[to as usize]);
                builder.add(from, "a", to).unwrap();
            }
            builder.set_final(states[8], 0.0).unwrap();
            builder
                .set_final(states[rng.below(9) as usize], 0.0)
                .unwrap();
            let fsa = builder.build(states[0]).unwrap();
            let tree = PostDominators::new(&fsa);
            for state in fsa.states() {
                assert_eq!(tree.of(state.raw()), shared(&fsa, state.raw()), "{seed}");
            }
        }
    }
}
