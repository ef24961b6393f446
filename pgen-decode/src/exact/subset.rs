//! Lazily determinised states: all product states that one text can stand in, with what each loses
//! against the best (weighted subset construction). States are cached by their contents, so that texts
//! with the same end share the work.

use super::network::{NONE, Network};
use super::potential::Scale;
use super::product::Products;
use super::table::{Index, hash_of};
use pgen_core::{EdgeId, Lexicon, WordId};
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::ops::Range;

/// A product state within a determinised state.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Member {
    pub(super) product: u32,
    /// The edge without words that led here from another member, and that member's product state.
    pub(super) silent: (u32, u32),
    /// How much the best completion through it lacks against the state's best.
    pub(super) loss: f64,
}

/// A step of one member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The word; `None` for the end of the text.
    pub(super) word: Option<WordId>,
    pub(super) target: u32,
    pub(super) loss: f64,
    /// The member it starts from, and that member's product state.
    pub(super) member: u32,
    pub(super) from: u32,
    /// The edge that ends with it, or `NONE`.
    pub(super) edge: u32,
    pub(super) log_prob: f64,
}

impl Step {
    /// Order of the steps on one word: by target, the best first.
    fn by_target(&self, other: &Step) -> Ordering {
        (self.target.cmp(&other.target))
            .then(self.loss.total_cmp(&other.loss))
            .then(self.member.cmp(&other.member))
    }
}

/// All steps on one word.
#[derive(Clone, Debug)]
pub(super) struct Child {
    pub(super) word: Option<WordId>,
    pub(super) loss: f64,
    pub(super) steps: Range<u32>,
    /// The state behind; `NONE` until asked for.
    pub(super) state: u32,
}

#[derive(Clone, Debug)]
struct State {
    members: Range<u32>,
    children: Range<u32>,
    /// Children were made up to this loss; below 0: not at all.
    budget: f64,
}

/// The determinised states of one decoding.
#[derive(Debug, Default)]
pub(super) struct Subsets {
    states: Vec<State>,
    members: Vec<Member>,
    pub(super) children: Vec<Child>,
    pub(super) steps: Vec<Step>,
    /// The state of each product state alone.
    singles: Vec<u32>,
    index: Index,
    /// Scratch.
    fresh: Vec<Step>,
    set: Vec<Member>,
    answered: Vec<u32>,
    stamp: u32,
    /// True if a child with another first word than those kept was cut off.
    pub(super) more: bool,
    /// True if any step was cut off.
    pub(super) cut: bool,
    /// How many bytes all this may take, and whether it would have taken more.
    pub(super) room: usize,
    pub(super) full: bool,
}

/// What expanding needs.
#[derive(Clone, Copy)]
pub(super) struct World<'a> {
    pub(super) network: &'a Network,
    pub(super) products: &'a Products,
    pub(super) lexicon: &'a Lexicon,
    pub(super) scale: Scale,
    /// The end position's states are final.
    pub(super) end: u32,
}

impl Subsets {
    pub(super) fn clear(&mut self, products: usize) {
        self.states.clear();
        self.members.clear();
        self.children.clear();
        self.steps.clear();
        self.singles.clear();
        self.singles.resize(products, NONE);
        self.index.clear();
        (self.more, self.cut, self.full) = (false, false, false);
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// Bytes in use, about.
    pub(super) fn bytes(&self) -> usize {
        self.states.len() * size_of::<State>()
            + self.members.len() * size_of::<Member>()
            + self.children.len() * size_of::<Child>()
            + (self.steps.len() + self.fresh.len()) * size_of::<Step>()
    }

    /// The state of no words.
    pub(super) fn start(&mut self, world: World<'_>) -> u32 {
        self.set.clear();
        self.set.push(Member {
            product: world.products.start,
            silent: (NONE, NONE),
            loss: 0.0,
        });
        self.close(world, f64::INFINITY);
        self.state_of_set()
    }

    /// The step of a child that leads to a product state, or anywhere for `NONE`, and loses the least.
    #[inline]
    pub(super) fn step_to(&self, child: usize, target: u32) -> Option<&Step> {
        let Range { start, end } = self.children[child].steps;
        match &self.steps[start as usize..end as usize] {
            [only] => Some(only),
            steps if target == NONE => steps.iter().min_by(|a, b| a.loss.total_cmp(&b.loss)),
            // Steps ascend by target, then loss.
            steps => steps.iter().find(|step| step.target == target),
        }
    }

    /// The product state from which a member of a state was reached without words; the edges on the way
    /// are appended, the last first.
    pub(super) fn silent_source(&self, state: u32, member: u32, edges: &mut Vec<EdgeId>) -> u32 {
        let Range { start, end } = self.states[state as usize].members;
        let members = &self.members[start as usize..end as usize];
        let mut member = members[(member - start) as usize];
        while member.silent.0 != NONE {
            edges.push(EdgeId::new(member.silent.0));
            let from = members.binary_search_by_key(&member.silent.1, |m| m.product);
            let Ok(from) = from else { break };
            member = members[from];
        }
        member.product
    }

    /// The number of children up to a loss, made now if they were not.
    pub(super) fn expand(&mut self, world: World<'_>, state: u32, budget: f64) -> usize {
        let known = &self.states[state as usize];
        if known.budget < budget {
            self.make_children(world, state, budget);
        }
        self.states[state as usize].children.len()
    }

    /// Place of a child among all.
    #[inline]
    pub(super) fn child(&self, state: u32, child: u32) -> usize {
        (self.states[state as usize].children.start + child) as usize
    }

    /// The state behind a child.
    pub(super) fn follow(&mut self, world: World<'_>, child: usize, budget: f64) -> u32 {
        let Child {
            ref steps,
            state,
            loss,
            ..
        } = self.children[child];
        if state != NONE {
            return state;
        }
        let steps = steps.start as usize..steps.end as usize;
        self.set.clear();
        for step in &self.steps[steps] {
            // Steps ascend by target, then loss.
            if self
                .set
                .last()
                .is_none_or(|last| last.product != step.target)
            {
                self.set.push(Member {
                    product: step.target,
                    silent: (NONE, NONE),
                    loss: step.loss - loss,
                });
            }
        }
        if world.network.has_silent() {
            self.close(world, budget);
        }
        let state = self.state_of_set();
        self.children[child].state = state;
        state
    }

    /// Adds what is reached without words.
    fn close(&mut self, world: World<'_>, budget: f64) {
        let mut at = 0;
        while let Some(&member) = self.set.get(at) {
            at += 1;
            let potential = world.products.potential[member.product as usize];
            for &(_, arc, target) in world.products.silent_steps(member.product) {
                let rest = arc.weight + world.products.potential[target as usize];
                let loss = member.loss + (potential - rest);
                if rest == f64::NEG_INFINITY || loss > budget {
                    self.cut |= rest > f64::NEG_INFINITY;
                    continue;
                }
                let reached = Member {
                    product: target,
                    silent: (arc.edge, member.product),
                    loss,
                };
                match self.set.iter().position(|known| known.product == target) {
                    None => self.set.push(reached),
                    // Targets lie higher than all members they are reached from: go on from there.
                    Some(known) if self.set[known].loss > loss => {
                        self.set.remove(known);
                        at -= usize::from(known < at);
                        self.set.push(reached);
                    }
                    Some(_) => {}
                }
            }
        }
        self.set.sort_by_key(|member| member.product);
    }

    /// The number of the state with the members in `set`.
    fn state_of_set(&mut self) -> u32 {
        let new = self.states.len() as u32;
        let id = match self.set[..] {
            [only] if only.silent.0 == NONE => {
                let known = &mut self.singles[only.product as usize];
                if *known == NONE {
                    *known = new;
                }
                *known
            }
            _ => {
                let keys = self
                    .set
                    .iter()
                    .map(|m| (m.product, m.silent, m.loss.to_bits()));
                let hash = keys.fold(0, |hash, key| hash_of((hash, key)));
                let (states, members, set) = (&self.states, &self.members, &self.set);
                self.index.find_or_insert(hash, new, |id| {
                    let Range { start, end } = states[id as usize].members;
                    members[start as usize..end as usize] == set[..]
                })
            }
        };
        if id == new {
            let start = self.members.len() as u32;
            self.members.extend_from_slice(&self.set);
            self.states.push(State {
                members: start..self.members.len() as u32,
                children: 0..0,
                budget: -1.0,
            });
        }
        id
    }

    fn make_children(&mut self, world: World<'_>, state: u32, budget: f64) {
        let members = self.states[state as usize].members.clone();
        self.fresh.clear();
        let mut words_alive = 0;
        for member in members.clone() {
            words_alive += self.step_all(world, member, budget);
            if self.bytes() > self.room {
                // What is left out may be what was asked for.
                self.full = true;
                break;
            }
        }
        if members.len() > 1 {
            self.fresh.sort_unstable_by_key(|step| step.word);
        }
        let first_child = self.children.len();
        let mut at = self.steps.len();
        for steps in self.fresh.chunk_by_mut(|a, b| a.word == b.word) {
            if steps.len() > 1 {
                steps.sort_unstable_by(Step::by_target);
            }
            let losses = steps.iter().map(|step| step.loss);
            self.children.push(Child {
                word: steps[0].word,
                loss: losses.fold(f64::INFINITY, f64::min),
                steps: at as u32..(at + steps.len()) as u32,
                state: NONE,
            });
            at += steps.len();
        }
        self.steps.append(&mut self.fresh);
        let children = &mut self.children[first_child..];
        if children.len() > 1 {
            let spelling = |word: Option<WordId>| word.map(|word| world.lexicon.word(word));
            children.sort_unstable_by(|a, b| {
                let by_loss = a.loss.total_cmp(&b.loss);
                by_loss.then_with(|| spelling(a.word).cmp(&spelling(b.word)))
            });
        }
        self.more |= members.len() == 1 && words_alive > children.len();
        let state = &mut self.states[state as usize];
        state.children = first_child as u32..self.children.len() as u32;
        state.budget = budget;
    }

    /// All steps of a member up to a loss, those on one word together; the number of words that are possible
    /// at all.
    fn step_all(&mut self, world: World<'_>, member: u32, budget: f64) -> usize {
        let Member { product, loss, .. } = self.members[member as usize];
        let World {
            network, products, ..
        } = world;
        let potential = products.potential[product as usize];
        let position = products.nodes[product as usize].position;
        if position == world.end {
            self.fresh.push(Step {
                word: None,
                target: product,
                loss,
                member,
                from: product,
                edge: NONE,
                log_prob: 0.0,
            });
            return 1;
        }
        let words = network.words_at(position);
        if self.stamp == u32::MAX {
            self.answered.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        if self.answered.len() < words.len() {
            self.answered.resize(words.len(), 0);
        }
        let mut alive = 0;
        let mut backoffs = SmallVec::<[f64; 8]>::new();
        let mut number = product;
        while number != NONE {
            let node = products.nodes[number as usize];
            for hit in products.hits_of(number) {
                let answered = &mut self.answered[hit.word as usize];
                let earlier = std::mem::replace(answered, self.stamp);
                if earlier == self.stamp {
                    continue;
                }
                // As the backward pass adds: shortest context first.
                let deeper = backoffs.iter().rev();
                let log_prob = deeper.fold(hit.log_prob, |sum, backoff| sum + backoff);
                let rest = potential - world.scale.word(log_prob);
                let mut possible = false;
                let arcs = &network.arcs[hit.arc as usize..];
                for (arc, &target) in arcs.iter().zip(products.targets_of(hit)) {
                    let value = arc.weight + products.potential[target as usize];
                    let loss = loss + (rest - value);
                    possible |= loss < f64::INFINITY;
                    if loss <= budget && loss < f64::INFINITY {
                        self.fresh.push(Step {
                            word: Some(words[hit.word as usize]),
                            target,
                            loss,
                            member,
                            from: product,
                            edge: arc.edge,
                            log_prob,
                        });
                    } else {
                        self.cut |= loss < f64::INFINITY;
                    }
                }
                alive += usize::from(possible);
            }
            backoffs.push(node.backoff);
            number = node.shorter;
        }
        alive
    }
}
